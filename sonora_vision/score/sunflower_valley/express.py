"""The Valley Express: the token's walk from town to town.

The token leaves for a new town as soon as a line reaches one, and never returns to a town. So a
walk is always as long as it can get: it ends where no line leads to a town not yet visited. What
stays open is the choice between several towns (or lines) that a card joins at once and, from a
picture, the order in which the cards came.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """The longest walks that are possible; they differ in towns or railroads."""
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
    walks = _played(valley) if valley.played else set(_ends(Walk(), lines(valley)))
    most = max(walk.stops for walk in walks)
    return Express(
        walks=tuple(
            sorted(
                (walk for walk in walks if walk.stops == most),
                key=lambda walk: (walk.towns, sorted(walk.rails)),
            )
        ),
        fewest_stops=min(walk.stops for walk in walks),
    )


def _played(valley: Valley) -> set[Walk]:
    """Move the token after each card."""
    walks = {Walk()}
    for count in range(1, len(valley.cards) + 1):
        if not valley.cards[count - 1][1].tracks:
            continue  # nothing new to ride on
        now = lines(Valley(start=valley.start, cards=valley.cards[:count]))
        walks = {end for walk in walks for end in _ends(walk, now)}
    return walks


def _ends(walk: Walk, ways: Sequence[Line]) -> Iterator[Walk]:
    """Yield every walk that goes on from this one until it has to end."""
    here = walk.towns[-1]
    onward = False
    for line in ways:
        if here in line.ends:
            town = line.ends[line.ends[0] == here]
            if town not in walk.towns:
                onward = True
                longer = Walk(towns=(*walk.towns, town), rails=walk.rails | line.rails)
                yield from _ends(longer, ways)
    if not onward:
        yield walk
