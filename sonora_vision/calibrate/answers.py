"""What the owner clicked: ``teach/answers.json`` of a rig's folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.file_format import read_json
from sonora_vision.document import Mistakes, Record
from sonora_vision.observation import Point


@dataclass(frozen=True, kw_only=True)
class EmptyAnswers:
    """Clicks on the picture of the empty board."""

    image: Path
    corners_px: tuple[Point, ...]
    """The outline's corners, in the order of the description."""
    hole_px: Point | None
    """The hole's center; None where the board has none."""


@dataclass(frozen=True, kw_only=True)
class DiscAnswer:
    """One click on the picture of the discs."""

    color: str
    number: int | None
    """None for plain discs."""
    px: Point
    """About the middle of its top face."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """All clicks of a rig."""

    empty: EmptyAnswers
    discs_image: Path
    discs: tuple[DiscAnswer, ...]


def load_answers(path: Path, board: BoardSpec) -> Answers:
    """Read the answers and check them against the board.

    Parameters
    ----------
    path : Path
        The file; its pictures lie beside it.
    board : BoardSpec
        The board that was clicked on.

    Raises
    ------
    FileFormatError
        Where a key is missing, unknown or wrong, a color or number is not the board's, or a disc
        is answered twice or not at all; every mistake is named.
    """
    mistakes = Mistakes(str(path))
    document = Record(read_json(path), mistakes)
    empty, discs = document.record("empty"), document.record("discs")
    answers = Answers(
        empty=_empty(empty, path.parent, board),
        discs_image=_image(discs, path.parent),
        discs=tuple(_disc(each, board) for each in discs.records("discs")),
    )
    for record in (empty, discs, document):
        record.close()
    mistakes.raise_any()
    _check_complete(answers, board, mistakes)
    mistakes.raise_any()
    return answers


def _empty(record: Record, folder: Path, board: BoardSpec) -> EmptyAnswers:
    record.has("order")  # a remark on the corners' order, for whoever reads the file
    corners_px = record.points("corners_px")
    if corners_px and len(corners_px) != len(board.outline_mm):
        expected = f"{len(board.outline_mm)} points, one a corner of the outline"
        record.wrong("corners_px", expected, len(corners_px))
    return EmptyAnswers(
        image=_image(record, folder),
        corners_px=corners_px,
        hole_px=record.point("hole_px") if board.hole or record.has("hole_px") else None,
    )


def _image(record: Record, folder: Path) -> Path:
    name = record.text("image")
    if Path(name).name != name:
        record.wrong("image", "a file's name in this folder", name)
    return folder / name


def _disc(record: Record, board: BoardSpec) -> DiscAnswer:
    number = None
    if board.discs.numbers:
        number = record.integer("number")
        if number not in board.discs.numbers:
            record.wrong("number", f"one of {list(board.discs.numbers)}", number)
    else:
        record.has("number")  # null, or what the owner calls it: it is not printed on the disc
    answer = DiscAnswer(
        color=record.one_of("color", board.discs.colors), number=number, px=record.point("px")
    )
    record.close()
    return answer


def _check_complete(answers: Answers, board: BoardSpec, mistakes: Mistakes) -> None:
    """Note discs that were answered twice, or not at all."""
    given = [(disc.color, disc.number) for disc in answers.discs]
    if board.discs.numbers and board.discs.each_once:
        twice = sorted({f"{c} {n}" for c, n in given if given.count((c, n)) > 1})
        if twice:
            mistakes.say("discs.discs", f"{', '.join(twice)} answered twice; expected each once")
        wanted = {(c, n) for c in board.discs.colors for n in board.discs.numbers}
        missing = sorted(f"{c} {n}" for c, n in wanted - set(given))
        if missing:
            mistakes.say("discs.discs", f"{', '.join(missing)} missing; click every disc")
    absent = sorted(set(board.discs.colors) - {color for color, _ in given})
    if absent:
        mistakes.say(
            "discs.discs", f"no disc of color {', '.join(absent)}; click one or more of each"
        )
