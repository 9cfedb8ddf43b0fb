"""What is marked on a sheet, and what a player may still mark in this Write phase.

These values are named tuples, not dataclasses: advice and play-outs make hundreds of thousands of
them, and a changed copy of a tuple costs a tenth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from sonora_vision.score.sonora.rules import Rules, rules
from sonora_vision.score.sonora.sheet import Animal, Bonus, Sheet

ICONS: tuple[Bonus, ...] = ("reflick", "swap", "fox", "owl", "rabbit")
"""Bonuses that are kept by circling an icon: the bonus area, then the Discovery area."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a table plays with: the paper, the rules, and whether it plays alone."""

    sheet: Sheet
    rules: Rules = field(default_factory=rules)
    solo: bool = False

    def icons(self, bonus: Bonus) -> int:
        """Return how many icons are printed to circle for a bonus."""
        if bonus in self.sheet.bonus_area:
            return self.sheet.bonus_area[bonus]
        return self.sheet.discovery_area[bonus]

    def room(self, state: SheetState, bonus: Bonus) -> int:
        """Return how many icons are left to circle for a bonus."""
        return self.icons(bonus) - state.bonuses[ICONS.index(bonus)]


class SheetState(NamedTuple):
    """All marks on one sheet. Masks are over the sheet's squares, spaces and nodes."""

    hexes: tuple[int, ...]
    """Hexes crossed off in each building."""
    canyon: int
    """Squares of the pre-drawn square and all shapes."""
    crossed: int
    """Creek spaces crossed off, the pre-drawn one included."""
    nodes: int
    """Mudcracks nodes marked, the pre-drawn one included."""
    boxes: tuple[int, ...]
    """Boxes marked in each bonus column."""
    circles: tuple[int, ...]
    """Solo: small circles filled in around each node."""
    top: int = 0
    """Buildings whose top reward is circled."""
    bottom: int = 0
    """Buildings whose bottom reward is circled."""
    top_out: int = 0
    """Buildings whose top reward is crossed out: another player was first."""
    shapes: tuple[int, ...] = ()
    """Squares of each shape, in the order drawn."""
    circled: int = 0
    """Creek spaces circled."""
    bonuses: tuple[int, ...] = (0,) * len(ICONS)
    """Icons circled, in the order of ``ICONS``."""
    spent: tuple[int, ...] = (0,) * len(ICONS)
    """Of those, crossed off."""
    rival_hexes: int = 0
    """Solo: hexes that the rival circled."""
    rival_hexes_crossed: int = 0
    """Solo: of those, crossed off by the player."""
    rival_shapes: tuple[int, ...] = ()
    """Solo: squares of each shape that the rival filled in."""
    rival_canyon: int = 0
    """Solo: all of those squares."""
    rival_creek: int = 0
    """Solo: spaces that the rival filled in."""

    @property
    def visited(self) -> int:
        """Creek spaces crossed off or circled."""
        return self.crossed | self.circled

    def kept(self, bonus: Bonus) -> int:
        """Return how many of a kept bonus are circled and not yet crossed off."""
        i = ICONS.index(bonus)
        return self.bonuses[i] - self.spent[i]

    def circle(self, bonus: Bonus) -> SheetState:
        """Circle one more icon."""
        return self._replace(bonuses=_one_more(self.bonuses, ICONS.index(bonus)))

    def cross(self, bonus: Bonus) -> SheetState:
        """Cross one circled icon off."""
        return self._replace(spent=_one_more(self.spent, ICONS.index(bonus)))

    @property
    def discoveries(self) -> int:
        """Discovery Bonuses circled so far; they break ties."""
        return sum(self.bonuses[2:])


class Due(NamedTuple):
    """What may still be marked in this Write phase."""

    ruins: int = 0
    """Value left for hexes."""
    canyon: tuple[int, ...] = ()
    """Numbers that each draw a shape; a disc on a Fox circle is in it twice."""
    creek: tuple[int, ...] = ()
    """Numbers that each make a path; a disc on an Owl circle is in it twice."""
    mudcracks: int = 0
    """Value left for nodes or boxes."""
    leftover: int = 0
    """Value left for boxes alone: boxes have been begun."""
    fox: int = 0
    owl: int = 0
    rabbit: int = 0
    discoveries: int = 0
    """Discovery Bonuses whose animal is not chosen yet."""

    def animal(self, name: Animal) -> int:
        """Return how many of an Animal Bonus wait to be used."""
        return {"fox": self.fox, "owl": self.owl, "rabbit": self.rabbit}[name]

    @property
    def nothing(self) -> bool:
        """Whether nothing is left to be marked."""
        return self == Due()


class Writing(NamedTuple):
    """One player in the Write phase."""

    state: SheetState
    due: Due = Due()
    notes: tuple[str, ...] = ()
    """What could not be used, said rather than lost."""


def new_sheet(setting: Setting) -> SheetState:
    """Return the sheet as it is before the first round."""
    sheet = setting.sheet
    return SheetState(
        hexes=(0,) * len(sheet.ruins.buildings),
        canyon=sheet.canyon.start,
        crossed=1 << sheet.creek.start,
        nodes=1 << sheet.mudcracks.start,
        boxes=(0,) * len(sheet.mudcracks.columns),
        bonuses=tuple(setting.rules.start_bonuses.get(bonus, 0) for bonus in ICONS),
        circles=(0,) * len(sheet.mudcracks.nodes),
    )


def _one_more(counts: tuple[int, ...], at: int) -> tuple[int, ...]:
    """Return the counts with one of them raised."""
    return (*counts[:at], counts[at] + 1, *counts[at + 1 :])
