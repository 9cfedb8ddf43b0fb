"""The Mudcracks: nodes bought with a value, areas surrounded, columns filled with what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sonora_vision.errors import RuleError
from sonora_vision.score.game import ScoreRow
from sonora_vision.score.sonora.bonuses import earn, sources, spend
from sonora_vision.score.sonora.marks import FillBoxes, MarkNode, UseRabbit
from sonora_vision.score.sonora.rules import CACTUS_SIZES
from sonora_vision.score.sonora.sheet import bits
from sonora_vision.score.sonora.state import Setting, SheetState, Writing


def node_cost(setting: Setting, state: SheetState, node: int) -> int:
    """Return a node's value, raised by the rival's circles around it."""
    circles = state.circles[node] * setting.rules.circle_value
    return setting.sheet.mudcracks.nodes[node].value + circles


def open_nodes(setting: Setting, nodes: int) -> int:
    """Return the unmarked nodes that are joined to a marked one."""
    near = 0
    for node in bits(nodes):
        near |= setting.sheet.mudcracks.neighbors[node]
    return near & ~nodes


def legal_nodes(setting: Setting, writing: Writing) -> Iterator[MarkNode]:
    """Yield every node that the value pays for."""
    if writing.due.mudcracks:
        for node in bits(open_nodes(setting, writing.state.nodes)):
            if node_cost(setting, writing.state, node) <= writing.due.mudcracks:
                yield MarkNode(node)


def legal_boxes(setting: Setting, writing: Writing) -> Iterator[FillBoxes]:
    """Yield every way to mark boxes of one column."""
    value = writing.due.mudcracks + writing.due.leftover
    if value:
        for i, column in enumerate(setting.sheet.mudcracks.columns):
            for count in range(1, min(value, column.boxes - writing.state.boxes[i]) + 1):
                yield FillBoxes(i, count)


def legal_rabbits(setting: Setting, writing: Writing) -> Iterator[UseRabbit]:
    """Yield the Rabbit Bonuses that can be used now."""
    del setting
    for source in sources(writing.state, writing.due, "rabbit"):
        yield UseRabbit(source)


def mark_node(setting: Setting, writing: Writing, mark: MarkNode) -> Writing:
    """Mark a node; every area it closes is earned at once.

    Raises
    ------
    RuleError
        If it is marked, joined to no marked node, or dearer than the value left.

    References
    ----------
    English rulebook: Mudcracks, Bonuses and Scoring; Solo Write Phase.
    """
    mud, state = setting.sheet.mudcracks, writing.state
    name, cost = mud.nodes[mark.node].name, node_cost(setting, state, mark.node)
    if state.nodes >> mark.node & 1:
        raise RuleError(f"Mudcracks: node {name} is marked already")
    if not mud.neighbors[mark.node] & state.nodes:
        raise RuleError(f"Mudcracks: node {name} is joined to no marked node")
    if cost > writing.due.mudcracks:
        begun = "; the bonus columns are begun" if writing.due.leftover else ""
        raise RuleError(
            f"Mudcracks: node {name} needs {cost}, the value left is {writing.due.mudcracks}{begun}"
        )
    nodes = state.nodes | 1 << mark.node
    done = writing._replace(
        state=state._replace(nodes=nodes),
        due=writing.due._replace(mudcracks=writing.due.mudcracks - cost),
    )
    for area in mud.areas_at[mark.node]:
        if area.bonus and area.nodes & nodes == area.nodes:
            done = earn(setting, done, area.bonus)
    return done


def fill_boxes(setting: Setting, writing: Writing, mark: FillBoxes) -> Writing:
    """Mark boxes of a column; a full column earns its bonus.

    The columns take what is left once the nodes are marked: after the first box, the value is for
    boxes alone, until a Rabbit Bonus brings new value. A table that plays the columns by the
    Spanish book may go back to nodes.

    Raises
    ------
    RuleError
        If there is less value or fewer boxes.

    References
    ----------
    English rulebook: Mudcracks, Bonuses and Scoring.
    """
    column, filled, due = setting.sheet.mudcracks.columns[mark.column], 0, writing.due
    filled = writing.state.boxes[mark.column]
    value = due.mudcracks + due.leftover
    if not 1 <= mark.count <= value:
        raise RuleError(f"Mudcracks: {mark.count} boxes, but the value left is {value}")
    if filled + mark.count > column.boxes:
        raise RuleError(
            f"Mudcracks: column {mark.column + 1} has {column.boxes - filled} boxes left"
        )
    if setting.rules.columns_any_time:
        due = due._replace(mudcracks=due.mudcracks - mark.count)
    else:
        due = due._replace(mudcracks=0, leftover=value - mark.count)
    boxes = writing.state.boxes
    boxes = (*boxes[: mark.column], filled + mark.count, *boxes[mark.column + 1 :])
    done = writing._replace(state=writing.state._replace(boxes=boxes), due=due)
    return earn(setting, done, column.bonus) if filled + mark.count == column.boxes else done


def use_rabbit(setting: Setting, writing: Writing, mark: UseRabbit) -> Writing:
    """Add a Rabbit Bonus to the value; one saved in the Discovery area brings more.

    References
    ----------
    English rulebook: Rabbit Bonus, Discovery Bonuses.
    """
    saved = mark.source == "saved"
    value = setting.rules.discovery_rabbit_value if saved else setting.rules.rabbit_value
    paid = spend(writing, "rabbit", mark.source)
    return paid._replace(due=paid.due._replace(mudcracks=paid.due.mudcracks + value))


def mudcracks_points(setting: Setting, state: SheetState) -> ScoreRow:
    """Multiply the surrounded cacti of each size by that size's points."""
    count = Counter(
        area.cactus
        for area in setting.sheet.mudcracks.areas
        if area.cactus and area.nodes & state.nodes == area.nodes
    )
    worth = setting.rules.mudcracks_cacti
    return ScoreRow(
        label="mudcracks",
        value=mudcracks_total(setting, state.nodes),
        why=tuple(
            f"{count[size]} {size} cacti of {worth[size]}: {worth[size] * count[size]}"
            for size in CACTUS_SIZES
            if count[size]
        ),
    )


def mudcracks_total(setting: Setting, nodes: int) -> int:
    """Return the points of all cacti that the marked nodes surround."""
    worth = setting.rules.mudcracks_cacti
    return sum(
        worth[area.cactus]
        for area in setting.sheet.mudcracks.areas
        if area.cactus and area.nodes & nodes == area.nodes
    )
