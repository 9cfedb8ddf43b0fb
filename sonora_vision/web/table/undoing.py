"""What can be taken back: the acts of this round that still hold, and whose they are."""

from __future__ import annotations

from dataclasses import dataclass, field

from sonora_vision.table.events import (
    HOST,
    Bullseye,
    CodesRenewed,
    Finished,
    Logged,
    NextRound,
    Ready,
    Recorded,
    Repaired,
    Seated,
    Settled,
    Swapped,
    Undone,
)
from sonora_vision.table.game import Game


@dataclass(frozen=True, kw_only=True)
class Undoable:
    """The number of the act that stands behind what is so now, where the visitor may undo it."""

    settled: dict[int, int] = field(default_factory=dict)
    """By disc."""
    bullseyes: dict[tuple[str, int], int] = field(default_factory=dict)
    swaps: dict[str, int] = field(default_factory=dict)
    """The last swap, by color."""
    repairs: dict[int, int] = field(default_factory=dict)
    """By disc; those of added discs are not here."""
    ready: dict[str, int] = field(default_factory=dict)
    finished: dict[str, int] = field(default_factory=dict)
    recorded: int | None = None
    """The reading of this round."""
    closed: int | None = None
    """The close of the round before, while nothing is built on it."""


def undoable(game: Game, log: list[Logged], actor: str) -> Undoable:
    """Find what an actor may take back in this round."""
    found = Undoable()
    gone = {entry.event.seq for entry in log if isinstance(entry.event, Undone)}
    if actor == HOST:
        found = Undoable(closed=_closed(log, gone))
    for entry in log:
        if entry.seq <= game.now.began or entry.seq in gone:
            continue
        mine = actor == HOST or entry.actor == actor
        match entry.event:
            case Recorded():
                found = Undoable(bullseyes=found.bullseyes, recorded=entry.seq if mine else None)
            case Settled(disc=disc) if mine:
                found.settled[disc] = entry.seq
            case Bullseye() as said if mine:
                found.bullseyes[said.color, said.number] = entry.seq
            case Swapped(color=color) if mine:
                found.swaps[color] = entry.seq
            case Repaired(disc=disc) if mine and disc is not None:
                found.repairs[disc] = entry.seq
            case Ready(color=color) if mine:
                found.ready[color] = entry.seq
            case Finished(color=color) if mine:
                found.finished[color] = entry.seq
    return found


def _closed(log: list[Logged], gone: set[int]) -> int | None:
    """Return the last act, if it closed a round."""
    holds = [
        entry
        for entry in log
        if entry.seq not in gone and not isinstance(entry.event, Undone | Seated | CodesRenewed)
    ]
    return holds[-1].seq if isinstance(holds[-1].event, NextRound) else None
