"""Chapters "Goal Cards" and "Goal Cards Clarification": every goal, every tie."""

from __future__ import annotations

import pytest

from sonora_vision.score.sunflower_valley.goals import COUNTERS
from sonora_vision.score.sunflower_valley.rules import rules
from tests.score.sunflower_valley.sheets import goal, sheet

PLAIN = "start4a"
"""A valley with nothing but its Starting Town."""


def test_there_are_eighteen_goals_and_each_is_counted() -> None:
    assert len(rules().goals) == 18
    assert set(COUNTERS) == set(rules().goals)


def test_every_competitive_goal_is_worth_six() -> None:
    competitive = {goal.name for goal in rules().goals.values() if goal.competitive}
    assert competitive == {
        "valley-of-sheep",
        "the-more-the-merrier",
        "long-way",
        "sunny-valley",
        "ski-resort",
        "vast-network",
        "lake-land",
        "vast-land",
    }
    assert {rules().goals[name].points for name in competitive} == {6}


@pytest.mark.parametrize(
    ("name", "more", "less"),
    [
        ("valley-of-sheep", "sheep@n1 sheep@n2", "sheep@n1 field@n2"),
        ("the-more-the-merrier", "town2@n1", "farmer1@n1"),
        ("long-way", "rail-we@e1 town1@e2 rail-we@e3", "rail-we@e1 town1@e2"),
        ("sunny-valley", "field@n1 farmer1@n2", "field@n1 sheep@n2"),
        ("ski-resort", "mountain@n1 mountain@n2", "mountain@n1"),
        ("vast-network", "rail-we@n1 rail-ns@n2", "rail-we@e1"),
        ("lake-land", "lake@n1 lake@n2", "lake@n1"),
        ("vast-land", "sheep@n1 field@n2 sheep@n3", "sheep@n1 field@e1 field@n1e1"),
    ],
)
def test_the_best_player_alone_scores_a_competitive_goal(name: str, more: str, less: str) -> None:
    assert goal(name, f"start1a {more}", f"start2a {less}", PLAIN) == [6, 0, 0]


@pytest.mark.parametrize(("tied", "each"), [(2, 3), (3, 2), (4, 2), (5, 2), (6, 1)])
def test_tied_players_split_the_points_and_round_up(tied: int, each: int) -> None:
    valleys = [f"start{seat + 1}a sheep@n1" for seat in range(tied)]
    assert goal("valley-of-sheep", *valleys) == [each] * tied


def test_nobody_wins_a_competitive_goal_with_nothing() -> None:
    assert goal("valley-of-sheep", "start1a field@n1", "start2a") == [0, 0]
    assert goal("long-way", "start1a", "start2a") == [0, 0]


def test_accumulative_goals_do_not_depend_on_the_others() -> None:
    assert goal("mountain-lakes", "start1a lake@n1 mountain@n2", PLAIN) == [2, 0]
    both = "lake@n1 mountain@n2"
    assert goal("mountain-lakes", f"start1a {both}", f"start2a {both}") == [2, 2]


def test_two_sheep_side_by_side_are_a_flock_of_four_points() -> None:
    """The rulebook's example for Flocks of Sheep."""
    assert goal("flocks-of-sheep", "start1a sheep@n1 sheep@n2") == [4]
    assert goal("flocks-of-sheep", "start1a sheep@n1 sheep@n2 sheep@s1") == [4]


def test_villagers_of_towns_farmers_and_the_starting_town_are_counted() -> None:
    """start1a has one, town2 two, farmer1 one; start5b two, town3 none."""
    valleys = ("start1a town2@n1 farmer1@n2", "start5b town1@n1 farmer1@n2")
    assert goal("the-more-the-merrier", *valleys) == [3, 3]
    assert goal("the-more-the-merrier", "start1a town3@n1", "start5b") == [0, 6]


def test_the_suburbs_count_cards_with_villagers_beside_a_town() -> None:
    assert goal("the-suburbs", "start1a farmer1@n1 farmer2@n2") == [2]


def test_two_towns_with_villagers_side_by_side_both_count_as_suburbs() -> None:
    """The rulebook's note; the number of symbols does not matter."""
    assert goal("the-suburbs", "start1a town2@n1") == [4]


def test_a_town_without_villagers_is_no_suburb_but_makes_one() -> None:
    assert goal("the-suburbs", "start1a town3@n1") == [2]


def test_happy_towns_are_those_with_a_complete_combination() -> None:
    assert goal("happy-towns", "start1a town1@n1 sheep@n2 field@n1e1") == [2]
    assert goal("happy-towns", "start1a town1@n1 sheep@n2 field@n1e1 sheep@e1") == [4]
    assert goal("happy-towns", "start1a town1@n1 sheep@n2") == [0]


def test_the_boundless_field_is_the_largest_area_with_farmers_in_it() -> None:
    line = "start1a field@n1 farmer1@n2 field@n2e1 sheep@s1 field@s2 field@s3"
    assert goal("boundless-field", line) == [3]


def test_fields_that_touch_at_corners_only_are_not_one_area() -> None:
    assert goal("boundless-field", "start1a field@n1 field@e1") == [1]


