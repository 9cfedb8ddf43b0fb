"""Sessions on disk: small frames, states, stills and readings, to be played again later.

A folder holds `session.json` (what it is), `log.jsonl` (a line for each frame, reading, refusal and
notice, in their order), `frames.mjpeg` (the frames one after the other; the log says where) and
`stills/`. Frames are kept as JPEG, and the watcher is shown what was kept, so that playing them
gives the same to the last bit. Lines are appended; a last line that was cut off is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import cv2
import numpy as np

from sonora_vision.calibrate.file_format import (
    json_object,
    json_text,
    read_json,
    write_text_atomically,
)
from sonora_vision.camera.source import CameraLostError, Frame, Pixels, Still
from sonora_vision.document import open_document
from sonora_vision.errors import FileFormatError, UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.reading_file import reading_from_json, reading_to_json
from sonora_vision.watch.states import Status, WatchParams
from sonora_vision.watch.stills import Answer, Reader, StillsReader

KIND = "sonora-vision/session"
SCHEMA = 1
FRAME_QUALITY = 85
STILL_QUALITY = 95


class Recorder:
    """Writes a session into a new folder.

    A disk that is full ends the recording, not the session: see `failure`.

    Parameters
    ----------
    folder : Path
        Must not exist, or be empty.
    source : str
        What the camera is called.
    params : WatchParams
        The thresholds that the session runs with.

    Raises
    ------
    FileFormatError
        Where the folder cannot be made, or holds something.
    """

    def __init__(self, folder: Path, *, source: str, params: WatchParams) -> None:
        self.failure = ""
        self._folder = folder
        try:
            (folder / "stills").mkdir(parents=True)
            text = {"kind": KIND, "schema": SCHEMA, "source": source, "params": asdict(params)}
            write_text_atomically(folder / "session.json", json_text(text))
            self._log: TextIO = (folder / "log.jsonl").open("x", encoding="utf-8")
            self._frames: BinaryIO = (folder / "frames.mjpeg").open("xb")
        except FileExistsError as error:
            raise FileFormatError(f"{folder}: expected a new folder to record into") from error
        except OSError as error:
            raise FileFormatError(f"{folder}: cannot be recorded into: {error}") from error
        self._offset = self._stills = 0
        self._bytes = 0

    def frame(self, frame: Frame) -> Frame:
        """Keep a frame; returns what was kept of it, which the watcher is to see."""
        if self.failure:
            return frame
        encoded = _jpeg(frame.pixels_bgr, FRAME_QUALITY)
        self._bytes = len(encoded)
        self._write(self._frames, encoded)
        return Frame(pixels_bgr=_decoded(encoded), at_s=frame.at_s, number=frame.number)

    def status(self, frame: Frame, status: Status) -> None:
        """Keep what the watcher said of the frame that was kept last."""
        place = {"offset": self._offset, "bytes": self._bytes}
        said = {"state": status.state, "reason": status.reason, "want": status.want}
        self._line({"frame": frame.number, "at_s": frame.at_s, **place, **said})
        self._offset += self._bytes

    def answer(self, reading: Reading, size_px: tuple[int, int], still: Still | None) -> None:
        """Keep a reading and its still."""
        name = self._still(still)
        self._line({"reading": reading_to_json(reading), "size_px": list(size_px), "still": name})

    def refusal(self, text: str, still: Still) -> None:
        """Keep that the board could not be read, why, and the still."""
        self._line({"refused": text, "still": self._still(still)})

    def _still(self, still: Still | None) -> str:
        """Keep a still; returns its name, empty where there is none to keep."""
        if still is None or self.failure:
            return ""
        name = f"stills/{self._stills:05d}.jpg"
        self._stills += 1
        try:
            (self._folder / name).write_bytes(_jpeg(still.pixels_bgr, STILL_QUALITY))
        except OSError as error:
            self._fail(error)
        return name

    def notice(self, text: str) -> None:
        """Keep a notice."""
        self._line({"notice": text})

    def close(self) -> None:
        """Finish the files."""
        for file in (self._log, self._frames):
            try:
                file.close()
            except OSError as error:
                self._fail(error)

    def _line(self, values: dict[str, Any]) -> None:
        if not self.failure:
            self._write(self._log, json.dumps(values) + "\n")

    def _write(self, file: Any, content: str | bytes) -> None:
        try:
            file.write(content)
            file.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        if not self.failure:
            why = error.strerror or str(error)
            self.failure = f"{self._folder}: recording ended ({why}); watching goes on"


class Recording:
    """A recorded session, as a camera and as the reader that it had.

    Parameters
    ----------
    folder : Path
        As :class:`Recorder` wrote it.

    Attributes
    ----------
    statuses : list of tuple
        State, reason and want of every frame, as they were recorded.
    first_difference : str
        Where :meth:`check` found another status than the recorded one; empty for nowhere.

    Raises
    ------
    FileFormatError
        Where it is not a recorded session.
    """

    live = False

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self._folder = folder
        head = folder / "session.json"
        document = open_document(read_json(head), str(head), kind=KIND, schema=SCHEMA)
        document.text("source")
        params = document.record("params").everything()
        document.close()
        document.mistakes.raise_any()
        self.params = _params(params, str(head))
        self._lines = list(_lines(folder / "log.jsonl"))
        self.statuses = [(e["state"], e["reason"], e["want"]) for e in self._lines if "frame" in e]
        self._answers = iter([e for e in self._lines if "reading" in e or "refused" in e])
        self._newest: Frame | None = None
        self._told = 0
        self.first_difference = ""

    def frames(self) -> Iterator[Frame]:
        """Give the recorded frames."""
        with (self._folder / "frames.mjpeg").open("rb") as file:
            for entry in self._lines:
                if "frame" not in entry:
                    continue
                file.seek(entry["offset"])
                encoded = file.read(entry["bytes"])
                if len(encoded) < entry["bytes"]:
                    return  # cut off with the recording
                self._newest = Frame(
                    pixels_bgr=_decoded(encoded), at_s=entry["at_s"], number=entry["frame"]
                )
                yield self._newest

    def still(self) -> Still:
        """Give the small frame: what was read is told by the recorded answers."""
        if self._newest is None:
            raise CameraLostError(f"{self.name}: a still was asked for before the first frame")
        frame = self._newest
        return Still(pixels_bgr=frame.pixels_bgr, at_s=frame.at_s, name=f"frame-{frame.number}")

    def close(self) -> None:
        """Nothing is held."""

    def recorded_answer(self, stills: Sequence[Still]) -> Answer:
        """Read as it was read then: gives the recorded readings and refusals in their order."""
        entry = next(self._answers, None)
        if entry is None:
            raise UnreadableError(f"{self.name}: the recording has no reading of {stills[-1].name}")
        if "refused" in entry:
            raise UnreadableError(entry["refused"])
        reading = reading_from_json(entry["reading"], f"{self.name}/log.jsonl")
        return Answer(reading=reading, size_px=tuple(entry["size_px"]), still=None)

    def reading_anew(self, reader: Reader) -> StillsReader:
        """Give a reader that reads the recorded stills in their order, whatever was read then."""
        entries = self._answers

        def read(_stills: Sequence[Still]) -> Answer:
            entry = next((e for e in entries if e.get("still")), None)
            if entry is None:
                raise UnreadableError(f"{self.name}: the recording has no still more to read")
            path = self._folder / entry["still"]
            pixels_bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if pixels_bgr is None:
                raise UnreadableError(f"{path}: cannot be decoded; the recording is damaged")
            height, width = pixels_bgr.shape[:2]
            reading = reader(np.asarray(pixels_bgr, np.uint8), path.name)
            return Answer(reading=reading, size_px=(width, height), still=None)

        return read

    def check(self, frame: Frame, status: Status) -> None:
        """Compare a frame's status with the recorded one; see `first_difference`."""
        said = (status.state, status.reason, status.want)
        then = self.statuses[self._told] if self._told < len(self.statuses) else None
        self._told += 1
        if said != then and not self.first_difference:
            self.first_difference = f"frame {frame.number}: {said} instead of {then}"

    def stills(self) -> list[Path]:
        """Give the stills that were read, in their order."""
        return [self._folder / e["still"] for e in self._lines if e.get("still")]


def _params(values: Mapping[str, Any], where: str) -> WatchParams:
    try:
        return WatchParams(**values)
    except TypeError as error:
        raise FileFormatError(f"{where}: params: {error}") from error


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path}: cannot be read: {error}") from error
    rows = text.split("\n")
    for number, row in enumerate(rows[:-1], start=1):  # what follows the last newline is cut off
        yield json_object(row, f"{path}:{number}")


def _jpeg(pixels_bgr: Pixels, quality: int) -> bytes:
    good, encoded = cv2.imencode(".jpg", pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not good:
        raise ValueError(f"a picture of {pixels_bgr.shape} cannot be kept as JPEG")
    return encoded.tobytes()


def _decoded(encoded: bytes) -> Pixels:
    pixels_bgr = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    if pixels_bgr is None:
        raise FileFormatError("a recorded frame cannot be decoded; the recording is damaged")
    return np.asarray(pixels_bgr, np.uint8)
