"""Chapter "End of the Game": the scorepad's columns, the sum, and who wins."""

from __future__ import annotations

from tests.score.sunflower_valley.sheets import sheet


def test_the_columns_stand_in_the_order_of_the_scorepad() -> None:
    found = sheet("a: start1a sheep@n1 | goals: long-way happy-towns vast-land")
    assert [row.label for row in found.players[0].rows] == [
        "Valley Express",
        "Towns",
        "Farmers",
        "Mountains",
        "Lakes",
        "Long Way",
        "Happy Towns",
        "Vast Land",
    ]


def test_the_total_is_the_sum_of_the_columns() -> None:
    line = "a: start1a sheep@n1 rail-we@e1 town1@e2 lake@n1e2 mountain@n1w1 field@n2w1"
    assert sheet(line).players[0].total == 3 + 1 + 0 + 1 + 1


def test_most_points_win() -> None:
    assert sheet("a: start1a lake@n1 | b: start2a").winners == ("a",)


def test_a_tie_goes_to_the_longer_express() -> None:
    line = "a: start1a lake@n1 lake@n2 lake@n3 | b: start2a rail-we@e1 town1@e2"
    assert [player.total for player in sheet(line).players] == [3, 3]
    assert sheet(line).winners == ("b",)


def test_a_tie_in_both_is_a_shared_victory() -> None:
    assert sheet("a: start1a lake@n1 | b: start2a lake@w1 | c: start3b").winners == ("a", "b")


def test_every_number_is_explained_by_cards_and_the_rulebooks_heading() -> None:
    found = sheet(
        "a: start1a sheep@n1 mountain@e1 farmer1@n1e1 | goals: long-way lake-land the-suburbs"
    )
    for row in found.players[0].rows:
        assert row.why[-1].startswith("rule: ")
    mountains = found.players[0].rows[3]
    assert mountains.why[0] == "mountain@e1: 1 for 1 field (farmer1@n1e1)"


def test_an_unfinished_valley_is_scored_and_said_to_be_unfinished() -> None:
    assert sheet("a: start1a sheep@n1").warnings == (
        "a: 1 of 18 cards played; scored as if the game ended now",
    )


def test_the_sheet_as_json_holds_every_value() -> None:
    found = sheet("a: start1a lake@n1").to_json()
    assert found["players"][0]["total"] == 1
    assert found["players"][0]["rows"][4]["value"] == 1
    assert found["position"] == "a: start1a lake@n1"
