"""The canyon of a sheet file: rows of characters to masks of squares."""

from __future__ import annotations

from collections.abc import Sequence

from sonora_vision.document import Record, is_integer
from sonora_vision.score.sonora.rules import rules
from sonora_vision.score.sonora.sheet import (
    BONUSES,
    Bonus,
    CactusColumn,
    Canyon,
    Cell,
    Shape,
    bits,
    orientations,
)

_PLAIN = " .SA"
"""No square, a plain one, the pre-drawn one, the rival's start."""
_MAX_SIDE = 26
"""Columns are named by a letter."""


def read_canyon(record: Record) -> Canyon:
    """Read the canyon and note its mistakes."""
    table = _table(record)
    letters = _icons(record)
    kinds = {column.letter: i for i, column in enumerate(table)}
    for letter in letters.keys() & kinds.keys():
        record.mistakes.say(record.key("icons"), f"letter {letter!r} is a cactus too")
    rows = record.texts("rows", at_least=1)
    width = max((len(row) for row in rows), default=1)
    if width > _MAX_SIDE or len(rows) > _MAX_SIDE:
        record.wrong("rows", f"at most {_MAX_SIDE} by {_MAX_SIDE} squares", f"{width}x{len(rows)}")
    at = {"open": 0, "S": 0, "A": 0}
    icons: dict[int, Bonus] = {}
    cacti: dict[int, int] = {}
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            square = y * width + x
            if mark != " ":
                at["open"] |= 1 << square
            if mark in "SA":
                at[mark] |= 1 << square
            elif mark in letters:
                icons[square] = letters[mark]
            elif mark in kinds:
                cacti[square] = kinds[mark]
            elif mark not in _PLAIN:
                record.wrong(f"rows[{y}]", f"a known letter in column {x + 1}", mark)
    canyon = Canyon(
        width=width, height=len(rows), open=at["open"], start=at["S"], rival=at["A"],
        icons=icons, cacti=cacti, table=table, shapes=_shapes(record),
    )  # fmt: skip
    _check_joined(record, canyon)
    record.close()
    return canyon


def _check_joined(record: Record, canyon: Canyon) -> None:
    """Every square must be in reach of the pre-drawn one."""
    if not canyon.start:
        record.mistakes.say(record.key("rows"), "no pre-drawn square; mark its squares S")
        return
    reached, grown = 0, canyon.start
    while grown != reached:
        reached, grown = grown, grown | canyon.border(grown)
    if cut_off := canyon.open & ~reached:
        name = canyon.name(next(bits(cut_off)))
        record.mistakes.say(record.key("rows"), f"square {name} is cut off from the start")


def _table(record: Record) -> tuple[CactusColumn, ...]:
    """Read the cactus table."""
    columns = []
    for item in record.records("cacti"):
        points = item.items("points", "a list of points for 1, 2, 3, ... cacti")
        rising = all(is_integer(p) for p in points) and points == sorted(points)
        if not points or not rising:
            item.wrong("points", "whole numbers that never fall", points)
            points = [0]
        columns.append(
            CactusColumn(letter=_letter(item), name=item.text("name"), points=tuple(points))
        )
        item.close()
    return tuple(columns)


def _icons(record: Record) -> dict[str, Bonus]:
    """Read which letter is which bonus."""
    icons: dict[str, Bonus] = {}
    for item in record.records("icons"):
        icons[_letter(item)] = item.one_of("bonus", BONUSES)
        item.close()
    return icons


def _letter(item: Record) -> str:
    """Read the letter of an icon."""
    letter = item.text("letter")
    if len(letter) != 1 or letter in _PLAIN:
        item.wrong("letter", "one character that is not S, A or a dot", letter)
    return letter


def _shapes(record: Record) -> tuple[Shape, ...]:
    """Read the shapes; every disc needs one, and no two are the same."""
    shapes: list[Shape] = []
    known: dict[tuple[Cell, ...], int] = {}
    for item in record.records("shape"):
        value = item.integer("value", at_least=1)
        cells = _cells(item, item.texts("rows", at_least=1))
        item.close()
        if not cells:
            continue
        normal = min(orientations(cells))
        if normal in known:
            item.mistakes.say(item.key("rows"), f"the same shape as one of value {known[normal]}")
        known[normal] = value
        shapes.append(Shape(value=value, cells=cells))
    for number in rules().disc_numbers:
        if number not in {shape.value for shape in shapes}:
            record.mistakes.say(record.key("shape"), f"no shape of value {number}")
    return tuple(shapes)


def _cells(item: Record, rows: Sequence[str]) -> tuple[Cell, ...]:
    """Read a shape's cells, which must be one piece."""
    if set("".join(rows)) - {"#", ".", " "}:
        item.wrong("rows", "only #, dots and spaces", list(rows))
        return ()
    cells = {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"}
    if not cells:
        item.wrong("rows", "at least one #", list(rows))
        return ()
    todo = [min(cells)]
    reached = set(todo)
    while todo:
        x, y = todo.pop()
        near = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} & cells - reached
        reached |= near
        todo += near
    if reached != cells:
        item.mistakes.say(item.key("rows"), "the squares are in more than one piece")
        return ()
    return tuple(sorted(cells))
