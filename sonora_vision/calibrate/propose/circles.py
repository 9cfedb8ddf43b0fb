"""Printed circles and the hole, proposed from the rectified picture of an empty board.

Hough's vote gives many circles. Each is fitted to its rim and rated by how strong and how
complete the rim is all around (decoration is fainter); what game boards print to be played on has
one size, so that the size with the most strength says which circles are meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    alike: float = 0.05
    """Radii that differ by less, relatively, are one size."""
    odd_size: float = 0.6
    """How much the strength of a circle of another size counts."""
    least: float = 0.5
    """Circles weaker than this part of the typical one are decoration."""
    most: int = 14
    middle: float = 0.08
    """How far from the board's middle its hole may lie."""


@dataclass(frozen=True, kw_only=True)
class FoundCircle:
    """A circle of the rectified picture, pixels."""

    center_px: FloatArray
    """Shape (2,)."""
    radius_px: float
    strength: float
    """Step of color over the rim, grey levels, times the share of the rim that shows it."""


def propose_circles(
    rectified_bgr: Pixels, params: CircleParams | None = None
) -> tuple[list[FoundCircle], FoundCircle | None]:
    """Propose printed circles and the hole.

    Parameters
    ----------
    rectified_bgr
        The board from straight above, its outline the picture's edge; about 1000 pixels.
    params
        What counts as a circle.

    Returns
    -------
    (list of FoundCircle, FoundCircle or None)
        Printed circles, strongest first; the hole at the board's middle.
    """
    params = params or CircleParams()
    values = _values(rectified_bgr).astype(np.float32)
    fitted = _apart(fit_circles(rectified_bgr, params))
    side = max(values.shape[:2])
    middle = np.array([values.shape[1], values.shape[0]]) / 2 - 0.5
    central = [f for f in fitted if np.hypot(*(f.center_px - middle)) < params.middle * side]
    strong = _strong(fitted, params)
    hole = next((f for f in central if any(f is s for s in strong) and _plain(values, f)), None)
    circles = [f for f in strong if f is not hole and not _within(f, hole)]
    return [_outermost(values, f, circles, params) for f in circles][: params.most], hole


