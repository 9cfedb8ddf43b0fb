"""A folder of photos, shown one after the other as if each lay under the camera for a while."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from sonora_vision.camera.source import (
    CameraError,
    CameraLostError,
    Frame,
    NoCameraError,
    Still,
    shrink,
)

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".tif", ".tiff", ".bmp", ".webp"})

_log = logging.getLogger(__name__)


class PhotoFolder:
    """The photos of a folder, in the order of their names.

    Parameters
    ----------
    folder : Path
        Files that are not photos are passed over; a photo that cannot be decoded is passed over
        with a logged warning that names it.
    hold_s : float
        How long each photo is shown, seconds of the source's clock; may be infinite.
    rate_hz : float
        Frames a second of the source's clock.
    real_time : bool
        Keep to the real clock, and begin again after the last photo, as a table at which rounds
        are played; else no real time passes, and the last photo is the end.
    now, sleep : callable
        The real clock, seconds; given by tests.

    Raises
    ------
    NoCameraError
        Where the folder is missing or holds no photo.
    """

    def __init__(
        self,
        folder: Path,
        *,
        hold_s: float = 2.0,
        rate_hz: float = 10.0,
        real_time: bool = False,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not folder.is_dir():
            raise NoCameraError(f"{folder}: expected a folder of photos; check the path")
        self._photos = sorted(p for p in folder.iterdir() if p.suffix.lower() in PHOTO_SUFFIXES)
        if not self._photos:
            raise NoCameraError(f"{folder}: expected photos (jpg, png, ...), found none in it")
        self.name, self.live = str(folder), real_time
        self._hold_s, self._rate_hz = hold_s, rate_hz
        self._now, self._sleep = now, sleep
        self._still: Still | None = None
        self._next = threading.Event()
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Give each photo as many times as it is shown."""
        ticks, number = self._ticks(), 0
        tick = next(ticks)
        while not self._closed:
            for path in self._photos:
                pixels_bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)  # turns it as its EXIF says
                if pixels_bgr is None:
                    _log.warning("%s: not a picture that can be decoded; passed over", path)
                    continue
                full_bgr = np.asarray(pixels_bgr, np.uint8)
                small_bgr = shrink(full_bgr)
                until_tick = tick + max(1.0, round(self._hold_s * self._rate_hz, 6))
                while tick < until_tick and not self._closed and not self._step_asked():
                    at_s = tick / self._rate_hz
                    self._still = Still(pixels_bgr=full_bgr, at_s=at_s, name=path.name)
                    yield Frame(pixels_bgr=small_bgr, at_s=at_s, number=number)
                    number, tick = number + 1, next(ticks)
            if number == 0:
                raise CameraError(
                    f"{self.name}: none of its {len(self._photos)} photos can be decoded"
                )
            if not self.live:
                return

    def still(self) -> Still:
        """Give the photo that is being shown, full size."""
        if self._still is None:
            raise CameraLostError(f"{self.name}: a still was asked for before the first frame")
        return self._still

    def step(self) -> None:
        """Show the next photo now; callable from any thread."""
        self._next.set()

    def close(self) -> None:
        """End the frames."""
        self._closed = True

    def _step_asked(self) -> bool:
        if not self._next.is_set():
            return False
        self._next.clear()
        return True

    def _ticks(self) -> Iterator[int]:
        """Count frames; in real time when theirs has come, those that were missed left out."""
        start_s, tick = self._now(), 0
        while True:
            yield tick
            tick += 1
            if self.live:
                tick = max(tick, int((self._now() - start_s) * self._rate_hz))
                self._sleep(max(0.0, start_s + tick / self._rate_hz - self._now()))
