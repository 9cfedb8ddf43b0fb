"""The strokes of an annotated board: what is printed, where discs stand, what they count for."""

from __future__ import annotations

import math

import shapely

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.canvas import Canvas, Point, polygons
from sonora_vision.detect.annotate.captions import is_choice
from sonora_vision.detect.annotate.labels import Box
from sonora_vision.detect.annotate.palette import CHOICE, DOUBT, INK, QUIET, WHITE, section_colors
from sonora_vision.detect.annotate.regions import circle_area, corner_area, section_areas
from sonora_vision.observation import Disc

_INSET_PX = 2.2
"""How far within its zone a zone's line is drawn, so that two lines lie side by side."""
_DASH_PX = 17.0
_DOUBT_REACH_MM = 1.5
"""How far short of a multiplier a doubted disc is still joined to it by a line."""


def draw_print(canvas: Canvas, board: BoardSpec) -> None:
    """Draw what the board's description says is printed."""
    outline = shapely.Polygon(board.outline_mm)
    everywhere = outline.buffer(1000)
    canvas.shade(everywhere.difference(outline), INK, 0.55)
    corners = corner_area(board)
    colors = section_colors(board)
    for section, area in section_areas(board).items():
        inside = area.difference(corners).buffer(-_INSET_PX / canvas.px_per_mm)
        for polygon in polygons(inside):
            for line in (polygon.exterior, *polygon.interiors):
                canvas.stroke(
                    [(x, y) for x, y in line.coords[:-1]],
                    colors[section],
                    width_px=3,
                    closed=True,
                    halo_px=1,
                )
    for corner in board.launch_corners:
        canvas.stroke(corner.points_mm, QUIET, width_px=2, closed=True, dash_px=7, halo_px=1)
    if board.hole:
        canvas.ring(board.hole.center_mm, board.hole.radius_mm, QUIET, width_px=3, halo_px=1)
    canvas.stroke(board.outline_mm, WHITE, width_px=3, closed=True, halo_px=1.5)
    for circle in board.multipliers:
        canvas.ring(
            circle.center_mm, circle.radius_mm, colors[circle.section], width_px=4, halo_px=1.5
        )


def draw_touch(canvas: Canvas, board: BoardSpec, disc: Disc) -> None:
    """Draw a line from a disc's edge to each multiplier or zone that it counts for.

    A line starts at the edge so that the printed number stays free to be looked at.
    """
    colors = section_colors(board)
    for section in disc.sections:
        color = colors.get(section, QUIET)
        if disc.via == "multiplier":
            for center_mm in _touched_centers(board, disc, section):
                start = _toward(disc.center_mm, center_mm, board.discs.radius_mm)
                canvas.stroke([start, center_mm], color, width_px=5, halo_px=1.5)
                canvas.dot(center_mm, 8, color)
        elif disc.via == "zone":
            footprint = circle_area(disc.center_mm, board.discs.radius_mm)
            part = section_areas(board).get(section, shapely.Point()).intersection(footprint)
            if 0 < part.area < footprint.area * 0.995:
                inside = (part.centroid.x, part.centroid.y)
                canvas.shade(part, color, 0.22)
                start = _toward(disc.center_mm, inside, board.discs.radius_mm)
                end = _toward(disc.center_mm, inside, board.discs.radius_mm * 1.4)
                canvas.stroke([start, end], color, width_px=5, halo_px=1.5)
                canvas.dot(end, 8, color)


def draw_footprint(canvas: Canvas, board: BoardSpec, disc: Disc) -> None:
    """Draw where a disc stands, in its own color within white, or dashed where in doubt."""
    radius_mm = board.discs.radius_mm
    if disc.doubts:
        canvas.ring(disc.center_mm, radius_mm, DOUBT, width_px=5, dash_px=_DASH_PX, halo_px=1.5)
        return
    canvas.ring(disc.center_mm, radius_mm, WHITE, width_px=3, halo_px=1.5)
    if is_choice(disc):
        canvas.ring(disc.center_mm, radius_mm + 1.6, CHOICE, width_px=3, halo_px=1.5)
    if disc.state in ("stacked", "standing"):
        canvas.ring(disc.center_mm, radius_mm * 0.55, WHITE, width_px=2, dash_px=6, halo_px=1)


def draw_leader(canvas: Canvas, board: BoardSpec, disc: Disc, place: Box) -> None:
    """Join a label to its disc's edge."""
    x, y = canvas.at_px(disc.center_mm)
    end = (
        min(max(x, place[0] + 8), place[2] - 8) / canvas.px_per_mm + canvas.origin_mm[0],
        min(max(y, place[1] + 8), place[3] - 8) / canvas.px_per_mm + canvas.origin_mm[1],
    )
    start = _toward(disc.center_mm, end, board.discs.radius_mm)
    color = WHITE
    if disc.doubts:
        color = DOUBT
    elif disc.via == "zone" and len(disc.sections) == 1:
        color = section_colors(board).get(disc.sections[0], WHITE)
    canvas.stroke([start, end], color, width_px=3, halo_px=1)


def _touched_centers(board: BoardSpec, disc: Disc, section: str) -> list[Point]:
    reach_mm = board.discs.radius_mm + (_DOUBT_REACH_MM if disc.doubts else 0.05)
    return [
        circle.center_mm
        for circle in board.multipliers
        if circle.section == section
        and math.dist(circle.center_mm, disc.center_mm) <= circle.radius_mm + reach_mm
    ]


def _toward(start: Point, goal: Point, distance: float) -> Point:
    """Return the point that lies a distance from ``start`` in the direction of ``goal``."""
    length = math.dist(start, goal) or 1.0
    return (
        start[0] + (goal[0] - start[0]) * distance / length,
        start[1] + (goal[1] - start[1]) * distance / length,
    )
