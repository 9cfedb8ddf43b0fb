"""Signs of life for the service manager, and an end that open pages do not hold up."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from sonora_vision.web.live.camera import Live
from sonora_vision.web.serving import running
from sonora_vision.web.wizard.session import WizardSession
from tests.web.served import served
from tests.web.shown import ONE, PATIENCE_S, Shown, Watched
from tests.web.test_camera_live import eventually
from tests.web.test_camera_steps import new_game


class Hanging:
    """A camera whose thread does not come back."""

    silent_s = 1000.0
    fault = None


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    """Where the application is served."""
    with served(app) as (_, port):
        yield port


def test_a_camera_that_hangs_is_no_sign_of_life(app: Flask, port: int) -> None:
    table = app.extensions["sonora_table"]
    assert running._alive(table, "0.0.0.0", port)
    hangs: Live = Hanging()  # type: ignore[assignment]
    assert not running._alive(replace(table, live=hangs), "0.0.0.0", port)


def test_a_camera_that_is_not_there_is_no_reason_to_begin_anew(app: Flask, port: int) -> None:
    camera = Shown(ONE)
    camera.plugged_in = False
    watched = Watched(camera)
    eventually(lambda: watched.live.fault is not None)
    table = replace(app.extensions["sonora_table"], live=watched.live)
    assert running._alive(table, "127.0.0.1", port)
    assert "no such camera" in running._words(table)
    watched.live.close()


def test_pages_that_do_not_answer_are_no_sign_of_life(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_ANSWER_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection, no more
        port = silent.getsockname()[1]
        assert not running._alive(app.extensions["sonora_table"], "127.0.0.1", port)


def test_pictures_of_a_calibration_are_gone_at_the_end(app: Flask, tmp_path: Path) -> None:
    session = WizardSession(tmp_path / "it.profile")
    app.extensions["sonora_vision_wizard"] = session
    folder = session.folder
    running.run_table(
        app,
        host="127.0.0.1",
        port=0,
        started=lambda _port: os.kill(os.getpid(), signal.SIGTERM),
    )
    assert not folder.exists()


def test_pages_that_listen_are_let_go_at_the_end(app: Flask) -> None:
    game_id = new_game(app)
    game = app.extensions["sonora_table"].tables.game(game_id)
    code = app.extensions["sonora_access"].seat_code(game_id, game, "red")
    ends: list[bytes] = []

    def listen(port: int) -> None:
        """Follow the table until the stream ends, having told the server to."""
        phone = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        phone.request("GET", f"/join/{code}")
        answer = phone.getresponse()
        cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        answer.read()
        phone.request("GET", f"/games/{game_id}/stream", headers={"Cookie": cookie})
        stream = phone.getresponse()
        assert b"retry" in stream.readline()
        os.kill(os.getpid(), signal.SIGTERM)
        ends.append(stream.read())
        phone.close()

    threads: list[threading.Thread] = []

    def started(port: int) -> None:
        threads.append(threading.Thread(target=listen, args=(port,)))
        threads[0].start()

    running.run_table(app, host="127.0.0.1", port=0, started=started)
    threads[0].join(PATIENCE_S)
    assert len(ends) == 1, "the stream ended with the server, not by running out of time"
    left = [t for t in threading.enumerate() if t.name.startswith("waitress") and t.is_alive()]
    end_s = time.monotonic() + PATIENCE_S
    while left and time.monotonic() < end_s:
        time.sleep(0.01)
        left = [t for t in left if t.is_alive()]
    assert left == []
