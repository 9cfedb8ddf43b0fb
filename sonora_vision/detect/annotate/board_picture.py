"""The rectified board with everything that was read drawn in."""

from __future__ import annotations

import math

import cv2
import numpy as np
import shapely

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.canvas import (
    Canvas,
    Lettering,
    Pixels,
    Point,
    polygons,
    text_width_px,
)
from sonora_vision.detect.annotate.captions import details, headline, is_choice
from sonora_vision.detect.annotate.labels import Anchor, Box, place_labels
from sonora_vision.detect.annotate.legend import draw_legend, write_badge
from sonora_vision.detect.annotate.palette import (
    CHOICE,
    DOUBT,
    INK,
    PAPER,
    QUIET,
    WHITE,
    Rgb,
    section_colors,
)
from sonora_vision.detect.annotate.regions import circle_area, corner_area, section_areas
from sonora_vision.detect.annotate.room import Room
from sonora_vision.observation import Disc, Reading

PX_PER_MM = 4.0
MARGIN_RADII = 1.7
"""Table shown around the board, in radii of a disc: room for labels of discs at the edge."""
TEXT_MM = 6.6
"""Height of a label's first line: legible on a phone with the picture zoomed twice."""
_DASH_PX = 13.0
_DOUBT_REACH_MM = 1.5
"""How far short of a multiplier a doubted disc is still joined to it by a line."""


def rectified_canvas(
    rectified_bgr: Pixels,
    px_per_mm: float,
    origin_mm: Point,
    *,
    box_mm: tuple[float, float, float, float],
    scale: float,
) -> Canvas:
    """Return a canvas of a part of a rectified picture at another scale.

    ``box_mm`` is left, top, right, bottom on the board; what the picture does not show is dark.
    """
    width = round((box_mm[2] - box_mm[0]) * scale)
    height = round((box_mm[3] - box_mm[1]) * scale)
    step = px_per_mm / scale
    matrix = np.array(
        [
            [step, 0.0, (box_mm[0] - origin_mm[0]) * px_per_mm],
            [0.0, step, (box_mm[1] - origin_mm[1]) * px_per_mm],
        ]
    )
    pixels = cv2.warpAffine(
        rectified_bgr,
        matrix,
        (width, height),
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderValue=PAPER[::-1],
    )
    return Canvas(np.asarray(pixels, np.uint8), px_per_mm=scale, origin_mm=(box_mm[0], box_mm[1]))


def draw_reading(
    rectified_bgr: Pixels, px_per_mm: float, origin_mm: Point, board: BoardSpec, reading: Reading
) -> Pixels:
    """Draw a reading on its rectified board, with a legend below.

    Parameters
    ----------
    rectified_bgr : ndarray of uint8, shape (rows, cols, 3)
        The board seen from straight above, at the height of its surface.
    px_per_mm : float
        Scale of that picture.
    origin_mm : tuple of float
        Board-frame point of the centre of its pixel (0, 0).
    board : BoardSpec
        The board.
    reading : Reading
        What was read.

    Returns
    -------
    ndarray of uint8, shape (rows, cols, 3)
        BGR, at ``PX_PER_MM``; a new array.
    """
    picture = draw_board(rectified_bgr, px_per_mm, origin_mm, board, reading)
    box_mm = _shown_mm(board)
    strip = draw_legend(
        board,
        reading,
        [disc for disc in reading.discs if not _within(disc.center_mm, box_mm)],
        width_px=picture.shape[1],
        text_px=TEXT_MM * PX_PER_MM,
    )
    return np.concatenate([picture, strip])


def draw_board(
    rectified_bgr: Pixels, px_per_mm: float, origin_mm: Point, board: BoardSpec, reading: Reading
) -> Pixels:
    """Draw a reading on its rectified board, without the legend.

    Parameters and return value as in :func:`draw_reading`.
    """
    box_mm = _shown_mm(board)
    canvas = rectified_canvas(rectified_bgr, px_per_mm, origin_mm, box_mm=box_mm, scale=PX_PER_MM)
    shown = [disc for disc in reading.discs if _within(disc.center_mm, box_mm)]
    _draw_print(canvas, board)
    for disc in shown:
        _draw_touch(canvas, board, disc)
    for disc in shown:
        _draw_footprint(canvas, board, disc)
    labels = [_Label(disc, TEXT_MM * PX_PER_MM) for disc in shown]
    boxes = _label_boxes(canvas, board, labels)
    for label, place in zip(labels, boxes, strict=True):
        _draw_leader(canvas, board, label.disc, place)
    lettering = Lettering(canvas.pixels_bgr)
    _write_print(lettering, canvas, board, shown, boxes)
    for label, place in zip(labels, boxes, strict=True):
        label.write(lettering, place, section_colors(board))
    return lettering.pixels_bgr()


def _shown_mm(board: BoardSpec) -> tuple[float, float, float, float]:
    """Return the part of the table that is shown: the board and a margin."""
    margin_mm = MARGIN_RADII * board.discs.radius_mm
    x, y = zip(*board.outline_mm, strict=True)
    return min(x) - margin_mm, min(y) - margin_mm, max(x) + margin_mm, max(y) + margin_mm


def _within(point_mm: Point, box_mm: tuple[float, float, float, float]) -> bool:
    return box_mm[0] <= point_mm[0] <= box_mm[2] and box_mm[1] <= point_mm[1] <= box_mm[3]


