"""What may be undone: an act of this round on which no other is built."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from sonora_vision.errors import RuleError
from sonora_vision.table.events import (
    CodesRenewed,
    Event,
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


class Standing:
    """The acts of a log that hold, as it grows; an undo looks at what is later than its act alone.

    Parameters
    ----------
    log : iterable of Logged
        What happened already.
    """

    def __init__(self, log: Iterable[Logged] = ()) -> None:
        self._holds: dict[int, Event] = {}
        """By number, in their order."""
        self._began = [1]
        """The events that began the rounds."""
        for entry in log:
            self.add(entry)

    def add(self, entry: Logged) -> None:
        """Let one more event happen."""
        if isinstance(entry.event, Undone):
            self._holds.pop(entry.event.seq, None)
            if entry.event.seq == self._began[-1] != 1:
                self._began.pop()
            return
        self._holds[entry.seq] = entry.event
        if isinstance(entry.event, NextRound):
            self._began.append(entry.seq)

    def check(self, seq: int) -> None:
        """Refuse to undo an event.

        What follows from the rules is left to the fold without the event; here is refused what the
        fold would take to mean something else: a disc is named by its place in a reading, and a
        swap by the numbers as they lie after the swap before.

        Raises
        ------
        RuleError
            In words for who tried.
        """
        target = self._holds.get(seq)
        if target is None:
            raise RuleError("undo: there is no such act, or it is undone already")
        if isinstance(target, Made | CodesRenewed):
            raise RuleError("undo: the making of a game, and new codes, cannot be undone")
        if seq < self._began[-1]:
            raise RuleError("undo: only what happened in this round can be undone")
        newest_first = reversed(self._holds.items())
        later = (event for _, event in takewhile(lambda each: each[0] > seq, newest_first))
        if _would_mean_another(target, later):
            raise RuleError(_LATER)


def _would_mean_another(target: Event, later: Iterable[Event]) -> bool:
    """Whether acts that were done since would come to mean something else without an act."""
    match target:
        case NextRound():
            return any(not isinstance(each, Seated | CodesRenewed) for each in later)
        case Recorded():
            return any(isinstance(each, _ON_A_READING) for each in later)
        case Swapped(color=color):
            return any(
                isinstance(each, Repaired) or (isinstance(each, Swapped) and each.color == color)
                for each in later
            )
        case _:
            return False
