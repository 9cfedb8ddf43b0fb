"""News of a game, pushed to its open pages as server-sent events.

A page that hears of news fetches itself anew; a page that is refused a stream asks now and then.
Every stream holds a thread of the server, so their number is bounded.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass

from flask import Blueprint, Response, abort, current_app, request

from sonora_vision.errors import SonoraError
from sonora_vision.web.door.access import Access, Credentials, access, credentials, require_seat
from sonora_vision.web.params import WebParams
from sonora_vision.web.server import TableServer, server

stream = Blueprint("stream", __name__)

_LOOK_S = 1.0
"""How long a page that was closed may hold its thread."""


class OpenStreams:
    """Counts open streams, so that nobody takes every thread; safe to call from any thread."""

    def __init__(self, params: WebParams) -> None:
        self._params = params
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def open(self, address: str, visitor: str) -> bool:
        """Take a place for one more stream; says whether there is one."""
        params = self._params
        limits = {
            "": params.streams_max,
            f"at {address}": params.streams_max_of_an_address,
            f"of {visitor}": params.streams_max_of_a_seat,
        }
        with self._lock:
            if any(self._open[key] >= limit for key, limit in limits.items()):
                return False
            self._open.update(limits.keys())
            return True

    def close(self, address: str, visitor: str) -> None:
        """Give the place of a stream back."""
        with self._lock:
            self._open.subtract(["", f"at {address}", f"of {visitor}"])
            self._open += Counter()  # what is at zero is forgotten

    def __len__(self) -> int:
        with self._lock:
            return self._open[""]


@dataclass(frozen=True, kw_only=True)
class _Listener:
    """Who listens to what; outlives the request's context."""

    game_id: str
    address: str
    visitor: str
    shown: Credentials
    secrets: Access
    table: TableServer
    gone: Callable[[], bool]
    """Whether the browser has closed the page."""

    def may_listen(self) -> bool:
        """Whether the PIN or code with which this began still opens the game."""
        found = self.secrets.who(self.shown, self.table.tables)
        return found is not None and (found.host or found.game_id == self.game_id)


@stream.get("/games/<game_id>/stream")
def events(game_id: str) -> Response:
    """Push news of a game: its last event's number at once, then what happens."""
    asking = require_seat(game_id)
    server().tables.game(game_id)
    streams: OpenStreams = current_app.extensions["sonora_streams"]
    listener = _Listener(
        game_id=game_id,
        address=request.remote_addr or "",
        visitor=f"{asking.game_id} {asking.actor}",
        shown=credentials(),
        secrets=access(),
        table=server(),
        gone=request.environ.get("waitress.client_disconnected", lambda: False),
    )
    if server().hub.closed or not streams.open(listener.address, listener.visitor):
        abort(503, "Too many pages listen to this table already. This one asks now and then.")
    news = _News(listener, streams)
    response = Response(news, mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"  # a proxy must not collect events
    return response


class _News:
    """The events of one stream; gives its place back even if it was never begun."""

    def __init__(self, listener: _Listener, streams: OpenStreams) -> None:
        self._listener = listener
        self._streams: OpenStreams | None = streams
        self._events = _events(listener)

    def __iter__(self) -> Generator[str, None, None]:
        return self._events

    def close(self) -> None:
        self._events.close()
        streams, self._streams = self._streams, None
        if streams is not None:
            streams.close(self._listener.address, self._listener.visitor)


def _events(listener: _Listener) -> Generator[str, None, None]:
    table, params = listener.table, listener.table.params
    began = beat = time.monotonic()
    with table.hub.listening(listener.game_id) as news:
        told = table.tables.game(listener.game_id).seq
        yield f"retry: {params.stream_retry_ms}\n\n{_event('game', str(told))}"
        while not (table.hub.closed or listener.gone()):
            said = news.wait(_LOOK_S)
            now = time.monotonic()
            quiet = now - beat >= params.stream_heartbeat_s
            if not said and not quiet:
                continue
            beat = now
            if not listener.may_listen():
                yield _event("gone", "")
                return
            try:
                seq = table.tables.game(listener.game_id).seq
            except SonoraError:  # the game was deleted, or its store fails: the page will be told
                yield _event("gone", "")
                return
            said.pop("game", None)  # the store knows best, and other processes write to it
            lines = [_event(kind, word) for kind, word in said.items() if kind == "live"]
            if seq != told:
                told = seq
                lines.insert(0, _event("game", str(seq)))
            yield "".join(lines) or ": still here\n\n"
            if now - began >= params.stream_longest_s:
                return  # the browser comes back; one that was switched off does not


def _event(kind: str, word: str) -> str:
    return f"event: {kind}\ndata: {word}\n\n"
