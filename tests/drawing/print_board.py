"""The board's printed face as a picture in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import Polygon

from tests.drawing.looks import ANIMALS, ICON_GROUNDS_BGR, Look, Pixels, circle_points, mottle
from tests.drawing.truth import Board, zone_area

_SHIFT = 6  # fractional bits of cv2's drawing coordinates
_DARK = (44, 48, 54)


@dataclass(frozen=True, kw_only=True, eq=False)
class Sheet:
    """A picture that lies in a plane: pixel (x, y) shows ((x, y) + 0.5) / scale + origin, mm."""

    pixels: Pixels
    """(H, W, 3) blue first, or (H, W) coverage."""
    origin_mm: tuple[float, float]
    scale_px_per_mm: float

    def at(self, x_mm: NDArray[np.float32], y_mm: NDArray[np.float32], border: int) -> Pixels:
        """Interpolated values at points of the plane."""
        k = self.scale_px_per_mm
        u = x_mm * np.float32(k) - np.float32(self.origin_mm[0] * k + 0.5)
        v = y_mm * np.float32(k) - np.float32(self.origin_mm[1] * k + 0.5)
        return np.asarray(cv2.remap(self.pixels, u, v, cv2.INTER_LINEAR, borderMode=border))


class _Brush:
    """Draws in millimetres on a canvas with ``scale`` pixels a millimetre."""

    def __init__(self, canvas: Pixels, scale: float, origin_mm: tuple[float, float]) -> None:
        self.canvas, self.scale, self.origin = canvas, scale, np.array(origin_mm)

    def _fixed(self, points_mm: ArrayLike) -> NDArray[np.int32]:
        """Points in cv2's fixed-point pixels."""
        px = (np.asarray(points_mm, float).reshape(-1, 2) - self.origin) * self.scale - 0.5
        return np.asarray(np.round(px * (1 << _SHIFT)), np.int32)

    def fill(self, points_mm: ArrayLike, value: Any) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.canvas, [self._fixed(points_mm)], value, cv2.LINE_AA, _SHIFT)

    def line(self, points_mm: ArrayLike, value: Any, width_mm: float, closed: bool = False) -> None:
        """Draw a line through points."""
        width = max(1, round(width_mm * self.scale))
        cv2.polylines(
            self.canvas, [self._fixed(points_mm)], closed, value, width, cv2.LINE_AA, _SHIFT
        )

    def circle(self, center_mm: ArrayLike, radius_mm: float, value: Any) -> None:
        """Fill a circle."""
        self.fill(circle_points(center_mm, radius_mm), value)


class _Silent:
    """A brush that knows one colour: for icons in one ink."""

    def __init__(self, brush: _Brush, bgr: tuple[int, int, int]) -> None:
        self.brush, self.bgr = brush, bgr

    def fill(self, points_mm: ArrayLike, _value: Any) -> None:
        """Fill a polygon."""
        self.brush.fill(points_mm, self.bgr)

    def line(self, points_mm: ArrayLike, _value: Any, width_mm: float) -> None:
        """Draw a line through points."""
        self.brush.line(points_mm, self.bgr, width_mm)


