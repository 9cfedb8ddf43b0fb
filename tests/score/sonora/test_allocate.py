"""Worked cases from discs to the Write phase; truth comes from the rulebook."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sonora_vision.errors import FileFormatError, RuleError, UsageError
from sonora_vision.score.allocation import (
    Allocation,
    CanyonDisc,
    CreekDisc,
    OpenChoice,
    OpenDoubt,
    PlayerAllocation,
    Unscored,
    ValuedDisc,
)
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.score.sonora.position import parse_position, swap


def table(line: str) -> Allocation:
    """Allocate a typed position in its own turn order."""
    position = parse_position(line)
    return allocate(position, position.order)


def only(line: str) -> PlayerAllocation:
    """Allocate a position of one player."""
    return table(line).players[0]


def test_molly() -> None:
    assert only("molly: 2@ruins 3@ruins 4@lizard").ruins.total == 13


def test_lincoln() -> None:
    assert only("lincoln: 5@mudcracks 4@mudcracks 3@mudcracks").mudcracks.total == 12


def test_lincoln_on_a_rabbit() -> None:
    assert only("lincoln: 5@rabbit 4@mudcracks 3@mudcracks").mudcracks.total == 17


def test_william() -> None:
    assert only("william: 5@canyon 4@canyon 2@canyon").canyon == (
        CanyonDisc(number=5, shapes=1),
        CanyonDisc(number=4, shapes=1),
        CanyonDisc(number=2, shapes=1),
    )


def test_maudie() -> None:
    assert only("maudie: 4@owl").creek == (CreekDisc(number=4, paths=2),)


def test_lizard_in_mudcracks_gives_mudcracks_nothing() -> None:
    got = only("red: 4@lizard")
    assert got.ruins.discs == (ValuedDisc(number=4, value=8, multiplier=True),)
    assert got.mudcracks.total == 0


def test_bullseye_in_ruins() -> None:
    got = table("red: 5@hole>ruins | blue: 4@ruins")
    assert got.player("red").ruins.discs == (ValuedDisc(number=5, value=5, multiplier=False),)
    assert got.ruins_order == ("red", "blue")


def test_bullseye_still_open_counts_nowhere() -> None:
    got = only("red: 5@hole")
    everywhere = ("canyon", "creek", "mudcracks", "ruins")
    assert got.choices == (OpenChoice(number=5, why="hole", sections=everywhere),)
    assert (got.ruins.total, got.mudcracks.total, got.canyon, got.creek) == (0, 0, (), ())


def test_bullseye_in_the_others_is_never_doubled() -> None:
    got = only("red: 5@hole>mudcracks 4@hole>canyon 3@hole>creek")
    assert got.mudcracks.total == 5
    assert got.canyon == (CanyonDisc(number=4, shapes=1),)
    assert got.creek == (CreekDisc(number=3, paths=1),)


def test_tie() -> None:
    got = table(
        "blue: 3@ruins 4@ruins | green: | red: 5@ruins 2@ruins | yellow: 1@creek | first: blue"
    )
    assert got.ruins_order == ("blue", "red")


def test_tie_turn_order_starts_with_the_first_player() -> None:
    got = table("blue: 3@ruins 4@ruins | green: | red: 5@ruins 2@ruins | first: green")
    assert got.order == ("green", "red", "blue")
    assert got.ruins_order == ("red", "blue")


def test_ruins_highest_total_first_and_without_a_disc_not_at_all() -> None:
    got = table("a: 1@ruins | b: 3@lizard | c: 5@ruins | d: 5@creek")
    assert got.ruins_order == ("b", "c", "a")


def test_swap() -> None:
    position = parse_position("red: 1@fox 5@creek")
    swapped = replace(position, discs=swap(position.discs, "red", 1, 5))
    got = allocate(swapped, ["red"]).players[0]
    assert got.canyon == (CanyonDisc(number=5, shapes=2),)
    assert got.creek == (CreekDisc(number=1, paths=1),)


@pytest.mark.parametrize("line", ["red: 1@fox 5@hole>creek", "red: 1@fox 5@off", "red: 1@fox"])
def test_swap_needs_two_discs_on_the_board(line: str) -> None:
    with pytest.raises(RuleError, match="Swap Bonus: red 5 is not on the board"):
        swap(parse_position(line).discs, "red", 1, 5)


def test_swap_of_a_disc_with_itself() -> None:
    with pytest.raises(RuleError, match="two discs"):
        swap(parse_position("red: 1@fox").discs, "red", 1, 1)


def test_two_circles() -> None:
    got = only("red: 4@fox/owl")
    assert got.choices == (
        OpenChoice(number=4, why="two_multipliers", sections=("canyon", "creek")),
    )
    assert only("red: 4@fox").canyon == (CanyonDisc(number=4, shapes=2),)
    assert only("red: 4@owl").creek == (CreekDisc(number=4, paths=2),)


def test_half_is_a_choice() -> None:
    got = only("red: 4@ruins/creek")
    assert got.choices == (OpenChoice(number=4, why="half", sections=("creek", "ruins")),)
    assert table("red: 4@ruins/creek").ruins_order == ()


def test_solo() -> None:
    """Three colors are flicked; the third one's discs are discarded, with a word."""
    position = parse_position("red: 4@ruins | blue: 3@ruins | green: 5@ruins 2@creek")
    got = allocate(position, ["red", "blue"])
    assert [p.color for p in got.players] == ["red", "blue"]
    assert got.ruins_order == ("red", "blue")
    assert got.warnings == ("green is not in the order: 2 of its discs left out",)


