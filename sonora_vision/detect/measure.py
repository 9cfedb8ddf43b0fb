"""From sightings to measured discs: height, footprint, state and identity of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.align_face import align_face
from sonora_vision.detect.contact import all_surroundings
from sonora_vision.detect.face_height import face_lifts
from sonora_vision.detect.faces import FACE_RIM_PX
from sonora_vision.detect.find_discs import Findings
from sonora_vision.detect.heights import Height, footprint, height_of
from sonora_vision.detect.identities import (
    LEAST_PLAIN,
    identify_discs,
    p_is_disc,
    p_stands,
)
from sonora_vision.detect.inventory import Identity
from sonora_vision.detect.look import Look, face_sigma_px, rim_sigma_px
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import Scene
from sonora_vision.detect.standing import StandingDisc
from sonora_vision.observation import DoubtReason, Missing, Point, State

FloatArray = NDArray[np.float64]

HEIGHT_SIGMA_MM = 0.15
"""How well a disc's thickness is known: painted wood, measured with a ruler."""
STANDING_SIGMA = 0.09
"""Uncertainty of where a disc on edge stands, in its radii."""
UNSURE_WHO: frozenset[DoubtReason] = frozenset({"color", "number", "hidden"})
"""Discs with one of these doubts stay on the list of missing ones: better named twice than lost."""
TOLD = 0.95
"""And so do discs that are less surely these: a number on edge is told by the others alone."""
SIDE_SHARE = 0.2
"""Part of a disc's thickness by which its top is mistaken, where no face is there to be laid on
it: the top's edge and the foot's are much alike, on dark discs most of all."""
STACK_TILT_MM = 0.3
"""How far a disc that lies on another may be off the height of two."""


@dataclass(frozen=True, kw_only=True)
class MeasureParams:
    """When an identity is doubted."""

    sure_color: float = 0.985
    sure_number: float = 0.985
    told_number: float = 0.60
    """Under this a number is not even guessed."""
    least_visible: float = 0.12


@dataclass(frozen=True, kw_only=True)
class MeasuredDisc:
    """One disc, before the rules."""

    color: str
    number: int | None
    p_identity: float
    """Probability that color and number are right."""
    center_mm: FloatArray
    sigma_mm: float
    top_px: Point
    state: State
    p_state: float
    doubts: tuple[DoubtReason, ...]


def measure_discs(
    scene: Scene,
    findings: Findings,
    references: References,
    board: BoardSpec,
    pose_sigma_mm: float,
    params: MeasureParams,
) -> list[MeasuredDisc]:
    """Measure all discs that were found.

    Parameters
    ----------
    pose_sigma_mm
        One-sigma uncertainty of the board's place, common to all discs.
    """
    identities = identify_discs(scene, findings, references, board)
    lying, on_edge = identities[: len(findings.sightings)], identities[len(findings.sightings) :]
    looks = [sighting.look for sighting in findings.sightings]
    wider = _rims_against_faces(looks)
    lifts = face_lifts(scene, references, looks)
    on_top = scene.view.to_mm(np.array([look.center_px for look in looks]).reshape(-1, 2))
    heights = [
        height_of(scene, lift, sighting, at, here, board)
        for lift, sighting, at, here in zip(
            lifts, findings.sightings, on_top, all_surroundings(on_top, board), strict=True
        )
    ]
    return [
        _measure(scene, references, look, identity, at, height, board, pose_sigma_mm, wider, params)
        for look, identity, at, height in zip(looks, lying, on_top, heights, strict=True)
    ] + [
        _measure_standing(scene, disc, identity, board, params, p_stands(findings, references))
        for disc, identity in zip(findings.standing, on_edge, strict=True)
    ]


def missing_discs(discs: list[MeasuredDisc], board: BoardSpec) -> tuple[Missing, ...]:
    """List what of the inventory no disc was told to be."""
    if not board.discs.each_once or not board.discs.numbers:
        return ()
    told = {
        (d.color, d.number)
        for d in discs
        if UNSURE_WHO.isdisjoint(d.doubts) and d.p_identity * d.p_state >= TOLD
    }
    return tuple(
        Missing(color=color, number=number)
        for color in board.discs.colors
        for number in board.discs.numbers
        if (color, number) not in told
    )


