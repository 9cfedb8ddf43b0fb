"""Making a reading that of the round: the camera's, a photograph's, or another program's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from flask import current_app

from sonora_vision.calibrate.photo import Pixels, decode_photo, load_photo
from sonora_vision.errors import SonoraError, UnreadableError
from sonora_vision.reading_file import reading_from_json, reading_to_json
from sonora_vision.table.events import HOST, Recorded
from sonora_vision.table.game import Game
from sonora_vision.web.door.uploads import check_upload
from sonora_vision.web.photos.store import Seen
from sonora_vision.web.server import server
from sonora_vision.web.table import drawings

_READ_S = 8.0
"""How long whoever asks waits; what was asked for is read later all the same."""


class NoCameraError(SonoraError):
    """There is no camera over this table."""


def record(game_id: str, read: Callable[[], Recorded], *, action_id: str) -> Game:
    """Let the host record a reading, once for each action, one after the other.

    Raises
    ------
    SonoraError
        Whatever the reading or the game refuses.
    """
    tables = server().tables
    with drawings.drawings().reading:
        if action_id and tables.store.done(game_id, action_id) is not None:
            return tables.game(game_id)
        return tables.act(game_id, HOST, read(), action_id=action_id)


def from_camera() -> Recorded:
    """Read what lies on the table now."""
    live = server().live
    if live is None:
        raise NoCameraError("there is no camera; choose a photograph")
    latest = live.read_now(timeout_s=_READ_S)
    return _kept(latest.pixels_bgr, latest.seen)


def from_upload(raw: bytes, name: str) -> Recorded:
    """Read a photograph that was sent."""
    here = server()
    check_upload(raw, name, max_pixels=here.params.upload_max_pixels)
    pixels = decode_photo(raw, name)
    return _kept(pixels, here.reader.read(pixels, name))


def from_offered(index: int) -> Recorded:
    """Read one of the photographs that the server offers."""
    offered = cast("tuple[Path, ...]", current_app.extensions["sonora_vision"].photos)
    if not 0 <= index < len(offered):
        raise UnreadableError("there is no such photograph; choose one of those shown")
    pixels = load_photo(offered[index])
    return _kept(pixels, server().reader.read(pixels, offered[index].name))


def from_document(values: Mapping[str, Any]) -> Recorded:
    """Take a reading that a program made; there is no picture of it."""
    return Recorded(reading=reading_to_json(reading_from_json(values, "reading")))


def _kept(pixels_bgr: Pixels, seen: Seen) -> Recorded:
    key = server().pictures.keep(pixels_bgr, seen.rectified, seen.reading)
    return Recorded(picture=key, reading=reading_to_json(seen.reading))
