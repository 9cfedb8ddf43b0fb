"""Letters with accents, for a font that has none: the letter, and where its mark stands over it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import ImageFont

Point = tuple[float, float]

_MARKS = {"\u0300": "`", "\u0301": "\u00b4", "\u0302": "^", "\u0303": "~", "\u0308": ".."}
"""Combining marks, and the signs of the font that look like them."""
_SIZES = {"\u00b4": 1.6, "`": 1.6, "~": 0.75, "^": 0.6, "..": 0.7}
"""How large a sign is written, in parts of the letters' size, to look like the mark."""
_GAP = 0.05
"""Between letter and mark, in parts of the letters' size."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A sign to be written over a letter."""

    sign: str
    size_px: float
    left_px: float
    baseline_px: float


def bare(words: str) -> str:
    """Return a text without the marks on its letters."""
    return "".join(letter for letter, _ in _letters(words))


def marks(
    words: str, at_px: Point, anchor: str, size_px: float, font: ImageFont.FreeTypeFont
) -> list[Mark]:
    """Return the marks of a text that is written bare; the parameters are those of the writing."""
    text = bare(words)
    found = []
    for index, (letter, mark) in enumerate(_letters(words)):
        if not mark:
            continue
        before, width = font.getlength(text[:index]), font.getlength(letter)
        middle = _left(at_px[0], anchor, font.getlength(text)) + before + width / 2
        top = _baseline(at_px[1], anchor, font) + font.getbbox(letter, anchor="ls")[1]
        size = size_px * _SIZES.get(mark, 1.0)
        left, right, bottom = _ink(mark, font.font_variant(size=round(size)))
        found.append(
            Mark(
                sign=mark,
                size_px=size,
                left_px=middle - (left + right) / 2,
                baseline_px=top - _GAP * size_px - bottom,
            )
        )
    return found


def _letters(words: str) -> Iterator[tuple[str, str]]:
    """Yield each letter with the sign that stands for its mark, if it has one."""
    for letter in unicodedata.normalize("NFC", words):
        base, *rest = list(unicodedata.normalize("NFD", letter))
        mark = _MARKS.get(rest[0], "") if rest else ""
        yield (base, mark) if mark else (letter, "")


def _ink(sign: str, font: ImageFont.FreeTypeFont) -> tuple[float, float, float]:
    """Return left, right and lower end of a sign's ink, from the pen on the baseline, in px."""
    left, top, _, _ = font.getbbox(sign, anchor="ls")
    box = font.getmask(sign).getbbox()
    return left + box[0], left + box[2], top + box[3]


def _left(x_px: float, anchor: str, width_px: float) -> float:
    return x_px - {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]] * width_px


def _baseline(y_px: float, anchor: str, font: ImageFont.FreeTypeFont) -> float:
    ascent, descent = font.getmetrics()
    return y_px + {"s": 0.0, "m": (ascent - descent) / 2, "a": ascent}[anchor[1]]
