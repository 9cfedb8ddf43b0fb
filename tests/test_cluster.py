"""``read --dask``: the same readings from a cluster of two workers as from one process."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

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
