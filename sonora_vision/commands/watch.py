"""``sonora-vision watch``: reads the board by itself whenever it has changed and lies still."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from sonora_vision import terminal
from sonora_vision.camera.choose import FORMS, open_source
from sonora_vision.camera.limits import ServiceWatchdog
from sonora_vision.camera.source import FrameSource
from sonora_vision.cli import complain
from sonora_vision.commands.options import (
    Allocator,
    allocator,
    game_option,
    order_option,
    profile_option,
)
from sonora_vision.errors import FileFormatError, UsageError
from sonora_vision.observation import Reading
from sonora_vision.one_core import keep_to_one_core
from sonora_vision.reading_file import save_reading
from sonora_vision.watch.profile_reader import reader_for
from sonora_vision.watch.recording import Recorder, Recording
from sonora_vision.watch.session import Event, Notice, ReadingMade, Session, StateChanged
from sonora_vision.watch.states import WatchParams
from sonora_vision.watch.stills import AveragingReader, StillsReader
from sonora_vision.watch.words import report_lines, status_line


@click.command()
@click.argument("camera", required=False)
@profile_option()
@order_option(help="Colors in turn order; the board's own order if not given.")
@game_option
@click.option(
    "--record", type=click.Path(path_type=Path), help="Keep the session in this new folder."
)
@click.option(
    "--replay", type=click.Path(path_type=Path), help="Play a session that --record kept."
)
@click.option("--reread", is_flag=True, help="With --replay: read its stills anew.")
@click.option(
    "--json",
    "reading_dir",
    type=click.Path(path_type=Path),
    help="Write each reading to this folder, as 0001.json and so on.",
)
@click.option("--real-time", is_flag=True, help="Play a video at its own speed.")
@click.option("--states", is_flag=True, help="Print every change of state.")
@click.pass_context
def command(
    ctx: click.Context,
    camera: str | None,
    profile_path: Path | None,
    order: tuple[str, ...],
    game: str,
    record: Path | None,
    replay: Path | None,
    reread: bool,
    reading_dir: Path | None,
    real_time: bool,
    states: bool,
) -> None:
    """Watch CAMERA and say what each flick did and what each player records.

    CAMERA is pi:PRESET, usb:NUMBER, a video file or a folder of photos.
    """
    if (camera is None) == (replay is None):
        raise UsageError(f"expected either a CAMERA ({FORMS}) or --replay DIR")
    if reread and replay is None:
        raise UsageError("--reread: expected --replay DIR with it, to know what to read")
    if profile_path is None and (replay is None or reread):
        raise UsageError("--profile: expected the profile that calibrate saved; none was given")
    printer = _Printer(allocator(game), order, states=states, reading_dir=reading_dir)
    if replay is not None:
        _play(replay, printer, record, profile_path if reread else None)
        return
    if profile_path is None or camera is None:
        return
    keep_to_one_core()
    read_stills = AveragingReader(reader_for(profile_path))
    recorder = None
    if record is not None:
        recorder = Recorder(record, source=camera, params=WatchParams())
    _run(lambda: open_source(camera, real_time=real_time), read_stills, recorder, printer)
    if printer.count == 0:
        complain(f"{camera}: ended, and the board was not read once")
        ctx.exit(1)


class _Printer:
    """Prints events: results to standard output, notices to standard error."""

    def __init__(
        self,
        allocate: Allocator,
        order: tuple[str, ...],
        *,
        states: bool,
        reading_dir: Path | None,
    ) -> None:
        self._allocate, self._order = allocate, order
        self._states, self._reading_dir = states, reading_dir
        self._out = terminal.results()
        self.count = 0

    def show(self, event: Event) -> None:
        if isinstance(event, Notice):
            complain(event.text)
        elif isinstance(event, StateChanged):
            if self._states or event.status.state == "unreadable":
                self._out.print(f"{event.status.at_s:8.1f} s  {status_line(event.status)}")
        else:
            self._reading(event)

    def _reading(self, event: ReadingMade) -> None:
        self.count += 1
        if self._reading_dir is not None:
            self._save(self._reading_dir / f"{self.count:04d}.json", event.reading)
        lines = report_lines(event.report)
        for line in lines:
            self._out.print(f"{event.at_s:8.1f} s  {line}")
        for warning in event.reading.warnings:
            complain(f"{event.reading.image}: {warning}")
        if event.confirms and not lines:
            return
        colors = self._order or tuple(dict.fromkeys(_colors(event.reading)))
        allocation = self._allocate(event.reading, colors)
        title = f"{event.at_s:.1f} s, {len(event.reading.discs)} discs"
        self._out.print(terminal.outcome_table(allocation, title=title))

    def _save(self, path: Path, reading: Reading) -> None:
        """Write a reading; a disk that is full ends the writing, not the watching."""
        try:
            save_reading(path, reading)
        except FileFormatError as error:
            complain(f"{error}; no more readings are written, watching goes on")
            self._reading_dir = None


def _colors(reading: Reading) -> list[str]:
    """Every color of the inventory, seen or not."""
    return [d.color for d in reading.discs] + [m.color for m in reading.missing]


def _run(
    open_camera: Callable[[], FrameSource],
    read_stills: StillsReader,
    recorder: Recorder | None,
    printer: _Printer,
    recording: Recording | None = None,
) -> None:
    session = Session(
        open_camera,
        read_stills,
        params=recording.params if recording else None,
        recorder=recorder,
        observe=recording.check if recording else None,
        watchdog=ServiceWatchdog(),
    )
    try:
        for event in session.run():
            printer.show(event)
    finally:
        if recorder is not None:
            recorder.close()


def _play(folder: Path, printer: _Printer, record: Path | None, profile_path: Path | None) -> None:
    """Play a recorded session, and check each frame's state against the recorded one."""
    recording = Recording(folder)
    read_stills: StillsReader = recording.recorded_answer
    if profile_path is not None:
        read_stills = recording.reading_anew(reader_for(profile_path))
    recorder = None
    if record is not None:
        recorder = Recorder(record, source=str(folder), params=recording.params)
    _run(lambda: recording, read_stills, recorder, printer, recording)
    if profile_path is not None:
        return  # other readings may well lead to other states
    if recording.first_difference:
        raise FileFormatError(
            f"{folder}: played otherwise than recorded: {recording.first_difference};"
            " was it recorded by another version?"
        )
    complain(f"{folder}: {len(recording.statuses)} frames played to the same states")
