"""What the ink on a disc tells of its paint's color: haze lifts both alike, their contrast stays.

A reflection or haze adds light to the whole face, and a black disc looks red in it. But the step
from paint to ink is what it was, channel by channel, times the lamp's color. So each color's taught
face is laid on the seen one, and the seen channels are told by the taught ones: a candidate is good
if all three contrasts are what the lamp makes of the taught ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.align_face import FaceMatch, turned_face
from sonora_vision.detect.face_height import CORRELATED_PX
from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, Floats, Mask, Pixels, disk
from sonora_vision.detect.inspect import Look
from sonora_vision.detect.paint import crop_faces
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import LOG_FLOOR, Scene

FloatArray = NDArray[np.float64]

LEAST_PIXELS = 200
"""Pixels of a face picture that contrasts are told from: a tenth of it."""
BRIGHTEST = 245
"""Grey level from which a channel is bent: the sensor's end is near."""
CONTRAST_SIGMA = 0.08
"""How far contrasts stray besides the lamp's color and what the fit tells, log units."""
GREY_SIGMA = 4.0
"""Grey levels that contrasts stray by, which matters where ink and paint hardly differ in a
channel: compressed pictures keep color at half the sharpness."""
FIT_SHARE = 0.5
"""A face that explains less than this part of what the best one explains is not the one there."""
WRONG_WAY_NATS = -9.0
"""Log likelihood of ink that is light where it should be dark: no lamp does that."""

_AXIS = (np.arange(FACE_SIDE_PX) - (FACE_SIDE_PX - 1) / 2) / FACE_RIM_PX
_X, _Y = np.meshgrid(_AXIS, _AXIS)


def ink_log(
    scene: Scene, references: References, look: Look, shifts: FloatArray | None
) -> FloatArray | None:
    """Say how much more likely the ink makes each color than the paint alone does.

    Parameters
    ----------
    scene, references
        The scene, and the taught discs.
    look
        A disc that lies on top, whose face is seen.
    shifts
        How far this picture's discs of each color lie from the taught ones, shape (k, 3).

    Returns
    -------
    ndarray of float64, shape (k,), or None
        Natural logarithms; None where the face says nothing.
    """
    if look.match is None or look.likely is None or look.color is None or not look.shows_face:
        return None
    crop = crop_faces(scene, look.center_px[None], None)[0]
    used = crop.visible & disk(0.8) & (crop.pixels_bgr.max(axis=2) < BRIGHTEST)
    if used.sum() < LEAST_PIXELS:
        return None
    colors = references.colors
    lamp = np.log(np.median(crop.pixels_bgr[used], axis=0) + LOG_FLOOR) - look.color
    fits = [_fit(references, look, color, crop.pixels_bgr, used) for color in colors.names]
    explained = max(fit.explained for fit in fits if fit is not None)
    logs = np.full(len(fits), np.nan)
    for where, fit in enumerate(fits):
        if fit is None or fit.explained < FIT_SHARE * explained:
            continue
        if fit.gain.min() <= 0:
            logs[where] = WRONG_WAY_NATS
            continue
        variance = (
            CONTRAST_SIGMA**2 + (fit.sigma / fit.gain) ** 2 + (GREY_SIGMA / fit.contrast) ** 2
        )
        logs[where] = colors.ink_log_likelihood(
            where, look.color, np.log(fit.gain) - lamp, variance, look.trouble, look.veil, shifts
        )
    # A face that does not fit says nothing about its color: no better than the worst that fits.
    logs = np.where(np.isnan(logs), np.nanmin(logs), logs)
    return np.asarray(logs * np.clip(1.0 - (FITTING_NATS - logs.max()) / BEYOND_NATS, 0.0, 1.0))


FITTING_NATS = -3.0
"""Where the best color fits worse than this, the light is not what is thought here,"""
BEYOND_NATS = 3.0
"""and so much worse still, nothing is told."""


@dataclass(frozen=True, kw_only=True)
class _Fit:
    """The seen face's channels told by a taught one's, each array of shape (3,)."""

    gain: FloatArray
    sigma: FloatArray
    """One-sigma uncertainty of the gain."""
    contrast: FloatArray
    """Contrast of the taught face's ink and paint, grey levels."""
    explained: float
    """Part of the seen face's variance that is explained, 0 to 1."""


def _fit(references: References, look: Look, color: str, seen: Pixels, used: Mask) -> _Fit | None:
    assert look.match is not None
    assert look.likely is not None
    who = (color, look.likely[1])
    if who not in references.faces:
        return None
    turns = {look.match.turn_deg, look.evidence.angle_deg.get(who, look.match.turn_deg)}
    light = np.linalg.qr(np.column_stack([np.ones(int(used.sum())), _X[used], _Y[used]]))[0]
    target = _without(light, _smooth(seen)[used])
    fits = [
        _told(_without(light, _laid(references.faces[who], turn)[used]), target) for turn in turns
    ]
    return max(fits, key=lambda fit: fit.explained)


def _told(taught: FloatArray, seen: FloatArray) -> _Fit:
    square = (taught**2).sum(axis=0) + 1e-9
    gain = (taught * seen).sum(axis=0) / square
    left_over = seen - gain * taught
    return _Fit(
        gain=gain,
        sigma=np.sqrt(CORRELATED_PX * (left_over**2).mean(axis=0) / square),
        contrast=2.0 * np.sqrt(square / len(taught)),
        explained=1.0 - float((left_over**2).sum() / ((seen**2).sum() + 1e-9)),
    )


def _laid(face: Pixels, turn_deg: float) -> Floats:
    """Turn a taught face as the seen one lies; the picture is about the disc's center already."""
    match = FaceMatch(shift_px=np.zeros(2), turn_deg=turn_deg, likeness=1.0, contrast=1.0)
    return _smooth(turned_face(face, match))


def _smooth(pixels: Pixels) -> Floats:
    return cv2.GaussianBlur(pixels, (0, 0), 0.8).astype(np.float32)


def _without(light: FloatArray, values: Floats) -> FloatArray:
    """Take level and slope out of each channel."""
    return np.asarray(values - light @ (light.T @ values), np.float64)
