"""The Valley Express: the token's walk from town to town.

The token leaves for a new town as soon as a line reaches one, and never returns to a town. So a
walk is always as long as it can get: it ends where no line leads to a town not yet visited. What
stays open is the choice between several towns (or lines) that a card joins at once and, from a
picture, the order in which the cards came.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sonora_vision.score.sunflower_valley.railroads import Line, lines
from sonora_vision.score.sunflower_valley.valley import START, Cell, Valley


@dataclass(frozen=True, kw_only=True)
class Walk:
    """One way that the token may have gone."""

    towns: tuple[Cell, ...] = (START,)
    """The Starting Town, then each stop."""
    rails: frozenset[Cell] = frozenset()
    """Railroad cards it went over."""

    @property
    def stops(self) -> int:
        """Towns that score: all but the Starting Town."""
        return len(self.towns) - 1


@dataclass(frozen=True, kw_only=True)
class Express:
    """What the cards say of the token's walk."""

    walks: tuple[Walk, ...]
    """The longest walks that are possible, one for each set of fields along their railroads."""
    fewest_stops: int
    """The shortest that the walk may have been; less than the longest where it is not certain."""

    @property
    def stops(self) -> int:
        """Stops of the longest walk."""
        return self.walks[0].stops


def express(valley: Valley) -> Express:
    """Return the walks of the Valley Express that a valley allows.

    From a played history, the token moves card by card. From a picture, any order of play is
    possible. There, every walk in the finished valley that cannot go on can really have happened
    (its cards may have come first, in its own order), and no other.
    """
    walks = [Walk()]
    if not valley.played:
        walks = _ridden(walks, valley, lines(valley))
    for count, (_, card) in enumerate(valley.cards if valley.played else (), start=1):
        if card.tracks:  # else there is nothing new to ride on
            now = Valley(start=valley.start, cards=valley.cards[:count])
            walks = _ridden(walks, valley, lines(now))
    most = max(walk.stops for walk in walks)
    return Express(
        walks=tuple(walk for walk in walks if walk.stops == most),
        fewest_stops=min(walk.stops for walk in walks),
    )


def _ridden(walks: Sequence[Walk], valley: Valley, ways: Sequence[Line]) -> list[Walk]:
    """Let the token go on from each walk until it has to stop; return every end there is.

    Walks to the same town by the same towns, with the same fields of the finished valley along
    their railroads, score alike and go on alike: one stands for all, or there would be millions.
    """

    def likeness(walk: Walk) -> Hashable:
        return walk.towns[-1], frozenset(walk.towns), _fields(valley, walk.rails)

    different = {(line.ends, _fields(valley, line.rails)): line for line in reversed(ways)}
    todo = list({likeness(walk): walk for walk in reversed(walks)}.values())
    seen = {likeness(walk) for walk in todo}
    ends = []
    while todo:
        walk = todo.pop()
        longer = list(_longer(walk, different.values()))
        if not longer:
            ends.append(walk)
        for further in longer:
            if likeness(further) not in seen:
                seen.add(likeness(further))
                todo.append(further)
    return ends


def _longer(walk: Walk, ways: Iterable[Line]) -> Iterator[Walk]:
    """Yield the walk with one more stop, for each line to a town not yet visited."""
    here = walk.towns[-1]
    for line in ways:
        if here in line.ends:
            town = line.ends[line.ends[0] == here]
            if town not in walk.towns:
                yield Walk(towns=(*walk.towns, town), rails=walk.rails | line.rails)


def _fields(valley: Valley, rails: frozenset[Cell]) -> frozenset[Cell]:
    """Return the fields beside some railroads."""
    return frozenset(cell for rail in rails for cell, card in valley.around(rail) if card.is_field)
