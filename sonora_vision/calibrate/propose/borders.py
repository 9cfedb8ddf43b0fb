"""Borders of a board's areas, proposed from its rectified picture and snapped to what is printed.

The rims of the areas are rough; each is replaced by the cheapest way along ink and steps of color
between its ends ("intelligent scissors", Mortensen and Barrett 1995), then moved onto the print.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from skimage.graph import route_through_array
from skimage.measure import find_contours

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.propose.areas import BorderParams, Labels, find_areas
from sonora_vision.calibrate.propose.snap import resampled, snap


def propose_borders(
    rectified_bgr: Pixels, circles_px: Sequence[FloatArray], params: BorderParams | None = None
) -> list[FloatArray]:
    """Propose the borders between areas.

    Parameters
    ----------
    rectified_bgr
        The board from straight above, its outline the picture's edge; about 1000 pixels.
    circles_px
        Circles (x, y, radius) that lie over the areas: holes and printed circles.

    Returns
    -------
    list of ndarray of float64, shape (n, 2)
        Lines in pixels of the picture; they end at each other, at the edge, or in a circle.
    """
    params = params or BorderParams()
    side = max(rectified_bgr.shape[:2])
    lab = np.asarray(cv2.cvtColor(rectified_bgr, cv2.COLOR_BGR2LAB), np.uint8)
    hidden = _discs(lab.shape, circles_px, 1.12)
    plain = lab
    if hidden.any():
        plain = np.asarray(cv2.inpaint(lab, hidden, 5, cv2.INPAINT_TELEA), np.uint8)
    areas = find_areas(plain, hidden, params)
    lines = [t for line in _lines(areas, side) if (t := _trimmed(line, circles_px)) is not None]
    cost = _cost(plain, hidden)
    lines = [_routed(cost, line, side) for line in lines]
    fine = cv2.GaussianBlur(lab, (0, 0), 0.8).astype(np.float32)
    snapped = [snap(fine, hidden, line, side, params) for line in lines]
    return _joined(snapped, rectified_bgr.shape, circles_px, side)


def trace_border(
    rectified_bgr: Pixels,
    points_px: FloatArray,
    circles_px: Sequence[FloatArray],
    params: BorderParams | None = None,
) -> FloatArray:
    """Follow the printed line between roughly given points, at least two.

    Parameters
    ----------
    rectified_bgr
        As in :func:`propose_borders`.
    points_px
        Points on the line, in order, shape (n, 2), pixels of the picture.
    circles_px
        What lies over the line.

    Returns
    -------
    ndarray of float64, shape (m, 2)
    """
    params = params or BorderParams()
    side = max(rectified_bgr.shape[:2])
    lab = cv2.cvtColor(rectified_bgr, cv2.COLOR_BGR2LAB)
    hidden = _discs(lab.shape, circles_px, 1.12)
    cost = _cost(np.asarray(lab, np.uint8), hidden)
    parts = [_routed(cost, np.array(pair, np.float64), side) for pair in pairwise(points_px)]
    line = np.vstack([parts[0], *(part[1:] for part in parts[1:])])
    fine = cv2.GaussianBlur(lab, (0, 0), 0.8).astype(np.float32)
    return snap(fine, hidden, resampled(line, side / 120), side, params)


def _discs(
    shape: tuple[int, ...], circles_px: Sequence[FloatArray], part: float
) -> NDArray[np.uint8]:
    mask = np.zeros(shape[:2], np.uint8)
    for x, y, radius in circles_px:
        cv2.circle(mask, (round(x), round(y)), round(radius * part) + 2, 255, -1)
    return mask


def _trimmed(line: FloatArray, circles_px: Sequence[FloatArray]) -> FloatArray | None:
    """Return the line without ends that lie in a circle; None where nothing is left."""
    inside = np.zeros(len(line), bool)
    for x, y, radius in circles_px:
        inside |= np.hypot(line[:, 0] - x, line[:, 1] - y) < 1.15 * radius
    free = np.flatnonzero(~inside)
    return line[free[0] : free[-1] + 1] if len(free) > 3 else None


def _cost(lab: Pixels, hidden: NDArray[np.uint8]) -> FloatArray:
    """Price a border's pixels: little on ink and on steps of color, at half the scale."""
    half = cv2.resize(lab, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    values = cv2.GaussianBlur(half, (0, 0), 0.7).astype(np.float32)
    light = values[..., 0]
    ink = np.maximum(cv2.morphologyEx(light, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)) - light, 0)
    wide = cv2.medianBlur(half, 9).astype(np.float32)
    dx, dy = (cv2.Sobel(wide, cv2.CV_32F, *d, ksize=3, scale=0.25) for d in ((1, 0), (0, 1)))
    steps = np.sqrt((dx**2 + dy**2).sum(axis=2))
    found = np.minimum(ink / 12.0, 1.0) + np.minimum(steps / 8.0, 1.0)
    cost = 0.06 + np.exp(-1.5 * found)
    size = (half.shape[1], half.shape[0])
    cost[cv2.resize(hidden, size, interpolation=cv2.INTER_NEAREST) > 0] = 0.15
    return np.asarray(cost, np.float64)


def _routed(cost: FloatArray, line: FloatArray, side: int) -> FloatArray:
    """Return the cheapest way between a line's ends near it: past decoration, not around it."""
    middle = (line + 0.5) / 2 - 0.5
    band = np.zeros(cost.shape, np.uint8)
    cv2.polylines(band, [np.round(middle).astype(np.int32)], False, 255, round(0.05 * side))
    limited = np.where(band > 0, cost, 1e6)
    size = np.array([cost.shape[1], cost.shape[0]]) - 1
    start, end = (np.clip(np.round(middle[k]).astype(int), 0, size) for k in (0, -1))
    path, _ = route_through_array(limited, start[::-1], end[::-1], geometric=True)
    points = (np.array(path, np.float64)[:, ::-1] + 0.5) * 2 - 0.5
    return resampled(gaussian_filter1d(points, 3.0, axis=0, mode="nearest"), side / 120)


