"""A Raspberry Pi camera through picamera2, which is imported only when one is opened.

One configuration serves both streams: the full-size one for stills and a small one for watching.
So no mode is ever switched, and a still costs one copy. Every call has a time limit; after a
failed capture the camera is stopped and started once, and then given up as lost.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

from sonora_vision.camera.limits import within
from sonora_vision.camera.pi_controls import controls_for, locked_controls, running_controls
from sonora_vision.camera.pi_pixels import to_bgr
from sonora_vision.camera.pi_preset import PiPreset
from sonora_vision.camera.source import (
    CameraBusyError,
    CameraError,
    CameraLostError,
    Frame,
    NoCameraError,
    Pixels,
    Still,
)

_log = logging.getLogger(__name__)

_CAPTURE_ERRORS = (TimeoutError, CancelledError, RuntimeError, ValueError, KeyError, OSError)
"""What a capture that went wrong raises: late, cancelled, stopped, or a bad buffer."""
_FRAMES_TO_FOLLOW = 12
"""Controls take effect some frames later: those that are on their way already."""


@dataclass(frozen=True, kw_only=True)
class PiLimits:
    """How long each kind of call may take, seconds."""

    open_s: float = 15.0
    """First use of a camera loads its tuning and firmware."""
    configure_s: float = 10.0
    capture_s: float = 3.0
    """A full-size frame at the slowest preset comes within half a second."""
    settle_s: float = 5.0
    focus_s: float = 6.0


class PiCamera:
    """One Raspberry Pi camera: opened, settled and locked.

    Parameters
    ----------
    preset : PiPreset
        What to ask for; its sensor's name chooses the camera.
    camera_id : str, optional
        Chooses the camera by its libcamera id (or a part of it) instead.
    limits : PiLimits
        Time limits.
    find_picamera2 : callable
        Gives the class `Picamera2`; given by tests.

    Raises
    ------
    NoCameraError
        Where picamera2 is not installed or the camera is not there.
    CameraBusyError
        Where another program holds it.
    CameraLostError
        Where it does not answer.
    """

    live = True

    def __init__(
        self,
        preset: PiPreset,
        *,
        camera_id: str | None = None,
        limits: PiLimits | None = None,
        find_picamera2: Callable[[], Any] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._preset, self._now = preset, now
        self._limits = PiLimits() if limits is None else limits
        self.notes: list[str] = []
        picamera2 = (_import_picamera2 if find_picamera2 is None else find_picamera2)()
        index, self.name = _choose(
            within(self._limits.open_s, picamera2.global_camera_info, what="listing the cameras"),
            sensor=preset.sensor,
            camera_id=camera_id,
        )
        self._camera = self._open(picamera2, index)
        self._closed = False
        try:
            self._controls = self._supported(running_controls(preset.rate_hz, preset.flicker_hz))
            self._configure()
            self._start()
            self._settle()
        except BaseException:
            self.close()
            raise

    def frames(self) -> Iterator[Frame]:
        """Give small frames for as long as the camera is open."""
        number = 0
        while not self._closed:
            pixels_bgr, at_s = self._picture("lores", flush=False)
            yield Frame(pixels_bgr=pixels_bgr, at_s=at_s, number=number)
            number += 1

    def still(self) -> Still:
        """Take a full-size picture whose exposure began after this call."""
        # waiting for a newer frame needs the exposure in its metadata, which only sensors give
        flush = "ExposureTime" in self._camera.camera_controls
        pixels_bgr, at_s = self._picture("main", flush=flush)
        return Still(pixels_bgr=pixels_bgr, at_s=at_s, name=f"still-{at_s:.3f}")

    def expose(self, factor: float) -> bool:
        """Expose so many times as long as was locked; 1 goes back to that.

        Parameters
        ----------
        factor : float
            Above 0.

        Returns
        -------
        bool
            False where the camera has no exposure to set, or does not follow.
        """
        if "ExposureTime" not in self._controls:
            return False
        wanted = self._supported({"ExposureTime": self._controls["ExposureTime"] * factor})
        self._camera.set_controls(dict(wanted))
        for _ in range(_FRAMES_TO_FOLLOW):
            if abs(self._metadata()["ExposureTime"] / wanted["ExposureTime"] - 1.0) < 0.05:
                return True
        self._note(f"does not follow an exposure of {wanted['ExposureTime']} us")
        return False

    def close(self) -> None:
        """Stop the camera and give it back."""
        if self._closed:
            return
        self._closed = True
        try:
            within(self._limits.configure_s, self._camera.close, what=f"closing {self.name}")
        except (CameraLostError, *_CAPTURE_ERRORS) as error:
            _log.warning("%s: did not close cleanly: %s", self.name, error)

    def _open(self, picamera2: Any, index: int) -> Any:
        what = f"opening {self.name}"
        try:
            return within(self._limits.open_s, lambda: picamera2(camera_num=index), what=what)
        except (RuntimeError, OSError) as error:
            raise CameraBusyError(
                f"{self.name}: cannot be opened ({error.__cause__ or error}); close the other"
                " program that uses it, e.g. a second sonora-vision or rpicam-hello"
            ) from error

    def _supported(self, wanted: dict[str, Any]) -> dict[str, Any]:
        return dict(controls_for(wanted, self._camera.camera_controls))

    def _configure(self) -> None:
        """Configure both streams with the controls in the configuration, which else drops them."""
        preset, camera = self._preset, self._camera
        configuration = camera.create_still_configuration(
            main={"format": "RGB888", "size": preset.still_px},
            lores={"format": "YUV420", "size": preset.watch_px},
            raw=None,  # saves its buffers, as large as the stills'
            buffer_count=preset.buffers,
            queue=True,
            controls=dict(self._controls),
            display=None,
            encode=None,
        )
        what = f"configuring {self.name}"
        try:
            within(self._limits.configure_s, lambda: camera.configure(configuration), what=what)
        except (RuntimeError, OSError) as error:
            raise CameraError(f"{self.name}: takes no such setting ({error})") from error
        given = camera.camera_configuration()
        for stream, asked_px in (("main", preset.still_px), ("lores", preset.watch_px)):
            if tuple(given[stream]["size"]) != asked_px:
                self._note(f"asked for {stream} of {asked_px}, got {tuple(given[stream]['size'])}")

    def _start(self) -> None:
        what = f"starting {self.name}"
        start = self._camera.start
        within(self._limits.configure_s, lambda: start(show_preview=False), what=what)

    def _settle(self) -> None:
        """Wait for exposure and focus, then hold them."""
        self._wait_for_exposure()
        if "AfMode" in self._camera.camera_controls:
            try:
                found = self._camera.autofocus_cycle(wait=self._limits.focus_s)
            except _CAPTURE_ERRORS:
                found = False
                self._restart()
            if not found:
                self._note("focus not found: look for dirt, glare, or too short a distance")
        locked = self._supported(locked_controls(self._metadata()))
        self._controls |= locked
        if locked:
            self._camera.set_controls(dict(locked))

    def _wait_for_exposure(self) -> None:
        """Wait until four frames in a row are exposed alike, or the time is over."""
        end_s = self._now() + self._limits.settle_s
        recent: list[float] = []
        while self._now() < end_s:
            metadata = self._metadata()
            if "ExposureTime" not in metadata:
                return
            exposure = float(metadata["ExposureTime"]) * float(metadata.get("AnalogueGain", 1.0))
            recent = [*recent[-3:], exposure]
            if len(recent) == 4 and max(recent) <= 1.02 * min(recent):
                return
        self._note("exposure has not settled: the light is changing")

    def _metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = self._capture(
            lambda request: dict(request.get_metadata()), flush=False
        )
        return metadata

    def _picture(self, stream: str, *, flush: bool) -> tuple[Pixels, float]:
        """Capture one stream; when it was taken comes from the sensor where it says so."""
        given = self._camera.camera_configuration()[stream]

        def take(request: Any) -> tuple[Pixels, float]:
            stamp_ns = request.get_metadata().get("SensorTimestamp")
            at_s = self._now() if stamp_ns is None else float(stamp_ns) / 1e9
            buffer = request.make_array(stream)
            pixel_format, (width, height) = str(given["format"]), given["size"]
            return to_bgr(buffer, pixel_format=pixel_format, size_px=(width, height)), at_s

        pixels_bgr, at_s = self._capture(take, flush=flush)
        return pixels_bgr, at_s

    def _capture(self, take: Callable[[Any], Any], *, flush: bool) -> Any:
        """Take something from the next request; after a failure restart and try once more."""
        for attempt in (1, 2):
            try:
                wait_s = self._limits.capture_s
                with self._camera.captured_request(wait=wait_s, flush=flush or None) as request:
                    return take(request)
            except _CAPTURE_ERRORS as error:
                failure = f"{type(error).__name__} {error}".strip()
                if attempt == 1:
                    self._note(f"capture failed ({failure}); camera restarted")
                    self._restart()
        raise CameraLostError(f"{self.name}: stopped giving pictures ({failure}); check its cable")

    def _restart(self) -> None:
        """Stop and start: gives back the requests that failed captures kept."""
        self._camera.cancel_all_and_flush()
        within(self._limits.configure_s, self._camera.stop, what=f"stopping {self.name}")
        self._camera.set_controls(dict(self._controls))
        self._start()

    def _note(self, text: str) -> None:
        self.notes.append(text)
        _log.warning("%s: %s", self.name, text)


def _import_picamera2() -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise NoCameraError(
            f"picamera2 cannot be imported ({error}); on Raspberry Pi OS:"
            " apt install python3-picamera2, and a venv with --system-site-packages"
        ) from error
    return Picamera2


def _choose(
    cameras: list[dict[str, Any]], *, sensor: str, camera_id: str | None
) -> tuple[int, str]:
    """Choose by id or by model, never by position: the list is sorted by reversed id."""
    for index, camera in enumerate(cameras):
        model, identity = str(camera.get("Model", "")), str(camera.get("Id", ""))
        if camera_id in identity if camera_id else model == sensor:
            return index, f"Pi camera {model or identity}"
    found = ", ".join(f"{c.get('Model', '?')} ({c.get('Id', '?')})" for c in cameras)
    hint = "choose one of them" if found else "check the cable and the group 'video'"
    raise NoCameraError(f"no Pi camera {camera_id or sensor!r}; found {found or 'none'}; {hint}")
