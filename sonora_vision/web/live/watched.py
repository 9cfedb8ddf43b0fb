"""A camera that is watched in a thread of its own, for all pages to look at."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.camera.average import average
from sonora_vision.camera.source import CameraError, Frame, FrameSource, Steps, Still
from sonora_vision.errors import SonoraError
from sonora_vision.watch.session import REOPEN_S, Event, Notice, ReadingMade, Session, StateChanged
from sonora_vision.watch.states import Reason, Status, WatchParams
from sonora_vision.watch.stills import Answer
from sonora_vision.watch.words import why_not_read
from sonora_vision.web.live.camera import LiveReading, NotReadError
from sonora_vision.web.live.look_through import LookThrough
from sonora_vision.web.photos.store import Seen

_TELL_S = 0.25
"""Least time between two words of a change of state: nobody sees a light change faster."""
_FRAME_S = 0.1
"""Least age of an encoded frame before another is made, however many phones look."""
_FRAME_QUALITY = 80
_CLOSE_S = 0.5

_LOG = logging.getLogger(__name__)


class CameraLive:
    """Watches one camera; see `Live`.

    A camera that is not there, or is lost, is looked for until it is there. One still and one
    rectified picture are kept: those of the newest reading.

    Parameters
    ----------
    open_source : callable
        Opens the camera; called again where it is lost.
    read : callable
        Reads one picture under a name.
    tell : callable
        Called at each change of state and each reading, a few times a second at most.
    params : WatchParams, optional
        The watcher's thresholds.
    now, wait : callable
        The clock, and waiting before a camera is opened again, seconds; given by tests.
    """

    def __init__(
        self,
        open_source: Callable[[], FrameSource],
        read: Callable[[Pixels, str], Seen],
        tell: Callable[[], None],
        *,
        params: WatchParams | None = None,
        now: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self._open_source, self._read, self._tell = open_source, read, tell
        self._closing = threading.Event()
        self._now, self._wait = now, self._closing.wait if wait is None else wait
        self._session = Session(
            self._open, self._read_stills, params=params, observe=self._observe, sleep=self._rest
        )
        self._news = threading.Condition()
        self._source: FrameSource | None = None
        self._fault: str | None = None
        self._frame: Frame | None = None
        self._latest: LiveReading | None = None
        self._read_last: tuple[Seen, Pixels] | None = None
        self._refusal = ""
        self._begun = self._done = 0  # readings; `_done` is the last that came to an end
        self._still_asked = 0
        self._still: Still | None = None
        self._told_at_s, self._untold = 0.0, False
        self._sign_of_life_s: float | None = self._now()
        self._jpeg: tuple[int, bytes] | None = None
        self._jpeg_at_s = 0.0
        self._encoding = threading.Lock()
        self._thread = threading.Thread(target=self._watch, name="live-camera", daemon=True)
        self._thread.start()

    @property
    def status(self) -> Status:
        """What the watcher says now."""
        return self._session.latest.status

    @property
    def fault(self) -> str | None:
        """Why the camera gives nothing, None while it does."""
        return self._fault

    @property
    def latest(self) -> LiveReading | None:
        """The newest reading."""
        return self._latest

    @property
    def can_step(self) -> bool:
        """Whether the next photo can be asked for."""
        return isinstance(self._source, Steps)

    @property
    def silent_s(self) -> float:
        """For how long the camera's thread has shown no sign of life, seconds."""
        last_s = self._sign_of_life_s
        return 0.0 if last_s is None else self._now() - last_s

    def frame_jpeg(self) -> bytes | None:
        """Return the newest frame, small, encoded a few times a second at most."""
        with self._encoding:
            frame, now_s = self._frame, self._now()
            if frame is None:
                return None
            if self._jpeg is None or (
                self._jpeg[0] != frame.number and now_s - self._jpeg_at_s >= _FRAME_S
            ):
                quality = [cv2.IMWRITE_JPEG_QUALITY, _FRAME_QUALITY]
                _, encoded = cv2.imencode(".jpg", frame.pixels_bgr, quality)
                self._jpeg, self._jpeg_at_s = (frame.number, encoded.tobytes()), now_s
            return self._jpeg[1]

    def read_now(self, *, timeout_s: float) -> LiveReading:
        """Wait until all lies still, and read it; see `Live.read_now`."""
        with self._news:
            asked = self._begun
            self._session.read_now()
            self._news.wait_for(
                lambda: self._done > asked or self._fault is not None or self._closing.is_set(),
                timeout_s,
            )
            if self._done > asked and not self._refusal and self._latest is not None:
                return self._latest
            status = self.status
            if self._done > asked:
                status = _unreadable("not read", self._refusal, status.at_s)
            elif self._fault is not None:
                status = _unreadable("camera stopped", self._fault, status.at_s)
            raise NotReadError(why_not_read(status), status)

    def next_photo(self) -> None:
        """Show the next photo of a folder."""
        source = self._source
        if isinstance(source, Steps):
            source.step()

    def looking(self) -> FrameSource:
        """Return the camera for someone else to look through."""
        return LookThrough(self._name, self._frame_after, self._take_still)

    def close(self) -> None:
        """Let the camera go."""
        self._closing.set()
        self._session.stop()
        with self._news:
            self._news.notify_all()
        self._thread.join(_CLOSE_S)

    def _name(self) -> str:
        return "camera" if self._source is None else self._source.name

    def _watch(self) -> None:
        """Watch until closed; a camera that is not there at first is waited for too."""
        while not self._closing.is_set():
            try:
                for event in self._session.run():
                    self._take(event)
                if not self._closing.is_set():
                    self._failed(f"{self._name()}: it has come to its end")
                    self._sign_of_life_s = None
                return
            except CameraError as error:
                self._failed(str(error))
            except Exception:  # noqa: BLE001 - a fault of ours must not end the watching
                _LOG.exception("watching %s failed", self._name())
                self._failed(f"{self._name()}: the program failed; its log says more")
            self._rest(REOPEN_S)

    def _rest(self, seconds: float) -> None:
        self._sign_of_life_s = self._now()
        self._wait(seconds)

    def _open(self) -> FrameSource:
        self._source = self._open_source()
        return self._source

    def _failed(self, why: str) -> None:
        if self._fault != why:
            _LOG.warning("%s", why)
        with self._news:
            self._fault = why
            self._news.notify_all()
        self._changed(at_once=True)

    def _observe(self, frame: Frame, _status: Status) -> None:
        """Take a frame that the watcher has seen, in the camera's thread."""
        self._sign_of_life_s = self._now()
        source = self._source
        still = source.still() if self._still_asked and source is not None else None
        with self._news:
            back = self._fault is not None
            self._frame, self._fault = frame, None
            if still is not None:
                self._still, self._still_asked = still, 0
            self._news.notify_all()
        if back:
            self._changed(at_once=True)
        elif self._untold:
            self._changed()

    def _read_stills(self, stills: Sequence[Still]) -> Answer:
        with self._news:
            self._begun += 1
            self._refusal, self._read_last = "", None
        still = average(stills)
        height, width = still.pixels_bgr.shape[:2]
        try:
            seen = self._read(still.pixels_bgr, still.name)
        except SonoraError as error:
            with self._news:
                self._refusal, self._done = str(error), self._begun
                self._news.notify_all()
            self._changed(at_once=True)
            raise
        self._read_last = (seen, still.pixels_bgr)
        return Answer(reading=seen.reading, size_px=(width, height), still=None)

    def _take(self, event: Event) -> None:
        match event:
            case Notice():
                _LOG.info("%s", event.text)
            case StateChanged():
                if event.status.reason == "camera stopped":
                    self._failed(event.status.detail)
                self._changed()
            case ReadingMade():
                self._keep(event)

    def _keep(self, made: ReadingMade) -> None:
        """Keep a reading with its pictures, where it says anything new or was asked for."""
        read, self._read_last = self._read_last, None
        before = self._latest
        if read is None:
            return
        seen, pixels_bgr = read
        if made.confirms and before is not None:
            # what was measured is the first reading's, and so are its pictures
            seen, pixels_bgr = before.seen, before.pixels_bgr
        new = before is None or not made.confirms or made.reading != before.reading
        with self._news:
            if new:
                self._latest = LiveReading(
                    seen=replace(seen, reading=made.reading),
                    pixels_bgr=pixels_bgr,
                    version=1 if before is None else before.version + 1,
                )
            self._done = self._begun
            self._news.notify_all()
        if new:
            self._changed(at_once=True)

    def _changed(self, *, at_once: bool = False) -> None:
        """Tell of a change; one that comes too soon after another is told a few frames later."""
        now_s = self._now()
        self._untold = not at_once and now_s - self._told_at_s < _TELL_S
        if not self._untold:
            self._told_at_s = now_s
            self._tell()

    def _frame_after(self, number: int, timeout_s: float) -> Frame | None:
        """Wait for a frame newer than the one of that number."""
        with self._news:
            self._news.wait_for(
                lambda: (
                    self._closing.is_set()
                    or (self._frame is not None and self._frame.number != number)
                ),
                timeout_s,
            )
            frame = self._frame
        newer = frame is not None and frame.number != number
        return frame if newer and not self._closing.is_set() else None

    def _take_still(self, timeout_s: float) -> Still | None:
        """Have a full-size picture taken by the thread that holds the camera."""
        with self._news:
            self._still_asked, self._still = 1, None
            self._news.wait_for(
                lambda: self._still is not None or self._closing.is_set(), timeout_s
            )
            still, self._still = self._still, None
            return still


def _unreadable(reason: Reason, why: str, at_s: float) -> Status:
    return Status(state="unreadable", reason=reason, at_s=at_s, detail=why)
