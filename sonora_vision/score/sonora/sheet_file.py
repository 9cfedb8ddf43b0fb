"""A sheet.toml read and checked, with every mistake in it named."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

from sonora_vision.document import Record, open_document
from sonora_vision.errors import FileFormatError
from sonora_vision.score.sonora.rules import rules
from sonora_vision.score.sonora.sheet import ANIMALS, BONUSES, Building, Cell, Reward, Ruins, Sheet
from sonora_vision.score.sonora.sheet_canyon import read_canyon
from sonora_vision.score.sonora.sheet_networks import read_creek, read_mudcracks

KIND = "sonora-vision/sheet"
SCHEMA = 1
FLICK_BONUSES = ("reflick", "swap")


@cache
def house_sheet() -> Sheet:
    """Return the sheet that comes with the program."""
    text = files(__package__).joinpath("house_sheet.toml").read_text(encoding="utf-8")
    return parse_sheet(text, "house_sheet.toml")


def load_sheet(path: Path) -> Sheet:
    """Read a sheet file.

    Raises
    ------
    FileFormatError
        If it cannot be read or is no sheet; names every mistake.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileFormatError(f"{path}: no such file; check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    return parse_sheet(text, str(path))


def parse_sheet(text: str, where: str) -> Sheet:
    """Read a sheet's text; ``where`` names it in errors."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileFormatError(f"{where}: not TOML: {error}") from None
    document = open_document(values, where, kind=KIND, schema=SCHEMA)
    sheet = Sheet(
        name=document.text("name"),
        source=document.text("source"),
        ruins=_ruins(document.record("ruins")),
        canyon=read_canyon(document.record("canyon")),
        creek=read_creek(document.record("creek")),
        mudcracks=read_mudcracks(document.record("mudcracks")),
        bonus_area=_icons(document.record("bonus_area"), FLICK_BONUSES),
        discovery_area=_icons(document.record("discovery_area"), ANIMALS),
        toml=text,
    )
    for bonus, given in rules().start_bonuses.items():
        if sheet.bonus_area[bonus] < given:
            document.wrong(f"bonus_area.{bonus}", f"at least {given} (circled at the start)",
                           sheet.bonus_area[bonus])  # fmt: skip
    document.close()
    document.mistakes.raise_any()
    return sheet


def _icons(area: Record, names: Iterable[str]) -> dict[str, int]:
    """Read how many icons of each kind are printed."""
    icons = {name: area.integer(name, at_least=0) for name in names}
    area.close()
    return icons


def _ruins(record: Record) -> Ruins:
    """Read the buildings; they may not share a hex, and each is one piece."""
    rival_record = record.record("rival")
    rival = _hexes(rival_record)
    rival_record.close()
    owner: dict[Cell, str] = dict.fromkeys(rival, "the rival's building")
    buildings: list[Building] = []
    for item in record.records("building"):
        building = Building(
            name=item.text("id"),
            hexes=_hexes(item),
            top=_reward(item.record("top")),
            bottom=_reward(item.record("bottom")),
        )
        item.close()
        if not building.name.isalpha() or building.name == "rival":
            item.wrong("id", "a name of letters", building.name)
        if building.name in {other.name for other in buildings}:
            item.wrong("id", "a name of its own", building.name)
        for cell in building.hexes:
            if cell in owner:
                item.mistakes.say(
                    item.key("rows"),
                    f"building {building.name} overlaps {owner[cell]} at column {cell[0]}, "
                    f"row {cell[1]}; move one of them",
                )
                break
            owner[cell] = f"building {building.name}"
        buildings.append(building)
    if len(buildings) != rules().buildings:
        record.wrong("building", f"{rules().buildings} buildings", len(buildings))
    record.close()
    return Ruins(buildings=tuple(buildings), rival=rival)


def _hexes(record: Record) -> tuple[Cell, ...]:
    """Read the hexes of ``at`` and ``rows``."""
    left, top = record.point("at")
    cells: list[Cell] = []
    for row, text in enumerate(record.texts("rows", at_least=1)):
        if set(text) - {"#", " "}:
            record.wrong(f"rows[{row}]", "only # and spaces", text)
        cells += [(int(left) + i, int(top) + row) for i, mark in enumerate(text) if mark == "#"]
    if cells and len(_joined(cells)) < len(cells):
        record.mistakes.say(record.key("rows"), "the hexes are in more than one piece; join them")
    return tuple(cells)


def _joined(cells: list[Cell]) -> set[Cell]:
    """Return the hexes that hang together with the first."""
    left, reached, todo = set(cells), {cells[0]}, [cells[0]]
    while todo:
        x, y = todo.pop()
        lean = y % 2  # odd rows lie half a hex to the right
        near = {(x - 1, y), (x + 1, y)} | {
            (x + lean - step, y + turn) for step in (0, 1) for turn in (-1, 1)
        }
        new = (near & left) - reached
        reached |= new
        todo += new
    return reached


def _reward(record: Record) -> Reward:
    """Read a reward."""
    reward = Reward(
        points=record.integer("points", at_least=0),
        bonus=record.one_of("bonus", BONUSES) if record.has("bonus") else None,
    )
    record.close()
    return reward
