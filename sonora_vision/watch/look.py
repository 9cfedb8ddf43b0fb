"""Measures of small frames: what changed against another frame, where, and in which light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.camera.source import Pixels
from sonora_vision.watch.states import WatchParams

Mask: TypeAlias = NDArray[np.uint8]

_TILES = (16, 12)
_CLOSE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, kw_only=True, eq=False)
class Region:
    """Where the board lies in a working frame.

    Attributes
    ----------
    corners_px : ndarray, shape (N, 2)
        Its outline, pixels of the working frame.
    mask : ndarray of uint8, shape (h, w)
        255 on the board and a margin about it.
    area_px : float
        The board's area.
    """

    corners_px: NDArray[np.float64]
    mask: Mask
    area_px: float


@dataclass(frozen=True, kw_only=True)
class Change:
    """How a frame differs from an earlier one.

    Attributes
    ----------
    gain : float
        Brightness against the earlier frame, median over the picture.
    board_share : float
        Changed part of the board, counting connected changes of a least size only.
    reach_share : float
        Part of the board under changes that reach in from the picture's edge.
    outside_share : float
        Changed part of what lies outside the board.
    """

    gain: float
    board_share: float
    reach_share: float
    outside_share: float


def working_frame(pixels_bgr: Pixels, width_px: int) -> Pixels:
    """Scale a frame to the width that is worked at; never enlarges."""
    height, width = pixels_bgr.shape[:2]
    if width <= width_px:
        return pixels_bgr
    size = (width_px, max(1, round(height * width_px / width)))
    return np.asarray(cv2.resize(pixels_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


def whole_frame(shape: tuple[int, int]) -> Region:
    """Take the whole frame for the board, until it has been found."""
    height, width = shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    return Region(
        corners_px=corners,
        mask=np.full(shape, 255, np.uint8),
        area_px=0.5 * height * width,  # a board fills about half of the picture
    )


def board_region(
    corners_px: NDArray[np.float64], shape: tuple[int, int], *, margin: float
) -> Region:
    """Mark the board in working frames.

    Parameters
    ----------
    corners_px : ndarray, shape (N, 2)
        The outline, pixels of the working frame.
    shape : tuple of int
        Rows and columns.
    margin : float
        How far beyond its outline, as a share of the board's size.
    """
    center = corners_px.mean(axis=0)
    wider = center + (corners_px - center) * (1.0 + 2.0 * margin)
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(wider).astype(np.int32)], 255)
    area_px = float(cv2.contourArea(corners_px.astype(np.float32)))
    return Region(corners_px=corners_px, mask=mask, area_px=max(area_px, 1.0))


def compare(now: Pixels, before: Pixels, region: Region, params: WatchParams) -> Change:
    """Compare two working frames of one size, whatever the light did in between.

    Parameters
    ----------
    now, before : ndarray of uint8, shape (h, w, 3)
        Blue, green, red.
    region : Region
        Where the board lies.
    params : WatchParams
        Thresholds.

    Returns
    -------
    Change
    """
    gain, field = _light(now, before)
    lit = before if field is None else cv2.multiply(before, field, dtype=cv2.CV_8U)
    blue, green, red = cv2.split(cv2.absdiff(now, lit))
    largest = cv2.max(cv2.max(blue, green), red)
    level = max(
        float(params.change_levels), params.noise_factor * _median(np.asarray(largest, np.uint8))
    )
    _, changed = cv2.threshold(largest, level, 255, cv2.THRESH_BINARY)
    if not cv2.countNonZero(changed):
        return Change(gain=gain, board_share=0.0, reach_share=0.0, outside_share=0.0)
    changed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, _CLOSE)
    return _shares(np.asarray(changed, np.uint8), region, gain, params)


def _median(levels: Mask) -> float:
    """Give the median level: the noise, for things that move never cover half of the picture."""
    counts = cv2.calcHist([levels], [0], None, [256], [0.0, 256.0]).ravel()
    return float(np.searchsorted(np.cumsum(counts), levels.size / 2))


def _light(now: Pixels, before: Pixels) -> tuple[float, NDArray[np.float32] | None]:
    """Fit how the light changed: a plane over the logarithm of the tiles' brightness.

    Tiles that changed by themselves, under a hand, do not count: the fit is repeated without
    what lies far off. None for the field where nothing noticeable changed.
    """
    tiles_now = cv2.resize(now, _TILES, interpolation=cv2.INTER_AREA).astype(np.float32)
    tiles_before = cv2.resize(before, _TILES, interpolation=cv2.INTER_AREA).astype(np.float32)
    ratio = np.log((tiles_now.mean(axis=2) + 2.0) / (tiles_before.mean(axis=2) + 2.0))
    middle = float(np.median(ratio))
    gain = float(np.exp(middle))
    spread = float(np.median(np.abs(ratio - middle)))
    if abs(middle) < 0.008 and spread < 0.008:
        return gain, None
    x, y = np.meshgrid(np.linspace(-1, 1, _TILES[0]), np.linspace(-1, 1, _TILES[1]))
    design = np.stack([np.ones(x.size), x.ravel(), y.ravel()], axis=1)
    values = ratio.ravel().astype(np.float64)
    near = np.abs(values - middle) <= max(3.0 * spread, 0.03)
    plane = np.array([middle, 0.0, 0.0])
    for _ in range(2):
        if near.sum() < values.size // 3:
            break  # too little agrees for a slope: take the median
        plane = np.linalg.lstsq(design[near], values[near], rcond=None)[0]
        near = np.abs(values - design @ plane) <= 0.05
    fitted = np.exp(design @ plane).reshape(_TILES[1], _TILES[0]).astype(np.float32)
    height, width = now.shape[:2]
    field = cv2.resize(fitted, (width, height), interpolation=cv2.INTER_LINEAR)
    return gain, np.asarray(cv2.merge([field, field, field]), np.float32)


def _shares(changed: Mask, region: Region, gain: float, params: WatchParams) -> Change:
    """Count connected changes: those on the board, and those that reach in from the edge."""
    height, width = changed.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    sizes = stats[:, cv2.CC_STAT_AREA]
    kept = sizes >= max(4.0, params.blob_share * region.area_px)
    kept[0] = False
    if not kept.any():
        return Change(gain=gain, board_share=0.0, reach_share=0.0, outside_share=0.0)
    left, top = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
    right, bottom = left + stats[:, cv2.CC_STAT_WIDTH], top + stats[:, cv2.CC_STAT_HEIGHT]
    at_edge = (left <= 1) | (top <= 1) | (right >= width - 1) | (bottom >= height - 1)
    on_board = np.bincount(labels[region.mask > 0], minlength=count).astype(np.float64)
    on_board[0] = 0.0
    outside = float(sizes[kept].sum()) - float(on_board[kept].sum())
    outside_area = max(1.0, float(height * width) - float(cv2.countNonZero(region.mask)))
    return Change(
        gain=gain,
        board_share=float(on_board[kept].sum()) / region.area_px,
        reach_share=float(on_board[kept & at_edge].max(initial=0.0)) / region.area_px,
        outside_share=outside / outside_area,
    )
