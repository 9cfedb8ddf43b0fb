"""What may be undone: an act of this round on which no other is built."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonora_vision.errors import RuleError
from sonora_vision.table.events import (
    CodesRenewed,
    Finished,
    Logged,
    Made,
    NextRound,
    Ready,
    Recorded,
    Repaired,
    Seated,
    Settled,
    Swapped,
    Ticked,
    Undone,
)

_ON_A_READING = (Repaired, Settled, Swapped, Ready, Ticked, Finished)
_LATER = "undo: later acts are built on it; undo them first"


def undone_in(log: Iterable[Logged]) -> frozenset[int]:
    """Return the numbers of the events that were undone."""
    return frozenset(entry.event.seq for entry in log if isinstance(entry.event, Undone))


def check_undo(log: Sequence[Logged], seq: int) -> None:
    """Refuse to undo an event of a log.

    What follows from the rules is left to the fold without the event; here is refused what the
    fold would take to mean something else: a disc is named by its place in a reading, and a swap
    by the numbers as they lie after the swap before.

    Raises
    ------
    RuleError
        In words for who tried.
    """
    gone = undone_in(log)
    holds = [e for e in log if e.seq not in gone and not isinstance(e.event, Undone)]
    target = next((entry for entry in holds if entry.seq == seq), None)
    if target is None:
        raise RuleError("undo: there is no such act, or it is undone already")
    if isinstance(target.event, Made | CodesRenewed):
        raise RuleError("undo: the making of a game, and new codes, cannot be undone")
    began = max((e.seq for e in holds if isinstance(e.event, NextRound)), default=1)
    if seq < began:
        raise RuleError("undo: only what happened in this round can be undone")
    later = [entry.event for entry in holds if entry.seq > seq]
    match target.event:
        case NextRound():
            refused = any(not isinstance(each, Seated | CodesRenewed) for each in later)
        case Recorded():
            refused = any(isinstance(each, _ON_A_READING) for each in later)
        case Swapped(color=color):
            refused = any(
                isinstance(each, Repaired) or (isinstance(each, Swapped) and each.color == color)
                for each in later
            )
        case _:
            refused = False
    if refused:
        raise RuleError(_LATER)