def _draw_print(canvas: Canvas, board: BoardSpec) -> None:
    """Draw what the board's description says is printed."""
    outline = shapely.Polygon(board.outline_mm)
    everywhere = outline.buffer(1000)
    canvas.shade(everywhere.difference(outline), INK, 0.55)
    corners = corner_area(board)
    colors = section_colors(board)
    for section, area in section_areas(board).items():
        inside = area.difference(corners).buffer(-0.55)
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


def _draw_touch(canvas: Canvas, board: BoardSpec, disc: Disc) -> None:
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
            part = section_areas(board)[section].intersection(footprint)
            if 0 < part.area < footprint.area * 0.999:
                inside = (part.centroid.x, part.centroid.y)
                canvas.shade(part, color, 0.22)
                start = _toward(disc.center_mm, inside, board.discs.radius_mm)
                end = _toward(disc.center_mm, inside, board.discs.radius_mm * 1.4)
                canvas.stroke([start, end], color, width_px=5, halo_px=1.5)
                canvas.dot(end, 8, color)


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


def _draw_footprint(canvas: Canvas, board: BoardSpec, disc: Disc) -> None:
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


class _Label:
    """A disc's label: its color and number, what it counts for, and why."""

    def __init__(self, disc: Disc, text_px: float) -> None:
        self.disc = disc
        self._text_px = text_px
        self._small_px = text_px * 0.74
        self._lines = [", ".join([disc.color, *details(disc)])]
        if disc.doubts:
            self._lines.append("? " + ", ".join(disc.doubts))
        elif is_choice(disc):
            self._lines.append("owner chooses")
        widest = max(
            text_width_px(headline(disc), text_px) * 1.05,
            *(text_width_px(line, self._small_px) for line in self._lines),
        )
        self._badge_px = text_px * 1.45
        self.size_px = (
            self._badge_px + widest + text_px * 1.25,
            text_px * 1.55 + len(self._lines) * self._small_px * 1.2,
        )

    def write(self, lettering: Lettering, place: Box, colors: dict[str, Rgb]) -> None:
        """Write the label at its place."""
        left, top, right, bottom = place
        text_px, disc = self._text_px, self.disc
        edge = DOUBT if disc.doubts else CHOICE if is_choice(disc) else INK
        lettering.box((left - 3, top - 3, right + 3, bottom + 3), edge, radius_px=text_px * 0.42)
        lettering.box(place, PAPER, radius_px=text_px * 0.36)
        pad = text_px * 0.3
        number = "?" if "number" in disc.doubts and disc.number is None else disc.number
        write_badge(lettering, (left + pad, top + pad), self._badge_px, disc.color, number)
        x = left + pad + self._badge_px + text_px * 0.4
        y = top + text_px * 1.12
        color = colors.get(disc.sections[0], WHITE) if len(disc.sections) == 1 else WHITE
        lettering.text((x, y), headline(disc), color, size_px=text_px, bold=True)
        for line in self._lines:
            y += self._small_px * 1.22
            marked = line.startswith("? ")
            lettering.text((x, y), line, DOUBT if marked else WHITE, size_px=self._small_px)


def _label_boxes(canvas: Canvas, board: BoardSpec, labels: list[_Label]) -> list[Box]:
    anchors = [
        Anchor(
            center_px=canvas.at_px(label.disc.center_mm),
            radius_px=board.discs.radius_mm * canvas.px_per_mm,
            size_px=label.size_px,
        )
        for label in labels
    ]
    circles = [
        (canvas.at_px(circle.center_mm), circle.radius_mm * canvas.px_per_mm)
        for circle in board.multipliers
    ]
    return place_labels(anchors, circles, canvas.size_px)


def _draw_leader(canvas: Canvas, board: BoardSpec, disc: Disc, place: Box) -> None:
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


def _write_print(
    lettering: Lettering, canvas: Canvas, board: BoardSpec, discs: list[Disc], boxes: list[Box]
) -> None:
    """Name multipliers, zones and launch corners where there is room."""
    colors = section_colors(board)
    text_px = TEXT_MM * canvas.px_per_mm
    room = Room(canvas)
    for box in boxes:
        room.take_box(box)
    for disc in discs:
        room.take_circle(disc.center_mm, board.discs.radius_mm)
    for circle in board.multipliers:
        x, y = canvas.at_px(circle.center_mm)
        away_px = circle.radius_mm * canvas.px_per_mm + text_px * 0.55
        size_px = text_px * 0.72
        for place in ((x, y - away_px), (x, y + away_px)):
            if room.take_text(place, circle.animal, size_px):
                color = colors[circle.section]
                lettering.text(place, circle.animal, color, size_px=size_px, anchor="mm", halo_px=2)
                break
        room.take_circle(circle.center_mm, circle.radius_mm)
    corners = corner_area(board)
    for section, area in section_areas(board).items():
        words, size_px = section.upper(), text_px * 1.5
        middle = room.middle(area.difference(corners), words, size_px)
        if middle:
            lettering.text(
                middle, words, colors[section], size_px=size_px, anchor="mm", bold=True, halo_px=3
            )
    for corner in board.launch_corners:
        center = shapely.Polygon(corner.points_mm).centroid
        place = canvas.at_px((center.x, center.y))
        if room.take_text(place, "launch", text_px * 0.8):
            lettering.text(place, "launch", QUIET, size_px=text_px * 0.8, anchor="mm", halo_px=2)
