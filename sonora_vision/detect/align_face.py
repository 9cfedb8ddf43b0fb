"""Laying a taught face on a seen one: how well it fits, and where the disc's centre must then be.

The ink of a face is sharp, high in contrast and nowhere near shadows, so that its place tells the
centre better than a rim in a dark corner does. Gauss-Newton on shift, turn, contrast, brightness
and a slope of light (Lucas and Kanade 1981, with the light of Hager and Belhumeur 1998); the seen
face is brought to the taught one, whose slopes stay the same (Baker and Matthews 2004).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, Floats, Mask, Pixels
from sonora_vision.detect.light import channel_sum

FloatArray = NDArray[np.float64]
Places = NDArray[np.intp]
"""Pixels of a face picture, counted along its rows."""

COMPARED = 0.80
"""Part of the rim's radius that is compared: inside the rounding of the edge."""
_MIDDLE = (FACE_SIDE_PX - 1) / 2
_AXIS = (np.arange(FACE_SIDE_PX, dtype=np.float32) - np.float32(_MIDDLE)) / np.float32(FACE_RIM_PX)
_X, _Y = np.meshgrid(_AXIS, _AXIS)
COMPARED_AREA = np.hypot(_X, _Y) < COMPARED
"""Pixels of a face picture that are compared."""
_COMPARED_PLACES = np.flatnonzero(COMPARED_AREA)
_LIGHT = np.stack([np.ones_like(_X), _X, _Y]).reshape(3, -1)
_STEADY = np.array([1e-3, 1e-3, 1e-3, 1e-3, 0.05, 0.05, 0.05], np.float32)
"""What keeps shift and turn where they are while the ink tells nothing."""


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
    gray = cv2.GaussianBlur(channel_sum(pixels_bgr.astype(np.float32)), (0, 0), 0.8)
    level = float(np.median(gray.take(_COMPARED_PLACES)))
    return np.asarray(gray * np.float32(1.0 / max(level, 30.0)), np.float32)


def align_face(
    taught: Floats, seen: Floats, visible: Mask, turn_deg: float, passes: int = 8
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
    turn, shift = float(np.radians(turn_deg)), np.zeros(2)
    seen_at_all = brought_back(visible.astype(np.float32), turn, shift) > 0.5
    used = np.flatnonzero(COMPARED_AREA & seen_at_all)
    if len(used) < LEAST_PIXELS:
        return None
    full = slopes(taught, used)
    turn, shift = _settled(full, seen, used, turn, shift, passes)
    if np.abs(shift).max() > MOST_SHIFT_PX:
        return None
    ink, target = (
        _unlit(each, full[1:4]) for each in (full[0], brought_back(seen, turn, shift).take(used))
    )
    norm = float(np.linalg.norm(ink) * np.linalg.norm(target))
    return FaceMatch(
        shift_px=shift,
        turn_deg=float(np.degrees(turn)) % 360.0,
        likeness=float(ink @ target) / norm if norm > 1e-9 else 0.0,
        contrast=float(ink @ target / max(float(ink @ ink), 1e-9)),
    )


def slopes(taught: Floats, used: Places) -> Floats:
    """Return the face, brightness and its slope, and the face's change with shift and turn."""
    light = _LIGHT.take(used, axis=1)
    dx, dy = (
        cv2.Sobel(taught, cv2.CV_32F, a, b, scale=1 / 8).take(used) for a, b in ((1, 0), (0, 1))
    )
    spin = np.float32(FACE_RIM_PX) * (light[1] * dy - light[2] * dx)
    return np.stack([taught.take(used), *light, dx, dy, spin])


def _settled(
    full: Floats, seen: Floats, used: Places, turn: float, shift: FloatArray, passes: int
) -> tuple[float, FloatArray]:
    """Move a face to where it fits, from a turn and shift near by."""
    weighted = full
    for each in range(passes):
        target = brought_back(seen, turn, shift).take(used)
        if each == 0 or weighted is not full:
            normal = weighted @ full.T + np.diag(_STEADY)
            solution = np.asarray(np.linalg.inv(normal) @ weighted, np.float32)
        step = solution @ target
        # The slopes are seen with the ink's contrast, and shine leaves little of it.
        across, down, spin = (step[4:] / max(float(step[0]), LEAST_CONTRAST)).tolist()
        turn -= max(-0.08, min(spin, 0.08))
        moved = np.array([max(-1.5, min(each, 1.5)) for each in (across, down)])
        shift = shift - rotation(turn) @ moved
        settled = max(abs(across), abs(down), FACE_RIM_PX * abs(spin)) < SETTLED_PX
        if settled or max(abs(shift[0]), abs(shift[1])) > MOST_SHIFT_PX:
            break
        if each + 1 >= STRICT_PASS:
            odd = (target - step @ full) / np.float32(ODD)
            weighted = np.asarray(full / (1 + odd * odd) ** 2, np.float32)
    return turn, shift


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


def rotation(turn: float) -> FloatArray:
    """Return the matrix that turns clockwise, as seen in the image."""
    cos, sin = math.cos(turn), math.sin(turn)
    return np.array([[cos, -sin], [sin, cos]])


def brought_back(seen: Floats, turn: float, shift: FloatArray, size: float = 1.0) -> Floats:
    """Show a seen face as the taught one lies, from its middle, its turn and how large it is."""
    cos, sin = size * math.cos(turn), size * math.sin(turn)
    x, y = _MIDDLE * (1 - cos + sin) + shift[0], _MIDDLE * (1 - cos - sin) + shift[1]
    affine = np.array([[cos, -sin, x], [sin, cos, y]])
    return np.asarray(
        cv2.warpAffine(
            seen,
            affine,
            (FACE_SIDE_PX, FACE_SIDE_PX),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def _unlit(values: Floats, light: Floats) -> Floats:
    """Take a brightness and a slope of light off, by least squares."""
    square = light @ light.T + np.float32(1e-6 * len(values)) * np.eye(3, dtype=np.float32)
    return np.asarray(values - np.linalg.solve(square, light @ values) @ light, np.float32)


SETTLED_PX = 0.02
"""Steps shorter than this change nothing that is used."""
MOST_SHIFT_PX = 8.0
LEAST_PIXELS = 120
LEAST_CONTRAST = 0.1
STRICT_PASS = 4
"""What has not settled by now has something on it: from here on, where"""
ODD = 0.2
"""it differs by this, relative to the face's brightness, it loses its say (Geman and McClure)."""