def _lines(areas: Labels, side: int) -> list[FloatArray]:
    """Return the line between each two areas, in order along it, resampled evenly."""
    found = []
    padded = np.pad(areas, 3, mode="edge")
    for label in range(1, int(areas.max()) + 1):
        inside = np.pad((areas == label).astype(np.float32), 1)
        for contour in find_contours(inside, 0.5):
            points = contour[:, ::-1] - 1.0
            beyond = _beyond(padded, points, label)
            for start, end in _runs(beyond, label):
                line = points[np.arange(start, end) % len(points)]
                if len(line) > side / 25:
                    found.append(
                        resampled(gaussian_filter1d(line, 4.0, axis=0, mode="nearest"), side / 120)
                    )
    return found


def _beyond(padded: Labels, points: FloatArray, label: int) -> Labels:
    """Name the other area at each point of an area's rim; 0 at the board's edge."""
    middle = np.round(points).astype(int)
    best = np.zeros(len(points), np.int32)
    for dx, dy in ((2, 0), (-2, 0), (0, 2), (0, -2)):
        row, column = middle[:, 1] + dy + 3, middle[:, 0] + dx + 3
        outside = (
            (row < 3)
            | (column < 3)
            | (row >= padded.shape[0] - 3)
            | (column >= padded.shape[1] - 3)
        )
        there = np.where(
            outside,
            0,
            padded[row.clip(0, padded.shape[0] - 1), column.clip(0, padded.shape[1] - 1)],
        )
        best = np.where((there != label) & (there > best), there, best)
    return best


def _runs(beyond: Labels, label: int) -> list[tuple[int, int]]:
    """Find runs of one other area of a higher number, around a closed rim."""
    count = len(beyond)
    changes = np.flatnonzero(beyond != np.roll(beyond, 1))
    if not len(changes):
        return [(0, count)] if beyond[0] > label else []
    ends = np.append(changes[1:], changes[0] + count)
    return [(int(s), int(e)) for s, e in zip(changes, ends, strict=True) if beyond[s] > label]


def _joined(
    lines: Sequence[FloatArray], shape: tuple[int, ...], circles_px: Sequence[FloatArray], side: int
) -> list[FloatArray]:
    """Carry lines on to the edge, and where several end together, to one point."""
    reach = 0.025 * side
    edge = np.array([shape[1], shape[0]]) - 0.5
    ends: list[tuple[int, int]] = []
    drawn = [line.copy() for line in lines]
    for i, line in enumerate(drawn):
        for end in (0, -1):
            to_edge = np.concatenate([line[end] + 0.5, edge - line[end]])
            if to_edge.min() < reach:
                drawn[i] = _carried_on(drawn[i], end, 1.5 * reach)
            else:
                ends.append((i, end))
    # Those at a circle first: else one that ends a little farther out takes some of them away.
    ends.sort(key=lambda e: _circle_at(drawn[e[0]][e[1]], circles_px) is None)
    while ends:
        here = drawn[ends[0][0]][ends[0][1]]
        circle = _circle_at(here, circles_px)
        # Ends that belong together are close, or about one circle.
        middle_px, near = (here, reach) if circle is None else (circle[:2], 1.6 * float(circle[2]))
        group = [e for e in ends if np.hypot(*(drawn[e[0]][e[1]] - middle_px)) < near]
        here_too = [drawn[i][end] for i, end in group]
        group += [
            e
            for e in ends
            if e not in group
            and min(np.hypot(*(drawn[e[0]][e[1]] - at)) for at in here_too) < 0.5 * reach
        ]
        ends = [e for e in ends if e not in group]
        if len(group) > 1:
            curved = circle is not None and any(len(drawn[i]) > 4 for i, _ in group)
            middle = (
                np.asarray(circle[:2])
                if curved and circle is not None
                else _crossing([_ray(drawn[i], end) for i, end in group])
            )
            for i, end in group:
                drawn[i] = (
                    np.vstack([middle, drawn[i]]) if end == 0 else np.vstack([drawn[i], middle])
                )
    return drawn


def _circle_at(point: FloatArray, circles_px: Sequence[FloatArray]) -> FloatArray | None:
    for circle in circles_px:
        if np.hypot(point[0] - circle[0], point[1] - circle[1]) < 1.4 * circle[2]:
            return circle
    return None


def _ray(line: FloatArray, end: int) -> tuple[FloatArray, FloatArray]:
    inner = line[min(6, len(line) - 1)] if end == 0 else line[max(-7, -len(line))]
    along = line[end] - inner
    return line[end], along / max(float(np.linalg.norm(along)), 1e-6)


def _crossing(rays: Sequence[tuple[FloatArray, FloatArray]]) -> FloatArray:
    """Point nearest to all lines, held near the middle of their ends."""
    points = np.array([p for p, _ in rays])
    middle = points.mean(axis=0)
    matrix, right = 0.02 * np.eye(2), 0.02 * middle
    for point, along in rays:
        across = np.eye(2) - np.outer(along, along)
        matrix, right = matrix + across, right + across @ point
    return np.asarray(np.linalg.solve(matrix, right), np.float64)


def _carried_on(line: FloatArray, end: int, length: float) -> FloatArray:
    point, along = _ray(line, end)
    beyond = point + length * along
    return np.vstack([beyond, line]) if end == 0 else np.vstack([line, beyond])
