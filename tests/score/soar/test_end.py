"""Chapters "End Game Victory Points", "Special Token Limits" and "End of Game"."""

from __future__ import annotations

import pytest

from sonora_vision.score.game import ScoreSheet
from sonora_vision.score.soar import GAME
from sonora_vision.score.soar.cards import house_set
from sonora_vision.score.soar.final import lowest, stars, winners


def sheet(line: str) -> ScoreSheet:
    return GAME.score_position(line)


def totals(line: str) -> dict[str, int]:
    return {player.player: player.total for player in sheet(line).players}


def test_unplayed_stars_are_added() -> None:
    assert totals("a: 10 holds 5 star2 star3 | b: 20 | sky: 0")["a"] == 0
    assert totals("a: 10 holds 5 star2 star3 | b: 5 | sky: 0")["a"] == 10 + 5


def test_modifiers_without_stars_score_nothing() -> None:
    assert totals("a: 10 holds x2 +2all | b: 5 | sky: 0")["a"] == 10


def test_the_skyborne_scores_its_best_three_only() -> None:
    kept = ("star1", "star2", "x2", "star2", "star3")
    assert stars("sky", kept, house_set()) == ("star3", "star2", "star2")
    assert stars("a", ("star1", "star3", "x2"), house_set()) == ("star3", "star1")
    line = "a: 30 | b: 20 | sky: 10 holds star1 star2 x2 star2 star3"
    assert totals(line) == {"a": 30, "b": 17, "sky": 17}


def test_the_lowest_scores_the_skybornes_points_instead() -> None:
    assert totals("a: 12 | b: 7 | c: 9 | sky: 20") == {"a": 12, "b": 20, "c": 9, "sky": 20}


def test_those_who_fall_behind_may_still_win() -> None:
    assert sheet("a: 12 | b: 7 | c: 9 | sky: 20").winners == ("b",)


def test_the_lowest_takes_the_skybornes_points_even_where_they_are_fewer() -> None:
    assert totals("a: 12 | b: 7 | sky: -3") == {"a": 12, "b": -3, "sky": -3}


def test_two_tied_for_the_lowest_both_do() -> None:
    assert totals("a: 12 | b: 7 | c: 7 | sky: 10") == {"a": 12, "b": 10, "c": 10, "sky": 10}
    assert lowest({"a": 7, "b": 7, "c": 8, "sky": 1}) == ("a", "b")


def test_stars_come_before_the_lowest_is_found() -> None:
    line = "a: 12 | b: 7 holds star3 | c: 9 | sky: 11"
    assert totals(line) == {"a": 12, "b": 10, "c": 11, "sky": 11}


def test_the_highest_wins_and_a_tie_is_shared() -> None:
    assert sheet("a: 12 | b: 7 | c: 9 | sky: 0").winners == ("a",)
    assert sheet("a: 12 | b: 7 | c: 12 | sky: 0").winners == ("a", "c")
    assert sheet("a: 12 | b: 7 | c: 9 | sky: 12").winners == ("a", "b")


def test_the_skyborne_itself_never_wins() -> None:
    assert winners({"a": 3, "b": 5, "sky": 50}) == ("b",)


def test_before_the_end_nobody_wins_and_stars_wait() -> None:
    found = sheet("cloud-gate: 5@a | storm-eye: | a: 1 holds star3 | b: 2 | sky: 0 | left: 5")
    assert found.winners == ()
    assert [player.total for player in found.players] == [1, 2, 0]
    assert any("7 quests are to be resolved" in warning for warning in found.warnings)


def test_full_quests_are_resolved_and_then_the_game_may_end() -> None:
    """10, 10 and 5: the tied split -3 and 6, one each, and as lowest take the Skyborne's 3."""
    found = sheet("cloud-gate: 6@a 5@b 4@a 5@sky 5@b | a: 0 | b: 0 | sky: 0")
    assert [(row.label, row.value) for row in found.players[0].rows] == [
        ("Points so far", 0),
        ("cloud-gate", 1),
        ("Stars", 0),
        ("Takes the Skyborne's score", 2),
    ]
    assert found.winners == ("a", "b")


def test_a_special_token_still_to_be_drawn_keeps_the_end_open() -> None:
    """aurora-arch's second place draws one: its stars are not known yet."""
    found = sheet("aurora-arch: 6@a 5@b 4@a 2@sky 5@b | a: 0 | b: 0 | sky: 0")
    assert found.winners == ()
    assert any("draws 1 special token" in warning for warning in found.warnings)


@pytest.mark.parametrize("label", ["cloud-gate", "Stars"])
def test_every_number_is_explained(label: str) -> None:
    found = sheet("cloud-gate: 6@a 5@b 4@a 2@sky 3@b | a: 0 holds star1 | b: 0 | sky: 0")
    rows = [row for row in found.players[0].rows if row.label == label]
    assert rows[0].why[-1].startswith("rule: ")


def test_the_sheet_as_json_holds_every_value() -> None:
    found = sheet("a: 12 | b: 7 | sky: 20").to_json()
    assert [player["total"] for player in found["players"]] == [12, 20, 20]
    assert found["winners"] == ["b"]