def test_the_long_way_counts_railroads_and_towns_and_takes_one_branch() -> None:
    fork = "start1a rail-nesw@e1 town1@n1e1 rail-we@e2 town2@e3"
    straight = "start2a rail-ns@n1 town1@n2 rail-ns@n3"
    assert goal("long-way", fork, straight) == [3, 3]  # four cards each: the fork's fifth is aside
    assert goal("long-way", fork.replace("town2@e3", "rail-we@e3 town2@e4"), straight) == [6, 0]


def test_towns_side_by_side_do_not_make_the_way_longer() -> None:
    assert goal("long-way", "start1a rail-we@e1 town1@w1", "start2a rail-we@e1") == [3, 3]


def test_satellite_towns_are_joined_to_another_town_by_any_railroad() -> None:
    assert goal("satellite-towns", "start1a rail-we@e1 town1@e2") == [4]
    apart = "start1a sheep@n1 town1@n2 rail-we@n2e1 town2@n2e2"
    assert goal("satellite-towns", apart) == [4]
    assert goal("satellite-towns", "start1a town1@n1 rail-we@e1") == [0]


def test_suburban_trains_count_pairs_of_fields_along_the_express() -> None:
    line = "start1a rail-we@e1 town1@e2 field@n1e1"
    assert goal("suburban-trains", line) == [0]
    assert goal("suburban-trains", line + " farmer1@s1e1") == [3]
    assert goal("suburban-trains", line + " farmer1@s1e1 field@n1") == [3]


def test_a_field_between_two_railroads_of_the_express_counts_once() -> None:
    line = "start1a rail-ns@n1 rail-es@n2 rail-we@n2e1 rail-we@n2e2 town1@n2e3 field@n1e1"
    assert goal("suburban-trains", line) == [0]
    assert goal("suburban-trains", line + " field@n3") == [3]


def test_fields_along_a_railroad_that_the_express_does_not_use_are_no_suburban_trains() -> None:
    assert goal("suburban-trains", "start1a rail-we@e1 field@n1e1 field@s1e1") == [0]


def test_of_two_lines_to_the_same_town_the_better_one_counts() -> None:
    short = "start1a rail-we@e1 town1@e2 rail-es@n1 rail-nw@n1e2"
    assert goal("suburban-trains", short + " field@s1e1 field@s1") == [0]
    ring = "start1a rail-we@e1 town1@e2 rail-ns@n1 rail-es@n2 rail-we@n2e1 town2@n2e2"
    assert goal("suburban-trains", ring + " field@n3 field@n3e1") == [3]


@pytest.mark.parametrize(
    ("name", "card"), [("mountain-passes", "mountain"), ("overlooking-the-water", "lake")]
)
def test_any_railroad_beside_them_counts_for_passes_and_lakes(name: str, card: str) -> None:
    """The railroad need not be a part of the express, nor its track lead there."""
    assert goal(name, f"start1a rail-we@n1 {card}@n2 {card}@n1e1 {card}@s1") == [4]


def test_walking_routes_count_the_railroads_after_the_first_between_towns() -> None:
    assert goal("walking-routes", "start1a rail-we@e1 town1@e2") == [0]
    two = "start1a rail-we@e1 rail-we@e2 town1@e3"
    assert goal("walking-routes", two) == [2]
    assert goal("walking-routes", two + " rail-we@e4 rail-we@e5 rail-we@e6 town2@e7") == [2 + 4]


def test_a_railroad_that_ends_nowhere_is_no_walking_route() -> None:
    assert goal("walking-routes", "start1a rail-we@e1 rail-we@e2 rail-we@e3") == [0]
    fork = "start1a rail-nesw@e1 rail-we@e2 town1@e3 rail-ns@n1e1 rail-ns@s1e1"
    assert goal("walking-routes", fork) == [2]


def test_the_longest_row_may_lie_either_way_and_has_no_gap() -> None:
    upright = "start1a sheep@n1 sheep@n2 sheep@s1"
    level = "start2a sheep@e1 sheep@e2 sheep@w1"
    gap = "start3a sheep@n1 sheep@n1e1 sheep@n1e2 field@e2 field@e3 field@e4"
    valleys = [f"player{i}: {valley}" for i, valley in enumerate((upright, level, gap))]
    found = sheet(" | ".join(valleys) + " | goals: vast-land ski-resort lake-land")
    assert [player.rows[5].value for player in found.players] == [3, 3, 0]


def test_a_lake_beside_a_mountain_scores_once() -> None:
    assert goal("mountain-lakes", "start1a lake@n1 mountain@n2 mountain@n1e1 lake@s1") == [2]


def test_the_first_game_has_three_goals_and_children_play_without() -> None:
    line = "a: start1a sheep@n1"
    assert len(sheet(line).players[0].rows) == 5
    first = sheet(f"{line} | goals: boundless-field flocks-of-sheep long-way")
    assert [row.label for row in first.players[0].rows[5:]] == [
        "Boundless Field",
        "Flocks of Sheep",
        "Long Way",
    ]