def fit_circles(picture_bgr: Pixels, params: CircleParams) -> list[FoundCircle]:
    """Fit every circle of a picture whose rim shows an edge all around."""
    lab = _values(picture_bgr)
    values = lab.astype(np.float32)
    return [
        found
        for x, y, radius in _shortlist(values, _vote(lab, max(lab.shape[:2]), params))
        if (found := _fit(values, x, y, radius, params)) is not None
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
    return _fit(_values(picture_bgr).astype(np.float32), x, y, radius_px, params, reach_px)


def arc_radius(picture_bgr: Pixels, circle: FoundCircle, towards: FloatArray) -> float | None:
    """Radius of a circle by the half of its rim in one direction; None where it is unclear."""
    side = float(np.linalg.norm(towards))
    rays = _DIRECTIONS @ towards > 0.2 * side
    radii = circle.radius_px + np.arange(-6.0, 6.1, _STEP_PX)
    profiles = _profiles(_values(picture_bgr).astype(np.float32), circle.center_px, radii)[rays]
    steps = np.linalg.norm(profiles[:, 4:] - profiles[:, :-4], axis=2)
    places, good = _rim(steps, radii[2:-2], circle.radius_px, 6.0)
    if good.sum() < 12:
        return None
    return _circle_through(places[good], _DIRECTIONS[rays][good])[1]


def _values(picture_bgr: Pixels) -> Pixels:
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
    profiles = _profiles(values, start[:2], radii)[::3]
    steps = np.median(profiles[:, 3:] - profiles[:, :-3], axis=0)
    return float(np.linalg.norm(steps, axis=1).max())


def _profiles(values: Floats, center: FloatArray, radii: FloatArray) -> Floats:
    at = (center + _DIRECTIONS[:, None] * radii[None, :, None]).astype(np.float32)
    return np.asarray(
        cv2.remap(values, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),  # type: ignore[call-overload]
        np.float32,
    )


def _fit(
    values: Floats,
    x: float,
    y: float,
    radius: float,
    params: CircleParams,
    reach: float | None = None,
) -> FoundCircle | None:
    """Fit a circle's outermost strong edge, or None where there is none all around."""
    center = np.array([x, y], np.float64)
    side = max(values.shape[:2])
    strength = 0.0
    reach = 0.12 * radius + 3.0 if reach is None else reach
    for _ in range(4):
        radii = np.arange(max(6.0, radius * 0.55), radius * 1.35 + 4.0, _STEP_PX)
        profiles = _profiles(values, center, radii)
        steps = profiles[:, 4:] - profiles[:, :-4]
        at = radii[2:-2]
        common = np.median(steps, axis=0)
        size = np.linalg.norm(common, axis=1) * (np.abs(at - radius) < reach)
        peak = _outermost_peak(size)
        if size[peak] <= 1.0:
            return None
        reach = 3.0
        places, good = _rim(steps @ (common[peak] / size[peak]), at, at[peak], 0.4 * size[peak])
        if good.mean() < params.complete:
            return None
        shift, radius = _circle_through(places[good], _DIRECTIONS[good])
        if np.hypot(*shift) > 8.0 or not params.smallest < radius / side < params.largest:
            return None
        center, strength = center + shift, float(size[peak] * good.mean())
    return FoundCircle(center_px=center, radius_px=radius, strength=strength)


def _outermost_peak(size: FloatArray) -> int:
    inner = size[1:-1]
    peaks = (
        np.flatnonzero((inner >= size[:-2]) & (inner > size[2:]) & (inner > 0.6 * size.max())) + 1
    )
    return int(peaks.max()) if len(peaks) else int(size.argmax())


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


def _apart(found: Sequence[FoundCircle]) -> list[FoundCircle]:
    """Strongest first, one at each place: rings within a ring are its animal's."""
    kept: list[FoundCircle] = []
    for each in sorted(found, key=lambda f: -f.strength):
        if all(np.hypot(*(each.center_px - k.center_px)) > 0.8 * k.radius_px for k in kept):
            kept.append(each)
    return kept


def _strong(found: Sequence[FoundCircle], params: CircleParams) -> list[FoundCircle]:
    """Circles as strong as the commonest size's typical one; other sizes must be stronger."""
    if not found:
        return []
    radii = np.array([f.radius_px for f in found])
    strengths = np.array([f.strength for f in found])
    # A border ring has two rims, so that one size may be seen as two.
    same = np.abs(radii[None] / radii[:, None] - 1.0) < params.alike
    size = int((same * np.square(strengths)).sum(axis=1).argmax())
    typical = float(np.median(np.sort(strengths[same[size]])[-8:]))
    counted = strengths * np.where(
        np.abs(radii / radii[size] - 1.0) < 3 * params.alike, 1.0, params.odd_size
    )
    return [f for f, c in zip(found, counted, strict=True) if c > params.least * typical]


def _plain(values: Floats, circle: FoundCircle) -> bool:
    """Whether nothing is printed inside: a hole is of one color."""
    radii = np.arange(2.0, 0.8 * circle.radius_px, 2.0)
    inside = _profiles(values, circle.center_px, radii).reshape(-1, 3)
    return bool(inside.std(axis=0).max() < 9.0)


def _within(circle: FoundCircle, hole: FoundCircle | None) -> bool:
    return hole is not None and bool(
        np.hypot(*(circle.center_px - hole.center_px)) < hole.radius_px
    )


def _outermost(
    values: Floats, circle: FoundCircle, all_: Sequence[FoundCircle], params: CircleParams
) -> FoundCircle:
    """Move a circle to the outer edge of its border ring, where others of its size have it."""
    radii = np.array([c.radius_px for c in all_])
    alike = radii[(radii > circle.radius_px * 1.03) & (radii < circle.radius_px * 1.22)]
    if not len(alike):
        return circle
    radius = float(np.median(alike))
    x, y = circle.center_px
    outer = _fit(values, x, y, radius, params, reach=2.5)
    if (
        outer is None
        or abs(outer.radius_px - radius) > 2.0
        or outer.strength < 0.25 * circle.strength
    ):
        if len(alike) < len(all_) / 2:
            return circle
        # Beside ink of its own darkness a ring's outer edge is not seen; most others show it.
        return replace(circle, radius_px=radius)
    return FoundCircle(
        center_px=outer.center_px, radius_px=outer.radius_px, strength=circle.strength
    )
