"""A video file, as fast as it can be read or at its own speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from sonora_vision.camera.quiet import quiet_opencv
from sonora_vision.camera.source import (
    CameraError,
    CameraLostError,
    Frame,
    NoCameraError,
    Pixels,
    Still,
    shrink,
)

DEFAULT_RATE_HZ = 30.0
"""Taken where a file does not say how fast it is."""

BROKEN_SHARE = 0.02
"""Containers count their frames roughly; only a larger part missing means a broken file."""


class VideoFile:
    """The frames of a video file; a still is the frame itself, full size.

    Parameters
    ----------
    path : Path
        Anything that OpenCV decodes.
    real_time : bool
        Keep to the clock, and drop the frames that a slow reader missed, as a camera does.
    now, sleep : callable
        The clock, seconds; given by tests.

    Raises
    ------
    NoCameraError
        Where the file is missing.
    CameraError
        Where it cannot be decoded, or (while playing) where it breaks off before its end.
    """

    def __init__(
        self,
        path: Path,
        *,
        real_time: bool = False,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not path.is_file():
            raise NoCameraError(f"{path}: expected a video file, found none; check the path")
        quiet_opencv()
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraError(f"{path}: not a video that can be decoded; expected e.g. MP4 or AVI")
        self.name = str(path)
        self.live = real_time
        rate_hz = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._rate_hz = rate_hz if 0.1 <= rate_hz <= 1000.0 else DEFAULT_RATE_HZ
        self._expected = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._now, self._sleep = now, sleep
        self._still: Still | None = None

    def frames(self) -> Iterator[Frame]:
        """Give the frames from the first to the last."""
        start_s = self._now()
        position, number = 0, 0
        while True:
            if self.live:
                position += self._skip(int((self._now() - start_s) * self._rate_hz) - position)
            pixels_bgr = self._next()
            if pixels_bgr is None:
                break
            at_s = position / self._rate_hz
            position += 1
            if self.live:
                self._sleep(max(0.0, start_s + at_s - self._now()))
            self._still = Still(pixels_bgr=pixels_bgr, at_s=at_s, name=f"frame-{position - 1:06d}")
            yield Frame(pixels_bgr=shrink(pixels_bgr), at_s=at_s, number=number)
            number += 1
        self._check_whole(position)

    def still(self) -> Still:
        """Give the newest frame, full size."""
        if self._still is None:
            raise CameraLostError(f"{self.name}: a still was asked for before the first frame")
        return self._still

    def close(self) -> None:
        """Let go of the file."""
        self._capture.release()

    def _next(self) -> Pixels | None:
        """Decode the next frame; None at the end."""
        try:
            good, pixels_bgr = self._capture.read()
        except cv2.error as error:
            raise CameraError(f"{self.name}: cannot be decoded further: {error.msg}") from error
        return np.asarray(pixels_bgr, np.uint8) if good else None

    def _skip(self, count: int) -> int:
        """Pass over frames without decoding them; returns how many there were."""
        skipped = 0
        while skipped < count and self._capture.grab():
            skipped += 1
        return skipped

    def _check_whole(self, given: int) -> None:
        missing = self._expected - given
        if given == 0 or (self._expected > 0 and missing > 1 + BROKEN_SHARE * self._expected):
            raise CameraError(
                f"{self.name}: broken off at frame {given} of {self._expected}; what came before"
                " was used; copy or record it again"
            )
