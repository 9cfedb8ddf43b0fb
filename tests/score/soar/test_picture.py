"""The picture shows every quest with its tokens, and everybody's tray."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from sonora_vision.score.soar import GAME

SVG = "{http://www.w3.org/2000/svg}"
LINE = (
    "cloud-gate: 5@blue +4next@sky 3@red 8@sky 2@blue | storm-eye: 10@red ?@sky x2@molly | "
    "blue: 12 holds 3 5 6 star2 | red: -3 holds +4prev | molly: 7 | sky: 4 holds star3 -2all | "
    "left: 6"
)


def words(line: str) -> list[str]:
    root = ET.fromstring(GAME.draw_position(line))
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_every_quest_player_and_token_is_on_it() -> None:
    found = words(LINE)
    for word in ("cloud gate", "storm eye", "10", "?", "x2", "+4", "-2", "blue", "molly"):
        assert word in found
    assert found.count("Skyborne") == 3 + 1
    assert "6 quests in the pile" in found


def test_totals_are_those_of_the_score_sheet() -> None:
    found = words(LINE)
    for player in GAME.score_position(LINE).players:
        assert str(player.total) in found


def test_a_full_quest_says_who_gets_what() -> None:
    assert any("red +4" in word for word in words(LINE))


def test_everything_that_is_used_is_defined() -> None:
    root = ET.fromstring(GAME.draw_position(LINE))
    defined = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    assert {use.get("href") for use in root.iter(f"{SVG}use")} <= defined


@pytest.mark.parametrize("line", ["a: 12 | b: 7 | sky: 20", "white: 1 | black: 2 | sky: 3"])
def test_a_table_without_quests_is_drawn_too(line: str) -> None:
    found = words(line)
    assert "no quests in the pile" in found
    assert any("wins" in word for word in found)
