"""Folders of photos and video files as cameras."""

from __future__ import annotations

import itertools
import logging
from pathlib import Path

import cv2
import numpy as np
import pytest

from sonora_vision.camera import CameraError, NoCameraError
from sonora_vision.camera.choose import open_source
from sonora_vision.camera.folder import PhotoFolder
from sonora_vision.camera.source import Steps
from sonora_vision.camera.video import VideoFile
from sonora_vision.errors import UsageError


def write_video(path: Path, count: int = 60, size_px: tuple[int, int] = (800, 600)) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, size_px)
    for number in range(count):
        writer.write(np.full((size_px[1], size_px[0], 3), number, np.uint8))
    writer.release()
    return path


def write_photos(folder: Path, *values: int) -> Path:
    for index, value in enumerate(values):
        cv2.imwrite(str(folder / f"{index}.png"), np.full((90, 1280, 3), value, np.uint8))
    return folder


def test_photos_come_in_order_of_their_names_each_for_a_while(tmp_path: Path) -> None:
    source = PhotoFolder(write_photos(tmp_path, 10, 20), hold_s=0.3, rate_hz=10.0)
    seen = [(f.number, int(f.pixels_bgr[0, 0, 0]), source.still().name) for f in source.frames()]
    assert [seen[i] for i in (0, 2, 3)] == [(0, 10, "0.png"), (2, 10, "0.png"), (3, 20, "1.png")]
    assert len(seen) == 6


def test_frames_are_small_and_stills_are_whole(tmp_path: Path) -> None:
    source = PhotoFolder(write_photos(tmp_path, 10))
    frame = next(source.frames())
    assert frame.pixels_bgr.shape == (45, 640, 3)
    assert source.still().pixels_bgr.shape == (90, 1280, 3)


def test_a_broken_photo_is_named_and_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_photos(tmp_path, 10)
    (tmp_path / "0a.jpg").write_bytes(b"not a picture")
    with caplog.at_level(logging.WARNING):
        names = {PhotoFolder(tmp_path).name for _ in PhotoFolder(tmp_path).frames()}
    assert {str(tmp_path)} == names
    assert "0a.jpg: not a picture" in caplog.text


class Clock:
    """A real clock that a test moves on."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def playing(folder: Path, hold_s: float) -> tuple[PhotoFolder, Clock]:
    clock = Clock()
    source = PhotoFolder(
        folder, hold_s=hold_s, rate_hz=10.0, real_time=True, now=clock, sleep=clock.sleep
    )
    return source, clock


def test_in_real_time_photos_follow_the_clock_and_begin_again(tmp_path: Path) -> None:
    source, clock = playing(write_photos(tmp_path, 10, 20), hold_s=1.0)
    shown = {}
    for frame in itertools.islice(source.frames(), 45):
        shown[round(clock(), 3)] = int(frame.pixels_bgr[0, 0, 0])
        assert abs(frame.at_s - clock()) < 0.051
    assert [shown[at] for at in (0.0, 0.9, 1.1, 1.9, 2.1, 3.9)] == [10, 10, 20, 20, 10, 20]


def test_in_real_time_a_slow_reader_misses_frames_not_seconds(tmp_path: Path) -> None:
    source, clock = playing(write_photos(tmp_path, 10, 20), hold_s=3.0)
    at_s = []
    for frame in itertools.islice(source.frames(), 8):
        at_s.append(frame.at_s)
        clock.now_s += 0.75
    assert min(np.diff(at_s)) > 0.6
    assert source.still().name == "1.png"


def test_the_next_photo_comes_when_it_is_asked_for_and_not_before(tmp_path: Path) -> None:
    source, _ = playing(write_photos(tmp_path, 10, 20, 30), hold_s=float("inf"))
    assert isinstance(source, Steps)
    names = []
    for number, _frame in enumerate(source.frames()):
        names.append(source.still().name)
        if number in (500, 501, 502):
            source.step()
        if number == 510:
            source.close()
    assert set(names[:501]) == {"0.png"}
    assert names[501:504] == ["1.png", "2.png", "0.png"]
    assert len(names) == 511, "a closed folder shows nothing more"


def test_a_folder_without_photos_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoCameraError, match="expected photos"):
        PhotoFolder(tmp_path)


def test_a_folder_of_broken_photos_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no")
    with pytest.raises(CameraError, match="none of its 1 photos"):
        list(PhotoFolder(tmp_path).frames())


def test_a_video_gives_every_frame_with_its_time(tmp_path: Path) -> None:
    source = VideoFile(write_video(tmp_path / "v.avi"))
    frames = list(source.frames())
    assert len(frames) == 60
    assert pytest.approx(frames[30].at_s) == 1.0
    assert frames[0].pixels_bgr.shape == (480, 640, 3)
    assert source.still().pixels_bgr.shape == (600, 800, 3)


def test_in_real_time_frames_that_were_missed_are_dropped(tmp_path: Path) -> None:
    clock_s = [0.0]

    def sleep(seconds: float) -> None:
        clock_s[0] += seconds

    path = write_video(tmp_path / "v.avi")
    source = VideoFile(path, real_time=True, now=lambda: clock_s[0], sleep=sleep)
    times_s = []
    for frame in source.frames():
        times_s.append(frame.at_s)
        clock_s[0] += 0.1  # a reader that takes three frames' time
    assert pytest.approx(len(times_s), abs=1) == 20
    assert min(np.diff(times_s)) > 0.05
    assert max(np.diff(times_s)) < 0.15


def test_a_file_that_is_no_video_says_so(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    path.write_bytes(b"not a video" * 100)
    with pytest.raises(CameraError, match="not a video"):
        VideoFile(path)


def test_a_video_that_breaks_off_gives_what_it_has_and_then_says_where(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "v.avi").read_bytes()
    path = tmp_path / "cut.avi"
    path.write_bytes(whole[: len(whole) // 2])
    source = VideoFile(path)
    frames = source.frames()
    assert next(frames).number == 0
    with pytest.raises(CameraError, match="broken off at frame"):
        list(frames)


@pytest.mark.parametrize("text", ["nowhere", "picture.xyz", ""])
def test_a_name_that_means_no_camera_lists_the_forms(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected pi:PRESET, usb:NUMBER"):
        open_source(str(tmp_path / text) if text else "ftp")


def test_names_choose_the_kind_of_source(tmp_path: Path) -> None:
    video = open_source(str(write_video(tmp_path / "v.avi", 2)), real_time=True)
    assert video.live
    photos = open_source(str(write_photos(tmp_path, 1)))
    assert not photos.live
    assert len(list(itertools.islice(photos.frames(), 1))) == 1
    for source in (video, photos):
        source.close()
