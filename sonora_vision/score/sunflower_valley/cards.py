"""Cards as data: what is printed on each, and the file that an owner enters them in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NoReturn

from sonora_vision.errors import FileFormatError
from sonora_vision.score.sunflower_valley.rules import rules

KIND = "sonora-vision/sunflower-valley-cards"
SCHEMA = 1
TYPES = ("town", "farmer", "sheep", "field", "mountain", "lake", "railroad")
SIDES = "nesw"
FACES = "ab"
WORD = r"[a-z][a-z0-9-]*"


@dataclass(frozen=True, kw_only=True)
class Card:
    """One printed face."""

    id: str
    type: str
    needs: tuple[str, ...] = ()
    """The combination: card types around it, as often as they are printed, sorted."""
    points: int = 0
    villagers: int = 0
    tracks: tuple[frozenset[str], ...] = ()
    """Pieces of track, each the sides it joins; a town is one piece."""
    copies: int = 1
    """How many a set of 20 holds."""
    start: bool = False

    @property
    def is_field(self) -> bool:
        """Whether it counts as a Field card: farmers do."""
        return self.type in rules().fields


@dataclass(frozen=True, kw_only=True)
class CardSet:
    """The cards of one edition: a set of 20 Valley cards, and both faces of each Starting Town."""

    name: str
    source: str
    cards: Mapping[str, Card]

    def starts(self) -> list[str]:
        """Ids of the faces of the Starting Towns, as ``start1a``."""
        return [card.id for card in self.cards.values() if card.start]

    def deck(self) -> list[str]:
        """Ids of one player's Valley cards, as often as the set holds each."""
        valley = [card for card in self.cards.values() if not card.start]
        return [card.id for card in valley for _ in range(card.copies)]


@cache
def house_set() -> CardSet:
    """Cards made up for this program."""
    text = files(__package__).joinpath("house_cards.toml").read_text(encoding="utf-8")
    return read_cards(tomllib.loads(text), "house_cards.toml")


