"""``read --dask``: the same readings from a cluster of two workers as from one process."""

from __future__ import annotations

import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from sonora_vision.cli import main

distributed = pytest.importorskip(
    "distributed", reason="Dask is NOT installed: read --dask is NOT tested (pip install -e .[dev])"
)
pytestmark = pytest.mark.filterwarnings("ignore::Warning:distributed", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None
        ) as cluster:
            yield cluster.scheduler_address


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["read", *(str(each) for each in arguments)])


def test_a_cluster_reads_what_one_process_reads(
    sample_rig: Path, sample_profile: Path, tmp_path: Path, address: str
) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"")
    photos = [
        sample_rig / "photos" / "002.jpg",
        tmp_path / "bad.jpg",
        sample_rig / "photos/006.jpg",
    ]
    here = run(*photos, "--profile", sample_profile, "--json", tmp_path / "here", "--jobs", 1)
    there = run(
        *photos, "--profile", sample_profile, "--json", tmp_path / "there", "--dask", address
    )
    assert (here.exit_code, there.exit_code) == (1, 1)
    assert there.stdout == here.stdout
    assert "bad.jpg: the file is empty" in there.stderr
    for name in ("002.json", "006.json"):
        assert (tmp_path / "there" / name).read_text() == (tmp_path / "here" / name).read_text()


def test_no_scheduler_is_one_line(
    sample_rig: Path, sample_profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonora_vision.cluster.PATIENCE_S", 1)
    photo = sample_rig / "photos" / "006.jpg"
    result = run(photo, "--profile", sample_profile, "--dask", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "no scheduler answers" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_worker_is_no_scheduler(sample_rig: Path, sample_profile: Path, address: str) -> None:
    with distributed.Client(address) as client:
        worker = next(iter(client.scheduler_info()["workers"]))
    photo = sample_rig / "photos" / "006.jpg"
    result = run(photo, "--profile", sample_profile, "--dask", worker)
    assert result.exit_code == 2
    assert f"--dask {worker}: no scheduler answers there" in result.stderr


@contextmanager
def answering(says: bytes) -> Iterator[str]:
    """A server that is no scheduler: it says this to whoever comes, and no more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        lines = []

        def answer() -> None:
            with suppress(OSError):  # it was closed
                while True:
                    lines.append(server.accept()[0])
                    lines[-1].sendall(says)

        Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        for line in lines:
            line.close()


@pytest.mark.parametrize("says", [b"", b"SSH-2.0-OpenSSH_9.2\r\n", b"\0" * 8])
def test_something_else_that_answers_is_no_scheduler(
    sample_rig: Path, sample_profile: Path, monkeypatch: pytest.MonkeyPatch, says: bytes
) -> None:
    monkeypatch.setattr("sonora_vision.cluster.PATIENCE_S", 0.5)
    photo = sample_rig / "photos" / "006.jpg"
    with answering(says) as address:
        result = run(photo, "--profile", sample_profile, "--dask", address)
    assert result.exit_code == 2
    assert f"--dask {address}: no scheduler answers there" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("address", ["tcp://host", "8786", "tcp://127.0.0.1:70000"])
def test_an_address_without_host_and_port_is_said_to_be(
    sample_rig: Path, sample_profile: Path, address: str
) -> None:
    photo = sample_rig / "photos" / "006.jpg"
    result = run(photo, "--profile", sample_profile, "--dask", address)
    assert result.exit_code == 2
    assert "names no host and port" in result.stderr
