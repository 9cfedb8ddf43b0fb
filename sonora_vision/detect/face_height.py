"""How high a face lies, told by its size: what is nearer to the camera looks larger.

A disc on another one is a thickness nearer, a hundredth or so of the camera's height, and its face
a hundredth larger. The number's ink shows that: the taught face is laid on the seen one once more,
with its size free. Two things make ink look larger or smaller that are no height: light that
fattens the strokes (a curve of tones, linearised) and a shift or a turn left over; both are fitted
with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sonora_vision.detect.align_face import (
    COMPARED_AREA,
    FaceMatch,
    Places,
    brought_back,
    contrast_picture,
    rotation,
    slopes,
)
from sonora_vision.detect.faces import FACE_RIM_PX, Floats, Mask
from sonora_vision.detect.inspect import Look
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import Scene

PASSES = 3
LEAST_PIXELS = 120
CORRELATED_PX = 16.0
"""Area over which the residuals of two faces are one: both were blurred and sampled anew. With it,
errors over ten unlike boards are as large as their sigma says."""
MOST_SIZE = 1.25
"""Larger, or smaller by as much, is no fit."""


@dataclass(frozen=True, kw_only=True)
class FaceSize:
    """Size of a seen face against the taught one."""

    size: float
    """1 where it is as large as taught."""
    sigma: float
    """One-sigma uncertainty of the size."""


@dataclass(frozen=True, kw_only=True)
class Lift:
    """How much higher than a lying disc's a face is."""

    mm: float
    sigma_mm: float


def face_lift(scene: Scene, references: References, look: Look) -> Lift | None:
    """Say how much higher than a lying disc's a face is.

    Parameters
    ----------
    scene, references
        The scene, and the taught discs.
    look
        The disc, at its center.

    Returns
    -------
    Lift or None
        None where no taught face is surely there, or its size cannot be told.
    """
    if look.match is None or look.likely is None or not look.shows_face:
        return None
    seen = contrast_picture(look.crop.pixels_bgr)
    found = face_size(references.contrast[look.likely], seen, look.crop.visible, look.match)
    if found is None:
        return None
    # Seen from a camera so far above the faces, one that is 1 % larger is 1 % nearer.
    away_mm = scene.camera_height_mm - scene.height_mm
    return Lift(
        mm=away_mm * (1.0 - 1.0 / found.size), sigma_mm=away_mm * found.sigma / found.size**2
    )


def face_size(taught: Floats, seen: Floats, visible: Mask, match: FaceMatch) -> FaceSize | None:
    """Lay a taught face on a seen one with its size free.

    Parameters
    ----------
    taught, seen
        From :func:`sonora_vision.detect.align_face.contrast_picture`, shape (64, 64).
    visible
        False where the seen face is hidden.
    match
        How the taught face lies on the seen one, about.

    Returns
    -------
    FaceSize or None
        None where too little is visible, or nothing fits.
    """
    turn, size, shift = float(np.radians(match.turn_deg)), 1.0, match.shift_px
    seen_at_all = brought_back(visible.astype(np.float32), turn, shift) > 0.5
    used = np.flatnonzero(COMPARED_AREA & seen_at_all)
    if len(used) < LEAST_PIXELS:
        return None
    full = _changes(taught, used)
    square = (full @ full.T).astype(np.float64)
    square += 1e-9 * np.trace(square) * np.eye(len(square))
    inverse = np.linalg.inv(square)
    solution = np.asarray(inverse @ full, np.float32)
    for _ in range(PASSES):
        target = brought_back(seen, turn, shift, size).take(used)
        step = solution @ target
        contrast = float(step[0])
        if contrast < LEAST_CONTRAST:
            return None
        moved, (spin, growth) = step[4:6] / contrast, (step[6:8] / contrast).tolist()
        turn -= max(-0.08, min(spin, 0.08))
        shift = shift - rotation(turn) @ np.clip(moved, -MOST_STEP_PX, MOST_STEP_PX)
        size *= 1.0 - max(-0.03, min(growth, 0.03))
    if not 1 / MOST_SIZE < size < MOST_SIZE:
        return None
    left_over = float(np.square(target - step @ full).mean())
    variance = CORRELATED_PX * left_over * float(inverse[7, 7])
    return FaceSize(size=size, sigma=float(np.sqrt(variance)) * size / contrast)


MOST_STEP_PX = 2.8
LEAST_CONTRAST = 0.05
"""Contrast against the taught face under which there is no ink to measure."""


def _changes(taught: Floats, used: Places) -> Floats:
    """Return the taught face, its light, its change with shift, turn and size, and with tones."""
    full = slopes(taught, used)
    ink, _, x, y, across, down, _ = full
    growth = np.float32(FACE_RIM_PX) * (x * across + y * down)
    tone = ink - ink.mean()
    return np.vstack([full, growth, tone * tone])
