"""Many photographs at once: sent, read one after the other, and packed to be taken along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from flask import (
    Response,
    abort,
    current_app,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    stream_with_context,
    url_for,
)
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.captions import is_choice
from sonora_vision.errors import SonoraError, UnreadableError
from sonora_vision.web.door.access import require_host
from sonora_vision.web.door.refusals import told
from sonora_vision.web.door.uploads import check_upload, shown_name
from sonora_vision.web.drawn import Drawn
from sonora_vision.web.params import WebParams
from sonora_vision.web.photos import pictures
from sonora_vision.web.photos.packing import Packed, packed
from sonora_vision.web.photos.store import Entry, Reader, ReadingStore
from sonora_vision.web.photos.turn_order import parse_order
from sonora_vision.web.wording.language import gettext

_FOREVER = "private, max-age=86400, immutable"
"""A picture's address bears which reading it shows, so that the browser may keep it."""


@dataclass(frozen=True, kw_only=True)
class Pages:
    """What the pages of photographs share."""

    reader: Reader
    store: ReadingStore
    photos: tuple[Path, ...]
    """Those that are offered."""
    params: WebParams
    thumbnail: Callable[[int], bytes] = field(init=False)
    drawn: Drawn = field(init=False)

    def __post_init__(self) -> None:
        draw = lru_cache(maxsize=256)(
            lambda index: pictures.thumbnail_jpeg(self.photos[index], self.params)
        )
        object.__setattr__(self, "thumbnail", draw)
        object.__setattr__(self, "drawn", Drawn(max_bytes=self.params.drawn_max_bytes))

    @property
    def board(self) -> BoardSpec:
        """The board that is read."""
        return self.reader.board


@dataclass(frozen=True, kw_only=True)
class Row:
    """One photograph in the list."""

    key: str
    name: str
    state: str
    version: str
    """Another for every reading of it."""
    discs: int = 0
    doubts: int = 0
    choices: int = 0
    missing: int = 0
    refusal: str = ""
    again: bool = False
    """Whether it can be read once more."""


def shared() -> Pages:
    """Return what the pages of photographs share."""
    return cast(Pages, current_app.extensions["sonora_vision"])


def home() -> str:
    """Offer to choose, drop or pick photographs, and list those that were."""
    here = shared()
    return render_template(
        "home.html",
        board=here.board.name,
        photos=[path.name for path in here.photos],
        rows=_rows(),
        megabytes=here.params.upload_max_bytes // 1_000_000,
        at_once=here.params.waiting_max,
        kept=here.params.kept_max,
        order=",".join(order()),
    )


def rows() -> str:
    """Send the list alone, for the page's script."""
    return render_template("photo_list.html", rows=_rows(), order=",".join(order()))


def start_many() -> BaseResponse:
    """Begin to read all photographs of a form; what is no photograph is listed with its reason."""
    require_host()
    files = [file for file in request.files.getlist("file") if file.filename]
    if not files:
        abort(400, gettext("No photograph came with the form. Go back and choose one."))
    refused = [words for words in map(_take, files) if words]
    if request.headers.get("X-Requested-With") == "fetch":
        return jsonify(refused=refused)
    for words in refused:
        flash(words, "bad")
    return redirect(url_for("pages.home", order=request.form.get("order") or None), 303)


def again(key: str) -> BaseResponse:
    """Read a photograph once more."""
    require_host()
    shared().store.again(key)
    return redirect(url_for("pages.home", order=request.form.get("order") or None), 303)


def thumbnail(index: int) -> Response:
    """Send an offered photograph, small."""
    here = shared()
    if index >= len(here.photos):
        abort(404, gettext("There is no such photograph."))
    try:
        return picture(here.thumbnail(index))
    except (UnreadableError, OSError):
        abort(404, gettext("This photograph cannot be shown."))


def pack() -> Response:
    """Send readings, allocations and annotated pictures of all photographs, as they are packed."""
    require_host()
    here, turns = shared(), order()
    kept = [entry for _, entry in reversed(here.store.newest_first()) if entry.settled]
    if not kept:
        abort(404, gettext("Nothing is read yet."))

    def index(done: Sequence[Packed]) -> str:
        return render_template(
            "photo_index.html", board=here.board.name, photos=done, order=turns, told=told
        )

    chunks = packed(kept, here.store, here.board, turns, index)
    response = Response(stream_with_context(chunks), mimetype="application/zip")
    response.headers["Content-Disposition"] = "attachment; filename=photographs.zip"
    return response


def order(given: str | None = None) -> Sequence[str]:
    """Return the turn order that the request asks for, the board's own if it does not."""
    text = request.args.get("order", "") if given is None else given
    try:
        return parse_order(text, shared().board.discs.colors)
    except ValueError as error:
        abort(400, told(str(error)))


def picture(encoded: bytes, kind: str = "image/jpeg") -> Response:
    """Send a picture that its address names for good."""
    response = Response(encoded, mimetype=kind)
    response.headers["Cache-Control"] = _FOREVER
    return response


def upload(file: FileStorage) -> tuple[bytes, str]:
    """Return a form's photograph and its name.

    Raises
    ------
    UnreadableError
        Where it is none, or is too large.
    """
    here = shared().params
    name = shown_name(file.filename)
    raw = file.stream.read(here.upload_max_bytes + 1)
    if len(raw) > here.upload_max_bytes:
        raise UnreadableError(
            gettext(
                "%(name)s: expected at most %(most)s MB, got more; make the picture smaller",
                name=name,
                most=here.upload_max_bytes // 1_000_000,
            )
        )
    check_upload(raw, name, max_pixels=here.upload_max_pixels)
    return raw, name


def _take(file: FileStorage) -> str:
    """Queue a photograph; return why not where it is not taken."""
    store = shared().store
    try:
        raw, name = upload(file)
    except UnreadableError as error:
        store.refuse(shown_name(file.filename), told(error))
        return told(error)
    try:
        store.submit(name, raw)
    except SonoraError as error:  # it may be taken in a moment, and is not listed
        if request.headers.get("X-Requested-With") == "fetch":
            raise
        return told(error)
    return ""


def _rows() -> list[Row]:
    store = shared().store
    return [_row(key, entry, store) for key, entry in store.newest_first()]


def _row(key: str, entry: Entry, store: ReadingStore) -> Row:
    values: dict[str, Any] = {
        "key": key,
        "name": entry.name,
        "state": entry.state,
        "version": entry.picture or "",
        "again": entry.settled and entry.original is not None,
    }
    reading = store.reading(entry)
    if reading is None and entry.state == "done":
        gone = gettext("What was read is not kept any more.")
        return Row(**values | {"state": "refused"}, refusal=gone)
    if reading is None:
        return Row(**values, refusal=told(entry.refusal or ""))
    return Row(
        **values,
        discs=len(reading.discs),
        doubts=sum(bool(disc.doubts) for disc in reading.discs),
        choices=sum(is_choice(disc) for disc in reading.discs),
        missing=len(reading.missing),
    )
