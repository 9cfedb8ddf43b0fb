"""What a board is: its outline, zones, multipliers, hole, launch corners and discs, in mm.

A board description is one JSON file that anybody can measure and write; a new board needs no code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from sonora_vision.calibrate.board_shapes import check_outline_holds
from sonora_vision.calibrate.board_sizes import check_sizes
from sonora_vision.calibrate.file_format import read_json
from sonora_vision.document import Mistakes, Record, is_integer, open_document
from sonora_vision.geometry import CircleShape, Point, PolygonShape, RingShape, Shape

Rule = Literal["majority", "lowest"]
ShapeName = Literal["polygon", "circle", "ring"]

KIND = "sonora-vision/board"
SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class Zone:
    """A part of the board that counts for one section of the scoresheet."""

    section: str
    shape: Shape
    value: int | None = None
    """What the zone is worth where the lowest zone touched decides; else None."""


@dataclass(frozen=True, kw_only=True)
class Multiplier:
    """A printed circle that a disc counts for as soon as it touches it."""

    section: str
    animal: str
    center_mm: Point
    radius_mm: float


@dataclass(frozen=True, kw_only=True)
class Hole:
    """The hole that swallows a disc."""

    center_mm: Point
    radius_mm: float
    depth_mm: float


@dataclass(frozen=True, kw_only=True)
class LaunchCorner:
    """A raised part that discs are flicked from; it is no zone."""

    points_mm: tuple[Point, ...]
    height_mm: float


@dataclass(frozen=True, kw_only=True)
class DiscSet:
    """The discs that are played with."""

    radius_mm: float
    height_mm: float
    colors: tuple[str, ...]
    numbers: tuple[int, ...]
    """The numbers of each color; empty for plain discs."""
    each_once: bool = True
    """Whether every color and number exists once."""


@dataclass(frozen=True, kw_only=True)
class BoardSpec:
    """One board, as measured by its owner."""

    name: str
    rule: Rule
    """Which zone decides: the one with most of the disc's area, or the lowest one touched."""
    outline_mm: tuple[Point, ...]
    """The board's edge, clockwise from the top-left corner."""
    zones: tuple[Zone, ...]
    discs: DiscSet
    multipliers: tuple[Multiplier, ...] = ()
    hole: Hole | None = None
    launch_corners: tuple[LaunchCorner, ...] = ()


def load_board(path: Path) -> BoardSpec:
    """Read a board description.

    Raises
    ------
    FileFormatError
        If the file cannot be read or its content is wrong; every mistake is named.
    """
    return board_from_json(read_json(path), str(path))


def board_from_json(values: Mapping[str, Any], where: str) -> BoardSpec:
    """Build a board from its JSON object.

    Parameters
    ----------
    values : mapping of str to object
        The parsed board description, lengths in mm.
    where : str
        The file, as messages name it.

    Raises
    ------
    FileFormatError
        Naming every mistake: its key, what was expected, what was found.
    """
    document = open_document(values, where, kind=KIND, schema=SCHEMA)
    document.one_of("unit", ["mm"])
    board = BoardSpec(
        name=document.text("name"),
        rule=document.one_of("rule", get_args(Rule)),
        outline_mm=document.points("outline"),
        zones=tuple(_zone(record) for record in document.records("zones")),
        multipliers=tuple(_multiplier(record) for record in document.records("multipliers")),
        hole=_hole(document.record("hole")) if document.has("hole") else None,
        launch_corners=tuple(_corner(record) for record in document.records("launch_corners")),
        discs=_discs(document.record("discs")),
    )
    document.close()
    check_outline_holds(
        outline_mm=board.outline_mm,
        shapes=_shapes(board),
        mistakes=document.mistakes,
    )
    _check_rule(board, document.mistakes)
    document.mistakes.raise_any()  # sizes are compared with each other, so all must be there
    _check_sizes(board, document.mistakes)
    document.mistakes.raise_any()
    return board


def board_to_json(board: BoardSpec) -> dict[str, Any]:
    """Return the JSON object that :func:`board_from_json` reads."""
    return {
        "kind": KIND,
        "schema": SCHEMA,
        "name": board.name,
        "unit": "mm",
        "rule": board.rule,
        "outline": _lists(board.outline_mm),
        "zones": [_zone_to_json(zone) for zone in board.zones],
        "multipliers": [
            {
                "section": circle.section,
                "animal": circle.animal,
                "center": list(circle.center_mm),
                "radius": circle.radius_mm,
            }
            for circle in board.multipliers
        ],
        "hole": board.hole
        and {
            "center": list(board.hole.center_mm),
            "radius": board.hole.radius_mm,
            "depth": board.hole.depth_mm,
        },
        "launch_corners": [
            {"points": _lists(corner.points_mm), "height": corner.height_mm}
            for corner in board.launch_corners
        ],
        "discs": {
            "radius": board.discs.radius_mm,
            "height": board.discs.height_mm,
            "colors": list(board.discs.colors),
            "numbers": list(board.discs.numbers),
            "each_once": board.discs.each_once,
        },
    }


