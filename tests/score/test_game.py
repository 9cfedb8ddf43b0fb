"""What a game is, and that its folder is all it takes."""

from __future__ import annotations

import pytest

from sonora_vision.errors import UsageError
from sonora_vision.observation import Contact, ZoneShare
from sonora_vision.score.game import (
    PlayerScore,
    ReadsBoard,
    ScoreRow,
    ScoreSheet,
    ScoresPosition,
    discover,
    find,
)


def test_discover_finds_sonora_and_what_it_can() -> None:
    sonora = discover()["sonora"]
    assert isinstance(sonora, ReadsBoard)
    assert isinstance(sonora, ScoresPosition)
    contact = Contact(state="flat", zones=(ZoneShare(section="creek", share=1.0),), multipliers=())
    assert sonora.assign(contact, "majority").sections == ("creek",)


def test_games_are_named_as_they_are_found() -> None:
    assert all(name == game.name and game.title for name, game in discover().items())
    with pytest.raises(UsageError, match=r"no game is called 'chess'; the games are .*sonora"):
        find("chess")


def test_sonora_scores_typed_sheets() -> None:
    sonora = find("sonora")
    assert isinstance(sonora, ScoresPosition)
    score = sonora.score_position("red = ruins: B9^ ; blue = creek: a1 a2 c1 c2*")
    assert {p.player: p.total for p in score.players} == {"red": 11, "blue": 1}
    assert score.winners == ("red",)
    with pytest.raises(UsageError, match="expected 'player = marks'"):
        sonora.score_position("red = ruins: B9^ ; red = ")


def test_score_sheet_as_json() -> None:
    player = PlayerScore(player="red", rows=(ScoreRow(label="a", value=2, why=("so",)),
                                             ScoreRow(label="b", value=3)))  # fmt: skip
    assert ScoreSheet(game="g", position="p", players=(player,)).to_json() == {
        "kind": "sonora-vision/score",
        "schema": 1,
        "game": "g",
        "position": "p",
        "players": [
            {
                "player": "red",
                "total": 5,
                "rows": [
                    {"label": "a", "value": 2, "why": ["so"]},
                    {"label": "b", "value": 3, "why": []},
                ],
            }
        ],
        "winners": [],
        "warnings": [],
    }
