"""How high a face lies, told by its size: what is nearer to the camera looks larger.

A disc on another one is a thickness nearer, a hundredth or so of the camera's height, and its face
a hundredth larger. The number's ink shows that: the taught face is laid on the seen one once more,
with its size free. Two things make ink look larger or smaller that are no height: light that
fattens the strokes (a curve of tones, linearised) and a shift or a turn left over; both are fitted
with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sonora_vision.detect.align_face import (
    FaceMatch,
    TaughtInk,
    brought_back,
    contrast_pictures,
    rotations,
    times,
    visible_pixels,
)
from sonora_vision.detect.faces import Floats, Mask
from sonora_vision.detect.look import Look
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import Scene

PASSES = 3
LEAST_PIXELS = 60
CORRELATED_PX = 8.0
"""Pixels compared over which the residuals of two faces are one: both were blurred and sampled
anew. With it, errors over ten unlike boards are as large as their sigma says."""
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


def face_lifts(scene: Scene, references: References, looks: Sequence[Look]) -> list[Lift | None]:
    """Say how much higher than a lying disc's faces are.

    Parameters
    ----------
    scene, references
        The scene, and the taught discs.
    looks
        The discs, at their centers.

    Returns
    -------
    list of Lift or None
        None where no taught face is surely there, or its size cannot be told.
    """
    shown = [
        (i, look.match, look.likely)
        for i, look in enumerate(looks)
        if look.match is not None and look.likely is not None and look.shows_face
    ]
    lifts: list[Lift | None] = [None] * len(looks)
    if not shown:
        return lifts
    crops = [looks[i].crop for i, _, _ in shown]
    sizes = face_sizes(
        [references.inks[who] for _, _, who in shown],
        contrast_pictures(np.array([crop.pixels_bgr for crop in crops], np.uint8)),
        np.array([crop.visible for crop in crops], np.bool_),
        [match for _, match, _ in shown],
    )
    # Seen from a camera so far above the faces, one that is 1 % larger is 1 % nearer.
    away_mm = scene.camera_height_mm - scene.height_mm
    for (i, _, _), found in zip(shown, sizes, strict=True):
        if found is not None:
            lifts[i] = Lift(
                mm=away_mm * (1.0 - 1.0 / found.size),
                sigma_mm=away_mm * found.sigma / found.size**2,
            )
    return lifts


def face_sizes(
    taught: Sequence[TaughtInk], seen: Floats, visible: Mask, matches: Sequence[FaceMatch]
) -> list[FaceSize | None]:
    """Lay taught faces on seen ones with their size free.

    Parameters
    ----------
    taught
        One a seen face.
    seen
        From :func:`sonora_vision.detect.align_face.contrast_pictures`, shape (n, 64, 64).
    visible
        False where a seen face is hidden, shape (n, 64, 64).
    matches
        How the taught faces lie on the seen ones, about.

    Returns
    -------
    list of FaceSize or None
        None where too little is visible, or nothing fits.
    """
    turn = np.radians([match.turn_deg for match in matches])
    shift = np.array([match.shift_px for match in matches])
    size, told = np.ones(len(matches)), np.ones(len(matches), np.bool_)
    used = visible_pixels(visible, turn, shift)
    count = used.sum(axis=1)
    full = np.stack([each.changes for each in taught])
    solution, variance = (
        np.stack(each) for each in zip(*(_whole(each) for each in taught), strict=True)
    )
    part = np.flatnonzero(~used.all(axis=1))
    solution[part], variance[part] = _solutions(full[part], full[part] * used[part, None])
    for _ in range(PASSES):
        target = brought_back(seen, turn, shift, size)
        step = times(solution, target)
        told &= step[:, 0] >= LEAST_CONTRAST
        contrast = np.maximum(step[:, 0], LEAST_CONTRAST)
        moved = step[:, 4:] / contrast[:, None]
        turn = turn - moved[:, 2].clip(-0.08, 0.08)
        shift = shift - times(rotations(turn), moved[:, :2].clip(-MOST_STEP_PX, MOST_STEP_PX))
        size = size * (1.0 - moved[:, 3].clip(-0.03, 0.03))
    told &= (count >= LEAST_PIXELS) & (size > 1 / MOST_SIZE) & (size < MOST_SIZE)
    odd = (target - times(full.swapaxes(1, 2), step)) * used
    left_over = np.vecdot(odd, odd) / np.maximum(count, 1)
    sigma = np.sqrt(CORRELATED_PX * left_over * variance) * size / contrast
    return [
        FaceSize(size=float(size[i]), sigma=float(sigma[i])) if told[i] else None
        for i in range(len(matches))
    ]


@lru_cache(maxsize=256)
def _whole(taught: TaughtInk) -> tuple[Floats, Floats]:
    """Return what :func:`_solutions` says of a face that is wholly seen."""
    full = taught.changes[None]
    solution, variance = _solutions(full, full)
    return solution[0], variance[0]


def _solutions(full: Floats, weighted: Floats) -> tuple[Floats, Floats]:
    """Return what makes the changes' amounts of a seen face, and the growth's variance."""
    square = (weighted @ full.swapaxes(1, 2)).astype(np.float64)
    ridge = 1e-9 * np.trace(square, axis1=1, axis2=2)[:, None, None]
    inverse = np.linalg.inv(square + (ridge + 1e-30) * np.eye(square.shape[1]))
    return np.asarray(inverse @ weighted, np.float32), np.asarray(inverse[:, 7, 7], np.float32)


MOST_STEP_PX = 2.8
LEAST_CONTRAST = 0.05
"""Contrast against the taught face under which there is no ink to measure."""
