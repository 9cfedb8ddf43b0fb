"""A close look at one place: is there a disc, which, and exactly where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.align_face import FaceMatch, align_faces, contrast_pictures, turned_face
from sonora_vision.detect.circles import Paints
from sonora_vision.detect.faces import (
    FACE_RIM_PX,
    FaceCrop,
    FaceEvidence,
    disk,
)
from sonora_vision.detect.look import (
    LIKE_FACE_DAZZLED,
    SURE_LIKENESS,
    Look,
    face_sigma_px,
    identity_log,
    rim_sigma_px,
)
from sonora_vision.detect.paint import Shown, crop_faces, shown_at
from sonora_vision.detect.references import References
from sonora_vision.detect.rim import Rim
from sonora_vision.detect.scene import Mask, Scene

FloatArray = NDArray[np.float64]


def look_at(
    scene: Scene,
    paints: Paints,
    references: References,
    rims: Sequence[Rim],
    hidden: Mask | None = None,
) -> list[Look]:
    """Look at several places at once.

    Parameters
    ----------
    rims
        Fitted rims.
    hidden
        Coarse mask of what lies above these places.
    """
    if not rims:
        return []
    centers = np.array([rim.center_px for rim in rims])
    crops = crop_faces(scene, centers, hidden)
    shown = shown_at(scene, paints, references, centers, crops, hidden)
    crops = [
        replace(crop, colors=paint.likely(references))
        for crop, paint in zip(crops, shown, strict=True)
    ]
    looks = _looks(references, rims, crops, shown)
    half = [i for i, look in enumerate(looks) if _half_seen(look)]
    cleared = [_without_strangers(crops[i], looks[i], references) for i in half]
    dazzled = [i for i, look in enumerate(looks) if _dazzled(look, hidden)]
    whole = [replace(crops[i], visible=disk(1.0), colors=()) for i in dazzled]
    by_face = [replace(shown[i], color_log=0 * shown[i].color_log, trouble=1.0) for i in dazzled]
    again = [*half, *dazzled]
    others = _looks(
        references,
        [rims[i] for i in again],
        [*cleared, *whole],
        [*(shown[i] for i in half), *by_face],
    )
    for where, (i, look) in enumerate(zip(again, others, strict=True)):
        in_part = where < len(half)
        sure = _surely_shows_face if in_part else _shows_face_dazzled
        if sure(look) and (not looks[i].shows_face or _likeness(look) > _likeness(looks[i])):
            looks[i] = replace(look, in_part=in_part)
    return looks


def _dazzled(look: Look, hidden: Mask | None) -> bool:
    """Whether a whole sharp rim lies in light that spoils its color and drowns a part of its ink.

    There the paint tells nothing, but all of the face, the overexposed part too, may still be like
    a taught one.
    """
    return (
        hidden is None
        and not look.shows_face
        and look.trouble > DAZZLING
        and look.rim.support > WHOLE_RIM
        and bool(look.rim.visible.mean() > WHOLE_RIM)
    )


DAZZLING = 0.4
WHOLE_RIM = 0.95


def _shows_face_dazzled(look: Look) -> bool:
    return look.shows_face and look.match is not None and look.match.likeness > LIKE_FACE_DAZZLED


def _surely_shows_face(look: Look) -> bool:
    """Stricter where strangers were masked: what is left of a printed circle can look like much."""
    return (
        look.shows_face
        and look.match is not None
        and look.match.likeness > SURE_LIKENESS
        and look.evidence.seen_share > 0.35
    )


def _looks(
    references: References,
    rims: Sequence[Rim],
    crops: Sequence[FaceCrop],
    shown: Sequence[Shown],
) -> list[Look]:
    evidence = references.library.read(crops)
    looks = [
        Look(
            rim=rim,
            crop=crop,
            center_px=rim.center_px,
            sigma_px=rim.sigma_px,
            visible_share=there.share,
            on_board=there.on_board,
            foreign=there.foreign,
            solid=there.solid,
            paint=there.paint,
            color_log=there.color_log,
            color=there.typical,
            veil=there.veil,
            trouble=there.trouble,
            evidence=told,
            match=None,
            likely=_likely(references, there.color_log, told),
        )
        for rim, crop, there, told in zip(rims, crops, shown, evidence, strict=True)
    ]
    return _aligned(looks, references)


def _half_seen(look: Look) -> bool:
    """Whether a painted face seems to be there, or is, but something lies over a part of it."""
    match = look.match
    return (
        match is not None
        and look.foreign > 0.6
        and look.paint > 0.5
        and 0.4 < match.likeness < SURE_LIKENESS
        and match.contrast > 0.2
        and look.rim.support > 0.7
    )


def _without_strangers(crop: FaceCrop, look: Look, references: References) -> FaceCrop:
    """Mask what is neither the likely face's paint nor its ink: a finger, another disc's edge."""
    assert look.match is not None
    assert look.likely is not None
    taught = turned_face(references.faces[look.likely], look.match)
    apart = np.log(crop.pixels_bgr.astype(np.float32) + 8) - np.log(taught.astype(np.float32) + 8)
    face = crop.visible & disk(0.85)
    apart -= np.median(apart[face], axis=0)
    strange = (np.abs(apart).max(axis=2) > STRANGE_LOG) & crop.visible
    strange = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    strange = cv2.dilate(strange, np.ones((3, 3), np.uint8)) > 0
    return replace(crop, visible=crop.visible & ~strange)


STRANGE_LOG = 0.35
"""Log units in any channel by which a pixel differs from a face laid on it when it is not of it."""


def _likely(
    references: References, color_log: FloatArray, evidence: FaceEvidence
) -> tuple[str, int] | None:
    together = identity_log(references, color_log, evidence)
    return max(together, key=lambda who: together[who]) if together else None


def _aligned(looks: Sequence[Look], references: References) -> list[Look]:
    """Lay the likely faces on the seen ones; those of other colors too where the color is open."""
    found = _laid(looks, references)
    unsure = [
        (i, replace(look, likely=who))
        for i, look in enumerate(found)
        if _rather_like(look)
        for who in _as_likely(look, references)
    ]
    for (i, _), look in zip(unsure, _laid([look for _, look in unsure], references), strict=True):
        if _likeness(look) > _likeness(found[i]):
            found[i] = look
    return found


def _rather_like(look: Look) -> bool:
    """Whether a whole rim is about a face that is somewhat like the likely one."""
    whole = look.rim.support > WHOLE_RIM and bool(look.rim.visible.mean() > WHOLE_RIM)
    return whole and not look.shows_face and _likeness(look) > RATHER_LIKE


RATHER_LIKE = 0.6


def _as_likely(look: Look, references: References) -> list[tuple[str, int]]:
    """Of each other color the likeliest number, where neither paint nor ink speaks against it."""
    together = identity_log(references, look.color_log, look.evidence)
    best: dict[str, tuple[str, int]] = {}
    for who in sorted(together, key=lambda each: together[each]):
        best[who[0]] = who
    least = max(together.values(), default=0.0) - OPEN_NATS
    return [who for who in best.values() if who != look.likely and together[who] > least]


OPEN_NATS = 3.0
"""Colors less likely than the likeliest by less than this are open."""


def _likeness(look: Look) -> float:
    return -1.0 if look.match is None else look.match.likeness


def _laid(looks: Sequence[Look], references: References) -> list[Look]:
    """Lay the likely faces on the seen ones, and let them have their say about the centers."""
    found = list(looks)
    asked: list[tuple[int, Look, tuple[str, int]]] = []
    for i, look in enumerate(looks):
        if look.likely is None or look.likely not in references.faces:
            continue
        if look.evidence.bare and look.evidence.seen_share > LEAST_BARE:
            found[i] = replace(look, match=NO_FACE)
        else:
            asked.append((i, look, look.likely))
    if not asked:
        return found
    matches = align_faces(
        [references.inks[who] for _, _, who in asked],
        contrast_pictures(np.array([look.crop.pixels_bgr for _, look, _ in asked], np.uint8)),
        np.array([look.crop.visible for _, look, _ in asked], np.bool_),
        [look.evidence.angle_deg[who] for _, look, who in asked],
    )
    for (i, look, _), match in zip(asked, matches, strict=True):
        found[i] = _centered(replace(look, match=match))
    return found


def _centered(look: Look) -> Look:
    """Put the center between those by the rim and by the face."""
    if look.match is None or not look.shows_face:
        return look
    by_face = look.match.shift_px * (DISC_PX / FACE_RIM_PX)
    face, rim = face_sigma_px(look) ** -2, rim_sigma_px(look) ** -2
    return replace(
        look,
        center_px=look.rim.center_px + face / (face + rim) * by_face,
        sigma_px=(face + rim) ** -0.5,
    )


NO_FACE = FaceMatch(shift_px=np.zeros(2), turn_deg=0.0, likeness=0.0, contrast=0.0)
LEAST_BARE = 0.5
"""Part of a face that must be seen to say that there is none."""
