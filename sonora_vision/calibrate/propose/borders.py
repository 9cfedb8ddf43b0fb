"""Borders of a board's areas, proposed from its rectified picture and snapped to what is printed.

Areas differ in color once decoration is smoothed away; between areas the border is where a
watershed on the steps and lines of the fine picture ends (Beucher and Lantuejoul 1979), and
then, point by point, the printed line near it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from skimage.graph import route_through_array
from skimage.measure import find_contours
from skimage.segmentation import watershed

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels

Floats = NDArray[np.float32]
Labels = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class BorderParams:
    """How areas are told apart; lengths are parts of the picture's longer side."""

    paints: int = 10
    """Colors that the smoothed picture is first reduced to."""
    alike: float = 5.0
    """Colors nearer than this (CIELAB, lightness at half weight) are one paint."""
    faint: float = 4.0
    """Steps of color along a border below this (same measure) are light, not print."""
    small: float = 0.04
    """Areas below this part of the board are joined before others."""
    smooth: float = 0.055
    """Width of the median that takes decoration away."""
    least_area: float = 0.012
    """Pieces that are a smaller part of the board belong to what is around them."""
    reach: float = 0.008
    """How far a border may be snapped."""
    straight: float = 0.0016
    """Borders that stray no farther from a straight line are drawn with a ruler."""


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
    lab = cv2.cvtColor(rectified_bgr, cv2.COLOR_BGR2LAB)
    hidden = _discs(lab.shape, circles_px, 1.12)
    plain = cv2.inpaint(lab, hidden, 5, cv2.INPAINT_TELEA) if hidden.any() else lab
    areas = _areas(plain, side, params)
    areas = _flood(plain, areas, hidden, side)
    areas = _without_faint(plain, areas, hidden, params)
    lines = [t for line in _lines(areas, side) if (t := _trimmed(line, circles_px)) is not None]
    cost = _cost(plain, hidden)
    lines = [_routed(cost, line, side) for line in lines]
    fine = cv2.GaussianBlur(lab, (0, 0), 0.8).astype(np.float32)
    snapped = [_snap(fine, hidden, line, side, params) for line in lines]
    return _joined(snapped, rectified_bgr.shape, circles_px, side)


def snap_line(
    rectified_bgr: Pixels,
    line_px: FloatArray,
    circles_px: Sequence[FloatArray],
    params: BorderParams | None = None,
) -> FloatArray:
    """Move a roughly drawn line onto the printed one near it; pixels of the picture."""
    params = params or BorderParams()
    side = max(rectified_bgr.shape[:2])
    fine = cv2.cvtColor(cv2.GaussianBlur(rectified_bgr, (0, 0), 0.8), cv2.COLOR_BGR2LAB)
    hidden = _discs(fine.shape, circles_px, 1.12)
    return _snap(fine.astype(np.float32), hidden, _resampled(line_px, side / 120), side, params)


def _discs(shape: tuple[int, ...], circles_px: Sequence[FloatArray], part: float) -> NDArray[np.uint8]:
    mask = np.zeros(shape[:2], np.uint8)
    for x, y, radius in circles_px:
        cv2.circle(mask, (round(x), round(y)), round(radius * part) + 2, 255, -1)
    return mask


def _areas(lab: Pixels, side: int, params: BorderParams) -> Labels:
    """Pieces of one paint each, at the picture's size; 0 where none is sure."""
    shrink = 400 / side
    small = cv2.resize(lab, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    width = round(params.smooth * 400) | 1
    smooth = cv2.medianBlur(small, width).astype(np.float32) * np.array([0.5, 1, 1], np.float32)
    rows, columns = smooth.shape[:2]
    cv2.setRNGSeed(1)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.2)
    _, paint, centers = cv2.kmeans(  # type: ignore[call-overload]
        smooth.reshape(-1, 3), params.paints, None, criteria, 2, cv2.KMEANS_PP_CENTERS
    )
    paint = _merged(paint.ravel(), centers, params.alike)[paint.ravel()].reshape(rows, columns)
    pieces = np.zeros((rows, columns), np.int32)
    count = 0
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    for each in np.unique(paint):
        core = cv2.morphologyEx((paint == each).astype(np.uint8), cv2.MORPH_OPEN, kernel)
        n, parts, stats, _ = cv2.connectedComponentsWithStats(core, connectivity=4)
        for k in range(1, n):
            if stats[k, cv2.CC_STAT_AREA] > params.least_area * rows * columns:
                count += 1
                core_k = cv2.erode((parts == k).astype(np.uint8), kernel, borderValue=1)
                pieces[core_k > 0] = count
    size = (lab.shape[1], lab.shape[0])
    return np.asarray(cv2.resize(pieces, size, interpolation=cv2.INTER_NEAREST), np.int32)


