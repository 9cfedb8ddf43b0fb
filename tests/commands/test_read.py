"""``read`` around the vision: which files are read, written, passed over and refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner, Result

from sonora_vision import batch
from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json
from sonora_vision.cli import main
from sonora_vision.commands import read as read_command
from sonora_vision.errors import FileFormatError, UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.reading_file import load_reading, save_reading
from tests.builders import board_json, disc, reading


@dataclass(frozen=True)
class _Sight:
    reading: Reading


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Stand in for the vision: a photo reads as a red 1, one called bad is refused."""
    monkeypatch.chdir(tmp_path)
    Path("stand-in").write_text("a profile")
    batch._fingerprint.cache_clear()
    names: list[str] = []
    board = board_from_json(board_json(), "board.json")

    def read_photo(path: Path, profile: object, assign: object) -> _Sight:
        names.append(path.name)
        if "bad" in path.name:
            raise UnreadableError(f"{path}: no board in the picture; take it from above")
        if "odd" in path.name:
            raise IndexError("list index out of range")
        return _Sight(reading=reading(disc(), image=path.name))

    def load_profile(path: Path) -> SimpleNamespace:
        return SimpleNamespace(board=board)

    def draw_sight(sight: _Sight, board: BoardSpec) -> np.ndarray:
        return np.zeros((4, 4, 3), dtype=np.uint8)

    batch._profile.cache_clear()
    monkeypatch.setattr(batch, "read_photo", read_photo)
    monkeypatch.setattr(batch, "draw_sight", draw_sight)
    monkeypatch.setattr(batch, "load_profile", load_profile)
    monkeypatch.setattr(read_command, "load_profile", load_profile)
    return names


@pytest.fixture
def photo(tmp_path: Path) -> Callable[[str], Path]:
    def make(name: str) -> Path:
        path = tmp_path / "photos" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(b"")
        return path

    return make


def _read(*arguments: object) -> Result:
    options = ["--profile", "stand-in", "--jobs", "1"]
    return CliRunner().invoke(main, ["read", *map(str, arguments), *options])


