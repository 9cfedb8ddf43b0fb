"""The outline of a roughly known disc face, where no rig says how large and how tilted it is.

A face seen at an angle is an ellipse. The color's step away from the wood is measured once, along
rays from the rough center; an ellipse then only has to be looked up on the rays, so that thousands
can be tried.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.faces import Floats, Pixels


@dataclass(frozen=True, kw_only=True)
class FaceOutline:
    """An ellipse in the image, as the picture of a face's rim.

    Attributes
    ----------
    center_px : tuple of float
    axes_px : ndarray of shape (2, 2), float64
        Symmetric; takes a point of the unit circle to its offset from the center in pixels.
    strength : float
        Mean step of the color across the outline, in units of CIE Lab; under 5 is no outline.
    """

    center_px: tuple[float, float]
    axes_px: NDArray[np.float64]
    strength: float


@dataclass(frozen=True, kw_only=True)
class OutlineParams:
    """How an outline is searched."""

    rays: int = 96
    reach: tuple[float, float] = (0.5, 1.4)
    """Where the rim is looked for, in parts of the rough radius."""
    step: float = 0.01
    window: int = 8
    """Steps on each side of an edge over which colors are averaged."""
    off_center: float = 0.25
    """How wrong the rough center may be, in parts of the radius."""
    tries: int = 300
    kept: int = 12
    softness: tuple[float, ...] = (10.0, 6.0, 3.0, 1.5)
    """Smoothing of the edges while ellipses are moved about as far as that, in steps."""
    rounds: int = 5
    roundness: float = 0.25
    """How readily a face is taken for tilted: spread of the axes' ratio before looking."""


def find_face(
    pixels_bgr: Pixels,
    center_px: tuple[float, float],
    radius_px: float,
    params: OutlineParams | None = None,
) -> FaceOutline:
    """Fit an ellipse to the rim of a face whose place and size are known to a quarter or so.

    Parameters
    ----------
    pixels_bgr : ndarray of shape (H, W, 3), uint8
    center_px : tuple of float
        Rough center, x and y.
    radius_px : float
        Rough radius.
    params : OutlineParams, optional

    Returns
    -------
    FaceOutline
    """
    params = params or OutlineParams()
    steps = _edge_steps(pixels_bgr, center_px, radius_px, params)
    cap = float(np.percentile(steps.max(axis=1), 60))
    steps = np.minimum(steps, max(cap, 1e-3))
    rng = np.random.default_rng(0)
    # An ellipse is (x, y, xx, xy, yy): its center and its symmetric matrix, in rough radii.
    tried = np.zeros((20 * params.tries, 5))
    tried[:, :2] = rng.uniform(-params.off_center, params.off_center, (len(tried), 2))
    size = rng.uniform(0.65, 1.25, len(tried))
    tried[:, 2], tried[:, 4] = size, size
    kept = tried
    for softness in params.softness:
        # Soft edges first, which draw an ellipse near from afar.
        soft = np.asarray(cv2.GaussianBlur(steps, (0, 0), softness, sigmaY=0.5), np.float32)
        for _ in range(params.rounds):
            kept = kept[np.argsort(-_scores(kept, soft, params))[: params.kept]]
            moved = np.repeat(kept, params.tries // params.kept, axis=0)
            moved += rng.normal(0, softness * params.step, moved.shape)
            kept = np.concatenate([kept, moved])
    kept = kept[np.argsort(-_scores(kept, steps, params))]
    x, y, xx, xy, yy = kept[0] * radius_px
    return FaceOutline(
        center_px=(center_px[0] + float(x), center_px[1] + float(y)),
        axes_px=np.array([[xx, xy], [xy, yy]]),
        strength=float(_scores(kept[:1], steps, params)[0]),
    )


def _edge_steps(
    pixels_bgr: Pixels, center_px: tuple[float, float], radius_px: float, params: OutlineParams
) -> Floats:
    """How much farther from the wood's color it is outside than inside, of shape (rays, radii)."""
    lab = cv2.cvtColor(pixels_bgr.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2Lab)
    lab = cv2.GaussianBlur(lab, (0, 0), max(radius_px * 0.02, 0.5))
    turns = np.arange(params.rays) * (2 * np.pi / params.rays)
    radii = np.arange(0.0, params.reach[1] + params.window * params.step, params.step)
    xs = (center_px[0] + radius_px * np.cos(turns)[:, None] * radii).astype(np.float32)
    ys = (center_px[1] + radius_px * np.sin(turns)[:, None] * radii).astype(np.float32)
    rays = cv2.remap(lab, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    wood = np.median(rays[:, radii < params.reach[0]].reshape(-1, 3), axis=0)
    far = np.minimum(np.linalg.norm(rays - wood, axis=2), 60.0)
    total = np.concatenate([np.zeros((params.rays, 1)), np.cumsum(far, axis=1)], axis=1)
    w = params.window
    steps = np.zeros_like(far)
    inner = total[:, w:-w] - total[:, : -2 * w]
    outer = total[:, 2 * w :] - total[:, w:-w]
    steps[:, w : w + inner.shape[1]] = ((outer - inner) / w)[:, : steps.shape[1] - w]
    steps[:, radii < params.reach[0]] = 0
    return np.asarray(np.maximum(steps, 0), np.float32)


def _scores(ellipses: NDArray[np.float64], steps: Floats, params: OutlineParams) -> Floats:
    """Mean step along each ellipse, less for tilted ones; minus infinity off the rays."""
    x, y, xx, xy, yy = ellipses.T[:, :, None]
    turns = np.arange(params.rays) * (2 * np.pi / params.rays)
    determinant = np.where(np.abs(xx * yy - xy * xy) > 1e-6, xx * yy - xy * xy, np.nan)
    ray = np.stack(
        [yy * np.cos(turns) - xy * np.sin(turns), xx * np.sin(turns) - xy * np.cos(turns)]
    )
    off = np.stack([yy * x - xy * y, xx * y - xy * x])
    a = (ray**2).sum(axis=0) / determinant**2
    b = (ray * off).sum(axis=0) / determinant**2
    c = (off**2).sum(axis=0) / determinant**2 - 1
    with np.errstate(invalid="ignore"):
        radius = (b + np.sqrt(b * b - a * c)) / a
        valid = np.isfinite(radius).all(axis=1) & (determinant[:, 0] > 0)
    index = np.where(np.isfinite(radius), radius / params.step, 0).round().astype(int)
    valid &= ((index >= 0) & (index < steps.shape[1])).all(axis=1)
    index = np.clip(index, 0, steps.shape[1] - 1)
    mean = steps[np.arange(params.rays), index].mean(axis=1)
    half, gap = (xx + yy)[:, 0] / 2, np.hypot((xx - yy)[:, 0] / 2, xy[:, 0])
    with np.errstate(invalid="ignore", divide="ignore"):
        tilt = np.log((half + gap) / np.maximum(half - gap, 1e-6))
    prior = np.exp(-0.5 * (tilt / params.roundness) ** 2 * 0.1)
    return np.asarray(np.where(valid, mean * prior, -np.inf), np.float32)
