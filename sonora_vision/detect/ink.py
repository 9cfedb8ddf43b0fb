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

from sonora_vision.detect.align_face import turned_faces
from sonora_vision.detect.faces import (
    FACE_RIM_PX,
    FACE_SIDE_PX,
    Floats,
    Mask,
    Pixels,
    brightest,
    disk,
)
from sonora_vision.detect.look import Look
from sonora_vision.detect.paint import crop_faces
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import LOG_FLOOR, Scene

FloatArray = NDArray[np.float64]
Places = NDArray[np.intp]

LEAST_PIXELS = 200
"""Pixels of a face picture that contrasts are told from: a tenth of it."""
CORRELATED_PX = 16.0
"""Area over which the residuals of two faces are one: both were blurred and sampled anew."""
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
    used = crop.visible & disk(0.8) & (brightest(crop.pixels_bgr) < BRIGHTEST)
    if np.count_nonzero(used) < LEAST_PIXELS:
        return None
    colors = references.colors
    lamp = np.log(np.median(crop.pixels_bgr[used], axis=0) + LOG_FLOOR) - look.color
    fits = _fits(references, look, crop.pixels_bgr, used)
    good = np.flatnonzero(fits.explained >= FIT_SHARE * fits.explained.max())
    gain, sigma, contrast = (each[good] for each in (fits.gain, fits.sigma, fits.contrast))
    logs = np.full(len(colors.names), np.nan)
    right = gain.min(axis=1) > 0
    logs[fits.color[good[~right]]] = WRONG_WAY_NATS
    fitting, gain, sigma, contrast = (
        each[right] for each in (fits.color[good], gain, sigma, contrast)
    )
    logs[fitting] = colors.ink_log_likelihood(
        fitting.tolist(),
        look.color,
        np.log(gain) - lamp,
        CONTRAST_SIGMA**2 + (sigma / gain) ** 2 + (GREY_SIGMA / contrast) ** 2,
        look.trouble,
        look.veil,
        shifts,
    )
    # A face that does not fit says nothing about its color: no better than the worst that fits.
    logs = np.where(np.isnan(logs), np.nanmin(logs), logs)
    return np.asarray(logs * np.clip(1.0 - (FITTING_NATS - logs.max()) / BEYOND_NATS, 0.0, 1.0))


FITTING_NATS = -3.0
"""Where the best color fits worse than this, the light is not what is thought here,"""
BEYOND_NATS = 3.0
"""and so much worse still, nothing is told."""


@dataclass(frozen=True, kw_only=True)
class _Fits:
    """The seen face's channels told by those of m colors' taught ones."""

    color: Places
    """Places of the colors, shape (m,)."""
    gain: FloatArray
    """Shape (m, 3)."""
    sigma: FloatArray
    """One-sigma uncertainty of the gain, shape (m, 3)."""
    contrast: FloatArray
    """Contrast of the taught faces' ink and paint, grey levels, shape (m, 3)."""
    explained: FloatArray
    """Part of the seen face's variance that is explained, 0 to 1, shape (m,)."""


def _fits(references: References, look: Look, seen: Pixels, used: Mask) -> _Fits:
    """Lay the faces of all colors on a seen one, each as that lies or as it would lie best."""
    assert look.match is not None
    assert look.likely is not None
    number, turn = look.likely[1], look.match.turn_deg
    laid = [
        (color, (name, number), each)
        for color, name in enumerate(references.colors.names)
        if (name, number) in references.faces
        for each in {turn, look.evidence.angle_deg.get((name, number), turn)}
    ]
    pictures = np.array([references.faces[who] for _, who, _ in laid], np.uint8)
    turned = turned_faces(pictures, [each for _, _, each in laid])
    channels = _smooth(np.concatenate([turned, seen[None]]))[:, used].swapaxes(1, 2)
    light = np.linalg.qr(np.column_stack([np.ones(channels.shape[2]), _X[used], _Y[used]]))[0]
    values = channels - (channels @ light) @ light.T  # level and slope are taken out
    taught, target = values[:-1], values[-1]
    square = np.vecdot(taught, taught) + 1e-9
    gain = np.vecdot(taught, target) / square
    left_over = target - gain[..., None] * taught
    odd = np.vecdot(left_over, left_over)
    explained = 1.0 - odd.sum(axis=1) / (np.vecdot(target, target).sum() + 1e-9)
    best: dict[int, int] = {}
    for i, (color, _, _) in enumerate(laid):
        if color not in best or explained[i] > explained[best[color]]:
            best[color] = i
    chosen, pixels = list(best.values()), taught.shape[2]
    return _Fits(
        color=np.array(list(best), np.intp),
        gain=gain[chosen],
        sigma=np.sqrt(CORRELATED_PX * odd / pixels / square)[chosen],
        contrast=2.0 * np.sqrt(square / pixels)[chosen],
        explained=explained[chosen],
    )


def _smooth(pixels: Pixels) -> Floats:
    """Smooth pictures of shape (n, 64, 64, 3) that are laid one below the other."""
    tall = cv2.GaussianBlur(pixels.reshape(-1, FACE_SIDE_PX, 3), (0, 0), 0.8)
    return np.asarray(tall, np.float32).reshape(pixels.shape)
