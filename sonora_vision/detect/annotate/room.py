"""Where on an annotated picture there is still room for a word."""

from __future__ import annotations

import cv2
import numpy as np
import shapely

from sonora_vision.detect.annotate.canvas import Canvas, Pixels, Point, text_width_px

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


def _text_box(middle_px: Point, words: str, size_px: float) -> tuple[float, float, float, float]:
    half = text_width_px(words, size_px) / 2 + size_px * 0.2
    return (
        middle_px[0] - half,
        middle_px[1] - size_px * 0.55,
        middle_px[0] + half,
        middle_px[1] + size_px * 0.55,
    )
