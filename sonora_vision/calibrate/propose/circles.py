"""Circles of a rectified picture, each fitted to its rim.

Hough's vote gives many circles. Each is fitted to its rim and rated by how strong and how
complete the rim is all around (decoration is fainter).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels

Floats = NDArray[np.float32]

_RAYS = 72
_ANGLES = np.arange(_RAYS) * 2 * np.pi / _RAYS
_DIRECTIONS = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_STEP_PX = 0.5
_SHORTLIST = 260


@dataclass(frozen=True, kw_only=True)
class CircleParams:
    """What counts as a circle; lengths are parts of the picture's longer side."""

    smallest: float = 0.018
    largest: float = 0.075
    complete: float = 0.6
    """Share of the rim that must show an edge."""


@dataclass(frozen=True, kw_only=True)
class FoundCircle:
    """A circle of the rectified picture, pixels."""

    center_px: FloatArray
    """Shape (2,)."""
    radius_px: float
    strength: float
    """Step of color over the rim, grey levels, times the share of the rim that shows it."""


def fit_circles(picture_bgr: Pixels, params: CircleParams) -> list[FoundCircle]:
    """Fit every circle of a picture whose rim shows an edge all around."""
    lab = circle_values(picture_bgr)
    values = lab.astype(np.float32)
    return [
        found
        for x, y, radius in _shortlist(values, _vote(lab, max(lab.shape[:2]), params))
        if (found := fit_values(values, x, y, radius, params)) is not None
    ]


def fit_circle(
    picture_bgr: Pixels,
    center_px: FloatArray,
    radius_px: float,
    params: CircleParams,
    reach_px: float,
) -> FoundCircle | None:
    """Fit the circle whose rim is within ``reach_px`` of a given one; None where there is none."""
    x, y = (float(v) for v in center_px)
    return fit_values(
        circle_values(picture_bgr).astype(np.float32), x, y, radius_px, params, reach_px
    )


def arc_radius(picture_bgr: Pixels, circle: FoundCircle, towards: FloatArray) -> float | None:
    """Radius of a circle by the half of its rim in one direction; None where it is unclear."""
    side = float(np.linalg.norm(towards))
    rays = _DIRECTIONS @ towards > 0.2 * side
    radii = circle.radius_px + np.arange(-6.0, 6.1, _STEP_PX)
    profiles = radial_profiles(
        circle_values(picture_bgr).astype(np.float32), circle.center_px, radii
    )[rays]
    steps = np.linalg.norm(profiles[:, 4:] - profiles[:, :-4], axis=2)
    places, good = _rim(steps, radii[2:-2], circle.radius_px, 6.0)
    if good.sum() < 12:
        return None
    return _circle_through(places[good], _DIRECTIONS[rays][good])[1]


def circle_values(picture_bgr: Pixels) -> Pixels:
    """Return the colors in which rims are looked for: CIELAB, without grain."""
    return np.asarray(
        cv2.cvtColor(cv2.GaussianBlur(picture_bgr, (0, 0), 1.0), cv2.COLOR_BGR2LAB), np.uint8
    )


def _vote(lab: Pixels, side: int, params: CircleParams) -> FloatArray:
    """Circles by OpenCV's Hough gradient method in each channel, shape (n, 3)."""
    found = [np.zeros((0, 3))]
    for channel in range(3):
        plane = lab[..., channel]
        if channel:
            plane = cv2.normalize(plane, None, 0, 255, cv2.NORM_MINMAX)  # type: ignore[call-overload]
        circles = cv2.HoughCircles(
            plane,
            cv2.HOUGH_GRADIENT,
            dp=1.5,
            minDist=12,
            param1=70,
            param2=22,
            minRadius=round(params.smallest * side),
            maxRadius=round(params.largest * side),
        )
        if circles is not None:
            found.append(np.asarray(circles, np.float64).reshape(-1, 3))
    return np.concatenate(found)


def _shortlist(values: Floats, starts: FloatArray) -> FloatArray:
    """Return the circles whose rim is the strongest step, as far as a rough place can tell."""
    kept: list[FloatArray] = []
    ratings = np.array([_rate(values, start) for start in starts])
    for start in starts[np.argsort(-ratings)]:
        near = (np.abs(start - other) < 4.0 for other in kept)
        if not any(each.all() for each in near):
            kept.append(start)
        if len(kept) == _SHORTLIST:
            break
    return np.array(kept).reshape(-1, 3)


