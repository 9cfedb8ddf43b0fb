"""Rounds that people put right, kept as labelled photographs that `evaluate` measures against."""

from __future__ import annotations

import logging
import math
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.file_format import (
    json_text,
    write_bytes_atomically,
    write_text_atomically,
)
from sonora_vision.errors import SonoraError
from sonora_vision.observation import Disc, Point, Pose, Reading
from sonora_vision.table.discs import Place, Tabletop, unplaced
from sonora_vision.table.game import Game, Round
from sonora_vision.table.picture_files import PictureFiles
from sonora_vision.table.repairs import is_announced, is_repaired

_LOG = logging.getLogger(__name__)
_SEEN_MAX = 64
"""Rounds that are known to be kept as they are; others are written again when they are met."""


class HasBoard(Protocol):
    """What knows the board that is played on."""

    @property
    def board(self) -> BoardSpec:
        """The board; raises `SonoraError` while there is none."""
        ...


class Corrections:
    """A folder with ``photos`` and ``truth``, as a rig has them.

    Parameters
    ----------
    folder : Path
        Made with the first correction.
    pictures : PictureFiles
        Where the photographs are.
    max_bytes : int
        The oldest go when there is more.
    """

    def __init__(self, folder: Path, pictures: PictureFiles, *, max_bytes: int) -> None:
        self._photos, self._truth = folder / "photos", folder / "truth"
        self._pictures = pictures
        self._max_bytes = max_bytes
        self._seen: dict[tuple[str, int], Tabletop | None] = {}
        self._lock = threading.Lock()

    def look(self, game_id: str, game: Game, reader: HasBoard) -> None:
        """Keep what is put right of the rounds that are being, or were just, written down.

        Parameters
        ----------
        game_id, game
            A game after an event.
        reader : HasBoard
            What reads the photographs; a game on another board than its is passed over.
        """
        rounds = game.past[-1:] if game.phase in ("play", "settle") else (game.now,)
        for each in rounds:
            key = (game_id, each.number)
            with self._lock:
                if key in self._seen and self._seen[key] == each.table:
                    continue
                if len(self._seen) >= _SEEN_MAX:
                    self._seen.clear()
                self._seen[key] = each.table
            try:
                if reader.board.name == game.board:
                    self._write(f"{game_id}-{each.number:02d}", each, reader.board)
            except SonoraError as error:
                _LOG.warning("correction of round %d not kept: %s", each.number, error)

    def _write(self, stem: str, round_: Round, board: BoardSpec) -> None:
        photo, truth = self._photos / f"{stem}.jpg", self._truth / f"{stem}.json"
        if round_.picture is None or not is_repaired(round_):
            truth.unlink(missing_ok=True)
            photo.unlink(missing_ok=True)
            return
        write_bytes_atomically(photo, self._pictures.photo(round_.picture))
        write_text_atomically(truth, json_text(truth_of(round_, board)))
        self._prune(photo)

    def _prune(self, newest: Path) -> None:
        files = [(entry.stat(), Path(entry.path)) for entry in os.scandir(self._photos)]
        left = sum(status.st_size for status, _ in files)
        for status, photo in sorted(files, key=lambda each: each[0].st_mtime):
            if left > self._max_bytes and photo != newest:
                (self._truth / f"{photo.stem}.json").unlink(missing_ok=True)
                photo.unlink(missing_ok=True)
                left -= status.st_size


def truth_of(round_: Round, board: BoardSpec) -> dict[str, Any]:
    """Return what lies on a round's photograph, as a truth file has it.

    Swaps are left out: on the photograph the discs lie as they were flicked. A bullseye that was
    taken out later lies in the hole there.

    Raises
    ------
    SonoraError
        If the round has no reading, or one that does not fit the board.
    """
    if round_.reading is None or round_.table is None:
        raise SonoraError(f"round {round_.number}: expected a round that was read")
    to_image = _to_image(round_.reading.pose, board)
    return {
        "image": round_.reading.image,
        "board": board.name,
        "discs": [
            {
                "color": disc.color,
                "number": disc.number,
                "state": disc.state,
                "center_mm": list(disc.center_mm),
                "top_px": list(disc.top_px),
                "radius_px": round(board.discs.radius_mm * _scale(to_image, disc.center_mm), 2),
                "visible": None if hidden else 1.0,
                "assignment": {"via": disc.via, "sections": list(disc.sections)},
                "margin_mm": disc.margin_mm,
            }
            for disc, hidden in _on_the_photograph(round_.reading, round_.table)
        ],
    }


def _on_the_photograph(reading: Reading, table: Tabletop) -> Iterator[tuple[Disc, bool]]:
    """Yield the discs that were there, and whether something hid each."""
    for index, place in enumerate(table.places):
        read = reading.discs[index] if index < len(reading.discs) else None
        if place is not None:
            yield _as_photographed(place), "hidden" in place.disc.doubts
        elif read is not None and is_announced(read, table):
            yield read, False


def _as_photographed(place: Place) -> Disc:
    """Return a place's disc before swaps and before its owner chose what the rules leave open."""
    now = (
        place.now
        if unplaced(place.disc)
        else replace(place.now, via=place.disc.via, sections=place.disc.sections)
    )
    return now if place.photo_number is None else replace(now, number=place.photo_number)


def _to_image(pose: Pose, board: BoardSpec) -> Any:
    """Return the projective map from the board frame to the image, shape (3, 3)."""
    if len(pose.corners_px) != len(board.outline_mm):
        raise SonoraError(
            f"expected a pose with the board's {len(board.outline_mm)} corners, "
            f"got {len(pose.corners_px)}"
        )
    found, _ = cv2.findHomography(np.array(board.outline_mm), np.array(pose.corners_px))
    if found is None:
        raise SonoraError("expected corners of a board in the picture, got points on a line")
    return found


def _scale(to_image: Any, center_mm: Point) -> float:
    """Return pixels a millimetre at a place: the root of the map's Jacobian determinant there.

    For a projective map that is the root of ``|det H| / w**3``.
    """
    w = float(to_image[2] @ np.array([*center_mm, 1.0]))
    return math.sqrt(abs(float(np.linalg.det(to_image))) / abs(w) ** 3)
