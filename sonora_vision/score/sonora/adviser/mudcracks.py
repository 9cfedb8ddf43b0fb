"""Best use of a Mudcracks value: which nodes to mark, which columns to fill."""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.score.sonora.adviser.search import Plan, best_first
from sonora_vision.score.sonora.adviser.worth import Worth
from sonora_vision.score.sonora.marks import FillBoxes, Mark, MarkNode, Source, UseRabbit
from sonora_vision.score.sonora.mudcracks import node_cost, open_nodes
from sonora_vision.score.sonora.sheet import bits
from sonora_vision.score.sonora.state import Setting, SheetState

_Node = tuple[int, int]
"""Nodes marked, and the value left."""


class MudcracksPlanner:
    """The Mudcracks of one sheet, searched node by node.

    The bound: a node's cost is shared among the open areas around it, so areas and columns become
    independent things with a price each; the value left buys the best of them, the last in part.
    """

    def __init__(self, setting: Setting, state: SheetState, worth: Worth) -> None:
        self._setting, self._state, self._worth = setting, state, worth
        mud = setting.sheet.mudcracks
        self._cost = [node_cost(setting, state, i) for i in range(len(mud.nodes))]
        points = setting.rules.mudcracks_cacti
        self._gain = {
            area.nodes: (points[area.cactus] if area.cactus else 0)
            + (worth.of(area.bonus) if area.bonus else 0)
            for area in mud.areas
        }
        self._columns = [
            (i, column.boxes - state.boxes[i], worth.of(column.bonus))
            for i, column in enumerate(mud.columns)
            if state.boxes[i] < column.boxes
        ]

    def plan(
        self, value: int, leftover: int, rabbits: tuple[Source, ...], saved: int, limit: int
    ) -> Plan:
        """Search for every number of saved Rabbits that could be used.

        Parameters
        ----------
        value, leftover
            Value due for nodes or boxes, and for boxes alone.
        rabbits
            Rabbit Bonuses that are used in any case.
        saved
            Rabbits in the Discovery area, used if they gain more than their worth.
        limit
            Nodes to look at.
        """
        rules, keep = self._setting.rules, self._worth.kept("rabbit")
        value += len(rabbits) * rules.rabbit_value
        best = Plan(value=-1, bound=0)
        for extra in range(saved + 1):
            found = self._spend(
                value + extra * rules.discovery_rabbit_value, leftover, limit // (saved + 1)
            )
            used: tuple[Mark, ...] = tuple(
                map(UseRabbit, (*rabbits, *(("saved",) * extra)))  # type: ignore[arg-type]
            )
            plan = Plan(
                marks=used + found.marks,
                value=found.value - extra * keep,
                bound=max(best.bound, found.bound - extra * keep),
            )
            if plan.value > best.value:
                best = plan
            else:
                best = Plan(marks=best.marks, value=best.value, bound=plan.bound)
        return best

    def _spend(self, value: int, leftover: int, limit: int) -> Plan:
        """Spend a value on nodes and columns."""
        self._filled = [self._fill(left) for left in range(value + leftover + 1)]
        self._leftover = leftover
        base = self._filled[value + leftover][0]
        found = best_first(
            (self._state.nodes, value), self._expand, lambda node: self._potential(node), limit
        )
        nodes = [mark for mark in found.marks if isinstance(mark, MarkNode)]
        left = value - sum(self._cost[mark.node] for mark in nodes) + leftover
        boxes = [FillBoxes(i, count) for i, count in self._boxes(left)]
        return Plan(marks=(*nodes, *boxes), value=found.value + base, bound=found.bound + base)

    def _expand(self, node: _Node) -> Iterator[tuple[int, Mark, _Node]]:
        """Yield every further node; its gain counts what the columns lose."""
        nodes, value = node
        before = self._filled[value + self._leftover][0]
        for i in bits(open_nodes(self._setting, nodes)):
            left = value - self._cost[i]
            if left >= 0:
                after = nodes | 1 << i
                gain = sum(
                    self._gain[area.nodes]
                    for area in self._setting.sheet.mudcracks.areas_at[i]
                    if area.nodes & after == area.nodes
                )
                gain += self._filled[left + self._leftover][0] - before
                yield gain, MarkNode(i), (after, left)

    def _potential(self, node: _Node) -> int:
        """Bound what nodes and columns can still gain beyond filling columns now."""
        nodes, value = node
        missing = [(mask & ~nodes, gain) for mask, gain in self._gain.items() if mask & ~nodes]
        shared = [0] * len(self._cost)
        for mask, _ in missing:
            for i in bits(mask):
                shared[i] += 1
        things = [
            (sum(self._cost[i] / shared[i] for i in bits(mask)), gain) for mask, gain in missing
        ]
        things += [(boxes, gain) for _, boxes, gain in self._columns]
        things.sort(key=lambda thing: -thing[1] / thing[0])
        room, total = float(value + self._leftover), 0.0
        for price, gain in things:
            if price >= room:
                total += gain * room / price
                break
            room -= price
            total += gain
        return int(total + _ROUNDING) - self._filled[value + self._leftover][0]

    def _fill(self, value: int) -> tuple[int, int]:
        """Return the most that columns gain for a value, and which columns (a mask)."""
        options = [(0, 0, value)]
        for i, boxes, gain in self._columns:
            options += [
                (total + gain, mask | 1 << i, left - boxes)
                for total, mask, left in options
                if left >= boxes
            ]
        total, mask, _ = max(options, key=lambda option: (option[0], option[2]))
        return total, mask

    def _boxes(self, value: int) -> list[tuple[int, int]]:
        """Return the columns to fill, and where the rest goes: the column nearest completion."""
        filled = []
        _, chosen = self._fill(value)
        for i, boxes, _ in self._columns:
            if chosen >> i & 1:
                filled.append((i, boxes))
                value -= boxes
        for boxes, i in sorted((boxes, i) for i, boxes, _ in self._columns if not chosen >> i & 1):
            if value:
                filled.append((i, min(value, boxes)))
                value -= min(value, boxes)
        return filled


_ROUNDING = 1e-9
"""Absorbs float rounding, so that a bound that is a whole number stays one."""
