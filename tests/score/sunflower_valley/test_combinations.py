"""Chapter "Valley Cards and Combinations", sentence by sentence. House cards: see the card file."""

from __future__ import annotations

import pytest

from tests.score.sunflower_valley.sheets import column


def test_a_sheep_and_a_field_beside_the_town_score_three() -> None:
    """The rulebook's example for towns; town1 asks for a sheep and a field."""
    assert column("a: start1a town1@n1 sheep@n2 field@n1e1", "Towns") == [3]


def test_two_sheep_and_two_fields_still_score_three() -> None:
    line = "a: start2a sheep@n1 town1@n2 sheep@n2e1 field@n2w1 field@n3"
    assert column(line, "Towns") == [3]


def test_the_complete_combination_around_the_town_scores_four() -> None:
    """The rulebook's picture; town2 asks for two fields and a lake."""
    assert column("a: start1a town2@n1 field@n2 field@n1e1 lake@n1w1", "Towns") == [4]


def test_a_third_field_beside_georges_mountain_makes_it_score_four() -> None:
    """The rulebook's example of a turn."""
    before = "a: start1a > mountain@n1 > field@n1w1 > field@n1e1"
    assert column(before, "Mountains") == [2]
    assert column(before + " > field@n2", "Mountains") == [4]


@pytest.mark.parametrize(
    "around",
    ["sheep@n2", "field@n2", "sheep@n2 sheep@n1e1", "sheep@n2 mountain@n1e1 lake@n1w1"],
)
def test_only_a_complete_combination_scores(around: str) -> None:
    assert column(f"a: start3a town1@n1 {around}", "Towns") == [0]


def test_as_many_cards_as_are_printed_are_needed() -> None:
    assert column("a: start1a town2@n1 field@n2 lake@n1w1", "Towns") == [0]


def test_diagonal_cards_do_not_count() -> None:
    assert column("a: start3a town1@n1 sheep@n2 sheep@n2e1 field@n2w1", "Towns") == [0]
    assert column("a: start1a mountain@n1 lake@n2 field@n2e1", "Mountains") == [0]


def test_one_card_may_be_a_part_of_several_combinations() -> None:
    line = "a: start3a town1@n1 sheep@n2 field@n1e1 town1@n2e1"
    assert column(line, "Towns") == [6]


def test_farmers_score_their_combination() -> None:
    assert column("a: start3a farmer1@n1 sheep@n2 sheep@n1e1", "Farmers") == [3]
    assert column("a: start3a farmer1@n1 sheep@n2", "Farmers") == [0]
    assert column("a: start1a farmer2@n1 lake@n2 field@n1e1", "Farmers") == [3]


def test_farmers_are_fields_to_towns_farmers_and_mountains() -> None:
    assert column("a: start3a town1@n1 sheep@n2 farmer1@n1e1", "Towns") == [3]
    assert column("a: start1a farmer2@n1 lake@n2 farmer1@n1e1", "Farmers") == [3]
    assert column("a: start1a mountain@n1 farmer1@n2", "Mountains") == [1]


@pytest.mark.parametrize(("fields", "points"), [(0, 0), (1, 1), (2, 2), (3, 4), (4, 6)])
def test_mountains_score_one_two_four_and_six(fields: int, points: int) -> None:
    around = ["n1w1", "n2", "n3w1", "n2w2"]
    cards = [f"{'field' if i < fields else 'sheep'}@{cell}" for i, cell in enumerate(around)]
    line = "a: start1a sheep@w1 mountain@n2w1 " + " ".join(cards)
    assert column(line, "Mountains") == [points]


def test_each_mountain_scores_for_itself() -> None:
    line = "a: start1a mountain@n1 field@n1e1 mountain@n1e2 field@n1e3"
    assert column(line, "Mountains") == [1 + 2]


def test_each_lake_scores_one_and_nothing_for_what_lies_around_it() -> None:
    assert column("a: start1a lake@n1 lake@n2 field@n1e1 sheep@n1w1", "Lakes") == [2]


def test_fields_and_sheep_score_nothing_for_themselves() -> None:
    line = "a: start4a field@n1 sheep@n2 field@n3 sheep@e1"
    for label in ("Valley Express", "Towns", "Farmers", "Mountains", "Lakes"):
        assert column(line, label) == [0]


def test_the_starting_town_scores_its_combination_as_a_town_does() -> None:
    assert column("a: start5a sheep@n1 field@s1", "Towns") == [3]
