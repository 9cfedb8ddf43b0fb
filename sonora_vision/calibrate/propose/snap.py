"""A roughly known line moved onto the printed one: ink, or a step of color, near it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.printed import ink_look
from sonora_vision.calibrate.propose.areas import BorderParams

Floats = NDArray[np.float32]


def snap(
    fine: Floats, hidden: NDArray[np.uint8], line: FloatArray, side: int, params: BorderParams
) -> FloatArray:
    """Move a line onto the ink or step near it; straight ones become straight."""
    reach = params.reach * side
    for part in (1.0, 0.5):
        line = _snap_once(fine, hidden, line, reach * part)
    ruler, across = _ruled(line)
    strays = np.percentile(np.abs(across), (80, 95)) / side
    return ruler if strays[0] < params.straight and strays[1] < 5 * params.straight else line


def _snap_once(
    fine: Floats, hidden: NDArray[np.uint8], line: FloatArray, reach: float
) -> FloatArray:
    direction = np.gradient(gaussian_filter1d(line, 1.5, axis=0, mode="nearest"), axis=0)
    direction /= np.maximum(np.linalg.norm(direction, axis=1), 1e-6)[:, None]
    normal = np.column_stack([-direction[:, 1], direction[:, 0]])
    offsets = np.arange(-reach - 5, reach + 5.1, 0.5)
    at = (line[:, None] + offsets[None, :, None] * normal[:, None]).astype(np.float32)
    profiles = cv2.remap(fine, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    under = cv2.remap(hidden, at, None, cv2.INTER_NEAREST)  # type: ignore[call-overload]
    free = (under == 0).all(axis=1)
    gains = _gains(np.asarray(profiles), offsets, reach)
    tries = offsets[np.abs(offsets) <= reach + 1e-9]
    # One line has one look; gains of neighbours on the line belong together.
    gains = gaussian_filter1d(gains * free[:, None], 1.2, axis=0, mode="nearest")
    place = tries[_smooth_path(gains, 0.8)]
    spread = gaussian_filter1d(np.where(free, place, 0.0), 1.0, mode="nearest")
    weight = gaussian_filter1d(free.astype(np.float64), 1.0, mode="nearest")
    known = weight > 0.2
    if known.sum() < 2:
        return line
    rows = np.arange(len(line))
    shift = np.interp(rows, rows[known], (spread / np.maximum(weight, 1e-6))[known])
    return np.asarray(line + shift[:, None] * normal, np.float64)


def _gains(profiles: Floats, offsets: FloatArray, reach: float) -> FloatArray:
    """How well a step of color, or opaque ink between two, explains each profile at each offset.

    The ink's width is one for the whole line, and its middle is the border. What is explained is
    compared over the whole profile: a window that moved with the border would prefer the side
    where more is to be explained.
    """
    tries = offsets[np.abs(offsets) <= reach + 1e-9]
    rows = np.swapaxes(profiles.astype(np.float64), 1, 2)
    rows -= rows.mean(axis=2, keepdims=True)
    whole = np.square(rows).sum(axis=(1, 2))[:, None]
    best: FloatArray | None = None
    for width in _INK_WIDTHS_PX:
        edges = (-width / 2, width / 2) if width > 0 else (0.0,)
        columns = [
            np.square(rows @ ink_look(offsets - at, edges, _BLUR_PX)[:, 1:]).sum(axis=(1, 2))
            for at in tries
        ]
        left = 1.0 - np.stack(columns, axis=1) / np.maximum(whole, 1e-6)
        if best is None or np.median(left.min(axis=1)) < 0.97 * np.median(best.min(axis=1)):
            best = left
    assert best is not None
    # Strong borders say more than faint ones.
    weight = np.minimum(np.sqrt(whole / max(float(np.median(whole)), 1e-6)), 1.0)
    return np.asarray(-np.log(best + _UNEXPLAINED) * weight, np.float64)


_INK_WIDTHS_PX = (0.0, 1.5, 2.5, 3.5, 5.0, 7.0)
_UNEXPLAINED = 0.03
"""Part of a profile that decoration and grain leave unexplained where the border is met."""
_BLUR_PX = 1.3
"""Half the width of a step, as lens and resampling show it."""


def _smooth_path(gains: FloatArray, bend: float) -> NDArray[np.int_]:
    """Return the path of most gain whose neighbours differ little (Viterbi's algorithm)."""
    count = gains.shape[1]
    cost = bend * np.square(0.5 * (np.arange(count)[:, None] - np.arange(count)[None]) / 2.0)
    total, back = gains[0].copy(), np.zeros(gains.shape, int)
    for row in range(1, len(gains)):
        reach = total[None] - cost
        back[row] = reach.argmax(axis=1)
        total = reach.max(axis=1) + gains[row]
    path = np.zeros(len(gains), int)
    path[-1] = int(total.argmax())
    for row in range(len(gains) - 1, 0, -1):
        path[row - 1] = back[row, path[row]]
    return path


def _ruled(line: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the straight line through most of a line, and how far its points stray."""
    middle = np.median(line, axis=0)
    weight = np.ones(len(line))
    axis, across = np.array([1.0, 0.0]), np.zeros(len(line))
    for _ in range(5):
        middle = (line * weight[:, None]).sum(axis=0) / weight.sum()
        axis = np.linalg.svd((line - middle) * np.sqrt(weight)[:, None], full_matrices=False)[2][0]
        across = (line - middle) @ np.array([-axis[1], axis[0]])
        weight = 1.0 / (1.0 + np.square(across))
    ends = middle + ((line[[0, -1]] - middle) @ axis)[:, None] * axis
    return ends, across


def resampled(line: FloatArray, step: float) -> FloatArray:
    """Return a line with points evenly along it, about ``step`` apart, at least three."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    count = max(3, round(lengths[-1] / step) + 1)
    at = np.linspace(0.0, lengths[-1], count)
    return np.column_stack([np.interp(at, lengths, line[:, axis]) for axis in (0, 1)])
