"""Readings: the round's, by camera, photograph or document; and those of photographs alone."""

from __future__ import annotations

import threading
import time
from typing import cast

from flask import abort, current_app, request

from sonora_vision.observation import Reading
from sonora_vision.reading_file import reading_to_json
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.table.events import Recorded
from sonora_vision.web.api.formats import AllocationFormat, ReadingFormat
from sonora_vision.web.api.models import (
    CameraState,
    GameState,
    ReadAct,
    ReadingAct,
    ReadPhoto,
)
from sonora_vision.web.api.operation import operation
from sonora_vision.web.api.states import game_state
from sonora_vision.web.door.access import require_somebody
from sonora_vision.web.door.uploads import check_upload
from sonora_vision.web.photos.store import BusyError
from sonora_vision.web.photos.turn_order import parse_order
from sonora_vision.web.photos.views import Pages
from sonora_vision.web.server import server
from sonora_vision.web.table import recording

_PHOTOS = ("image/jpeg", "image/png")
_WAIT_S = 120.0
"""Four photographs before this one, each read in some seconds on a small computer."""
_LOOK_S = 0.02
_WAITING = threading.BoundedSemaphore(4)
"""Whoever waits here holds a thread of the server."""
_NAME = "photo"


@operation("GET", "/camera", answer=CameraState)
def get_camera() -> CameraState:
    """Tell what the camera over the table says."""
    require_somebody()
    live = server().live
    if live is None:
        return CameraState(there=False, state=None, reason=None, fault=None, version=None)
    status, latest = live.status, live.latest
    return CameraState(
        there=True,
        state=status.state,
        reason=status.reason,
        fault=live.fault,
        version=None if latest is None else latest.version,
    )


@operation(
    "POST", "/games/<game_id>/read", answer=GameState, body=ReadAct, faults=(409,), host=True
)
def read_now(game_id: str, body: ReadAct) -> GameState:
    """Make what lies on the table now, or an offered photograph, the round; for the host alone."""
    if body.source == "photo" and body.photo is None:
        abort(422, "photo: expected the number of a photograph")

    def read() -> Recorded:
        if body.source == "camera":
            return recording.from_camera()
        return recording.from_offered(cast(int, body.photo))

    game = recording.record(game_id, read, action_id=body.action_id or "")
    return game_state(game_id, game)


@operation(
    "POST",
    "/games/<game_id>/photo",
    answer=GameState,
    body=_PHOTOS,
    query={"action_id": {"type": "string", "pattern": "^[A-Za-z0-9_.:-]{1,64}$"}},
    faults=(409,),
    host=True,
)
def read_photo(game_id: str, body: bytes) -> GameState:
    """Make a photograph that is sent the round; for the host alone."""
    action_id = request.args.get("action_id", "")
    game = recording.record(
        game_id, lambda: recording.from_upload(body, _NAME), action_id=action_id
    )
    return game_state(game_id, game)


@operation(
    "POST", "/games/<game_id>/reading", answer=GameState, body=ReadingAct, faults=(409,), host=True
)
def take_reading(game_id: str, body: ReadingAct) -> GameState:
    """Make a reading of another program, or an edited one, the round; for the host alone."""
    game = recording.record(
        game_id, lambda: recording.from_document(body.reading), action_id=body.action_id or ""
    )
    return game_state(game_id, game)


@operation(
    "POST",
    "/readings",
    answer=ReadPhoto,
    status=201,
    body=_PHOTOS,
    query={"order": {"type": "string", "description": "colors in turn order, with commas"}},
    host=True,
)
def read_alone(body: bytes) -> ReadPhoto:
    """Read a photograph that belongs to no game, and wait for it; for the host alone.

    503 where too many wait already.
    """
    here = server()
    try:
        order = parse_order(request.args.get("order", ""), here.board.discs.colors)
    except ValueError as error:
        abort(422, str(error))
    check_upload(body, _NAME, max_pixels=here.params.upload_max_pixels)
    if not _WAITING.acquire(blocking=False):
        raise BusyError("many photographs are being read; try again in a few seconds")
    try:
        key, reading = _read(body)
    finally:
        _WAITING.release()
    return ReadPhoto(
        key=key,
        reading=ReadingFormat.model_validate(reading_to_json(reading)),
        allocation=AllocationFormat.model_validate(allocate(reading, order).to_json()),
    )


def _read(raw: bytes) -> tuple[str, Reading]:
    """Read a photograph after those that wait already."""
    store = cast(Pages, current_app.extensions["sonora_vision"]).store
    key = store.submit(_NAME, raw)
    until = time.monotonic() + _WAIT_S
    while time.monotonic() < until:
        entry = store.get(key)
        if entry is None or entry.state == "refused":
            abort(415, (entry and entry.refusal) or "this photograph could not be read")
        reading = store.reading(entry)
        if reading is not None:
            return key, reading
        time.sleep(_LOOK_S)
    abort(503, f"the photograph is read later; look at /readings/{key}")
