"""A real PostgreSQL of its own, on this machine alone, for as long as the tests run."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "not-to-be-told-4711"
USER = "sonora"


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, where PostgreSQL is installed."""
    on_path = shutil.which("initdb")
    if on_path is not None:
        return Path(on_path).resolve().parent
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


@contextmanager
def postgresql() -> Iterator[str]:
    """Start a server and yield its address, without a database's name."""
    with tempfile.TemporaryDirectory(prefix="sonora-postgresql-") as name:
        yield from _serving(Path(name))


def _serving(folder: Path) -> Iterator[str]:
    there, user = programs(), _unprivileged()
    assert there is not None
    at, password = folder / "cluster", folder / "password"
    at.mkdir()
    password.write_text(PASSWORD)
    if user is not None:
        for each in (folder, at, password):
            os.chown(each, pwd.getpwnam(user).pw_uid, -1)

    def run(program: str, *arguments: str) -> None:
        with (folder / "said").open("a") as said:
            done = subprocess.run(
                [str(there / program), *arguments],
                user=user, cwd=folder, timeout=60, text=True,
                stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
            )  # fmt: skip
        assert done.returncode == 0, (folder / "said").read_text()

    run("initdb", "-D", str(at), "-U", USER, "--auth=scram-sha-256", f"--pwfile={password}",
        "--no-sync", "--no-locale", "--encoding=UTF8")  # fmt: skip
    port = _free_port()
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
    run("pg_ctl", "-D", str(at), "-w", "-o", options, "-l", str(folder / "log"), "start")
    try:
        yield f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{port}"
    finally:
        run("pg_ctl", "-D", str(at), "-w", "-m", "immediate", "stop")


def _unprivileged() -> str | None:
    """Who runs the server: it refuses to run as root."""
    if os.getuid() != 0:
        return None
    names = {each.pw_name for each in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
