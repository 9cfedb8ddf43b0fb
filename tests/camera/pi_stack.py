"""A Pi camera stack that fails as the real one does, behind the real one's signatures."""

from __future__ import annotations

import contextlib
import threading
from typing import Any
from unittest.mock import PropertyMock, create_autospec

import numpy as np

from tests.camera import picamera2_signatures as recorded

MODULE3_CONTROLS: dict[str, tuple[Any, Any, Any]] = {
    "AeEnable": (False, True, True),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1_000_000, None),
    "AfMode": (0, 2, 0),
    "AfTrigger": (0, 1, 0),
    "AnalogueGain": (1.12, 16.0, 1.0),
    "AwbEnable": (False, True, None),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (26, 220_000_000, 20_000),
    "FrameDurationLimits": (69_669, 220_535_845, None),
    "LensPosition": (0.0, 32.0, 1.0),
}
HQ_CONTROLS = {
    k: v for k, v in MODULE3_CONTROLS.items() if k not in {"AfMode", "AfTrigger", "LensPosition"}
}
USB_CONTROLS: dict[str, tuple[Any, Any, Any]] = {}

_PYTHON_TYPES: dict[str, type] = {
    "AeEnable": bool,
    "AeFlickerMode": int,
    "AeFlickerPeriod": int,
    "AfMode": int,
    "AnalogueGain": float,
    "AwbEnable": bool,
    "ColourGains": tuple,
    "ExposureTime": int,
    "FrameDurationLimits": tuple,
    "LensPosition": float,
}


class PiStack:
    """What lies behind `Picamera2`, with knobs for what may go wrong."""

    def __init__(self, controls: dict[str, Any] | None = None) -> None:
        self.ranges = dict(MODULE3_CONTROLS if controls is None else controls)
        self.cameras: list[dict[str, Any]] = [
            {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
        ]
        self.busy = False
        self.loop_dead = False  # the event loop thread has ended
        self.unplugged = False
        self.failing_jobs = 0  # so many of the next jobs raise, and keep their request
        self.failing_arrays = 0  # so many of the next requests give a bad buffer
        self.focus_found = True
        self.main_given: tuple[int, int] | None = None  # the size adjusted to, silently
        self.format_given: str | None = None
        self.row_padding = 0
        self.running = self.closed = False
        self.in_force: dict[str, Any] = {}
        self.pending: dict[str, Any] = {}
        self.configuration: dict[str, Any] = {}
        self.kept_requests = 0
        self.frames = 0
        self.flushes: list[Any] = []
        self.waits: list[Any] = []
        self.starts = 0
        self.picamera2 = self._behind_signatures()

    def _behind_signatures(self) -> Any:
        """Give the class: every call is first held against the real package's signature."""
        picamera2 = create_autospec(recorded.Picamera2)
        picamera2.side_effect = self._open
        picamera2.global_camera_info.side_effect = lambda: self.cameras
        camera = picamera2.return_value
        for name in recorded.USED["Picamera2"]:
            if name not in ("__init__", "global_camera_info"):
                getattr(camera, name).side_effect = getattr(self, name)
        type(camera).camera_controls = PropertyMock(side_effect=lambda: self.ranges)
        self._camera = camera
        return picamera2

    def _open(self, camera_num: int = 0, **_: Any) -> Any:
        if self.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.") from OSError(
                "Device or resource busy"
            )
        return self._camera

    def create_still_configuration(self, **asked: Any) -> dict[str, Any]:
        return dict(asked)

    def configure(self, camera_config: Any = None) -> None:
        assert not self.running, "a running camera must not be configured"
        self.pending = {}  # what was set before is dropped
        self.configuration = {stream: {**camera_config[stream]} for stream in ("main", "lores")}
        self.configuration["buffer_count"] = camera_config["buffer_count"]
        if self.main_given:
            self.configuration["main"]["size"] = self.main_given
        if self.format_given:
            self.configuration["main"]["format"] = self.format_given
        self.set_controls(camera_config["controls"])

    def camera_configuration(self) -> dict[str, Any]:
        return self.configuration

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        assert config is None
        assert show_preview is False, "a preview needs a screen"
        self.running = True
        self.starts += 1
        self.kept_requests = 0
        self._take_over()

    def stop(self) -> None:
        if self.loop_dead:
            threading.Event().wait()  # waits for the loop, for ever
        self.running = False

    def close(self) -> None:
        if self.running:
            self.stop()
        self.closed = True

    def cancel_all_and_flush(self) -> None: ...

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.ranges:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.pending |= controls

    def _take_over(self) -> None:
        """Give pending controls to the camera: a value of the wrong type ends the loop."""
        for name, value in self.pending.items():
            if type(value) is not _PYTHON_TYPES[name]:
                self.loop_dead = True
        self.in_force |= self.pending
        self.pending = {}

    @contextlib.contextmanager
    def captured_request(self, wait: Any = None, flush: Any = None) -> Any:
        assert isinstance(wait, (int, float)), "every capture needs a time limit"
        assert not isinstance(wait, bool)
        self.waits.append(wait)
        self.flushes.append(flush)
        self._take_over()
        free = self.configuration["buffer_count"] - self.kept_requests
        if self.loop_dead or self.unplugged or not self.running or free < 1:
            raise TimeoutError
        if flush and "ExposureTime" not in self.ranges:
            self.kept_requests += 1
            raise KeyError("ExposureTime")
        if self.failing_jobs:
            self.failing_jobs -= 1
            self.kept_requests += 1
            raise RuntimeError("a job that raises")
        self.frames += 1
        request = create_autospec(recorded.CompletedRequest, instance=True)
        request.make_array.side_effect = self.make_array
        request.get_metadata.side_effect = self.get_metadata
        yield request

    def autofocus_cycle(self, wait: Any = None, signal_function: Any = None) -> bool:
        assert isinstance(wait, (int, float))
        return self.focus_found

    def make_array(self, name: str) -> Any:
        if self.failing_arrays:
            self.failing_arrays -= 1
            raise ValueError("cannot reshape array")
        stream = self.configuration[name]
        width, height = stream["size"]
        if stream["format"] == "YUV420":
            planes = np.full((height * 3 // 2, width + self.row_padding), 128, np.uint8)
            planes[:height, :width] = 100
            return planes
        picture = np.zeros((height, width, 3), np.uint8)
        picture[..., 0] = 200  # blue comes first in memory
        return picture

    def get_metadata(self) -> dict[str, Any]:
        stamp = {"SensorTimestamp": 1_000_000_000 + 100_000_000 * self.frames}
        if "ExposureTime" not in self.ranges:
            return stamp
        settling = max(0, 5 - self.frames)
        exposure = self.in_force.get("ExposureTime", 20_000 + 4_000 * settling)
        metadata = {"ExposureTime": exposure, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.6)}
        if "LensPosition" in self.ranges:
            metadata["LensPosition"] = 2.25
        return metadata | stamp
