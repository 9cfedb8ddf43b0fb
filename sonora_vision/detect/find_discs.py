"""All discs of a scene, from the top down: what hides something is found before what it hides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.circles import Paints, suggest_circles, weigh_paints
from sonora_vision.detect.covers import covers, reached, reaching_over
from sonora_vision.detect.inspect import look_at
from sonora_vision.detect.look import NO_PAINT_NATS, Look, silhouette_mask
from sonora_vision.detect.references import References
from sonora_vision.detect.rim import Rim, find_rims
from sonora_vision.detect.scene import Mask, Scene, disc_mask
from sonora_vision.detect.stacks import Rests, rests_on
from sonora_vision.detect.standing import StandingDisc, StandingParams, find_standing
from sonora_vision.detect.still_print import still_print
from sonora_vision.detect.worth import WorthParams, worth_a_look

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class FindParams:
    """What makes a disc of a circle; shares are of what is visible."""

    worth: WorthParams = field(default_factory=WorthParams)
    rim_support: float = 0.80
    """A face in plain view still needs this much of a rim about it."""
    part_solid: float = 0.80
    """A disc that shows in part must be this surely no shadow of what lies on it,"""
    part_paint: float = 0.9
    """and this much more like a taught paint than like the board."""
    plain_view: float = 0.75
    """Share of a face that must be visible for a missing number to mean that it is no disc."""
    plain_trouble: float = 0.5
    """Light that spoils a face more than this may hide its number."""
    bare_support: float = 0.93
    """Without a face (plain, hidden or overexposed) the rim must be nearly whole,"""
    bare_foreign: float = 0.55
    """the place must have changed,"""
    bare_paint: float = 0.6
    """and look more like a taught paint than like the board."""
    plain_foreign: float = 0.75
    """Of discs without faces a whole round rim is enough where so much has changed,"""
    plain_paint: float = -2.0
    """be the paint hard to tell from the board: black on a dark zone."""
    plain_support: float = 0.88
    """With so much of a rim about it, it is enough that all of the face differs from the board,"""
    plain_odd: float = 1.3
    """be it by little, in squares of the noise: natural wood on a sand zone."""
    least_visible: float = 0.12
    """Lower discs of which less shows are left to the list of missing ones."""
    apart: float = 1.9
    """Centres nearer than this, in radii, mean that one disc lies on the other."""
    standing: StandingParams = field(default_factory=StandingParams)


@dataclass(frozen=True, kw_only=True)
class Sighting:
    """A disc that was found."""

    look: Look
    above: tuple[int, ...] = ()
    """Places in the list of the discs that lie on this one."""
    below: tuple[int, ...] = ()
    """Places in the list of the discs that this one lies on."""
    rests: Rests = "on the board"
    """What it rests on, whether the lower disc was found or not."""


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What lies in a scene."""

    sightings: tuple[Sighting, ...]
    standing: tuple[StandingDisc, ...]
    covered: Mask
    """Coarse mask of hands, papers and other things that may hide discs."""
    reached: bool
    """Whether something large lies on the table and reaches to the board: an arm, a paper."""
    reaching: float
    """How much of the board something reaches over from its edge, in areas of a disc's face."""
    paints: Paints
    discs: Mask
    """Coarse mask of the silhouettes of all discs found."""


def find_discs(
    scene: Scene, references: References, radius_mm: float, params: FindParams
) -> Findings:
    """Find the discs of a scene."""
    paints = weigh_paints(scene, references.colors)
    places, edged = suggest_circles(scene, paints)
    places = worth_a_look(scene, paints, places, params.worth, edged=edged)
    rims = find_rims(scene, references.rim, places, params.rim_support)
    looks, deferred = _look_around(scene, paints, references, rims, params)
    tops: list[Look] = []
    beneath = [rim.center_px for rim in deferred]
    for look in sorted(looks, key=_confidence, reverse=True):
        if _is_disc(scene, look, params):
            alone = all(_distance(look, other) > params.apart for other in tops)
            if alone:
                tops.append(look)
            else:
                beneath.append(look.center_px)
    silhouettes = [silhouette_mask(scene, look, references) for look in tops]
    discs = _layers(scene, silhouettes) > 0
    covered = covers(scene, paints, discs)
    found = list(tops)
    for look in _hidden_discs(scene, paints, references, params, discs, covered, beneath):
        if all(_distance(look, other) > 0.35 for other in found):
            found.append(look)
    silhouettes += [silhouette_mask(scene, look, references) for look in found[len(tops) :]]
    layers = _layers(scene, silhouettes)
    discs = layers > 0
    layers += covered.view(np.uint8)
    stacks = _stacks(found, len(tops), params)
    return Findings(
        sightings=tuple(
            replace(each, rests=_rests(scene, paints, each, mine, layers))
            for each, mine in zip(stacks, silhouettes, strict=True)
        ),
        standing=tuple(
            find_standing(scene, paints, references, discs, covered, radius_mm, params.standing)
        ),
        covered=covered,
        reached=reached(scene, paints),
        reaching=reaching_over(scene, paints, discs),
        paints=paints,
        discs=discs,
    )