def _merged(paint: NDArray[np.int32], centers: Floats, alike: float) -> NDArray[np.int32]:
    """Which paint each of the colors is, the nearest joined first."""
    weights = np.bincount(paint, minlength=len(centers)).astype(np.float64)
    middle = centers.astype(np.float64)
    owner = np.arange(len(centers), dtype=np.int32)
    while len(live := np.flatnonzero(weights)) > 1:
        apart = np.linalg.norm(middle[live][:, None] - middle[live][None], axis=2)
        np.fill_diagonal(apart, np.inf)
        i, j = np.unravel_index(int(apart.argmin()), apart.shape)
        if apart[i, j] > alike:
            break
        a, b = live[i], live[j]
        total = weights[a] + weights[b]
        middle[a] = (middle[a] * weights[a] + middle[b] * weights[b]) / total
        weights[a], weights[b] = total, 0.0
        owner[owner == b] = a
    return owner


def _without_faint(
    lab: Pixels, areas: Labels, hidden: NDArray[np.uint8], params: BorderParams
) -> Labels:
    """Join areas between which nothing is printed: light alone changes from one to the other.

    Slivers on a border look like both sides of it; so the small are joined first, to one side.
    """
    values = cv2.GaussianBlur(lab, (0, 0), 1.5).astype(np.float32) * np.array([0.5, 1, 1], np.float32)
    while True:
        steps = _border_steps(values, areas, hidden)
        faint = sorted((step, pair) for pair, step in steps.items() if step < params.faint)
        if not faint:
            return areas
        sizes = np.bincount(areas.ravel())
        small = [f for f in faint if sizes[list(f[1])].min() < params.small * areas.size]
        one, other = (small or faint)[0][1]
        areas = np.where(areas == other, one, areas).astype(np.int32)


def _border_steps(
    values: Floats, areas: Labels, hidden: NDArray[np.uint8], reach: int = 8
) -> dict[tuple[int, int], float]:
    """Typical step of color over the border of each two areas that meet."""
    keys, aparts = [], []
    for dx, dy in ((reach, 0), (0, reach)):
        here, there = areas[: -dy or None, : -dx or None], areas[dy:, dx:]
        rows, columns = np.nonzero((here != there) & (hidden[: -dy or None, : -dx or None] == 0))
        apart = values[rows + dy, columns + dx] - values[rows, columns]
        key = np.stack([here[rows, columns], there[rows, columns]], axis=1)
        apart[key[:, 0] > key[:, 1]] *= -1
        keys.append(np.sort(key, axis=1))
        aparts.append(apart)
    key, apart = np.concatenate(keys), np.concatenate(aparts)
    steps = {}
    for pair in np.unique(key, axis=0):
        chosen = (key == pair).all(axis=1)
        if chosen.sum() > 200:
            step = float(np.linalg.norm(np.median(apart[chosen], axis=0)))
            steps[int(pair[0]), int(pair[1])] = step
    return steps


def _trimmed(line: FloatArray, circles_px: Sequence[FloatArray]) -> FloatArray | None:
    """The line without ends that lie in a circle; None where nothing is left."""
    inside = np.zeros(len(line), bool)
    for x, y, radius in circles_px:
        inside |= np.hypot(line[:, 0] - x, line[:, 1] - y) < 1.15 * radius
    free = np.flatnonzero(~inside)
    return line[free[0] : free[-1] + 1] if len(free) > 3 else None


def _cost(lab: Pixels, hidden: NDArray[np.uint8]) -> FloatArray:
    """What a pixel of a border costs: little on ink and on steps of color, at half the scale."""
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
    """The cheapest way between a line's ends near it: past decoration, not around it."""
    middle = (line + 0.5) / 2 - 0.5
    band = np.zeros(cost.shape, np.uint8)
    cv2.polylines(band, [np.round(middle).astype(np.int32)], False, 255, round(0.05 * side))
    limited = np.where(band > 0, cost, 1e6)
    size = np.array([cost.shape[1], cost.shape[0]]) - 1
    start, end = (np.clip(np.round(middle[k]).astype(int), 0, size) for k in (0, -1))
    path, _ = route_through_array(limited, start[::-1], end[::-1], geometric=True)
    points = (np.array(path, np.float64)[:, ::-1] + 0.5) * 2 - 0.5
    return _resampled(gaussian_filter1d(points, 3.0, axis=0, mode="nearest"), side / 120)


def _flood(lab: Pixels, seeds: Labels, hidden: NDArray[np.uint8], side: int) -> Labels:
    """Grow the pieces until they meet, on lines and steps of the fine picture."""
    shrink = 600 / side
    small = cv2.resize(lab, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    values = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
    dx, dy = (cv2.Sobel(values, cv2.CV_32F, *d, ksize=3, scale=0.25) for d in ((1, 0), (0, 1)))
    steps = np.sqrt((dx**2 + dy**2).sum(axis=2))
    light = values[..., 0]
    ink = np.maximum(cv2.morphologyEx(light, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)) - light, 0)
    height = 2.0 * ink + cv2.blur(steps, (3, 3))
    size = (small.shape[1], small.shape[0])
    height[cv2.resize(hidden, size, interpolation=cv2.INTER_NEAREST) > 0] = 0
    markers = cv2.resize(seeds.astype(np.float32), size, interpolation=cv2.INTER_NEAREST)
    flooded = watershed(height, markers.astype(np.int32))
    return np.asarray(
        cv2.resize(
            flooded.astype(np.float32), (lab.shape[1], lab.shape[0]), interpolation=cv2.INTER_NEAREST
        ),
        np.int32,
    )


