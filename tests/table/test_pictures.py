"""Pictures of a table: whole or not there, the oldest going first, none found by a crafted key."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from sonora_vision.detect.annotate import Rectified
from sonora_vision.errors import FileFormatError
from sonora_vision.table import picture_files
from sonora_vision.table.events import HOST, NextRound
from sonora_vision.table.picture_files import ENDINGS, NoPictureError, PictureFiles
from sonora_vision.table.pictures import PictureStore
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from tests.builders import disc, reading
from tests.table.night import made, recorded, write_down


def _files(size: int = 100) -> dict[str, bytes]:
    return {ending: os.urandom(size) for ending in ENDINGS}


def _aged(files: PictureFiles, key: str, seconds: float) -> str:
    for path in files.folder.glob(f"{key}.*"):
        os.utime(path, (time.time() - seconds,) * 2)
    return key


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    store = PictureStore(tmp_path / "pictures", max_bytes=10_000_000)
    pixels_bgr = np.full((80, 120, 3), (10, 120, 200), np.uint8)
    rectified = Rectified(
        bgr=pixels_bgr[:60, :60], px_per_mm=2.0, origin_mm=(-5.0, -5.0),
        camera_mm=(50.0, 50.0, 600.0), height_mm=5.0,
    )  # fmt: skip
    seen = reading(disc(), disc(color="blue"))
    key = store.keep(pixels_bgr, rectified, seen)
    assert store.photo(key)[:2] == b"\xff\xd8"
    assert store.reading(key) == seen
    back = store.rectified(key)
    assert (back.px_per_mm, back.origin_mm, back.camera_mm) == (
        2.0,
        (-5.0, -5.0),
        rectified.camera_mm,
    )
    assert back.bgr.shape == (60, 60, 3)
    assert abs(int(back.bgr[30, 30, 2]) - 200) < 6


@pytest.mark.parametrize(
    "key",
    ["", "../secrets/pin", "..", "a/b/c/d/e/f", "12345678\n", "a" * 65, "12345678\x00", "x.y"],
)
def test_a_key_is_never_a_path(tmp_path: Path, key: str) -> None:
    files = PictureFiles(tmp_path / "pictures", max_bytes=1000)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "pin.jpg").write_text("secret")
    with pytest.raises(NoPictureError):
        files.photo(key)
    files.remove(key)
    assert (tmp_path / "secrets" / "pin.jpg").exists()


def test_the_oldest_go_when_there_is_too_much(tmp_path: Path) -> None:
    files = PictureFiles(tmp_path, max_bytes=1000)
    keys = [_aged(files, files.write(_files()), 100 - n) for n in range(6)]
    assert [files.has(key) for key in keys] == [False] * 3 + [True] * 3
    with pytest.raises(NoPictureError):
        files.photo(keys[0])
    assert len(list(tmp_path.iterdir())) == 9


def test_one_larger_than_the_limit_is_kept_as_long_as_it_is_the_newest(tmp_path: Path) -> None:
    files = PictureFiles(tmp_path, max_bytes=100)
    first = _aged(files, files.write(_files()), 10)
    assert files.has(first)
    second = files.write(_files())
    assert (files.has(first), files.has(second)) == (False, True)


def test_the_picture_of_a_round_being_played_stays_however_old(tmp_path: Path) -> None:
    files = PictureFiles(tmp_path / "pictures", max_bytes=700)
    tables = Tables(Store(f"sqlite:///{tmp_path / 'table.db'}", tmp_path), files)
    game_id = tables.make(made(rounds=2))
    played = _aged(files, files.write(_files()), 1000)
    tables.act(game_id, HOST, recorded("red: 1@ruins | blue: 1@creek", picture=played))
    others = [_aged(files, files.write(_files()), 100 - n) for n in range(4)]
    assert files.has(played)
    assert [files.has(key) for key in others] == [False, False, False, True]
    write_down(tables, game_id)
    tables.act(game_id, HOST, NextRound())
    files.write(_files())
    assert not files.has(played)
    tables.store.close()


def test_a_picture_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = PictureFiles(tmp_path, max_bytes=10_000)
    kept = files.write(_files())
    whole = picture_files.write_bytes_atomically

    def full(path: Path, content: bytes) -> None:
        if path.name.endswith(".board.jpg"):
            raise FileFormatError(f"{path}: cannot be written: No space left on device")
        whole(path, content)

    monkeypatch.setattr(picture_files, "write_bytes_atomically", full)
    with pytest.raises(FileFormatError, match="No space left"):
        files.write(_files())
    assert {path.name.partition(".")[0] for path in tmp_path.iterdir()} == {kept}


def test_what_a_power_cut_left_half_written_is_swept_away_later(tmp_path: Path) -> None:
    files = PictureFiles(tmp_path, max_bytes=10_000)
    kept = files.write(_files())
    half, fresh = "half-written-1", "half-written-2"
    (tmp_path / f"{half}.jpg").write_bytes(b"half")
    (tmp_path / f".{half}.jpg.x7f").write_bytes(b"ha")
    (tmp_path / f"{fresh}.jpg").write_bytes(b"half")
    for name in (f"{half}.jpg", f".{half}.jpg.x7f"):
        os.utime(tmp_path / name, (time.time() - 10_000,) * 2)
    again = PictureFiles(tmp_path, max_bytes=10_000)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {f"{kept}{ending}" for ending in ENDINGS} | {f"{fresh}.jpg"}
    assert not again.has(fresh)


def test_a_damaged_picture_is_said_to_be(tmp_path: Path) -> None:
    store = PictureStore(tmp_path, max_bytes=10_000)
    key = store.write({".jpg": b"", ".board.jpg": b"", ".json": b"{"})
    with pytest.raises(NoPictureError, match="damaged"):
        store.reading(key)
    with pytest.raises(NoPictureError, match="damaged"):
        store.rectified(key)


def test_many_threads_keep_pictures_at_once(tmp_path: Path) -> None:
    files = PictureFiles(tmp_path, max_bytes=3000)
    errors: list[BaseException] = []

    def keep() -> None:
        try:
            for _ in range(10):
                files.write(_files())
        except BaseException as error:  # noqa: BLE001 - to be raised where the test sees it
            errors.append(error)

    threads = [threading.Thread(target=keep) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    names = [path.name for path in tmp_path.iterdir()]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 3000
    assert len(names) == 3 * len({name.partition(".")[0] for name in names})
