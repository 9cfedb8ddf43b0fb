"""The eighteen goals: what each counts in one valley.

A function takes the valley and the walk of its Valley Express, and returns what it counts, with
the cards that make it so. Numbers and types of the goals are in rules.toml. Where the rulebook
leaves a case open, the function says how it is read here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sonora_vision.score.sunflower_valley.combinations import is_complete
from sonora_vision.score.sunflower_valley.express import Walk
from sonora_vision.score.sunflower_valley.railroads import lines, longest_chain, networks
from sonora_vision.score.sunflower_valley.valley import STEP, Cell, Valley, beside


@dataclass(frozen=True, kw_only=True)
class Count:
    """What a goal counts in a valley: how many, and on which cards."""

    number: int
    cards: tuple[Cell, ...]


Counter = Callable[[Valley, Walk], Count]


def _each(cells: Iterable[Cell]) -> Count:
    cards = tuple(cells)
    return Count(number=len(cards), cards=cards)


def _all_of(*types: str) -> Counter:
    """Count every card of some types."""
    return lambda valley, _: _each(valley.of_type(*types))


def _next_to(kind: str, neighbor: str) -> Counter:
    """Count every card of a type that lies beside one of another (or the same) type."""
    return lambda valley, _: _each(_beside(valley, valley.of_type(kind), neighbor))


def _beside(valley: Valley, cells: Iterable[Cell], kind: str) -> list[Cell]:
    return [cell for cell in cells if any(card.type == kind for _, card in valley.around(cell))]


def _villagers(valley: Valley, _: Walk) -> Count:
    """Count villager symbols, those of the Starting Town too: it is a Town card."""
    cards = tuple(cell for cell, card in valley.grid.items() if card.villagers)
    return Count(number=sum(valley.grid[cell].villagers for cell in cards), cards=cards)


def _suburbs(valley: Valley, _: Walk) -> Count:
    """Count cards with villagers beside a town; two such towns side by side both count."""
    homes = (cell for cell, card in valley.grid.items() if card.villagers)
    return _each(_beside(valley, homes, "town"))


def _happy_towns(valley: Valley, _: Walk) -> Count:
    """Count towns whose combination is complete, the Starting Town too."""
    return _each(cell for cell in valley.of_type("town") if is_complete(valley, cell))


def _boundless_field(valley: Valley, _: Walk) -> Count:
    """Count the fields of the largest area; farmers are fields."""
    waiting = {cell for cell, card in valley.grid.items() if card.is_field}
    largest: set[Cell] = set()
    while waiting:
        area, edge = set(), {min(waiting)}
        while edge:
            area |= edge
            edge = {beside(cell, side) for cell in edge for side in STEP} & waiting - area
        waiting -= area
        largest = max(largest, area, key=len)
    return _each(sorted(largest))


def _long_way(valley: Valley, _: Walk) -> Count:
    """Count the cards, railroads and towns, of the longest chain that uses no card twice."""
    return _each(longest_chain(valley))


def _satellite_towns(valley: Valley, _: Walk) -> Count:
    """Count towns that a railroad joins to another town, the Starting Town too."""
    return _each(sorted({town for line in lines(valley) for town in line.ends}))


def _suburban_trains(valley: Valley, walk: Walk) -> Count:
    """Count pairs of fields that lie beside a railroad of the Valley Express, each field once."""
    fields = tuple(
        cell
        for cell, card in valley.grid.items()
        if card.is_field and any(neighbor in walk.rails for neighbor, _ in valley.around(cell))
    )
    return Count(number=len(fields) // 2, cards=fields)


def _walking_routes(valley: Valley, _: Walk) -> Count:
    """Count the railroads between towns, after the first of each line.

    Lines that share a piece of track are one network, whose railroads count once, all but one;
    the two lines over a crossing are two, and it counts for both.
    """
    groups = [sorted({cell for cell, _ in network}) for network in networks(valley)]
    return Count(
        number=sum(len(group) - 1 for group in groups),
        cards=tuple(cell for group in groups for cell in group),
    )


def _vast_land(valley: Valley, _: Walk) -> Count:
    """Count the cards of the longest row or column without a gap."""
    longest: list[Cell] = []
    for cell in valley.grid:
        for side in "es":
            row = [cell]
            while (after := beside(row[-1], side)) in valley.grid:
                row.append(after)
            longest = max(longest, row, key=len)
    return _each(longest)


COUNTERS: Mapping[str, Counter] = MappingProxyType(
    {
        "valley-of-sheep": _all_of("sheep"),
        "flocks-of-sheep": _next_to("sheep", "sheep"),
        "the-more-the-merrier": _villagers,
        "the-suburbs": _suburbs,
        "happy-towns": _happy_towns,
        "boundless-field": _boundless_field,
        "long-way": _long_way,
        "satellite-towns": _satellite_towns,
        "sunny-valley": _all_of("field", "farmer"),
        "suburban-trains": _suburban_trains,
        "ski-resort": _all_of("mountain"),
        "mountain-passes": _next_to("mountain", "railroad"),
        "vast-network": _all_of("railroad"),
        "walking-routes": _walking_routes,
        "lake-land": _all_of("lake"),
        "overlooking-the-water": _next_to("lake", "railroad"),
        "vast-land": _vast_land,
        "mountain-lakes": _next_to("lake", "mountain"),
    }
)
