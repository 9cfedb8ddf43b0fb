"""Points on the lines that are printed on a board, as its description has them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import contains_xy, get_parts, points
from shapely.geometry import Polygon

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.geometry import CircleShape, PolygonShape, RingShape


@dataclass(frozen=True, kw_only=True)
class PrintedPoints:
    """Points on the printed lines of a board."""

    points_mm: FloatArray
    """Shape (n, 2), board frame."""
    normals: FloatArray
    """Unit normals of the lines, shape (n, 2)."""
    kinds: NDArray[np.int_]
    """0 the board's edge, 1 a zone border, 2 a multiplier, 3 the hole; shape (n,)."""


def printed_points(board: BoardSpec, step_mm: float = 3.0) -> PrintedPoints:
    """Return points every ``step_mm`` on all lines that can be seen on the empty board.

    Raised corners hide what is under and beside them, so nothing is taken there; nor are borders
    within a circle's edge, where another line crosses.
    """
    parts = [_along(np.array(board.outline_mm), step_mm, 0)]
    for zone in board.zones:
        if isinstance(zone.shape, PolygonShape):
            parts.append(_along(np.array(zone.shape.points_mm), step_mm, 1))
        elif isinstance(zone.shape, CircleShape):
            parts.append(_circle(zone.shape.center_mm, zone.shape.radius_mm, step_mm, 1))
        elif isinstance(zone.shape, RingShape):
            parts += [
                _circle(zone.shape.center_mm, radius, step_mm, 1)
                for radius in (zone.shape.inner_mm, zone.shape.outer_mm)
                if radius > 0
            ]
    for multiplier in board.multipliers:
        parts.append(_circle(multiplier.center_mm, multiplier.radius_mm, step_mm, 2))
    if board.hole is not None:
        parts.append(_circle(board.hole.center_mm, board.hole.radius_mm, step_mm, 3))
    return _keep_visible(board, [part for part in parts if len(part[0])])


def _along(corners: FloatArray, step_mm: float, kind: int) -> tuple[FloatArray, FloatArray, int]:
    found, normals = [], []
    ring = np.vstack([corners, corners[:1]])
    lengths = np.linalg.norm(np.diff(ring, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(lengths)])
    for place in np.arange(step_mm / 2, at[-1], step_mm):
        side = min(int(np.searchsorted(at, place, side="right")) - 1, len(lengths) - 1)
        direction = (ring[side + 1] - ring[side]) / lengths[side]
        found.append(ring[side] + (place - at[side]) * direction)
        normals.append([-direction[1], direction[0]])
    return np.array(found).reshape(-1, 2), np.array(normals).reshape(-1, 2), kind


def _circle(
    center_mm: tuple[float, float], radius_mm: float, step_mm: float, kind: int
) -> tuple[FloatArray, FloatArray, int]:
    count = max(24, int(2 * np.pi * radius_mm / step_mm))
    angles = np.arange(count) * 2 * np.pi / count
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(center_mm) + radius_mm * normals, normals, kind


def _keep_visible(
    board: BoardSpec, parts: list[tuple[FloatArray, FloatArray, int]]
) -> PrintedPoints:
    places = np.vstack([part[0] for part in parts])
    normals = np.vstack([part[1] for part in parts])
    kinds = np.concatenate([np.full(len(part[0]), part[2]) for part in parts])
    keep = np.ones(len(places), bool)
    for corner in board.launch_corners:
        raised = Polygon(corner.points_mm).buffer(2.0 + corner.height_mm)
        keep &= ~contains_xy(raised, places[:, 0], places[:, 1])
    edge = Polygon(board.outline_mm).exterior
    to_edge = np.asarray([edge.distance(p) for p in get_parts(points(places))])
    keep &= (kinds == 0) | (to_edge > 2.0)
    circles = [(m.center_mm, m.radius_mm, 2) for m in board.multipliers]
    if board.hole is not None:
        circles.append((board.hole.center_mm, board.hole.radius_mm, 3))
    for center, radius, kind in circles:
        near = np.linalg.norm(places - np.asarray(center), axis=1) < radius + 2.0
        keep &= ~near | (kinds == kind)
    return PrintedPoints(points_mm=places[keep], normals=normals[keep], kinds=kinds[keep])
