"""A session: a camera, the watcher and the reader together, from frames to events.

The same object serves the command line and the table's page: iterate over :meth:`Session.run` in
one thread, and look at :attr:`Session.latest` from any other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from sonora_vision.camera.limits import ServiceWatchdog
from sonora_vision.camera.source import CameraError, CameraLostError, Frame, FrameSource, Still
from sonora_vision.errors import SonoraError
from sonora_vision.observation import Reading
from sonora_vision.watch.agree import confirmed
from sonora_vision.watch.flicks import FlickReport, FlickTracker
from sonora_vision.watch.recording import Recorder
from sonora_vision.watch.states import Status, WatchParams
from sonora_vision.watch.stills import StillsReader
from sonora_vision.watch.watcher import Watcher
from sonora_vision.watch.words import status_line

REOPEN_S = 2.0
"""Pause before a lost camera is opened again."""


@dataclass(frozen=True, kw_only=True)
class StateChanged:
    """The state, its reason or its detail is another than before."""

    status: Status


@dataclass(frozen=True, kw_only=True)
class ReadingMade:
    """The board was read.

    Attributes
    ----------
    reading : Reading
        With doubts where two readings of the untouched board disagree.
    report : FlickReport
        What happened since the last reading.
    confirms : bool
        True where it is the second reading of an untouched board.
    at_s : float
        Time of its last still, seconds on the source's clock.
    """

    reading: Reading
    report: FlickReport
    confirms: bool
    at_s: float


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Something that a person should know."""

    text: str


Event: TypeAlias = StateChanged | ReadingMade | Notice


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """All that is known now: for a page that looks in from another thread.

    The report is that of the last flick; a reading that only confirms does not replace it.
    """

    status: Status
    reading: Reading | None
    report: FlickReport


class Session:
    """Watches one camera until it ends or :meth:`stop` is called.

    Parameters
    ----------
    open_source : callable
        Opens the camera; called again where a live one is lost.
    read_stills : StillsReader
        Makes readings; see :class:`~sonora_vision.watch.stills.AveragingReader`.
    params : WatchParams, optional
        The watcher's thresholds.
    recorder : Recorder, optional
        Keeps all of it for later.
    observe : callable, optional
        Told the status of every frame.
    watchdog : ServiceWatchdog, optional
        Told for each frame that the program is alive.
    sleep : callable
        Waits, seconds; given by tests.
    """

    def __init__(
        self,
        open_source: Callable[[], FrameSource],
        read_stills: StillsReader,
        *,
        params: WatchParams | None = None,
        recorder: Recorder | None = None,
        observe: Callable[[Frame, Status], None] | None = None,
        watchdog: ServiceWatchdog | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._open_source, self._read_stills = open_source, read_stills
        self._recorder, self._observe = recorder, observe
        self._watchdog = ServiceWatchdog("") if watchdog is None else watchdog
        self._sleep = sleep
        params = WatchParams() if params is None else params
        self._watcher, self._count = Watcher(params), params.stills
        self._tracker = FlickTracker()
        self._stills: list[Still] = []
        self._stopping = self._demanded = False
        self._refusal = ""
        self.latest = Snapshot(status=self._watcher.status, reading=None, report=FlickReport())

    def stop(self) -> None:
        """End the session after the frame that it is at; callable from any thread."""
        self._stopping = True

    def read_now(self) -> None:
        """Read what lies there, changed or not; callable from any thread."""
        self._demanded = True

    def run(self) -> Iterator[Event]:
        """Watch; yields what happens.

        Raises
        ------
        CameraError
            Where the camera cannot be opened at first, or a file breaks off. A live camera that
            is lost later is opened again, for as long as it takes.
        """
        lost = False
        while not self._stopping:
            try:
                source = self._open_source()
            except CameraError:
                if not lost:
                    raise
                self._sleep(REOPEN_S)
                continue
            if lost:
                yield self._notice("the camera is back")
            try:
                with closing(source):
                    self._watchdog.ready()
                    yield from self._watch(source)
                return
            except CameraLostError as error:
                if not source.live:
                    raise
                lost = True
                yield self._notice(f"{error}; waiting for it")
                yield self._lost(str(error))
                self._sleep(REOPEN_S)

    def _watch(self, source: FrameSource) -> Iterator[Event]:
        """Watch one camera until it ends."""
        for given in source.frames():
            if self._stopping:
                return
            frame = given if self._recorder is None else self._recorder.frame(given)
            if self._demanded:
                self._demanded = False
                self._watcher.demand()
            before, status = self._watcher.status, self._watcher.see(frame)
            if self._observe is not None:
                self._observe(frame, status)
            if self._recorder is not None:
                self._recorder.status(frame, status)
                if self._recorder.failure:
                    yield self._notice(self._recorder.failure)
                    self._recorder = None
            yield from self._said(before, status)
            self._watchdog.alive(status_line(status))
            if status.want == "nothing":
                self._stills = []
                continue
            self._stills = [*self._stills, source.still()][-self._count :]
            if status.want != "still":
                yield from self._read(status)

    def _read(self, status: Status) -> Iterator[Event]:
        """Read the stills that were taken, and answer the watcher."""
        stills, self._stills = self._stills, []
        looked_into = self._watcher.suspicious and status.state == "hand"
        try:
            answer = self._read_stills(stills)
        except SonoraError as error:
            if self._recorder is not None:
                self._recorder.refusal(str(error), stills[-1])
            said = self._watcher.refuse("not read", str(error))
            yield from self._said(status, said, always=str(error) != self._refusal)
            self._refusal = str(error)
            return
        if self._recorder is not None:
            self._recorder.answer(answer.reading, answer.size_px, answer.still)
        reading = answer.reading
        corners_share = np.array(reading.pose.corners_px) / answer.size_px
        on_board = sum(disc.state != "off_board" for disc in reading.discs)
        said = self._watcher.accept(corners_share, discs=on_board)
        changes = list(self._said(status, said))  # whoever is told of a reading sees it at rest
        if said.state in ("still", "empty"):
            self._refusal = ""
            if looked_into:
                yield self._notice("what looked like a hand was none: the board was read anew")
            yield self._reading_made(reading, status)
        yield from changes

    def _reading_made(self, reading: Reading, status: Status) -> ReadingMade:
        confirms = status.want == "confirmation" and self.latest.reading is not None
        if confirms and self.latest.reading is not None:
            reading = confirmed(self.latest.reading, reading)
        report = self._tracker.report(reading)
        shown = self.latest.report if confirms and not report.happenings else report
        self.latest = Snapshot(status=self.latest.status, reading=reading, report=shown)
        return ReadingMade(reading=reading, report=report, confirms=confirms, at_s=status.at_s)

    def _said(self, before: Status, status: Status, *, always: bool = False) -> Iterator[Event]:
        """Pass on a status that says something new."""
        self.latest = Snapshot(
            status=status, reading=self.latest.reading, report=self.latest.report
        )
        if always or (before.state, before.reason) != (status.state, status.reason):
            yield StateChanged(status=status)

    def _lost(self, why: str) -> StateChanged:
        at_s = self._watcher.status.at_s
        status = Status(state="unreadable", reason="camera stopped", at_s=at_s, detail=why)
        self.latest = Snapshot(
            status=status, reading=self.latest.reading, report=self.latest.report
        )
        return StateChanged(status=status)

    def _notice(self, text: str) -> Notice:
        if self._recorder is not None:
            self._recorder.notice(text)
        return Notice(text=text)