def _zone(record: Record) -> Zone:
    zone = Zone(
        section=record.text("section"),
        value=record.integer("value", at_least=0) if record.has("value") else None,
        shape=_shape(record),
    )
    record.close()
    return zone


def _shape(record: Record) -> Shape:
    shape = record.one_of("shape", get_args(ShapeName))
    if shape == "polygon":
        return PolygonShape(points_mm=record.points("points"))
    center_mm = record.point("center")
    if shape == "circle":
        return CircleShape(center_mm=center_mm, radius_mm=record.number("radius", above=0))
    ring = RingShape(
        center_mm=center_mm,
        inner_mm=record.number("inner", above=0),
        outer_mm=record.number("outer", above=0),
    )
    if ring.outer_mm < ring.inner_mm:
        record.wrong("outer", f"more than inner ({ring.inner_mm:g})", ring.outer_mm)
    return ring


def _zone_to_json(zone: Zone) -> dict[str, Any]:
    values: dict[str, Any] = {"section": zone.section}
    if zone.value is not None:
        values["value"] = zone.value
    shape = zone.shape
    if isinstance(shape, PolygonShape):
        return values | {"shape": "polygon", "points": _lists(shape.points_mm)}
    values["center"] = list(shape.center_mm)
    if isinstance(shape, CircleShape):
        return values | {"shape": "circle", "radius": shape.radius_mm}
    return values | {"shape": "ring", "inner": shape.inner_mm, "outer": shape.outer_mm}


def _multiplier(record: Record) -> Multiplier:
    multiplier = Multiplier(
        section=record.text("section"),
        animal=record.text("animal"),
        center_mm=record.point("center"),
        radius_mm=record.number("radius", above=0),
    )
    record.close()
    return multiplier


def _hole(record: Record) -> Hole:
    hole = Hole(
        center_mm=record.point("center"),
        radius_mm=record.number("radius", above=0),
        depth_mm=record.number("depth", above=0),
    )
    record.close()
    return hole


def _corner(record: Record) -> LaunchCorner:
    corner = LaunchCorner(
        points_mm=record.points("points"), height_mm=record.number("height", at_least=0)
    )
    record.close()
    return corner


def _discs(record: Record) -> DiscSet:
    discs = DiscSet(
        radius_mm=record.number("radius", above=0),
        height_mm=record.number("height", above=0),
        colors=record.texts("colors", at_least=1),
        numbers=tuple(record.items("numbers", "a list of whole numbers")),
        each_once=record.flag("each_once", default=True),
    )
    for index, number in enumerate(discs.numbers):
        if not is_integer(number) or number < 1:
            record.wrong(f"numbers[{index}]", "a whole number at least 1", number)
    for name, values in (("colors", discs.colors), ("numbers", discs.numbers)):
        for index, value in enumerate(values):
            if value in values[:index]:
                record.wrong(f"{name}[{index}]", "each one once", value)
    record.close()
    return discs


def _check_rule(board: BoardSpec, mistakes: Mistakes) -> None:
    if not board.zones:
        mistakes.add("zones", "at least one zone", [])
    if board.rule == "lowest":
        for index, zone in enumerate(board.zones):
            if zone.value is None:
                mistakes.say(f"zones[{index}].value", "missing (rule lowest compares values)")


def _check_sizes(board: BoardSpec, mistakes: Mistakes) -> None:
    reaches_mm = {
        f"launch_corners[{index}].height": corner.height_mm
        for index, corner in enumerate(board.launch_corners)
    }
    if board.hole:
        reaches_mm["hole.depth"] = board.hole.depth_mm
    check_sizes(
        outline_mm=board.outline_mm,
        radius_mm=board.discs.radius_mm,
        height_mm=board.discs.height_mm,
        reaches_mm=reaches_mm,
        mistakes=mistakes,
    )


def _shapes(board: BoardSpec) -> dict[str, Shape]:
    """Return all that lies on the board, by its key in the description."""
    shapes = {f"zones[{index}]": zone.shape for index, zone in enumerate(board.zones)}
    for index, circle in enumerate(board.multipliers):
        shapes[f"multipliers[{index}]"] = CircleShape(
            center_mm=circle.center_mm, radius_mm=circle.radius_mm
        )
    if board.hole:
        shapes["hole"] = CircleShape(center_mm=board.hole.center_mm, radius_mm=board.hole.radius_mm)
    for index, corner in enumerate(board.launch_corners):
        shapes[f"launch_corners[{index}]"] = PolygonShape(points_mm=corner.points_mm)
    return shapes


def _lists(points: Sequence[Point]) -> list[list[float]]:
    return [list(point) for point in points]
