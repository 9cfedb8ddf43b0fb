"""A position as one line of text, in and out.

``molly: start1a > field@n1 > town1@e1 | george: start3b sheep@w1 | goals: long-way ...``

A player's cards joined by ``>`` stand in the order they were played; without it they are what a
picture shows. A place is the way from the Starting Town: ``n1e2`` is one north, two east. Last
come the three goals, if any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sonora_vision.errors import RuleError, SonoraError, UsageError
from sonora_vision.score.sunflower_valley.cards import WORD, Card, CardSet
from sonora_vision.score.sunflower_valley.rules import rules
from sonora_vision.score.sunflower_valley.valley import Cell, Valley, spot

THEN = ">"
_PLACE = re.compile(r"(?:([ns])([1-9]\d?))?(?:([ew])([1-9]\d?))?")


@dataclass(frozen=True, kw_only=True)
class Player:
    """A name and a valley."""

    name: str
    valley: Valley


@dataclass(frozen=True, kw_only=True)
class Position:
    """All valleys at the table, and the goals of the game by name."""

    players: tuple[Player, ...]
    goals: tuple[str, ...] = ()

    def line(self) -> str:
        """Return the position as text."""
        parts = []
        for player in self.players:
            words = [player.valley.start.id]
            words += [f"{card.id}@{spot(cell)}" for cell, card in player.valley.cards]
            joint = f" {THEN} " if player.valley.played else " "
            parts.append(f"{player.name}: {joint.join(words)}")
        if self.goals:
            parts.append("goals: " + " ".join(self.goals))
        return " | ".join(parts)


@dataclass(frozen=True, kw_only=True)
class _Word:
    """A word of the line and the column of its first letter, from 1."""

    text: str
    column: int

    @property
    def place(self) -> str:
        """Where it stands, as messages give it."""
        return f"column {self.column} ({self.text!r})"


_Used = tuple[_Word, Card]


def parse(line: str, cards: CardSet) -> Position:
    """Read a position and check that it can have come about.

    Raises
    ------
    UsageError
        If the text cannot be understood.
    RuleError
        If the rules do not allow what it says. Both name the place in the line.
    """
    players: list[Player] = []
    goals: tuple[str, ...] | None = None
    used: list[_Used] = []
    for label, words in _segments(line):
        if goals is not None:
            raise UsageError(f"{label.place}: goals stand last; put this before them")
        if label.text == "goals":
            goals = _goals(label, words)
            continue
        if any(player.name == label.text for player in players):
            raise UsageError(f"{label.place}: two players have this name; give each its own")
        valley = _valley(label, words, cards, used)
        players.append(Player(name=label.text, valley=valley))
    least, most = rules().players
    if not least <= len(players) <= most:
        raise RuleError(f"position: expected {least} to {most} players, got {len(players)} (Setup)")
    _enough_of_each(used, cards, len(players))
    return Position(players=tuple(players), goals=goals or ())


def _segments(line: str) -> list[tuple[_Word, list[_Word]]]:
    """Cut the line at ``|`` into a label and its words."""
    found = []
    column = 1
    for segment in line.split("|"):
        label = re.match(rf"\s*({WORD}):", segment)
        if not label:
            raise UsageError(
                f"column {column} ({segment.strip()!r}): expected a name and a colon, as "
                "'molly: start1a field@n1'"
            )
        start = _Word(text=label[1], column=column + label.start(1))
        words = [
            _Word(text=word[0], column=column + word.start())
            for word in re.finditer(r"\S+", segment)
            if word.start() >= label.end()
        ]
        found.append((start, words))
        column += len(segment) + 1
    return found


def _goals(label: _Word, words: list[_Word]) -> tuple[str, ...]:
    for word in words:
        if word.text not in rules().goals:
            known = ", ".join(rules().goals)
            raise UsageError(f"{word.place}: no goal has this name; the goals are {known}")
        if [other.text for other in words].count(word.text) > 1:
            raise RuleError(f"{word.place}: this goal stands twice; each exists once (Setup)")
    if len(words) not in rules().goal_counts:
        none, three = rules().goal_counts
        raise RuleError(
            f"{label.place}: expected {none} or {three} goals, got {len(words)} (Setup)"
        )
    return tuple(word.text for word in words)


def _valley(label: _Word, words: list[_Word], cards: CardSet, used: list[_Used]) -> Valley:
    """Build one valley card by card; a picture's cards in an order that connects them."""
    played = any(word.text == THEN for word in words)
    if played:
        joints = [word.text == THEN for word in words]
        if joints != [bool(index % 2) for index in range(len(words))] or joints[-1]:
            raise UsageError(f"{label.place}: put {THEN} between all cards of the valley, or none")
        words = words[::2]
    if not words:
        raise UsageError(f"{label.place}: expected a Starting Town, as start1a, and cards")
    start = _card(words[0], words[0].text, cards)
    if not start.start:
        starts = ", ".join(cards.starts())
        raise RuleError(f"{words[0].place}: expected a Starting Town first: {starts} (Setup)")
    used.append((words[0], start))
    valley = Valley(start=start, played=played)
    waiting = [(word, *_placed(word, cards)) for word in words[1:]]
    used += [(word, card) for word, _, card in waiting]
    while waiting:
        ready = waiting[0]
        if not played:  # those that touch the valley first; the rest may yet come to touch it
            free = valley.free_cells()
            ready = next((entry for entry in waiting if entry[1] in free), ready)
        waiting.remove(ready)
        word, cell, card = ready
        try:
            valley = valley.plus(cell, card)
        except SonoraError as error:
            raise RuleError(f"column {word.column}: {error}") from None
    if played:
        return valley
    order = {word.text: index for index, word in enumerate(words)}
    as_typed = sorted(valley.cards, key=lambda entry: order[f"{entry[1].id}@{spot(entry[0])}"])
    return Valley(start=start, cards=tuple(as_typed))


def _placed(word: _Word, cards: CardSet) -> tuple[Cell, Card]:
    """Read ``card@place``."""
    name, at, place = word.text.partition("@")
    found = _PLACE.fullmatch(place)
    if not at or not place or not found:
        raise UsageError(
            f"{word.place}: expected card@place, the place as n1, e2 or n1e2 from the Starting Town"
        )
    north_south, rows, east_west, columns = found.groups()
    x = int(columns or 0) * (-1 if east_west == "w" else 1)
    y = int(rows or 0) * (-1 if north_south == "n" else 1)
    return (x, y), _card(word, name, cards)


def _card(word: _Word, name: str, cards: CardSet) -> Card:
    if name not in cards.cards:
        known = ", ".join(card.id for card in cards.cards.values() if not card.start)
        raise RuleError(
            f"{word.place}: the {cards.name} has no card {name!r}; its cards are {known}, and the "
            f"Starting Towns {', '.join(cards.starts())} (Components)"
        )
    return cards.cards[name]


def _enough_of_each(used: Sequence[_Used], cards: CardSet, players: int) -> None:
    """Each player brings one set; hands are passed, so one valley may hold cards of all sets."""
    sets = players if players > 1 else rules().sets  # a valley alone may be from any table
    seen: Counter[tuple[bool, str]] = Counter()
    for word, card in used:
        name = card.id[:-1] if card.start else card.id
        there_are = 1 if card.start else card.copies * sets
        seen[card.start, name] += 1
        if seen[card.start, name] > there_are:
            of = "there is one of each Starting Town" if card.start else f"{sets} sets have"
            count = "" if card.start else f" {there_are}"
            raise RuleError(f"{word.place}: one {name} too many; {of}{count} (Components)")
