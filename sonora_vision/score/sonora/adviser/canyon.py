"""Best shapes for the Canyon's discs and Fox Bonuses."""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.score.sonora.adviser.search import Plan, best_first
from sonora_vision.score.sonora.adviser.worth import Worth
from sonora_vision.score.sonora.canyon import cactus_points, canyon_total
from sonora_vision.score.sonora.marks import DrawShape, Mark, Source
from sonora_vision.score.sonora.sheet import Placement
from sonora_vision.score.sonora.state import Setting, SheetState

_Payers = tuple[Source, ...]
_Node = tuple[int, _Payers]
"""Squares drawn, and what is left to pay for shapes."""


class CanyonPlanner:
    """The Canyon of one sheet, searched shape by shape.

    The bound: no payer gains more than the best placement of its size that can be reached in as
    many shapes as there are payers, with every cactus at the steepest step of its column that
    these shapes could climb to.
    """

    def __init__(self, setting: Setting, state: SheetState, payers: _Payers, worth: Worth) -> None:
        self._setting, self._state, self._worth = setting, state, worth
        self._payers = payers
        self._cost = {"saved": worth.kept("fox")}
        reachable = self._reachable(len(payers))
        self._bonus = {p.mask: sum(map(worth.of, p.bonuses)) for p in reachable}
        self._candidates = [(p.mask, p.border, p.value, p) for p in reachable]
        self._most = self._most_by_limit(reachable)

    def plan(self, limit: int) -> Plan:
        """Search; ``limit`` is the number of nodes to look at."""
        root: _Node = (self._state.canyon, self._payers)
        return best_first(root, self._expand, self._potential, limit)

    def _limit(self, source: Source) -> int:
        """Return the highest shape that a payer draws."""
        return source if isinstance(source, int) else self._setting.rules.fox_shape

    def _expand(self, node: _Node) -> Iterator[tuple[int, Mark, _Node]]:
        """Yield every further shape."""
        drawn, payers = node
        taken = drawn | self._state.rival_canyon
        before = canyon_total(self._setting, drawn)
        sources = [(s, self._limit(s), _without(payers, s)) for s in dict.fromkeys(payers)]
        top = max((limit for _, limit, _ in sources), default=0)
        for mask, border, value, placement in self._candidates:
            if value <= top and not mask & taken and border & drawn:
                after = drawn | mask
                gain = self._bonus[mask]
                if any(placement.cacti):
                    gain += canyon_total(self._setting, after) - before
                for source, limit, rest in sources:
                    if value <= limit:
                        cost = self._cost.get(str(source), 0)
                        yield gain - cost, DrawShape(source, mask), (after, rest)

    def _potential(self, node: _Node) -> int:
        """Bound what the payers left can gain."""
        return sum(
            max(0, self._most[self._limit(source)] - self._cost.get(str(source), 0))
            for source in node[1]
        )

    def _reachable(self, steps: int) -> list[Placement]:
        """Return the placements that some ``steps`` shapes can get to."""
        canyon = self._setting.sheet.canyon
        highest = max(map(self._limit, self._payers), default=0)
        blocked = self._state.canyon | self._state.rival_canyon
        left = [p for p in canyon.placements if p.value <= highest and not p.mask & blocked]
        found: list[Placement] = []
        near = self._state.canyon
        for _ in range(steps):
            new = [p for p in left if p.border & near]
            left = [p for p in left if not p.border & near]
            found += new
            for placement in new:
                near |= placement.mask
        return found

    def _most_by_limit(self, reachable: list[Placement]) -> dict[int, int]:
        """Return the most that one shape can gain, by the highest value it may have."""
        kinds = range(len(self._setting.sheet.canyon.table))
        steepest = [self._steepest(kind, reachable) for kind in kinds]
        most: dict[int, int] = {}
        for limit in {self._limit(source) for source in self._payers}:
            most[limit] = max(
                (
                    self._bonus[p.mask] + sum(s[n] for s, n in zip(steepest, p.cacti, strict=True))
                    for p in reachable
                    if p.value <= limit
                ),
                default=0,
            )
        return most

    def _steepest(self, kind: int, reachable: list[Placement]) -> list[int]:
        """Return the most points that 0, 1, 2, ... more cacti of a kind can add at once."""
        canyon = self._setting.sheet.canyon
        now = (self._state.canyon & canyon.kinds[kind]).bit_count()
        a_shape = max((p.cacti[kind] for p in reachable), default=0)
        top = min(now + a_shape * len(self._payers), canyon.kinds[kind].bit_count())
        points = [cactus_points(self._setting, kind, count) for count in range(top + 1)]
        return [
            max((points[at + n] - points[at] for at in range(now, top - n + 1)), default=0)
            if now + n <= top
            else points[top] - points[now]
            for n in range(a_shape + 1)
        ]


def _without(payers: _Payers, source: Source) -> _Payers:
    """Take one payer away."""
    at = payers.index(source)
    return payers[:at] + payers[at + 1 :]
