"""A proposed outline moved onto the board's edge, which is straight between raised corners.

The edge is looked for as it is where a measured board's description is fitted, so that both find
the same one.
"""

from __future__ import annotations

import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec, DiscSet, Zone
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.printed import line_offsets
from sonora_vision.calibrate.printed_points import PrintedPoints
from sonora_vision.calibrate.propose.outline import meet
from sonora_vision.calibrate.propose.plane import board_plane
from sonora_vision.geometry import PolygonShape

_SIDE_MM = 400.0
"""What the first side is taken for while nobody has told its length."""
_MIDDLE = (0.27, 0.73)
"""Raised corners stand out from the board's edge; between them it is seen as it is."""
_POINTS = 60
_REACHES_MM = (2.5, 1.5)
_LEAST_SEEN = 0.5
"""Share of a side's points at which an edge must be seen, for it to be moved."""


def refine_outline(pixels_bgr: Pixels, lens: Lens, corners_px: FloatArray) -> FloatArray:
    """Move the corners of a four-sided outline so that its sides lie on the board's edge.

    Parameters
    ----------
    pixels_bgr
        Picture of the empty board.
    lens
        Intrinsics at its size.
    corners_px
        Corners to a millimetre or two, clockwise, shape (4, 2), pixels.

    Returns
    -------
    ndarray of float64, shape (4, 2)
        Pixels.
    """
    for reach_mm in _REACHES_MM:
        pose, outline = board_plane(lens, corners_px, _SIDE_MM)
        printed = _points_on(outline)
        offsets, weights = line_offsets(pixels_bgr, pose, _rough(outline), printed, reach_mm)
        sides = []
        for side in range(4):
            rows = slice(side * _POINTS, (side + 1) * _POINTS)
            sides.append(_moved(printed, rows, offsets, weights))
        corners = np.array([meet(sides[i - 1], sides[i]) for i in range(4)])
        if not np.isfinite(corners).all():
            break
        corners_px = np.asarray(pose.project(corners), np.float64)
    return corners_px


def _points_on(outline: FloatArray) -> PrintedPoints:
    ends = np.roll(outline, -1, axis=0)
    along = np.linspace(*_MIDDLE, _POINTS)[None, :, None]
    points = outline[:, None] + along * (ends - outline)[:, None]
    directions = (ends - outline) / np.linalg.norm(ends - outline, axis=1, keepdims=True)
    normals = np.column_stack([-directions[:, 1], directions[:, 0]])
    return PrintedPoints(
        points_mm=points.reshape(-1, 2),
        normals=np.repeat(normals, _POINTS, axis=0),
        kinds=np.zeros(4 * _POINTS, int),
    )


def _moved(
    printed: PrintedPoints, rows: slice, offsets: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Point on and direction of a side, moved to where its edge is seen."""
    points, normal = printed.points_mm[rows], printed.normals[rows][0]
    seen = weights[rows] > 0
    along = np.linspace(-1.0, 1.0, len(points))
    shift: FloatArray = np.zeros(2)
    if seen.mean() > _LEAST_SEEN:
        terms = np.column_stack([along, np.ones_like(along)])
        weight = weights[rows]
        for _ in range(8):
            normal_matrix = terms.T @ (terms * weight[:, None]) + 1e-9 * np.eye(2)
            fitted = np.linalg.solve(normal_matrix, terms.T @ (offsets[rows] * weight))
            shift = np.asarray(fitted, np.float64)
            strays = offsets[rows] - terms @ shift
            weight = weights[rows] / (1.0 + np.square(strays / 0.15))
    ends = points[[0, -1]] + np.outer([shift[1] - shift[0], shift[1] + shift[0]], normal)
    return ends.mean(axis=0), (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])


def _rough(outline: FloatArray) -> BoardSpec:
    points = tuple((float(x), float(y)) for x, y in outline)
    return BoardSpec(
        name="board",
        rule="majority",
        outline_mm=points,
        zones=(Zone(section="board", shape=PolygonShape(points_mm=points)),),
        hole=None,
        discs=DiscSet(radius_mm=1.0, height_mm=1.0, colors=("disc",), numbers=()),
    )
