"""One disc, close up, with the boundary that decides about it and the distance to it."""

from __future__ import annotations

import math

import shapely

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.canvas import Canvas, Lettering, Pixels, text_width_px
from sonora_vision.detect.annotate.palette import DOUBT, INK, PAPER, WHITE, section_colors
from sonora_vision.detect.annotate.rectified import Rectified
from sonora_vision.detect.annotate.regions import (
    Boundary,
    circle_area,
    corner_area,
    deciding_boundary,
    section_areas,
)
from sonora_vision.observation import Disc, Reading

SIZE_PX = 560
"""Width and height of a close-up: sharp at half that size on a phone's dense screen."""
_VIEW_RADII = 1.9
"""Half of what a close-up shows, in radii of a disc."""
_FAR_RADII = 3.2
"""A boundary farther than this from the disc's center is named but not drawn to."""
_TEXT_PX = 34.0
_DECIDING = (255, 232, 80)


def draw_evidence(
    rectified: Rectified,
    board: BoardSpec,
    reading: Reading,
    index: int,
    *,
    size_px: int = SIZE_PX,
    caption: str | None = None,
) -> Pixels:
    """Draw a close-up of one disc.

    Parameters
    ----------
    rectified : Rectified
        The photograph from straight above.
    board : BoardSpec
        The board.
    reading : Reading
        What was read.
    index : int
        Place of the disc in the reading.
    size_px : int
        Width and height of the close-up.
    caption : str, optional
        Written in place of the distance in English; nothing where it is empty.

    Returns
    -------
    ndarray of uint8, shape (size_px, size_px, 3)
        BGR: the footprint, the deciding boundary in yellow, and the distance between them in mm.
    """
    disc = reading.discs[index]
    radius_mm = board.discs.radius_mm
    boundary = deciding_boundary(board, disc)
    near = boundary is not None and (
        math.dist(boundary.far_mm, disc.center_mm) <= _FAR_RADII * radius_mm
    )
    half_mm = radius_mm * _VIEW_RADII
    if boundary and near:
        half_mm = max(half_mm, math.dist(boundary.far_mm, disc.center_mm) * 1.15)
    x, y = disc.center_mm
    box_mm = (x - half_mm, y - half_mm, x + half_mm, y + half_mm)
    canvas = rectified.canvas(board, reading.discs, box_mm, size_px / (2 * half_mm))
    _draw_surroundings(canvas, board)
    if boundary and near:
        _draw_boundary(canvas, boundary)
    color, dash_px = (DOUBT, 14.0) if disc.doubts else (WHITE, 0.0)
    canvas.ring(disc.center_mm, radius_mm, color, width_px=4, dash_px=dash_px, halo_px=1.5)
    if boundary and near:
        canvas.dimension(boundary.near_mm, boundary.far_mm, _DECIDING, width_px=4)
    lettering = Lettering(canvas.pixels_bgr)
    words = boundary.words if boundary else "off the board"
    words = words if caption is None else caption
    if words:
        _write(lettering, canvas, disc, words, upside=bool(boundary and boundary.far_mm[1] > y))
    return lettering.pixels_bgr()


def _draw_surroundings(canvas: Canvas, board: BoardSpec) -> None:
    """Draw every printed line that is in view, thin."""
    colors = section_colors(board)
    corners = corner_area(board)
    for section, area in section_areas(board).items():
        for ring in shapely.get_parts(area.difference(corners).buffer(-0.25).boundary):
            canvas.stroke(list(ring.coords), colors[section], width_px=2, halo_px=1)
    for circle in board.multipliers:
        canvas.ring(
            circle.center_mm, circle.radius_mm, colors[circle.section], width_px=3, halo_px=1
        )
    if board.hole:
        canvas.ring(board.hole.center_mm, board.hole.radius_mm, WHITE, width_px=2, halo_px=1)
    canvas.stroke(board.outline_mm, WHITE, width_px=2, closed=True, halo_px=1)


def _draw_boundary(canvas: Canvas, boundary: Boundary) -> None:
    width, height = canvas.size_px
    view = circle_area(
        (
            canvas.origin_mm[0] + width / 2 / canvas.px_per_mm,
            canvas.origin_mm[1] + height / 2 / canvas.px_per_mm,
        ),
        width / canvas.px_per_mm,
    )
    for line in shapely.get_parts(shapely.line_merge(boundary.line).intersection(view)):
        if line.length > 0:
            canvas.stroke(list(line.coords), _DECIDING, width_px=6, halo_px=1.5)


def _write(lettering: Lettering, canvas: Canvas, disc: Disc, words: str, *, upside: bool) -> None:
    """Write the distance where it hides neither the disc nor the boundary."""
    width, height = canvas.size_px
    size_px = min(_TEXT_PX, _TEXT_PX * (width - 40) / text_width_px(words, _TEXT_PX))
    half = text_width_px(words, size_px) / 2 + 16
    middle = 34.0 if upside else height - 34.0
    edge = DOUBT if disc.doubts else INK
    box = (width / 2 - half, middle - 26, width / 2 + half, middle + 26)
    lettering.box((box[0] - 3, box[1] - 3, box[2] + 3, box[3] + 3), edge, radius_px=14)
    lettering.box(box, PAPER, radius_px=12)
    lettering.text((width / 2, middle), words, _DECIDING, size_px=size_px, anchor="mm", bold=True)
