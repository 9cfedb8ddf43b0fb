"""Laying a taught face on a seen one: how well it fits, and where the disc's centre must then be.

The ink of a face is sharp, high in contrast and nowhere near shadows, so that its place tells the
centre better than a rim in a dark corner does. Gauss-Newton on shift, turn, contrast, brightness
and a slope of light (Lucas and Kanade 1981, with the light of Hager and Belhumeur 1998); the seen
face is brought to the taught one, whose slopes stay the same (Baker and Matthews 2004).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, Floats, Mask, Pixels, smoothed
from sonora_vision.detect.light import channel_sum

FloatArray = NDArray[np.float64]
Indices = NDArray[np.intp]

COMPARED = 0.80
"""Part of the rim's radius that is compared: inside the rounding of the edge."""
_MIDDLE = (FACE_SIDE_PX - 1) / 2
_AXIS = (np.arange(FACE_SIDE_PX, dtype=np.float32) - np.float32(_MIDDLE)) / np.float32(FACE_RIM_PX)
_X, _Y = np.meshgrid(_AXIS, _AXIS)
_CHECKERED = np.indices(_X.shape).sum(axis=0) % 2 == 0
_COMPARED = np.flatnonzero((np.hypot(_X, _Y) < COMPARED) & _CHECKERED)
"""Pixels of a face picture that are compared, counted along its rows: every second one, for they
were smoothed, and next to each other they say the same."""
_LIGHT = np.stack([np.ones_like(_X), _X, _Y]).reshape(3, -1).take(_COMPARED, axis=1)
_PLACES = np.stack([FACE_RIM_PX * _LIGHT[1], FACE_RIM_PX * _LIGHT[2], _LIGHT[0]])
"""Where they are from the middle, in pixels, and 1."""
_LAID = 7
"""Changes by which a face is laid on another one: all but size and tones."""
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


def contrast_pictures(pixels_bgr: Pixels) -> Floats:
    """Grey pictures of faces, (n, 64, 64, 3), smoothed a little, relative to their brightness."""
    tall = pixels_bgr.reshape(-1, FACE_SIDE_PX, 3).astype(np.float32)
    gray = smoothed(channel_sum(tall).reshape(pixels_bgr.shape[:3]), 0.8)
    level = np.median(gray.reshape(len(gray), -1)[:, _COMPARED], axis=1)
    return np.asarray(gray / np.maximum(level, 30.0)[:, None, None], np.float32)


@dataclass(frozen=True, eq=False)
class TaughtInk:
    """What a seen face may differ by from a taught one, at each pixel compared."""

    changes: Floats
    """Shape (9, pixels): the face; brightness and its slope; the face's change with shift across
    and down, with turn and with size, and with light that bends its tones."""

    @classmethod
    def of(cls, taught: Floats) -> TaughtInk:
        """Prepare a face from :func:`contrast_pictures`, shape (64, 64)."""
        ink = taught.take(_COMPARED)
        slopes = (cv2.Sobel(taught, cv2.CV_32F, a, 1 - a, scale=1 / 8) for a in (1, 0))
        across, down = (each.take(_COMPARED) for each in slopes)
        _, x, y = _LIGHT
        spin = np.float32(FACE_RIM_PX) * (x * down - y * across)
        growth = np.float32(FACE_RIM_PX) * (x * across + y * down)
        tone = np.square(ink - ink.mean())
        return cls(np.stack([ink, *_LIGHT, across, down, spin, growth, tone]))

    @cached_property
    def solution(self) -> Floats:
        """What makes of a wholly seen face the amounts of its first seven changes."""
        full = self.changes[None, :_LAID]
        return np.asarray(_solutions(full, full)[0], np.float32)


def align_face(taught: Pixels, seen: Pixels, visible: Mask, turn_deg: float) -> FaceMatch | None:
    """Lay one taught face on one seen face; see :func:`align_faces`."""
    ink, face = (contrast_pictures(each[None]) for each in (taught, seen))
    return align_faces([TaughtInk.of(ink[0])], face, visible[None], [turn_deg])[0]


