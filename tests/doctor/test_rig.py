"""What the doctor says of cameras, profiles and readings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from sonora_vision.camera import CameraBusyError, Frame, Still
from sonora_vision.camera.source import FrameSource, Pixels, shrink
from sonora_vision.doctor.finding import Finding
from sonora_vision.doctor.rig import check_profile, check_rig
from sonora_vision.errors import FileFormatError, UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.watch.profile_reader import reader_for
from tests.watch.table import Table, disc, reading

TABLE = Table(discs={("red", 1): (120.0, 130.0)})


class Camera:
    """A live camera that shows one picture, with a light that may swing."""

    name, live = "camera 0", True

    def __init__(self, pixels_bgr: Pixels, *, swing: float = 0.0) -> None:
        self._pixels, self._swing = pixels_bgr, swing
        self.notes: tuple[str, ...] = ()

    def frames(self) -> Iterator[Frame]:
        for number in range(100):
            factor = 1.0 + self._swing * (-1) ** number
            lit = np.clip(self._pixels * factor, 0, 255).astype(np.uint8)
            yield Frame(pixels_bgr=shrink(lit), at_s=number / 10, number=number)

    def still(self) -> Still:
        return Still(pixels_bgr=self._pixels, at_s=1.0, name="still")

    def close(self) -> None: ...


def check(
    camera: FrameSource, *, profile: Path | None = None, read: Reading | Exception | None = None
) -> dict[str, Finding]:
    def reader(_pixels: Pixels, _name: str) -> Reading:
        if isinstance(read, Exception):
            raise read
        assert read is not None
        return read

    found = list(check_rig(lambda: camera, profile, lambda _: reader, 1.8e9))
    return {f.check: f for f in reversed(found)}


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    path = tmp_path / "table.profile"
    path.write_text("a profile")
    os.utime(path, (1.8e9 - 86_400, 1.8e9 - 86_400))
    return path


def test_a_good_rig_is_ok(profile: Path) -> None:
    found = check(Camera(TABLE.draw()), profile=profile, read=TABLE.read())
    assert {f.verdict for f in found.values()} == {"ok"}


def test_a_busy_camera_is_bad_and_a_reading_skipped(profile: Path) -> None:
    def busy() -> FrameSource:
        raise CameraBusyError("/dev/video0: cannot be opened; close the other program")

    found = {f.check: f for f in check_rig(busy, profile, lambda _: None, 1.8e9)}  # type: ignore[arg-type, return-value]
    assert found["camera"].verdict == "bad"
    assert "close the other program" in found["camera"].found
    assert found["reading"].verdict == "skipped"


@pytest.mark.parametrize(
    ("picture", "check_name", "todo"),
    [
        (replace(TABLE, light=0.25).draw(), "light", "more light"),
        (replace(TABLE, light=2.4).draw(), "light", "move the lamp"),
        (cv2.GaussianBlur(TABLE.draw(), (0, 0), 8.0), "sharpness", "clean the lens"),
    ],
)
def test_poor_pictures_say_what_to_do(picture: Pixels, check_name: str, todo: str) -> None:
    finding = check(Camera(picture))[check_name]
    assert finding.verdict == "warning"
    assert todo in finding.todo


def test_flicker_is_seen() -> None:
    finding = check(Camera(TABLE.draw(), swing=0.05))["flicker"]
    assert finding.verdict == "warning"
    assert "flicker_hz" in finding.todo


def test_what_the_camera_notes_is_passed_on() -> None:
    camera = Camera(TABLE.draw())
    camera.notes = ("focus not found: look for dirt",)
    found = list(check_rig(lambda: camera, None, lambda _: None, 0.0))  # type: ignore[arg-type, return-value]
    assert any("focus not found" in f.found for f in found)


def test_an_old_profile_and_a_missing_one(profile: Path, tmp_path: Path) -> None:
    assert check_profile(profile, 1.8e9).verdict == "ok"
    assert "calibrate again" in check_profile(profile, 1.8e9 + 300 * 86_400).todo
    assert check_profile(tmp_path / "none", 1.8e9).verdict == "bad"


def test_a_profile_that_cannot_be_loaded_is_bad(profile: Path) -> None:
    def broken(_path: Path) -> None:
        raise FileFormatError("table.profile: not a profile")

    camera = Camera(TABLE.draw())
    found = list(check_rig(lambda: camera, profile, broken, 1.8e9))  # type: ignore[arg-type]
    assert [f.found for f in found if f.verdict == "bad"] == ["table.profile: not a profile"]


def test_a_board_that_cannot_be_read_says_why(profile: Path) -> None:
    error = UnreadableError("still: the board was not found")
    found = check(Camera(TABLE.draw()), profile=profile, read=error)
    assert found["reading"].verdict == "bad"
    assert "not found" in found["reading"].found


def test_a_poor_fit_and_many_doubts_are_warnings(profile: Path) -> None:
    doubted = replace(disc("red", 1, (120.0, 130.0)), doubts=("number",))
    pose = replace(TABLE.pose(), fit_px=4.0)
    found = check(Camera(TABLE.draw()), profile=profile, read=reading(doubted, pose=pose))
    assert found["pose"].verdict == "warning"
    assert found["reading"].verdict == "warning"


@pytest.mark.parametrize("content", [b"", b"PK", b'{"kind": "sonora-vision/board"}'])
def test_a_profile_that_cannot_be_loaded_is_bad_without_a_camera(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "bad.profile"
    path.write_bytes(content)
    found = {f.check: f for f in check_rig(None, path, reader_for, 1.8e9)}
    assert found["profile"].verdict == "bad"
    assert "bad.profile: not a whole profile" in found["profile"].found