@lru_cache(maxsize=6)
def _printed(key: _Key, scale: float) -> Sheet:
    """The cached face of one board in one look."""
    board, look = key.board, key.look
    margin, over = 4.0, 2
    width, height = np.max(np.array(board["outline"], float), axis=0)
    size = (round((width + 2 * margin) * scale) * over, round((height + 2 * margin) * scale) * over)
    origin = (-margin, -margin)
    canvas = np.zeros((size[1], size[0], 3), np.uint8)
    brush = _Brush(canvas, scale * over, origin)
    rng = np.random.default_rng([look.seed, 11])
    canvas[:] = look.grounds_bgr[0]
    for zone, bgr in reversed(list(zip(board["zones"], look.grounds_bgr, strict=True))):
        _fill_zone(brush, zone, bgr)
    _decorate(brush, rng, look, (float(width), float(height)))
    small = cv2.resize(canvas, (size[0] // over, size[1] // over), interpolation=cv2.INTER_AREA)
    shade = mottle(rng, (small.shape[1], small.shape[0]), 14) * 0.055
    fine = rng.standard_normal((round(height * 1.4), round(width * 1.4))).astype(np.float32)
    shade += 0.028 * cv2.resize(fine, (small.shape[1], small.shape[0]))
    small = np.clip(small * (1 + shade)[..., None], 0, 255).astype(np.uint8)
    canvas = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
    brush = _Brush(canvas, scale * over, origin)
    edge = Polygon(board["outline"]).boundary.buffer(0.0 if look.edge_line else 0.2)
    for zone in board["zones"]:
        border = shapely.line_merge(zone_area(zone).boundary - edge)
        for part in getattr(border, "geoms", [border]):
            brush.line(np.array(part.coords), _DARK, look.border_mm)
    for multiplier in board["multipliers"]:
        _multiplier(brush, rng, look, multiplier)
    face = cv2.resize(canvas, (size[0] // over, size[1] // over), interpolation=cv2.INTER_AREA)
    rim = round(margin * scale)
    face = cv2.copyMakeBorder(face[rim:-rim, rim:-rim], rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    return Sheet(pixels=face, origin_mm=origin, scale_px_per_mm=scale)


class _Key:
    """A board and a look, compared by identity of content."""

    def __init__(self, board: Board, look: Look) -> None:
        self.board, self.look = board, look
        self._text = repr((board, look))

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other._text == self._text


def printed_face(board: Board, look: Look, scale_px_per_mm: float) -> Sheet:
    """The board's face as printed, its corners and hole not yet raised or cut."""
    return _printed(_Key(board, look), scale_px_per_mm)


def coverage(polygons: list[ArrayLike], bounds_mm: tuple[float, float, float, float],
             scale_px_per_mm: float) -> Sheet:  # fmt: skip
    """Coverage (0 to 255) of polygons within x0, y0, x1, y1."""
    x0, y0, x1, y1 = bounds_mm
    k = 2 * scale_px_per_mm
    mask = np.zeros((round((y1 - y0) * k / 2) * 2, round((x1 - x0) * k / 2) * 2), np.uint8)
    brush = _Brush(mask, k, (x0, y0))
    for polygon in polygons:
        brush.fill(polygon, 255)
    small = cv2.resize(mask, (mask.shape[1] // 2, mask.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return Sheet(pixels=small, origin_mm=(x0, y0), scale_px_per_mm=scale_px_per_mm)


def _fill_zone(brush: _Brush, zone: dict[str, Any], bgr: Any) -> None:
    """Ground colour of a zone; a ring's inner part is painted over by the zones within it."""
    brush.fill(np.array(zone_area(zone).exterior.coords), bgr)


def _tinted(bgr: Any, factor: float) -> tuple[float, ...]:
    """A lighter or darker tone."""
    return tuple(float(np.clip(c * factor, 0, 255)) for c in bgr)


def _decorate(
    brush: _Brush, rng: np.random.Generator, look: Look, size_mm: tuple[float, float]
) -> None:
    """Blots, rings, strokes and cacti all over the field."""
    w, h = size_mm
    area = w * h / 160000 * look.decorations

    def place() -> NDArray[np.float64]:
        return rng.uniform((0, 0), (w, h))

    def ground(at: NDArray[np.float64]) -> Any:
        px = np.clip((at - brush.origin) * brush.scale, 0, None).astype(int)
        rows, columns = brush.canvas.shape[:2]
        return brush.canvas[min(px[1], rows - 1), min(px[0], columns - 1)].tolist()

    for _ in range(round(34 * area)):
        at = place()
        brush.circle(at, rng.uniform(2, 13), _tinted(ground(at), rng.choice([0.68, 1.18])))
    for _ in range(round(38 * area)):
        at = place()
        ring = circle_points(at, rng.uniform(4, 13))
        brush.line(ring, _tinted(ground(at), 0.7), rng.uniform(0.5, 1.0), closed=True)
    for _ in range(round(190 * area)):
        at = place()
        angle, length = rng.uniform(0, np.pi), rng.uniform(5, 24)
        end = at + length * np.array([np.cos(angle), np.sin(angle)])
        brush.line([at, end], _tinted(ground(at), rng.choice([0.62, 1.2])), rng.uniform(0.4, 1.0))
    green = (72, 104, 84)
    for _ in range(round(34 * area)):
        at, tall = place(), rng.uniform(8, 20)
        (x, y), side = at, rng.choice([-5.0, 5.0])
        brush.line([(x, y), (x, y + tall)], green, 4.0)
        brush.line([(x + side, y + 0.4 * tall), (x + side, y + 0.65 * tall)], green, 3.0)


def _multiplier(
    brush: _Brush, rng: np.random.Generator, look: Look, multiplier: dict[str, Any]
) -> None:
    """A circle with a border ring whose outer edge is the given radius, and its animal."""
    center, radius = np.array(multiplier["center"]), multiplier["radius"]
    rim = 0.07 * radius + 0.4 * look.border_mm
    brush.circle(center, radius, _DARK)
    kind = multiplier["animal"]
    index = ANIMALS.index(kind) if kind in ANIMALS else 3
    ground = ICON_GROUNDS_BGR[look.icon_grounds[index]]
    brush.circle(center, radius - rim, _tinted(ground, rng.uniform(0.9, 1.06)))
    k = 0.5 * radius

    def blob(x: float, y: float, a: float, b: float, lean: float, bgr: Any) -> None:
        ring = circle_points((0, 0), 1.0, 40) * [a, b]
        c, s = np.cos(np.radians(lean)), np.sin(np.radians(lean))
        ring = center + k * (ring @ np.array([[c, s], [-s, c]]) + [x, y])
        brush.fill(ring, bgr if shade is None else shade)

    shade = {"dark": (52, 54, 62), "pale": (214, 222, 228)}.get(look.icons)
    _ANIMALS.get(kind, _rabbit)(blob, brush if shade is None else _Silent(brush, shade), center, k)


def _rabbit(blob: Any, _brush: _Brush | _Silent, _center: Any, _k: float) -> None:
    """Long ears, round face."""
    for side in (-1, 1):
        blob(side * 0.35, -0.85, 0.2, 0.62, side * 12, (214, 214, 222))
        blob(side * 0.35, -0.82, 0.09, 0.45, side * 12, (170, 150, 232))
    blob(0, 0.3, 0.72, 0.66, 0, (222, 222, 230))
    for side in (-1, 1):
        blob(side * 0.28, 0.15, 0.1, 0.13, 0, (30, 30, 30))
    blob(0, 0.42, 0.1, 0.07, 0, (120, 110, 220))


def _owl(blob: Any, _brush: _Brush | _Silent, _center: Any, _k: float) -> None:
    """Two big eyes and a belly."""
    blob(0, 0.1, 0.75, 1.05, 0, (70, 100, 148))
    blob(0, 0.45, 0.5, 0.6, 0, (140, 178, 208))
    for side in (-1, 1):
        blob(side * 0.5, -0.88, 0.16, 0.3, side * 25, (52, 78, 118))
        blob(side * 0.32, -0.4, 0.32, 0.32, 0, (226, 236, 240))
        blob(side * 0.3, -0.38, 0.15, 0.15, 0, (24, 24, 28))
    blob(0, -0.08, 0.1, 0.17, 0, (40, 150, 230))


def _fox(blob: Any, brush: _Brush | _Silent, center: Any, k: float) -> None:
    """Pointed ears and white cheeks."""
    for side in (-1, 1):
        brush.fill(center + k * np.array([[side * 0.95, -1.1], [side * 0.2, -0.5],
                                          [side * 0.9, 0.0]]), (40, 84, 222))  # fmt: skip
    brush.fill(center + k * np.array([[-1, -0.25], [0, -0.7], [1, -0.25], [0, 1.05]]),
               (44, 92, 232))  # fmt: skip
    for side in (-1, 1):
        blob(side * 0.55, 0.12, 0.36, 0.24, side * -40, (232, 238, 242))
        blob(side * 0.32, -0.15, 0.1, 0.12, 0, (30, 30, 30))
    blob(0, 0.85, 0.15, 0.13, 0, (30, 30, 34))


def _lizard(blob: Any, brush: _Brush | _Silent, center: Any, k: float) -> None:
    """A bent body, four legs and a tail."""
    green = (58, 176, 70)
    bend = np.array([[-1.0, -1.0], [-0.6, -0.6], [-0.2, -0.35], [0.2, 0.2], [0.55, 0.5]])
    brush.line(center + k * bend, green, 0.3 * k)
    blob(0.05, 0.0, 0.55, 0.28, 52, green)
    blob(0.68, 0.68, 0.34, 0.22, 45, green)
    for x, y in ((-0.45, 0.1), (0.15, -0.5), (0.05, 0.75), (0.75, 0.05)):
        brush.line(center + k * np.array([[0.15, 0.1], [x, y]]), green, 0.16 * k)
    blob(0.75, 0.62, 0.07, 0.07, 0, (20, 30, 20))


_ANIMALS = {"rabbit": _rabbit, "owl": _owl, "fox": _fox, "lizard": _lizard}
