"""Chapters "Setup" and "Gameplay": three rounds of drawing, playing and passing."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sonora_vision.errors import RuleError
from sonora_vision.score.sunflower_valley.cards import house_set
from sonora_vision.score.sunflower_valley.rounds import Play, Table, deal, legal_plays, turn

STARTS = {"paul": "start1a", "mary": "start2b", "george": "start3a"}
"""Clockwise; Mary sits to Paul's left."""


@pytest.fixture
def table() -> Table:
    return deal(STARTS, house_set(), random.Random(1))


def first_plays(table: Table) -> dict[str, Play]:
    return {seat.name: next(legal_plays(table, seat.name)) for seat in table.seats}


def after(table: Table, turns: int) -> Table:
    for _ in range(turns):
        table = turn(table, first_plays(table))
    return table


def test_everybody_has_a_set_of_twenty_and_draws_seven(table: Table) -> None:
    for seat in table.seats:
        assert len(seat.hand) == 7
        assert Counter(seat.hand + seat.pile) == Counter(house_set().deck())


def test_everybody_starts_from_their_starting_town(table: Table) -> None:
    assert [seat.valley.start.id for seat in table.seats] == list(STARTS.values())


def test_a_card_goes_beside_a_card_of_the_valley_not_diagonally(table: Table) -> None:
    assert {cell for _, cell in legal_plays(table, "paul")} == {(0, -1), (1, 0), (0, 1), (-1, 0)}
    assert {card for card, _ in legal_plays(table, "paul")} == set(table.seats[0].hand)


def test_the_rest_of_the_hand_goes_to_the_player_on_the_left(table: Table) -> None:
    plays = first_plays(table)
    passed = turn(table, plays)
    paul, mary = Counter(table.seats[0].hand), Counter(passed.seats[1].hand)
    assert paul - mary == Counter([plays["paul"][0]])
    assert len(passed.seats[0].hand) == 6


def test_on_the_fourth_turn_there_are_four_cards_to_choose_from_and_three_to_pass(
    table: Table,
) -> None:
    """The rulebook's example of a turn."""
    fourth = after(table, 3)
    assert [len(seat.hand) for seat in fourth.seats] == [4, 4, 4]
    assert [len(seat.hand) for seat in after(fourth, 1).seats] == [3, 3, 3]


def test_after_six_cards_the_last_one_goes_under_its_new_owners_pile(table: Table) -> None:
    before = after(table, 5)
    plays = first_plays(before)
    left = {}
    for index, seat in enumerate(before.seats):
        hand = Counter(seat.hand) - Counter([plays[seat.name][0]])
        left[before.seats[(index + 1) % 3].name] = next(iter(hand))
    second_round = turn(before, plays)
    assert second_round.round == 2
    for seat in second_round.seats:
        assert len(seat.valley.cards) == 6
        assert len(seat.hand) == 7
        assert seat.pile[-1] == left[seat.name]


def test_the_first_rounds_leftover_comes_back_in_the_third_and_the_seconds_does_not(
    table: Table,
) -> None:
    second = after(table, 6)
    third = after(second, 6)
    for early, late in zip(second.seats, third.seats, strict=True):
        assert late.hand[-1] == early.pile[-1]
        assert len(late.pile) == 1  # the second round's leftover, never drawn


def test_the_game_ends_after_three_rounds_with_nineteen_cards_in_each_valley(table: Table) -> None:
    end = after(table, 18)
    assert end.over
    assert [len(seat.valley.grid) for seat in end.seats] == [19, 19, 19]
    with pytest.raises(RuleError, match="the game is over"):
        turn(end, dict.fromkeys(STARTS, ("sheep", (0, -1))))
    assert not list(legal_plays(end, "paul"))


def test_played_cards_stay_where_they_are(table: Table) -> None:
    early, late = after(table, 4), after(table, 9)
    for before, now in zip(early.seats, late.seats, strict=True):
        assert now.valley.cards[:4] == before.valley.cards


def test_a_card_that_is_not_in_hand_is_refused(table: Table) -> None:
    absent = next(card for card in house_set().deck() if card not in table.seats[0].hand)
    plays = {**first_plays(table), "paul": (absent, (0, -1))}
    with pytest.raises(RuleError, match=f"paul: {absent}@n1: not in hand"):
        turn(table, plays)


@pytest.mark.parametrize(("cell", "says"), [((0, 0), "lies on start1a@0"), ((1, 1), "diagonally")])
def test_a_cell_that_is_taken_or_lonely_is_refused(
    table: Table, cell: tuple[int, int], says: str
) -> None:
    plays = {**first_plays(table), "paul": (table.seats[0].hand[0], cell)}
    with pytest.raises(RuleError, match=says):
        turn(table, plays)


def test_everybody_plays_at_the_same_time(table: Table) -> None:
    plays = first_plays(table)
    del plays["mary"]
    with pytest.raises(RuleError, match="mary: every player plays one card at once"):
        turn(table, plays)


def test_the_table_as_a_position_keeps_the_order_of_play(table: Table) -> None:
    line = after(table, 2).position().line()
    assert line.startswith("paul: start1a > ")
    assert line.count(" > ") == 6
