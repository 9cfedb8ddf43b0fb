"""A disc's top face as a fixed square picture, and as rings over the angle.

Everything that reads what is painted on a face works on these two forms. A face picture is a
square of ``FACE_SIDE_PX`` in which the disc's rim is a circle of ``FACE_RIM_PX`` about the middle;
its rings are samples on concentric circles, so that turning the disc is a shift along one axis and
one Fourier transform compares all angles at once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

FACE_SIDE_PX = 64
FACE_RIM_PX = 28.0

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Pixels = NDArray[np.uint8]
Shifts = tuple[tuple[float, float], ...]
"""Of a face's center, x and y in pixels of its picture."""


@dataclass(frozen=True, kw_only=True)
class FaceCrop:
    """One seen face.

    Attributes
    ----------
    pixels_bgr : ndarray of shape (64, 64, 3), uint8
        The face, its rim a circle of 28 px about the middle (31.5, 31.5).
    visible : ndarray of shape (64, 64), bool
        False where another disc, a hand or glare hides the face.
    colors : tuple of str
        The colors that the disc may have; empty for all.
    """

    pixels_bgr: Pixels
    visible: Mask
    colors: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TaughtFace:
    """One face whose color and number the owner told; the picture is as in `FaceCrop`."""

    color: str
    number: int
    pixels_bgr: Pixels
    visible: Mask


@dataclass(frozen=True, kw_only=True)
class FaceEvidence:
    """What a face says about its number.

    Attributes
    ----------
    log_likelihood : mapping of (color, number) to float
        Natural logarithm, up to a constant of the crop; all equal where nothing can be told.
    angle_deg : mapping of (color, number) to float
        How far the face is turned clockwise, as seen in the image, from the taught one, 0 up to
        360; empty from a reader that was not taught.
    seen_share : float
        How much of the part of the face that tells numbers apart is visible, 0 to 1.
    bare : bool
        Whether no taught face explains what is seen better than a surface without ink would be.
    """

    log_likelihood: Mapping[tuple[str, int], float] = field(default_factory=dict)
    angle_deg: Mapping[tuple[str, int], float] = field(default_factory=dict)
    seen_share: float = 0.0
    bare: bool = False

    @cached_property
    def by_color(self) -> dict[str, tuple[float, dict[tuple[str, int], float]]]:
        """For each color the log of its likelihoods' sum, and of each one's share of that."""
        logs: dict[str, dict[tuple[str, int], float]] = {}
        for who, log in self.log_likelihood.items():
            logs.setdefault(who[0], {})[who] = log
        told = {}
        for color, each in logs.items():
            top = max(each.values())
            total = top + math.log(sum(math.exp(log - top) for log in each.values()))
            told[color] = (total, {who: log - total for who, log in each.items()})
        return told

    def posterior(self, color: str) -> dict[int, float]:
        """Probability of each number for a disc of this color, all being equally likely before."""
        _, shares = self.by_color.get(color, (0.0, {}))
        return {number: math.exp(log) for (_, number), log in shares.items()}


@dataclass(frozen=True, kw_only=True)
class RingGrid:
    """Where the rings of a face are sampled, in parts of the rim's radius."""

    rings: int
    angles: int
    inner: float
    outer: float

    @property
    def radii(self) -> Floats:
        """Radius of each ring, in parts of the rim's; shape (rings,)."""
        return np.linspace(self.inner, self.outer, self.rings, dtype=np.float32)


@lru_cache(maxsize=32)
def _ring_maps(grid: RingGrid, shifts_px: Shifts, pictures: int) -> tuple[Floats, Floats]:
    """Lay out sampling positions, shape (pictures * shifts * rings, angles).

    The pictures lie one below the other.
    """
    turn = np.arange(grid.angles, dtype=np.float32) * np.float32(2 * np.pi / grid.angles)
    middle = (FACE_SIDE_PX - 1) / 2
    radius = grid.radii[:, None] * FACE_RIM_PX
    places = [(dx, dy + i * FACE_SIDE_PX) for i in range(pictures) for dx, dy in shifts_px]
    xs = [middle + dx + radius * np.cos(turn) for dx, _ in places]
    ys = [middle + dy + radius * np.sin(turn) for _, dy in places]
    return np.concatenate(xs).astype(np.float32), np.concatenate(ys).astype(np.float32)


