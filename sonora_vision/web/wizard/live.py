"""A camera's live picture for the wizard: the newest frame, and lens views taken by themselves."""

from __future__ import annotations

import threading
import time
from typing import Any

import cv2
import numpy as np

from sonora_vision.calibrate.target_pdf import TARGET
from sonora_vision.calibrate.usual_lens import usual_lens
from sonora_vision.calibrate.wizard.lens_views import see_target
from sonora_vision.calibrate.wizard.readiness import judge_picture
from sonora_vision.camera.source import CameraError, FrameSource, Pixels
from sonora_vision.errors import SonoraError, UnreadableError
from sonora_vision.web.door.refusals import told
from sonora_vision.web.wizard.session import WizardSession

STILL_PX = 2.0
"""A target whose corners moved by less between two looks lies still, working-frame pixels."""


class LiveCamera:
    """Keeps the newest frame of a camera; frames that nobody asks for are dropped."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._newest: Pixels | None = None
        self._fault: str | None = None
        self._last_corners: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="wizard-camera", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            for frame in self._source.frames():
                self._newest = frame.pixels_bgr
                if not self._source.live:
                    time.sleep(0.2)
        except CameraError as error:
            self._fault = str(error)

    @property
    def ended(self) -> bool:
        """Whether the camera gives no more frames."""
        return not self._thread.is_alive()

    def close(self) -> None:
        """Give the camera back."""
        self._source.close()

    def newest_jpeg(self) -> bytes | None:
        """Return the newest frame, None before there is one."""
        frame = self._newest
        if frame is None:
            return None
        _, encoded = cv2.imencode(".jpg", frame)
        return encoded.tobytes()

    def still_png(self) -> tuple[bytes, str]:
        """Take a full-size picture.

        Raises
        ------
        CameraError
            Where the camera gives none.
        """
        with self._lock:
            still = self._source.still()
        _, encoded = cv2.imencode(".png", still.pixels_bgr, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        return encoded.tobytes(), still.name

    def status(self, session: WizardSession, *, collect: bool) -> dict[str, Any]:
        """Judge the newest frame; with ``collect``, take a lens view when the target is still."""
        frame = self._newest
        if self._fault is not None or frame is None:
            return {"fault": told(self._fault or "the camera has given no picture yet")}
        if collect:
            return self._collect(session, frame)
        readiness = judge_picture(frame, usual_lens((frame.shape[1], frame.shape[0])))
        checks = [c for c in readiness.checks if c.name != "size"]  # live frames are small
        order = ("good", "fair", "bad")
        return {
            "light": max((c.light for c in checks), key=order.index),
            "checks": [
                {"name": told(c.name), "light": c.light, "words": told(c.words)} for c in checks
            ],
        }

    def _collect(self, session: WizardSession, frame: Pixels) -> dict[str, Any]:
        words, taken = "", False
        try:
            view = see_target(frame, "live", TARGET)
            last, self._last_corners = self._last_corners, view.corners_px
            if last is None or last.shape != view.corners_px.shape:
                words = "hold it still"
            elif float(np.abs(last - view.corners_px).max()) > STILL_PX:
                words = "it moves: hold it still"
            else:
                raw, name = self.still_png()
                session.add_lens_picture(raw, name)
                words, taken = "taken: now move, tilt or turn it", True
        except (UnreadableError, SonoraError) as error:
            words = str(error)
        return {"words": told(words), "taken": taken, "views": len(session.views)}
