"""How high a face lies, told by its size: what is nearer to the camera looks larger.

A disc on another one is a thickness nearer, a hundredth or so of the camera's height, and its face
a hundredth larger. The number's ink shows that: the taught face is laid on the seen one once more,
with its size free. Two things make ink look larger or smaller that are no height: light that
fattens the strokes (a curve of tones, linearised) and a shift or a turn left over; both are fitted
with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.align_face import COMPARED, FaceMatch, contrast_picture
from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, Floats, Mask
from sonora_vision.detect.inspect import Look
from sonora_vision.detect.paint import crop_face
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import Scene

FloatArray = NDArray[np.float64]

PASSES = 3
LEAST_PIXELS = 120
CORRELATED_PX = 16.0
"""Area over which the residuals of two faces are one: both were blurred and sampled anew. With it,
errors over ten unlike boards are as large as their sigma says."""
MOST_SIZE = 1.25
"""Larger, or smaller by as much, is no fit."""

_MIDDLE = (FACE_SIDE_PX - 1) / 2
_AXIS = (np.arange(FACE_SIDE_PX, dtype=np.float32) - np.float32(_MIDDLE)) / np.float32(FACE_RIM_PX)
_X, _Y = np.meshgrid(_AXIS, _AXIS)
_INSIDE = np.hypot(_X, _Y) < COMPARED


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
    crop = crop_face(scene, look.center_px, None)
    seen = contrast_picture(crop.pixels_bgr)
    found = face_size(references.contrast[look.likely], seen, crop.visible, look.match)
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
        How the taught face lies on the seen one, about; the seen picture is already about the
        disc's center.

    Returns
    -------
    FaceSize or None
        None where too little is visible, or nothing fits.
    """
    used = _INSIDE & visible
    if used.sum() < LEAST_PIXELS:
        return None
    light = np.column_stack([np.ones(int(used.sum()), np.float32), _X[used], _Y[used]])
    target, turn, size, shift = seen[used], float(np.radians(match.turn_deg)), 1.0, np.zeros(2)
    for _ in range(PASSES):
        columns = _derivatives(_laid(taught, turn, size, shift), shift, used)
        full = np.column_stack([columns, light]).astype(np.float64)
        square = full.T @ full
        square += 1e-9 * np.trace(square) * np.eye(len(square))
        step = np.linalg.solve(square, full.T @ target)
        contrast = float(step[0])
        if contrast < LEAST_CONTRAST:
            return None
        shift = shift + np.clip(step[1:3] / contrast, -0.1, 0.1)
        turn += float(np.clip(step[3] / contrast, -0.08, 0.08))
        size *= 1.0 + float(np.clip(step[4] / contrast, -0.03, 0.03))
    if not 1 / MOST_SIZE < size < MOST_SIZE:
        return None
    left_over = float(((target - full @ step) ** 2).mean())
    variance = CORRELATED_PX * left_over * float(np.linalg.inv(square)[4, 4])
    return FaceSize(size=size, sigma=float(np.sqrt(variance)) * size / contrast)


LEAST_CONTRAST = 0.05
"""Contrast against the taught face under which there is no ink to measure."""


def _derivatives(laid: Floats, shift: FloatArray, used: Mask) -> Floats:
    """Return the laid face, its change with shift, turn and size, and with the curve of tones."""
    across, down = (
        cv2.Sobel(laid, cv2.CV_32F, dx, dy, scale=FACE_RIM_PX / 8) for dx, dy in ((1, 0), (0, 1))
    )
    x, y = (axis - np.float32(by) for axis, by in zip((_X, _Y), shift, strict=True))
    tone = laid - laid[used].mean()
    columns = (laid, -across, -down, y * across - x * down, -(x * across + y * down), tone * tone)
    return np.column_stack([column[used] for column in columns])


def _laid(taught: Floats, turn: float, size: float, shift: FloatArray) -> Floats:
    """Turn, enlarge and shift (in rim radii) the taught face."""
    cos, sin = (np.float32(FACE_RIM_PX * f(turn) / size) for f in (np.cos, np.sin))
    x, y = (axis - np.float32(by) for axis, by in zip((_X, _Y), shift, strict=True))
    at_x, at_y = (np.float32(_MIDDLE) + each for each in (cos * x + sin * y, cos * y - sin * x))
    return np.asarray(
        cv2.remap(taught, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )
