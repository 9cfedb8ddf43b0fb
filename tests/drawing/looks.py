"""What things look like: the printed board, the discs' faces and the table, from one seed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tests.drawing.truth import Board

Pixels = NDArray[Any]  # uint8

# sRGB as seen in white light, blue first.
PALETTE_BGR: dict[str, tuple[int, int, int]] = {
    "black": (42, 40, 40), "blue": (158, 82, 38), "brown": (38, 66, 108),
    "cream": (176, 212, 228), "gray": (132, 130, 128), "green": (72, 124, 48),
    "natural": (122, 168, 205), "orange": (36, 118, 222), "pink": (150, 110, 222),
    "purple": (128, 58, 98), "red": (46, 42, 188), "teal": (130, 128, 30),
    "white": (226, 230, 234), "yellow": (48, 178, 228),
}  # fmt: skip
GROUNDS_BGR = (
    (70, 118, 205), (66, 98, 176), (150, 178, 160), (134, 178, 204), (160, 150, 128),
    (96, 150, 214), (116, 156, 128), (168, 168, 150), (84, 86, 158), (110, 190, 222),
    (190, 180, 170), (92, 128, 110),
)  # fmt: skip
ANIMALS = ("lizard", "fox", "owl", "rabbit")
ICON_GROUNDS_BGR = (
    (78, 104, 196), (80, 150, 238), (176, 182, 140), (150, 196, 222), (200, 200, 205),
    (140, 110, 96),
)  # fmt: skip
_FONT_FILES = (
    ("font_roboto", "Roboto-Bold.ttf"), ("font_roboto", "Roboto-Black.ttf"),
    ("font_roboto", "Roboto-Medium.ttf"), ("font_roboto", "Roboto-BoldItalic.ttf"),
    ("font_fredoka_one", "FredokaOne-Regular.ttf"),
    ("font_source_serif_pro", "SourceSerifPro-Bold.ttf"),
    ("font_source_serif_pro", "SourceSerifPro-Black.ttf"),
    ("font_caladea", "Caladea-Bold.ttf"), ("font_caladea", "Caladea-BoldItalic.ttf"),
    ("font_fjallaone", "FjallaOne-Regular.ttf"), ("font_intuitive", "Intuitive.ttf"),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Look:
    """All that a rig's things look like; a picture of them follows from it alone."""

    seed: int
    grounds_bgr: tuple[tuple[int, int, int], ...]
    """One a zone, in the board's order."""
    border_mm: float
    edge_line: bool
    """Whether the zones' line also runs along the board's edge."""
    decorations: float
    """How much is printed on the field, 1 as usual."""
    corner_bgr: tuple[int, int, int]
    side_bgr: tuple[int, int, int]
    hole_bgr: tuple[int, int, int]
    thickness_mm: float
    colors_bgr: tuple[tuple[str, tuple[int, int, int]], ...]
    font: int
    digit_size: float
    """Height of a digit over the disc's diameter."""
    digit_stretch: float
    ring: float
    """Radius of the printed ring over the disc's, 0 for none."""
    grain: float
    """Strength of the wood grain, 0 for plain paint."""
    inlay: float
    """Radius of a pale sticker under the digit over the disc's, 0 for none."""
    back_bgr: tuple[int, int, int] | None
    """Underside of the discs, None as painted."""
    icons: str
    """How animals are printed: ``color``, ``dark`` or ``pale``."""
    icon_grounds: tuple[int, ...]
    """Which ground colour each animal's circle has."""
    dark_ink_bgr: tuple[int, int, int]
    light_ink_bgr: tuple[int, int, int]
    table: str
    table_bgr: tuple[int, int, int]
    gloss: float
    """Part of the lamp's light that smooth faces mirror."""

    def color_bgr(self, name: str) -> tuple[int, int, int]:
        """Paint of a disc colour."""
        return dict(self.colors_bgr)[name]


