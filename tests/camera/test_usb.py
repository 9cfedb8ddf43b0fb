"""An OpenCV camera, its device played by a small object."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from sonora_vision.camera import CameraBusyError, CameraLostError, NoCameraError
from sonora_vision.camera.usb import OpenCVCamera


class Device:
    """A webcam: gives numbered pictures until it is unplugged."""

    def __init__(self, *, opens: bool = True, hangs: bool = False) -> None:
        self.opens, self.hangs, self.unplugged = opens, hangs, False
        self.count = 0
        self.released = False
        self.settings: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 250.0}
        self._pace = threading.Event()

    def isOpened(self) -> bool:
        return self.opens

    def read(self) -> tuple[bool, Any]:
        self._pace.wait(0.002)
        if self.hangs:
            self._pace.wait(30)
        if self.unplugged:
            return False, None
        self.count += 1
        return True, np.full((720, 1280, 3), self.count % 256, np.uint8)

    def set(self, prop: int, value: float) -> bool:
        self.settings[prop] = value
        return True

    def get(self, prop: int) -> float:
        return self.settings.get(prop, 0.0)

    def release(self) -> None:
        self.released = True


def open_device(device: Device, **more: Any) -> OpenCVCamera:
    return OpenCVCamera(0, open_capture=lambda _: device, frame_limit_s=0.3, **more)


def test_frames_are_the_newest_and_stills_are_whole() -> None:
    device = Device()
    camera = open_device(device)
    frames = list(itertools.islice(camera.frames(), 3))
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert frames[0].pixels_bgr.shape == (360, 640, 3)
    assert camera.still().pixels_bgr.shape == (720, 1280, 3)
    camera.close()
    assert device.released


def test_after_settling_exposure_and_white_balance_are_held() -> None:
    device = Device()
    camera = open_device(device, settle_s=0.0)
    list(itertools.islice(camera.frames(), 1))
    camera.close()
    assert (
        device.settings[cv2.CAP_PROP_AUTO_EXPOSURE],
        device.settings[cv2.CAP_PROP_EXPOSURE],
        device.settings[cv2.CAP_PROP_AUTO_WB],
    ) == (1.0, 250.0, 0.0)


def test_an_unplugged_camera_is_lost_not_waited_for() -> None:
    device = Device()
    camera = open_device(device)
    frames = camera.frames()
    next(frames)
    device.unplugged = True
    with pytest.raises(CameraLostError, match="plug it in again"):
        list(frames)
    camera.close()


def test_a_driver_that_hangs_is_reported_in_time() -> None:
    camera = open_device(Device(hangs=True))
    with pytest.raises(CameraLostError, match="does not answer"):
        next(camera.frames())


def test_a_camera_that_is_not_there_is_told_from_one_that_is_held(tmp_path: Path) -> None:
    with pytest.raises(NoCameraError, match="no such camera"):
        OpenCVCamera(str(tmp_path / "video7"), open_capture=lambda _: Device(opens=False))
    held = tmp_path / "video0"
    held.touch()
    with pytest.raises(CameraBusyError, match="another program may hold it"):
        OpenCVCamera(str(held), open_capture=lambda _: Device(opens=False))


def test_an_exposure_is_changed_from_where_it_was_locked() -> None:
    device = Device()
    camera = open_device(device, settle_s=0.0)
    assert not camera.expose(0.5), "nothing is locked before the first frame"
    list(itertools.islice(camera.frames(), 1))
    assert camera.expose(0.5)
    assert device.settings[cv2.CAP_PROP_EXPOSURE] == 125.0
    assert camera.expose(1.0)
    assert device.settings[cv2.CAP_PROP_EXPOSURE] == 250.0
    camera.close()


def test_an_exposure_in_logarithms_is_left_alone() -> None:
    device = Device()
    device.settings[cv2.CAP_PROP_EXPOSURE] = -6.0
    camera = open_device(device, settle_s=0.0)
    list(itertools.islice(camera.frames(), 1))
    assert not camera.expose(0.5)
    assert device.settings[cv2.CAP_PROP_EXPOSURE] == -6.0
    camera.close()
