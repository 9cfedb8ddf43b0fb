"""Positions as text: what can be written comes back, what cannot be is refused with its place."""

from __future__ import annotations

import pytest

from sonora_vision.errors import RuleError, UsageError
from sonora_vision.score.soar.cards import house_set
from sonora_vision.score.soar.position import parse

END = "a: 0 | b: 0 | sky: 0"


@pytest.mark.parametrize(
    "line",
    [
        END,
        "blue: 12 holds 3 5 7 star2 x2 -4prev | red: -3 | sky: 4 holds star3 star1 -2all -2all",
        "cloud-gate: 5@a +4next@sky ?@b | storm-eye: | a: 0 | b: 0 | sky: 0 | left: 5",
        "cloud-gate: 5@a 5@sky 5@b 5@sky 5@sky | a: 0 | b: 0 | sky: 0",
    ],
)
def test_a_line_comes_back_as_it_was(line: str) -> None:
    assert parse(line, house_set()).line() == line


@pytest.mark.parametrize(
    ("line", "place", "says"),
    [
        (f"cloud-gate: 1@a 2@b 3@a 4@a 5@sky 6@b | {END}", "column 35", "a bid on a full quest"),
        (f"cloud-gate: 11@a | {END}", "column 13", "has no token '11'"),
        (f"cloud-gate: x3@a | {END}", "column 13", "has no token 'x3'"),
        (f"cloud-gate: 0@a 0@b | {END}", "column 17", "one 0 too many; there are 1"),
        ("a: 0 holds 10 | b: 0 holds 10 | sky: 0", "column 28", "one 10 too many"),
        ("a: 0 holds star3 | b: 0 | sky: 0 holds star3", "column 40", "one star3 too many"),
        (f"cloud-gate: ?@a | {END}", "column 13", "slot 1 of cloud-gate is an open eye"),
        (f"thunder-keep: 1@a 2@b 3@a 4@a ?@sky | {END}", "column 31", "thunder-keep is full"),
        (f"cloud-gate: 1@a 2@a 3@a 4@a | {END}", "column 25", "a has 3 ships"),
        ("a: 0 holds 1 2 3 4 | b: 0 | sky: 0", "column 18", "one regular token too many"),
        ("a: 0 holds x2 x2 star1 star3 | b: 0 | sky: 0", "column 24", "one special token too many"),
        ("a: 0 | b: 0 | sky: 0 holds 5", "column 28", "one regular token too many for sky"),
        ("a: 0 | sky: 0", "position", "expected 2 to 5 players, got 1"),
        (f"cloud-gate: | {END} | left: 5", "position", "2 players have 2 quests in the row"),
        (f"cloud-gate: | storm-eye: | sun-spire: | {END}", "position", "got 3"),
        (f"cloud-gate: | storm-eye: | {END} | left: 6", "left", "2 players play 7 quests"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(line: str, place: str, says: str) -> None:
    with pytest.raises(RuleError) as refused:
        parse(line, house_set())
    assert place in str(refused.value)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "place", "says"),
    [
        ("", "column 1", "expected a name and a colon"),
        ("a: 0 | b 0 | sky: 0", "column 7", "expected a name and a colon"),
        ("a: 0 | b: 0", "position", "expected the Skyborne's points after the players"),
        ("sky: 0 | a: 0 | b: 0", "position", "expected the Skyborne's points after the players"),
        ("a: 0 | a: 0 | sky: 0", "column 1", "stands twice"),
        (f"{END} | cloud-gate: 5@a", "column 1", "expected cloud-gate here"),
        (f"cloudgate: 5@a | {END}", "column 1", "if this is a quest, the house set has cloud-gate"),
        (f"cloud-gate: 5 | {END}", "column 13", "expected token@owner"),
        (f"cloud-gate: 5@c | {END}", "column 13", "nobody is called 'c'; it is one of a, b, sky"),
        ("a: many | b: 0 | sky: 0", "column 1", "expected points"),
        ("a: 0 5 | b: 0 | sky: 0", "column 6", "expected 'holds'"),
        (f"{END} | left: some", "column 24", "how many quests are in the pile"),
    ],
)
def test_what_cannot_be_understood_is_refused(line: str, place: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(line, house_set())
    assert place in str(refused.value)
    assert says in str(refused.value)
