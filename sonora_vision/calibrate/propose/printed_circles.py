"""Which circles of a board are printed to be played on, and which one is its hole.

Decoration has circles too. Those that are played on have one size, and mostly a border ring of one
width, so that each shows two rims; what agrees with them in both is believed where it is faint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.propose.circles import (
    CircleParams,
    Floats,
    FoundCircle,
    circle_values,
    fit_circles,
    fit_values,
    radial_profiles,
)


@dataclass(frozen=True, kw_only=True)
class ChoiceParams:
    """Which circles are chosen; lengths are parts of the picture's longer side."""

    alike: float = 0.018
    """Radii that differ by less, relatively, are one size: print has no tolerance, the fit has."""
    widest_ring: float = 1.22
    """Outer rim over the inner one, at most."""
    narrowest_ring: float = 1.045
    second_rim: float = 0.2
    """How strong a border ring's other rim is at least, relative to the one that was fitted."""
    fitted_rim: float = 0.4
    """Circles with this part of the most strength tell the other rim's radius to a pixel."""
    least: float = 0.42
    """Circles of the common size with less of the typical strength are decoration."""
    least_odd: float = 0.83
    """The same for circles of other sizes."""
    least_hole: float = 0.5
    """The same for the hole."""
    least_printed: float = 0.33
    """What is printed to be played on is not fainter than this part of the hole's strength."""
    most: int = 14
    middle: float = 0.08
    """How far from the board's middle its hole may lie."""


_MANY = 8
"""So many circles of one size are looked at to know what is usual."""
_PARTS = 20
"""Steps in which the other rim is looked for, inwards and outwards."""


@dataclass(frozen=True, kw_only=True)
class _Ring:
    """The size that circles have in common, pixels; one radius twice where no ring is seen."""

    inner_px: float
    outer_px: float

    def own_px(self, circle: FoundCircle) -> float:
        """Which of the rims a circle was fitted to."""
        return min(
            (self.inner_px, self.outer_px), key=lambda rim: abs(circle.radius_px / rim - 1.0)
        )

    def holds(self, circle: FoundCircle, alike: float) -> bool:
        """Whether a circle has this size."""
        return abs(circle.radius_px / self.own_px(circle) - 1.0) < alike


def propose_circles(
    rectified_bgr: Pixels, params: ChoiceParams | None = None
) -> tuple[list[FoundCircle], FoundCircle | None]:
    """Propose printed circles and the hole.

    Parameters
    ----------
    rectified_bgr
        The board from straight above, its outline the picture's edge; about 1000 pixels.
    params
        Which are chosen.

    Returns
    -------
    (list of FoundCircle, FoundCircle or None)
        Printed circles, strongest first; the hole at the board's middle.
    """
    params = params or ChoiceParams()
    values = circle_values(rectified_bgr).astype(np.float32)
    fitted = _apart(fit_circles(rectified_bgr, CircleParams()))
    hole = _hole(values, fitted, params)
    printed = [f for f in fitted if not _within(f, hole)]
    if not printed:
        return [], hole
    ring = _common_ring(values, printed, params)
    rated = _rated(values, printed, ring, params)
    typical = _typical([c.strength for c in printed if ring.holds(c, params.alike)])
    if hole is not None and typical < params.least_printed * hole.strength:
        return [], hole
    if hole is not None and hole.strength < params.least_hole * typical:
        hole = None
    chosen = [circle for _, circle in sorted(rated, key=lambda each: -each[0])]
    return [_outermost(values, c, ring, params) for c in chosen][: params.most], hole


def _apart(found: Sequence[FoundCircle]) -> list[FoundCircle]:
    """Strongest first, one at each place: rings within a ring are its animal's."""
    kept: list[FoundCircle] = []
    for each in sorted(found, key=lambda f: -f.strength):
        if all(np.hypot(*(each.center_px - k.center_px)) > 0.8 * k.radius_px for k in kept):
            kept.append(each)
    return kept


def _hole(
    values: Floats, fitted: Sequence[FoundCircle], params: ChoiceParams
) -> FoundCircle | None:
    """Find the strongest plain circle about the middle."""
    middle = np.array([values.shape[1], values.shape[0]]) / 2 - 0.5
    reach = params.middle * max(values.shape[:2])
    central = (f for f in fitted if np.hypot(*(f.center_px - middle)) < reach)
    return next((f for f in central if _plain(values, f)), None)


def _plain(values: Floats, circle: FoundCircle) -> bool:
    """Whether nothing is printed inside: a hole is of one color."""
    radii = np.arange(2.0, 0.8 * circle.radius_px, 2.0)
    inside = radial_profiles(values, circle.center_px, radii).reshape(-1, 3)
    return bool(inside.std(axis=0).max() < 9.0)


def _within(circle: FoundCircle, hole: FoundCircle | None) -> bool:
    return hole is not None and bool(
        np.hypot(*(circle.center_px - hole.center_px)) < hole.radius_px
    )


