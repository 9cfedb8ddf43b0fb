"""Solo Mode: the rival marks the player's own sheet first, and makes every section harder.

The player chooses among the rival's legal marks. The rival earns no bonus.
"""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.errors import RuleError
from sonora_vision.score.sonora.creek import next_to, paths
from sonora_vision.score.sonora.marks import (
    AddCircles,
    CrossHexes,
    DrawShape,
    MakePath,
    Mark,
)
from sonora_vision.score.sonora.sheet import Placement
from sonora_vision.score.sonora.state import Setting, SheetState, Writing
from sonora_vision.score.sonora.write import unused


def legal_rival_marks(setting: Setting, writing: Writing) -> Iterator[Mark]:
    """Yield every mark that the rival could make with what is due to it."""
    state, due = writing.state, writing.due
    if hexes := _rival_hexes(setting, state, due.ruins):
        yield CrossHexes(len(setting.sheet.ruins.buildings), hexes)
    for number in sorted(set(due.canyon)):
        for placement in rival_placements(setting, state, number):
            yield DrawShape(number, placement.mask)
    for number in sorted(set(due.creek)):
        for path in rival_paths(setting, state, number):
            yield MakePath(number, path)
    for node, room in enumerate(_room(setting, state)):
        for count in range(1, min(due.mudcracks, room) + 1):
            yield AddCircles(node, count)


def apply_rival(setting: Setting, writing: Writing, mark: Mark) -> Writing:
    """Make one of the rival's marks.

    Raises
    ------
    RuleError
        If the rival may not do that; the text begins with the rulebook's heading.

    References
    ----------
    English rulebook: Solo Write Phase.
    """
    if mark not in legal_rival_marks(setting, writing):
        raise RuleError(f"Solo Write Phase: the rival may not do this: {_rule(mark)}")
    state, due = writing.state, writing.due
    match mark:
        case CrossHexes(_, count):
            state = state._replace(rival_hexes=state.rival_hexes + count)
            due = due._replace(ruins=due.ruins - count)
        case DrawShape(source, mask):
            state = state._replace(
                rival_shapes=(*state.rival_shapes, mask),
                rival_canyon=state.rival_canyon | mask,
            )
            due = due._replace(canyon=_without(due.canyon, source))
        case MakePath(source, spaces):
            filled = sum(1 << space for space in spaces)
            state = state._replace(rival_creek=state.rival_creek | filled)
            due = due._replace(creek=_without(due.creek, source))
        case AddCircles(node, count):
            circles = list(state.circles)
            circles[node] += count
            state = state._replace(circles=tuple(circles))
            due = due._replace(mudcracks=due.mudcracks - count)
    return writing._replace(state=state, due=due)


def finish_rival(setting: Setting, writing: Writing) -> Writing:
    """End the rival's part; every disc that could be used was used.

    Raises
    ------
    RuleError
        If a disc is left that the rival can use.
    """
    if next(legal_rival_marks(setting, writing), None):
        raise RuleError("Solo Write Phase: the rival uses every disc of its color that it can")
    return Writing(state=writing.state, notes=unused(writing.due))


def rival_placements(setting: Setting, state: SheetState, number: int) -> list[Placement]:
    """Return the shapes that a disc of the rival can draw: the largest that fit anywhere.

    They begin on a rival's square, or next to a shape of the rival's, or, leaping over it, next to
    a drawn shape that is next to one of the rival's. The pre-drawn square is a drawn shape.
    """
    canyon = setting.sheet.canyon
    taken = state.canyon | state.rival_canyon
    beside = state.rival_canyon | _leapt(setting, state)
    fitting = [
        placement
        for placement in canyon.placements
        if placement.value <= number
        and not placement.mask & taken
        and (placement.mask & canyon.rival or placement.border & beside)
    ]
    largest = max((placement.value for placement in fitting), default=0)
    return [placement for placement in fitting if placement.value == largest]


def rival_paths(setting: Setting, state: SheetState, number: int) -> Iterator[tuple[int, ...]]:
    """Yield the paths of exactly ``number`` spaces from the bottom or from a rival's path."""
    creek = setting.sheet.creek
    starts = creek.rival | next_to(creek, state.rival_creek)
    blocked = state.visited | state.rival_creek
    return paths(creek, starts, blocked, frozenset({number}))


def _leapt(setting: Setting, state: SheetState) -> int:
    """Return the drawn shapes that share a side with a shape of the rival's."""
    canyon = setting.sheet.canyon
    around = canyon.border(state.rival_canyon)
    leapt = sum(mask for mask in state.shapes if mask & around)
    return leapt | (canyon.start if canyon.start & around else 0)


def _rival_hexes(setting: Setting, state: SheetState, value: int) -> int:
    """Return how many hexes the rival circles: the full value, as far as its building goes."""
    return min(value, len(setting.sheet.ruins.rival) - state.rival_hexes)


def _room(setting: Setting, state: SheetState) -> list[int]:
    """Return how many small circles are left around each node that can still take one."""
    return [
        setting.rules.circles_a_node - state.circles[i]
        if node.outside and not state.nodes >> i & 1
        else 0
        for i, node in enumerate(setting.sheet.mudcracks.nodes)
    ]


def _without(numbers: tuple[int, ...], source: object) -> tuple[int, ...]:
    """Take one disc away."""
    at = numbers.index(source)
    return numbers[:at] + numbers[at + 1 :]


def _rule(mark: Mark) -> str:
    """Name the rule that a mark of the rival's has to keep."""
    match mark:
        case CrossHexes():
            return "it circles hexes of its own building, its full value"
        case DrawShape():
            return "it draws its largest shape from its squares, its shapes or a shape leapt over"
        case MakePath():
            return "its path has its disc's length, from its squares or paths, over free spaces"
        case AddCircles():
            return "it fills in circles that are left, around outside nodes that are not marked"
        case _:
            return "it has no bonuses and marks no nodes, boxes or animals"
