"""The creek and the mudcracks of a sheet file: named points joined by lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sonora_vision.document import Record
from sonora_vision.score.sonora.rules import CACTUS_SIZES
from sonora_vision.score.sonora.sheet import (
    BONUSES,
    Area,
    Column,
    Creek,
    Mudcracks,
    Node,
    Space,
    bits,
)

_CORNERS = 3
"""Nodes around an area."""


def read_creek(record: Record) -> Creek:
    """Read the creek and note its mistakes."""
    spaces = [_space(item) for item in record.records("spaces")]
    index = _index(record, "spaces", [space.name for space in spaces])
    start = _start(record, index)
    neighbors = _joined(record, "ways", index, start)
    rival = 0
    for name in record.texts("rival", at_least=1):
        if name in index:
            rival |= 1 << index[name]
        else:
            record.wrong("rival", "names of spaces", name)
    if spaces and (spaces[start].points or spaces[start].bonus):
        record.mistakes.say(record.key("start"), "the pre-drawn space has neither points nor bonus")
    record.close()
    return Creek(spaces=tuple(spaces), neighbors=neighbors, start=start, rival=rival)


def read_mudcracks(record: Record) -> Mudcracks:
    """Read the mudcracks and note their mistakes."""
    start_name = record.text("start")
    nodes = [_node(item, start_name) for item in record.records("nodes")]
    index = _index(record, "nodes", [node.name for node in nodes])
    start = _start(record, index)
    neighbors = _joined(record, "edges", index, start)
    areas = tuple(_area(item, index, neighbors) for item in record.records("areas"))
    seen: set[int] = set()
    for area in areas:
        if area.nodes in seen:
            record.mistakes.say(record.key("areas"), "two areas between the same three nodes")
        seen.add(area.nodes)
    columns = []
    for item in record.records("columns"):
        columns.append(
            Column(boxes=item.integer("boxes", at_least=1), bonus=item.one_of("bonus", BONUSES))
        )
        item.close()
    record.close()
    return Mudcracks(
        nodes=tuple(nodes), neighbors=neighbors, start=start, areas=areas, columns=tuple(columns)
    )


def _space(item: Record) -> Space:
    """Read a space."""
    if item.has("points") and item.has("bonus"):
        item.mistakes.say(item.key("bonus"), "a space has points or a bonus, not both")
    space = Space(
        name=item.text("name"),
        at_mm=item.point("at"),
        points=item.integer("points", at_least=1) if item.has("points") else 0,
        bonus=item.one_of("bonus", BONUSES) if item.has("bonus") else None,
    )
    item.close()
    return space


def _node(item: Record, start: str) -> Node:
    """Read a node; the pre-drawn one has no value."""
    name = item.text("name")
    node = Node(
        name=name,
        at_mm=item.point("at"),
        value=0 if name == start else item.integer("value", at_least=1),
        outside=item.flag("outside", default=False),
    )
    item.close()
    return node


def _area(item: Record, index: Mapping[str, int], neighbors: Sequence[int]) -> Area:
    """Read an area: three nodes that are joined to each other, with one thing in it."""
    names = item.text("nodes").split()
    mask = _mask(item, "nodes", names, index)
    corners = list(bits(mask))
    if len(corners) != _CORNERS or len(names) != _CORNERS:
        item.wrong("nodes", f"{_CORNERS} different nodes", " ".join(names))
    elif not all(neighbors[a] >> b & 1 for a in corners for b in corners if a < b):
        item.wrong("nodes", "nodes that are joined to each other", " ".join(names))
    if item.has("bonus") == item.has("cactus"):
        item.mistakes.say(item.path, "an area holds a bonus or a cactus, one of them")
    area = Area(
        nodes=mask,
        bonus=item.one_of("bonus", BONUSES) if item.has("bonus") else None,
        cactus=item.one_of("cactus", CACTUS_SIZES) if item.has("cactus") else None,
    )
    item.close()
    return area


def _index(record: Record, key: str, names: Sequence[str]) -> dict[str, int]:
    """Return the index of each name; a name must be one word and there once."""
    index: dict[str, int] = {}
    for i, name in enumerate(names):
        if name in index or not name.isalnum():
            record.wrong(f"{key}[{i}].name", "a word of its own, letters and digits", name)
        index.setdefault(name, i)
    return index


def _start(record: Record, index: Mapping[str, int]) -> int:
    """Read which point is drawn in before the game."""
    name = record.text("start")
    if index and name not in index:
        record.wrong("start", "the name of a point", name)
    return index.get(name, 0)


def _joined(record: Record, key: str, index: Mapping[str, int], start: int) -> tuple[int, ...]:
    """Read the lines; every point must be in reach of the start."""
    near = [0] * max(index.values(), default=0)
    near.append(0)
    for i, line in enumerate(record.texts(key, at_least=1)):
        names = line.split()
        if _mask(record, f"{key}[{i}]", names, index) and all(name in index for name in names):
            for a, b in pairwise(names):
                if a == b:
                    record.mistakes.say(record.key(f"{key}[{i}]"), f"{a} is joined to itself")
                near[index[a]] |= 1 << index[b]
                near[index[b]] |= 1 << index[a]
    reached, todo = 1 << start, [start]
    while todo:
        new = near[todo.pop()] & ~reached
        reached |= new
        todo += bits(new)
    cut_off = [name for name, i in index.items() if not reached >> i & 1]
    if cut_off:
        record.mistakes.say(
            record.key(key), f"{', '.join(cut_off)} not connected with the start; join them"
        )
    return tuple(near)


def _mask(record: Record, key: str, names: Sequence[str], index: Mapping[str, int]) -> int:
    """Return the mask of names, noting those that nothing has."""
    for name in names:
        if name not in index:
            record.wrong(key, "names of points", name)
    return sum(1 << i for i in {index[name] for name in names if name in index})
