"""The areas that a draft's borders divide the board into, in mm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.wizard.draft import BoardDraft, Point, rounded
from sonora_vision.errors import UsageError

_CLOSE_MM = 1.0
"""Ends of borders that miss each other or the edge by less are meant to meet."""


@dataclass(frozen=True, kw_only=True)
class Area:
    """A part of the board between borders."""

    points_mm: tuple[Point, ...]
    label: int | None
    """Place in the draft's labels; None where nobody has labelled it."""


def areas(
    draft: BoardDraft, pose: BoardPose, outline_mm: FloatArray, height_mm: float = 0.0
) -> list[Area]:
    """Divide the board by its borders, taken to be seen ``height_mm`` above it.

    A line that does not reach the next one divides nothing; ends that nearly meet do.

    Raises
    ------
    UsageError
        Where the borders lie so that no areas can be made of them.
    """
    marks = [
        shapely.Point(pose.to_board(np.array([label.at_px]), height_mm)[0])
        for label in draft.labels
    ]
    found = []
    try:
        for piece in _pieces(draft, pose, outline_mm, height_mm):
            inside = [i for i, mark in enumerate(marks) if piece.contains(mark)]
            if points := _ring_mm(piece):
                found.append(Area(points_mm=points, label=inside[-1] if inside else None))
    except shapely.errors.ShapelyError:
        raise UsageError(
            "borders: they lie so that no areas can be made of them; undo the last edit, or delete "
            "the border that is wrong"
        ) from None
    return found


def _pieces(
    draft: BoardDraft, pose: BoardPose, outline_mm: FloatArray, height_mm: float
) -> list[shapely.Polygon]:
    """Return what the borders divide the board into, the largest first."""
    outline = shapely.Polygon(outline_mm)
    lines = [shapely.LinearRing(outline_mm)]
    for border in draft.borders:
        if len(border) >= 2:
            lines.append(shapely.LineString(pose.to_board(np.array(border), height_mm)))
    closed = [lines[0], *(_reaching(line, lines) for line in lines[1:])]
    pieces = shapely.get_parts(shapely.polygonize([shapely.unary_union(closed)]))
    within = outline.buffer(0.5)
    return [
        piece
        for piece in sorted(pieces, key=lambda each: -each.area)
        if piece.area >= 1e-3 * outline.area and within.contains(piece)
    ]


def _ring_mm(piece: shapely.Polygon) -> tuple[Point, ...]:
    """Return an area's rim with no more points than it needs, clockwise as seen, if it has one."""
    ring = shapely.remove_repeated_points(piece.exterior.simplify(0.03), 0.01)
    plain = shapely.Polygon([rounded(p) for p in np.asarray(ring.coords)])
    if not plain.is_valid:
        # Where an area is as narrow as what is left out, its rim meets itself.
        parts = shapely.get_parts(shapely.get_parts(shapely.make_valid(plain)))
        polygons = [part for part in parts if part.geom_type == "Polygon"]
        if not polygons:
            return ()
        plain = max(polygons, key=lambda each: float(each.area))
    points = np.asarray(plain.exterior.coords)[:-1]
    if shapely.LinearRing(points).is_ccw is False:  # y runs down, which swaps the two senses
        points = points[::-1]
    return tuple(rounded(p) for p in points)


def _reaching(line: shapely.LineString, others: Sequence[shapely.Geometry]) -> shapely.LineString:
    """Carry a line's ends on by a little, so that those that nearly meet do."""
    points = np.asarray(line.coords)
    for end, inner in ((0, 1), (-1, -2)):
        along = points[end] - points[inner]
        size = float(np.linalg.norm(along))
        gap = min(o.distance(shapely.Point(points[end])) for o in others if o is not line)
        if size > 0 and 1e-9 < gap < _CLOSE_MM:
            points[end] = points[end] + along / size * (gap + 0.5)
    return shapely.LineString(points)
