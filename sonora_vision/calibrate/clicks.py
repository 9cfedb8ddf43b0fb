"""What somebody clicked on one photograph: points of the board, and a disc of each color."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.file_format import read_json
from sonora_vision.document import Mistakes, Record
from sonora_vision.observation import Point

KIND = "sonora-vision/clicks"
SCHEMA = 1
LEAST_LANDMARKS = 4
"""Point pairs that determine where a plane lies (a homography has eight unknowns)."""
_LEAST_SPREAD_MM = 10.0
"""Landmarks nearer than this to one line leave the board's tilt open."""


@dataclass(frozen=True, kw_only=True)
class Landmark:
    """A point of the board and where it is in the photograph."""

    mm: Point
    px: Point


@dataclass(frozen=True, kw_only=True)
class ColorClick:
    """A lying disc whose color was told."""

    color: str
    px: Point
    """About the middle of its top face."""


@dataclass(frozen=True, kw_only=True)
class Clicks:
    """All clicks on one photograph."""

    landmarks: tuple[Landmark, ...]
    colors: tuple[ColorClick, ...]


def load_clicks(path: Path, board: BoardSpec) -> Clicks:
    """Read a file of clicks and check it against the board.

    Raises
    ------
    FileFormatError
        If the file cannot be read or its content is wrong; every mistake is named.
    """
    return clicks_from_json(read_json(path), board, str(path))


def clicks_from_json(values: Mapping[str, Any], board: BoardSpec, where: str) -> Clicks:
    """Build clicks from their JSON object.

    Parameters
    ----------
    values : mapping of str to object
        ``{landmarks: [{mm, px}], colors: [{color, px}]}``; kind and schema may be left out.
    board : BoardSpec
        The board that was clicked on.
    where : str
        The file, as messages name it.

    Raises
    ------
    FileFormatError
        Naming every mistake: its key, what was expected, what was found.
    """
    mistakes = Mistakes(where)
    document = Record(values, mistakes)
    if document.has("kind"):
        document.one_of("kind", [KIND])
    if document.has("schema") and (schema := document.integer("schema")) != SCHEMA:
        document.wrong("schema", str(SCHEMA), schema)
    clicks = Clicks(
        landmarks=tuple(_landmark(record) for record in document.records("landmarks")),
        colors=tuple(_color(record, board) for record in document.records("colors")),
    )
    document.close()
    mistakes.raise_any()
    _check_landmarks(clicks.landmarks, mistakes)
    clicked = {click.color for click in clicks.colors}
    for color in board.discs.colors:
        if color not in clicked:
            mistakes.say(
                "colors", f"no {color} disc; click one of each color, or take {color} off the board"
            )
    mistakes.raise_any()
    return clicks


def clicks_to_json(clicks: Clicks) -> dict[str, Any]:
    """Return the JSON object that :func:`clicks_from_json` reads."""
    return {
        "kind": KIND,
        "schema": SCHEMA,
        "landmarks": [{"mm": list(each.mm), "px": list(each.px)} for each in clicks.landmarks],
        "colors": [{"color": each.color, "px": list(each.px)} for each in clicks.colors],
    }


def _landmark(record: Record) -> Landmark:
    landmark = Landmark(mm=record.point("mm"), px=record.point("px"))
    record.close()
    return landmark


def _color(record: Record, board: BoardSpec) -> ColorClick:
    click = ColorClick(color=record.one_of("color", board.discs.colors), px=record.point("px"))
    record.close()
    return click


def _check_landmarks(landmarks: tuple[Landmark, ...], mistakes: Mistakes) -> None:
    """Note landmarks that do not say where a plane lies."""
    if len(landmarks) < LEAST_LANDMARKS:
        mistakes.add("landmarks", f"at least {LEAST_LANDMARKS}", len(landmarks))
        return
    for index, each in enumerate(landmarks):
        for name, point in (("mm", each.mm), ("px", each.px)):
            if point in [getattr(other, name) for other in landmarks[:index]]:
                mistakes.add(f"landmarks[{index}].{name}", "each point once", list(point))
    if not len(mistakes) and not _span_a_plane(landmarks):
        mistakes.say(
            "landmarks", "expected four of which no three lie on one line, as the board's corners"
        )


def _span_a_plane(landmarks: tuple[Landmark, ...]) -> bool:
    """Whether four of the points are in general position: then a homography is determined."""
    points = np.array([each.mm for each in landmarks])
    for dropped in range(len(points)):
        rest = np.delete(points, dropped, axis=0)
        if np.linalg.svd(rest - rest.mean(axis=0))[1][1] < _LEAST_SPREAD_MM:
            return False  # all but one lie on a line
    return True
