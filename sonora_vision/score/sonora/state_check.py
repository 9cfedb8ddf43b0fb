"""Whether a sheet's marks could have come about by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sonora_vision.score.sonora.creek import next_to
from sonora_vision.score.sonora.mudcracks import open_nodes
from sonora_vision.score.sonora.sheet import bits
from sonora_vision.score.sonora.state import ICONS, Setting, SheetState


def impossible(setting: Setting, state: SheetState) -> str | None:
    """Return the first thing about the marks that no play leads to; None if all is well."""
    checks = (_ruins, _canyon, _creek, _mudcracks, _bonuses)
    return next((why for check in checks for why in check(setting, state)), None)


def _ruins(setting: Setting, state: SheetState) -> Iterator[str]:
    """Check counts and rewards."""
    for i, building in enumerate(setting.sheet.ruins.buildings):
        top, bottom = state.top >> i & 1, state.bottom >> i & 1
        if state.hexes[i] > building.size:
            yield f"building {building.name} has {building.size} hexes, not {state.hexes[i]}"
        if (state.hexes[i] == building.size) != (top + bottom == 1):
            yield f"building {building.name}: one reward is circled if all hexes are crossed off"
        if top and state.top_out >> i & 1:
            yield f"building {building.name}: its top reward is both circled and crossed out"
        if bottom and not state.top_out >> i & 1:
            yield f"building {building.name}: the bottom reward is for who is not first"
    if not state.rival_hexes_crossed <= state.rival_hexes <= len(setting.sheet.ruins.rival):
        yield f"the rival's building: {state.rival_hexes}-{state.rival_hexes_crossed} hexes"


def _canyon(setting: Setting, state: SheetState) -> Iterator[str]:
    """Check that shapes are shapes, apart, and joined to the pre-drawn square."""
    canyon = setting.sheet.canyon
    every = (*state.shapes, *state.rival_shapes)
    for mask in every:
        if mask not in canyon.by_mask:
            yield f"canyon: {'+'.join(canyon.name(s) for s in bits(mask))} is none of the shapes"
    if (
        sum(mask.bit_count() for mask in every)
        != (state.canyon & ~canyon.start | state.rival_canyon).bit_count()
        or state.canyon & state.rival_canyon
    ):
        yield "canyon: two shapes overlap"
    if not _joins(state.shapes, canyon.start, canyon.border):
        yield "canyon: a shape is not joined to the pre-drawn square"


def _creek(setting: Setting, state: SheetState) -> Iterator[str]:
    """Check that visited spaces hang together and end somewhere."""
    creek = setting.sheet.creek
    if state.crossed & state.circled or state.visited & state.rival_creek:
        yield "creek: a space carries two marks"
    reached, grown = 0, 1 << creek.start
    while grown != reached:
        reached, grown = grown, grown | next_to(creek, grown) & state.visited
    if reached != state.visited:
        name = creek.spaces[next(bits(state.visited & ~reached))].name
        yield f"creek: space {name} is not joined to the start by visited spaces"


def _mudcracks(setting: Setting, state: SheetState) -> Iterator[str]:
    """Check that nodes hang together, and boxes and circles are there."""
    mud = setting.sheet.mudcracks
    reached, grown = 0, 1 << mud.start
    while grown != reached:
        reached, grown = grown, grown | open_nodes(setting, grown) & state.nodes
    if reached != state.nodes:
        name = mud.nodes[next(bits(state.nodes & ~reached))].name
        yield f"mudcracks: node {name} is not joined to the start by marked nodes"
    for i, column in enumerate(mud.columns):
        if state.boxes[i] > column.boxes:
            yield f"mudcracks: column {i + 1} has {column.boxes} boxes, not {state.boxes[i]}"
    for node, count in zip(mud.nodes, state.circles, strict=True):
        if count > (setting.rules.circles_a_node if node.outside else 0):
            yield f"mudcracks: node {node.name} has no room for {count} circles"


def _bonuses(setting: Setting, state: SheetState) -> Iterator[str]:
    """Check that no more is crossed off than circled, nor circled than printed."""
    for bonus, circled, spent in zip(ICONS, state.bonuses, state.spent, strict=True):
        if not spent <= circled <= setting.icons(bonus):
            yield f"{bonus}: {circled} circled and {spent} crossed off of {setting.icons(bonus)}"
        if circled < setting.rules.start_bonuses.get(bonus, 0):
            yield f"{bonus}: fewer circled than at the start of the game"


def _joins(shapes: Sequence[int], start: int, border: Callable[[int], int]) -> bool:
    """Whether all shapes can be drawn one after the other from the start."""
    left, drawn, grew = list(shapes), start, True
    while left and grew:
        near = border(drawn)
        nxt = [mask for mask in left if mask & near]
        grew = bool(nxt)
        for mask in nxt:
            drawn |= mask
            left.remove(mask)
    return not left