def align_faces(
    taught: Sequence[TaughtInk],
    seen: Floats,
    visible: Mask,
    turns_deg: Sequence[float],
    passes: int = 8,
) -> list[FaceMatch | None]:
    """Lay taught faces on seen ones, from turns known to a few degrees.

    Parameters
    ----------
    taught
        One a seen face.
    seen
        From :func:`contrast_pictures`, shape (n, 64, 64).
    visible
        False where a seen face is hidden, shape (n, 64, 64).
    turns_deg
        Clockwise as seen, from the taught faces to the seen ones.

    Returns
    -------
    list of FaceMatch or None
        None where too little is visible to tell a shift.
    """
    turn, shift = np.radians(np.asarray(turns_deg, np.float64)), np.zeros((len(seen), 2))
    used = visible_pixels(visible, turn, shift)
    told = np.flatnonzero(used.sum(axis=1) >= LEAST_PIXELS)
    matches: list[FaceMatch | None] = [None] * len(seen)
    if not len(told):
        return matches
    laid = [taught[i] for i in told.tolist()]
    full, used, seen = np.stack([each.changes[:_LAID] for each in laid]), used[told], seen[told]
    solution = np.stack([each.solution for each in laid])
    part = np.flatnonzero(~used.all(axis=1))
    solution[part] = _solutions(full[part], full[part] * used[part, None])
    turn, shift = _settled(full, used, solution, seen, turn[told], shift[told], passes)
    both = np.stack([full[:, 0], brought_back(seen, turn, shift)], axis=1)
    ink, target = _unlit(both, full[:, 1:4], used).swapaxes(0, 1)
    common, own = np.vecdot(ink, target), np.vecdot(ink, ink)
    norm = np.sqrt(own * np.vecdot(target, target))
    for where, i in enumerate(told.tolist()):
        if np.abs(shift[where]).max() <= MOST_SHIFT_PX:
            matches[i] = FaceMatch(
                shift_px=shift[where],
                turn_deg=math.degrees(turn[where]) % 360.0,
                likeness=float(common[where] / norm[where]) if norm[where] > 1e-9 else 0.0,
                contrast=float(common[where] / max(own[where], 1e-9)),
            )
    return matches


def visible_pixels(visible: Mask, turn: FloatArray, shift: FloatArray) -> Floats:
    """Return 1 for pixels of the taught faces that are seen, else 0, shape (n, pixels)."""
    if visible.reshape(len(visible), -1)[:, _COMPARED].all():
        return np.ones((len(visible), len(_COMPARED)), np.float32)
    back = brought_back(visible.astype(np.float32), turn, shift)
    return np.asarray(back > 0.5, np.float32)


def _settled(
    full: Floats,
    used: Floats,
    solution: Floats,
    seen: Floats,
    turn: FloatArray,
    shift: FloatArray,
    passes: int,
) -> tuple[FloatArray, FloatArray]:
    """Move faces to where they fit, from turns and shifts near by."""
    turn, shift, rows = turn.copy(), shift.copy(), np.arange(len(full))
    for each in range(1, passes + 1):
        target = brought_back(seen, turn[rows], shift[rows], rows=rows)
        step = times(solution, target)
        # The slopes are seen with the ink's contrast, and shine leaves little of it.
        moved = step[:, 4:] / np.maximum(step[:, :1], LEAST_CONTRAST)
        turn[rows] -= moved[:, 2].clip(-0.08, 0.08)
        shift[rows] -= times(rotations(turn[rows]), moved[:, :2].clip(-1.5, 1.5))
        moved[:, 2] *= FACE_RIM_PX
        settled = np.abs(moved).max(axis=1) < SETTLED_PX
        still = ~settled & (np.abs(shift[rows]).max(axis=1) <= MOST_SHIFT_PX)
        if each >= STRICT_PASS:
            still &= step[:, 0] > LEAST_CONTRAST  # what shows no ink by now will not
        if not still.any() or each == passes:
            break
        if not still.all():
            rows, full, used, solution = rows[still], full[still], used[still], solution[still]
        if each >= STRICT_PASS:
            odd = (target[still] - times(full.swapaxes(1, 2), step[still])) / np.float32(ODD)
            solution = _solutions(full, full * (used / np.square(1 + odd * odd))[:, None])
    return turn, shift


