"""A camera that shows what a test puts before it, and knows how to read that."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.camera.source import CameraLostError, Frame, NoCameraError, Still
from sonora_vision.detect.annotate import Rectified
from sonora_vision.errors import UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.web.live.watched import CameraLive
from sonora_vision.web.photos.store import Seen
from tests.watch.table import RATE_HZ, Table

ONE = Table(discs={("red", 1): (120.0, 130.0)})
TWO = Table(discs={("red", 1): (120.0, 130.0), ("blue", 2): (300.0, 250.0)})
PATIENCE_S = 20.0


class Shown:
    """A camera over drawn tables whose seconds pass as fast as its frames are taken."""

    name, live = "drawn", True

    def __init__(self, table: Table) -> None:
        self.table = table
        self.plugged_in, self.refuses = True, ""
        self.closed = 0
        self.names: list[str] = []
        self._at = 0

    def frames(self) -> Iterator[Frame]:
        rng = np.random.default_rng(1)
        noise = rng.normal(0.0, 2.0, (480, 640, 3))
        while True:
            if not self.plugged_in:
                raise CameraLostError("drawn: no picture any more; check its cable")
            table = self.table
            clean = table.draw().astype(np.float64)
            pixels = np.clip(clean + np.roll(noise, self._at, axis=1), 0, 255).astype(np.uint8)
            self._at += 1
            time.sleep(0.001)  # other threads have a turn
            yield Frame(pixels_bgr=pixels, at_s=self._at / RATE_HZ, number=self._at)

    def still(self) -> Still:
        return Still(
            pixels_bgr=self.table.draw(), at_s=self._at / RATE_HZ, name=f"still-{self._at}"
        )

    def close(self) -> None:
        self.closed += 1

    def open(self) -> Shown:
        if not self.plugged_in:
            raise NoCameraError("drawn: there is no such camera")
        return self

    def read(self, pixels_bgr: Pixels, name: str) -> Seen:
        if self.refuses:
            raise UnreadableError(self.refuses)
        self.names.append(name)
        return Seen(
            reading=self.reading(name),
            rectified=Rectified(bgr=pixels_bgr.copy(), px_per_mm=1.0, origin_mm=(0.0, 0.0)),
        )

    def reading(self, name: str) -> Reading:
        return replace(self.table.read(), image=name)


class Watched:
    """A live camera, and what it told."""

    def __init__(self, camera: Shown) -> None:
        self.camera = camera
        self.told = 0
        self._told = threading.Condition()
        self.live = CameraLive(
            camera.open, camera.read, self._tell, wait=lambda _s: time.sleep(0.01)
        )

    def _tell(self) -> None:
        with self._told:
            self.told += 1
            self._told.notify_all()

    def until(self, what: str, **is_so: object) -> None:
        """Wait until attributes of `what` (status, latest...) are so."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            seen = getattr(self.live, what)
            if seen is not None and all(getattr(seen, k) == v for k, v in is_so.items()):
                return
            time.sleep(0.005)
        raise AssertionError(f"{what} never {is_so}: {getattr(self.live, what)}")
