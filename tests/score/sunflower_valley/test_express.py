"""Chapter "The Valley Express", and what a picture can tell of it."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from sonora_vision.score.sunflower_valley.cards import house_set
from sonora_vision.score.sunflower_valley.express import express
from sonora_vision.score.sunflower_valley.position import parse
from sonora_vision.score.sunflower_valley.valley import Valley
from tests.score.sunflower_valley.sheets import column, sheet


def express_points(line: str) -> list[int]:
    return column(line, "Valley Express")


def valley_of(line: str) -> Valley:
    return parse(line, house_set()).players[0].valley


def test_george_scores_six_and_nine_with_a_line_to_the_town_by_the_lake() -> None:
    """The rulebook's example: two towns reached, the third two railroads away."""
    line = (
        "a: start1a > rail-we@e1 > town1@e2 > rail-we@e3 > town2@e4 > sheep@s1e3 > town3@s2e3 > "
        "lake@s2e2"
    )
    assert express_points(line) == [6]
    assert express_points(line + " > rail-ns@s1e4") == [6]
    assert express_points(line + " > rail-ns@s1e4 > rail-nw@s2e4") == [9]


def test_the_starting_town_is_not_counted() -> None:
    assert express_points("a: start1a") == [0]
    assert express_points("a: start1a > rail-we@e1") == [0]


@pytest.mark.parametrize("rails", ["rail-we@e1", "rail-we@e1 > rail-we@e2 > rail-we@e3"])
def test_one_railroad_or_a_chain_of_several_connects(rails: str) -> None:
    end = rails.count("@") + 1
    assert express_points(f"a: start1a > {rails} > town1@e{end}") == [3]


def test_two_towns_side_by_side_are_not_connected() -> None:
    assert express_points("a: start1a > town1@e1") == [0]


def test_railroads_need_not_match_but_connect_only_where_they_do() -> None:
    assert express_points("a: start1a > rail-ns@e1 > town1@e2") == [0]
    assert express_points("a: start1a > rail-we@e1 > rail-ns@e2 > town1@e3") == [0]


def test_a_curve_leads_round_the_corner() -> None:
    assert express_points("a: start1a > rail-nw@e1 > town1@n1e1") == [3]


def test_the_last_card_may_be_the_railroad_or_the_town() -> None:
    assert express_points("a: start1a > rail-we@e1 > town1@e2") == [3]
    assert express_points("a: start1a > sheep@n1 > sheep@n1e1 > town1@n1e2 > sheep@e2") == [0]
    around = "a: start1a > sheep@s1 > sheep@s1e1 > sheep@s1e2 > town1@e2 > rail-we@e1"
    assert express_points(around) == [3]


def test_one_card_may_open_the_way_to_several_towns_in_a_row() -> None:
    line = (
        "a: start1a > sheep@s1 > sheep@s1e1 > sheep@s1e2 > town1@e2 > rail-we@e3 > town2@e4 > "
        "rail-we@e1"
    )
    assert express_points(line) == [6]


def test_the_express_does_not_pass_a_town_twice() -> None:
    """A ring of three towns: the start is not reached again."""
    ring = (
        "a: start1a > rail-we@e1 > town1@e2 > rail-ns@s1e2 > town2@s2e2 > rail-we@s2e1 > "
        "town3@s2 > rail-ns@s1"
    )
    assert express_points(ring) == [9]


def test_the_token_stays_where_the_line_ends() -> None:
    """It left for the dead end as soon as that was connected, and does not come back."""
    dead_end_first = (
        "a: start1a > rail-we@w1 > town1@w2 > rail-we@e1 > town2@e2 > rail-we@e3 > town3@e4"
    )
    dead_end_last = (
        "a: start1a > rail-we@e1 > town2@e2 > rail-we@e3 > town3@e4 > rail-we@w1 > town1@w2"
    )
    assert express_points(dead_end_first) == [3]
    assert express_points(dead_end_last) == [6]


def test_a_card_that_joins_two_towns_at_once_leaves_a_choice_and_the_longest_counts() -> None:
    """By way of town1 all three towns are reached; town2 first leaves one of them out."""
    line = (
        "a: start1a > sheep@s1 > sheep@s1w1 > sheep@s1w2 > town1@w2 > sheep@n1w2 > town2@n1w1 > "
        "rail-ns@n2w1 > town3@n3w1 > rail-nesw@w1"
    )
    found = sheet(line).players[0].rows[0]
    assert found.value == 9
    assert any("choice" in reason for reason in found.why)


def test_a_picture_gives_the_best_walk_and_says_that_it_is_an_upper_bound() -> None:
    line = "a: start1a rail-we@w1 town1@w2 rail-we@e1 town2@e2 rail-we@e3 town3@e4"
    found = sheet(line)
    assert found.players[0].rows[0].value == 6
    assert any("as little as 3" in reason for reason in found.players[0].rows[0].why)
    assert any("upper bound" in warning for warning in found.warnings)


def test_a_picture_whose_walk_is_certain_says_nothing() -> None:
    found = sheet("a: start1a rail-we@e1 town1@e2 rail-we@e3 town2@e4")
    assert found.players[0].rows[0].value == 6
    assert not any("upper bound" in warning for warning in found.warnings)


@pytest.mark.parametrize("seed", range(40))
def test_a_pictures_bounds_are_those_of_all_orders_of_play(seed: int) -> None:
    """Truth by trying every order in which six cards can have come."""
    rng = random.Random(seed)
    names = ["rail-we", "rail-ns", "rail-nesw", "rail-es", "rail-nw", "town1", "town2", "town3"]
    valley = Valley(start=house_set().cards["start1a"])
    for turn in range(6):
        card = house_set().cards[rng.choice(names[5:] if turn % 2 else names[:5])]
        valley = valley.plus(rng.choice(valley.free_cells()), card)
    stops = set()
    for order in permutations(valley.cards):
        played = Valley(start=valley.start, played=True)
        for cell, card in order:
            if cell not in played.free_cells():
                break
            played = played.plus(cell, card)
        else:
            ride = express(played)
            stops |= {ride.stops, ride.fewest_stops}
    assert (express(valley).stops, express(valley).fewest_stops) == (max(stops), min(stops))
