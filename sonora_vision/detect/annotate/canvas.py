"""A picture of the board that strokes and text are drawn on, addressed in board mm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import shapely
import shapely.ops
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from sonora_vision.detect.annotate.accents import bare, marks
from sonora_vision.detect.annotate.palette import INK, Rgb

Point = tuple[float, float]
Pixels = NDArray[np.uint8]

_SHIFT = 4
_ONE_PX = 1 << _SHIFT
_MASK_SCALE = 4
"""Rounded boxes are drawn this much larger and scaled down, which makes their edges smooth."""


class Canvas:
    """A BGR picture with anti-aliased strokes in board mm and text in px.

    Parameters
    ----------
    pixels_bgr : ndarray of uint8, shape (rows, cols, 3)
        Drawn upon in place; the caller hands over its own copy.
    px_per_mm : float
        Scale of the picture.
    origin_mm : tuple of float
        Board-frame point of the centre of pixel (0, 0).
    """

    def __init__(self, pixels_bgr: Pixels, *, px_per_mm: float, origin_mm: Point) -> None:
        self.pixels_bgr = pixels_bgr
        self.px_per_mm = px_per_mm
        self.origin_mm = origin_mm

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.pixels_bgr.shape[1], self.pixels_bgr.shape[0]

    def at_px(self, point_mm: Point) -> Point:
        """Return the pixel of a board-frame point."""
        return (
            (point_mm[0] - self.origin_mm[0]) * self.px_per_mm,
            (point_mm[1] - self.origin_mm[1]) * self.px_per_mm,
        )

    def stroke(
        self,
        points_mm: Sequence[Point],
        color: Rgb,
        *,
        width_px: float,
        closed: bool = False,
        dash_px: float = 0.0,
        halo_px: float = 0.0,
    ) -> None:
        """Draw a line through the points, dashed where ``dash_px`` is given, on a dark halo."""
        path = shapely.LinearRing(points_mm) if closed else shapely.LineString(points_mm)
        for piece in _dashes(path, dash_px / self.px_per_mm, width_px / self.px_per_mm):
            corners = np.array([self.at_px((x, y)) for x, y in piece.coords])
            fixed = np.round(corners * _ONE_PX).astype(np.int32)[:, None]
            whole = closed and not dash_px
            if halo_px:
                self._polyline(fixed, whole, INK, width_px + 2 * halo_px)
            self._polyline(fixed, whole, color, width_px)

    def _polyline(
        self, fixed: NDArray[np.int32], closed: bool, color: Rgb, width_px: float
    ) -> None:
        thickness = max(1, round(width_px))
        cv2.polylines(self.pixels_bgr, [fixed], closed, color[::-1], thickness, cv2.LINE_AA, _SHIFT)

    def ring(
        self,
        center_mm: Point,
        radius_mm: float,
        color: Rgb,
        *,
        width_px: float,
        dash_px: float = 0.0,
        halo_px: float = 0.0,
    ) -> None:
        """Draw a circle whose stroke is centred on the radius."""
        circle = shapely.Point(center_mm).buffer(radius_mm, quad_segs=32).exterior.coords
        points = [(x, y) for x, y in circle[:-1]]
        self.stroke(points, color, width_px=width_px, closed=True, dash_px=dash_px, halo_px=halo_px)

    def dot(self, center_mm: Point, radius_px: float, color: Rgb) -> None:
        """Draw a filled dot with a dark rim."""
        x, y = (round(value * _ONE_PX) for value in self.at_px(center_mm))
        for radius, fill in ((radius_px + 2, INK), (radius_px, color)):
            cv2.circle(
                self.pixels_bgr,
                (x, y),
                round(radius * _ONE_PX),
                fill[::-1],
                -1,
                cv2.LINE_AA,
                _SHIFT,
            )

    def shade(self, area: shapely.Geometry, color: Rgb, opacity: float) -> None:
        """Lay a tint over an area of the board."""
        mask = np.zeros(self.pixels_bgr.shape[:2], np.uint8)
        self.fill_mask(mask, area)
        rows, columns = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
        if not len(rows):
            return
        part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        weight = (mask[part].astype(np.float32) * (opacity / 255))[..., None]
        tint = np.array(color[::-1], np.float32)
        blend = self.pixels_bgr[part] * (1 - weight) + tint * weight
        self.pixels_bgr[part] = (blend + 0.5).astype(np.uint8)

    def fill_mask(self, mask: Pixels, area: shapely.Geometry) -> None:
        """Set a mask of the picture's size to 255 over an area of the board."""
        for polygon in polygons(area):
            for line, value in [(polygon.exterior, 255)] + [(r, 0) for r in polygon.interiors]:
                corners = np.array([self.at_px((x, y)) for x, y in line.coords])
                fixed = np.round(corners * _ONE_PX).astype(np.int32)
                cv2.fillPoly(mask, [fixed], (value,), cv2.LINE_AA, _SHIFT)

    def dimension(self, start_mm: Point, end_mm: Point, color: Rgb, *, width_px: float) -> None:
        """Draw a distance as draughtsmen do: heads within, or from outside where it is short."""
        angle = math.atan2(end_mm[1] - start_mm[1], end_mm[0] - start_mm[0])
        head_mm = 4 * width_px / self.px_per_mm
        outside = math.dist(start_mm, end_mm) < 3 * head_mm
        ends = ((start_mm, angle + math.pi), (end_mm, angle))
        strokes = [] if outside else [[start_mm, end_mm]]
        for tip_mm, away in ends:
            back = away if outside else away + math.pi
            strokes.append([_from(tip_mm, a, head_mm) for a in (back - 0.5, back + 0.5)])
            strokes[-1].insert(1, tip_mm)
            if outside:
                strokes.append([tip_mm, _from(tip_mm, away, 2.4 * head_mm)])
        for halo_px in (1.5, 0.0):
            for points in strokes:
                self.stroke(points, color, width_px=width_px, halo_px=halo_px)


