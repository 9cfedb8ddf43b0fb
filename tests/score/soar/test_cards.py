"""The house set agrees with the rulebook, and card files with mistakes are refused by name."""

from __future__ import annotations

import copy
import tomllib
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from sonora_vision.errors import FileFormatError
from sonora_vision.score.soar import GAME
from sonora_vision.score.soar.cards import house_set, read_cards
from sonora_vision.score.soar.rules import rules

Document = dict[str, Any]


@pytest.fixture
def document() -> Document:
    text = files("sonora_vision.score.soar").joinpath("house_cards.toml").read_text("utf-8")
    return copy.deepcopy(tomllib.loads(text))


def test_there_are_ten_quests_thirty_two_tokens_and_sixteen_special_ones() -> None:
    assert len(house_set().quests) == 10
    assert len(house_set().supply(special=False)) == 32
    assert len(house_set().supply(special=True)) == 16


def test_tokens_are_as_often_as_the_strip_prints_them_column_by_column() -> None:
    values = (0, 1, 2, 3, 4, 5, 7, 6, 8, 9, 10)
    counts = (1, 2, 3, 3, 4, 6, 4, 3, 3, 2, 1)
    expected = {str(value): count for value, count in zip(values, counts, strict=True)}
    assert Counter(house_set().supply(special=False)) == expected


def test_every_modifier_of_the_rulebook_is_among_the_special_tokens() -> None:
    specials = [house_set().tokens[name] for name in house_set().supply(special=True)]
    assert {token.times for token in specials} == {1, 2}
    assert {token.all for token in specials} == {-2, 0, 2}
    assert {token.previous for token in specials} == {-4, 0, 4}
    assert {token.next for token in specials} == {-4, 0, 4}
    assert any(token.stars for token in specials)
    assert not all(token.stars for token in specials)


def test_the_rulebooks_example_is_a_quest_of_the_house_set() -> None:
    rewards = [
        [quest.rewards[name].points for name in ("first", "second", "last")]
        for quest in house_set().quests.values()
    ]
    assert [-3, 6, 3] in rewards


def test_slots_make_the_last_of_three_or_four_players_take_one_turn_fewer() -> None:
    """And of two or five nobody, as the rulebook says of the special token that makes up for it."""
    slots = {len(quest.slots) for quest in house_set().quests.values()}
    assert slots == {5}
    for players, quests in ((2, 7), (3, 8), (4, 9), (5, 10)):
        turns = -(-quests * 5 // 2)
        fewer = -turns % players
        assert fewer == (1 if players in rules().last_gets_special else 0)


def test_the_house_set_says_that_it_is_made_up() -> None:
    assert "made up" in house_set().source
    assert "made up" in GAME.describe_cards()


def drop(key: str) -> Callable[[Document], object]:
    return lambda document: document.pop(key)


def put(*path: Any) -> Callable[[Document], object]:
    """Set a value deep in the document: keys and indices, then the value."""

    def change(document: Document) -> None:
        target: Any = document
        for key in path[:-2]:
            target = target[key]
        target[path[-2]] = path[-1]

    return change


COUNTS = {str(value): count for value, count in rules().tokens.items()}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (drop("quest"), "missing quest"),
        (put("color", "red"), "unknown key color"),
        (put("kind", "sonora-vision/board"), "kind: expected sonora-vision/soar-cards"),
        (put("schema", 2), "schema: expected 1"),
        (put("name", " "), "name: expected a text that is not empty"),
        (put("special", {}), r"special: expected \[\[special\]\] tables"),
        (put("special", 0, "id", "5"), r"special\[0\]: id: expected a word"),
        (put("special", 1, "id", "x2"), "x2: expected each id once"),
        (put("special", 0, "copies", 3), "special: expected 16 of them in all, got 17"),
        (put("special", 0, "stars", -1), "stars: expected a whole number, 0 or more"),
        (put("special", 0, "all", 2), "times, all: expected one modifier at most"),
        (put("special", 0, "value", "5"), "value: expected a whole number"),
        (put("tokens", {"0": 1}), "tokens: missing"),
        (put("tokens", 32), "tokens: expected a table of counts"),
        (put("tokens", {**COUNTS, "0": 2}), "tokens: expected 32 of them in all, got 33"),
        (put("quest", []), "quest: expected 10 of them in all, got 0"),
        (put("quest", 1, "id", "cloud-gate"), "cloud-gate: expected each id once"),
        (put("quest", 0, "id", "Cloud Gate"), r"quest\[0\]: id: expected a word"),
        (put("quest", 0, "slots", "oo?"), "slots: expected o"),
        (put("quest", 0, "slots", ""), "slots: expected a text"),
        (put("quest", 0, "first", 3), r"quest\[0\].first: reward: expected a table"),
        (put("quest", 0, "first", {"points": "3"}), "points: expected a whole number"),
        (put("quest", 0, "first", {"points": 3, "special": 1}), "special: expected true or false"),
    ],
)
def test_a_mistake_in_a_card_file_is_named(
    document: Document, change: Callable[[Document], object], says: str
) -> None:
    change(document)
    with pytest.raises(FileFormatError, match=rf"^mine\.toml: (.*: )?{says}"):
        read_cards(document, "mine.toml")


def test_owners_counts_of_tokens_take_the_place_of_the_printed_ones(document: Document) -> None:
    document["tokens"] = {**COUNTS, "6": 4, "7": 3}
    cards = read_cards(document, "mine.toml")
    assert Counter(cards.supply(special=False))["6"] == 4


def test_owners_quests_take_the_place_of_the_house_set(document: Document) -> None:
    document["quest"][0]["id"] = "first-flight"
    game = GAME.with_cards(document, "mine.toml")
    line = "first-flight: 6@a 5@b 4@a 2@sky 3@b | a: 0 | b: 0 | sky: 0"
    assert game.score_position(line).players[0].rows[1].label == "first-flight"
