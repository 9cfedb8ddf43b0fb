"""Best-first search with an upper bound: exact when it runs out, honest when it is stopped."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from sonora_vision.score.sonora.marks import Mark

Node = TypeVar("Node", bound=Hashable)
Path = tuple[Mark, ...]
Expand = Callable[[Node], Iterable[tuple[int, Mark, Node]]]
"""Yields the gain of each further mark, the mark, and what it leads to."""
Potential = Callable[[Node], int]
"""Upper bound of what can still be gained from a node."""

_BEAM = 25
"""Nodes of a level that are kept where the exact search was stopped."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Marks for one section."""

    marks: tuple[Mark, ...] = ()
    value: int = 0
    """Points, and bonuses at their worth, that the marks gain."""
    bound: int = 0
    """No marks gain more than this; equal to ``value`` where the plan is the best there is."""


def best_first(
    root: Node,
    expand: Expand[Node],
    potential: Potential[Node],
    limit: int,
) -> Plan:
    """Search for the marks of the highest value.

    Parameters
    ----------
    root
        The section as it is. What is gained on the way to a node must depend on the node alone.
    limit
        Nodes to look at before stopping with a gap between ``value`` and ``bound``.
    """
    best: tuple[int, Path] = (0, ())
    seen = {root}
    heap: list[tuple[int, int, int, Node, Path]] = [(-potential(root), 0, 0, root, ())]
    while heap and -heap[0][0] > best[0] and len(seen) < limit:
        _, _, value, node, path = heapq.heappop(heap)
        for gain, mark, child in expand(node):
            if child not in seen:
                seen.add(child)
                reached = value + gain
                if reached > best[0]:
                    best = (reached, (*path, mark))
                promise = reached + potential(child)
                if promise > best[0]:  # of equal promise, the deeper and newer first
                    entry = (-promise, -len(seen), reached, child, (*path, mark))
                    heapq.heappush(heap, entry)
    bound = max(best[0], -heap[0][0]) if heap else best[0]
    if bound > best[0]:
        best = max(best, _beam(root, expand, potential), key=lambda found: found[0])
    return Plan(marks=best[1], value=best[0], bound=bound)


def _beam(root: Node, expand: Expand[Node], potential: Potential[Node]) -> tuple[int, Path]:
    """Search level by level, keeping only the most promising nodes of each."""
    best: tuple[int, Path] = (0, ())
    level: list[tuple[int, Node, Path]] = [(0, root, ())]
    while level:
        found: dict[Node, tuple[int, Node, Path]] = {}
        for value, node, path in level:
            for gain, mark, child in expand(node):
                if child not in found:
                    found[child] = (value + gain, child, (*path, mark))
        best = max([best, *((value, path) for value, _, path in found.values())],
                   key=lambda reached: reached[0])  # fmt: skip
        level = heapq.nlargest(
            _BEAM, found.values(), key=lambda each: (each[0] + potential(each[1]), each[0])
        )
    return best