def read_cards(document: Mapping[str, Any], where: str) -> CardSet:
    """Read a card file's content.

    Parameters
    ----------
    document
        The parsed TOML.
    where
        The file, as messages name it.

    Raises
    ------
    FileFormatError
        If the content is not a card set, or not one that the rulebook allows.
    """
    _keys(document, where, "kind schema name source card start", "")
    if document["kind"] != KIND:
        _refuse(where, "kind", KIND, document["kind"])
    if document["schema"] != SCHEMA:
        _refuse(
            where, "schema", f"{SCHEMA} (a newer file needs a newer program)", document["schema"]
        )
    cards: dict[str, Card] = {}
    for card in [*_valley_cards(document["card"], where), *_starts(document["start"], where)]:
        if card.id in cards:
            _refuse(where, card.id, "each id once", "it twice; use copies for equal cards")
        cards[card.id] = card
    found = CardSet(
        name=_text(document, "name", where),
        source=_text(document, "source", where),
        cards=MappingProxyType(cards),
    )
    if len(found.deck()) != rules().set_cards:
        _refuse(where, "card", f"{rules().set_cards} cards with their copies", len(found.deck()))
    if len(found.starts()) != len(FACES) * rules().starting_towns:
        expected = f"{rules().starting_towns} Starting Towns with faces a and b"
        _refuse(where, "start", expected, len(found.starts()) // len(FACES))
    return found


def _valley_cards(entries: Any, where: str) -> list[Card]:
    cards = []
    for index, entry in enumerate(_tables(entries, "card", where)):
        here = f"{where}: card[{index}]"
        _keys(entry, here, "id type", "needs points villagers tracks copies")
        if entry["type"] not in TYPES:
            _refuse(here, "type", "one of " + ", ".join(TYPES), entry["type"])
        cards.append(_card(entry, here, _id(entry, here), entry["type"], start=False))
    return cards


def _starts(entries: Any, where: str) -> list[Card]:
    cards = []
    for index, entry in enumerate(_tables(entries, "start", where)):
        here = f"{where}: start[{index}]"
        _keys(entry, here, "id a b", "")
        for face in FACES:
            if not isinstance(entry[face], dict):
                _refuse(here, face, "a table", entry[face])
            _keys(entry[face], f"{here}.{face}", "", "needs points villagers tracks")
            name = _id(entry, here) + face
            cards.append(_card(entry[face], f"{here}.{face}", name, "town", start=True))
    return cards


def _card(entry: Mapping[str, Any], where: str, name: str, kind: str, *, start: bool) -> Card:
    needs = _words(entry, "needs", where)
    allowed = rules().needs.get(kind, ())
    for need in needs:
        if need not in allowed:
            expected = f"a {kind} to need only " + (", ".join(allowed) or "nothing")
            _refuse(where, "needs", expected, need)
    least, most = rules().combination
    if needs and not least <= len(needs) <= most:
        _refuse(where, "needs", f"{least} to {most} cards", len(needs))
    points = _count(entry, "points", where)
    if bool(needs) != bool(points):
        _refuse(where, "points", "points exactly where there is a combination", points)
    villagers = _count(entry, "villagers", where)
    if villagers and kind not in rules().needs:
        _refuse(where, "villagers", "villagers on towns and farmers only", villagers)
    return Card(
        id=name,
        type=kind,
        needs=tuple(sorted(needs)),
        points=points,
        villagers=villagers,
        tracks=_tracks(entry, where, kind),
        copies=_count(entry, "copies", where, default=1, at_least=1),
        start=start,
    )


def _tracks(entry: Mapping[str, Any], where: str, kind: str) -> tuple[frozenset[str], ...]:
    tracks = _words(entry, "tracks", where)
    if kind == "town":
        tracks = tracks or (SIDES,)
        if len(tracks) > 1:
            _refuse(where, "tracks", "one group of sides for a town", list(tracks))
    elif bool(tracks) != (kind == "railroad"):
        _refuse(where, "tracks", "tracks on every railroad and on nothing else", list(tracks))
    sides = "".join(tracks)
    if set(sides) - set(SIDES) or len(set(sides)) != len(sides):
        _refuse(where, "tracks", f"groups of the sides {SIDES}, each side once", list(tracks))
    if kind == "railroad" and any(len(track) < 2 for track in tracks):
        _refuse(where, "tracks", "each track to join two sides or more", list(tracks))
    return tuple(frozenset(track) for track in tracks)


def _keys(entry: Mapping[str, Any], where: str, required: str, optional: str) -> None:
    missing = set(required.split()) - set(entry)
    unknown = set(entry) - set(required.split()) - set(optional.split())
    if missing:
        raise FileFormatError(f"{where}: missing {', '.join(sorted(missing))}; add it")
    if unknown:
        known = ", ".join([*required.split(), *optional.split()])
        raise FileFormatError(
            f"{where}: unknown key {', '.join(sorted(unknown))} (known here: {known})"
        )


def _tables(value: Any, key: str, where: str) -> list[Mapping[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        _refuse(where, key, f"[[{key}]] tables", value)
    return list(value)


def _id(entry: Mapping[str, Any], where: str) -> str:
    name = _text(entry, "id", where)
    if not re.fullmatch(WORD, name):
        _refuse(where, "id", "a word of a-z, 0-9 and - that starts with a letter", name)
    return name


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = entry[key]
    if not isinstance(value, str) or not value.strip():
        _refuse(where, key, "a text that is not empty", value)
    return str(value)


def _words(entry: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = entry.get(key, [])
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        _refuse(where, key, "a list of words", value)
    return tuple(value)


def _count(
    entry: Mapping[str, Any], key: str, where: str, *, default: int = 0, at_least: int = 0
) -> int:
    value = entry.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < at_least:
        _refuse(where, key, f"a whole number, {at_least} or more", value)
    return int(value)


def _refuse(where: str, key: str, expected: str, got: object) -> NoReturn:
    raise FileFormatError(f"{where}: {key}: expected {expected}, got {got}; mend it there")
