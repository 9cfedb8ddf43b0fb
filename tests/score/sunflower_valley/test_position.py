"""Positions as text: what can be written comes back, what cannot be is refused with its place."""

from __future__ import annotations

import pytest

from sonora_vision.errors import RuleError, UsageError
from sonora_vision.score.sunflower_valley.cards import house_set
from sonora_vision.score.sunflower_valley.position import parse


@pytest.mark.parametrize(
    "line",
    [
        "molly: start1a",
        "molly: start1a field@n1",
        "molly: start1a > field@n1 > town1@n1e1 > rail-nesw@s1 > lake@s1w1",
        "molly: start1a > field@n1 > town1@n1e1 | george: start6b sheep@w1 lake@w2",
        "a: start1a | b: start2b | goals: vast-land long-way lake-land",
    ],
)
def test_a_line_comes_back_as_it_was(line: str) -> None:
    assert parse(line, house_set()).line() == line


def test_a_picture_may_name_its_cards_in_any_order() -> None:
    line = "a: start1a field@n3 field@n2 sheep@n1"
    position = parse(line, house_set())
    assert position.line() == line
    assert len(position.players[0].valley.cards) == 3


def test_places_far_away_have_two_digits() -> None:
    row = " ".join(f"{card}@e{i + 1}" for i, card in enumerate(house_set().deck()[:12]))
    assert parse(f"a: start1a {row}", house_set()).players[0].valley.grid[12, 0]


def full_row(count: int) -> str:
    return " > ".join(f"{card}@e{i + 1}" for i, card in enumerate(house_set().deck()[:count]))


def test_eighteen_cards_fit_beside_the_starting_town_and_no_more() -> None:
    parse(f"a: start1a > {full_row(18)}", house_set())
    for count in (19, 20):
        with pytest.raises(RuleError, match=r"column \d+.*valley is full; it holds 18 cards"):
            parse(f"a: start1a > {full_row(count)}", house_set())
    with pytest.raises(RuleError, match="valley is full"):
        parse(f"a: start1a > {full_row(20)} > sheep@w1", house_set())  # the 21st card


@pytest.mark.parametrize(
    ("line", "place", "says"),
    [
        ("a: start1a > sheep@n1 > field@n1", "column 25", "lies on sheep@n1"),
        ("a: start1a sheep@0", "column 12", "expected card@place"),
        ("a: start1a sheep@n1 field@n1", "column 21", "lies on sheep@n1"),
        ("a: start1a > sheep@n2", "column 14", "touches no card"),
        ("a: start1a > sheep@n1e1", "column 14", "not diagonally"),
        ("a: start1a > field@n2 > sheep@n1", "column 14", "touches no card"),
        ("a: start1a sheep@n1 field@e3", "column 21", "touches no card"),
        ("a: start1a dragon@n1", "column 12", "has no card 'dragon'"),
        ("a: start9a", "column 4", "has no card 'start9a'"),
        ("a: sheep@n1", "column 4", "has no card 'sheep@n1'"),
        ("a: sheep", "column 4", "expected a Starting Town first"),
        ("a: start1a start2a@n1", "column 12", "Starting Town is where the valley begins"),
        ("a: start1a | b: start1b", "column 17", "one start1 too many"),
        ("a: start1a | b: start2b | goals: long-way", "column 27", "expected 0 or 3 goals, got 1"),
        ("a: start1a | goals: long-way long-way lake-land", "column 21", "stands twice"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(line: str, place: str, says: str) -> None:
    with pytest.raises((RuleError, UsageError)) as refused:
        parse(line, house_set())
    assert place in str(refused.value)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "place", "says"),
    [
        ("", "column 1", "expected a name and a colon"),
        ("start1a sheep@n1", "column 1", "expected a name and a colon"),
        ("a: start1a | ", "column 13", "expected a name and a colon"),
        ("a:", "column 1", "expected a Starting Town"),
        ("a: start1a sheep", "column 12", "expected card@place"),
        ("a: start1a sheep@e1n1", "column 12", "expected card@place"),
        ("a: start1a sheep@n0", "column 12", "expected card@place"),
        ("a: start1a > sheep@n1 field@n2", "column 1", "put > between all cards"),
        ("a: start1a >", "column 1", "put > between all cards"),
        ("a: start1a | a: start2a", "column 14", "two players have this name"),
        ("a: start1a | goals: x y z", "column 21", "no goal has this name"),
        ("goals: vast-land long-way lake-land | a: start1a", "column 39", "goals stand last"),
    ],
)
def test_what_cannot_be_understood_is_refused(line: str, place: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(line, house_set())
    assert place in str(refused.value)
    assert says in str(refused.value)


def test_goals_alone_are_no_position() -> None:
    with pytest.raises(RuleError, match="expected 1 to 6 players, got 0"):
        parse("goals: vast-land long-way lake-land", house_set())


def test_cards_of_all_sets_may_come_into_one_valley_but_no_more_than_there_are() -> None:
    """Hands are passed on; two players bring two sets, with town1 once in each."""
    two = "a: start1a town1@n1 town1@n2 | b: start2a"
    parse(two, house_set())
    with pytest.raises(RuleError, match=r"column 30 .*one town1 too many; 2 sets have 2"):
        parse("a: start1a town1@n1 town1@n2 town1@n3 | b: start2a", house_set())


def test_a_valley_alone_may_be_from_a_table_of_six() -> None:
    six = " ".join(f"town1@n{i}" for i in range(1, 7))
    parse(f"a: start1a {six}", house_set())
    with pytest.raises(RuleError, match="6 sets have 6"):
        parse(f"a: start1a {six} town1@n7", house_set())
