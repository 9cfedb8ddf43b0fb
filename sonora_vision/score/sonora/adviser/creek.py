"""Best paths for the Creek's discs and Owl Bonuses."""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.score.sonora.adviser.search import Plan, best_first
from sonora_vision.score.sonora.adviser.worth import Worth
from sonora_vision.score.sonora.creek import next_to, paths
from sonora_vision.score.sonora.marks import MakePath, Mark, Source
from sonora_vision.score.sonora.state import Setting, SheetState

_Node = tuple[int, int, tuple[Source, ...]]
"""Spaces visited, ends gained (a mask), and what is left to pay for paths."""


class CreekPlanner:
    """The Creek of one sheet, searched path by path.

    The bound: the best ends in reach, one a payer.
    """

    def __init__(
        self, setting: Setting, state: SheetState, payers: tuple[Source, ...], worth: Worth
    ) -> None:
        self._creek, self._state = setting.sheet.creek, state
        self._payers = payers
        self._owl = range(setting.rules.owl_path[0], setting.rules.owl_path[1] + 1)
        self._cost = {"saved": worth.kept("owl")}
        self._gain = [
            space.points + (worth.of(space.bonus) if space.bonus else 0)
            for space in self._creek.spaces
        ]
        self._reach = self._in_reach(sum(max(self._lengths(source)) for source in payers))

    def plan(self, limit: int) -> Plan:
        """Search; ``limit`` is the number of nodes to look at."""
        root: _Node = (self._state.visited, 0, self._payers)
        return best_first(root, self._expand, self._potential, limit)

    def _lengths(self, source: Source) -> range:
        """Return the lengths of path that a payer makes."""
        return range(source, source + 1) if isinstance(source, int) else self._owl

    def _expand(self, node: _Node) -> Iterator[tuple[int, Mark, _Node]]:
        """Yield every further path."""
        visited, ends, payers = node
        blocked = visited | self._state.rival_creek
        starts = next_to(self._creek, visited)
        for source in dict.fromkeys(payers):
            at = payers.index(source)
            rest = payers[:at] + payers[at + 1 :]
            for path in paths(self._creek, starts, blocked, frozenset(self._lengths(source))):
                mask = sum(1 << space for space in path)
                gain = self._gain[path[-1]] - self._cost.get(str(source), 0)
                child: _Node = (visited | mask, ends | 1 << path[-1], rest)
                yield gain, MakePath(source, path), child

    def _potential(self, node: _Node) -> int:
        """Bound what the payers left can gain."""
        visited, _, payers = node
        ends = sorted((self._gain[i] for i in self._reach if not visited >> i & 1), reverse=True)
        costs = sorted(self._cost.get(str(source), 0) for source in payers)
        return sum(max(0, gain - cost) for gain, cost in zip(ends, costs, strict=False))

    def _in_reach(self, steps: int) -> list[int]:
        """Return the spaces within so many steps."""
        blocked = self._state.visited | self._state.rival_creek
        reached = self._state.visited
        for _ in range(steps):
            reached |= next_to(self._creek, reached) & ~blocked
        return [i for i in range(len(self._creek.spaces)) if reached & ~blocked & 1 << i]
