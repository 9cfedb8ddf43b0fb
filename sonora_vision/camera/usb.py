"""Any camera that OpenCV opens: USB webcams, capture cards, network streams."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from sonora_vision.camera.limits import within
from sonora_vision.camera.quiet import quiet_opencv
from sonora_vision.camera.source import (
    CameraBusyError,
    CameraLostError,
    Frame,
    NoCameraError,
    Pixels,
    Still,
    shrink,
)

OPEN_LIMIT_S = 10.0
FRAME_LIMIT_S = 3.0
"""A camera at 1 frame a second and slower is not one to watch a table with."""
SETTLE_S = 1.5
"""Automatic exposure and white balance have found their values by then."""
FAILED_READS = 10
"""So many empty reads in a row, and the camera counts as gone."""

V4L2_EXPOSURE_MANUAL = 1.0
_FRAMES_TO_FOLLOW = 4


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool: ...  # noqa: D102, N802  OpenCV's name
    def read(self) -> tuple[bool, Pixels | None]: ...  # noqa: D102
    def set(self, prop: int, value: float) -> bool: ...  # noqa: D102
    def get(self, prop: int) -> float: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


class OpenCVCamera:
    """A camera read through OpenCV in a thread of its own, so that no call waits for ever.

    Parameters
    ----------
    device : int or str
        A number, a device path or a stream's address.
    size_px : tuple of int, optional
        Width and height to ask for; the camera may give another size, which is then used.
    open_capture : callable
        Opens the device; given by tests.

    Raises
    ------
    NoCameraError
        Where the device does not exist.
    CameraBusyError
        Where it exists and cannot be opened.
    """

    live = True

    def __init__(
        self,
        device: int | str,
        *,
        size_px: tuple[int, int] | None = None,
        settle_s: float = SETTLE_S,
        frame_limit_s: float = FRAME_LIMIT_S,
        open_capture: Callable[[int | str], Capture] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = f"camera {device}"
        self._frame_limit_s, self._settle_s, self._now = frame_limit_s, settle_s, now
        opener = _open_capture if open_capture is None else open_capture
        self._capture = within(OPEN_LIMIT_S, lambda: opener(device), what=f"opening {self.name}")
        if not self._capture.isOpened():
            self._capture.release()
            raise _why_not(device)
        if size_px is not None:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, float(size_px[0]))
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, float(size_px[1]))
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1.0)
        self._exposure: float | None = None
        self._start_s = now()
        self._fresh = threading.Condition()
        self._newest: tuple[int, float, Pixels] | None = None
        self._stopping = self._gone = False
        self._thread = threading.Thread(target=self._read_on, name=self.name, daemon=True)
        self._thread.start()

    def frames(self) -> Iterator[Frame]:
        """Give the newest frame again and again; frames that came in between are dropped."""
        number, seen, locked = 0, -1, False
        while not self._stopping:
            if not locked and self._now() - self._start_s >= self._settle_s:
                self._lock()
                locked = True
            seen, at_s, pixels_bgr = self._wait_for(after=seen)
            yield Frame(pixels_bgr=shrink(pixels_bgr), at_s=at_s, number=number)
            number += 1

    def still(self) -> Still:
        """Give a picture that was taken after this call, full size."""
        newest = self._newest
        index, at_s, pixels_bgr = self._wait_for(after=-1 if newest is None else newest[0])
        return Still(pixels_bgr=pixels_bgr, at_s=at_s, name=f"still-{index:06d}")

    def expose(self, factor: float) -> bool:
        """Expose so many times as long as was locked; 1 goes back to that.

        Returns
        -------
        bool
            False where the driver does not take it.
        """
        if self._exposure is None or self._exposure <= 0:
            return False  # some drivers count in logarithms: a factor means nothing there
        if not self._capture.set(cv2.CAP_PROP_EXPOSURE, self._exposure * factor):
            return False
        for _ in range(_FRAMES_TO_FOLLOW):
            self.still()
        return True

    def close(self) -> None:
        """Stop reading and give the device back."""
        self._stopping = True
        self._thread.join(self._frame_limit_s)
        if not self._thread.is_alive():  # a driver that hangs in read() must not be released
            self._capture.release()

    def _read_on(self) -> None:
        failed = index = 0
        while not self._stopping and failed < FAILED_READS:
            try:
                good, pixels_bgr = self._capture.read()
            except cv2.error:
                good, pixels_bgr = False, None
            if not good or pixels_bgr is None:
                failed += 1
                time.sleep(0.02)
                continue
            failed = 0
            with self._fresh:
                at_s = self._now() - self._start_s
                self._newest = (index, at_s, np.asarray(pixels_bgr, np.uint8))
                self._fresh.notify_all()
            index += 1
        with self._fresh:
            self._gone = True
            self._fresh.notify_all()

    def _wait_for(self, *, after: int) -> tuple[int, float, Pixels]:
        """Wait for a frame with a higher index than that."""
        with self._fresh:
            came = self._fresh.wait_for(
                lambda: self._gone or (self._newest is not None and self._newest[0] > after),
                timeout=self._frame_limit_s,
            )
            newest = self._newest
        if newest is None or newest[0] <= after or not came:
            why = "gives no pictures any more" if self._gone else "does not answer"
            raise CameraLostError(f"{self.name}: {why}; check its cable and plug it in again")
        return newest

    def _lock(self) -> None:
        """Hold exposure, white balance and focus where they are; not every driver obeys."""
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        if self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_EXPOSURE_MANUAL):
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
            self._exposure = exposure
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0.0)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0.0)


def _open_capture(device: int | str) -> Capture:
    """Open a device with OpenCV, which is not to say of its own what is wrong."""
    if isinstance(device, int) and not Path(f"/dev/video{device}").exists():
        raise _why_not(device)
    quiet_opencv()
    capture: Capture = cv2.VideoCapture(device)  # type: ignore[assignment]  # its overloads differ
    return capture


def _why_not(device: int | str) -> NoCameraError | CameraBusyError:
    """Tell a camera that is not there from one that cannot be had."""
    path = Path(f"/dev/video{device}") if isinstance(device, int) else Path(device)
    if not path.exists():
        found = ", ".join(sorted(str(p) for p in Path("/dev").glob("video*"))) or "none"
        return NoCameraError(f"{path}: no such camera; found {found}; plug it in or choose another")
    if not os.access(path, os.R_OK | os.W_OK):
        return CameraBusyError(f"{path}: not allowed; add this user to the group 'video'")
    return CameraBusyError(f"{path}: cannot be opened; another program may hold it: close that one")
