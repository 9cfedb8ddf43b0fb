"""Areas of a board, told apart by color in its rectified picture.

Decoration is smoothed away and the colors that are left are grouped; the groups grow, on the fine
picture, until they meet on its steps and lines (watershed, Beucher and Lantuejoul 1979).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.segmentation import watershed

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
    unlike: float = 9.0
    """Large areas whose colors are farther apart are two, however faint their border."""
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


def find_areas(plain_lab: Pixels, hidden: NDArray[np.uint8], params: BorderParams) -> Labels:
    """Label the areas of a picture.

    Parameters
    ----------
    plain_lab
        The picture in CIELAB, what lies over the areas painted out, shape (height, width, 3).
    hidden
        Mask (255) of what was painted out.

    Returns
    -------
    ndarray of int32, shape (height, width)
        A number for each area.
    """
    side = max(plain_lab.shape[:2])
    areas = _flood(plain_lab, _areas(plain_lab, side, params), hidden, side)
    return _without_faint(plain_lab, areas, hidden, params)


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
            flooded.astype(np.float32),
            (lab.shape[1], lab.shape[0]),
            interpolation=cv2.INTER_NEAREST,
        ),
        np.int32,
    )


def _without_faint(
    lab: Pixels, areas: Labels, hidden: NDArray[np.uint8], params: BorderParams
) -> Labels:
    """Join areas between which nothing is printed: light alone changes from one to the other.

    Slivers on a border look like both sides of it; so the small are joined first, to one side.
    """
    values = cv2.GaussianBlur(lab, (0, 0), 1.5).astype(np.float32) * np.array(
        [0.5, 1, 1], np.float32
    )
    while True:
        steps = _border_steps(values, areas, hidden)
        sizes = np.bincount(areas.ravel())
        faint = sorted((step, pair) for pair, step in steps.items() if step < params.faint)
        small = [f for f in faint if sizes[list(f[1])].min() < params.small * areas.size]
        large = [f for f in faint if _colors_apart(values, areas, hidden, f[1]) < params.unlike]
        if not (small or large):
            return areas
        one, other = (small or large)[0][1]
        areas = np.where(areas == other, one, areas).astype(np.int32)


def _colors_apart(
    values: Floats, areas: Labels, hidden: NDArray[np.uint8], pair: tuple[int, int]
) -> float:
    """Return how far the typical colors of two areas are apart."""
    seen = hidden[::4, ::4] == 0
    middle = [
        np.median(values[::4, ::4][(areas[::4, ::4] == label) & seen], axis=0) for label in pair
    ]
    return float(np.linalg.norm(middle[0] - middle[1]))


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
