"""What the owner clicked: ``teach/answers.json`` of a rig's folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.file_format import read_json
from sonora_vision.errors import FileFormatError

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class EmptyAnswers:
    """Clicks on the picture of the empty board."""

    image: Path
    corners_px: tuple[Point, ...]
    """The outline's corners, in the order of the description."""
    hole_px: Point | None


@dataclass(frozen=True, kw_only=True)
class DiscAnswer:
    """One click on the picture of the discs."""

    color: str
    number: int | None
    px: Point


@dataclass(frozen=True, kw_only=True)
class Answers:
    """All clicks of a rig."""

    empty: EmptyAnswers
    discs_image: Path
    discs: tuple[DiscAnswer, ...]


def load_answers(path: Path, board: BoardSpec) -> Answers:
    """Read the answers and check them against the board.

    Raises
    ------
    FileFormatError
        Where a key is missing or wrong, a color or number is not the board's, or a disc is
        answered twice or not at all.
    """
    raw = read_json(path)
    empty, discs = _part(raw, "empty", path), _part(raw, "discs", path)
    corners = _list(empty, "empty.corners_px", "corners_px", path)
    if len(corners) != len(board.outline_mm):
        raise FileFormatError(
            f"{path}: empty.corners_px: expected {len(board.outline_mm)} points, one a corner of "
            f"the outline; got {len(corners)}"
        )
    hole = empty.get("hole_px")
    if board.hole is not None and hole is None:
        raise FileFormatError(f"{path}: empty.hole_px: expected the hole's centre; got nothing")
    answers = Answers(
        empty=EmptyAnswers(
            image=_image(empty, "empty.image", path),
            corners_px=tuple(
                _point(p, f"empty.corners_px[{i}]", path) for i, p in enumerate(corners)
            ),
            hole_px=None if hole is None else _point(hole, "empty.hole_px", path),
        ),
        discs_image=_image(discs, "discs.image", path),
        discs=tuple(
            _disc(each, f"discs.discs[{i}]", path, board)
            for i, each in enumerate(_list(discs, "discs.discs", "discs", path))
        ),
    )
    _check_complete(answers, board, path)
    return answers


def _part(raw: Mapping[str, Any], key: str, path: Path) -> Mapping[str, Any]:
    part = raw.get(key)
    if not isinstance(part, dict):
        raise FileFormatError(f"{path}: {key}: expected an object; got {part!r}")
    return part


def _list(part: Mapping[str, Any], name: str, key: str, path: Path) -> list[Any]:
    value = part.get(key)
    if not isinstance(value, list):
        raise FileFormatError(f"{path}: {name}: expected a list; got {value!r}")
    return value


def _image(part: Mapping[str, Any], name: str, path: Path) -> Path:
    value = part.get("image")
    if not isinstance(value, str) or not value or Path(value).name != value:
        raise FileFormatError(
            f"{path}: {name}: expected a file's name in this folder; got {value!r}"
        )
    return path.parent / value


def _point(value: Any, name: str, path: Path) -> Point:
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(v, int | float) and not isinstance(v, bool) for v in value)
    ):
        return float(value[0]), float(value[1])
    raise FileFormatError(f"{path}: {name}: expected two numbers [x, y] in pixels; got {value!r}")


def _disc(value: Any, name: str, path: Path, board: BoardSpec) -> DiscAnswer:
    if not isinstance(value, dict):
        raise FileFormatError(f"{path}: {name}: expected an object; got {value!r}")
    color, number = value.get("color"), value.get("number")
    if color not in board.discs.colors:
        raise FileFormatError(
            f"{path}: {name}.color: expected one of the board's colors "
            f"({', '.join(board.discs.colors)}); got {color!r}"
        )
    if board.discs.numbers and number not in board.discs.numbers:
        raise FileFormatError(
            f"{path}: {name}.number: expected one of {list(board.discs.numbers)}; got {number!r}"
        )
    return DiscAnswer(
        color=color,
        number=int(number) if board.discs.numbers else None,
        px=_point(value.get("px"), f"{name}.px", path),
    )


def _check_complete(answers: Answers, board: BoardSpec, path: Path) -> None:
    given = [(disc.color, disc.number) for disc in answers.discs]
    if board.discs.numbers and board.discs.each_once:
        twice = sorted({f"{c} {n}" for c, n in given if given.count((c, n)) > 1})
        if twice:
            raise FileFormatError(
                f"{path}: discs.discs: {', '.join(twice)} answered twice; expected each once"
            )
        wanted = {(c, n) for c in board.discs.colors for n in board.discs.numbers}
        missing = sorted(f"{c} {n}" for c, n in wanted - set(given))
        if missing:
            raise FileFormatError(
                f"{path}: discs.discs: {', '.join(missing)} missing; click every disc"
            )
    absent = sorted(set(board.discs.colors) - {color for color, _ in given})
    if absent:
        raise FileFormatError(
            f"{path}: discs.discs: no disc of color {', '.join(absent)}; click one or more of each"
        )
