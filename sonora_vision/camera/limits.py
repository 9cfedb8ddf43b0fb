"""Time limits for calls that have none of their own, and the service manager's watchdog."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from typing import TypeVar

from sonora_vision.camera.source import CameraLostError

T = TypeVar("T")


def within(seconds: float, call: Callable[[], T], *, what: str) -> T:
    """Make a call and come back in time, whatever happens.

    Parameters
    ----------
    seconds : float
        How long to wait.
    call : callable
        Runs in a thread of its own; a call that never ends keeps that thread, which dies with
        the process.
    what : str
        What the error says was tried.

    Raises
    ------
    CameraLostError
        Where the call has not ended in time.
    """
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001  handed to the caller below
            failures.append(error)

    thread = threading.Thread(target=run, name=f"limited: {what}", daemon=True)
    thread.start()
    thread.join(seconds)
    if failures:
        raise failures[0]
    if not results:
        raise CameraLostError(f"{what}: no answer within {seconds:g} s; restart the program")
    return results[0]


class ServiceWatchdog:
    """Tells the service manager that the program is alive, where there is one.

    A program that stops telling is started anew: see the unit in firmware_config. Without a
    service manager nothing is sent.
    """

    def __init__(self, address: str | None = None) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET") if address is None else address

    def ready(self) -> None:
        """Say that the program has started."""
        self._send("READY=1")

    def alive(self, status: str = "") -> None:
        """Say that frames come, and optionally a line for `systemctl status`."""
        self._send("WATCHDOG=1" + (f"\nSTATUS={status}" if status else ""))

    def _send(self, text: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address[0] == "@" else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            try:
                channel.sendto(text.encode(), address)
            except OSError:
                self._address = None  # the service manager is gone: nobody listens any more
