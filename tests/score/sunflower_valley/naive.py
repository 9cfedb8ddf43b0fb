"""A second scorer, written from the rulebook alone: slow, plain, and sharing no code.

It reads the card file itself. A valley is a dict of (x, y) to a card's table, and the list of
cells in the order of play. Borders between cells are named by the two cells they part.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

Cell = tuple[int, int]
Grid = dict[Cell, dict[str, Any]]
SIDES = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
BACK = {"n": "s", "s": "n", "e": "w", "w": "e"}


def cards_by_id(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = {card["id"]: dict(card) for card in document["card"]}
    for start in document["start"]:
        for face in "ab":
            found[start["id"] + face] = {**start[face], "id": start["id"] + face, "type": "town"}
    for card in found.values():
        if card["type"] == "town":
            card.setdefault("tracks", ["nesw"])
    return found


def next_to(grid: Grid, cell: Cell) -> list[dict[str, Any]]:
    x, y = cell
    return [
        grid[there] for there in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)) if there in grid
    ]


def is_type(card: dict[str, Any], kind: str) -> bool:
    if kind == "field":
        return card["type"] in ("field", "farmer")
    return card["type"] == kind


def complete(grid: Grid, cell: Cell) -> bool:
    needs = list(grid[cell].get("needs", []))
    if not needs:
        return False
    for card in next_to(grid, cell):
        for need in needs:
            if is_type(card, need):
                needs.remove(need)
                break
    return not needs


def routes(grid: Grid, town: Cell) -> Iterator[tuple[Cell, frozenset[tuple[Cell, str]]]]:
    """Ride out of a town on rails only; yield each other town reached, and the pieces ridden."""

    def ride(cell: Cell, into: str, ridden: list[tuple[Cell, str]]) -> Iterator[Any]:
        card = grid.get(cell)
        if card is None:
            return
        for piece in card.get("tracks", []):
            if into not in piece:
                continue
            if card["type"] == "town":
                if ridden and cell != town:
                    yield cell, frozenset(ridden)
                continue
            if (cell, piece) in ridden:
                continue
            for out in piece:
                if out != into:
                    dx, dy = SIDES[out]
                    there = cell[0] + dx, cell[1] + dy
                    yield from ride(there, BACK[out], [*ridden, (cell, piece)])

    for out in grid[town]["tracks"][0]:
        dx, dy = SIDES[out]
        yield from ride((town[0] + dx, town[1] + dy), BACK[out], [])


def tours(grid: Grid, tour: list[Cell], rails: frozenset[Cell]) -> Iterator[Any]:
    """Move the token until it cannot move; yield every way that may go."""
    options = {
        (town, frozenset(cell for cell, _ in ridden))
        for town, ridden in routes(grid, tour[-1])
        if town not in tour
    }
    if not options:
        yield tuple(tour), rails
    for town, ridden in options:
        yield from tours(grid, [*tour, town], rails | ridden)


def rides(grid: Grid, order: list[Cell] | None) -> set[Any]:
    """All that the token may have done: card by card, or in the finished valley."""
    if order is None:
        return set(tours(grid, [(0, 0)], frozenset()))
    states = {(((0, 0),), frozenset())}
    for count in range(1, len(order) + 1):
        part = {cell: grid[cell] for cell in [(0, 0), *order[:count]]}
        states = {
            after for towns, rails in states for after in set(tours(part, list(towns), rails))
        }
    return states


def fields_by(grid: Grid, rails: frozenset[Cell]) -> int:
    return sum(
        1
        for (x, y), card in grid.items()
        if is_type(card, "field") and any((x + dx, y + dy) in rails for dx, dy in SIDES.values())
    )


def best_ride(grid: Grid, order: list[Cell] | None) -> tuple[int, frozenset[Cell]]:
    towns, rails = max(
        rides(grid, order), key=lambda ride: (len(ride[0]), fields_by(grid, ride[1]) // 2)
    )
    return len(towns) - 1, rails


def long_way(grid: Grid) -> int:
    best = 0

    def go(cell: Cell, piece: str, seen: set[Cell], railroads: int) -> None:
        nonlocal best
        if railroads:
            best = max(best, len(seen))
        for out in piece:
            dx, dy = SIDES[out]
            there = cell[0] + dx, cell[1] + dy
            if there not in grid or there in seen:
                continue
            if grid[cell]["type"] == "town" and grid[there]["type"] == "town":
                continue
            for onward in grid[there].get("tracks", []):
                if BACK[out] in onward:
                    rail = grid[there]["type"] == "railroad"
                    go(there, onward, seen | {there}, railroads + rail)

    for cell, card in grid.items():
        for piece in card.get("tracks", []):
            go(cell, piece, {cell}, card["type"] == "railroad")
    return best


def walking_routes(grid: Grid) -> int:
    """Railroads between towns, after the first, of each set of lines that share a track."""
    sets: list[set[tuple[Cell, str]]] = []
    for cell, card in grid.items():
        if card["type"] != "town":
            continue
        for _, ridden in routes(grid, cell):
            joined = set(ridden)
            rest = []
            for other in sets:
                if other & joined:
                    joined |= other
                else:
                    rest.append(other)
            sets = [*rest, joined]
    return sum(len({cell for cell, _ in tracks}) - 1 for tracks in sets)


def largest_field(grid: Grid) -> int:
    best = 0
    for cell, card in grid.items():
        if not is_type(card, "field"):
            continue
        area, todo = set(), [cell]
        while todo:
            x, y = todo.pop()
            if (x, y) in area or (x, y) not in grid or not is_type(grid[x, y], "field"):
                continue
            area.add((x, y))
            todo += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        best = max(best, len(area))
    return best


def longest_row(grid: Grid) -> int:
    best = 0
    for x, y in grid:
        for dx, dy in ((1, 0), (0, 1)):
            length = 0
            while (x + dx * length, y + dy * length) in grid:
                length += 1
            best = max(best, length)
    return best


def count(goal: str, grid: Grid, rails: frozenset[Cell]) -> int:
    """What a goal counts in one valley."""

    def beside(kind: str, other: str) -> int:
        return sum(
            1
            for cell, card in grid.items()
            if is_type(card, kind) and any(is_type(near, other) for near in next_to(grid, cell))
        )

    def number(kind: str) -> int:
        return sum(1 for card in grid.values() if is_type(card, kind))

    if goal == "valley-of-sheep":
        return number("sheep")
    if goal == "flocks-of-sheep":
        return beside("sheep", "sheep")
    if goal == "the-more-the-merrier":
        return sum(card.get("villagers", 0) for card in grid.values())
    if goal == "the-suburbs":
        return sum(
            1
            for cell, card in grid.items()
            if card.get("villagers", 0) > 0
            and any(near["type"] == "town" for near in next_to(grid, cell))
        )
    if goal == "happy-towns":
        return sum(1 for c, card in grid.items() if card["type"] == "town" and complete(grid, c))
    if goal == "boundless-field":
        return largest_field(grid)
    if goal == "long-way":
        return long_way(grid)
    if goal == "satellite-towns":
        return sum(
            1 for cell, card in grid.items() if card["type"] == "town" and any(routes(grid, cell))
        )
    if goal == "sunny-valley":
        return number("field")
    if goal == "suburban-trains":
        return fields_by(grid, rails) // 2
    if goal == "ski-resort":
        return number("mountain")
    if goal == "mountain-passes":
        return beside("mountain", "railroad")
    if goal == "vast-network":
        return number("railroad")
    if goal == "walking-routes":
        return walking_routes(grid)
    if goal == "lake-land":
        return number("lake")
    if goal == "overlooking-the-water":
        return beside("lake", "railroad")
    if goal == "vast-land":
        return longest_row(grid)
    assert goal == "mountain-lakes"
    return beside("lake", "mountain")


EACH = {
    "flocks-of-sheep": 2,
    "the-suburbs": 2,
    "happy-towns": 2,
    "boundless-field": 1,
    "satellite-towns": 2,
    "suburban-trains": 3,
    "mountain-passes": 2,
    "walking-routes": 2,
    "overlooking-the-water": 2,
    "mountain-lakes": 2,
}


def table(
    valleys: list[tuple[Grid, list[Cell] | None]], goals: list[str]
) -> tuple[list[list[int]], list[int]]:
    """Score every column for every player; return the columns and the winners' seats."""
    columns: list[list[int]] = []
    stops = []
    counts: list[list[int]] = []
    for grid, order in valleys:
        stop_count, rails = best_ride(grid, order)
        stops.append(stop_count)
        sums = {"town": 0, "farmer": 0, "mountain": 0, "lake": 0}
        for cell, card in grid.items():
            if card["type"] in ("town", "farmer") and complete(grid, cell):
                sums[card["type"]] += card["points"]
            if card["type"] == "mountain":
                around = sum(1 for near in next_to(grid, cell) if is_type(near, "field"))
                sums["mountain"] += {0: 0, 1: 1, 2: 2, 3: 4, 4: 6}[around]
            if card["type"] == "lake":
                sums["lake"] += 1
        columns.append([3 * stop_count, *sums.values()])
        counts.append([count(goal, grid, rails) for goal in goals])
    for index, goal in enumerate(goals):
        best = max(own[index] for own in counts)
        winners = [own[index] == best and best > 0 for own in counts]
        for seat, own in enumerate(counts):
            if goal in EACH:
                columns[seat].append(EACH[goal] * own[index])
            else:
                columns[seat].append(ceil(Fraction(6, sum(winners))) if winners[seat] else 0)
    ranks = [(sum(column), stop) for column, stop in zip(columns, stops, strict=True)]
    return columns, [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
