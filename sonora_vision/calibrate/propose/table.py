"""A four-sided board told from the table that it lies on.

The table is what the picture's rim shows; what differs from it is the board.
"""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.propose.lines import meet, sides

_WIDTH_PX = 820
"""The table is told from the board in a picture of this width: grain is gone, corners are not."""


def rough_corners(flat: Pixels) -> FloatArray | None:
    """Four corners of what is not table, clockwise from the top left.

    A board's shadow is not table either, unless what a shadow could be is let off. That also lets
    off a dark board, so it is believed only where nearly the same board remains.
    """
    shrink = _WIDTH_PX / flat.shape[1]
    small = cv2.resize(flat, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    logs = np.log(cv2.medianBlur(small, 5).astype(np.float32) + 3.0)
    whole, lit = (_quad(_unlike_table(logs, shadow)) for shadow in (0.0, 1.6))
    whole, lit = (None if quad is None else _clockwise(quad) for quad in (whole, lit))
    best = whole
    if lit is not None and (whole is None or np.abs(lit - whole).max() < 0.06 * _WIDTH_PX):
        best = lit
    return None if best is None else (best + 0.5) / shrink - 0.5


def _quad(mask: NDArray[np.uint8]) -> FloatArray | None:
    places = cv2.findNonZero(mask)
    if places is None or mask.mean() < 0.04 * 255:
        return None
    hull = cv2.convexHull(places)
    corners = cv2.approxPolyN(hull, 4, None, -1, True).reshape(-1, 2).astype(np.float64)
    fits = len(corners) == 4 and cv2.contourArea(hull) >= 0.9 * _area(corners)
    if fits and all(_seen(mask, *side) for side in sides(corners)):
        return corners
    completed = _completed(mask, hull)
    if completed is not None:
        return completed
    return corners if fits else None


def _completed(mask: NDArray[np.uint8], hull: cv2.typing.MatLike) -> FloatArray | None:
    """Find the smallest board whose sides are seen in part: a corner may be like the table."""
    outer = cv2.approxPolyDP(hull, 4.0, True).reshape(-1, 2).astype(np.float64)
    outer = outer if cv2.contourArea(outer.astype(np.float32), True) > 0 else outer[::-1]
    long = 0.1 * np.sqrt(cv2.contourArea(hull))
    seen = [s for s in sides(outer) if np.linalg.norm(s[1] - s[0]) > long and _seen(mask, *s)]
    best, least = None, 1.5 * cv2.contourArea(hull)
    for four in combinations(seen, 4):
        lines = [(start, (end - start) / np.linalg.norm(end - start)) for start, end in four]
        corners = np.array([meet(lines[k - 1], lines[k]) for k in range(4)])
        if not np.isfinite(corners).all() or not cv2.isContourConvex(corners.astype(np.float32)):
            continue
        rim = corners.astype(np.float32)
        holds = min(cv2.pointPolygonTest(rim, point, True) for point in outer.tolist()) > -4.0
        if holds and _area(corners) < least:
            best, least = corners, _area(corners)
    return best


def _seen(mask: NDArray[np.uint8], start: FloatArray, end: FloatArray) -> bool:
    """Say whether the board is seen along half of a side, just within it."""
    normal = np.array([end[1] - start[1], start[0] - end[0]]) / np.linalg.norm(end - start)
    along = start + np.linspace(0.05, 0.95, 60)[:, None] * (end - start)
    size = np.array([mask.shape[1], mask.shape[0]]) - 1
    both = [np.clip(np.rint(along + k * normal), 0, size).astype(int) for k in (-3.0, 3.0)]
    return max(float(mask[at[:, 1], at[:, 0]].mean()) for at in both) > 0.5 * 255


def _area(corners: FloatArray) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _unlike_table(logs: NDArray[np.float32], shadow: float) -> NDArray[np.uint8]:
    """Mask of what departs from the table's log color, which may slope over the picture.

    What is darker by at most ``shadow`` log units, of the same hue, is let off.
    """
    height, width = logs.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    level = logs.mean(axis=2, keepdims=True)
    parts = np.concatenate([level, (logs - level)[..., :2]], axis=2)
    rim = np.zeros((height, width), bool)
    band = height // 14
    rim[:band], rim[-band:], rim[:, :band], rim[:, -band:] = True, True, True, True
    known, mask = rim, np.zeros((height, width), np.uint8)
    for _ in range(3):
        model, spread = _surface(terms[known][::11], parts[known][::11])
        apart = parts - (terms.reshape(-1, 6) @ model).reshape(parts.shape).astype(np.float32)
        dark = (apart[..., 0] < 0) & (apart[..., 0] > -shadow)
        apart[..., 0] = np.where(dark, 0.0, apart[..., 0])
        # A shadow is lit from elsewhere, which shifts its hue a little.
        unlike = np.square(apart / (spread + 0.02 * dark[..., None])).sum(axis=2) > 25.0
        mask = _solid(unlike.astype(np.uint8))
        # Once the board is known, all the table around it says what the table is like.
        known = rim | (cv2.dilate(mask, np.ones((31, 31), np.uint8)) == 0)
    return mask


def _surface(
    terms: NDArray[np.float32], values: NDArray[np.float32]
) -> tuple[FloatArray, FloatArray]:
    """Smooth colors through most of the places, and how far most stray from it."""
    weight = np.ones(len(terms))
    model, spread = np.zeros((6, 3)), np.ones(3)
    for _ in range(5):  # a hand or a card on the rim must not pull the fit
        factor = np.sqrt(weight)[:, None]
        found, *_ = np.linalg.lstsq(terms * factor, values * factor, rcond=None)
        model = np.asarray(found, np.float64)
        apart = values - terms @ model
        spread = 1.48 * np.median(np.abs(apart), axis=0) + np.array([0.025, 0.008, 0.008])
        weight = 1.0 / (1.0 + np.square(apart / (3 * spread)).sum(axis=1)) ** 2
    return model, spread


def _solid(unlike: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Large pieces, closed over what on the board looks like the table."""
    opened = cv2.morphologyEx(unlike, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    mask = np.zeros_like(unlike)
    largest = max((cv2.contourArea(c) for c in contours), default=0.0)
    large = [c for c in contours if cv2.contourArea(c) >= 0.02 * largest]
    cv2.drawContours(mask, large, -1, 255, -1)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((11, 11), np.uint8)), np.uint8)


def _clockwise(corners: FloatArray) -> FloatArray:
    around = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    return np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)
