"""A game at one moment, as the fold of its events; nothing here touches a disk or a clock."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from sonora_vision.errors import RuleError
from sonora_vision.observation import Reading
from sonora_vision.score.allocation import Allocation
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.table.discs import Place, Tabletop
from sonora_vision.table.events import (
    SEATS,
    SECTIONS,
    Bullseye,
    Player,
    Section,
    Swapped,
)

Phase = Literal["play", "settle", "write", "over"]
"""Discs are flicked; a reading is settled; it is written down; the last round is written down."""


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round so far."""

    number: int
    """From 1."""
    began: int
    """The event that began it: what lies before is not undone."""
    bullseyes: tuple[Bullseye, ...] = ()
    recorded: int | None = None
    """The event that recorded its reading."""
    picture: str | None = None
    reading: Reading | None = None
    """As read; None while discs are flicked."""
    table: Tabletop | None = None
    """The reading as it is put right and settled."""
    swaps: tuple[Swapped, ...] = ()
    ready: frozenset[str] = frozenset()
    ticked: frozenset[tuple[str, Section]] = frozenset()
    finished: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game at one moment; every event makes a new one."""

    name: str
    board: str
    colors: tuple[str, ...]
    """All colors of the board's discs."""
    numbers: tuple[int, ...]
    players: tuple[Player, ...]
    """In seat order, clockwise."""
    first: str
    rounds: int
    now: Round
    past: tuple[Round, ...] = ()
    """Rounds that are written down, oldest first."""
    over: bool = False
    codes: int = 0
    """How often the players' codes were renewed; a code of before opens nothing."""
    seq: int = 0
    """The last event."""

    @property
    def playing(self) -> tuple[str, ...]:
        """Colors that play, in seat order."""
        return tuple(player.color for player in self.players)

    @property
    def every_round(self) -> tuple[Round, ...]:
        """All rounds so far, oldest first."""
        return self.past if self.over else (*self.past, self.now)

    def order(self, round_number: int | None = None) -> tuple[str, ...]:
        """Return a round's turn order: the first player marker moves on one player a round."""
        number = self.now.number if round_number is None else round_number
        start = (self.playing.index(self.first) + number - 1) % len(self.players)
        return self.playing[start:] + self.playing[:start]

    def player(self, color: str) -> Player:
        """Return a player; raises `RuleError` for a color that nobody plays."""
        for player in self.players:
            if player.color == color:
                return player
        raise RuleError(f"nobody plays {color}; the colors are {', '.join(self.playing)}")

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if self.over:
            return "over"
        if self.now.table is None:
            return "play"
        return "write" if self.now.ready >= set(self.playing) else "settle"

    def allocation(self, round_: Round | None = None) -> Allocation | None:
        """Return what everyone records in a round; None before it is read."""
        if round_ is None or round_ is self.now:
            return self._allocation
        return self._allocated(round_)

    @cached_property
    def _allocation(self) -> Allocation | None:
        return self._allocated(self.now)

    def _allocated(self, shown: Round) -> Allocation | None:
        if shown.table is None:
            return None
        names = {player.color: player.name for player in self.players}
        return allocate(shown.table, self.order(shown.number), names=names)

    def open_discs(self, color: str) -> tuple[int, ...]:
        """Return the discs, by index, of which a player has yet to say something.

        A disc whose color is in doubt, and looks like one that nobody plays, may be anybody's. Of
        discs that are there twice one is read or settled wrongly; they wait for a repair.
        """
        table = self.now.table
        if table is None:
            return ()
        twice = table.twice
        return tuple(
            index
            for index, place in enumerate(table.places)
            if place is not None
            and self._concerns(place, color)
            and (place.open or (place.now.color, place.now.number) in twice)
        )

    def _concerns(self, place: Place, color: str) -> bool:
        """Whether a disc is a player's to speak of."""
        if place.now.color == color:
            return True
        return "color" in place.now.doubts and place.now.color not in self.playing

    @property
    def ruins_turn(self) -> str | None:
        """Who records Ruins now; None when nobody (any more) does, or writing has not begun."""
        allocation = self.allocation()
        if self.phase != "write" or allocation is None:
            return None
        waiting = (c for c in allocation.ruins_order if (c, "ruins") not in self.now.ticked)
        return next(waiting, None)

    def due(self, color: str) -> tuple[Section, ...]:
        """Return the sections in which a player has something to record, in order."""
        allocation = self.allocation()
        if allocation is None:
            return ()
        mine = allocation.player(color)
        amounts: dict[Section, object] = {
            "ruins": mine.ruins.discs,
            "canyon": mine.canyon,
            "creek": mine.creek,
            "mudcracks": mine.mudcracks.discs,
        }
        return tuple(section for section in SECTIONS if amounts[section])

    def turns(self) -> int:
        """How often the board was turned by 90 degrees clockwise since round 1."""
        return self.now.number - 1

    @property
    def at_ruins_corner(self) -> Player | None:
        """Who sits where the Ruins' corner points; None where nobody does.

        It points at whoever begins round 1, and goes on by a seat a round: with the first player
        marker if all four are taken, else not.
        """
        seat = (self.player(self.first).seat + self.turns()) % SEATS
        return next((player for player in self.players if player.seat == seat), None)
