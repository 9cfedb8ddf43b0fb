"""An application under its real server, on loopback, until a test is done."""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import waitress
from flask import Flask
from waitress import wasyncore

from sonora_vision.table.events import Made, Player
from sonora_vision.table.game import Game
from sonora_vision.web.door.access import Access
from sonora_vision.web.server import TableServer
from sonora_vision.web.serving.listening import listen, serve_app

COLORS = ("red", "blue", "white")


@contextmanager
def served(app: Flask) -> Iterator[tuple[str, int]]:
    """Serve on a free port of loopback, by the server that the program itself uses."""
    table: TableServer | None = app.extensions.get("sonora_table")
    if table is None:  # a page for one person
        server = waitress.create_server(app, sockets=[listen("127.0.0.1", 0)])
    else:
        server = serve_app(app, host="127.0.0.1", port=0)
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            wasyncore.loop(timeout=0.05, use_poll=True, map=server._map, count=1)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield "127.0.0.1", server.effective_port
    finally:
        if table is not None:
            table.hub.close()
        server.task_dispatcher.shutdown(timeout=10)
        stop.set()
        thread.join()
        for channel in list(server.active_channels.values()):
            channel.handle_close()  # with the file that it was sending
        wasyncore.close_all(server._map)


def table_of(app: Flask) -> TableServer:
    table = app.extensions["sonora_table"]
    assert isinstance(table, TableServer)
    return table


def begin_game(app: Flask, *colors: str) -> str:
    """A game of the drawn board, at which red and blue play if nothing else is said."""
    players = tuple(
        Player(color=color, name=color.capitalize(), seat=seat)
        for seat, color in enumerate(colors or ("red", "blue"))
    )
    return table_of(app).tables.make(
        Made(
            name="Friday",
            board="tiny",
            colors=COLORS,
            numbers=(1, 2),
            players=players,
            first=players[0].color,
            rounds=3,
        )
    )


def game_of(app: Flask, game_id: str) -> Game:
    return table_of(app).tables.game(game_id)


def code_of(app: Flask, game_id: str, color: str) -> str:
    """The code in a player's QR picture."""
    secrets: Access = app.extensions["sonora_access"]
    return secrets.seat_code(game_id, game_of(app, game_id), color)


@dataclass
class Phone:
    """A browser without pictures: a cookie, a token, one connection for its requests."""

    host: str
    port: int
    source: str | None = None
    """The address that it comes from."""
    cookie: str = ""
    token: str = ""
    _streams: list[Stream] = field(default_factory=list, repr=False)
    _connection: http.client.HTTPConnection | None = field(default=None, repr=False)

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request and return status, headers and body."""
        connection = self._connection or self.connect()
        self._connection = connection
        connection.request(method, path, body, self.headers(**headers))
        answer = connection.getresponse()
        found, data = {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        if "set-cookie" in found:
            self.cookie = found["set-cookie"].partition(";")[0]
        token = re.search(rb'name="csrf-token" content="([^"]+)"', data)
        if token is not None:
            self.token = token[1].decode()
        return answer.status, found, data

    def join(self, code: str) -> None:
        """Scan a code, and load a page for its token."""
        status, headers, _ = self.ask("GET", f"/join/{code}")
        assert status == 303, status
        assert self.ask("GET", "/nowhere")[0] == 404
        assert headers["location"].startswith("/games/")

    def stream(self, path: str, **headers: str) -> Stream:
        """Open a stream of events on a connection of its own."""
        connection = self.connect()
        connection.request("GET", path, headers=self.headers(**headers))
        found = Stream(connection, connection.getresponse())
        self._streams.append(found)
        return found

    def headers(self, **more: str) -> dict[str, str]:
        return {"Cookie": self.cookie, "X-CSRFToken": self.token} | {
            name.replace("_", "-"): value for name, value in more.items()
        }

    def connect(self) -> http.client.HTTPConnection:
        source = None if self.source is None else (self.source, 0)
        return http.client.HTTPConnection(self.host, self.port, timeout=20, source_address=source)

    def close(self) -> None:
        for stream in self._streams:
            stream.close()
        if self._connection is not None:
            self._connection.close()

    def __enter__(self) -> Phone:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Stream:
    """A stream of server-sent events."""

    connection: http.client.HTTPConnection
    answer: Any

    @property
    def status(self) -> int:
        return int(self.answer.status)

    def next(self) -> tuple[str, str] | None:
        """The next event, kind and word; None at the end."""
        kind = ""
        for raw in self.answer:
            line = raw.decode().rstrip("\n")
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: "):
                return kind, line.removeprefix("data: ")
        return None

    def close(self) -> None:
        self.answer.close()
        self.connection.close()
