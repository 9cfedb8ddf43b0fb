"""A whole sheet as an SVG page, blank or with its marks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Literal

from sonora_vision.score.sonora.drawing.canyon import draw_canyon
from sonora_vision.score.sonora.drawing.icons import (
    ANIMAL_OF,
    INK,
    SECTION_COLORS,
    icon,
    symbols,
    text,
)
from sonora_vision.score.sonora.drawing.networks import draw_creek, draw_mudcracks
from sonora_vision.score.sonora.drawing.ruins import draw_ruins
from sonora_vision.score.sonora.final import score_sheet
from sonora_vision.score.sonora.sheet import Bonus
from sonora_vision.score.sonora.state import ICONS, Setting, SheetState

Paper = Literal["A4", "Letter"]
PAPERS_MM: dict[Paper, tuple[float, float]] = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}

_AREA_MM = (192.0, 264.0)
"""Drawn area; it fits both papers with a margin that printers can print."""
_PANEL_MM = (94.0, 108.0)
_TITLE_MM = 8.0
_BAND_MM = 30.0
_TITLES = {"ruins": "Cliff Ruins", "canyon": "Canyon", "creek": "Creek", "mudcracks": "Mudcracks"}
_PLACES = {"ruins": (0, 0), "canyon": (1, 0), "creek": (0, 1), "mudcracks": (1, 1)}


def draw_sheet(setting: Setting, paper: Paper = "A4", state: SheetState | None = None) -> str:
    """Draw a sheet.

    Parameters
    ----------
    setting
        Paper and rules; the sheet to draw is in it.
    paper
        Page to print on.
    state
        Marks to draw on it; a blank sheet if not given.

    Returns
    -------
    str
        An SVG document in millimetres.
    """
    width, height = PAPERS_MM[paper]
    left, top = (width - _AREA_MM[0]) / 2, (height - _AREA_MM[1]) / 2
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" font-family="Georgia, DejaVu Serif, serif">',
            f"<title>{escape(setting.sheet.name)}</title><defs>{symbols()}</defs>",
            "<style>.mark{fill:none;stroke:#1f3f8f;stroke-width:.8;stroke-linecap:round}</style>",
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            f'<g transform="translate({left:.2f} {top:.2f})" fill="none">',
            *_panels(setting, state),
            *_band(setting, state),
            *_foot(setting),
            "</g></svg>\n",
        ]
    )


def _panels(setting: Setting, state: SheetState | None) -> Iterator[str]:
    """Yield the four sections, each in its panel."""
    sheet, (width, height) = setting.sheet, _PANEL_MM
    inner, tall = width - 4, height - _TITLE_MM - 3
    drawn = {
        "ruins": draw_ruins(sheet.ruins, state, inner),
        "canyon": draw_canyon(sheet.canyon, state, inner, tall),
        "creek": draw_creek(sheet.creek, state),
        "mudcracks": draw_mudcracks(sheet.mudcracks, state, inner),
    }
    for section, (column, row) in _PLACES.items():
        x = column * (_AREA_MM[0] - width)
        y = row * (height + _BAND_MM + 8)
        color = SECTION_COLORS[section]
        yield (
            f'<g transform="translate({x:.2f} {y:.2f})">'
            f'<rect width="{width}" height="{height}" rx="3" fill="#fffdf8" stroke="{color}" '
            f'stroke-width=".8"/>'
            f'<path d="M0 {_TITLE_MM}V3a3 3 0 0 1 3-3H{width - 3}a3 3 0 0 1 3 3V{_TITLE_MM}Z" '
            f'fill="{color}"/>'
            + text(width / 2, 4.2, 5, _TITLES[section], fill="#fff", font_weight="bold")
            + '<circle cx="6" cy="4" r="3.5" fill="#fffdf8"/>'
            + icon(ANIMAL_OF[section], 6, 4, 6)
            + f'<g transform="translate(2 {_TITLE_MM + 1.8})">'
        )
        yield from drawn[section]
        yield "</g></g>"


def _band(setting: Setting, state: SheetState | None) -> Iterator[str]:
    """Yield the bonus area, the Discovery area and the boxes for the scores."""
    y = _PANEL_MM[1] + 4
    yield (
        f'<g transform="translate(0 {y})"><rect width="{_AREA_MM[0]}" height="{_BAND_MM}" rx="3" '
        f'fill="#fbf3e4" stroke="{INK}" stroke-width=".5"/>'
    )
    sheet = setting.sheet
    yield text(31, 4.6, 3.6, "Reflick and Swap", font_weight="bold")
    for row, bonus in enumerate(ICONS[:2]):
        yield from _icons(setting, state, bonus, 6.5, 11.8 + 11 * row, sheet.bonus_area[bonus], 7)
    yield text(91, 4.6, 3.6, "Discovery", font_weight="bold")
    x = 72.0
    for bonus in ICONS[2:]:
        count = sheet.discovery_area[bonus]
        for n in range(count):
            yield from _icons(setting, state, bonus, x, 11.8 + 11 * n, 1, 7, first=n)
        label = f"+{setting.rules.discovery_rabbit_value}" if bonus == "rabbit" else ""
        yield text(x + 6.5, 11.8, 3, label)
        x += 15 if bonus != "owl" else 14
    yield from _score_boxes(setting, state)
    yield "</g>"


def _icons(
    setting: Setting, state: SheetState | None, bonus: Bonus, x: float, y: float, count: int,
    step: float, first: int = 0,
) -> Iterator[str]:  # fmt: skip
    """Yield a row of icons to circle and to cross off; those of the start are circled."""
    index = ICONS.index(bonus)
    circled = state.bonuses[index] if state else setting.rules.start_bonuses.get(bonus, 0)
    spent = state.spent[index] if state else 0
    for n in range(first, first + count):
        cx = x + step * (n - first)
        yield icon(bonus, cx, y, 5)
        if n < circled:
            look = 'class="mark"' if state else f'fill="none" stroke="{INK}" stroke-width=".5"'
            yield f'<circle cx="{cx:.2f}" cy="{y:.2f}" r="3.2" {look}/>'
        if n < spent:
            yield (
                f'<path d="M{cx - 2.2:.2f} {y - 2.2:.2f}l4.4 4.4m0 -4.4l-4.4 4.4" class="mark"/>'
            )


def _score_boxes(setting: Setting, state: SheetState | None) -> Iterator[str]:
    """Yield a box a section and the total, filled in where there are marks."""
    score = score_sheet(setting, "", state) if state else None
    values = {row.label: row.value for row in score.rows} if score else {}
    for n, section in enumerate(("ruins", "canyon", "creek", "mudcracks")):
        x, y = 122 + 23 * (n % 2), 3.5 + 12.5 * (n // 2)
        yield icon(ANIMAL_OF[section], x + 3.2, y + 5, 6.4)
        yield _box(x + 7, y, 13, SECTION_COLORS[section])
        if section in values:
            yield text(x + 13.5, y + 5.2, 5, values[section])
    yield text(178, 4.6, 3.6, "Total", font_weight="bold")
    yield _box(169.5, 8, 17, INK)
    if score:
        yield text(178, 13.2, 6, score.total)


def _box(x: float, y: float, width: float, color: str) -> str:
    """Draw a box to write in."""
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="10.5" rx="1.5" fill="#fff" '
        f'stroke="{color}" stroke-width=".6"/>'
    )


def _foot(setting: Setting) -> Iterator[str]:
    """Yield the sheet's name and source, so that a print says what it is."""
    words = escape(f"{setting.sheet.name}: {setting.sheet.source}")
    yield text(_AREA_MM[0] / 2, _AREA_MM[1] - 1.6, 2.6, words, font_style="italic")
