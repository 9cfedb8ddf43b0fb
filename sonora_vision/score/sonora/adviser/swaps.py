"""Which swap helps most: the advice for every pair of discs that could change places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from sonora_vision.score.allocation import Table
from sonora_vision.score.sonora.adviser.advise import Advice, Adviser
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.score.sonora.position import Position, Spot, swap
from sonora_vision.score.sonora.state import SheetState, Writing
from sonora_vision.score.sonora.write import due_of


@dataclass(frozen=True, kw_only=True)
class SwapAdvice:
    """What one swap would change."""

    disc: int
    other: int
    gain: int
    """Outlook with the swap, less the outlook without it, less the Swap Bonus's worth."""
    advice: Advice


def advise_swaps(
    adviser: Adviser, table: Table, order: Sequence[str], color: str, state: SheetState
) -> tuple[Advice, tuple[SwapAdvice, ...]]:
    """Return the advice without a swap, and every swap that changes something, the best first.

    Open choices and doubts stay open. Other players' swaps and what they complete in the Ruins
    first are not foreseen.

    Parameters
    ----------
    adviser
        Holds paper, rules and worth.
    table
        The discs as they lie.
    order
        Colors in turn order.
    color
        Whose discs.
    state
        That player's sheet.
    """
    plain = _advice(adviser, table, order, color, state)
    cost = adviser.worth.of("swap")
    found = []
    mine = [
        disc
        for disc in table.discs
        if disc.color == color and disc.number is not None and disc.via in ("zone", "multiplier")
        and not {"color", "number"} & set(disc.doubts)
    ]  # fmt: skip
    for a, b in combinations(mine, 2):
        if (a.via, a.sections) != (b.via, b.sections) and a.number and b.number:
            discs = tuple(
                Spot(color=d.color, number=d.number, via=d.via, sections=d.sections,
                     state=d.state, doubts=d.doubts)
                for d in table.discs
            )  # fmt: skip
            position = Position(players=(color,), first=color, discs=discs)
            swapped = replace(position, discs=swap(position.discs, color, a.number, b.number))
            advice = _advice(adviser, swapped, order, color, state)
            found.append(
                SwapAdvice(
                    disc=a.number, other=b.number, gain=advice.outlook - plain.outlook - cost,
                    advice=advice,
                )
            )  # fmt: skip
    return plain, tuple(sorted(found, key=lambda each: -each.gain))


def _advice(
    adviser: Adviser, table: Table, order: Sequence[str], color: str, state: SheetState
) -> Advice:
    """Allocate and advise."""
    due = due_of(allocate(table, order).player(color))
    return adviser.advise(Writing(state=state, due=due))
