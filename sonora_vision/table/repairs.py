"""How often people had to put right what the camera read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sonora_vision.observation import Disc
from sonora_vision.table.discs import Tabletop
from sonora_vision.table.game import Round

RECENT_DISCS = 60
"""How many discs are looked back on: three rounds of four players."""
LEAST_DISCS = 10
"""One round of two players; fewer say nothing of the calibration."""
TOO_MANY = 0.2
"""The share of corrected discs beyond which the rig should be calibrated again."""
MOVED_MM = 0.5
"""A disc that was put nearer than this to where it was read was read rightly."""


@dataclass(frozen=True, kw_only=True)
class Repairs:
    """What was corrected of the discs that were read of late."""

    read: int
    repaired: int

    @property
    def share(self) -> float:
        """Part of the discs that was read wrongly, 0 to 1."""
        return self.repaired / self.read if self.read else 0.0

    @property
    def calibrate_again(self) -> bool:
        """Whether so many were wrong that the rig should be calibrated again."""
        return self.read >= LEAST_DISCS and self.share > TOO_MANY


def repairs_of(rounds: Iterable[Round], *, discs: int = RECENT_DISCS) -> Repairs:
    """Count over rounds, newest first, until there are enough discs."""
    read = repaired = 0
    for each in rounds:
        if read >= discs:
            break
        marks = _marks(each)
        read += len(marks)
        repaired += sum(marks)
    return Repairs(read=read, repaired=repaired)


def is_repaired(round_: Round) -> bool:
    """Whether anything of a round's reading was put right."""
    return any(_marks(round_))


def _marks(round_: Round) -> list[bool]:
    """Say of each disc, of the reading or added, whether it was read wrongly."""
    if round_.reading is None or round_.table is None:
        return []
    read, table = round_.reading.discs, round_.table
    marks = []
    for index, place in enumerate(table.places):
        if index >= len(read):  # added; one that was taken away again is none
            marks += [] if place is None else [True]
        elif place is None:
            marks.append(not is_announced(read[index], table))
        else:
            marks.append(place.repaired and _differs(place.disc, read[index]))
    return marks


def is_announced(disc: Disc, table: Tabletop) -> bool:
    """Whether a disc that was read is the bullseye that its owner took out."""
    taken = {(each.color, each.number) for each in table.bullseyes}
    return disc.state == "in_hole" and (disc.color, disc.number) in taken


def _differs(now: Disc, read: Disc) -> bool:
    same = (now.color, now.number, now.state) == (read.color, read.number, read.state)
    call = (now.via, sorted(now.sections)) == (read.via, sorted(read.sections))
    unplaced = bool(read.doubts)  # its call was open, so that no other call is wrong
    return not (same and (call or unplaced)) or (
        math.dist(now.center_mm, read.center_mm) > MOVED_MM
    )