def _typical(strengths: Sequence[float]) -> float:
    """Return what most of the strongest have: decoration of the same size is fainter."""
    return float(np.median(sorted(strengths)[-_MANY:]))


def _common_ring(values: Floats, circles: Sequence[FoundCircle], params: ChoiceParams) -> _Ring:
    """Find the size with the most strength, and the other rim that its circles have in common."""
    radii = np.array([c.radius_px for c in circles])
    strengths = np.array([c.strength for c in circles])
    size, strongest = _commonest(radii, strengths, params)
    part = _other_rim(values, circles, size, params)
    if part is None:
        return _Ring(inner_px=size, outer_px=size)
    second = part * size
    near = np.abs(radii / second - 1.0) < 3 * params.alike
    near &= np.abs(radii / size - 1.0) > params.alike
    if near.any() and strengths[near].max() > params.fitted_rim * strongest:
        second, _ = _commonest(radii[near], strengths[near], params)
    return _Ring(inner_px=min(size, second), outer_px=max(size, second))


def _commonest(
    radii: FloatArray, strengths: FloatArray, params: ChoiceParams
) -> tuple[float, float]:
    """Return the size with the most strength, and its strongest circle's."""
    same = np.abs(radii[None] / radii[:, None] - 1.0) < params.alike
    best = same[int((same @ np.square(strengths)).argmax())]
    size = float(np.average(radii[best], weights=np.square(strengths[best])))
    return size, float(strengths[best].max())


def _other_rim(
    values: Floats, circles: Sequence[FoundCircle], size_px: float, params: ChoiceParams
) -> float | None:
    """Find the radius, over the common one, at which most circles show a second rim."""
    parts = np.geomspace(1 / params.widest_ring, params.widest_ring, 2 * _PARTS + 1)
    near = [
        [c for c in circles if abs(c.radius_px / (size_px * part) - 1.0) < params.alike]
        for part in parts
    ]
    shown = {id(c): _shown(values, c, parts) / c.strength for each in near for c in each}
    support = np.zeros(len(parts))
    for k in range(len(parts)):
        # Circles that were fitted to the one rim show the other one, and the other way round.
        others = [(c.strength, shown[id(c)][k]) for c in near[_PARTS]]
        others += [(c.strength, shown[id(c)][-1 - k]) for c in near[k]]
        support[k] = np.median([each for _, each in sorted(others)[-_MANY:]])
    inner = support[1:-1]
    peak = (inner > support[:-2]) & (inner >= support[2:]) & (inner > params.second_rim)
    peak &= np.abs(np.log(parts[1:-1])) > np.log(params.narrowest_ring)
    return float(parts[1:-1][np.where(peak, inner, 0.0).argmax()]) if peak.any() else None


def _shown(values: Floats, circle: FoundCircle, parts: FloatArray) -> FloatArray:
    """How strong a rim is at parts of a circle's radius."""
    radii = parts * circle.radius_px
    inner, outer = (
        radial_profiles(values, circle.center_px, radii + shift) for shift in (-1.0, 1.0)
    )
    return np.asarray(np.linalg.norm(np.median(outer - inner, axis=0), axis=1), np.float64)


def _rated(
    values: Floats, circles: Sequence[FoundCircle], ring: _Ring, params: ChoiceParams
) -> list[tuple[float, FoundCircle]]:
    """Return the circles that are strong enough, with how strong; 1 is the typical one."""
    alike = [c for c in circles if ring.holds(c, params.alike)]
    on_ring = [_on_ring(values, c, ring) for c in alike]
    usual, usual_on_ring = _typical([c.strength for c in alike]), _typical(on_ring)
    rated = [(s / usual_on_ring, c) for s, c in zip(on_ring, alike, strict=True)]
    odd = [(c.strength / usual, c) for c in circles if not ring.holds(c, params.alike)]
    return [each for each in rated if each[0] > params.least] + [
        each for each in odd if each[0] > params.least_odd
    ]


def _on_ring(values: Floats, circle: FoundCircle, ring: _Ring) -> float:
    """Strength of a circle at all rims that the common size has."""
    own = ring.own_px(circle)
    other = (ring.inner_px + ring.outer_px - own) / own
    if other == 1.0:
        return circle.strength
    near = other + np.linspace(-1.0, 1.0, 5) / circle.radius_px
    return circle.strength + float(_shown(values, circle, near).max())


def _outermost(
    values: Floats, circle: FoundCircle, ring: _Ring, params: ChoiceParams
) -> FoundCircle:
    """Move a circle of the common size to the outer edge of its border ring."""
    part = ring.outer_px / ring.own_px(circle)
    if part == 1.0 or not ring.holds(circle, params.alike):
        return circle
    radius = part * circle.radius_px
    x, y = circle.center_px
    outer = fit_values(values, x, y, radius, CircleParams(), reach=2.5)
    if outer is None or abs(outer.radius_px / radius - 1.0) > params.alike:
        # Beside ink of its own darkness a ring's outer edge is not seen; most others show it.
        return replace(circle, radius_px=radius)
    return replace(outer, strength=circle.strength)
