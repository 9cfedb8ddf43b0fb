"""A scoresheet as a value: what is printed on the paper, before anything is marked.

Sets of squares, spaces and nodes are bit masks (``int``), so that the rules are a few machine
operations: bit ``i`` stands for the ``i``-th square (row by row), space or node of the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from sonora_vision.observation import Point

Bonus = Literal["fox", "owl", "rabbit", "discovery", "reflick", "swap"]
Animal = Literal["fox", "owl", "rabbit"]
BONUSES: tuple[Bonus, ...] = get_args(Bonus)
ANIMALS: tuple[Animal, ...] = get_args(Animal)
Cell = tuple[int, int]
"""Column and row."""


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True, kw_only=True)
class Reward:
    """What a completed building gives."""

    points: int
    bonus: Bonus | None = None


@dataclass(frozen=True, kw_only=True)
class Building:
    """A building of the Ruins."""

    name: str
    hexes: tuple[Cell, ...]
    top: Reward
    bottom: Reward

    @property
    def size(self) -> int:
        """Number of hexes."""
        return len(self.hexes)


@dataclass(frozen=True, kw_only=True)
class Ruins:
    """The Ruins: buildings that players race to complete, and the rival's building."""

    buildings: tuple[Building, ...]
    rival: tuple[Cell, ...]

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """Index of each building."""
        return {building.name: i for i, building in enumerate(self.buildings)}


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A shape that a disc draws, as cells from (0, 0)."""

    value: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """One way to lay a shape on the canyon."""

    value: int
    mask: int
    border: int
    """Squares that share a side with it."""
    cacti: tuple[int, ...]
    """How many of each kind it encloses, in the order of the table."""
    bonuses: tuple[Bonus, ...]


@dataclass(frozen=True, kw_only=True)
class CactusColumn:
    """One kind of cactus: ``points[n - 1]`` for ``n`` of them."""

    letter: str
    name: str
    points: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Canyon:
    """The Canyon's squares, icons, shapes and cactus table."""

    width: int
    height: int
    open: int
    """Every square of the canyon, the pre-drawn one included."""
    start: int
    """The pre-drawn square."""
    rival: int
    """Squares where the rival starts."""
    icons: Mapping[int, Bonus]
    """Bonus by square."""
    cacti: Mapping[int, int]
    """Kind of cactus (index into ``table``) by square."""
    table: tuple[CactusColumn, ...]
    shapes: tuple[Shape, ...]

    def name(self, square: int) -> str:
        """Return a square's name, column letter and row number from 1: ``c7``."""
        return f"{chr(ord('a') + square % self.width)}{square // self.width + 1}"

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Square by name."""
        return {self.name(square): square for square in bits(self.open)}

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """Mask of the squares with each kind of cactus, in the order of the table."""
        return tuple(
            sum(1 << square for square, kind in self.cacti.items() if kind == i)
            for i in range(len(self.table))
        )

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """Every way to lay a shape into free squares of the canyon, highest value first."""
        found: dict[int, Placement] = {}
        for shape in self.shapes:
            for cells in orientations(shape.cells):
                for mask in self._laid(cells):
                    if mask not in found:
                        found[mask] = self._placement(shape.value, mask)
        return tuple(sorted(found.values(), key=lambda p: (-p.value, p.mask)))

    @cached_property
    def masks(self) -> tuple[tuple[int, int, int, Placement], ...]:
        """Mask, border and value of each placement, laid out for a quick search."""
        return tuple((p.mask, p.border, p.value, p) for p in self.placements)

    @cached_property
    def by_mask(self) -> Mapping[int, Placement]:
        """Placement by the squares it covers."""
        return {placement.mask: placement for placement in self.placements}

    def border(self, mask: int) -> int:
        """Return the squares of the canyon that share a side with ``mask`` but are not in it."""
        left = mask & ~self._column(0)
        right = mask & ~self._column(self.width - 1)
        around = (left >> 1) | (right << 1) | (mask >> self.width) | (mask << self.width)
        return around & self.open & ~mask

    def _column(self, column: int) -> int:
        """Return the mask of one column."""
        return self._columns[column]

    @cached_property
    def _columns(self) -> tuple[int, ...]:
        """Masks of the columns."""
        return tuple(
            sum(1 << (row * self.width + column) for row in range(self.height))
            for column in range(self.width)
        )

    def _laid(self, cells: tuple[Cell, ...]) -> Iterator[int]:
        """Yield the masks of one orientation at every place where it fits."""
        free = self.open & ~self.start
        wide, high = max(x for x, _ in cells), max(y for _, y in cells)
        at_origin = sum(1 << (y * self.width + x) for x, y in cells)
        for row in range(self.height - high):
            for column in range(self.width - wide):
                mask = at_origin << (row * self.width + column)
                if mask & free == mask:
                    yield mask

    def _placement(self, value: int, mask: int) -> Placement:
        """Describe one placement."""
        cacti = [0] * len(self.table)
        for square in bits(mask):
            if square in self.cacti:
                cacti[self.cacti[square]] += 1
        return Placement(
            value=value,
            mask=mask,
            border=self.border(mask),
            cacti=tuple(cacti),
            bonuses=tuple(self.icons[square] for square in bits(mask) if square in self.icons),
        )


def orientations(cells: tuple[Cell, ...]) -> set[tuple[Cell, ...]]:
    """Return the shape's distinct turns and flips, each moved to the origin and sorted."""
    found = set()
    turned = list(cells)
    for _ in range(4):
        turned = [(-y, x) for x, y in turned]
        for flipped in (turned, [(-x, y) for x, y in turned]):
            left, top = min(x for x, _ in flipped), min(y for _, y in flipped)
            found.add(tuple(sorted((x - left, y - top) for x, y in flipped)))
    return found