def test_each_photo_gets_a_reading_a_picture_and_a_table(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    result = _read(
        photo("a.jpg"), photo("b.png"), "--json", tmp_path / "j", "--annotate", tmp_path / "p"
    )
    assert result.exit_code == 0, result.stderr
    assert sorted(path.name for path in (tmp_path / "j").iterdir()) == ["a.json", "b.json"]
    assert sorted(path.name for path in (tmp_path / "p").iterdir()) == ["a.png", "b.png"]
    assert load_reading(tmp_path / "j" / "a.json").image == "a.jpg"
    assert result.stdout.index("a.jpg: tiny") < result.stdout.index("b.png: tiny")
    assert "red" in result.stdout
    assert "blue" in result.stdout


def test_a_folder_stands_for_its_photos_in_order(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    for name in ("2.jpg", "1.JPG", "3.png", "notes.txt"):
        photo(name)
    assert _read(tmp_path / "photos").exit_code == 0
    assert seen == ["1.JPG", "2.jpg", "3.png"]


def test_a_folder_without_photos_is_a_mistake(seen: list[str], tmp_path: Path) -> None:
    result = _read(tmp_path)
    assert result.exit_code == 2
    assert "expected photographs (.jpeg, .jpg, .png) in this folder, got none" in result.stderr


def test_an_unreadable_photo_is_named_and_the_others_are_read(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    result = _read(photo("a.jpg"), photo("bad.jpg"), photo("c.jpg"), "--json", tmp_path / "j")
    assert result.exit_code == 1
    assert seen == ["a.jpg", "bad.jpg", "c.jpg"]
    assert "bad.jpg: no board in the picture" in result.stderr
    assert "1 of 3 photos could not be read" in result.stderr
    assert sorted(path.name for path in (tmp_path / "j").iterdir()) == ["a.json", "c.json"]


def test_what_cannot_be_looked_at_is_one_photo_that_is_not_read(
    seen: list[str], photo: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a closed folder, or with a name that is too long, not even ``is_dir`` has an answer."""
    good, bad = photo("good.jpg"), photo("bad.jpg")
    is_dir, access = Path.is_dir, os.access

    def refusing(path: Path) -> bool:
        if path == bad:
            raise PermissionError(13, "Permission denied", str(path))
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", refusing)
    monkeypatch.setattr(
        os, "access", lambda path, *rest: os.fspath(path) != str(bad) and access(path, *rest)
    )
    result = _read(bad, good, "x" * 300 + ".jpg")
    assert result.exit_code == 1
    assert "good.jpg: tiny" in result.stdout
    assert result.stderr.splitlines()[0].startswith(f"sonora-vision: {bad}: ")


def test_a_folder_that_may_not_be_listed_is_a_mistake(
    seen: list[str], photo: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = photo("a.jpg").parent

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    result = _read(folder)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"sonora-vision: {folder}: expected a folder that may be listed, got: Permission denied; "
        "give yourself the right to read it"
    ]


def test_pictures_in_a_folder_that_are_not_read_are_named(
    seen: list[str], photo: Callable[[str], Path]
) -> None:
    for name in ("1.jpg", "2.heic", "3.WEBP", "notes.txt"):
        photo(name)
    result = _read(photo("1.jpg").parent)
    assert result.exit_code == 0
    assert seen == ["1.jpg"]
    heic, webp = result.stderr.splitlines()
    assert "2.heic: passed over, only JPEG and PNG are read; export it as JPEG" in heic
    assert "3.WEBP: passed over" in webp


def test_a_fault_on_one_photo_does_not_lose_the_others(
    seen: list[str], photo: Callable[[str], Path]
) -> None:
    result = _read(photo("odd.jpg"), photo("b.jpg"))
    assert result.exit_code == 1
    assert "odd.jpg: a fault of this program (IndexError: list index out of range)" in result.stderr
    assert "b.jpg: tiny" in result.stdout


def _reading_kills(job: batch.Job) -> batch.Outcome:
    if "kills" in job.photo.name:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch.Outcome(job=job, reading=reading(disc(), image=job.photo.name))


def test_a_worker_that_dies_takes_only_its_photo_with_it() -> None:
    names = ["a.jpg", "b.jpg", "kills.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg"]
    jobs = [batch.Job(photo=Path(name)) for name in names]
    outcomes = list(batch._in_workers(jobs, _reading_kills, processes=2))
    assert [outcome.job.photo.name for outcome in outcomes] == names
    (refused,) = [outcome for outcome in outcomes if outcome.reading is None]
    assert refused.refusal is not None
    assert "kills.jpg" in refused.refusal
    assert "--resume" in refused.refusal


def _wait_for_ever(job: batch.Job) -> batch.Outcome:
    Path(job.photo).touch()
    time.sleep(600)
    return batch.Outcome(job=job)


PARENT = """
import sys
from pathlib import Path
from sonora_vision import batch
from tests.commands.test_read import _wait_for_ever
jobs = [batch.Job(photo=Path(name)) for name in sys.argv[1:]]
list(batch._in_workers(jobs, _wait_for_ever, processes=2))
"""


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    under_way = [tmp_path / "a.jpg", tmp_path / "b.jpg"]
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, *map(str, under_way)], stdout=subprocess.PIPE
    )
    try:
        while not all(photo.exists() for photo in under_way):
            assert parent.poll() is None
            time.sleep(0.05)
    finally:
        parent.kill()
    parent.communicate(timeout=60)  # its output ends once nobody holds it any more


def test_players_that_the_order_leaves_out_are_named(
    seen: list[str], photo: Callable[[str], Path]
) -> None:
    result = _read(photo("one.jpg"), "--order", "blue")
    assert "red is not in the order: 1 of its discs left out" in result.stderr


def test_resume_passes_over_what_is_read_and_says_so(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    a, b = photo("a.jpg"), photo("b.jpg")
    _read(a, "--json", tmp_path / "j")
    result = _read(a, b, "--json", tmp_path / "j", "--resume")
    assert seen == ["a.jpg", "b.jpg"]
    assert "1 of 2 photos are read already, passed over" in result.stderr


def test_resume_reads_again_what_is_damaged(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    a = photo("a.jpg")
    _read(a, "--json", tmp_path / "j")
    (tmp_path / "j" / "a.json").write_text('{"kind": ')
    result = _read(a, "--json", tmp_path / "j", "--resume")
    assert result.exit_code == 0
    assert "the photo is read again" in result.stderr
    assert load_reading(tmp_path / "j" / "a.json").image == "a.jpg"


def test_resume_reads_again_what_was_made_from_something_else(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    a, j = photo("a.jpg"), tmp_path / "j"
    _read(a, "--json", j)
    a.write_bytes(b"another photo of that name")
    result = _read(a, "--json", j, "--resume")
    assert "a.json: was made from another photo; the photo is read again" in result.stderr
    Path("stand-in").write_text("another board's profile")
    batch._fingerprint.cache_clear()
    result = _read(a, "--json", j, "--resume")
    assert "a.json: was made from another profile; the photo is read again" in result.stderr
    result = _read(a, "--json", j, "--resume", "--game", "crokinole")
    assert "a.json: was made from the rules of sonora; the photo is read again" in result.stderr
    assert seen == ["a.jpg"] * 4
    assert "1 of 1 photos are read already" in (
        _read(a, "--json", j, "--resume", "--game", "crokinole").stderr
    )


def test_resume_reads_again_what_does_not_say_what_it_was_made_from(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    save_reading(tmp_path / "j" / "a.json", reading(disc(), image="a.jpg"))
    result = _read(photo("a.jpg"), "--json", tmp_path / "j", "--resume")
    assert "a.json: does not say what it was made from; the photo is read again" in result.stderr
    assert seen == ["a.jpg"]


def test_resume_keeps_a_reading_that_was_settled_by_hand(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    a, file = photo("a.jpg"), tmp_path / "j" / "a.json"
    _read(a, "--json", tmp_path / "j")
    save_reading(file, replace(load_reading(file), discs=()))
    _read(a, "--json", tmp_path / "j", "--resume")
    assert load_reading(file).discs == ()


def test_resume_draws_a_picture_that_is_not_there(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    a = photo("a.jpg")
    _read(a, "--json", tmp_path / "j")
    _read(a, "--json", tmp_path / "j", "--annotate", tmp_path / "p", "--resume")
    assert (tmp_path / "p" / "a.png").exists()


def test_resume_without_a_folder_of_readings_is_a_mistake(
    seen: list[str], photo: Callable[[str], Path]
) -> None:
    result = _read(photo("a.jpg"), "--resume")
    assert result.exit_code == 2
    assert "expected --json DIR with it" in result.stderr


def test_two_photos_of_one_name_do_not_overwrite_each_other(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    result = _read(photo("a.jpg"), photo("a.png"), "--json", tmp_path / "j")
    assert result.exit_code == 2
    assert "got 2 called 'a'" in result.stderr
    assert seen == []


def test_a_place_that_cannot_be_written_is_a_mistake(
    seen: list[str], photo: Callable[[str], Path], tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("x")
    result = _read(photo("a.jpg"), "--json", tmp_path / "taken")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_a_bad_profile_is_said_once(
    seen: list[str], photo: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise FileFormatError(f"{path}: schema: expected 1, got 2")

    monkeypatch.setattr(read_command, "load_profile", refuse)
    monkeypatch.setattr(batch, "load_profile", refuse)
    result = _read(photo("a.jpg"), photo("b.jpg"))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == ["sonora-vision: stand-in: schema: expected 1, got 2"]
