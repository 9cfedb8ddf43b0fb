"""Drawn sheets: whole, on the page, and showing what is marked."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from sonora_vision.score.sonora.drawing import PAPERS_MM, Paper, draw_sheet
from sonora_vision.score.sonora.drawing.icons import symbols
from sonora_vision.score.sonora.state import Setting
from sonora_vision.score.sonora.state_text import parse_state

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("paper", list(PAPERS_MM))
def test_page_has_the_papers_size_and_everything_that_is_printed(
    setting: Setting, paper: Paper
) -> None:
    root = ElementTree.fromstring(draw_sheet(setting, paper))
    width, height = PAPERS_MM[paper]
    assert (root.get("width"), root.get("height")) == (f"{width}mm", f"{height}mm")
    sheet = setting.sheet
    hexes = sum(building.size for building in sheet.ruins.buildings) + len(sheet.ruins.rival)
    polygons = list(root.iter(f"{SVG}polygon"))
    assert len(polygons) == hexes + len(sheet.mudcracks.areas)
    used = [str(use.get("href")) for use in root.iter(f"{SVG}use")]
    for bonus in ("reflick", "swap"):
        drawn = used.count(f"#{bonus}") - sheet.bonus_area[bonus]
        printed = (
            [building.top.bonus for building in sheet.ruins.buildings]
            + list(sheet.canyon.icons.values())
            + [space.bonus for space in sheet.creek.spaces]
            + [area.bonus for area in sheet.mudcracks.areas]
            + [column.bonus for column in sheet.mudcracks.columns]
        )
        assert drawn == printed.count(bonus)
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert f"{sheet.name}: {sheet.source}" in words


def test_every_icon_that_is_used_is_defined(setting: Setting) -> None:
    drawn = draw_sheet(setting)
    used = set(re.findall(r'href="#(\w+)"', drawn))
    assert used == set(re.findall(r'<symbol id="(\w+)"', symbols()))


MARKS = ("ruins: A3", "ruins: A5^", "ruins: B0x", "ruins: rival 2-1", "canyon: e10", "creek: a1",
         "creek: a1*", "mudcracks: i1", "mudcracks: box1-1", "bonuses: swap 2-1")  # fmt: skip


def count_marks(drawn: str) -> int:
    return len(re.findall(r"class=['\"]mark['\"]", drawn))


def test_a_blank_sheet_has_no_marks(setting: Setting) -> None:
    assert count_marks(draw_sheet(setting)) == 0


@pytest.mark.parametrize("line", MARKS)
def test_marks_are_drawn(setting: Setting, line: str) -> None:
    """Each kind of mark adds to the marks on the page."""
    before = count_marks(draw_sheet(setting, state=parse_state(setting, "")))
    assert count_marks(draw_sheet(setting, state=parse_state(setting, line))) > before


def test_scores_stand_in_their_boxes(setting: Setting) -> None:
    blank, scored = (
        re.findall(r">(\d+)</text>", draw_sheet(setting, state=parse_state(setting, line)))
        for line in ("", "ruins: B9^")
    )
    assert scored.count("11") - blank.count("11") == 2  # the Ruins' box and the total


def test_everything_lies_on_the_page(setting: Setting) -> None:
    """No circle of creek or mudcracks leaves its panel of 94 by 108 mm."""
    for at in (
        *(space.at_mm for space in setting.sheet.creek.spaces),
        *(node.at_mm for node in setting.sheet.mudcracks.nodes),
    ):
        assert 3 <= at[0] <= 91
        assert 3 <= at[1] <= 97
