"""How good a small frame is, whether an arm crosses the outline, and whether the table moved."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from sonora_vision.camera.source import Pixels
from sonora_vision.watch.look import Region

_LEAST_UNLIKE = 18.0
"""Levels by which skin and sleeves differ at least from the table about them."""
_MOST_ACROSS = 40.0
"""Levels by which an arm differs at most from itself, from one side of the outline to the other."""
_Plane: TypeAlias = NDArray[np.float32]

_LEAST_TILES = 12
_LEAST_LIKENESS = 0.3
"""Grain that is less alike in two frames of the same is noise."""


def table_moved(now: Pixels, just_before: Pixels, earlier: Pixels, region: Region) -> bool:
    """Say whether what lies beside the board moved in the picture: then the camera did.

    Parameters
    ----------
    now, just_before : ndarray of uint8, shape (h, w, 3)
        Two working frames between which nothing moved: they show how alike the table's grain
        looks in spite of the noise.
    earlier : ndarray of uint8, shape (h, w, 3)
        The working frame to compare with.
    region : Region
        Where the board lay then.

    Returns
    -------
    bool
        False too where the table shows no grain to tell it from.
    """
    rim = np.ones((15, 15), np.uint8)
    beside = (cv2.dilate(region.mask, rim) == 0).astype(np.float32)
    grain = _grain(now) * beside
    usual = _likeness(grain, _grain(just_before) * beside, beside)
    return (
        usual > _LEAST_LIKENESS and _likeness(grain, _grain(earlier) * beside, beside) < usual / 2
    )


def _likeness(grain: _Plane, other: _Plane, beside: _Plane) -> float:
    """Correlate the grain tile by tile; the median, for a hand covers some tiles, never most."""
    power, power_other, both, seen = (
        cv2.resize(v, (16, 12), interpolation=cv2.INTER_AREA)
        for v in (grain**2, other**2, grain * other, beside)
    )
    there = seen > 0.5
    if there.sum() < _LEAST_TILES:
        return 0.0
    return float(np.median(both[there] / np.sqrt(power[there] * power_other[there] + 1e-3)))


def _grain(frame: Pixels) -> NDArray[np.float32]:
    """Fine detail of a frame without its broad light, centred on 0."""
    gray = cv2.GaussianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(np.float32)
    return np.asarray(gray - cv2.blur(gray, (15, 15)), np.float32)


def sharpness(frame: Pixels, region: Region) -> float:
    """Measure how sharp the board looks: its steepest percent of edges, levels a pixel."""
    gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    across = cv2.absdiff(gray[:-1, 1:], gray[:-1, :-1])
    down = cv2.absdiff(gray[1:, :-1], gray[:-1, :-1])
    steps = cv2.max(across, down)[region.mask[:-1, :-1] > 0]
    if not steps.size:
        return 0.0
    count = max(1, steps.size // 100)
    return float(np.partition(steps, steps.size - count)[-count:].mean())


def clipped(frame: Pixels, region: Region) -> float:
    """Measure the part of the board where every channel is at full white."""
    darkest = cv2.min(cv2.min(frame[..., 0], frame[..., 1]), frame[..., 2])
    white = cv2.countNonZero(cv2.bitwise_and(cv2.inRange(darkest, 252, 255), region.mask))
    return white / max(1, cv2.countNonZero(region.mask))


def crossed_stretch(frame: Pixels, corners_px: NDArray[np.float64]) -> float:
    """Measure the longest stretch of the board's outline that something lies across.

    An arm over the board crosses its outline: beside the board the picture shows the arm there
    and the table everywhere else, and there is no edge where the board ends. Paper beside the
    board has that edge, and so has the board's shadow.

    Parameters
    ----------
    frame : ndarray of uint8, shape (h, w, 3)
        A working frame.
    corners_px : ndarray, shape (N, 2)
        The outline in it.

    Returns
    -------
    float
        Its share of the outline's length; 0 on a tablecloth too motley to tell.
    """
    points, normals = _along(corners_px, step_px=2.0)
    center = corners_px.mean(axis=0)
    outward = np.where(((points - center) * normals).sum(axis=1, keepdims=True) > 0, 1.0, -1.0)
    soft = cv2.GaussianBlur(frame, (5, 5), 0).astype(np.float32)
    count = len(points)
    rim = [_sampled(soft, points + side * outward * normals * 3.5) for side in (-1.0, 1.0)]
    goes_on = np.abs(rim[0] - rim[1]).max(axis=1) < _MOST_ACROSS
    longest = 0
    for reach_px in (5.0, 9.0):
        there = points + outward * normals * reach_px
        beside = _sampled(soft, there)
        usual = median_filter(beside, size=(count // 3 | 1, 1), mode="wrap")
        unlike = np.abs(beside - usual).max(axis=1)
        flags = goes_on & (unlike > max(_LEAST_UNLIKE, 4.0 * float(np.median(unlike))))
        flags = _bridged(flags)
        flags &= ((there >= 0.0) & (there <= [frame.shape[1] - 1, frame.shape[0] - 1])).all(axis=1)
        longest = max(longest, _longest_run(flags))
    return longest / count


def _along(
    corners_px: NDArray[np.float64], *, step_px: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give points along a closed outline and the unit normals there, each (M, 2)."""
    points, normals = [], []
    for start, end in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        length = float(np.hypot(*(end - start)))
        if length < 4 * step_px:
            continue
        share = np.arange(0.02, 0.98, step_px / length)[:, None]
        points.append(start + share * (end - start))
        along = (end - start) / length
        normals.append(np.tile([-along[1], along[0]], (len(share), 1)))
    return np.concatenate(points), np.concatenate(normals)


def _sampled(picture: NDArray[np.float32], points: NDArray[np.float64]) -> NDArray[np.float32]:
    """Sample a picture at points, (M, 3)."""
    x, y = points[:, 0].astype(np.float32), points[:, 1].astype(np.float32)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(len(points), 3)


def _bridged(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Close gaps of up to four samples around a closed line: between two fingers."""
    line = np.tile(flags.astype(np.uint8), 3)[None]
    closed = cv2.morphologyEx(line, cv2.MORPH_CLOSE, np.ones((1, 5), np.uint8))[0]
    return np.asarray(closed[flags.size : 2 * flags.size] > 0)


def _longest_run(flags: NDArray[np.bool_]) -> int:
    """Count the longest run of true values around a closed line."""
    if flags.all():
        return int(flags.size)
    edges = np.flatnonzero(~flags)
    return int(np.diff(np.append(edges, edges[0] + flags.size)).max()) - 1
