"""What the empty board looks like, from one photograph of it with discs on.

Each zone is mostly of one color, whatever is printed or lies on it, and the light changes slowly
across the board: a robust fit of both gives the flat board (zones of one color, in even light).
Where discs lie, the flat board stands in for what they hide.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.rectify import View
from sonora_vision.calibrate.taught import taught_view
from sonora_vision.geometry import CircleShape, Point, PolygonShape, Shape, edge_distance_mm

FloatArray = NDArray[np.float64]

STEP_PX = 6
"""Every sixth pixel each way is fitted: some ten thousand."""
LOG_FLOOR = 3.0
"""Added before the logarithm, grey levels."""
SCALES = (0.6, 0.4, 0.25, 0.15, 0.15)
"""Log units beyond which a pixel is print or a disc rather than its zone; narrowed pass by pass."""
BRIGHTEST = 235.0
"""Grey level that the brightest hundredth of the evened picture may have."""
LEAST_SHARE = 0.15
"""Part of a multiplier that must be in view, of all of its animal, for its color to be known."""
HOLE_DARK = 0.15
"""The hole is as dark as this part of its pixels: a disc may lie in it."""


@dataclass(frozen=True, eq=False)
class BareBoard:
    """A board's look in even light, rectified; pixels are of ``taught_view``'s size."""

    flat_bgr: Pixels
    """Every zone in its own color, nothing on it."""
    even_bgr: Pixels
    """The photograph itself, evened."""

    def painted_over(self, hidden: NDArray[np.bool_], board: BoardSpec) -> Pixels:
        """Return the evened picture with what things hide painted in.

        A zone's color comes from the flat board, a multiplier's from what is in view of all the
        circles of its animal.

        Parameters
        ----------
        hidden
            Where something lies, shape of the pictures.
        board
            The board.
        """
        paint = self.flat_bgr.copy()
        view = taught_view(board)
        circles = [
            (each.animal, _distances(_circle(each.center_mm, each.radius_mm), view) < 0)
            for each in board.multipliers
        ]
        for animal, within in circles:
            alike = np.logical_or.reduce([other for name, other in circles if name == animal])
            in_view = alike & ~hidden
            if in_view.sum() > LEAST_SHARE * within.sum():
                paint[within] = np.median(self.even_bgr[in_view], axis=0)
        return np.where(hidden[..., None], paint, self.even_bgr)


def bare_board(rectified_bgr: Pixels, board: BoardSpec) -> BareBoard:
    """Tell zones' colors and light apart.

    Parameters
    ----------
    rectified_bgr
        The photograph rectified to ``taught_view(board)``.
    board
        The board.
    """
    view = taught_view(board)
    labels = _labels(board, view)
    logs = np.log(rectified_bgr.astype(np.float32) + LOG_FLOOR)
    colors, light = _fit(logs, labels)
    bright = float(np.percentile((logs - light)[labels >= 0], 99))
    shift = min(0.0, float(np.log(BRIGHTEST + LOG_FLOOR)) - bright)
    flat = colors[np.maximum(labels, 0)] + shift
    if board.hole is not None:
        within = _distances(_circle(board.hole.center_mm, board.hole.radius_mm), view) < 0
        flat[within] = np.quantile((logs - light)[within], HOLE_DARK, axis=0) + shift
    return BareBoard(flat_bgr=_grey_levels(flat), even_bgr=_grey_levels(logs - light + shift))


def _circle(center_mm: Point, radius_mm: float) -> CircleShape:
    return CircleShape(center_mm=center_mm, radius_mm=radius_mm)


def _grey_levels(logs: NDArray[np.float32]) -> Pixels:
    return np.clip(np.exp(logs) - LOG_FLOOR + 0.5, 0, 255).astype(np.uint8)


def _labels(board: BoardSpec, view: View) -> NDArray[np.int32]:
    """Which paint a pixel has: a zone's, the raised corners', or (first) that of the rest."""
    labels = np.zeros((view.size_px[1], view.size_px[0]), np.int32)
    sections = list(dict.fromkeys(zone.section for zone in board.zones))
    for zone in board.zones:
        labels[_distances(zone.shape, view) < 0] = 1 + sections.index(zone.section)
    for corner in board.launch_corners:
        shape = PolygonShape(points_mm=corner.points_mm)
        labels[_distances(shape, view) < 0] = 1 + len(sections)
    labels[_distances(PolygonShape(points_mm=board.outline_mm), view) > 0] = -1
    return labels


def _distances(shape: Shape, view: View) -> FloatArray:
    """Distance of every pixel from a shape's edge, by interpolation between every fourth."""
    width, height = view.size_px
    step = 4
    columns, rows = np.arange(0, width + step, step), np.arange(0, height + step, step)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float64)
    coarse = edge_distance_mm(shape, view.to_mm(grid)).astype(np.float32)
    fine = np.array([[1.0 / step, 0.0, 0.0], [0.0, 1.0 / step, 0.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(coarse, fine, (width, height), flags=flags), np.float64)


def _fit(
    logs: NDArray[np.float32], labels: NDArray[np.int32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Colors, shape (labels, 3), and light, shape of ``logs``: weighted least squares, repeated."""
    height, width = labels.shape
    x, y = (
        axis.astype(np.float32)
        for axis in np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    )
    part = (slice(STEP_PX // 2, None, STEP_PX), slice(STEP_PX // 2, None, STEP_PX))
    on_board = labels[part] >= 0
    label, values = labels[part][on_board], logs[part][on_board].astype(np.float64)
    count = int(labels.max()) + 1
    slopes = _slopes(x[part][on_board], y[part][on_board])
    design = np.column_stack([np.eye(count)[label], slopes])
    own = [values[label == k] for k in range(count)]
    guess = np.array([np.median(each if len(each) else values, axis=0) for each in own])
    solution = np.vstack([guess, np.zeros((slopes.shape[1], 3))])
    for scale in SCALES:
        apart = values - design @ solution
        weight = 1.0 / (1.0 + (apart**2).sum(axis=1) / scale**2) ** 2
        weighted = (design * weight[:, None]).T
        # What little holds the solution back holds it to the guess, for labels of no pixels.
        hold = 1e-6 * len(design)
        normal = weighted @ design + hold * np.eye(design.shape[1])
        solution = np.linalg.solve(normal, weighted @ values + hold * solution)
    light = np.tensordot(_slopes(x, y), solution[count:], axes=1)
    middle = np.average(slopes @ solution[count:], axis=0)
    return (
        (solution[:count] + middle).astype(np.float32),
        (light - middle).astype(np.float32),
    )


def _slopes(x: NDArray[np.float32], y: NDArray[np.float32]) -> FloatArray:
    """Lay out a lamp's falloff to second order."""
    return np.stack([x, y, x * x, x * y, y * y], axis=-1).astype(np.float64)
