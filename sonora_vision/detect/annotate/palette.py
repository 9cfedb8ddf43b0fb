"""The colors of annotated pictures: one for each section, one for doubt, one for each disc."""

from __future__ import annotations

from PIL import ImageColor

from sonora_vision.calibrate.board_spec import BoardSpec

Rgb = tuple[int, int, int]

WHITE: Rgb = (255, 255, 255)
INK: Rgb = (18, 20, 24)
PAPER: Rgb = (28, 31, 37)
QUIET: Rgb = (176, 182, 192)
DOUBT: Rgb = (255, 110, 180)
CHOICE: Rgb = (255, 255, 255)

_SECTIONS: tuple[Rgb, ...] = (
    (255, 214, 74),
    (92, 203, 255),
    (160, 232, 120),
    (205, 176, 255),
    (255, 160, 122),
    (120, 240, 214),
)
_PAINT: dict[str, Rgb] = {
    "black": (34, 34, 38),
    "blue": (44, 94, 190),
    "brown": (112, 70, 40),
    "cream": (244, 232, 204),
    "gray": (128, 130, 134),
    "green": (46, 128, 58),
    "natural": (216, 182, 136),
    "orange": (235, 122, 40),
    "pink": (238, 130, 170),
    "purple": (112, 62, 144),
    "red": (204, 44, 44),
    "teal": (0, 122, 124),
    "white": (242, 240, 234),
    "yellow": (243, 196, 52),
}
"""Painted wood, for the names that a screen takes for its own glaring primaries."""
_UNKNOWN_DISC: Rgb = (128, 130, 134)


def section_colors(board: BoardSpec) -> dict[str, Rgb]:
    """Return one color for each section, the same in every picture of one board."""
    sections = dict.fromkeys([zone.section for zone in board.zones])
    sections |= dict.fromkeys([circle.section for circle in board.multipliers])
    return {name: _SECTIONS[i % len(_SECTIONS)] for i, name in enumerate(sections)}


def disc_color(name: str) -> Rgb:
    """Return the color that a disc's color name stands for, grey for a name of the owner's own."""
    if name in _PAINT:
        return _PAINT[name]
    try:
        return ImageColor.getrgb(name)[:3]
    except ValueError:
        return _UNKNOWN_DISC


def readable_on(background: Rgb) -> Rgb:
    """Return black or white: at least 3.9 to 1 against it by WCAG, bold digits being large text."""
    red, green, blue = (_linear(value / 255) for value in background)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return INK if luminance > 0.22 else WHITE


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
