"""Everything that can happen at the table, one value an event, each a line of text.

=============================  ==================================================
``flick red 3 on``             red flicks the 3; ``off`` the board, ``short`` of leaving
                               the launch corner, ``bunt`` where bunting is banned
``reflick red``                red crosses off a Reflick Bonus for the disc just flicked
``knock blue 2``               the last flick knocked blue's 2 off the board
``bullseye red 5 ruins``       red's 5 is in the hole; red puts it on Ruins
``read red: 2@ruins | ...``    where the discs lie at the end (a position)
``settle red 4 creek``         red settles a choice or a doubt
``swap red 1 5``               red crosses off a Swap Bonus and swaps two discs
``ready red``                  red swaps no more
``choose red blue``            solo: red is the player's color, blue the rival's
``write red ruins B 9``        red makes a mark; ``write rival ...`` in solo
``done red``                   red has finished writing
``undo``, ``redo``             the last event that still holds is taken back, or comes again
=============================  ==================================================
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from sonora_vision.errors import UsageError

FlickResult = Literal["on", "off", "short", "bunt"]


@dataclass(frozen=True)
class Flick:
    """A disc was flicked."""

    player: str
    disc: int
    result: FlickResult


@dataclass(frozen=True)
class Reflick:
    """The owner of the disc just flicked crosses off a Reflick Bonus to flick it again."""

    player: str


@dataclass(frozen=True)
class Knock:
    """A disc was knocked off the board by the last flick."""

    player: str
    disc: int


@dataclass(frozen=True)
class Bullseye:
    """A disc in the hole was put on a section by its owner."""

    player: str
    disc: int
    section: str


@dataclass(frozen=True)
class Read:
    """The board was read; ``position`` is a position line."""

    position: str


@dataclass(frozen=True)
class Settle:
    """An owner settled a choice or a doubt."""

    player: str
    disc: int
    section: str


@dataclass(frozen=True)
class Swap:
    """Two discs swapped positions for a Swap Bonus."""

    player: str
    disc: int
    other: int


@dataclass(frozen=True)
class Ready:
    """A player swaps no more."""

    player: str


@dataclass(frozen=True)
class Choose:
    """Solo: which color is the player's, and which the rival's."""

    mine: str
    rival: str


@dataclass(frozen=True)
class Write:
    """A mark was made; ``mark`` is its text."""

    player: str
    mark: str


@dataclass(frozen=True)
class Done:
    """A player has finished writing."""

    player: str


@dataclass(frozen=True)
class Undo:
    """The last event that still holds is taken back."""


@dataclass(frozen=True)
class Redo:
    """The event taken back last holds again."""


Event = (
    Flick | Reflick | Knock | Bullseye | Read | Settle | Swap | Ready | Choose | Write | Done
    | Undo | Redo
)  # fmt: skip

_KINDS: dict[str, type[Any]] = {kind.__name__.lower(): kind for kind in get_args(Event)}
_REST = {"position", "mark"}
"""Fields whose text runs to the end of the line."""


def event_text(event: Event) -> str:
    """Write an event so that `parse_event` reads it back."""
    words = [str(getattr(event, field.name)) for field in fields(event)]
    return " ".join([type(event).__name__.lower(), *words])


def parse_event(line: str) -> Event:
    """Read an event; raises `UsageError` that says what is expected."""
    name, _, rest = line.strip().partition(" ")
    kind = _KINDS.get(name)
    if kind is None:
        raise UsageError(f"event {line!r}: expected one of {', '.join(_KINDS)}")
    names = [field.name for field in fields(kind)]
    words = rest.split(maxsplit=len(names) - 1) if names else rest.split()
    long = bool(names) and names[-1] in _REST
    if len(words) != len(names) or (not long and len(rest.split()) != len(names)):
        raise UsageError(f"event {line!r}: expected '{' '.join([name, *names]).upper()}'")
    values: dict[str, Any] = dict(zip(names, words, strict=True))
    for key in ("disc", "other"):
        if key in values:
            if not values[key].isascii() or not values[key].isdigit():
                raise UsageError(f"event {line!r}: expected a disc's number, got {values[key]!r}")
            values[key] = int(values[key])
    if "result" in values and values["result"] not in get_args(FlickResult):
        raise UsageError(f"event {line!r}: expected {' or '.join(get_args(FlickResult))}")
    event: Event = kind(**values)
    return event
