"""The house set agrees with the rulebook, and card files with mistakes are refused by name."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from sonora_vision.errors import FileFormatError
from sonora_vision.score.sunflower_valley import GAME
from sonora_vision.score.sunflower_valley.cards import TYPES, house_set, read_cards

Document = dict[str, Any]


@pytest.fixture
def document() -> Document:
    text = files("sonora_vision.score.sunflower_valley").joinpath("house_cards.toml")
    return copy.deepcopy(tomllib.loads(text.read_text("utf-8")))


def test_a_set_has_twenty_cards_and_there_are_six_starting_towns_with_two_faces() -> None:
    assert len(house_set().deck()) == 20
    assert len(house_set().starts()) == 12


def test_every_type_of_card_is_in_the_set() -> None:
    assert {house_set().cards[name].type for name in house_set().deck()} == set(TYPES)


def test_a_town_asks_for_a_sheep_and_a_field_for_three_points_and_one_scores_four() -> None:
    towns = [card for card in house_set().cards.values() if card.type == "town"]
    assert any(card.needs == ("field", "sheep") and card.points == 3 for card in towns)
    assert any(card.points == 4 for card in towns)


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


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (drop("name"), "missing name"),
        (put("color", "red"), "unknown key color"),
        (put("kind", "sonora-vision/board"), "kind: expected sonora-vision/sunflower-valley-cards"),
        (put("schema", 2), "schema: expected 1"),
        (put("card", "none"), r"card: expected \[\[card\]\] tables"),
        (put("card", 0, "type", "castle"), r"card\[0\]: type: expected one of town"),
        (put("card", 0, "id", "Town 1"), r"card\[0\]: id: expected a word"),
        (put("card", 0, "colour", "red"), r"card\[0\]: unknown key colour"),
        (put("card", 0, "needs", ["farmer"]), "needs: expected a town to need only sheep, field"),
        (
            put("card", 3, "needs", ["mountain"]),
            "expected a farmer to need only sheep, field, lake",
        ),
        (put("card", 0, "needs", ["sheep"] * 5), "needs: expected 1 to 4 cards, got 5"),
        (put("card", 0, "needs", []), "points exactly where there is a combination"),
        (put("card", 0, "points", 0), "points exactly where there is a combination"),
        (put("card", 0, "points", True), "points: expected a whole number"),
        (put("card", 0, "copies", 0), "copies: expected a whole number, 1 or more"),
        (put("card", 0, "copies", 2), "card: expected 20 cards with their copies, got 21"),
        (put("card", 5, "villagers", 1), "villagers on towns and farmers only"),
        (put("card", 5, "tracks", ["we"]), "tracks on every railroad and on nothing else"),
        (put("card", 9, "tracks", []), "tracks on every railroad and on nothing else"),
        (put("card", 9, "tracks", ["n"]), "each track to join two sides or more"),
        (put("card", 9, "tracks", ["ns", "we", "n"]), "each side once"),
        (put("card", 9, "tracks", ["nx"]), "groups of the sides nesw"),
        (put("card", 0, "tracks", ["n", "s"]), "one group of sides for a town"),
        (put("card", 1, "id", "town1"), "town1: expected each id once"),
        (put("start", 0, "a", 3), r"start\[0\]: a: expected a table"),
        (put("start", 0, "c", {}), r"start\[0\]: unknown key c"),
        (put("start", 0, "a", "type", "town"), r"start\[0\].a: unknown key type"),
        (put("start", []), "start: expected 6 Starting Towns with faces a and b, got 0"),
    ],
)
def test_a_mistake_in_a_card_file_is_named(
    document: Document, change: Callable[[Document], object], says: str
) -> None:
    change(document)
    with pytest.raises(FileFormatError, match=rf"^mine\.toml: .*{says}|^mine\.toml: {says}"):
        read_cards(document, "mine.toml")


def test_owners_cards_take_the_place_of_the_house_set(document: Document) -> None:
    document["card"][0]["id"] = "oldtown"
    game = GAME.with_cards(document, "mine.toml")
    line = "a: start3a oldtown@n1 sheep@n2 field@n1e1"
    assert game.score_position(line).players[0].rows[1].value == 3
    assert "oldtown" in game.draw_position(line) or game.draw_position(line)