def _from(point_mm: Point, angle: float, distance_mm: float) -> Point:
    return (
        point_mm[0] + distance_mm * math.cos(angle),
        point_mm[1] + distance_mm * math.sin(angle),
    )


class Lettering:
    """Boxes and text on a picture; ``pixels_bgr`` gives the result."""

    def __init__(self, pixels_bgr: Pixels) -> None:
        self._image = Image.fromarray(cv2.cvtColor(pixels_bgr, cv2.COLOR_BGR2RGB))
        self._draw = ImageDraw.Draw(self._image)

    def pixels_bgr(self) -> Pixels:
        """Return the picture, as a new array."""
        return cv2.cvtColor(np.asarray(self._image), cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False)

    def text(
        self,
        at_px: Point,
        words: str,
        color: Rgb,
        *,
        size_px: float,
        anchor: str = "ls",
        bold: bool = False,
        halo_px: float = 0.0,
    ) -> None:
        """Write a line of text; ``anchor`` as in Pillow."""
        weight = size_px / 36 if bold else 0
        over = marks(words, at_px, anchor, size_px, _font(round(size_px)))
        lines = [(at_px, bare(words), size_px, anchor)]
        lines += [((m.left_px, m.baseline_px), m.sign, m.size_px, "ls") for m in over]
        for ink, width_px in ((INK, weight + halo_px), (color, weight))[not halo_px :]:
            for place, text, px, hold in lines:
                self._draw.text(
                    place, text, ink, _font(round(px)), hold, stroke_width=width_px, stroke_fill=ink
                )

    def box(
        self,
        corners_px: tuple[float, float, float, float],
        fill: Rgb,
        *,
        radius_px: float,
        opacity: float = 1.0,
    ) -> None:
        """Fill a box with round corners, given as left, top, right, bottom."""
        left, top, right, bottom = (round(value) for value in corners_px)
        size = (max(1, right - left), max(1, bottom - top))
        large = Image.new("L", (size[0] * _MASK_SCALE, size[1] * _MASK_SCALE))
        ImageDraw.Draw(large).rounded_rectangle(
            (0, 0, large.width - 1, large.height - 1),
            radius_px * _MASK_SCALE,
            fill=round(255 * opacity),
        )
        mask = large.resize(size, Image.Resampling.BOX)
        self._image.paste(fill, (left, top), mask)


def text_width_px(words: str, size_px: float) -> float:
    """Return how wide a line of text will be."""
    return float(_font(round(size_px)).getlength(bare(words)))


def wrap(words: str, size_px: float, width_px: float) -> list[str]:
    """Break a text into lines no wider than ``width_px``; a single longer word keeps its line."""
    lines: list[str] = []
    for word in words.split():
        if lines and text_width_px(f"{lines[-1]} {word}", size_px) <= width_px:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def polygons(area: shapely.Geometry) -> list[shapely.Polygon]:
    """Return the polygons that an area consists of."""
    parts = shapely.get_parts(area)
    return [part for part in parts if isinstance(part, shapely.Polygon) and not part.is_empty]


@lru_cache(maxsize=32)
def _font(size_px: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size_px)
    assert isinstance(font, ImageFont.FreeTypeFont)  # Pillow's wheels bring FreeType
    return font


def _dashes(path: shapely.LineString, dash_mm: float, cap_mm: float) -> list[shapely.LineString]:
    """Return the path in dashes with gaps of their length, or whole.

    A stroke's round ends add ``cap_mm`` to each dash, so as much is taken off.
    """
    if not dash_mm:
        return [path]
    count = max(1, round(path.length / (dash_mm * 2)))
    period = path.length / count
    drawn = max(period / 10, period / 2 - cap_mm)
    return [shapely.ops.substring(path, i * period, i * period + drawn) for i in range(count)]
