"""Laying a taught face on a seen one: how well it fits, and where the disc's centre must then be.

The ink of a face is sharp, high in contrast and nowhere near shadows, so that its place tells the
centre better than a rim in a dark corner does. Gauss-Newton on shift, turn, contrast, brightness
and a slope of light (Lucas and Kanade 1981, with the light of Hager and Belhumeur 1998).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, Floats, Mask, Pixels

FloatArray = NDArray[np.float64]

COMPARED = 0.80
"""Part of the rim's radius that is compared: inside the rounding of the edge."""
_MIDDLE = (FACE_SIDE_PX - 1) / 2
_AXIS = (np.arange(FACE_SIDE_PX, dtype=np.float32) - np.float32(_MIDDLE)) / np.float32(FACE_RIM_PX)
_X, _Y = np.meshgrid(_AXIS, _AXIS)
_INSIDE = np.hypot(_X, _Y) < COMPARED


@dataclass(frozen=True, kw_only=True)
class FaceMatch:
    """One taught face laid on one seen face."""

    shift_px: FloatArray
    """From the middle of the seen picture to the taught face's centre, shape (2,), face pixels."""
    turn_deg: float
    likeness: float
    """Correlation of the ink once light is taken out, -1 to 1."""
    contrast: float
    """Contrast against the taught one: near 0 is a bare surface, whatever its likeness."""


def contrast_picture(pixels_bgr: Pixels) -> Floats:
    """Grey picture of a face, smoothed a little, relative to its brightness."""
    gray = cv2.GaussianBlur(pixels_bgr, (0, 0), 0.8).astype(np.float32).sum(axis=2)
    return np.asarray(gray / max(float(np.median(gray[_INSIDE])), 30.0), np.float32)


def align_face(
    taught: Floats, seen: Floats, visible: Mask, turn_deg: float, passes: int = 5
) -> FaceMatch | None:
    """Lay a taught face on a seen one, from a turn known to a few degrees.

    Parameters
    ----------
    taught, seen
        From :func:`contrast_picture`, shape (64, 64).
    visible
        False where the seen face is hidden.
    turn_deg
        Clockwise as seen, from the taught face to the seen one.

    Returns
    -------
    FaceMatch or None
        None where too little is visible to tell a shift.
    """
    used = _INSIDE & visible
    if used.sum() < 120:
        return None
    turn, shift = np.radians(turn_deg), np.zeros(2)
    x, y, ones = _X[used], _Y[used], np.ones(int(used.sum()), np.float32)
    light = np.column_stack([ones, x, y])
    for _ in range(passes):
        model = _turned(taught, turn)
        spin = (_turned(taught, turn + 0.02) - _turned(taught, turn - 0.02)) / np.float32(0.04)
        here = _shifted(seen, shift)
        dx, dy = (cv2.Sobel(here, cv2.CV_32F, a, b, scale=1 / 8) for a, b in ((1, 0), (0, 1)))
        target = here[used]
        base = np.column_stack([model[used], light])
        gain = float(_fitted(base, target)[0])
        full = np.column_stack([base, -dx[used], -dy[used], gain * spin[used]])
        normal = full.T @ full + np.diag([0, 0, 0, 0, 0.05, 0.05, 0.05]).astype(np.float32)
        step = np.linalg.solve(normal, full.T @ target)
        shift = shift + np.clip(step[4:6], -1.5, 1.5)
        turn += float(np.clip(step[6], -0.08, 0.08))
        if np.abs(shift).max() > 6.0:
            return None
        if np.abs(step[4:6]).max() < SETTLED_PX and abs(step[6]) < SETTLED_PX / FACE_RIM_PX:
            break
    both = np.column_stack([_turned(taught, turn)[used], _shifted(seen, shift)[used]])
    ink, target = (both - light @ _fitted(light, both)).T
    norm = float(np.linalg.norm(ink) * np.linalg.norm(target))
    contrast = float(ink @ target / max(float(ink @ ink), 1e-9))
    return FaceMatch(
        shift_px=np.asarray(shift, np.float64),
        turn_deg=float(np.degrees(turn)) % 360.0,
        likeness=float(ink @ target) / norm if norm > 1e-9 else 0.0,
        contrast=contrast,
    )


def turned_face(taught: Pixels, match: FaceMatch) -> Pixels:
    """Lay a taught face where a match says: its picture in the seen face's pixels."""
    turn = np.radians(match.turn_deg)
    x, y = (
        axis - np.float32(shift / FACE_RIM_PX)
        for axis, shift in zip((_X, _Y), match.shift_px, strict=True)
    )
    cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    at_x = np.float32(_MIDDLE) + np.float32(FACE_RIM_PX) * (cos * x + sin * y)
    at_y = np.float32(_MIDDLE) + np.float32(FACE_RIM_PX) * (cos * y - sin * x)
    return np.asarray(
        cv2.remap(taught, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _turned(picture: Floats, turn: float) -> Floats:
    cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    at_x = np.float32(_MIDDLE) + np.float32(FACE_RIM_PX) * (cos * _X + sin * _Y)
    at_y = np.float32(_MIDDLE) + np.float32(FACE_RIM_PX) * (cos * _Y - sin * _X)
    return np.asarray(
        cv2.remap(picture, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )


def _shifted(picture: Floats, shift: FloatArray) -> Floats:
    move = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
    return np.asarray(
        cv2.warpAffine(
            picture,
            move,
            (FACE_SIDE_PX, FACE_SIDE_PX),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


SETTLED_PX = 0.005
"""Steps shorter than this change nothing that is used."""


def _fitted(base: Floats, values: Floats) -> FloatArray:
    """Least squares by the normal equations: a few columns, of like size and far from parallel."""
    square = (base.T @ base).astype(np.float64)
    square += 1e-9 * np.trace(square) * np.eye(len(square))
    return np.asarray(np.linalg.solve(square, base.T @ values), np.float64)
