"""Time limits and the service manager's watchdog."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from sonora_vision.camera import CameraLostError
from sonora_vision.camera.limits import ServiceWatchdog, within


def test_a_call_that_never_ends_is_left_behind() -> None:
    with pytest.raises(CameraLostError, match=r"stopping: no answer within 0\.05 s"):
        within(0.05, lambda: threading.Event().wait(5), what="stopping")


def test_a_calls_own_error_comes_through() -> None:
    def fail() -> None:
        raise RuntimeError("busy")

    with pytest.raises(RuntimeError, match="busy"):
        within(1.0, fail, what="opening")


def test_a_call_that_gives_none_is_not_taken_for_a_late_one() -> None:
    assert within(1.0, lambda: None, what="closing") is None


def test_the_watchdog_tells_the_service_manager(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        watchdog = ServiceWatchdog(address)
        watchdog.ready()
        watchdog.alive("still")
        assert [manager.recv(100), manager.recv(100)] == [b"READY=1", b"WATCHDOG=1\nSTATUS=still"]


def test_without_a_service_manager_nothing_happens(tmp_path: Path) -> None:
    ServiceWatchdog("").ready()
    ServiceWatchdog(str(tmp_path / "gone")).alive()