def test_discs_in_a_section_that_the_rules_do_not_know_are_not_lost_in_silence() -> None:
    position = parse_position("red: 4@ruins 2@creek")
    discs = tuple(replace(d, sections=("ruin",)) if d.number == 4 else d for d in position.discs)
    got = allocate(replace(position, discs=discs), ["red"])
    (warning,) = got.warnings
    assert "'ruin'" in warning
    assert "ruins" in warning


def test_doubt_counts_nowhere() -> None:
    got = only("red: 4@ruins?zone 2@creek ?@canyon")
    assert got.ruins.total == 0
    assert got.canyon == ()
    assert got.creek == (CreekDisc(number=2, paths=1),)
    assert got.doubts == (
        OpenDoubt(number=4, reasons=("zone",), sections=("ruins",)),
        OpenDoubt(number=None, reasons=("number",), sections=("canyon",)),
    )


def test_doubt_about_a_choice_is_a_doubt() -> None:
    got = only("red: 4@ruins/creek?zone")
    assert got.choices == ()
    assert got.doubts[0].sections == ("creek", "ruins")


def test_one_disc_twice_is_two_doubts() -> None:
    got = table("red: 4@ruins 4@creek")
    assert [d.reasons for d in got.players[0].doubts] == [("number",), ("number",)]
    assert got.warnings == ("red 4 is there twice: settle which it is",)


def test_unscored() -> None:
    got = only("red: 1@off 2@corner 3@missing")
    assert got.unscored == (
        Unscored(number=2, why="launch_corner"),
        Unscored(number=1, why="off_board"),
        Unscored(number=3, why="missing"),
    )


def test_missing_disc_that_was_put_in_by_hand_is_not_missing() -> None:
    assert only("red: 3@hole>creek 3@missing").unscored == ()


def test_player_without_discs_is_still_a_player() -> None:
    got = allocate(parse_position("red: 1@creek"), ["blue", "red"])
    assert got.player("blue") == PlayerAllocation(color="blue")


@pytest.mark.parametrize(("order", "what"), [([], "got none"), (["red", "red"], "in it twice")])
def test_order_that_cannot_be(order: list[str], what: str) -> None:
    with pytest.raises(UsageError, match=what):
        allocate(parse_position("red: 1@creek"), order)


def test_json_is_the_documented_format() -> None:
    got = table("red: 2@ruins 4@lizard 5@fox 1@creek 3@mudcracks | blue: 1@hole 2@fox?zone 3@off")
    assert got.to_json() == {
        "kind": "sonora-vision/allocation",
        "schema": 1,
        "board": "typed",
        "order": ["red", "blue"],
        "warnings": [],
        "ruins_order": ["red"],
        "players": [
            {
                "color": "red",
                "ruins": {
                    "total": 10,
                    "discs": [
                        {"number": 4, "value": 8, "multiplier": True},
                        {"number": 2, "value": 2, "multiplier": False},
                    ],
                },
                "canyon": [{"number": 5, "shapes": 2}],
                "creek": [{"number": 1, "paths": 1}],
                "mudcracks": {
                    "total": 3,
                    "discs": [{"number": 3, "value": 3, "multiplier": False}],
                },
                "choices": [],
                "doubts": [],
                "unscored": [],
            },
            {
                "color": "blue",
                "ruins": {"total": 0, "discs": []},
                "canyon": [],
                "creek": [],
                "mudcracks": {"total": 0, "discs": []},
                "choices": [
                    {
                        "number": 1,
                        "why": "hole",
                        "sections": ["canyon", "creek", "mudcracks", "ruins"],
                    }
                ],
                "doubts": [{"number": 2, "reasons": ["zone"], "sections": ["canyon"]}],
                "unscored": [{"number": 3, "why": "off_board"}],
            },
        ],
    }


def test_json_comes_back() -> None:
    position = parse_position("red: 2@ruins 4@lizard 5@fox 1@hole | blue: 1@owl ?@fox 3@off")
    got = allocate(position, ["red", "blue"], names={"red": "Molly"})
    assert Allocation.from_json(json.loads(json.dumps(got.to_json()))) == got


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        (("schema",), 2, r"schema: expected 1, got 2: a newer Sonora Vision"),
        (("kind",), "x", r"kind: expected one of sonora-vision/allocation"),
        (("extra",), 1, r"extra: unknown key"),
        (("players", 0, "ruins", "total"), 9, r"players\[0\].ruins.total: expected 2, got 9"),
        (("players", 0, "ruins", "discs", 0, "value"), 3, r"value: expected 2, got 3"),
        (("players", 0, "ruins", "discs", 0, "multiplier"), None, r"expected true or false"),
        (("players", 0, "canyon"), [{"number": 1, "shapes": 3}], r"expected 1 or 2, got 3"),
        (("players", 0, "creek"), [{"number": 1}], r"players\[0\].creek\[0\].paths: missing"),
        (("players", 0, "unscored"), [{"number": 1, "why": "lost"}], r'missing, got "lost"'),
        (("players", 0, "color"), 5, r"expected a text that is not empty, got 5"),
        (("players",), {}, r"players: expected a list"),
    ],
)
def test_json_mistakes_are_named(path: tuple[str | int, ...], value: object, what: str) -> None:
    document = table("red: 2@ruins").to_json()
    at = document
    for key in path[:-1]:
        at = at[key]  # type: ignore[index]
    at[path[-1]] = value  # type: ignore[index]
    with pytest.raises(FileFormatError, match=what):
        Allocation.from_json(document)
