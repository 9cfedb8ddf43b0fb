"""A game at one moment: the setup, whose turn it is, the discs, the sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from sonora_vision.errors import UsageError
from sonora_vision.score.sonora.position import Spot
from sonora_vision.score.sonora.rules import Rules, rules
from sonora_vision.score.sonora.sheet import Sheet
from sonora_vision.score.sonora.state import Setting, SheetState, Writing, new_sheet

Phase = Literal["flick", "read", "choose", "swap", "rival", "ruins", "write", "over"]
Disc = tuple[str, int]
"""Color and number."""

SOLO = "solo"
"""Name of the player who plays alone, whatever color is theirs this round."""
RIVAL = "rival"
CORNERS = 4
_SEATS = {1: (0,), 2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""Corners of the table, clockwise, where players sit if nothing else is said."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What is agreed before the first round.

    Players go by their discs' colors. A solo game has three colors and one sheet, which belongs
    to the player called ``solo``.
    """

    sheet: Sheet
    colors: tuple[str, ...]
    """Players in seat order, clockwise; solo: the three colors."""
    first: str
    """Who has the first player marker in round 1."""
    rounds: int
    seats: tuple[int, ...] = ()
    """Corner of the table where each player sits, 0 to 3, clockwise."""
    solo: bool = False
    no_bunting: bool = False
    spanish: frozenset[str] = frozenset()
    """Lines of the rules for which the table plays by the Spanish book."""

    @property
    def rules(self) -> Rules:
        """The rules that the table plays by."""
        return rules(self.spanish)

    @property
    def setting(self) -> Setting:
        """Paper and rules."""
        return Setting(sheet=self.sheet, rules=self.rules, solo=self.solo)

    @property
    def writers(self) -> tuple[str, ...]:
        """Who has a sheet."""
        return (SOLO,) if self.solo else self.colors

    def writer(self, color: str) -> str:
        """Return whose sheet the discs of a color belong to."""
        return SOLO if self.solo else color


@dataclass(frozen=True, kw_only=True, slots=True)
class GameState:
    """A game at one moment; every event makes a new one."""

    setup: Setup
    round: int
    """From 1."""
    phase: Phase
    sheets: Mapping[str, SheetState]
    """Sheet of each writer; in the Write phase what ``writings`` say is newer."""

    flicks: int = 0
    """Discs flicked from hand this round."""
    flicked: frozenset[Disc] = frozenset()
    """Discs that left the hand."""
    owed: tuple[Disc, ...] = ()
    """Discs that their owners flick again before anything else."""
    last: Disc | None = None
    """The disc just flicked, while a Reflick Bonus can still be used on it."""
    struck: Disc | None = None
    """The disc of the last flick, whose color decides what a knocked-off disc means."""
    out: frozenset[Disc] = frozenset()
    """Discs that do not score this round."""
    bullseyes: tuple[tuple[Disc, str], ...] = ()
    """Discs taken out of the hole, with the section chosen."""

    table: tuple[Spot, ...] = ()
    """Where the discs lie at the end of the Flick phase, bullseyes included."""
    settled: Mapping[Disc, str] = field(default_factory=lambda: MappingProxyType({}))
    """Section of each disc whose choice or doubt is settled."""
    ready: frozenset[str] = frozenset()
    mine: str | None = None
    """Solo: the player's color this round."""
    rival: str | None = None
    """Solo: the rival's color this round."""

    writings: Mapping[str, Writing] = field(default_factory=lambda: MappingProxyType({}))
    """What each writer marks; the rival's are on the solo player's sheet."""
    ruins_queue: tuple[str, ...] = ()
    """Who still records Ruins discs, the first one now."""
    done: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    """What could not be used, so far in the game, by round and player."""

    @property
    def order(self) -> tuple[str, ...]:
        """Turn order of this round: the first player marker moves on one player a round."""
        colors = self.setup.colors
        start = (colors.index(self.setup.first) + self.round - 1) % len(colors)
        return colors[start:] + colors[:start]

    @property
    def turn_deg(self) -> int:
        """How far the board is turned, clockwise, from round 1."""
        return (self.round - 1) * 360 // CORNERS % 360

    def launch_corner(self, color: str) -> int:
        """Return the board's corner in front of a player: 0 is Ruins', then clockwise."""
        setup = self.setup
        if setup.solo:
            return (1 - self.round) % CORNERS
        seat = dict(zip(setup.colors, setup.seats, strict=True))
        return (seat[color] - seat[setup.first] - (self.round - 1)) % CORNERS

    @property
    def on_board(self) -> frozenset[Disc]:
        """Discs that lie on the board or on a launch corner."""
        taken = {disc for disc, _ in self.bullseyes}
        return self.flicked - self.out - taken - frozenset(self.owed)


def new_game(
    sheet: Sheet,
    colors: tuple[str, ...],
    *,
    first: str | None = None,
    rounds: int | str = "standard",
    seats: tuple[int, ...] = (),
    solo: bool = False,
    no_bunting: bool = False,
    spanish: frozenset[str] = frozenset(),
) -> GameState:
    """Return a game before its first flick.

    Parameters
    ----------
    colors
        Players in seat order, clockwise; one to four. Solo: the three colors.
    rounds
        5, 6 or 7; or ``short``, ``standard`` or ``long``.

    Raises
    ------
    UsageError
        If that cannot be played.
    """
    book = rules(spanish)
    count = book.rounds.get(rounds, 0) if isinstance(rounds, str) else rounds
    if count not in book.rounds.values():
        known = ", ".join(f"{name} ({number})" for name, number in book.rounds.items())
        raise UsageError(f"rounds: expected {known}, got {rounds!r}")
    if len(set(colors)) != len(colors) or {SOLO, RIVAL, "first"} & set(colors):
        raise UsageError(f"players: expected different colors, got {', '.join(colors)}")
    wanted = {book.solo_colors} if solo else set(range(1, book.max_players + 1))
    if len(colors) not in wanted:
        what = f"{book.solo_colors} colors for solo" if solo else "1 to 4 players"
        raise UsageError(f"players: expected {what}, got {len(colors)}")
    first = colors[0] if first is None else first
    if first not in colors:
        raise UsageError(f"first: expected one of {', '.join(colors)}, got {first!r}")
    seats = seats or (() if solo else _SEATS[len(colors)])
    if not solo and (len(set(seats)) != len(colors) or not set(seats) <= set(range(CORNERS))):
        raise UsageError(f"seats: expected a corner of 0 to 3 for each player, got {seats}")
    setup = Setup(
        sheet=sheet, colors=colors, first=first, rounds=count, seats=seats, solo=solo,
        no_bunting=no_bunting, spanish=spanish,
    )  # fmt: skip
    blank = new_sheet(setup.setting)
    sheets = MappingProxyType(dict.fromkeys(setup.writers, blank))
    return GameState(setup=setup, round=1, phase="flick", sheets=sheets)
