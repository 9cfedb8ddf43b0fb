"""The strip below an annotated board: what its signs mean, what was not seen, what to heed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.canvas import Canvas, Lettering, Pixels, text_width_px, wrap
from sonora_vision.detect.annotate.captions import is_choice
from sonora_vision.detect.annotate.palette import (
    DOUBT,
    PAPER,
    QUIET,
    WHITE,
    Rgb,
    disc_color,
    readable_on,
    section_colors,
)
from sonora_vision.observation import Disc, Reading

_COLUMNS = 3
_ROOM_PX = 4000
"""Height that is drawn on; what is not used is cut off."""


def draw_legend(
    board: BoardSpec, reading: Reading, unshown: Sequence[Disc], *, width_px: int, text_px: float
) -> Pixels:
    """Draw the strip.

    Parameters
    ----------
    board : BoardSpec
        The board.
    reading : Reading
        What was read.
    unshown : sequence of Disc
        Discs of the reading that lie outside the picture.
    width_px : int
        Width of the picture above.
    text_px : float
        Size of the text.

    Returns
    -------
    ndarray of uint8, shape (rows, width_px, 3)
        BGR.
    """
    strip = _Strip(width_px, text_px)
    strip.title(f"{reading.board}, {reading.image}", _summary(reading))
    strip.signs(_signs(board))
    strip.discs("Not seen", [(disc.color, disc.number) for disc in reading.missing])
    strip.discs("Outside the picture", [(disc.color, disc.number) for disc in unshown])
    for warning in reading.warnings:
        strip.warning(warning)
    return strip.pixels_bgr()


def _summary(reading: Reading) -> str:
    doubts = sum(bool(disc.doubts) for disc in reading.discs)
    choices = sum(is_choice(disc) for disc in reading.discs)
    words = [f"{len(reading.discs)} read", f"{doubts} in doubt", f"{choices} to choose"]
    return ", ".join([*words, f"{len(reading.missing)} not seen"])


def _signs(board: BoardSpec) -> list[tuple[str, Rgb, str]]:
    """Return each sign's shape, color and meaning."""
    color = next(iter(section_colors(board).values()), WHITE)
    signs = [
        ("ring", WHITE, "Where the disc stands on the board"),
        ("dashed", DOUBT, "? In doubt: counts nowhere until it is settled"),
        ("double", WHITE, "The rules let the owner choose"),
        ("line", color, "What it counts for, in the section's color"),
        ("inner", WHITE, "On edge, or on another disc"),
    ]
    if board.multipliers:
        signs.insert(4, ("circle", color, "Multiplier: a touch is enough"))
    return signs