def _solutions(full: Floats, weighted: Floats) -> Floats:
    """Return what makes the changes' amounts of a seen face, shape (n, 7, pixels)."""
    normal = weighted @ full.swapaxes(1, 2) + np.diag(_STEADY)
    return np.asarray(np.linalg.inv(normal) @ weighted, np.float32)


def turned_face(taught: Pixels, match: FaceMatch) -> Pixels:
    """Lay a taught face where a match says: its picture in the seen face's pixels."""
    return np.asarray(turned_faces(taught[None], [match.turn_deg], match.shift_px)[0], np.uint8)


def turned_faces(
    taught: Pixels, turns_deg: Sequence[float], shift_px: FloatArray | None = None
) -> Pixels:
    """Turn taught faces of shape (n, 64, 64, 3) clockwise, then shift them."""
    shift = np.zeros(2) if shift_px is None else shift_px
    places = np.stack([_X - shift[0] / FACE_RIM_PX, _Y - shift[1] / FACE_RIM_PX])
    back = rotations(-np.radians(np.asarray(turns_deg, np.float64))) * FACE_RIM_PX
    at = (back @ places.reshape(2, -1)).reshape(-1, 2, *_X.shape) + _MIDDLE
    at[:, 1] += FACE_SIDE_PX * np.arange(len(taught))[:, None, None]  # one below the other
    x, y = at.swapaxes(0, 1).reshape(2, -1, FACE_SIDE_PX).astype(np.float32)
    tall = taught.reshape(-1, FACE_SIDE_PX, 3)
    turned = cv2.remap(tall, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.uint8).reshape(taught.shape)


def rotations(turn: FloatArray) -> FloatArray:
    """Return the matrices that turn clockwise, as seen in the image, shape (n, 2, 2)."""
    cos, sin = np.cos(turn), np.sin(turn)
    return np.stack([cos, -sin, sin, cos], axis=-1).reshape(-1, 2, 2)


def brought_back(
    seen: Floats,
    turn: FloatArray,
    shift: FloatArray,
    size: FloatArray | float = 1.0,
    rows: Indices | None = None,
) -> Floats:
    """Show seen faces as the taught ones lie.

    Parameters
    ----------
    seen
        Shape (n, 64, 64).
    turn, shift, size
        Of m faces: their turns, radians; where their middles are, pixels from the picture's, shape
        (m, 2); and how large they are.
    rows
        Which of the seen faces they are; None for all.

    Returns
    -------
    ndarray of float32, shape (m, pixels)
        At the pixels that are compared.
    """
    rows = np.arange(len(seen)) if rows is None else rows
    middle = shift + _MIDDLE
    middle[:, 1] += FACE_SIDE_PX * rows  # the pictures are laid one below the other
    affine = np.empty((2, len(rows), 3), np.float32)
    affine[..., :2] = (rotations(turn) * np.reshape(size, (-1, 1, 1))).swapaxes(0, 1)
    affine[..., 2] = middle.T
    x, y = affine @ _PLACES
    tall = seen.reshape(-1, FACE_SIDE_PX)
    return np.asarray(
        cv2.remap(tall, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def times(matrices: NDArray[Any], vectors: NDArray[Any]) -> NDArray[Any]:
    """Multiply matrices of shape (n, a, b) with vectors of shape (n, b)."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])


def _unlit(values: Floats, light: Floats, used: Floats) -> Floats:
    """Take brightness and a slope of light off by least squares; 0 where nothing is used.

    Shapes (n, k, pixels), (n, 3, pixels) and (n, pixels).
    """
    lit = light * used[:, None]
    ridge = 1e-6 * used.sum(axis=1)[:, None, None] * np.eye(3, dtype=np.float32)
    amounts = np.linalg.solve(lit @ light.swapaxes(1, 2) + ridge, lit @ values.swapaxes(1, 2))
    return np.asarray((values - amounts.swapaxes(1, 2) @ light) * used[:, None], np.float32)


SETTLED_PX = 0.02
"""Steps shorter than this change nothing that is used."""
MOST_SHIFT_PX = 8.0
LEAST_PIXELS = 60
LEAST_CONTRAST = 0.1
STRICT_PASS = 4
"""What has not settled by now has something on it: from here on, where"""
ODD = 0.2
"""it differs by this, relative to the face's brightness, it loses its say (Geman and McClure)."""
