"""Where exactly a disc lies: its silhouette fitted to a fraction of a pixel.

In the plane of the top faces the rim is a circle of known radius. The camera also sees the side,
on the flank towards the point under it, as a band of the disc's own paint; its foot is the same
circle on the board, so that the whole silhouette is known once the centre is. Rays from a rough
centre tell for every radius how well the paint ends there (hue against the board, in light or
shadow) and how sharp an edge lies there; the centre is where the silhouette collects most of both.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.scene import HALF, LOG_FLOOR, Floats, Mask, Scene

FloatArray = NDArray[np.float64]

RAYS = 64
STEP_PX = 0.5
RADII = np.arange(15.0, 37.01, STEP_PX, dtype=np.float32)
"""Radii that are sampled, pixels: from well inside the rim to half a disc beyond it."""
ANGLES = np.arange(RAYS) * 2 * np.pi / RAYS
DIRECTIONS = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
_ROWS = np.arange(RAYS)


@dataclass(frozen=True, kw_only=True)
class RimParams:
    """How a rim is judged; all lengths in pixels of the rectified picture (disc radius 24)."""

    rim_px: float = 23.4
    """Radius at which the top face's edge is seen. Discs are turned or sanded round there, so the
    edge lies a little inside the true radius. A wrong value widens or narrows all rays alike and
    moves no whole rim."""
    foot_px: float = 0.4
    """How much farther the side's foot lies: no rounding there."""
    hue_sigma: float = 0.07
    """Log units within which hues are one paint, or one board."""
    level_sigma: float = 0.12
    shade: float = 0.9
    """How much darker the side may be than the top, log units."""
    shadow: float = 1.1
    """How much darker the board may be in a shadow, log units."""
    area_cap: float = 6.0
    """The most that one ray's paint can say against a centre: one neighbour is not a verdict."""
    edge_gain: float = 6.0
    """Weight of the edges against the paint."""
    edge_full: float = 0.5
    """Log step over one pixel that counts as a full edge."""


@dataclass(frozen=True, kw_only=True)
class Rim:
    """A fitted rim."""

    center_px: FloatArray
    """Shape (2,), pixels of the scene's view, plane of the top faces."""
    support: float
    """Share of the visible rays whose edge lies on the silhouette, 0 to 1."""
    paint: float
    """Mean agreement of the paint's end with the silhouette over visible rays, 0 (best) down."""
    score: float
    """What the fit maximised; comparable between radii at one place."""
    sigma_px: float
    """One-sigma uncertainty of the centre along its worst direction."""
    visible: Mask
    """Rays on which the rim is not hidden by something else, shape (RAYS,)."""


def ray_points(center_px: FloatArray, radii: Floats = RADII) -> Floats:
    """Points on rays about a centre, shape (RAYS, radii, 2)."""
    offsets = radii[None, :, None] * DIRECTIONS[:, None].astype(np.float32)
    return np.asarray(center_px.astype(np.float32) + offsets, np.float32)


def circle_on_rays(offsets: FloatArray, radius: float) -> FloatArray:
    """Radius along every ray at which circles about shifted centres are met.

    Parameters
    ----------
    offsets
        Shifts of the centre, shape (n, 2), each shorter than the radius.

    Returns
    -------
    ndarray of float64, shape (n, RAYS)
    """
    along = offsets @ DIRECTIONS.T
    across = offsets[:, :1] * DIRECTIONS[:, 1] - offsets[:, 1:2] * DIRECTIONS[:, 0]
    return np.asarray(along + np.sqrt(np.maximum(radius**2 - across**2, 1.0)), np.float64)


@dataclass(frozen=True, kw_only=True)
class Silhouette:
    """Geometry of a disc's silhouette at one place of the scene."""

    foot_shift_px: FloatArray
    """From the top's centre to where the foot's appears, shape (2,)."""
    foot_scale: float
    """Size of the foot against the top: it is farther from the camera."""

    def on_rays(self, offsets: FloatArray, params: RimParams) -> tuple[FloatArray, FloatArray]:
        """Radii of the outline and of the top's rim along the rays, each (n, RAYS)."""
        top = circle_on_rays(offsets, params.rim_px)
        outline = top
        for part in (0.5, 1.0):
            scale = 1.0 + part * (self.foot_scale - 1.0)
            lower = circle_on_rays(
                offsets + part * self.foot_shift_px, (params.rim_px + params.foot_px) * scale
            )
            outline = np.maximum(outline, lower)
        return outline, top


