"""The board's areas as shapes to draw and to measure distances to, in board mm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import shapely
import shapely.ops

from sonora_vision.calibrate.board_spec import BoardSpec, Zone
from sonora_vision.geometry import CircleShape, PolygonShape
from sonora_vision.observation import Disc

_QUAD_SEGMENTS = 64
"""A circle is drawn as four times as many corners: within 0.01 mm of a 100 mm one."""


@dataclass(frozen=True, kw_only=True)
class Boundary:
    """The printed line or edge that decides what a disc counts for."""

    words: str
    """How far the disc is from it, for a person."""
    line: shapely.Geometry
    """The boundary itself."""
    near_mm: tuple[float, float]
    """The point of the disc that the distance is measured from."""
    far_mm: tuple[float, float]
    """The nearest point of the boundary."""
    gap_mm: float
    """Distance between the two; negative for an overlap."""
    kind: Literal["hole", "circle", "corner", "border", "line"]
    """What it is: of a hole, a multiplier, a launch corner; of a zone by area, or by a touch."""
    name: str
    """The animal of a circle, the section beyond a border; empty for the rest."""


def zone_area(zone: Zone) -> shapely.Geometry:
    """Return the area of a zone."""
    shape = zone.shape
    if isinstance(shape, PolygonShape):
        return shapely.Polygon(shape.points_mm)
    if isinstance(shape, CircleShape):
        return circle_area(shape.center_mm, shape.radius_mm)
    outer = circle_area(shape.center_mm, shape.outer_mm)
    return outer.difference(circle_area(shape.center_mm, shape.inner_mm))


@lru_cache(maxsize=8)
def section_areas(board: BoardSpec) -> Mapping[str, shapely.Geometry]:
    """Return each section's zones as one area."""
    areas: dict[str, shapely.Geometry] = {}
    for zone in board.zones:
        area = zone_area(zone)
        areas[zone.section] = areas[zone.section].union(area) if zone.section in areas else area
    return areas


def corner_area(board: BoardSpec) -> shapely.Geometry:
    """Return all launch corners as one area."""
    return shapely.union_all([shapely.Polygon(c.points_mm) for c in board.launch_corners])


def circle_area(center_mm: tuple[float, float], radius_mm: float) -> shapely.Geometry:
    """Return a circle as a many-cornered polygon."""
    return shapely.Point(center_mm).buffer(radius_mm, quad_segs=_QUAD_SEGMENTS)


@lru_cache(maxsize=512)
def deciding_boundary(board: BoardSpec, disc: Disc) -> Boundary | None:
    """Return the boundary nearest to changing what a disc counts for.

    Parameters
    ----------
    board : BoardSpec
        The board.
    disc : Disc
        One disc of a reading.

    Returns
    -------
    Boundary or None
        The hole's edge for a disc in the hole; the circle for a disc on a multiplier; else the
        nearest of multipliers, launch corners and the border of the zone. None off the board, or
        on a board with nothing to be near to.
    """
    if disc.state == "off_board":
        return None
    if disc.via == "hole" and board.hole:
        center, radius = board.hole.center_mm, board.hole.radius_mm
        return _to_circle(disc, board.discs.radius_mm, center, radius, "hole", inside=True)
    circles = [
        _to_circle(disc, board.discs.radius_mm, m.center_mm, m.radius_mm, m.animal)
        for m in board.multipliers
        if disc.via != "multiplier" or m.section in disc.sections
    ]
    if disc.via == "multiplier":
        return _deciding_touch(circles, open_choice=len(disc.sections) > 1)
    nearest = min(circles, key=lambda boundary: boundary.gap_mm, default=None)
    others = (nearest, _to_border(board, disc), _to_corner(board, disc))
    candidates = [line for line in others if line is not None]
    return min(candidates, key=lambda boundary: abs(boundary.gap_mm), default=None)


