"""A game's log: an append-only file of lines, from which the game comes back on any machine.

The first line says what was agreed and carries the sheet; every further line is one event. Each
line ends in a check that depends on all lines before it, so that an edited or a cut-off line is
found. A line is on the disk before the program goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sonora_vision.document import open_document
from sonora_vision.errors import FileFormatError, SonoraError
from sonora_vision.score.sonora.events import Event, event_text, parse_event
from sonora_vision.score.sonora.game_state import GameState, new_game
from sonora_vision.score.sonora.rounds import History
from sonora_vision.score.sonora.sheet_file import parse_sheet

KIND = "sonora-vision/log"
SCHEMA = 1
_CHECK_DIGITS = 16


class GameLog:
    """A game being played, with its file.

    Attributes
    ----------
    path : Path
        The file.
    history : History
        The game.
    """

    def __init__(self, path: Path, history: History, check: str) -> None:
        self.path = path
        self.history = history
        self._check = check

    @classmethod
    def create(cls, path: Path, start: GameState) -> GameLog:
        """Begin a log for a game that has not begun.

        Raises
        ------
        FileFormatError
            If the file is there already or cannot be written.
        """
        line, check = _line(_opening(start), "")
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            raise FileFormatError(f"{path}: is there already; take another name") from None
        except OSError as error:
            raise FileFormatError(f"{path}: cannot be written: {error.strerror}") from None
        return cls(path, History(past=(), now=start), check)

    @classmethod
    def resume(cls, path: Path) -> GameLog:
        """Read a log and play it again.

        Raises
        ------
        FileFormatError
            If a line is cut off, edited, or of a newer schema, or its event cannot happen; names
            the line and how many before it are whole. Nothing is changed.
        """
        lines = _lines(path)
        values, check = _checked(path, 1, next(lines), "")
        history = History(past=(), now=_start(path, values))
        for number, text in enumerate(lines, start=2):
            values, check = _checked(path, number, text, check)
            try:
                history = history.after(parse_event(values["event"]))
            except SonoraError as error:
                raise FileFormatError(f"{path}: line {number}: {error}") from None
        return cls(path, history, check)

    def append(self, event: Event) -> None:
        """Let an event happen and write it down; an illegal one changes neither.

        Raises
        ------
        RuleError
            If the event cannot happen now.
        FileFormatError
            If the file cannot be written.
        """
        history = self.history.after(event)
        line, check = _line({"event": event_text(event)}, self._check)
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise FileFormatError(f"{self.path}: cannot be written: {error.strerror}") from None
        self.history, self._check = history, check


def recover(path: Path) -> Path | None:
    """Cut a half-written last line off a log, keeping it beside the log.

    Returns
    -------
    Path or None
        The file that holds the cut-off text; None if the log ends in a whole line.
    """
    content = _bytes(path)
    whole, _, torn = content.rpartition(b"\n")
    if not torn:
        return None
    beside = path.with_name(f"{path.name}.torn")
    beside.write_bytes(torn)
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(whole + b"\n")
    new.replace(path)
    return beside


def _opening(start: GameState) -> dict[str, Any]:
    """Return what the first line says."""
    setup = start.setup
    return {
        "kind": KIND,
        "schema": SCHEMA,
        "colors": list(setup.colors),
        "first": setup.first,
        "rounds": setup.rounds,
        "seats": list(setup.seats),
        "solo": setup.solo,
        "no_bunting": setup.no_bunting,
        "spanish": sorted(setup.spanish),
        "sheet": setup.sheet.toml,
    }


def _start(path: Path, values: dict[str, Any]) -> GameState:
    """Return the game that the first line opens."""
    document = open_document(values, f"{path}: line 1", kind=KIND, schema=SCHEMA)
    sheet_text = document.text("sheet")
    seats = tuple(int(seat) for seat in document.items("seats", "a list of corners"))
    opening: dict[str, Any] = {
        "first": document.text("first"),
        "rounds": document.integer("rounds"),
        "solo": document.flag("solo", default=False),
        "no_bunting": document.flag("no_bunting", default=False),
        "spanish": frozenset(document.texts("spanish")),
    }
    colors = document.texts("colors", at_least=1)
    document.close()
    document.mistakes.raise_any()
    sheet = parse_sheet(sheet_text, f"{path}: line 1: sheet")
    return new_game(sheet, colors, seats=seats, **opening)


def _line(values: dict[str, Any], before: str) -> tuple[str, str]:
    """Return a line and its check, which depends on the check before it."""
    text = json.dumps(values, ensure_ascii=False, sort_keys=True)
    check = hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()[:_CHECK_DIGITS]
    return json.dumps({**values, "check": check}, ensure_ascii=False) + "\n", check


def _checked(path: Path, number: int, text: str, before: str) -> tuple[dict[str, Any], str]:
    """Return a line's values without its check, and the check."""
    where = f"{path}: line {number}"
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        raise FileFormatError(f"{where}: not a line of a log; {_whole(number)}") from None
    if not isinstance(values, dict):
        raise FileFormatError(f"{where}: not a line of a log; {_whole(number)}")
    if number == 1:
        kind, schema = values.get("kind"), values.get("schema")
        open_document({"kind": kind, "schema": schema}, where, kind=KIND, schema=SCHEMA)
    elif values.keys() != {"event", "check"} or not isinstance(values["event"], str):
        raise FileFormatError(f"{where}: expected event and check; {_whole(number)}")
    given = values.pop("check", None)
    _, check = _line(values, before)
    if given != check:
        raise FileFormatError(f"{where}: edited, or a line before it is gone; {_whole(number)}")
    return values, check


def _whole(number: int) -> str:
    """Say how much of the log is good."""
    return f"the {number - 1} lines before it are whole" if number > 1 else "no line is whole"


def _bytes(path: Path) -> bytes:
    """Read the file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise FileFormatError(f"{path}: no such file; check the path") from None
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read: {error.strerror}") from None


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines, all of them whole."""
    content = _bytes(path)
    if not content:
        raise FileFormatError(f"{path}: empty; no game was begun in it")
    *lines, torn = content.split(b"\n")
    if torn:
        raise FileFormatError(
            f"{path}: line {len(lines) + 1}: cut off in the middle; {_whole(len(lines) + 1)}; "
            "recover it to go on from there"
        )
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise FileFormatError(f"{path}: line {number}: not UTF-8 text") from None
