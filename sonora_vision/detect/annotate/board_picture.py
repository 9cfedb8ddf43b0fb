"""The rectified board with everything that was read drawn in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.canvas import (
    Canvas,
    Lettering,
    Pixels,
    Point,
)
from sonora_vision.detect.annotate.labels import Anchor, Box, place_labels
from sonora_vision.detect.annotate.legend import draw_legend
from sonora_vision.detect.annotate.marks import draw_footprint, draw_leader, draw_print, draw_touch
from sonora_vision.detect.annotate.palette import (
    section_colors,
)
from sonora_vision.detect.annotate.rectified import Rectified
from sonora_vision.detect.annotate.room import Room, write_names
from sonora_vision.detect.annotate.tags import Tag
from sonora_vision.observation import Disc, Reading

PICTURE_PX = 1760
"""Longer side of an annotated board: 4 px per mm for one of 400 mm, twice what cameras see."""
MARGIN_RADII = 1.7
"""Table shown around the board, in radii of a disc: room for labels of discs at the edge."""
TEXT_PX = 30.0
"""Size of a label's first line: legible on a phone with the picture zoomed twice."""
BRIEF_TEXT_PX = 46.0
"""The same for a picture that a phone shows whole: some 9 of its 360 px."""


def draw_reading(rectified: Rectified, board: BoardSpec, reading: Reading) -> Pixels:
    """Draw a reading on its rectified board, with a legend below.

    Parameters
    ----------
    rectified : Rectified
        The photograph from straight above.
    board : BoardSpec
        The board.
    reading : Reading
        What was read.

    Returns
    -------
    ndarray of uint8, shape (rows, cols, 3)
        BGR, ``PICTURE_PX`` on the longer side of the board and its margin; a new array.
    """
    picture = draw_board(rectified, board, reading)
    box_mm = _shown_mm(board)
    strip = draw_legend(
        board,
        reading,
        [disc for disc in reading.discs if not _within(disc.center_mm, box_mm)],
        width_px=picture.shape[1],
        text_px=TEXT_PX,
    )
    return np.concatenate([picture, strip])


def draw_board(
    rectified: Rectified,
    board: BoardSpec,
    reading: Reading,
    *,
    brief: bool = False,
    names: Mapping[str, str] | None = None,
) -> Pixels:
    """Draw a reading on its rectified board, without the legend.

    ``brief`` is for a phone: larger labels of a few words, the rest being on the page. ``names``
    has what to write for sections, animals, ``launch`` and ``choose`` in another language. The
    other parameters and the return value are as in :func:`draw_reading`.
    """
    said = names or {}
    text_px = BRIEF_TEXT_PX if brief else TEXT_PX
    box_mm = _shown_mm(board)
    shown = [disc for disc in reading.discs if _within(disc.center_mm, box_mm)]
    canvas = rectified.canvas(board, shown, box_mm, picture_px_per_mm(board))
    draw_print(canvas, board)
    for disc in shown:
        draw_touch(canvas, board, disc)
    for disc in shown:
        draw_footprint(canvas, board, disc)
    labels = [Tag(disc, text_px, brief=brief, names=said) for disc in shown]
    boxes = _label_boxes(canvas, board, labels)
    for label, place in zip(labels, boxes, strict=True):
        draw_leader(canvas, board, label.disc, place)
    lettering = Lettering(canvas.pixels_bgr)
    write_names(lettering, canvas, board, _taken(canvas, board, shown, boxes), text_px, said)
    for label, place in zip(labels, boxes, strict=True):
        label.write(lettering, place, section_colors(board))
    return lettering.pixels_bgr()


def picture_px_per_mm(board: BoardSpec) -> float:
    """Return the scale of a board's annotated picture."""
    left, top, right, bottom = _shown_mm(board)
    return PICTURE_PX / max(right - left, bottom - top)


def _shown_mm(board: BoardSpec) -> tuple[float, float, float, float]:
    """Return the part of the table that is shown: the board and a margin."""
    margin_mm = MARGIN_RADII * board.discs.radius_mm
    x, y = zip(*board.outline_mm, strict=True)
    return min(x) - margin_mm, min(y) - margin_mm, max(x) + margin_mm, max(y) + margin_mm


def _within(point_mm: Point, box_mm: tuple[float, float, float, float]) -> bool:
    return box_mm[0] <= point_mm[0] <= box_mm[2] and box_mm[1] <= point_mm[1] <= box_mm[3]


def _label_boxes(canvas: Canvas, board: BoardSpec, labels: list[Tag]) -> list[Box]:
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


def _taken(canvas: Canvas, board: BoardSpec, discs: list[Disc], boxes: list[Box]) -> Room:
    """Return the room that discs and their labels leave."""
    room = Room(canvas)
    for box in boxes:
        room.take_box(box)
    for disc in discs:
        room.take_circle(disc.center_mm, board.discs.radius_mm)
    return room
