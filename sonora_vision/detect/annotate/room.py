"""Names on an annotated board, written where there is still room for a word."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import shapely

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.canvas import Canvas, Lettering, Pixels, Point, text_width_px
from sonora_vision.detect.annotate.palette import QUIET, section_colors
from sonora_vision.detect.annotate.regions import corner_area, section_areas

_COARSE = 4
"""Places for a zone's name are searched at a quarter of the picture's resolution."""


class Room:
    """What of a picture is taken already."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._taken: Pixels = np.zeros(canvas.pixels_bgr.shape[:2], np.uint8)

    def take_box(self, box_px: tuple[float, float, float, float]) -> None:
        """Take a box: left, top, right, bottom."""
        left, top, right, bottom = (max(0, round(value)) for value in box_px)
        self._taken[top:bottom, left:right] = 255

    def take_circle(self, center_mm: Point, radius_mm: float) -> None:
        """Take a circle on the board."""
        self._canvas.fill_mask(self._taken, shapely.Point(center_mm).buffer(radius_mm))

    def take_text(self, middle_px: Point, words: str, size_px: float) -> bool:
        """Take the place of a line of text if it is free, and return whether it was."""
        box = _text_box(middle_px, words, size_px)
        left, top, right, bottom = (round(value) for value in box)
        height, width = self._taken.shape
        if left < 0 or top < 0 or right > width or bottom > height:
            return False
        if self._taken[top:bottom, left:right].any():
            return False
        self.take_box(box)
        return True

    def middle(self, area: shapely.Geometry, words: str, size_px: float) -> Point | None:
        """Return where in an area of the board a text is farthest from all else, if it fits."""
        free = np.zeros_like(self._taken)
        self._canvas.fill_mask(free, area)
        free[self._taken > 0] = 0
        coarse = cv2.resize(
            free, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA
        )
        whole = np.pad((coarse == 255).astype(np.uint8), 1)
        left, top, right, bottom = _text_box((0.0, 0.0), words, size_px)
        kernel = np.ones(
            (round((bottom - top) / _COARSE) | 1, round((right - left) / _COARSE) | 1), np.uint8
        )
        fits = cv2.erode(whole, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=(0,))
        if not fits.any():
            return None
        distance = cv2.distanceTransform(fits, cv2.DIST_L2, 5)
        row, column = np.unravel_index(int(distance.argmax()), distance.shape)
        return (float(column) - 0.5) * _COARSE, (float(row) - 0.5) * _COARSE


def write_names(
    lettering: Lettering,
    canvas: Canvas,
    board: BoardSpec,
    room: Room,
    text_px: float,
    names: Mapping[str, str],
) -> None:
    """Name multipliers, zones and launch corners where there is room."""
    colors = section_colors(board)
    for circle in board.multipliers:
        x, y = canvas.at_px(circle.center_mm)
        away_px = circle.radius_mm * canvas.px_per_mm + text_px * 0.55
        size_px = text_px * 0.72
        animal = names.get(circle.animal, circle.animal)
        for place in ((x, y - away_px), (x, y + away_px)):
            if room.take_text(place, animal, size_px):
                color = colors[circle.section]
                lettering.text(place, animal, color, size_px=size_px, anchor="mm", halo_px=2)
                break
        room.take_circle(circle.center_mm, circle.radius_mm)
    corners = corner_area(board)
    for section, area in section_areas(board).items():
        words, size_px = names.get(section, section).upper(), text_px * 1.5
        middle = room.middle(area.difference(corners), words, size_px)
        if middle:
            lettering.text(
                middle, words, colors[section], size_px=size_px, anchor="mm", bold=True, halo_px=3
            )
    launch = names.get("launch", "launch")
    for corner in board.launch_corners:
        center = shapely.Polygon(corner.points_mm).centroid
        place = canvas.at_px((center.x, center.y))
        if room.take_text(place, launch, text_px * 0.8):
            lettering.text(place, launch, QUIET, size_px=text_px * 0.8, anchor="mm", halo_px=2)


def _text_box(middle_px: Point, words: str, size_px: float) -> tuple[float, float, float, float]:
    half = text_width_px(words, size_px) / 2 + size_px * 0.2
    return (
        middle_px[0] - half,
        middle_px[1] - size_px * 0.55,
        middle_px[0] + half,
        middle_px[1] + size_px * 0.55,
    )
