"""Draw disc faces with numbers in many fonts, to train the general number reader on.

Every face is drawn anew: font, slant, weight, size, place, turn, wood and ink, grain, rings and
pips, light, shadow, glare, softness, noise, and what hides part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, FaceCrop

FONT_PACKAGES = (
    "font_amatic_sc",
    "font_caladea",
    "font_fjallaone",
    "font_fredoka_one",
    "font_hanken_grotesk",
    "font_intuitive",
    "font_lato",
    "font_manrope",
    "font_roboto",
    "font_source_sans_pro",
    "font_source_serif_pro",
)
HELD_OUT = ("font_caladea", "font_manrope")
"""Families that are not trained on, but show how sure the reader may be on unseen ones."""
GLYPH_PX = 128
Ink = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Glyph:
    """A digit as a picture of ink, its body 0.6 of the picture's height, in the middle."""

    digit: int
    ink: Ink


def glyphs(packages: tuple[str, ...]) -> list[list[Glyph]]:
    """Draw every font's ten digits; one list a font."""
    fonts = []
    for package in packages:
        for path in sorted(resources.files(package).joinpath("files").iterdir(), key=str):
            if path.name.endswith((".ttf", ".otf")):
                with path.open("rb") as file:
                    font = ImageFont.truetype(file, 100)
                    fonts.append([Glyph(digit=d, ink=_typeset(font, str(d))) for d in range(10)])
    return fonts


def stroked_glyphs() -> list[list[Glyph]]:
    """Draw the digits of OpenCV's stroke fonts, thin to bold."""
    kinds = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)
    fonts = []
    for kind in kinds:
        for stroke in (5, 9, 14):
            font = []
            for digit in range(10):
                picture = np.zeros((256, 256), np.uint8)
                cv2.putText(picture, str(digit), (80, 170), kind, 4, 255, stroke, cv2.LINE_AA)
                font.append(Glyph(digit=digit, ink=_centered(picture)))
            fonts.append(font)
    return fonts


def _typeset(font: ImageFont.FreeTypeFont, text: str) -> Ink:
    """One digit of a font."""
    picture = Image.new("L", (256, 256))
    ImageDraw.Draw(picture).text((128, 128), text, 255, font, anchor="mm")
    return _centered(np.asarray(picture))


def _centered(picture: Ink) -> Ink:
    """Bring the ink to the middle and to one height."""
    x, y, w, h = cv2.boundingRect((picture > 64).astype(np.uint8))
    scale = 0.6 * GLYPH_PX / h
    middle = (GLYPH_PX - 1) / 2
    matrix = np.array(
        [
            [scale, 0, middle - scale * (x + (w - 1) / 2)],
            [0, scale, middle - scale * (y + (h - 1) / 2)],
        ]
    )
    out = cv2.warpAffine(picture, matrix, (GLYPH_PX, GLYPH_PX), flags=cv2.INTER_AREA)
    return np.asarray(out, np.uint8)


def draw(fonts: list[list[Glyph]], rng: np.random.Generator) -> tuple[FaceCrop, int]:
    """Draw one face, and say its number."""
    font = fonts[rng.integers(len(fonts))]
    glyph = font[rng.integers(10)]
    cover = _painted(_deformed(glyph.ink, rng), glyph.digit, rng)
    wood, ink = _paints(rng)
    face = wood + cover[..., None] * (ink - wood)
    face = _surroundings(_grained(face, rng), rng)
    face = _lit(face, rng)
    visible = _hidden(face, rng)
    sigma = float(rng.choice([0.5, 0.8, 1.2, 1.8, 2.6], p=[0.2, 0.3, 0.25, 0.15, 0.1]))
    face = cv2.GaussianBlur(face, (0, 0), sigma)
    if rng.random() < 0.1:
        face = _moved(face, rng)
    face = face + rng.normal(0, rng.uniform(0.5, 9), face.shape)
    pixels = np.clip(face, 0, 255).astype(np.uint8)
    visible &= pixels.min(axis=2) < 255
    return FaceCrop(pixels_bgr=pixels, visible=visible), glyph.digit


def _deformed(ink: Ink, rng: np.random.Generator) -> Ink:
    """Thicken or thin the strokes a little."""
    size = int(rng.integers(1, 6))
    if rng.random() < 0.5 or size == 1:
        return ink
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    worked = cv2.dilate(ink, kernel) if rng.random() < 0.7 else cv2.erode(ink, kernel)
    return np.asarray(worked, np.uint8) if worked.max() > 200 else ink