def _rate(values: Floats, start: FloatArray) -> float:
    radii = start[2] + np.arange(-5.0, 5.1, 1.0)
    profiles = radial_profiles(values, start[:2], radii)[::3]
    steps = np.median(profiles[:, 3:] - profiles[:, :-3], axis=0)
    return float(np.linalg.norm(steps, axis=1).max())


def radial_profiles(values: Floats, center: FloatArray, radii: FloatArray) -> Floats:
    """Return the colors on rays about a center, shape (rays, radii, 3)."""
    at = (center + _DIRECTIONS[:, None] * radii[None, :, None]).astype(np.float32)
    return np.asarray(
        cv2.remap(values, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),  # type: ignore[call-overload]
        np.float32,
    )


def fit_values(
    values: Floats,
    x: float,
    y: float,
    radius: float,
    params: CircleParams,
    reach: float | None = None,
) -> FoundCircle | None:
    """Fit a circle's outermost strong edge that shows all around, or None where none does."""
    center = np.array([x, y], np.float64)
    reach = 0.12 * radius + 3.0 if reach is None else reach
    _, at, size = _common_steps(values, center, radius, reach)
    # A border ring's outer edge is not seen beside ink or on two colors: then the inner one is.
    for peak in _peaks(size)[::-1]:
        found = _fit_edge(values, center, float(at[peak]), params)
        if found is not None:
            return found
    return None


def _common_steps(
    values: Floats, center: FloatArray, radius: float, reach: float
) -> tuple[Floats, FloatArray, FloatArray]:
    """Return steps of color on all rays, at which radii, and how strong the common step is."""
    radii = np.arange(max(6.0, radius - reach - 5.5), radius + reach + 6.0, _STEP_PX)
    profiles = radial_profiles(values, center, radii)
    steps = profiles[:, 4:] - profiles[:, :-4]
    at = radii[2:-2]
    common = np.linalg.norm(np.median(steps, axis=0), axis=1)
    return steps, at, common * (np.abs(at - radius) < reach)


def _fit_edge(
    values: Floats, center: FloatArray, radius: float, params: CircleParams
) -> FoundCircle | None:
    """Fit the circle of one edge, or None where it does not show all around."""
    side = max(values.shape[:2])
    strength = 0.0
    for _ in range(4):
        steps, at, size = _common_steps(values, center, radius, 3.0)
        peak = _peaks(size)[-1]
        if size[peak] <= 1.0:
            return None
        along = steps @ (np.median(steps[:, peak], axis=0) / size[peak])
        places, good = _rim(along, at, at[peak], 0.4 * size[peak])
        if good.mean() < params.complete:
            return None
        shift, radius = _circle_through(places[good], _DIRECTIONS[good])
        if np.hypot(*shift) > 8.0 or not params.smallest < radius / side < params.largest:
            return None
        center, strength = center + shift, float(size[peak] * good.mean())
    return FoundCircle(center_px=center, radius_px=radius, strength=strength)


def _peaks(size: FloatArray) -> NDArray[np.int_]:
    """Where the strongest edges are, the innermost first; at least one."""
    inner = size[1:-1]
    high = (inner >= size[:-2]) & (inner > size[2:]) & (inner > 0.6 * size.max())
    return np.flatnonzero(high) + 1 if high.any() else np.array([int(size.argmax())])


def _rim(
    along: FloatArray, at: FloatArray, radius: float, least: float
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Where on each ray the edge lies, to a part of a step, and whether there is one."""
    inside = np.where(np.abs(at - radius) < 3.5, along, -np.inf)
    best = inside.argmax(axis=1)
    rows = np.arange(len(best))
    good = inside[rows, best] > least
    best = best.clip(1, len(at) - 2)
    left, top, right = (along[rows, best + shift] for shift in (-1, 0, 1))
    curve = left - 2 * top + right
    shift = np.where(
        np.abs(curve) > 1e-6, 0.5 * (left - right) / np.where(curve == 0, 1.0, curve), 0.0
    )
    return at[best] + np.clip(shift, -1, 1) * _STEP_PX, good


def _circle_through(places: FloatArray, directions: FloatArray) -> tuple[FloatArray, float]:
    """Shift of the center and the radius that fit radii seen in directions; robust."""
    terms = np.column_stack([directions, np.ones(len(places))])
    weight = np.ones(len(places))
    fit = np.zeros(3)
    for _ in range(3):
        found, *_ = np.linalg.lstsq(terms * weight[:, None], places * weight, rcond=None)
        fit = np.asarray(found, np.float64)
        weight = 1.0 / (1.0 + np.square((places - terms @ fit) / 0.7))
    return fit[:2], float(fit[2])
