"""A valley: cards on a grid around a Starting Town, and where one more may go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from sonora_vision.errors import RuleError
from sonora_vision.score.sunflower_valley.cards import Card
from sonora_vision.score.sunflower_valley.rules import rules

Cell = tuple[int, int]
"""(x, y) in cards from the Starting Town: x to the east, y to the south."""

START: Cell = (0, 0)
STEP: Mapping[str, Cell] = MappingProxyType({"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)})
OPPOSITE: Mapping[str, str] = MappingProxyType({"n": "s", "e": "w", "s": "n", "w": "e"})


def beside(cell: Cell, side: str) -> Cell:
    """Return the cell on one side of a cell."""
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def spot(cell: Cell) -> str:
    """Name a cell by its way from the Starting Town, as ``n1e2``; the start itself is ``0``."""
    x, y = cell
    north_south = f"{'n' if y < 0 else 's'}{abs(y)}" if y else ""
    east_west = f"{'w' if x < 0 else 'e'}{abs(x)}" if x else ""
    return north_south + east_west or "0"


@dataclass(frozen=True, kw_only=True)
class Valley:
    """One player's cards.

    ``cards`` is in the order of play where ``played``, else in any order: a picture shows what
    lies there, not when it came.
    """

    start: Card
    cards: tuple[tuple[Cell, Card], ...] = ()
    played: bool = False

    @cached_property
    def grid(self) -> Mapping[Cell, Card]:
        """Every card by its cell, the start first."""
        return MappingProxyType({START: self.start, **dict(self.cards)})

    def around(self, cell: Cell) -> Iterator[tuple[Cell, Card]]:
        """Yield the cards beside a cell, not the diagonal ones."""
        for side in STEP:
            neighbor = beside(cell, side)
            if neighbor in self.grid:
                yield neighbor, self.grid[neighbor]

    def of_type(self, *types: str) -> list[Cell]:
        """Return the cells of all cards of these types."""
        return [cell for cell, card in self.grid.items() if card.type in types]

    def free_cells(self) -> list[Cell]:
        """Return every cell where the next card may be played, sorted."""
        beside_cards = {beside(cell, side) for cell in self.grid for side in STEP}
        return sorted(beside_cards - set(self.grid))

    def name(self, cell: Cell) -> str:
        """Name a card with its place, as the line does: ``field@n1``."""
        return f"{self.grid[cell].id}@{spot(cell)}"

    def names(self, cells: Iterable[Cell]) -> str:
        """Name several cards, by place."""
        return ", ".join(self.name(cell) for cell in sorted(cells, key=lambda c: (c[1], c[0])))

    def plus(self, cell: Cell, card: Card) -> Valley:
        """Return the valley with one more card played.

        Raises
        ------
        RuleError
            If the card may not be played there.
        """
        what = f"{card.id}@{spot(cell)}"
        if card.start:
            raise RuleError(f"{what}: a Starting Town is where the valley begins (Setup)")
        if len(self.cards) >= rules().valley:
            raise RuleError(
                f"{what}: the valley is full; it holds {rules().valley} cards beside the "
                "Starting Town (Gameplay)"
            )
        if cell in self.grid:
            raise RuleError(f"{what}: lies on {self.name(cell)}; play it on a free cell (Gameplay)")
        if not any(self.around(cell)):
            raise RuleError(
                f"{what}: touches no card; play it beside one, not diagonally (Gameplay)"
            )
        return Valley(start=self.start, cards=(*self.cards, (cell, card)), played=self.played)
