"""Marks: one legal act on a scoresheet each, and how they are written.

====================  =========================================================
``ruins B 9``         cross off nine hexes of building B (``ruins rival 3`` in solo)
``canyon 5 a1 b1``    draw the shape on those squares with a disc of 5
``canyon fox a1``     the same with a Fox Bonus, ``fox*`` with one saved for later
``creek 4 a1 a2 b1``  make a path through those spaces, the last one circled
``creek owl a1``      the same with an Owl Bonus, ``owl*`` with one saved for later
``mudcracks i1``      mark a node
``mudcracks box 2 3`` mark three boxes of column 2
``mudcracks rabbit``  use a Rabbit Bonus, ``rabbit*`` one saved for later
``mudcracks add o3 2``  solo: the rival fills in two small circles around a node
``discovery fox``     choose the animal of a Discovery Bonus
====================  =========================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sonora_vision.errors import RuleError
from sonora_vision.score.sonora.sheet import ANIMALS, Animal, Sheet, bits

Source = int | Literal["bonus", "saved"]
"""What pays for a mark: a disc's number, an Animal Bonus, or one saved in the Discovery area."""


@dataclass(frozen=True, slots=True)
class CrossHexes:
    """Cross off hexes of one building; index ``len(buildings)`` is the rival's."""

    building: int
    count: int


@dataclass(frozen=True, slots=True)
class DrawShape:
    """Draw a shape on the squares of a mask."""

    source: Source
    mask: int


@dataclass(frozen=True, slots=True)
class MakePath:
    """Make a path through spaces; the last is circled."""

    source: Source
    spaces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UseRabbit:
    """Add a Rabbit Bonus to the Mudcracks value."""

    source: Source


@dataclass(frozen=True, slots=True)
class MarkNode:
    """Mark a node."""

    node: int


@dataclass(frozen=True, slots=True)
class FillBoxes:
    """Mark boxes of a bonus column."""

    column: int
    count: int


@dataclass(frozen=True, slots=True)
class AddCircles:
    """Solo: the rival makes an outside node dearer."""

    node: int
    count: int


@dataclass(frozen=True, slots=True)
class Discover:
    """Choose the animal of a Discovery Bonus."""

    animal: Animal


Mark = CrossHexes | DrawShape | MakePath | UseRabbit | MarkNode | FillBoxes | AddCircles | Discover

_RIVAL = "rival"


def mark_text(sheet: Sheet, mark: Mark) -> str:
    """Write a mark so that `parse_mark` reads it back."""
    nodes = sheet.mudcracks.nodes
    match mark:
        case CrossHexes(building, count):
            names = [*(b.name for b in sheet.ruins.buildings), _RIVAL]
            return f"ruins {names[building]} {count}"
        case DrawShape(source, mask):
            squares = " ".join(sheet.canyon.name(square) for square in bits(mask))
            return f"canyon {_source_text(source, 'fox')} {squares}"
        case MakePath(source, spaces):
            names = [sheet.creek.spaces[space].name for space in spaces]
            return f"creek {_source_text(source, 'owl')} {' '.join(names)}"
        case UseRabbit(source):
            return f"mudcracks {_source_text(source, 'rabbit')}"
        case MarkNode(node):
            return f"mudcracks {nodes[node].name}"
        case FillBoxes(column, count):
            return f"mudcracks box {column + 1} {count}"
        case AddCircles(node, count):
            return f"mudcracks add {nodes[node].name} {count}"
        case Discover(animal):
            return f"discovery {animal}"


def parse_mark(sheet: Sheet, text: str) -> Mark:
    """Read a mark.

    Raises
    ------
    RuleError
        If the text is no mark on this sheet; it says which word is wrong.
    """
    match text.split():
        case ["ruins", name, count]:
            known = {**sheet.ruins.by_name, _RIVAL: len(sheet.ruins.buildings)}
            return CrossHexes(_known(text, "building", known, name), _count(text, count))
        case ["canyon", source, first, *more]:
            squares = [_known(text, "square", sheet.canyon.names, n) for n in (first, *more)]
            _all_different(text, squares)
            return DrawShape(_source(text, source, "fox"), sum(1 << s for s in squares))
        case ["creek", source, first, *more]:
            spaces = [_known(text, "space", sheet.creek.by_name, n) for n in (first, *more)]
            _all_different(text, spaces)
            return MakePath(_source(text, source, "owl"), tuple(spaces))
        case ["mudcracks", "rabbit" | "rabbit*" as source]:
            return UseRabbit(_source(text, source, "rabbit"))
        case ["mudcracks", "box", column, count]:
            columns = {str(i + 1): i for i in range(len(sheet.mudcracks.columns))}
            return FillBoxes(_known(text, "column", columns, column), _count(text, count))
        case ["mudcracks", "add", name, count]:
            node = _known(text, "node", sheet.mudcracks.by_name, name)
            return AddCircles(node, _count(text, count))
        case ["mudcracks", name]:
            return MarkNode(_known(text, "node", sheet.mudcracks.by_name, name))
        case ["discovery", name]:
            return Discover(ANIMALS[_known(text, "animal", _ANIMAL_INDEX, name)])
    raise RuleError(
        f"mark {text!r}: expected ruins, canyon, creek, mudcracks or discovery and what to mark, "
        "as 'ruins B 9'"
    )


_ANIMAL_INDEX: Mapping[str, int] = {animal: i for i, animal in enumerate(ANIMALS)}


def _source_text(source: Source, animal: str) -> str:
    """Write what pays."""
    return {"bonus": animal, "saved": f"{animal}*"}.get(str(source), str(source))


def _source(text: str, word: str, animal: str) -> Source:
    """Read what pays."""
    if word == animal:
        return "bonus"
    if word == f"{animal}*":
        return "saved"
    return _count(text, word)


def _count(text: str, word: str) -> int:
    """Read a number from 1."""
    if not word.isascii() or not word.isdigit() or int(word) < 1:
        raise RuleError(f"mark {text!r}: expected a number from 1, got {word!r}")
    return int(word)


def _known(text: str, what: str, known: Mapping[str, int], name: str) -> int:
    """Look a name up on the sheet."""
    found = known.get(name)
    if found is None:
        raise RuleError(f"mark {text!r}: off the sheet: no {what} is called {name!r}")
    return found


def _all_different(text: str, things: list[int]) -> None:
    """Refuse a place named twice."""
    if len(set(things)) != len(things):
        raise RuleError(f"mark {text!r}: names a place twice")
