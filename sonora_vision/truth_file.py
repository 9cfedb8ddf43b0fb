"""What really lies on a photograph, for measuring how good readings are.

A truth file is written by whoever set the scene up, not by this program, so it may say more than
is needed here: keys that are not used are passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sonora_vision.calibrate.file_format import read_json
from sonora_vision.document import Mistakes, Record
from sonora_vision.observation import STATES, Point, State


@dataclass(frozen=True, kw_only=True)
class TrueDisc:
    """One disc as it really lies."""

    color: str
    number: int | None
    state: State
    center_mm: Point
    top_px: Point
    radius_px: float
    """Radius of the top face in the image."""
    visible: float | None
    """Part of the top face that can be seen, 0 to 1; None where it does not apply."""
    via: str
    """What it counts by: a word of a reading, or why it does not count."""
    sections: tuple[str, ...]
    margin_mm: float | None
    """How far it would have to move for the call to change."""


@dataclass(frozen=True, kw_only=True)
class Truth:
    """All discs of one photograph."""

    discs: tuple[TrueDisc, ...]


def load_truth(path: Path) -> Truth:
    """Read a truth file.

    Raises
    ------
    FileFormatError
        If the file cannot be read or its content is wrong; every mistake is named.
    """
    document = Record(read_json(path), Mistakes(str(path)))
    truth = Truth(discs=tuple(_disc(record) for record in document.records("discs")))
    document.mistakes.raise_any()
    return truth


def _disc(record: Record) -> TrueDisc:
    assignment = record.record("assignment")
    return TrueDisc(
        color=record.text("color"),
        number=None if record.is_null("number") else record.integer("number"),
        state=record.one_of("state", STATES),
        center_mm=record.point("center_mm"),
        top_px=record.point("top_px"),
        radius_px=record.number("radius_px", at_least=0),
        visible=None if record.is_null("visible") else record.number("visible", at_least=0),
        via=assignment.text("via"),
        sections=assignment.texts("sections"),
        margin_mm=None if record.is_null("margin_mm") else record.number("margin_mm"),
    )
