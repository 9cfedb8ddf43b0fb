"""The picture shows every card, what scores, and where the express stands."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from sonora_vision.score.sunflower_valley import GAME

SVG = "{http://www.w3.org/2000/svg}"
LINE = (
    "molly: start5a > rail-we@e1 > town1@e2 > rail-we@e3 > town2@e4 > lake@n1 > mountain@s1 | "
    "george: start1b sheep@n1 sheep@w1 | goals: long-way lake-land happy-towns"
)


def pictured(line: str) -> ET.Element:
    return ET.fromstring(GAME.draw_position(line))


def words(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_every_card_is_drawn_once() -> None:
    frames = [g for g in pictured(LINE).iter(f"{SVG}g") if g.get("clip-path") == "url(#card)"]
    assert len(frames) == 7 + 3


def test_no_two_cards_overlap_and_all_lie_on_the_paper() -> None:
    root = pictured(LINE)
    width, height = (float(size) for size in root.get("viewBox", "").split()[2:])
    corners = []
    for panel in root.findall(f"{SVG}g"):
        for card in panel.findall(f"{SVG}g"):
            x, y = (
                sum(
                    float(re.findall(r"[\d.]+", one.get("transform", ""))[i])
                    for one in (panel, card)
                )
                for i in (0, 1)
            )
            corners.append((x, y))
            assert 0 <= x <= width - 100
            assert 0 <= y <= height - 100
    assert len(corners) == 10
    for i, (x, y) in enumerate(corners):
        assert all(max(abs(x - a), abs(y - b)) >= 100 for a, b in corners[:i])


def test_names_totals_and_goals_stand_on_it() -> None:
    found = words(pictured(LINE))
    sheet = GAME.score_position(LINE)
    assert "Long Way / Lake Land / Happy Towns" in found
    for player in sheet.players:
        assert str(player.total) in found
        assert any(word.startswith(player.player) for word in found)


def test_the_engine_stands_at_the_last_stop() -> None:
    uses = [use.get("href") for use in pictured(LINE).iter(f"{SVG}use")]
    assert uses.count("#engine") == 2  # one for each player


def test_everything_that_is_used_is_defined() -> None:
    root = pictured(LINE)
    defined = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    assert {use.get("href") for use in root.iter(f"{SVG}use")} <= defined
