"""The command serve: how it begins, what it says, how it ends."""

from __future__ import annotations

import http.client
import os
import pty
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sonora_vision.cli import main
from sonora_vision.web.door.access import Access

PATIENCE_S = 60
_PROGRAM = "from sonora_vision.cli import main; main()"


def serve(*arguments: object) -> Result:
    """The command in this process, for what ends at once."""
    return CliRunner().invoke(main, ["serve", *map(str, arguments)])


@contextmanager
def running(*arguments: object, stderr: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """The command as a process of its own, at any free port."""
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, "serve", "--port", "0", *map(str, arguments)],
        stderr=stderr,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


def port_said(lines: Iterator[str]) -> int:
    for line in lines:
        if found := re.search(r"open http://127\.0\.0\.1:(\d+)/", line):
            return int(found[1])
    raise AssertionError("it never said where it is")


def get(port: int, path: str) -> int:
    """The status of a page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_it_ends_cleanly_when_it_is_told_to(
    tmp_path: Path, sample_profile: Path, sample_rig: Path
) -> None:
    with running(
        "--data", tmp_path, "--profile", sample_profile, "--camera", sample_rig / "photos"
    ) as process:
        assert process.stderr is not None
        port = port_said(iter(process.stderr.readline, ""))
        assert get(port, "/") == 200
        process.terminate()
        rest = process.stderr.read()
        assert process.wait(PATIENCE_S) == 0
    assert "Traceback" not in rest
    assert "--new-pin" in rest, "how to get a PIN is said"
    assert not re.search(r"\bPIN: \d", rest), "and no PIN where no person may be looking"


def test_on_a_terminal_the_pin_that_was_made_up_is_shown_once(tmp_path: Path) -> None:
    shown = []
    for how in (signal.SIGTERM, signal.SIGINT):
        ours, theirs = pty.openpty()
        with running("--data", tmp_path, stderr=theirs) as process, os.fdopen(ours) as terminal:
            os.close(theirs)
            text = ""
            while "no profile yet" not in text:
                text += terminal.readline()
            process.send_signal(how)
            assert process.wait(PATIENCE_S) == 0
        shown.append(re.findall(r"PIN: (\d{6})", text))
    (pin,) = shown[0]
    assert shown[1] == []
    assert Access(tmp_path / "secrets").is_pin(pin)


def test_a_new_pin_is_printed_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    first = serve("--data", tmp_path, "--new-pin").stdout.strip()
    second = serve("--data", tmp_path, "--new-pin").stdout.strip()
    access = Access(tmp_path / "secrets")
    assert (access.is_pin(first), access.is_pin(second)) == (False, True)
    kept = tmp_path / "secrets" / "pin"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert second not in kept.read_text()


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = serve("--data", tmp_path, "--port", port)
    assert done.exit_code == 2
    assert f"--port {port}: cannot listen there" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_data_folder_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = serve("--data", tmp_path / "file" / "folder")
    assert done.exit_code == 2
    assert "cannot be made" in done.stderr


@pytest.mark.parametrize(
    ("camera", "words"),
    [("nowhere", "expected pi:PRESET"), ("empty", "expected photos"), ("a.mp4", "not a video")],
)
def test_a_camera_that_can_never_be_is_one_line(camera: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.mp4").write_bytes(b"no video" * 40)
    done = serve("--data", tmp_path / "data", "--camera", tmp_path / camera)
    assert done.exit_code in (1, 2)
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_camera_that_may_be_plugged_in_later_does_not_keep_the_table_closed(
    tmp_path: Path,
) -> None:
    with running("--data", tmp_path, "--camera", "usb:93") as process:
        assert process.stderr is not None
        port = port_said(iter(process.stderr.readline, ""))
        assert get(port, "/") == 200


def test_a_profile_that_was_named_and_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = serve("--data", tmp_path, "--profile", tmp_path / "x.profile")
    assert done.exit_code == 2
    assert "calibrate in the browser" in done.stderr


def test_the_service_manager_hears_that_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        with running("--data", tmp_path / "data") as process:
            threading.Thread(target=process.communicate, daemon=True).start()
            assert manager.recv(1000) == b"READY=1"