def silhouette(scene: Scene, center_px: FloatArray) -> Silhouette:
    """Return the silhouette of a disc of the scene's thickness whose top is at ``center_px``."""
    drop = scene.height_mm / scene.camera_height_mm
    return Silhouette(foot_shift_px=(scene.nadir_px - center_px) * drop, foot_scale=1.0 - drop)


def fit_rim(
    scene: Scene,
    center_px: FloatArray,
    params: RimParams,
    *,
    hidden: Mask | None = None,
    spans: tuple[tuple[float, float], ...] = ((4.0, 1.0), (1.5, 0.5), (0.5, 0.25)),
) -> Rim:
    """Fit the centre of one disc.

    Parameters
    ----------
    center_px
        Rough centre, pixels of the scene's view.
    hidden
        Mask over the half-scale picture of what lies above the disc; rays whose rim is in it
        have no say.
    spans
        For each pass, how far around the centre is searched and in what steps.
    """
    center = np.asarray(center_px, np.float64)
    for span, step in spans:
        paint, edge = ray_evidence(scene, center, params)
        visible = _rays_in_view(scene, center, hidden)
        offsets, shape = _grid(span, step)
        outline, top = silhouette(scene, center).on_rays(offsets, params)
        score = _score(paint, edge, outline, top, params, visible).reshape(shape)
        center = center + _peak(score, span, step)
    paint, edge = ray_evidence(scene, center, params)
    visible = _rays_in_view(scene, center, hidden)
    outline, top = silhouette(scene, center).on_rays(np.zeros((1, 2)), params)
    support = _support(edge, outline[0], top[0])
    return Rim(
        center_px=center,
        support=float(support[visible].mean()) if visible.any() else 0.0,
        paint=float(_look_up(paint, outline)[0][visible].mean()) if visible.any() else -params.area_cap,
        score=float(score.max()),
        sigma_px=_sigma(score, step),
        visible=visible,
    )


