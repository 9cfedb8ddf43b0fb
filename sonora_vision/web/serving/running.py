"""Running the table's server: it listens until it is told to end, and says that it is alive."""

from __future__ import annotations

import http.client
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flask import Flask

from sonora_vision.camera.limits import ServiceWatchdog
from sonora_vision.errors import SonoraError
from sonora_vision.watch.words import status_line
from sonora_vision.web.server import TableServer
from sonora_vision.web.serving.addresses import loopback
from sonora_vision.web.serving.listening import serve_app

_SIGN_OF_LIFE_S = 10.0
"""Several times within any sensible limit of the service manager's."""
_SILENT_S = 50.0
"""Opening a camera may take so long, all its time limits together; what takes longer hangs."""
_ANSWER_S = 5.0
_END_S = 0.5


def run_table(app: Flask, *, host: str, port: int, started: Callable[[int], None]) -> None:
    """Serve until Ctrl-C or the service manager's signal to end.

    Parameters
    ----------
    app : Flask
        Made by `create_app`.
    host, port : str, int
        Where to listen; port 0 takes any that is free.
    started : callable
        Told the port when the pages can be opened.

    Raises
    ------
    UsageError
        Where it cannot listen there.
    """
    table: TableServer = app.extensions["sonora_table"]
    try:
        with _signals() as told_to_end:
            server = serve_app(app, host=host, port=port)
            port = int(server.effective_port)
            listening = threading.Thread(target=server.run, name="server", daemon=True)
            app.extensions["sonora_listens"] = (host, port)
            listening.start()
            watchdog = ServiceWatchdog()
            watchdog.ready()
            started(port)
            while not told_to_end.wait(_SIGN_OF_LIFE_S):
                if not listening.is_alive():
                    raise SonoraError("the server has ended by itself; its log says more")
                if _alive(table, host, port):
                    watchdog.alive(_words(table))
            table.hub.close()  # pages that listen are let go, so that their threads end
            with _no_warnings("waitress"):  # threads that are left are cut
                server.task_dispatcher.shutdown(timeout=_END_S)
                server.close()
    finally:
        _close(app, table)


@contextmanager
def _no_warnings(name: str) -> Iterator[None]:
    """Let a logger tell of errors only."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _signals() -> Iterator[threading.Event]:
    """Make of Ctrl-C and of the service manager's signal an event."""
    told = threading.Event()
    both = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(each, lambda *_: told.set()) for each in both]
    try:
        yield told
    finally:
        for each, handler in zip(both, before, strict=True):
            signal.signal(each, handler)


def _alive(table: TableServer, host: str, port: int) -> bool:
    """Say whether the camera's thread goes on, and the server answers."""
    live = table.live
    if live is not None and live.silent_s > _SILENT_S:
        return False
    here = loopback(host)
    connection = http.client.HTTPConnection(here, port, timeout=_ANSWER_S)
    try:
        connection.request("GET", "/static/icon.svg")
        return connection.getresponse().status > 0
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _words(table: TableServer) -> str:
    if table.live is None:
        return "no camera"
    return table.live.fault or status_line(table.live.status)


def _close(app: Flask, table: TableServer) -> None:
    """End readings that wait, a calibration, the camera, the database."""
    calibration = app.extensions.get("sonora_vision_wizard")
    if calibration is not None:
        calibration.close()
    app.extensions["sonora_vision"].store.close()
    if table.live is not None:
        table.live.close()
    table.tables.store.close()


def leave() -> None:
    """End the process though threads may still be at work: a picture is being read, a page sent.

    Nothing of theirs is to be kept: what was acknowledged is on the disk. Without this the
    interpreter would take itself down around them, and code in C does not survive that.
    """
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