def random_look(rng: np.random.Generator, board: Board, *, style: str = "hard") -> Look:
    """A look for a board; the hard style likes disc colours that the board has too."""

    def near(bgr: tuple[int, int, int], spread: float) -> tuple[int, int, int]:
        b, g, r = (int(np.clip(c + d, 8, 246)) for c, d in zip(bgr, rng.normal(0, spread, 3),
                                                              strict=True))  # fmt: skip
        return b, g, r

    picked = rng.permutation(len(GROUNDS_BGR))[: len(board["zones"])]
    grounds = [near(GROUNDS_BGR[k], 9) for k in picked]
    colors = {c: near(PALETTE_BGR.get(c, (128, 128, 128)), 7) for c in board["discs"]["colors"]}
    if style == "hard" and rng.random() < 0.6:  # a ground in a disc's colour, a little dulled
        paint = np.array(colors[str(rng.choice(sorted(colors)))], float)
        dull = 0.62 * paint + 0.38 * 128
        grounds[int(rng.integers(len(grounds)))] = near(tuple(int(v) for v in dull), 5)  # type: ignore[arg-type]
    shuffled = rng.permutation(len(ICON_GROUNDS_BGR))[:4]
    icon_grounds = tuple(int(k) for k in (range(4) if rng.random() < 0.5 else shuffled))
    ink = int(rng.integers(25, 60))
    pale = int(rng.integers(205, 246))
    return Look(
        seed=int(rng.integers(2**31)),
        grounds_bgr=tuple(grounds),
        border_mm=float(rng.uniform(0.7, 1.8)),
        edge_line=bool(rng.random() < 0.25),
        decorations=float(rng.uniform(0.3, 1.3)),
        corner_bgr=near(((52, 70, 104), (60, 60, 64), (110, 150, 182))[rng.integers(3)], 8),
        side_bgr=near(((40, 52, 70), (120, 160, 188), (60, 60, 60))[rng.integers(3)], 6),
        hole_bgr=near((62, 60, 62), 10),
        thickness_mm=float(rng.uniform(3.0, 8.0)),
        colors_bgr=tuple(colors.items()),
        font=int(rng.integers(len(_FONT_FILES))),
        digit_size=float(rng.uniform(0.5, 0.68)),
        digit_stretch=float(rng.uniform(0.9, 1.12)),
        ring=float(rng.choice([0.0, rng.uniform(0.84, 0.93)])),
        grain=float(rng.choice([0.0, rng.uniform(0.04, 0.16)], p=[0.35, 0.65])),
        inlay=float(rng.choice([0.0, rng.uniform(0.66, 0.8)], p=[0.9, 0.1])),
        back_bgr=None if rng.random() < 0.5 else near((122, 150, 172), 12),
        icons=str(rng.choice(["color", "dark", "pale"], p=[0.7, 0.2, 0.1])),
        icon_grounds=icon_grounds,
        dark_ink_bgr=(ink, ink, ink + 4),
        light_ink_bgr=(pale - 12, pale - 4, pale),
        table=str(rng.choice(["cloth", "wood", "plain"], p=[0.55, 0.3, 0.15])),
        table_bgr=near(
            ((78, 94, 82), (60, 62, 66), (120, 86, 70), (92, 140, 180), (150, 158, 166),
             (70, 104, 150))[rng.integers(6)], 8),
        gloss=float(rng.uniform(0.25, 1.0)),
    )  # fmt: skip


def mottle(rng: np.random.Generator, size: tuple[int, int], cells: float) -> NDArray[np.float32]:
    """Smooth noise (H, W), mean 0 and deviation about 1, with blots of size / cells."""
    width, height = size
    longest = max(width, height)
    total = np.zeros((height, width), np.float32)
    for octave, weight in ((1, 1.0), (2, 0.6), (5, 0.35)):
        nx = max(3, round(cells * octave * width / longest) + 3)
        ny = max(3, round(cells * octave * height / longest) + 3)
        coarse = rng.standard_normal((ny, nx)).astype(np.float32)
        total += weight * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return total


