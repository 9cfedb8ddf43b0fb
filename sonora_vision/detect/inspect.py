"""A close look at one place: is there a disc, which, and exactly where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import COARSE, DISC_PX
from sonora_vision.detect.align_face import FaceMatch, align_faces, contrast_pictures, turned_face
from sonora_vision.detect.circles import Paints
from sonora_vision.detect.faces import (
    FACE_RIM_PX,
    FaceCrop,
    FaceEvidence,
    disk,
)
from sonora_vision.detect.paint import Shown, crop_faces, shown_at
from sonora_vision.detect.references import References
from sonora_vision.detect.rim import Rim
from sonora_vision.detect.scene import Mask, Scene

FloatArray = NDArray[np.float64]

LIKE_FACE = 0.80
"""Likeness to a taught face that no bare surface reaches with ink's contrast: over the cases tried
in development, discs in view are above 0.9 and surfaces below 0.6."""
LIKE_FACE_ALONE = 0.91
"""The same where the paint is not a taught one: printed animals reach 0.87."""
LEAST_INK = 0.1
"""Part of what tells numbers apart that must be visible for a likeness to say anything."""
NO_PAINT_NATS = -6.0
"""Log likelihood of the best taught color under which a place is of none of them."""
CONTRAST = (0.12, 2.5)
"""Contrast against the taught face that light can cause; shine leaves little."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a close look at one place told."""

    rim: Rim
    crop: FaceCrop
    """The face as it was looked at, about the rim's centre."""
    center_px: FloatArray
    """Centre from rim and face together, pixels of the scene's view."""
    sigma_px: float
    """One-sigma uncertainty of each coordinate."""
    visible_share: float
    """Share of the top face that nothing hides."""
    on_board: bool
    """Whether its middle lies on the board: only there is change against the taught board known."""
    foreign: float
    """Share of the visible face that is surely not the empty board."""
    solid: float
    """The same without what could be a shadow."""
    paint: float
    """Mean log likelihood ratio of its best paint against the board."""
    color_log: FloatArray
    """Log likelihood of every taught color, shape (k,)."""
    color: FloatArray | None
    """Median log color of the visible face, shape (3,); None where too little is visible."""
    veil: float
    """Haze there, grey levels."""
    trouble: float
    """0 in plain view, towards 1 where the light spoils the color."""
    evidence: FaceEvidence
    match: FaceMatch | None
    likely: tuple[str, int] | None
    """Color and number that look alone suggests."""

    @property
    def shows_face(self) -> bool:
        """Whether a taught face is surely there."""
        match = self.match
        if match is None:
            return False
        drowned = self.trouble >= 1.0 and match.likeness > LIKE_FACE_DAZZLED
        if not CONTRAST[0] * (0.5 if drowned else 1.0) < match.contrast < CONTRAST[1]:
            return False
        if self.evidence.seen_share < LEAST_INK:
            return False  # a sliver of a face is like any shadow
        painted = self.paint > 0.0 and float(self.color_log.max()) > NO_PAINT_NATS
        return match.likeness > (LIKE_FACE if painted else LIKE_FACE_ALONE)


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
        sure = _surely_shows_face if where < len(half) else _shows_face_dazzled
        if sure(look) and not looks[i].shows_face:
            looks[i] = look
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
LIKE_FACE_DAZZLED = 0.93
"""Over fourteen unlike boards discs in a lamp's reflection are above 0.96, all else below 0.87."""


def _shows_face_dazzled(look: Look) -> bool:
    return look.shows_face and look.match is not None and look.match.likeness > LIKE_FACE_DAZZLED


def _surely_shows_face(look: Look) -> bool:
    """Stricter where strangers were masked: what is left of a printed circle can look like much."""
    return (
        look.shows_face
        and look.match is not None
        and look.match.likeness > 0.9
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
    """Whether a painted face seems to be there, but something lies over a part of it."""
    match = look.match
    return (
        match is not None
        and look.foreign > 0.6
        and look.paint > 0.5
        and not look.shows_face
        and match.likeness > 0.4
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


def identity_log(
    references: References, color_log: FloatArray, evidence: FaceEvidence
) -> dict[tuple[str, int], float]:
    """Log likelihood of every color and number together.

    Within a color the face tells the number. Between colors the paint tells, and the face has
    only a small say: how strong ink looks in haze is no news of the paint.
    """
    best = max((total for total, _ in evidence.by_color.values()), default=0.0)
    together: dict[tuple[str, int], float] = {}
    for color, (total, shares) in evidence.by_color.items():
        of_color = float(color_log[references.colors.names.index(color)])
        of_color += max(total - best, -INK_SAY_NATS)
        for who, log in shares.items():
            together[who] = log + of_color
    return together


INK_SAY_NATS = 3.0
"""The most that ink says between colors: light ink on a disc whose color's ink is dark."""


def _likely(
    references: References, color_log: FloatArray, evidence: FaceEvidence
) -> tuple[str, int] | None:
    together = identity_log(references, color_log, evidence)
    return max(together, key=lambda who: together[who]) if together else None


def _aligned(looks: Sequence[Look], references: References) -> list[Look]:
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
RIM_SIGMA_PX = 0.70
"""What a fitted rim is off besides what its own sharpness tells: shading, shadow, wear."""
FACE_SIGMA_PX = 0.30
"""How well the taught centre of a face is known, mostly: it was fitted by its rim, once."""


def face_sigma_px(look: Look) -> float:
    """Return how far a disc's center by its face may be off, one sigma along each axis."""
    return FACE_SIGMA_PX / math.sqrt(max(look.evidence.seen_share, 0.05))


def rim_sigma_px(look: Look) -> float:
    """Return how far a disc's center by its rim may be off, one sigma along its worst axis."""
    return math.hypot(RIM_SIGMA_PX * _one_sided(look.rim.visible), look.rim.sigma_px)


def _one_sided(visible: Mask) -> float:
    """How many times less the visible rays of a rim tell of its center than all would.

    Along its worst axis: an arc says little about where its circle lies along its chord.
    """
    if visible.all():
        return 1.0
    angle = np.flatnonzero(visible) * (2 * np.pi / len(visible))
    # The smaller eigenvalue of the sum of the rays' outer products.
    least = (len(angle) - abs(complex(np.exp(2j * angle).sum()))) / 2
    return math.sqrt(len(visible) / 2 / max(least, 0.5))


def silhouette_mask(scene: Scene, look: Look, references: References, grow_px: float = 0.0) -> Mask:
    """Coarse mask of all that a disc covers in the picture: top, side and foot."""
    mask = np.zeros(scene.in_photo.shape, np.uint8)
    drop = scene.height_mm / scene.camera_height_mm
    foot = look.center_px + (scene.nadir_px - look.center_px) * drop
    radius = (references.rim.rim_px + 1.0 + grow_px) / COARSE
    ends = [(np.asarray(p) + 0.5) / COARSE - 0.5 for p in (look.center_px, foot)]
    for part in np.linspace(0, 1, 4):
        at = ends[0] + part * (ends[1] - ends[0])
        cv2.circle(
            mask, tuple(np.round(at * 16).astype(int)), round(radius * 16), 1, -1, cv2.LINE_8, 4
        )
    return mask.view(np.bool_)