@dataclass(frozen=True, kw_only=True)
class Space:
    """A space of the Creek."""

    name: str
    at_mm: Point
    points: int = 0
    bonus: Bonus | None = None


@dataclass(frozen=True, kw_only=True)
class Creek:
    """The Creek: spaces that paths run through."""

    spaces: tuple[Space, ...]
    neighbors: tuple[int, ...]
    """Mask of the spaces next to each space."""
    start: int
    """Index of the pre-drawn space."""
    rival: int
    """Mask of the spaces where the rival starts."""

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """Index of each space."""
        return {space.name: i for i, space in enumerate(self.spaces)}


@dataclass(frozen=True, kw_only=True)
class Node:
    """A node of the Mudcracks."""

    name: str
    at_mm: Point
    value: int
    outside: bool = False


@dataclass(frozen=True, kw_only=True)
class Area:
    """What three joined nodes surround."""

    nodes: int
    """Mask of its nodes."""
    bonus: Bonus | None = None
    cactus: str | None = None
    """Size of the cactus."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """A bonus column below the Mudcracks."""

    boxes: int
    bonus: Bonus


@dataclass(frozen=True, kw_only=True)
class Mudcracks:
    """The Mudcracks: nodes, the areas between them, and the bonus columns."""

    nodes: tuple[Node, ...]
    neighbors: tuple[int, ...]
    start: int
    """Index of the pre-drawn node."""
    areas: tuple[Area, ...]
    columns: tuple[Column, ...]

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """Index of each node."""
        return {node.name: i for i, node in enumerate(self.nodes)}

    @cached_property
    def areas_at(self) -> tuple[tuple[Area, ...], ...]:
        """Areas that touch each node."""
        return tuple(
            tuple(area for area in self.areas if area.nodes >> i & 1)
            for i in range(len(self.nodes))
        )


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A scoresheet."""

    name: str
    source: str
    """Where its numbers come from."""
    ruins: Ruins
    canyon: Canyon
    creek: Creek
    mudcracks: Mudcracks
    bonus_area: Mapping[str, int]
    """Icons printed for reflick and swap."""
    discovery_area: Mapping[str, int]
    """Icons printed for each animal."""
    toml: str = field(repr=False, compare=False)
    """The file's text, so that a game's log can carry its sheet."""
