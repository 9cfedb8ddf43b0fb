"""The one reader of a table: the camera first, one at a time, a profile that comes late."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.errors import FileFormatError
from sonora_vision.web import Seen, create_app
from sonora_vision.web.live.table_reader import NoProfileError, TableReader
from tests.web.conftest import PIN
from tests.web.table import DrawnReader
from tests.web.visit import host_of, visitor

NOTHING = np.full((4, 4, 3), 9, np.uint8)


class Slow(DrawnReader):
    """Notes in which order it reads, and whether ever two at once."""

    def __init__(self) -> None:
        super().__init__()
        self.order: list[str] = []
        self.began = threading.Event()
        self._one = threading.Lock()

    def read(self, pixels_bgr: Pixels, image_name: str) -> Seen:
        assert self._one.acquire(blocking=False), "two at once"
        self.order.append(image_name)
        self.began.set()
        seen = super().read(pixels_bgr, image_name)
        self._one.release()
        return seen


def waiting(reader: TableReader, count: int) -> None:
    """Wait until so many wait for their turn."""
    while len(reader._turn._waiters) < count:  # type: ignore[attr-defined]
        threading.Event().wait(0.002)


def test_the_cameras_picture_is_read_before_photographs_that_wait(tmp_path: Path) -> None:
    slow = Slow()
    slow.may_read.clear()
    reader = TableReader(tmp_path / "none", slow)
    threads = []
    for index, (read, name) in enumerate(
        [
            (reader.read, "photo 1"),
            (reader.read, "photo 2"),
            (reader.read_first, "still"),
        ]
    ):
        threads.append(threading.Thread(target=read, args=(NOTHING, name)))
        threads[-1].start()
        assert slow.began.wait(20)
        waiting(reader, index)
    slow.may_read.set()
    for thread in threads:
        thread.join(20)
    assert slow.order == ["photo 1", "still", "photo 2"]


def test_a_picture_that_is_refused_lets_the_next_one_in(tmp_path: Path) -> None:
    reader = TableReader(tmp_path / "none", DrawnReader())
    with pytest.raises(Exception, match="no board found"):
        reader.read(np.zeros((4, 4, 3), np.uint8), "black")
    assert reader.read(NOTHING, "next").reading.image == "next"


def test_a_profile_that_is_made_later_is_picked_up(tmp_path: Path, sample_profile: Path) -> None:
    reader = TableReader(tmp_path / "table.profile")
    assert not reader.ready
    with pytest.raises(NoProfileError, match="calibrate first"):
        reader.read(NOTHING, "too early")
    shutil.copy(sample_profile, tmp_path / "table.profile")
    assert reader.ready
    assert reader.board.name == "mesa"


def test_a_new_profile_that_is_broken_leaves_the_one_that_reads(
    tmp_path: Path, sample_profile: Path, sample_rig: Path
) -> None:
    path = tmp_path / "table.profile"
    shutil.copy(sample_profile, path)
    reader = TableReader(path)
    photo = np.asarray(cv2.imread(str(sample_rig / "photos" / "002.jpg")), np.uint8)
    path.write_bytes(b"half of a profile")
    assert reader.read(photo, "002.jpg").reading.board == "mesa"
    path.unlink()
    assert reader.board.name == "mesa"


def test_a_profile_that_is_broken_at_the_start_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "table.profile"
    path.write_bytes(b"half of a profile")
    with pytest.raises(FileFormatError):
        TableReader(path)


class TestWithoutAProfile:
    @pytest.fixture
    def bare(self, tmp_path: Path) -> Flask:
        return create_app(tmp_path / "table.profile", folder=tmp_path / "table", pin=PIN)

    def test_the_host_is_sent_to_calibrate(self, bare: Flask) -> None:
        answer = host_of(bare).get("/games")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/calibrate/camera")

    def test_a_program_is_told_to_wait_not_sent_elsewhere(self, bare: Flask) -> None:
        token = bare.extensions["sonora_access"].host_token()
        answer = visitor(bare).get("/api/v1/games", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 503

    def test_the_host_can_sign_in_and_everybody_sees_the_first_page(self, bare: Flask) -> None:
        assert visitor(bare).get("/").status_code == 200

    def test_a_stranger_learns_no_more_than_elsewhere(self, bare: Flask) -> None:
        assert visitor(bare).get("/games").status_code in (403, 503)

    def test_with_the_profile_the_games_open(
        self, bare: Flask, tmp_path: Path, sample_profile: Path
    ) -> None:
        host = host_of(bare)
        shutil.copy(sample_profile, tmp_path / "table.profile")
        assert host.get("/games").status_code == 200
