"""News of a game as it reaches an open page, through the real server."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from sonora_vision.table.events import HOST, Bullseye, CodesRenewed
from sonora_vision.web import WebParams, create_app
from sonora_vision.web.live.hub import ALL, Hub
from tests.web.served import Phone, begin_game, code_of, served, table_of
from tests.web.table import DrawnReader
from tests.web.visit import PIN

LIMITS = WebParams(
    streams_max=4,
    streams_max_of_a_seat=2,
    streams_max_of_an_address=3,
    stream_heartbeat_s=0.2,
    workers=4,
    request_longest_s=0.5,
    connections_max_of_an_address=12,
)


@pytest.fixture
def app(reader: DrawnReader, tmp_path: Path) -> Flask:
    return create_app(Path("none"), reader=reader, folder=tmp_path, pin=PIN, params=LIMITS)


@pytest.fixture
def address(app: Flask) -> Iterator[tuple[str, int]]:
    with served(app) as at:
        yield at


@pytest.fixture
def game_id(app: Flask) -> str:
    return begin_game(app)


@pytest.fixture
def stranger(address: tuple[str, int]) -> Iterator[Phone]:
    with Phone(*address) as phone:
        yield phone


@pytest.fixture
def phone(app: Flask, address: tuple[str, int], game_id: str) -> Iterator[Phone]:
    with Phone(*address) as phone:
        phone.join(code_of(app, game_id, "red"))
        yield phone


@pytest.fixture
def blue(app: Flask, address: tuple[str, int], game_id: str) -> Iterator[Phone]:
    with Phone(*address) as phone:
        phone.join(code_of(app, game_id, "blue"))
        yield phone


@pytest.fixture
def far(app: Flask, address: tuple[str, int], game_id: str) -> Iterator[Phone]:
    with Phone(*address, source="127.0.0.9") as phone:
        phone.join(code_of(app, game_id, "blue"))
        yield phone


def bullseye(app: Flask, game_id: str, color: str = "red") -> None:
    event = Bullseye(color=color, number=1, section="creek")
    table_of(app).tables.act(game_id, HOST, event)


def test_an_open_page_hears_of_what_happens_at_once(app: Flask, phone: Phone, game_id: str) -> None:
    stream = phone.stream(f"/games/{game_id}/stream")
    assert stream.answer.headers["Content-Type"].startswith("text/event-stream")
    assert stream.next() == ("game", "1")
    bullseye(app, game_id)
    assert stream.next() == ("game", "2")
    table_of(app).hub.tell(ALL, "live 7")
    assert stream.next() == ("live", "7")


def test_a_quiet_stream_shows_that_it_is_there(phone: Phone, game_id: str) -> None:
    stream = phone.stream(f"/games/{game_id}/stream")
    stream.next()
    assert stream.answer.readline() == b"\n"
    assert stream.answer.readline() == b": still here\n"


def test_another_game_tells_nothing_here(app: Flask, phone: Phone, game_id: str) -> None:
    stream = phone.stream(f"/games/{game_id}/stream")
    stream.next()
    bullseye(app, begin_game(app))
    bullseye(app, game_id)
    assert stream.next() == ("game", "2")


def test_when_codes_are_renewed_open_streams_of_the_old_ones_end(
    app: Flask, phone: Phone, game_id: str
) -> None:
    stream = phone.stream(f"/games/{game_id}/stream")
    stream.next()
    table_of(app).tables.act(game_id, HOST, CodesRenewed())
    assert stream.next() == ("gone", "")
    assert stream.next() is None
    assert phone.stream(f"/games/{game_id}/stream").status == 403


def test_a_stream_needs_a_seat_at_that_game(
    app: Flask, stranger: Phone, phone: Phone, game_id: str
) -> None:
    assert stranger.stream(f"/games/{game_id}/stream").status == 403
    assert phone.stream(f"/games/{begin_game(app)}/stream").status == 403


def test_there_are_only_so_many_streams_and_those_refused_are_told(
    app: Flask, phone: Phone, blue: Phone, far: Phone, game_id: str
) -> None:
    path = f"/games/{game_id}/stream"
    streams = [phone.stream(path) for _ in range(2)]
    assert phone.stream(path).status == 503  # two of a seat
    streams.append(blue.stream(path))
    assert blue.stream(path).status == 503  # three of an address
    streams.append(far.stream(path))
    assert [s.status for s in streams] == [200] * 4
    refused = far.stream(path)
    assert refused.status == 503
    assert b"Too many pages listen" in refused.answer.read()
    for stream in streams:
        stream.close()
    until_open(app, 0)
    assert phone.stream(path).status == 200


def test_a_closed_page_gives_its_thread_back(app: Flask, phone: Phone, game_id: str) -> None:
    stream = phone.stream(f"/games/{game_id}/stream")
    stream.next()
    assert len(app.extensions["sonora_streams"]) == 1
    stream.close()
    until_open(app, 0)


def test_streams_leave_threads_for_requests(phone: Phone, game_id: str) -> None:
    for _ in range(2):
        phone.stream(f"/games/{game_id}/stream")
    assert [phone.ask("GET", "/nowhere")[0] for _ in range(10)] == [404] * 10


def test_a_request_that_drips_is_given_up(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=20) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        dripped = 0
        with contextlib.suppress(OSError):
            while dripped < 400:
                slow.sendall(b"X-A: b\r\n")
                dripped += 1
                time.sleep(0.05)
    assert dripped < 400


def test_one_device_cannot_take_every_connection(address: tuple[str, int]) -> None:
    crowd = [socket.create_connection(address, timeout=20) for _ in range(20)]
    with Phone(*address, source="127.0.0.9") as other:
        assert other.ask("GET", "/")[0] == 200
    closed = 0
    for each in crowd:
        each.settimeout(0.2)
        with contextlib.suppress(TimeoutError):
            closed += each.recv(1) == b""
        each.close()
    assert closed == 20 - LIMITS.connections_max_of_an_address


def test_a_stranger_cannot_fill_the_disk(stranger: Phone, phone: Phone, game_id: str) -> None:
    at = f"/games/{game_id}/act"
    assert stranger.ask("POST", at, bytes(200_000))[0] == 413
    assert phone.ask("POST", at, bytes(200_000))[0] == 400


def test_news_are_kept_to_the_last_of_each_kind() -> None:
    hub = Hub()
    with hub.listening("a") as news:
        for seq in range(100):
            hub.tell("a", f"game {seq}")
            hub.tell(ALL, f"live {seq}")
            hub.tell("b", "game 1000")
        assert news.wait(0) == {"game": "99", "live": "99"}
        assert news.wait(0) == {}


def test_whoever_waits_is_woken_by_news() -> None:
    hub = Hub()
    with hub.listening("a") as news:
        threading.Timer(0.05, lambda: hub.tell("a", "game 3")).start()
        assert news.wait(20) == {"game": "3"}


def until_open(app: Flask, count: int) -> None:
    for _ in range(400):
        if len(app.extensions["sonora_streams"]) == count:
            return
        time.sleep(0.025)
    raise AssertionError("a stream is still open")


def test_another_pin_ends_the_hosts_open_streams_and_no_players(
    app: Flask, address: tuple[str, int], phone: Phone, game_id: str
) -> None:
    path = f"/games/{game_id}/stream"
    secrets = app.extensions["sonora_access"]
    with Phone(*address) as host:
        stream = host.stream(path, Authorization=f"Bearer {secrets.host_token()}")
        players = phone.stream(path)
        assert stream.next() == players.next() == ("game", "1")
        secrets.change_pin("97531")
        assert stream.next() == ("gone", "")
        bullseye(app, game_id)
        assert players.next() == ("game", "2")
