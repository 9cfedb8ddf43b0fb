"""A position as one line of text, and swaps on a table of discs.

``red: 2@ruins 3@ruins 4@lizard | blue: 5@canyon 1@hole>creek | first: red``

A part a player, in seat order clockwise; ``first:`` names who plays first (else the first listed).
A disc is ``number@place``; the number is ``?`` where it cannot be told. Places:

=================  ==========================================================
``ruins``          a zone; ``ruins/creek`` is shared exactly, the owner's choice
``lizard``         a multiplier circle; ``fox/owl`` touches two
``hole>creek``     a bullseye put on a section; ``hole`` alone is still open
``off``            off the board
``corner``         on a raised launch corner
``missing``        not to be seen
=================  ==========================================================

A doubt follows the place with its reasons: ``4@creek?zone``, ``4@ruins/creek?zone+state``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sonora_vision.errors import RuleError, UsageError
from sonora_vision.observation import DOUBT_REASONS, DoubtReason, Missing, State, Via
from sonora_vision.score.allocation import Placed, Table
from sonora_vision.score.sonora.rules import rules

_OFF: dict[str, State] = {"off": "off_board", "corner": "launch_corner"}
D = TypeVar("D", bound=Placed)


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A disc that somebody typed: what it counts for, without a place in millimetres."""

    color: str
    number: int | None
    via: Via
    sections: tuple[str, ...]
    state: State = "flat"
    doubts: tuple[DoubtReason, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Position:
    """A typed table of discs; allocates as a reading does."""

    players: tuple[str, ...]
    """Names or colors in seat order, clockwise."""
    first: str
    discs: tuple[Spot, ...]
    missing: tuple[Missing, ...] = ()
    board: str = "typed"
    warnings: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[str, ...]:
        """Turn order: the players from the first one on."""
        start = self.players.index(self.first)
        return self.players[start:] + self.players[:start]


def parse_position(line: str) -> Position:
    """Read a position line; raises `UsageError` that quotes the part that is wrong."""
    players: list[str] = []
    discs: list[Spot] = []
    missing: list[Missing] = []
    first: str | None = None
    for part in line.split("|"):
        name, colon, rest = (piece.strip() for piece in part.partition(":"))
        if not colon or not name:
            raise _wrong(part.strip(), "expected 'player: discs' or 'first: player'")
        if name == "first":
            if first is not None:
                raise _wrong(part.strip(), "first player named twice")
            first = rest
        elif name in players:
            raise _wrong(part.strip(), f"{name!r} has a part already; give each player one")
        else:
            players.append(name)
            for word in rest.split():
                _place(name, word, discs, missing)
    if not players:
        raise _wrong(line, "no player in it")
    if first is not None and first not in players:
        raise _wrong(f"first: {first}", f"no such player; they are {', '.join(players)}")
    return Position(
        players=tuple(players),
        first=players[0] if first is None else first,
        discs=tuple(discs),
        missing=tuple(missing),
    )


def position_line(table: Table, players: Sequence[str], first: str | None = None) -> str:
    """Write the discs of ``players`` (seat order) as a line that `parse_position` reads back."""
    parts = []
    for player in players:
        words = [_word(disc) for disc in table.discs if disc.color == player]
        words += [f"{_digit(m.number)}@missing" for m in table.missing if m.color == player]
        parts.append(f"{player}: {' '.join(words)}".rstrip())
    if first is not None:
        parts.append(f"first: {first}")
    return " | ".join(parts)


def swap(discs: Iterable[D], color: str, number: int, other: int) -> tuple[D, ...]:
    """Swap the positions of two discs of one color on the board.

    Every other thing about the two places (what it counts for, what is open there) stays with
    the place.

    Raises
    ------
    RuleError
        If the discs are one, or either is not on the board, or its color or number is in doubt.

    References
    ----------
    English rulebook: Flick Bonuses, Swap Bonus.
    """
    every = tuple(discs)
    if number == other:
        raise RuleError(f"Swap Bonus: needs two discs, got {color} {number} twice")
    a, b = _on_board(every, color, number), _on_board(every, color, other)
    exchanged = {id(a): other, id(b): number}
    return tuple(_renumbered(disc, exchanged.get(id(disc), disc.number)) for disc in every)


def _renumbered(disc: D, number: int | None) -> D:
    """Return the disc's place under another number."""
    if number == disc.number:
        return disc
    changed: D = replace(disc, number=number)  # type: ignore[type-var]  # Placed are dataclasses
    return changed


def _on_board(discs: Sequence[D], color: str, number: int) -> D:
    """Find a disc that may be swapped."""
    found = [disc for disc in discs if (disc.color, disc.number) == (color, number)]
    if len(found) != 1 or found[0].via == "hole" or found[0].state in ("off_board", "in_hole"):
        raise RuleError(
            f"Swap Bonus: {color} {number} is not on the board; swap two discs that lie on it"
        )
    if {"color", "number"} & set(found[0].doubts):
        raise RuleError(f"Swap Bonus: {color} {number} is in doubt; settle it first")
    return found[0]


def _place(color: str, word: str, discs: list[Spot], missing: list[Missing]) -> None:
    """Read one ``number@place`` into the discs or the missing."""
    digit, at, rest = word.partition("@")
    place, mark, reasons = rest.partition("?")
    if not at or not place:
        raise _wrong(word, "expected number@place, as 4@lizard")
    number = None if digit == "?" else _number(digit, word)
    if place == "missing":
        if mark:
            raise _wrong(word, "a missing disc has no doubts")
        missing.append(Missing(color=color, number=number))
        return
    doubts = _reasons(reasons, word) if mark else ()
    if number is None and "number" not in doubts:
        doubts = (*doubts, "number")
    discs.append(Spot(color=color, number=number, doubts=doubts, **_meaning(place, word)))


def _number(digit: str, word: str) -> int:
    """Read a disc's number."""
    if not digit.isascii() or not digit.isdigit() or int(digit) < 1:
        raise _wrong(word, "expected a number from 1, or ? for one that cannot be told")
    return int(digit)


def _reasons(text: str, word: str) -> tuple[DoubtReason, ...]:
    """Read the reasons of a doubt."""
    reasons = tuple(r for name in text.split("+") for r in DOUBT_REASONS if r == name)
    if len(reasons) != len(text.split("+")) or len(set(reasons)) != len(reasons):
        raise _wrong(word, f"a doubt's reasons are of {', '.join(DOUBT_REASONS)}, joined by +")
    return reasons


def _meaning(place: str, word: str) -> dict[str, Any]:
    """Return via, sections and state of a place's name."""
    sections, animals = rules().sections, rules().animals
    if place in _OFF:
        return {"via": "none", "sections": (), "state": _OFF[place]}
    hole, chosen, section = place.partition(">")
    if hole == "hole":
        if chosen and section not in sections:
            raise _wrong(word, f"a bullseye goes to one of {', '.join(sections)}")
        return {"via": "hole", "sections": (section,) if chosen else sections, "state": "in_hole"}
    names = place.split("/")
    if len(set(names)) == len(names):
        if set(names) <= set(sections):
            return {"via": "zone", "sections": tuple(sorted(names))}
        if set(names) <= set(animals):
            return {"via": "multiplier", "sections": tuple(sorted(animals[n] for n in names))}
    known = ", ".join([*sections, *animals, "hole", *_OFF, "missing"])
    raise _wrong(word, f"no such place; places are {known}; share zones or circles with /")


def _word(disc: Placed) -> str:
    """Write one disc."""
    if disc.via == "hole":
        place = "hole" if len(disc.sections) != 1 else f"hole>{disc.sections[0]}"
    elif disc.via == "multiplier":
        animal_of = {section: animal for animal, section in rules().animals.items()}
        place = "/".join(animal_of[section] for section in disc.sections)
    elif disc.sections:
        place = "/".join(disc.sections)
    else:
        place = "corner" if disc.state == "launch_corner" else "off"
    reasons = [r for r in disc.doubts if disc.number is not None or r != "number"]
    return f"{_digit(disc.number)}@{place}" + (f"?{'+'.join(reasons)}" if reasons else "")


def _digit(number: int | None) -> str:
    """Write a number."""
    return "?" if number is None else str(number)


def _wrong(part: str, what: str) -> UsageError:
    """Say what is wrong with a part of the line."""
    return UsageError(f"position: {part!r}: {what}")
