"""What programs send to the table and get from it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sonora_vision.observation import State
from sonora_vision.table.events import (
    Bullseye,
    CodesRenewed,
    Color,
    Finished,
    Index,
    Name,
    NextRound,
    Number,
    Player,
    Ready,
    Seated,
    Section,
    Seq,
    Settled,
    Swapped,
    Ticked,
    Undone,
)
from sonora_vision.table.game import Phase
from sonora_vision.web.api.formats import AllocationFormat, DiscFormat, ReadingFormat

ActionId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
"""The same for a request that is sent again because its answer was lost: it then happens once."""
Length = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Me(_Said):
    """Who the program acts for."""

    actor: str
    """``host``, or the color that is played."""
    game_id: str | None
    color: str | None


class Token(_Said):
    """A token with which a program acts as the host, until the PIN is changed."""

    token: str


class GameEntry(_Said):
    """A game in the list."""

    id: str
    name: str
    made_at: datetime


class GameList(_Said):
    """Games, newest first."""

    games: list[GameEntry]


class NewGame(_Said):
    """A game to be begun at this table's board."""

    name: Name
    players: Annotated[tuple[Player, ...], Field(min_length=1, max_length=4)]
    """In seat order, clockwise."""
    first: Color
    rounds: Annotated[int, Field(ge=1, le=12)] = 5


class MadeGame(_Said):
    """A game that is there now."""

    id: str


class SeatCode(_Said):
    """What lets a player in."""

    color: str
    code: str
    path: str
    """The address to be scanned, without the server's name."""


class SeatCodes(_Said):
    """All seats of a game."""

    codes: list[SeatCode]


class PlaceState(_Said):
    """A disc of the round."""

    index: int
    disc: DiscFormat
    """As it was read, put right or swapped."""
    open: bool
    """Whether its owner has yet to say what it is or counts for."""
    repaired: bool
    settled: Settled | None


class SectionTick(_Said):
    """A section that a player has recorded."""

    color: str
    section: Section


class RoundState(_Said):
    """One round."""

    number: int
    order: list[str]
    """Colors in turn order."""
    recorded: int | None
    """The event that recorded its reading; a repair names it."""
    reading: ReadingFormat | None
    """As it was read."""
    discs: list[PlaceState]
    """As they lie now; empty before the round is read."""
    bullseyes: list[Bullseye]
    swaps: list[Swapped]
    ready: list[str]
    ticked: list[SectionTick]
    finished: list[str]
    allocation: AllocationFormat | None
    board_image: str | None
    """Address of the annotated picture, without the server's name."""


class GameState(_Said):
    """A game as it is now."""

    id: str
    name: str
    board: str
    seq: int
    """Its last event."""
    phase: Phase
    rounds: int
    first: str
    players: list[Player]
    open: dict[str, list[int]]
    """By color, the discs of which a player has yet to say something."""
    due: dict[str, list[Section]]
    """By color, the sections in which there is something to record, in order."""
    ruins_turn: str | None
    """Who records Ruins now."""
    round: RoundState


class RoundList(_Said):
    """All rounds of a game so far, the present one last."""

    rounds: list[RoundState]


ActEvent = Annotated[
    Seated | Bullseye | Settled | Swapped | Ready | Ticked | Finished | NextRound | CodesRenewed
    | Undone,
    Field(discriminator="kind"),
]  # fmt: skip


class Act(_Said):
    """Something that happens in a game."""

    event: ActEvent
    action_id: ActionId | None = None


class Put(_Said):
    """A disc where somebody puts it."""

    color: Color
    number: Number | None
    x_mm: Length
    y_mm: Length
    state: State = "flat"


class RepairAct(_Said):
    """A disc that is put right, added or taken away; what it counts for is ruled here."""

    disc: Index | None
    """Its place among the discs of the round; None for one that is added."""
    put: Put | None
    """None for one that is taken away."""
    of: Seq
    """The reading that was looked at: ``recorded`` of the round."""
    action_id: ActionId | None = None


class ReadAct(_Said):
    """Where the round's reading comes from."""

    source: Literal["camera", "photo"]
    photo: Index | None = None
    """Which of the photographs that the server offers."""
    action_id: ActionId | None = None


class ReadingAct(_Said):
    """A reading that another program made, or a person edited."""

    reading: dict[str, Any]
    action_id: ActionId | None = None


class ReadPhoto(_Said):
    """What was read on a photograph that belongs to no game."""

    key: str
    """Its page is at ``/readings/`` and this."""
    reading: ReadingFormat
    allocation: AllocationFormat


class CameraState(_Said):
    """The camera over the table."""

    there: bool
    state: str | None
    reason: str | None
    fault: str | None
    """Why it gives nothing."""
    version: int | None
    """Another for every reading."""