def _rims_against_faces(looks: Sequence[Look]) -> float:
    """How much farther than usual rims and faces are from each other in this picture, as a factor.

    Both tell the centre and err by themselves: what they disagree on is how far off they are.
    """
    squared = [
        math.hypot(*look.match.shift_px) ** 2
        * (DISC_PX / FACE_RIM_PX) ** 2
        / (rim_sigma_px(look) ** 2 + face_sigma_px(look) ** 2)
        for look in looks
        if look.match is not None and look.shows_face
    ]
    # Half of all sums of two squares are under 2 ln 2; a few faces say little about a picture.
    seen = float(np.median(squared)) / (2 * np.log(2)) if squared else 1.0
    return float(np.sqrt((USUAL_DISCS + len(squared) * seen) / (USUAL_DISCS + len(squared))))


USUAL_DISCS = 4
"""Discs that what is usual counts as, against those of a picture."""


LEAST_STANDING = 0.9
"""What is less probably a disc on edge is asked about."""


def _measure_standing(
    scene: Scene,
    disc: StandingDisc,
    identity: Identity,
    board: BoardSpec,
    params: MeasureParams,
    p_state: float,
) -> MeasuredDisc:
    """Measure what is as probably a disc on edge."""
    number, doubts = _number(identity, board, params)
    if p_state < LEAST_STANDING:
        doubts = (*doubts, "state")
    if identity.p_color < params.sure_color:
        doubts = ("color", *doubts)
    top_px = scene.pose.project(disc.center_mm[None], 2 * board.discs.radius_mm)[0]
    return MeasuredDisc(
        color=identity.color,
        number=number,
        p_identity=identity.p_color * identity.p_number,
        center_mm=disc.center_mm,
        sigma_mm=STANDING_SIGMA * board.discs.radius_mm,
        top_px=(float(top_px[0]), float(top_px[1])),
        state="standing",
        p_state=p_state,
        doubts=doubts,
    )


def _measure(
    scene: Scene,
    references: References,
    look: Look,
    identity: Identity,
    on_top: FloatArray,
    height: Height,
    board: BoardSpec,
    pose_sigma_mm: float,
    wider: float,
    params: MeasureParams,
) -> MeasuredDisc:
    center = footprint(scene, on_top, height.lift_mm)
    slope = math.dist(center, scene.pose.camera_mm[:2]) / scene.camera_height_mm
    height_sigma = HEIGHT_SIGMA_MM + (STACK_TILT_MM if height.state == "stacked" else 0.0)
    sigma_px = look.sigma_px
    if not look.shows_face:
        height_sigma += SIDE_SHARE * board.discs.height_mm
        sigma_px = rim_sigma_px(look)
    sigma = float(
        np.sqrt(
            (wider * sigma_px / scene.view.px_per_mm) ** 2
            + pose_sigma_mm**2
            + slope**2 * (height_sigma**2 + height.sigma_mm**2)
        )
    )
    top_px = scene.pose.project(center[None], scene.height_mm + height.lift_mm)[0]
    unlike: DoubtReason = "number" if board.discs.numbers else "state"
    number, more = _number(identity, board, params)
    if identity.p_color < params.sure_color:
        more = ("color", *more)
    p_disc = _p_disc(look, identity, references)
    if p_disc < 1.0:
        more = (*more, "hidden" if look.visible_share < LEAST_PLAIN else unlike)
    return MeasuredDisc(
        color=identity.color,
        number=number,
        p_identity=identity.p_color * identity.p_number,
        center_mm=center,
        sigma_mm=sigma,
        top_px=(float(top_px[0]), float(top_px[1])),
        state=height.state,
        p_state=min(height.p, p_disc),
        doubts=tuple(dict.fromkeys([*more, *height.doubts])),
    )


def _p_disc(look: Look, identity: Identity, references: References) -> float:
    """Probability of a disc, by the face that it turned out to have.

    A face that is like another number proves nothing; one of inlaid discs, whose color only its
    edge tells, may be more like the one that it has.
    """
    p_disc = p_is_disc(look, references)
    who = (identity.color, identity.number or 0)
    turn = look.evidence.angle_deg.get(who)
    if look.likely in (None, who) or turn is None or who not in references.faces:
        return p_disc
    match = align_face(references.faces[who], look.crop.pixels_bgr, look.crop.visible, turn)
    as_told = p_is_disc(replace(look, match=match), references)
    return as_told if look.likely is None or who[1] != look.likely[1] else max(as_told, p_disc)


def _number(
    identity: Identity, board: BoardSpec, params: MeasureParams
) -> tuple[int | None, tuple[DoubtReason, ...]]:
    if not board.discs.numbers:
        return None, ()
    if identity.number is None or identity.p_number < params.told_number:
        return None, ("number",)
    return identity.number, () if identity.p_number >= params.sure_number else ("number",)