@lru_cache(maxsize=256)
def face_texture(look: Look, color: str, number: int | None, size: int = 192) -> Pixels:
    """Top face of a disc (size, size, 3), the digit upright; nothing outside the circle matters."""
    rng = np.random.default_rng([look.seed, sum(map(ord, color)), number or 0])
    paint = np.array(look.color_bgr(color), np.float32)
    face = np.tile(paint, (size, size, 1))
    if look.grain:
        lines = rng.standard_normal((size // 3, 6)).astype(np.float32)
        lines = cv2.GaussianBlur(lines, (0, 0), 0.8, sigmaY=0.5)
        grain = cv2.resize(lines / lines.std(), (size, size), interpolation=cv2.INTER_CUBIC)
        spin = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.uniform(0, 360)), 1.5)
        grain = cv2.warpAffine(grain, spin, (size, size), borderMode=cv2.BORDER_REFLECT)
        face *= (1 + look.grain * 0.6 * grain)[..., None]
    face *= (1 + 0.03 * mottle(rng, (size, size), 3))[..., None]
    if look.inlay and number is not None:
        y, x = np.mgrid[:size, :size] - (size - 1) / 2
        pale = np.clip(look.inlay * size / 2 - np.hypot(x, y) + 0.5, 0, 1).astype(np.float32)
        paint = np.array(look.light_ink_bgr, np.float32)
        face += pale[..., None] * (paint - face)
    ink = look.dark_ink_bgr if _luma(paint) > 105 else look.light_ink_bgr
    mask = np.zeros((size, size), np.float32)
    if number is not None:
        mask = _digit_mask(look, number, size)
    if look.ring:
        ring = Image.new("L", (4 * size, 4 * size), 0)
        r, w = look.ring * 2 * size, 0.012 * 4 * size
        box = [2 * size - r, 2 * size - r, 2 * size + r, 2 * size + r]
        ImageDraw.Draw(ring).ellipse(box, outline=170, width=round(w))
        small = cv2.resize(np.asarray(ring), (size, size), interpolation=cv2.INTER_AREA)
        mask = np.maximum(mask, small.astype(np.float32) / 255)
    mask *= 1 - 0.1 * np.clip(mottle(rng, (size, size), 14), 0, 2)  # ink is worn here and there
    face += mask[..., None] * (np.array(ink, np.float32) - face)
    return np.clip(face, 0, 255).astype(np.uint8)


def _luma(bgr: NDArray[np.float32]) -> float:
    """Rec. 601 brightness, 0 to 255."""
    return float(bgr @ np.array([0.114, 0.587, 0.299]))


@lru_cache(maxsize=64)
def _font(index: int, size: int) -> Any:
    """One of the packaged typefaces."""
    package, name = _FONT_FILES[index % len(_FONT_FILES)]
    with resources.as_file(resources.files(package) / "files" / name) as path:
        return ImageFont.truetype(str(path), size)


def _digit_mask(look: Look, number: int, size: int) -> NDArray[np.float32]:
    """Coverage (size, size) of a digit, centred, 0 to 1."""
    big = 4 * size
    text, font = str(number), _font(look.font, big // 2)
    left, top, right, bottom = font.getbbox(text)
    canvas = Image.new("L", (right - left + 8, bottom - top + 8), 0)
    ImageDraw.Draw(canvas).text((4 - left, 4 - top), text, font=font, fill=255)
    glyph = np.asarray(canvas).astype(np.float32) / 255
    k = look.digit_size * size / (bottom - top)
    digit = cv2.resize(glyph, None, fx=k * look.digit_stretch, fy=k, interpolation=cv2.INTER_AREA)
    h, w = digit.shape
    out = np.zeros((size, size), np.float32)
    y, x = (size - h) // 2, (size - w) // 2
    out[y : y + h, x : x + w] = digit
    return out


@lru_cache(maxsize=8)
def table_texture(look: Look) -> Pixels:
    """A tile (1024, 1024, 3) of the table, half a millimetre a pixel; repeats by reflection."""
    rng = np.random.default_rng([look.seed, 77])
    n = 1024
    base = np.tile(np.array(look.table_bgr, np.float32), (n, n, 1))
    shade = 0.03 * mottle(rng, (n, n), 5)
    if look.table == "cloth":
        shade += 0.05 * rng.standard_normal((n, n)).astype(np.float32)
        shade += 0.03 * np.sin(np.arange(n) * 2.1).astype(np.float32)[None, :]
    elif look.table == "wood":
        lines = cv2.resize(
            rng.standard_normal((n // 4, 7)).astype(np.float32), (n, n),
            interpolation=cv2.INTER_CUBIC)  # fmt: skip
        plank = np.repeat(rng.normal(0, 0.07, 6), n // 6 + 1)[:n].astype(np.float32)
        seams = (np.arange(n) % (n // 6 + 1) < 3).astype(np.float32)
        shade += 0.06 * lines + plank[:, None] - 0.35 * seams[:, None]
    return np.asarray(np.clip(base * (1 + shade)[..., None], 0, 255), np.uint8)


def circle_points(center: Any, radius: float, count: int = 96) -> NDArray[np.float64]:
    """Points (count, 2) around a circle."""
    a = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return np.asarray(center, float) + radius * np.stack([np.cos(a), np.sin(a)], axis=-1)