class _Strip:
    """A strip that is written from top to bottom."""

    def __init__(self, width_px: int, text_px: float) -> None:
        pixels = np.empty((_ROOM_PX, width_px, 3), np.uint8)
        pixels[:] = PAPER[::-1]
        self._canvas = Canvas(pixels, px_per_mm=1.0, origin_mm=(0.0, 0.0))
        self._lettering: Lettering | None = None
        self._todo: list[tuple[tuple[float, float], str, Rgb, float, bool, str]] = []
        self._badges: list[tuple[float, float, str, int | None]] = []
        self._text_px = text_px
        self._pad_px = text_px * 1.2
        self._y = self._pad_px

    def title(self, left: str, right: str) -> None:
        size_px = self._text_px * 1.1
        self._y += size_px
        self._write(self._pad_px, self._y, left, WHITE, size_px=size_px, bold=True)
        width_px = self._canvas.size_px[0]
        self._write(width_px - self._pad_px, self._y, right, QUIET, size_px=size_px, anchor="rs")
        self._y += size_px

    def signs(self, signs: Sequence[tuple[str, Rgb, str]]) -> None:
        column_px = (self._canvas.size_px[0] - self._pad_px) / _COLUMNS
        sign_px = self._text_px * 2.4
        words_px = column_px - sign_px - self._pad_px * 1.2
        for start in range(0, len(signs), _COLUMNS):
            row = signs[start : start + _COLUMNS]
            texts = [wrap(words, self._text_px * 0.86, words_px) for _, _, words in row]
            high = max(sign_px, max(len(lines) for lines in texts) * self._text_px * 1.1)
            for i, ((shape, color, _), lines) in enumerate(zip(row, texts, strict=True)):
                x, middle = self._pad_px + i * column_px, self._y + high / 2
                self._sign(shape, color, (x + sign_px * 0.42, middle), sign_px * 0.36)
                y = middle - (len(lines) - 1) * self._text_px * 0.55 + self._text_px * 0.3
                for line in lines:
                    self._write(x + sign_px, y, line, WHITE, size_px=self._text_px * 0.86)
                    y += self._text_px * 1.1
            self._y += high + self._text_px * 0.5

    def discs(self, words: str, discs: Sequence[tuple[str, int | None]]) -> None:
        if not discs:
            return
        start = self._pad_px + text_width_px("Outside the picture:", self._text_px) + self._pad_px
        self._y += self._text_px * 1.5
        self._write(self._pad_px, self._y, f"{words}:", WHITE, size_px=self._text_px, bold=True)
        x = start
        for color, number in discs:
            wide = self._text_px * 2.6 + text_width_px(color, self._text_px * 0.86)
            if x + wide > self._canvas.size_px[0] - self._pad_px:
                x, self._y = start, self._y + self._text_px * 1.8
            self._badges.append((x, self._y - self._text_px * 1.1, color, number))
            self._write(
                x + self._text_px * 1.8, self._y, color, WHITE, size_px=self._text_px * 0.86
            )
            x += wide
        self._y += self._text_px * 0.6

    def warning(self, words: str) -> None:
        self._y += self._text_px * 1.5
        self._write(self._pad_px, self._y, "Warning:", DOUBT, size_px=self._text_px, bold=True)
        x = self._pad_px * 1.6 + text_width_px("Warning:", self._text_px)
        for line in wrap(words, self._text_px, self._canvas.size_px[0] - x - self._pad_px):
            self._write(x, self._y, line, WHITE, size_px=self._text_px)
            self._y += self._text_px * 1.25
        self._y -= self._text_px * 1.25

    def pixels_bgr(self) -> Pixels:
        lettering = Lettering(self._canvas.pixels_bgr[: round(self._y + self._pad_px)])
        for at, words, color, size_px, bold, anchor in self._todo:
            lettering.text(at, words, color, size_px=size_px, bold=bold, anchor=anchor)
        for x, y, color_name, number in self._badges:
            write_badge(lettering, (x, y), self._text_px * 1.4, color_name, number)
        return lettering.pixels_bgr()

    def _write(
        self,
        x: float,
        y: float,
        words: str,
        color: Rgb,
        *,
        size_px: float,
        bold: bool = False,
        anchor: str = "ls",
    ) -> None:
        self._todo.append(((x, y), words, color, size_px, bold, anchor))

    def _sign(self, shape: str, color: Rgb, at: tuple[float, float], radius: float) -> None:
        canvas = self._canvas
        if shape == "line":
            start = (at[0] - radius, at[1] + radius * 0.5)
            end = (at[0] + radius * 0.8, at[1] - radius * 0.5)
            canvas.stroke([start, end], color, width_px=5)
            canvas.dot(end, 8, color)
            return
        dash = 12.0 if shape == "dashed" else 0.0
        canvas.ring(at, radius, color, width_px=5 if dash else 4, dash_px=dash)
        if shape == "double":
            canvas.ring(at, radius * 0.72, color, width_px=3)
        if shape == "inner":
            canvas.ring(at, radius * 0.55, color, width_px=2, dash_px=6)


def write_badge(
    lettering: Lettering,
    at_px: tuple[float, float],
    size_px: float,
    color_name: str,
    number: int | str | None,
) -> None:
    """Draw a disc as a small round badge in its color, with its number."""
    fill = disc_color(color_name)
    x, y = at_px
    rim = 2.0
    lettering.box(
        (x - rim, y - rim, x + size_px + rim, y + size_px + rim), WHITE, radius_px=size_px
    )
    lettering.box((x, y, x + size_px, y + size_px), fill, radius_px=size_px)
    if number is not None:
        lettering.text(
            (x + size_px / 2, y + size_px / 2),
            str(number),
            readable_on(fill),
            size_px=size_px * 0.76,
            anchor="mm",
            bold=True,
        )