def _lines(areas: Labels, side: int) -> list[FloatArray]:
    """The line between each two areas, in order along it, resampled evenly."""
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
                    found.append(_resampled(gaussian_filter1d(line, 4.0, axis=0, mode="nearest"), side / 120))
    return found


def _beyond(padded: Labels, points: FloatArray, label: int) -> Labels:
    """The other area at each point of an area's rim; 0 at the board's edge."""
    middle = np.round(points).astype(int)
    best = np.zeros(len(points), np.int32)
    for dx, dy in ((2, 0), (-2, 0), (0, 2), (0, -2)):
        row, column = middle[:, 1] + dy + 3, middle[:, 0] + dx + 3
        outside = (row < 3) | (column < 3) | (row >= padded.shape[0] - 3) | (column >= padded.shape[1] - 3)
        there = np.where(outside, 0, padded[row.clip(0, padded.shape[0] - 1), column.clip(0, padded.shape[1] - 1)])
        best = np.where((there != label) & (there > best), there, best)
    return best


def _runs(beyond: Labels, label: int) -> list[tuple[int, int]]:
    """Runs of one other area of a higher number, around a closed rim."""
    count = len(beyond)
    changes = np.flatnonzero(beyond != np.roll(beyond, 1))
    if not len(changes):
        return [(0, count)] if beyond[0] > label else []
    ends = np.append(changes[1:], changes[0] + count)
    return [(int(s), int(e)) for s, e in zip(changes, ends, strict=True) if beyond[s] > label]


def _resampled(line: FloatArray, step: float) -> FloatArray:
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    count = max(3, round(lengths[-1] / step) + 1)
    at = np.linspace(0.0, lengths[-1], count)
    return np.column_stack([np.interp(at, lengths, line[:, axis]) for axis in (0, 1)])


def _snap(
    fine: Floats, hidden: NDArray[np.uint8], line: FloatArray, side: int, params: BorderParams
) -> FloatArray:
    """Move a line onto the ink or step near it; straight ones become straight."""
    reach = params.reach * side
    for part in (1.0, 0.5):
        line = _snap_once(fine, hidden, line, reach * part)
    ruler, across = _ruled(line)
    strays = np.percentile(np.abs(across), (80, 95)) / side
    return ruler if strays[0] < params.straight and strays[1] < 5 * params.straight else line


def _snap_once(fine: Floats, hidden: NDArray[np.uint8], line: FloatArray, reach: float) -> FloatArray:
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
    """How well a step of color with ink over it explains each profile at each offset.

    The ink's width is one for the whole line, and its middle is the border.
    """
    tries = offsets[np.abs(offsets) <= reach + 1e-9]
    centered = np.swapaxes(profiles - profiles.mean(axis=1, keepdims=True), 1, 2)
    best: FloatArray | None = None
    for width in _INK_WIDTHS_PX:
        columns = []
        for at in tries:
            basis = _look(offsets - at, width)
            columns.append(np.square(centered @ basis[:, 1:]).sum(axis=(1, 2)))
        gains = np.stack(columns, axis=1)
        if best is None or np.median(gains.max(axis=1)) > 1.03 * np.median(best.max(axis=1)):
            best = gains
    assert best is not None
    return best / max(float(np.percentile(best.max(axis=1), 75)), 1e-6)


_INK_WIDTHS_PX = (0.0, 1.5, 2.5, 3.5, 5.0, 7.0)


def _look(local: FloatArray, width: float) -> FloatArray:
    """Orthonormal ground, step and ink line at 0, within a window about it."""
    columns = [np.ones_like(local), np.tanh(local)]
    if width > 0:
        columns.append(np.tanh(local + width / 2) - np.tanh(local - width / 2))
    window = np.exp(-np.square(local / 8.0))[:, None]
    return np.asarray(np.linalg.qr(np.column_stack(columns) * window)[0], np.float64)


def _smooth_path(gains: FloatArray, bend: float) -> NDArray[np.int_]:
    """The path of most gain whose neighbouring places differ little (Viterbi's algorithm)."""
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
    """The straight line through most of a line, and how far its points stray."""
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
    while ends:
        here = drawn[ends[0][0]][ends[0][1]]
        circle = _circle_at(here, circles_px)
        # Ends that belong together lie across a circle from each other, or close.
        near = reach if circle is None else max(reach, 2.6 * float(circle[2]))
        group = [e for e in ends if np.hypot(*(drawn[e[0]][e[1]] - here)) < near]
        ends = [e for e in ends if e not in group]
        if len(group) > 1:
            curved = circle is not None and any(len(drawn[i]) > 4 for i, _ in group)
            middle = (
                np.asarray(circle[:2])
                if curved and circle is not None
                else _crossing([_ray(drawn[i], end) for i, end in group])
            )
            for i, end in group:
                drawn[i] = np.vstack([middle, drawn[i]]) if end == 0 else np.vstack([drawn[i], middle])
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
