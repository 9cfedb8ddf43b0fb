"""Quests and tokens as data, and the file that an owner enters them in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NoReturn

from sonora_vision.errors import FileFormatError
from sonora_vision.score.soar.rules import rules

KIND = "sonora-vision/soar-cards"
SCHEMA = 1
EYE, BLANK = "o", "-"
REWARDS = ("first", "second", "last")
WORD = r"[a-z][a-z0-9-]*"
_TOKEN = r"[a-z+-][a-z0-9+-]*"
_MODIFIERS = ("times", "all", "previous", "next")


@dataclass(frozen=True, kw_only=True)
class Reward:
    """What one place on a quest gets."""

    points: int
    special: bool = False
    """Whether it also draws a special token."""


@dataclass(frozen=True, kw_only=True)
class Quest:
    """One quest card."""

    id: str
    slots: str
    """In the order in which they are filled: ``o`` for an open eye, ``-`` for a blank."""
    rewards: Mapping[str, Reward]

    def face_up(self, slot: int) -> bool:
        """Whether a token on this slot lies face up."""
        return self.slots[slot] == EYE


@dataclass(frozen=True, kw_only=True)
class Token:
    """A bid token, regular or special."""

    id: str
    value: int
    """What it bids."""
    special: bool = False
    times: int = 1
    """Every reward of the quest is multiplied by this."""
    all: int = 0
    """Added to every reward of the quest."""
    previous: int = 0
    """Added to the bid placed just before it on the quest."""
    next: int = 0
    """Added to the bid placed just after it on the quest."""
    stars: int = 0
    """Points at the end of the game for whoever still has it."""
    copies: int = 1


@dataclass(frozen=True, kw_only=True)
class CardSet:
    """The quests and tokens of one edition."""

    name: str
    source: str
    quests: Mapping[str, Quest]
    tokens: Mapping[str, Token]

    def supply(self, *, special: bool) -> list[str]:
        """Ids of all special or all regular tokens, as often as there are of each."""
        return [
            token.id
            for token in self.tokens.values()
            for _ in range(token.copies)
            if token.special == special
        ]

    def specials(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        """Return the special ones of some tokens."""
        return tuple(token for token in tokens if self.tokens[token].special)


@cache
def house_set() -> CardSet:
    """Quests and tokens made up for this program."""
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
    _keys(document, where, "kind schema name source special quest", "tokens")
    if document["kind"] != KIND:
        _refuse(where, "kind", KIND, document["kind"])
    if document["schema"] != SCHEMA:
        newest = f"{SCHEMA} (a newer file needs a newer program)"
        _refuse(where, "schema", newest, document["schema"])
    tokens = {token.id: token for token in _regular(document, where)}
    for special in _specials(document["special"], where):
        if special.id in tokens:
            _refuse(where, special.id, "each id once", "it twice; use copies for equal tokens")
        tokens[special.id] = special
    quests: dict[str, Quest] = {}
    for quest in _quests(document["quest"], where):
        if quest.id in quests:
            _refuse(where, quest.id, "each id once", "it twice")
        quests[quest.id] = quest
    found = CardSet(
        name=_text(document, "name", where),
        source=_text(document, "source", where),
        quests=MappingProxyType(quests),
        tokens=MappingProxyType(tokens),
    )
    for key, count, expected in (
        ("tokens", len(found.supply(special=False)), rules().regular_tokens),
        ("special", len(found.supply(special=True)), rules().special_tokens),
        ("quest", len(quests), rules().quests),
    ):
        if count != expected:
            _refuse(where, key, f"{expected} of them in all", count)
    return found


def _regular(document: Mapping[str, Any], where: str) -> Iterator[Token]:
    counts = document.get("tokens", {str(value): n for value, n in rules().tokens.items()})
    if not isinstance(counts, dict):
        _refuse(where, "tokens", "a table of counts by value", counts)
    _keys(counts, f"{where}: tokens", " ".join(str(value) for value in rules().tokens), "")
    for value in sorted(rules().tokens):
        copies = _whole(counts, str(value), f"{where}: tokens", at_least=0)
        yield Token(id=str(value), value=value, copies=copies)


def _specials(entries: Any, where: str) -> Iterator[Token]:
    for index, entry in enumerate(_tables(entries, "special", where)):
        here = f"{where}: special[{index}]"
        _keys(entry, here, "id value", " ".join([*_MODIFIERS, "stars", "copies"]))
        modifiers = [key for key in _MODIFIERS if key in entry]
        if len(modifiers) > 1:
            _refuse(here, ", ".join(modifiers), "one modifier at most", len(modifiers))
        yield Token(
            id=_id(entry, here, _TOKEN),
            value=_whole(entry, "value", here),
            special=True,
            stars=_whole(entry, "stars", here, default=0, at_least=0),
            copies=_whole(entry, "copies", here, default=1, at_least=1),
            **{key: _whole(entry, key, here) for key in modifiers},
        )


def _quests(entries: Any, where: str) -> Iterator[Quest]:
    for index, entry in enumerate(_tables(entries, "quest", where)):
        here = f"{where}: quest[{index}]"
        _keys(entry, here, " ".join(["id", "slots", *REWARDS]), "")
        slots = _text(entry, "slots", here)
        if set(slots) - {EYE, BLANK}:
            _refuse(here, "slots", f"{EYE} (open eye) and {BLANK} (blank) only", slots)
        rewards = {name: _reward(entry[name], f"{here}.{name}") for name in REWARDS}
        yield Quest(id=_id(entry, here, WORD), slots=slots, rewards=MappingProxyType(rewards))


def _reward(entry: Any, where: str) -> Reward:
    if not isinstance(entry, dict):
        _refuse(where, "reward", "a table with points", entry)
    _keys(entry, where, "points", "special")
    special = entry.get("special", False)
    if not isinstance(special, bool):
        _refuse(where, "special", "true or false", special)
    return Reward(points=_whole(entry, "points", where), special=special)


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


def _id(entry: Mapping[str, Any], where: str, pattern: str) -> str:
    name = _text(entry, "id", where)
    if not re.fullmatch(pattern, name):
        _refuse(where, "id", f"a word of the form {pattern}", name)
    return name


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = entry[key]
    if not isinstance(value, str) or not value.strip():
        _refuse(where, key, "a text that is not empty", value)
    return str(value)


def _whole(
    entry: Mapping[str, Any],
    key: str,
    where: str,
    *,
    default: int | None = None,
    at_least: int | None = None,
) -> int:
    value = entry.get(key, default)
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or (at_least is not None and value < at_least)
    ):
        bound = "" if at_least is None else f", {at_least} or more"
        _refuse(where, key, f"a whole number{bound}", value)
    return int(value)


def _refuse(where: str, key: str, expected: str, got: object) -> NoReturn:
    raise FileFormatError(f"{where}: {key}: expected {expected}, got {got}; mend it there")
