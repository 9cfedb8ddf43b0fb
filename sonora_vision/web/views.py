"""The pages: choose a photograph, wait for it to be read, look at what was seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import cast

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import decode_photo, load_photo
from sonora_vision.errors import UnreadableError
from sonora_vision.reading_file import reading_to_json
from sonora_vision.score.allocation import Allocation
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.web import pictures, words
from sonora_vision.web.params import WebParams
from sonora_vision.web.store import BusyError, Entry, Reader, ReadingStore, Seen
from sonora_vision.web.turn_order import parse_order, places, spectators
from sonora_vision.web.uploads import check_upload, shown_name

pages = Blueprint("pages", __name__)

_FOREVER = "private, max-age=86400, immutable"
"""A reading never changes under its key, so its pictures may be kept by the browser."""


@dataclass(frozen=True, kw_only=True)
class Pages:
    """What the pages of one application share."""

    reader: Reader
    store: ReadingStore
    photos: tuple[Path, ...]
    params: WebParams
    thumbnail: Callable[[int], bytes] = field(init=False)

    def __post_init__(self) -> None:
        draw = lru_cache(maxsize=256)(
            lambda index: pictures.thumbnail_jpeg(self.photos[index], self.params)
        )
        object.__setattr__(self, "thumbnail", draw)

    @property
    def board(self) -> BoardSpec:
        """The board that is read."""
        return self.reader.board


def _shared() -> Pages:
    return cast(Pages, current_app.extensions["sonora_vision"])


@pages.get("/photos")
def home() -> str:
    """Offer to choose, drop or pick a photograph."""
    shared = _shared()
    return render_template(
        "home.html",
        board=shared.board.name,
        photos=[path.name for path in shared.photos],
        readings=shared.store.newest_first(),
        megabytes=shared.params.upload_max_bytes // 1_000_000,
        order=",".join(_order()),
    )


@pages.get("/photos/<int:index>/thumbnail.jpg")
def thumbnail(index: int) -> Response:
    """Send an offered photograph, small."""
    shared = _shared()
    if index >= len(shared.photos):
        abort(404, "There is no such photograph.")
    try:
        return _picture(shared.thumbnail(index))
    except (UnreadableError, OSError):
        abort(404, "This photograph cannot be shown.")


@pages.post("/readings")
def start() -> BaseResponse:
    """Begin to read an uploaded photograph, or one of those offered."""
    shared = _shared()
    order = ",".join(_order(request.form.get("order", "")))
    chosen = request.form.get("photo", "")
    try:
        key = _start_offered(chosen) if chosen else _start_upload()
    except UnreadableError as error:
        abort(415, str(error))
    except BusyError as error:
        abort(503, str(error))
    default = ",".join(shared.board.discs.colors)
    return redirect(
        url_for("pages.reading", key=key, order=None if order == default else order), 303
    )


def _start_offered(chosen: str) -> str:
    shared = _shared()
    if not chosen.isdecimal() or int(chosen) >= len(shared.photos):
        abort(400, "There is no such photograph. Go back and choose one of those shown.")
    path = shared.photos[int(chosen)]
    return shared.store.submit(path.name, lambda: load_photo(path))


def _start_upload() -> str:
    shared = _shared()
    upload = request.files.get("file")
    if upload is None or not upload.filename:
        abort(400, "No photograph came with the form. Go back and choose one.")
    raw, name = upload.read(), shown_name(upload.filename)
    if len(raw) > shared.params.upload_max_bytes:
        abort(413)
    check_upload(raw, name, max_pixels=shared.params.upload_max_pixels)
    return shared.store.submit(name, lambda: decode_photo(raw, name))


@pages.get("/readings/<key>")
def reading(key: str) -> str | tuple[str, int]:
    """Show a reading, or how far it is."""
    entry, shared = _entry(key), _shared()
    order = _order()
    if entry.seen is None:
        template = "refused.html" if entry.state == "refused" else "waiting.html"
        return render_template(template, key=key, entry=entry, order=",".join(order))
    seen = entry.seen
    allocation = allocate(seen.reading, order)
    discs = words.evidence(seen, shared.board)
    return render_template(
        "reading.html",
        key=key,
        name=entry.name,
        board=shared.board.name,
        order=",".join(order),
        places=places(order),
        spectators=spectators(order, shared.board.discs.colors),
        chip=words.chip,
        ruins=words.ruins_turns(allocation),
        cards=words.player_cards(allocation, shared.board),
        groups=[
            (title, [disc for disc in discs if disc.kind == kind])
            for kind, title in (
                ("doubt", "In doubt"),
                ("choice", "For the owner to choose"),
                ("settled", "Settled"),
            )
        ],
        warnings=allocation.warnings,
        missing=[words.chip(disc.color, disc.number) for disc in seen.reading.missing],
    )


@pages.get("/readings/<key>/status")
def status(key: str) -> Response:
    """Say how far a reading is."""
    return jsonify(state=_entry(key).state)


@pages.get("/readings/<key>/board-<any(full, brief):size>.jpg")
def board_picture(key: str, size: str) -> Response:
    """Send the annotated board."""
    entry, shared = _entry(key), _shared()
    seen = _seen(entry)
    return _picture(
        entry.picture(
            f"board-{size}",
            lambda: pictures.board_jpeg(seen, shared.board, shared.params, brief=size == "brief"),
        )
    )


@pages.get("/readings/<key>/discs/<int:index>.jpg")
def disc_picture(key: str, index: int) -> Response:
    """Send the close-up of one disc."""
    entry, shared = _entry(key), _shared()
    seen = _seen(entry)
    if index >= len(seen.reading.discs):
        abort(404, "There is no such disc.")
    return _picture(
        entry.picture(
            f"disc-{index}",
            lambda: pictures.disc_jpeg(seen, shared.board, shared.params, index),
        )
    )


@pages.get("/readings/<key>/annotated.png")
def annotated(key: str) -> Response:
    """Send the annotated board with its legend, to keep."""
    seen = _seen(_entry(key))
    return _picture(pictures.whole_png(seen, _shared().board), "image/png")


@pages.get("/readings/<key>/reading.json")
def reading_json(key: str) -> Response:
    """Send the reading as a file."""
    return _document(reading_to_json(_seen(_entry(key)).reading))


@pages.get("/readings/<key>/allocation.json")
def allocation_json(key: str) -> Response:
    """Send the allocation as a file."""
    allocation: Allocation = allocate(_seen(_entry(key)).reading, _order())
    return _document(allocation.to_json())


def _entry(key: str) -> Entry:
    entry = _shared().store.get(key)
    if entry is None:
        abort(404, "This reading is not kept any more. Read the photograph again.")
    return entry


def _seen(entry: Entry) -> Seen:
    if entry.seen is None:
        abort(404, "This photograph is not read yet, or could not be read.")
    return entry.seen


def _order(given: str | None = None) -> Sequence[str]:
    """Return the turn order that the request asks for, the board's own if it does not."""
    text = request.args.get("order", "") if given is None else given
    try:
        return parse_order(text, _shared().board.discs.colors)
    except ValueError as error:
        abort(400, str(error))


def _picture(encoded: bytes, kind: str = "image/jpeg") -> Response:
    response = Response(encoded, mimetype=kind)
    response.headers["Cache-Control"] = _FOREVER
    return response


def _document(values: object) -> Response:
    return Response(json.dumps(values, indent=1) + "\n", mimetype="application/json")