def _look_around(
    scene: Scene,
    paints: Paints,
    references: References,
    rims: Sequence[Rim],
    params: FindParams,
) -> tuple[list[Look], list[Rim]]:
    """Look at rims that lie apart, and then at what no face in plain view lies over.

    Returns the looks, and the rims that were left: they are of discs beneath, or of none.
    """
    first: list[Rim] = []
    rest: list[Rim] = []
    for rim in rims:
        apart = all(
            math.dist(rim.center_px, each.center_px) > params.apart * DISC_PX for each in first
        )
        (first if apart else rest).append(rim)
    looks = look_at(scene, paints, references, first)
    plain = [look for look in looks if _is_disc(scene, look, params) and _in_plain_view(look)]
    near: list[Rim] = []
    deferred: list[Rim] = []
    for rim in rest:
        lies_over = any(
            math.dist(rim.center_px, each.center_px) < params.apart * DISC_PX for each in plain
        )
        (deferred if lies_over else near).append(rim)
    return looks + look_at(scene, paints, references, near), deferred


def _in_plain_view(look: Look) -> bool:
    """Whether all of a taught face is seen so well that nothing can lie on it."""
    alike = look.match is not None and look.match.likeness > PLAIN_LIKENESS
    return alike and not look.in_part


PLAIN_LIKENESS = 0.95
"""A face on which another disc lies is less like the taught one."""


def _rests(
    scene: Scene,
    paints: Paints,
    here: Sighting,
    silhouette: Mask,
    layers: NDArray[np.uint8],
) -> Rests:
    """Say what one of the discs rests on."""
    if here.below:
        return "on a disc"
    if here.above or not here.look.on_board or here.look.visible_share < 0.8:
        return "on the board"
    return rests_on(scene, paints, silhouette, layers, here.look.center_px)


def _confidence(look: Look) -> float:
    if look.match is not None and look.shows_face:
        # How unlike the board it is says nothing of who lies on whom.
        return look.match.likeness + look.rim.support + 0.3
    return look.rim.support + 0.3 * look.foreign + 0.05 * look.rim.paint


def _is_disc(scene: Scene, look: Look, params: FindParams) -> bool:
    if look.shows_face and look.rim.support > params.rim_support:
        return True
    if look.likely is None and look.on_board and look.rim.visible.all():
        if (
            look.rim.support > params.bare_support
            and look.foreign > params.plain_foreign
            and look.paint > params.plain_paint
        ):
            return True
        if look.rim.support > params.plain_support and _is_odd(scene, look, params):
            return True
    plain = look.visible_share > params.plain_view and look.trouble < params.plain_trouble
    if look.match is not None and plain:
        return False  # nothing hides the number, and there is none
    return (
        look.on_board
        and look.rim.support > params.bare_support
        and look.foreign > params.bare_foreign
        and look.paint > params.bare_paint
        and look.rim.visible.sum() >= 10
    )


def _is_odd(scene: Scene, look: Look, params: FindParams) -> bool:
    """Whether hardly anything within a rim of a taught paint is as the empty board is."""
    rows, columns, face = disc_mask(scene, look.center_px, 0.85)
    odd = float(np.quantile(scene.foreign[rows, columns][face], 0.4))
    return odd > params.plain_odd and float(look.color_log.max()) > NO_PAINT_NATS


def _hidden_discs(
    scene: Scene,
    paints: Paints,
    references: References,
    params: FindParams,
    discs: Mask,
    covered: Mask,
    beneath: list[FloatArray],
) -> list[Look]:
    """Discs that show only in part, under other discs or hands.

    Among them may be what is ``beneath``: centers by rims that others lie on, or next to.
    """
    hidden = discs | covered | scene.in_hole
    known = np.array(beneath).reshape(-1, 2)
    places = np.concatenate([known, suggest_circles(scene, paints, hidden)[0]])
    places = worth_a_look(scene, paints, places, params.worth, hidden)
    rims = find_rims(scene, references.rim, places, params.bare_support, hidden)
    looks = look_at(scene, paints, references, rims, hidden)
    above = cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    kept: list[Look] = []
    for look in sorted(looks, key=lambda each: each.rim.support * each.visible_share, reverse=True):
        if (
            look.visible_share >= params.least_visible
            and (
                look.shows_face
                or (look.solid > params.part_solid and look.paint > params.part_paint)
            )
            and _is_disc(scene, look, params)
            and all(_distance(look, other) > 0.9 for other in kept)
            and (look.shows_face or not _is_print(scene, look, above))
        ):
            kept.append(look)
    return kept


def _is_print(scene: Scene, look: Look, above: Mask) -> bool:
    """Whether what shows of a disc under others is the board's print."""
    rows, columns, face = disc_mask(scene, look.center_px, 0.95)
    return still_print(scene, rows, columns, face & ~above[rows, columns])


def _stacks(found: list[Look], tops: int, params: FindParams) -> tuple[Sighting, ...]:
    """Say who lies on whom: a disc found in part lies under the whole ones that it meets."""
    above: list[list[int]] = [[] for _ in found]
    below: list[list[int]] = [[] for _ in found]
    for lower in range(tops, len(found)):
        for upper in range(lower):
            if _distance(found[lower], found[upper]) < params.apart:
                above[lower].append(upper)
                below[upper].append(lower)
    return tuple(
        Sighting(look=look, above=tuple(above[i]), below=tuple(below[i]))
        for i, look in enumerate(found)
    )


def _distance(one: Look, other: Look) -> float:
    """Distance of centres in disc radii."""
    return float(np.hypot(*(one.center_px - other.center_px))) / DISC_PX


def _layers(scene: Scene, masks: list[Mask]) -> NDArray[np.uint8]:
    """How many masks lie over each coarse pixel."""
    layers = np.zeros(scene.in_photo.shape, np.uint8)
    for mask in masks:
        layers += mask.view(np.uint8)
    return layers