def sample_rings(pictures: Floats, grid: RingGrid, shifts_px: Shifts = ((0.0, 0.0),)) -> Floats:
    """Sample face pictures on their rings, once for every shift of the center.

    Parameters
    ----------
    pictures : ndarray of shape (k, 64, 64), float32
        Of one face.
    grid : RingGrid
    shifts_px : sequence of (dx, dy)

    Returns
    -------
    ndarray of shape (k, shifts, rings, angles), float32
        Angles run clockwise as seen in the image, from the x axis.
    """
    xs, ys = _ring_maps(grid, shifts_px, len(pictures))
    tall = pictures.reshape(-1, FACE_SIDE_PX)
    rings = cv2.remap(tall, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shape = (len(pictures), len(shifts_px), grid.rings, grid.angles)
    return np.asarray(rings, np.float32).reshape(shape)


def brightest(pixels_bgr: Pixels) -> Pixels:
    """Brightest channel of each pixel, of pictures of shape (..., 64, 64, 3)."""
    blue, green, red = cv2.split(pixels_bgr.reshape(-1, FACE_SIDE_PX, 3))
    most = cv2.max(cv2.max(blue, green), red)
    return np.asarray(most, np.uint8).reshape(pixels_bgr.shape[:-1])


def shift_pattern(radii_px: tuple[float, ...]) -> Shifts:
    """Lay out the middle, and six directions at each radius, every second one in between."""
    points = [(0.0, 0.0)]
    for ring, radius in enumerate(radii_px):
        for step in range(6):
            angle = (step + 0.5 * (ring % 2)) * np.pi / 3
            points.append((float(radius * np.cos(angle)), float(radius * np.sin(angle))))
    return tuple(points)


def smoothed(pictures: Floats, sigma_px: float) -> Floats:
    """Smooth face pictures of shape (..., 64, 64), all at once.

    One below the other: where two meet, some rows are mixed, outside of all that is compared.
    """
    tall = pictures.reshape(-1, FACE_SIDE_PX)
    smooth = cv2.GaussianBlur(tall, (0, 0), sigma_px) if len(tall) else tall
    return np.asarray(smooth, np.float32).reshape(pictures.shape)


def blurred(pixels: Floats, visible: Mask, sigma_px: float) -> Floats:
    """Smooth pictures of shape (n, channels, 64, 64) without letting hidden pixels in."""
    smooth = smoothed(pixels, sigma_px)
    part = np.flatnonzero((disk(1.0) & ~visible).any(axis=(1, 2)))
    if len(part):
        weight = visible[part, None].astype(np.float32)
        share = smoothed(weight, sigma_px)
        smooth[part] = smoothed(pixels[part] * weight, sigma_px) / np.maximum(share, 1e-3)
    return smooth


def share_within(seen: Mask, outer: float) -> NDArray[np.float64]:
    """Return the share of faces that far out that is seen, shape (n, 64, 64) to (n,)."""
    inside = disk(outer)
    counts = (seen & inside).sum(axis=(1, 2))
    return np.asarray(counts / np.count_nonzero(inside), np.float64)


@lru_cache(maxsize=8)
def disk(outer: float) -> Mask:
    """Pixels of a face picture within this part of the rim's radius."""
    axis = np.arange(FACE_SIDE_PX) - (FACE_SIDE_PX - 1) / 2
    inside = np.asarray(np.hypot(axis[:, None], axis) < outer * FACE_RIM_PX, np.bool_)
    inside.setflags(write=False)
    return inside


@lru_cache(maxsize=1)
def _plane() -> Floats:
    """Lay out 1, x and y of every pixel, x and y in parts of the rim's radius."""
    axis = (np.arange(FACE_SIDE_PX, dtype=np.float32) - (FACE_SIDE_PX - 1) / 2) / FACE_RIM_PX
    xs, ys = np.meshgrid(axis, axis)
    return np.stack([np.ones_like(xs), xs, ys]).reshape(3, -1).astype(np.float32)


def unshaded(pictures: Floats, seen: Mask, ridge: float) -> Floats:
    """Take the light's slope off pictures of shape (n, channels, 64, 64).

    A plane is fitted to what is seen; ``ridge`` keeps it from being fitted to
    the ink where little is seen.
    """
    plane = _plane()
    count, channels = pictures.shape[:2]
    weight = seen.reshape(count, -1).astype(np.float32)
    squares = (plane[:, None] * plane).reshape(9, -1)
    normal = (weight @ squares.T).reshape(count, 3, 3)
    normal = normal + np.pi * FACE_RIM_PX**2 * np.diag([1e-6, ridge, ridge])
    weighted = pictures.reshape(count, channels, -1) * weight[:, None]
    sums = (weighted.reshape(count * channels, -1) @ plane.T).reshape(count, channels, 3)
    slope = np.linalg.solve(normal, sums.swapaxes(1, 2)).swapaxes(1, 2)
    flat = -slope.reshape(-1, 3).astype(np.float32) @ plane
    flat += pictures.reshape(flat.shape)  # in place: fresh memory would cost more than the sum
    return np.asarray(flat, np.float32).reshape(pictures.shape)


def cut_face(
    pixels_bgr: Pixels, center_px: tuple[float, float], axes_px: float | NDArray[np.float64]
) -> tuple[Pixels, Mask]:
    """Cut a face out of a picture in which its rim is a circle or an ellipse.

    Parameters
    ----------
    pixels_bgr : ndarray of shape (H, W, 3), uint8
    center_px : tuple of float
        The top face's center, x and y.
    axes_px : float or ndarray of shape (2, 2)
        The rim's radius; or the matrix that takes the unit circle to the rim about its center.

    Returns
    -------
    face_bgr : ndarray of shape (64, 64, 3), uint8
    inside : ndarray of shape (64, 64), bool
        False beyond the picture's edge.
    """
    axes = np.asarray(axes_px, np.float64) * (np.eye(2) if np.ndim(axes_px) == 0 else 1.0)
    affine = np.column_stack([axes, np.asarray(center_px, np.float64)])
    faces, inside = cut_faces(pixels_bgr, affine[None].astype(np.float32))
    return faces[0], inside[0]


def cut_faces(pixels_bgr: Pixels, rims: Floats) -> tuple[Pixels, Mask]:
    """Cut several faces out of a picture.

    Parameters
    ----------
    pixels_bgr : ndarray of shape (H, W, 3), uint8
    rims : ndarray of shape (n, 2, 3), float32
        Affine maps that take the unit circle to the rims.

    Returns
    -------
    faces_bgr : ndarray of shape (n, 64, 64, 3), uint8
    inside : ndarray of shape (n, 64, 64), bool
        False beyond the picture's edge.
    """
    one, x, y = _plane()
    places = (rims.reshape(-1, 3) @ np.stack([x, y, one])).reshape(len(rims), 2, *_SQUARE)
    xs, ys = places[:, 0], places[:, 1]
    height, width = pixels_bgr.shape[:2]
    inside = (xs > -0.5) & (ys > -0.5) & (xs < width - 0.5) & (ys < height - 0.5)
    faces = np.zeros((len(rims), *_SQUARE, 3), np.uint8)
    scales = np.sqrt(np.abs(np.linalg.det(rims[:, :, :2]))) / FACE_RIM_PX
    fine = np.flatnonzero(scales <= 1.0)
    if len(fine):
        # OpenCV's remap makes pictures of up to 32,767 rows.
        x, y = (each[fine].reshape(-1, _SHEET_PX) for each in (xs, ys))
        faces[fine] = _sampled(pixels_bgr, x, y).reshape(-1, *_SQUARE, 3)
    for i in np.flatnonzero(scales > 1.0):
        if inside[i].any():
            faces[i] = _without_detail(pixels_bgr, xs[i], ys[i], float(scales[i]))
    return faces, np.asarray(inside, np.bool_)


_SQUARE = (FACE_SIDE_PX, FACE_SIDE_PX)
_SHEET_PX = 16 * FACE_SIDE_PX


def _without_detail(pixels_bgr: Pixels, xs: Floats, ys: Floats, scale: float) -> Pixels:
    """Sample a picture without the detail that one so many times smaller cannot hold."""
    margin = 2 + int(3 * scale)
    x0, x1 = max(int(xs.min()) - margin, 0), int(xs.max()) + margin + 1
    y0, y1 = max(int(ys.min()) - margin, 0), int(ys.max()) + margin + 1
    patch = np.asarray(cv2.GaussianBlur(pixels_bgr[y0:y1, x0:x1], (0, 0), 0.4 * scale), np.uint8)
    return _sampled(patch, xs - np.float32(x0), ys - np.float32(y0))


def _sampled(pixels: Pixels, xs: Floats, ys: Floats) -> Pixels:
    face = cv2.remap(pixels, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.uint8)