def _deciding_touch(circles: list[Boundary], *, open_choice: bool) -> Boundary | None:
    """Return the touch that holds a disc on its multiplier: the deepest, of several the weakest."""
    touched = [circle for circle in circles if circle.gap_mm <= 0]
    if open_choice and touched:
        return max(touched, key=lambda circle: circle.gap_mm)
    return min(circles, key=lambda circle: circle.gap_mm, default=None)


def _to_circle(
    disc: Disc,
    radius_mm: float,
    center_mm: tuple[float, float],
    circle_mm: float,
    name: str,
    *,
    inside: bool = False,
) -> Boundary:
    """Measure from the disc's edge to a circle's, along the line through both centers."""
    x, y = disc.center_mm
    dx, dy = center_mm[0] - x, center_mm[1] - y
    distance = (dx * dx + dy * dy) ** 0.5
    ux, uy = (dx / distance, dy / distance) if distance > 1e-6 else (1.0, 0.0)
    if inside:
        gap = circle_mm - radius_mm - distance
        near = (x - ux * radius_mm, y - uy * radius_mm)
        far = (center_mm[0] - ux * circle_mm, center_mm[1] - uy * circle_mm)
        words = f"{gap:.1f} mm within the {name}" if gap >= 0 else f"{-gap:.1f} mm over its edge"
    else:
        gap = distance - radius_mm - circle_mm
        near = (x + ux * radius_mm, y + uy * radius_mm)
        far = (center_mm[0] - ux * circle_mm, center_mm[1] - uy * circle_mm)
        side = "short of" if gap > 0 else "onto"
        words = f"{abs(gap):.1f} mm {side} the {name}"
    line = circle_area(center_mm, circle_mm).boundary
    return Boundary(
        words=words,
        line=line,
        near_mm=near,
        far_mm=far,
        gap_mm=gap,
        kind="hole" if inside else "circle",
        name="" if inside else name,
    )


def _to_corner(board: BoardSpec, disc: Disc) -> Boundary | None:
    """Measure from the disc's center to the nearest launch corner's edge."""
    corners = corner_area(board)
    if corners.is_empty:
        return None
    here = shapely.Point(disc.center_mm)
    end = shapely.ops.nearest_points(corners.boundary, here)[0]
    gap = here.distance(end) * (-1 if corners.contains(here) else 1)
    words = f"center {abs(gap):.1f} mm {'off' if gap > 0 else 'onto'} a corner"
    return Boundary(
        words=words,
        line=corners.boundary,
        near_mm=disc.center_mm,
        far_mm=(end.x, end.y),
        gap_mm=gap,
        kind="corner",
        name="",
    )


def _to_border(board: BoardSpec, disc: Disc) -> Boundary | None:
    """Measure to the nearest border between two sections.

    Where the larger area decides, from the disc's center; where a touch decides, from its edge.
    """
    areas = section_areas(board)
    here = shapely.Point(disc.center_mm)
    own = min(areas, key=lambda section: areas[section].distance(here), default=None)
    if own is None:
        return None
    others = [area.boundary for section, area in areas.items() if section != own]
    line = areas[own].boundary.intersection(shapely.union_all(others).buffer(0.02))
    if line.is_empty:
        return None
    end = shapely.ops.nearest_points(line, here)[0]
    far = (end.x, end.y)
    distance = here.distance(end)
    other = min(
        (section for section in areas if section != own),
        key=lambda section: areas[section].distance(end),
    )
    if board.rule == "majority":
        words = f"center {distance:.1f} mm from {other}"
        return Boundary(
            words=words,
            line=line,
            near_mm=disc.center_mm,
            far_mm=far,
            gap_mm=distance,
            kind="border",
            name=other,
        )
    gap = distance - board.discs.radius_mm
    share = board.discs.radius_mm / distance if distance > 1e-6 else 0.0
    x, y = disc.center_mm
    near = (x + (far[0] - x) * share, y + (far[1] - y) * share)
    words = f"{abs(gap):.1f} mm {'short of' if gap > 0 else 'over'} the {other} line"
    return Boundary(
        words=words, line=line, near_mm=near, far_mm=far, gap_mm=gap, kind="line", name=other
    )
