"""Railroads: which towns they join, and the longest chain of them.

A *track* is one piece of line on a card; a town is one track too. Two tracks beside each other
are joined where both reach the common border and at least one of them is a Railroad card: two
towns side by side are not joined by that alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sonora_vision.score.sunflower_valley.valley import OPPOSITE, Cell, Valley, beside

Track = tuple[Cell, int]
"""A cell and which piece of track on its card."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A railroad line from one town to another, and the Railroad cards it runs over."""

    ends: tuple[Cell, Cell]
    rails: frozenset[Cell]
    tracks: frozenset[Track]


def joined(valley: Valley) -> dict[Track, tuple[Track, ...]]:
    """Return the tracks that each track is joined to."""
    found: dict[Track, tuple[Track, ...]] = {}
    for cell, card in valley.grid.items():
        for index, sides in enumerate(card.tracks):
            found[cell, index] = tuple(
                (neighbor, other)
                for side in sorted(sides)
                if (neighbor := beside(cell, side)) in valley.grid
                for other, reach in enumerate(valley.grid[neighbor].tracks)
                if OPPOSITE[side] in reach and "railroad" in (card.type, valley.grid[neighbor].type)
            )
    return found


def lines(valley: Valley) -> list[Line]:
    """Return every line that joins two towns, without a town on its way."""
    links = joined(valley)
    towns = {(cell, 0) for cell in valley.of_type("town")}

    def run(path: tuple[Track, ...]) -> Iterator[tuple[Track, ...]]:
        for track in links[path[-1]]:
            if track in towns:
                if track > path[0]:  # each line once, from its lesser end
                    yield (*path, track)
            elif track not in path:
                yield from run((*path, track))

    found: dict[Line, None] = {}
    for town in towns:
        for path in run((town,)):
            tracks = frozenset(path[1:-1])
            line = Line(
                ends=(path[0][0], path[-1][0]),
                rails=frozenset(cell for cell, _ in tracks),
                tracks=tracks,
            )
            found[line] = None
    return sorted(found, key=lambda line: (line.ends, len(line.rails), sorted(line.tracks)))


def networks(valley: Valley) -> list[frozenset[Track]]:
    """Group the tracks that lie on a line between two towns by what they are joined to."""
    links = joined(valley)
    waiting = {track for line in lines(valley) for track in line.tracks}
    found = []
    while waiting:
        group, edge = set(), {min(waiting)}
        while edge:
            group |= edge
            edge = {other for track in edge for other in links[track] if other in waiting} - group
        waiting -= group
        found.append(frozenset(group))
    return found


def longest_chain(valley: Valley) -> tuple[Cell, ...]:
    """Return the longest chain of joined Railroad and Town cards, each card once.

    Empty where there is no Railroad card: a town alone is no railroad.
    """
    links = joined(valley)
    best: tuple[Cell, ...] = ()

    def grow(track: Track, chain: tuple[Cell, ...]) -> None:
        nonlocal best
        if len(chain) > len(best):
            best = chain
        for other in links[track]:
            if other[0] not in chain:
                grow(other, (*chain, other[0]))

    for track in links:
        grow(track, (track[0],))
    return best if any(valley.grid[cell].type == "railroad" for cell in best) else ()
