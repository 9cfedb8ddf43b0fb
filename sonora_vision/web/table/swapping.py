"""A swap tried out: what a player would record before and after it, and nothing happens yet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sonora_vision.errors import RuleError
from sonora_vision.score.allocation import Sum
from sonora_vision.table.events import SECTIONS
from sonora_vision.table.game import Game
from sonora_vision.web.wording import terms


@dataclass(frozen=True, kw_only=True)
class Row:
    """One section before and after."""

    title: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        """Whether the swap changes it."""
        return self.before != self.after


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A swap tried out on a copy of the table."""

    number: int
    other: int
    rows: tuple[Row, ...]
    order: Row
    """Who records Ruins, first to last."""
    opens: str
    """The discs that would have to be settled afterwards."""


def try_swap(game: Game, color: str, number: int, other: int) -> Trial:
    """Try a swap out on a copy of the table.

    Raises
    ------
    RuleError
        If these discs cannot be swapped, with the reason.
    """
    table = game.now.table
    if table is None:
        raise RuleError("the board of this round is not read yet")
    swapped = table.swapped(color, number, other)
    after = replace(game, now=replace(game.now, table=swapped))
    was_open = game.open_discs(color)
    opens = [
        terms.disc(color, swapped.place(index).disc.number)
        for index in after.open_discs(color)
        if index not in was_open
    ]
    now, then = _recorded(game, color), _recorded(after, color)
    return Trial(
        number=number,
        other=other,
        rows=tuple(
            Row(title=terms.section(section), before=now[section], after=then[section])
            for section in SECTIONS
        ),
        order=Row(title="", before=_order(game), after=_order(after)),
        opens=", ".join(opens),
    )


def _recorded(game: Game, color: str) -> dict[str, str]:
    """Say briefly what a player records in each section, a dash for nothing."""
    allocation = game.allocation()
    assert allocation is not None  # the caller has a table
    mine = allocation.player(color)
    words = {
        "ruins": _sum(mine.ruins),
        "canyon": ", ".join(_times(disc.number, disc.shapes) for disc in mine.canyon),
        "creek": ", ".join(_times(disc.number, disc.paths) for disc in mine.creek),
        "mudcracks": _sum(mine.mudcracks),
    }
    return {section: text or "-" for section, text in words.items()}


def _sum(section: Sum) -> str:
    return str(section.total) if section.discs else ""


def _times(number: int, count: int) -> str:
    return str(number) if count == 1 else f"{count} x {number}"


def _order(game: Game) -> str:
    allocation = game.allocation()
    colors = () if allocation is None else allocation.ruins_order
    return ", ".join(game.player(color).name for color in colors) or "-"
