"""Everything that can happen at a table, one frozen value an event, JSON in the log.

The log holds what people and the camera said, never what follows from it: totals, orders and
allocations are worked out anew from the events, so that a rule that is mended mends old games.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

Section = Literal["ruins", "canyon", "creek", "mudcracks"]
SECTIONS: tuple[Section, ...] = ("ruins", "canyon", "creek", "mudcracks")
"""In the order in which a player records them."""

SEATS = 4
"""Corners of the board."""

_Line = StringConstraints(
    strip_whitespace=True, min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f\u2028\u2029]+$"
)
"""One line to be shown: a control character could break a header, a log or a database."""

Color = Annotated[str, _Line]
Name = Annotated[str, _Line]
Number = Annotated[int, Field(ge=1, le=99)]
Index = Annotated[int, Field(ge=0, le=9_999)]
"""A disc of a round: its place in the reading, or after it for one that was added by hand."""
Seq = Annotated[int, Field(ge=1, le=999_999_999)]
"""An event of a game, counted from 1."""
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")]

EVENTS_MAX = 20_000
"""Events of a game that can still be carried elsewhere; an evening has some hundreds."""

HOST = "host"
"""The actor who holds the table's PIN; every other actor is a player, named by color."""


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Player(_Event):
    """One player: discs, name, and the corner of the table (0 to 3, clockwise)."""

    color: Color
    name: Name
    seat: int = Field(ge=0, lt=SEATS)


class Made(_Event):
    """A game was begun; always the first event."""

    kind: Literal["made"] = "made"
    name: Name
    board: Name
    colors: tuple[Color, ...]
    """All colors of the board's discs, played or not."""
    numbers: tuple[Number, ...]
    players: tuple[Player, ...] = Field(min_length=1, max_length=4)
    """In seat order, clockwise."""
    first: Color
    """Who has the first player marker in round 1."""
    rounds: int = Field(ge=1, le=12)


class Seated(_Event):
    """The host changed names, seats, colors, rounds or who is first."""

    kind: Literal["seated"] = "seated"
    players: tuple[Player, ...] = Field(min_length=1, max_length=4)
    first: Color
    rounds: int = Field(ge=1, le=12)


class Recorded(_Event):
    """The reading of a round: from now on its discs are settled and written down."""

    kind: Literal["recorded"] = "recorded"
    picture: Key | None = None
    """The photograph, as the picture store knows it."""
    reading: dict[str, Any]
    """A reading, as its file format has it."""


class Repaired(_Event):
    """A disc of the reading was put right by hand."""

    kind: Literal["repaired"] = "repaired"
    disc: Index | None = None
    """Its index in the reading; None for one that was added."""
    now: dict[str, Any] | None = None
    """The disc as it is now, as a reading has it; None where it was taken away."""


class Bullseye(_Event):
    """A disc in the hole was taken out and put on a section by its owner."""

    kind: Literal["bullseye"] = "bullseye"
    color: Color
    number: Number
    section: Section


class Settled(_Event):
    """An owner settled a choice or a doubt."""

    kind: Literal["settled"] = "settled"
    disc: Index
    color: Color
    number: Number
    section: Section | None
    """None for a disc that does not score."""
    on_multiplier: bool = False
    """Heard where the camera could not tell the place; else the reading's word stands."""


class Swapped(_Event):
    """A player crossed off a Swap Bonus and swapped two discs."""

    kind: Literal["swapped"] = "swapped"
    color: Color
    number: Number
    other: Number


class Ready(_Event):
    """A player settles and swaps no more."""

    kind: Literal["ready"] = "ready"
    color: Color


class Ticked(_Event):
    """A player has recorded a section, or takes that back."""

    kind: Literal["ticked"] = "ticked"
    color: Color
    section: Section
    done: bool = True


class Finished(_Event):
    """A player has finished writing."""

    kind: Literal["finished"] = "finished"
    color: Color


class NextRound(_Event):
    """The next round begins: the marker goes on, the board turns; after the last, the game ends."""

    kind: Literal["next_round"] = "next_round"


class CodesRenewed(_Event):
    """The players' codes of before open nothing any more."""

    kind: Literal["codes_renewed"] = "codes_renewed"


class Undone(_Event):
    """An earlier event of this round holds no more."""

    kind: Literal["undone"] = "undone"
    seq: Seq


Event = Annotated[
    Made | Seated | Recorded | Repaired | Bullseye | Settled | Swapped | Ready | Ticked
    | Finished | NextRound | CodesRenewed | Undone,
    Field(discriminator="kind"),
]  # fmt: skip

EVENT: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes events as JSON; raises `pydantic.ValidationError`."""


class Logged(BaseModel):
    """An event in the log."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seq: Seq
    """From 1, without gaps, one count a game."""
    at: str
    """When, UTC, ISO 8601."""
    actor: str
    """Who did it: `HOST` or a color."""
    event: Event