def _painted(ink: Ink, digit: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Lay the digit and its ornaments on the face: how much of each pixel is ink."""
    height = FACE_RIM_PX * rng.uniform(0.55, 1.3)
    scale = height / (0.6 * GLYPH_PX)
    turn = rng.uniform(0, 2 * np.pi)
    slant, wide = rng.normal(0, 0.08), np.exp(rng.normal(0, 0.12))
    cos, sin = np.cos(turn), np.sin(turn)
    shape = scale * np.array([[cos, -sin], [sin, cos]]) @ np.array([[wide, slant], [0, 1]])
    tilt = np.eye(2) + rng.normal(0, 0.03, (2, 2))
    shape = tilt @ shape
    middle = np.full(2, (FACE_SIDE_PX - 1) / 2)
    off = rng.normal(0, 1.1, 2) + rng.normal(0, 0.6, 2)
    shift = middle + off - shape @ np.full(2, (GLYPH_PX - 1) / 2)
    size = (FACE_SIDE_PX, FACE_SIDE_PX)
    matrix = np.column_stack([shape, shift])
    picture = cv2.GaussianBlur(ink, (0, 0), 0.35 / scale) if scale < 0.7 else ink
    cover = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    if rng.random() < 0.35:
        cover = np.maximum(cover, _ornament(digit, height, turn, rng))
    return np.asarray(cover * rng.uniform(0.75, 1), np.float32)


def _ornament(
    digit: int, height: float, turn: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Add a ring, a line under the digit, pips under it or around, or a mark above."""
    zoom, middle = 4, (FACE_SIDE_PX - 1) / 2
    picture = np.zeros((FACE_SIDE_PX * zoom, FACE_SIDE_PX * zoom), np.uint8)
    down = np.array([-np.sin(turn), np.cos(turn)])
    right = np.array([np.cos(turn), np.sin(turn)])

    def at(x: float, y: float) -> tuple[int, int]:
        px, py = (middle + x * right + y * down + 0.5) * zoom
        return round(px), round(py)

    kind = rng.integers(5)
    below = min(height * 0.5 + rng.uniform(3, 7), FACE_RIM_PX * 0.85)
    thick = int(rng.integers(4, 11))
    if kind == 0:
        radius = round(FACE_RIM_PX * rng.uniform(0.68, 0.95) * zoom)
        cv2.circle(picture, at(0, 0), radius, 255, thick, cv2.LINE_AA)
    elif kind == 1:
        half = rng.uniform(4, 10)
        cv2.line(picture, at(-half, below), at(half, below), 255, thick, cv2.LINE_AA)
    elif kind == 2:
        count = int(rng.integers(1, 6))
        gap = rng.uniform(3, 5)
        for pip in range(count):
            spot = at((pip - (count - 1) / 2) * gap, below)
            cv2.circle(picture, spot, round(rng.uniform(3.5, 6.5)), 255, -1, cv2.LINE_AA)
    elif kind == 3:
        count, radius_px = int(rng.integers(3, 13)), FACE_RIM_PX * rng.uniform(0.75, 0.9)
        for pip in range(count):
            angle = 2 * np.pi * pip / count
            spot = at(radius_px * np.cos(angle), radius_px * np.sin(angle))
            cv2.circle(picture, spot, thick, 255, -1, cv2.LINE_AA)
    else:
        x, y = rng.uniform(-4, 4), -below
        for _ in range(3):
            a, b = rng.uniform(-3, 3, 2), rng.uniform(-3, 3, 2)
            cv2.line(picture, at(x + a[0], y + a[1]), at(x + b[0], y + b[1]), 255, 4, cv2.LINE_AA)
    small = cv2.resize(picture, (FACE_SIDE_PX, FACE_SIDE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small.astype(np.float32) / 255, np.float32)


def _paints(rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Wood and ink that differ enough to be told apart."""
    while True:
        wood, ink = rng.uniform(15, 235, (2, 3))
        if rng.random() < 0.7:
            ink = np.full(3, rng.choice([rng.uniform(15, 70), rng.uniform(180, 245)]))
        grey = np.array([0.114, 0.587, 0.299])
        if abs(float((wood - ink) @ grey)) > 45 or np.abs(wood - ink).sum() > 260:
            return wood.astype(np.float32), ink.astype(np.float32)


def _grained(face: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Wood grain along one direction, and blotches."""
    strength = rng.choice([0.0, rng.uniform(0.0, 0.12)])
    if strength == 0.0:
        return face
    noise = rng.normal(0, 1, (96, 96)).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), sigmaX=rng.uniform(4, 12), sigmaY=rng.uniform(0.5, 2))
    spin = cv2.getRotationMatrix2D((47.5, 47.5), rng.uniform(0, 360), 1.0)
    noise = cv2.warpAffine(noise, spin, (96, 96))[16:80, 16:80]
    noise /= max(float(noise.std()), 1e-6)
    return np.asarray(face * (1 + np.float32(strength) * noise[..., None]), np.float32)


def _surroundings(face: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Side wall and table beyond the rim, which is never quite where it was found."""
    axis = np.arange(FACE_SIDE_PX) - (FACE_SIDE_PX - 1) / 2
    dx, dy = rng.normal(0, 0.8, 2)
    beyond = np.hypot(axis[:, None] - dy, axis - dx) > FACE_RIM_PX * np.exp(rng.normal(0, 0.025))
    outside = rng.uniform(10, 240, 3) if rng.random() < 0.6 else face[32, 4] * rng.uniform(0.5, 0.9)
    return np.where(beyond[..., None], outside.astype(np.float32), face)


def _lit(face: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Slope of light, warmth, a soft shadow's edge, a veil of glare."""
    axis = (np.arange(FACE_SIDE_PX, dtype=np.float32) - (FACE_SIDE_PX - 1) / 2) / FACE_RIM_PX
    angle, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.35)
    along = np.float32(np.cos(angle)) * axis + np.float32(np.sin(angle)) * axis[:, None]
    light = 1 + np.float32(slope) * along
    if rng.random() < 0.2:
        edge = (along - np.float32(rng.uniform(-0.8, 0.8))) / np.float32(rng.uniform(0.05, 0.4))
        light *= 1 - np.float32(rng.uniform(0.1, 0.5)) / (1 + np.exp(-np.clip(edge, -20, 20)))
    warm = np.exp(rng.normal(0, 0.12, 3)) * rng.uniform(0.35, 1.15)
    lit = face * light[..., None] * warm.astype(np.float32)
    if rng.random() < 0.2:
        x, y = rng.uniform(-1, 1, 2)
        spot = np.exp(-((axis - x) ** 2 + (axis[:, None] - y) ** 2) / rng.uniform(0.05, 1.5))
        lit = lit + np.float32(rng.uniform(20, 200)) * spot[..., None].astype(np.float32)
    return np.asarray(lit, np.float32)


def _hidden(face: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Hide part of some faces in place, mostly marked as hidden; return what is visible."""
    visible = np.ones((FACE_SIDE_PX, FACE_SIDE_PX), np.bool_)
    if rng.random() < 0.65:
        return visible
    axis = np.arange(FACE_SIDE_PX) - (FACE_SIDE_PX - 1) / 2
    angle = rng.uniform(0, 2 * np.pi)
    along = np.cos(angle) * axis + np.sin(angle) * axis[:, None]
    kind = rng.integers(3)
    if kind == 0:
        hidden = along > rng.uniform(-20, 24)
    elif kind == 1:
        far = rng.uniform(15, 54)
        hidden = (
            np.hypot(axis - far * np.cos(angle), axis[:, None] - far * np.sin(angle)) < FACE_RIM_PX
        )
    else:
        hidden = np.abs(along - rng.uniform(-24, 24)) < rng.uniform(3, 12)
    face[hidden] = rng.uniform(20, 230, 3)
    if rng.random() < 0.75:
        visible &= ~hidden
    return visible


def _moved(face: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Blur by a movement of the camera."""
    length = rng.uniform(2, 6)
    kernel = np.zeros((9, 9), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-0.5, 0.5, 25):
        x, y = 4 + step * length * np.cos(angle), 4 + step * length * np.sin(angle)
        kernel[round(y), round(x)] += 1
    return np.asarray(cv2.filter2D(face, -1, kernel / kernel.sum()), np.float32)