def ray_evidence(scene: Scene, center: FloatArray, params: RimParams) -> tuple[Floats, Floats]:
    """How well the paint ends, and how strong an edge lies, at every radius of every ray.

    Returns
    -------
    paint : ndarray, shape (RAYS, len(RADII))
        0 where the paint's end fits best, negative elsewhere.
    edge : ndarray, shape (RAYS, len(RADII))
        0 (none) to 1.
    """
    points = ray_points(center)
    seen = cv2.remap(scene.top_bgr, points, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    seen = cv2.GaussianBlur(seen, (3, 3), 0.6)
    logs = np.log(seen.astype(np.float32) + np.float32(LOG_FLOOR))
    inner = cv2.getRectSubPix(scene.top_bgr, (29, 29), (float(center[0]), float(center[1])))
    own = np.median(np.log(inner[_INNER].astype(np.float32) + np.float32(LOG_FLOOR)), axis=0)
    half = (points + 0.5) / HALF - 0.5
    board = cv2.remap(scene.expected, half, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    to_own = _apart(logs, own, params, darker=params.shade, lighter=0.25)
    to_board = _apart(logs, board, params, darker=params.shadow, lighter=0.12)
    tells = np.clip(to_board, 0, 8) - np.clip(to_own, 0, 8) - 1.0 * (to_own > 6)
    tells = np.clip(tells, -3, 3)
    total = np.cumsum(tells, axis=1) * STEP_PX
    ends = 2 * total - total[:, -1:]
    paint = np.clip(ends - ends.max(axis=1, keepdims=True), -params.area_cap, 0)
    edge = np.zeros(paint.shape, np.float32)
    edge[:, 1:-1] = np.linalg.norm(logs[:, 2:] - logs[:, :-2], axis=2)
    return paint.astype(np.float32), np.minimum(edge / params.edge_full, 1.0).astype(np.float32)


def _apart(logs: Floats, reference: Floats, params: RimParams, *, darker: float, lighter: float) -> Floats:
    """Half squared deviations from a color that may be darker or lighter by so much."""
    change = logs - reference
    level = change.mean(axis=2)
    hue = change - level[..., None]
    over = np.where(level < -darker, level + darker, np.where(level > lighter, level - lighter, 0.0))
    return np.asarray(
        (hue**2).sum(axis=2) / (2 * params.hue_sigma**2) + over**2 / (2 * params.level_sigma**2),
        np.float32,
    )


_AXIS = np.arange(29) - 14.0
_INNER = np.hypot(_AXIS[:, None], _AXIS) < 15.0


def _look_up(table: Floats, radius: FloatArray) -> FloatArray:
    at = np.clip((radius - RADII[0]) / STEP_PX, 0, table.shape[1] - 1.001)
    low = at.astype(np.intp)
    part = at - low
    return np.asarray(table[_ROWS, low] * (1 - part) + table[_ROWS, low + 1] * part, np.float64)


def _score(
    paint: Floats,
    edge: Floats,
    outline: FloatArray,
    top: FloatArray,
    params: RimParams,
    visible: Mask,
) -> FloatArray:
    on_top, on_outline = _look_up(edge, top), _look_up(edge, outline)
    # Where the side shows there are two edges, the rim's and the foot's, each half as telling.
    edges = np.where(outline > top + 0.7, 0.5 * (on_top + on_outline), on_top)
    each = _look_up(paint, outline) + params.edge_gain * edges
    return np.asarray(each[:, visible].sum(axis=1) / RAYS, np.float64)


def _support(edge: Floats, outline: FloatArray, top: FloatArray) -> FloatArray:
    """Whether an edge lies within a pixel and a half of the silhouette, per ray, 0 to 1."""
    best = np.zeros(RAYS)
    for shift in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5):
        best = np.maximum(best, _look_up(edge, (outline + shift)[None])[0])
        best = np.maximum(best, _look_up(edge, (top + shift)[None])[0])
    return np.clip(best / 0.15, 0, 1)


def _rays_in_view(scene: Scene, center: FloatArray, hidden: Mask | None) -> Mask:
    points = (center + DISC_PX * DIRECTIONS + 0.5) / HALF - 0.5
    column, row = np.round(points).astype(int).T
    height, width = scene.in_photo.shape
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    column, row = column.clip(0, width - 1), row.clip(0, height - 1)
    visible = inside & scene.in_photo[row, column]
    if hidden is not None:
        visible &= ~hidden[row, column]
    return np.asarray(visible, np.bool_)


def _grid(span: float, step: float) -> tuple[FloatArray, tuple[int, int]]:
    axis = np.arange(-span, span + 1e-6, step)
    dx, dy = np.meshgrid(axis, axis)
    return np.column_stack([dx.ravel(), dy.ravel()]), dx.shape


def _peak(score: FloatArray, span: float, step: float) -> FloatArray:
    """Shift to the highest score, between the steps by a parabola in each direction."""
    row, column = np.unravel_index(int(score.argmax()), score.shape)
    shift = np.array([column * step - span, row * step - span])
    if 0 < row < score.shape[0] - 1 and 0 < column < score.shape[1] - 1:
        near = score[row - 1 : row + 2, column - 1 : column + 2]
        for axis, line in enumerate((near[1], near[:, 1])):
            bend = line[0] - 2 * line[1] + line[2]
            if bend < -1e-9:
                shift[axis] += step * float(np.clip(0.5 * (line[0] - line[2]) / bend, -0.5, 0.5))
    return shift


def _sigma(score: FloatArray, step: float) -> float:
    """Uncertainty from how sharply the score falls off: flat means that it could be anywhere."""
    axis = np.arange(score.shape[0]) * step
    axis = axis - axis.mean()
    drop = score.max() - score
    weight = np.exp(-drop / 0.02)
    x, y = np.meshgrid(axis, axis)
    weight /= weight.sum()
    spread = [float((weight * v**2).sum() - (weight * v).sum() ** 2) for v in (x, y)]
    return float(np.sqrt(max(spread)))
