"""What a close look at a place tells: which disc is there, how surely, and how exactly where."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import COARSE, to_coarse
from sonora_vision.detect.align_face import FaceMatch
from sonora_vision.detect.faces import FaceCrop, FaceEvidence
from sonora_vision.detect.references import References
from sonora_vision.detect.rim import Rim
from sonora_vision.detect.scene import Mask, Scene

FloatArray = NDArray[np.float64]

LIKE_FACE = 0.80
"""Likeness to a taught face that no bare surface reaches with ink's contrast: over the cases tried
in development, discs in view are above 0.9 and surfaces below 0.6."""
LIKE_FACE_ALONE = 0.91
"""The same where the paint is not a taught one: printed animals reach 0.87."""
SURE_LIKENESS = 0.9
"""Faces in plain view are at least so like the taught ones; fingers and print come near it."""
LEAST_INK = 0.1
"""Part of what tells numbers apart that must be visible for a likeness to say anything."""
NO_PAINT_NATS = -6.0
"""Log likelihood of the best taught color under which a place is of none of them."""
CONTRAST = (0.12, 2.5)
"""Contrast against the taught face that light can cause; shine leaves little."""
CLEARED = 5.0
"""The most of it on a face beyond question: what was taught in haze looks faint against it."""
LIKE_FACE_DAZZLED = 0.93
"""The same in a lamp's reflection, all of the face being compared: over fourteen unlike
boards discs are above 0.96, all else below 0.87."""


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
    in_part: bool = False
    """Whether what is strange in the face was left out: something lies over it, or it is none."""

    @property
    def shows_face(self) -> bool:
        """Whether a taught face is surely there."""
        match = self.match
        if match is None:
            return False
        least, most = CONTRAST
        if match.likeness > LIKE_FACE_DAZZLED:
            least, most = least * (0.5 if self.trouble >= 1.0 else 1.0), CLEARED
        if not least < match.contrast < most:
            return False
        if self.evidence.seen_share < LEAST_INK:
            return False  # a sliver of a face is like any shadow
        painted = self.paint > 0.0 and float(self.color_log.max()) > NO_PAINT_NATS
        return match.likeness > (LIKE_FACE if painted else LIKE_FACE_ALONE)


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
    ends = [to_coarse(p) for p in (look.center_px, foot)]
    for part in np.linspace(0, 1, 4):
        at = ends[0] + part * (ends[1] - ends[0])
        cv2.circle(
            mask, tuple(np.round(at * 16).astype(int)), round(radius * 16), 1, -1, cv2.LINE_8, 4
        )
    return mask.view(np.bool_)
