"""Sessions: cameras that fail, disks that fill, and recordings that play back to the same."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sonora_vision.camera import CameraLostError, Frame, NoCameraError, Still
from sonora_vision.camera.average import average
from sonora_vision.errors import CalibrationError, FileFormatError
from sonora_vision.observation import Reading
from sonora_vision.watch.recording import Recorder, Recording
from sonora_vision.watch.session import Event, Notice, ReadingMade, Session, StateChanged
from sonora_vision.watch.states import WatchParams
from sonora_vision.watch.stills import AveragingReader
from tests.watch.table import Film, Table, hand_in_and_out, slide

ONE = Table(discs={("red", 1): (120.0, 130.0)})
TWO = Table(discs={("red", 1): (120.0, 130.0), ("blue", 2): (300.0, 250.0)})
GAME = [
    (ONE, 1.5),
    *hand_in_and_out(ONE, (300.0, 380.0)),
    *slide(ONE, ("blue", 2), (300.0, 380.0), (300.0, 250.0)),
    (TWO, 2.5),
]


def play(film: Film, recorder: Recorder | None = None) -> list[Event]:
    return list(Session(lambda: film, AveragingReader(film.read), recorder=recorder).run())


def record(folder: Path) -> list[Event]:
    recorder = Recorder(folder, source="film", params=WatchParams())
    events = play(Film(GAME), recorder)
    recorder.close()
    return events


def test_a_recording_plays_back_to_the_same_without_a_camera(tmp_path: Path) -> None:
    recorded = record(tmp_path / "session")
    recording = Recording(tmp_path / "session")
    played = list(Session(lambda: recording, recording.recorded_answer).run())
    assert [type(e) for e in recorded] == [type(e) for e in played]
    for then, now in zip(recorded, played, strict=True):
        if isinstance(then, ReadingMade) and isinstance(now, ReadingMade):
            assert [h.kind for h in then.report.happenings] == [
                h.kind for h in now.report.happenings
            ]
            assert then.at_s == now.at_s
        else:
            assert then == now


def test_every_frames_state_plays_back_to_the_same(tmp_path: Path) -> None:
    record(tmp_path / "session")
    recording = Recording(tmp_path / "session")
    session = Session(
        lambda: recording,
        recording.recorded_answer,
        params=recording.params,
        observe=recording.check,
    )
    list(session.run())
    assert recording.first_difference == ""
    assert len(recording.statuses) > 50


def test_a_replay_that_differs_says_at_which_frame(tmp_path: Path) -> None:
    record(tmp_path / "session")
    recording = Recording(tmp_path / "session")
    lazy = WatchParams(settle_s=0.8)
    session = Session(
        lambda: recording, recording.recorded_answer, params=lazy, observe=recording.check
    )
    list(session.run())
    assert recording.first_difference.startswith("frame ")


def test_recorded_stills_can_be_read_anew(tmp_path: Path) -> None:
    record(tmp_path / "session")
    recording = Recording(tmp_path / "session")
    names: list[str] = []

    def read(pixels_bgr: np.ndarray, name: str) -> Reading:
        names.append(name)
        return TWO.read()

    list(Session(lambda: recording, recording.reading_anew(read)).run())
    assert names[:2] == ["00000.jpg", "00001.jpg"]


def test_a_recording_keeps_the_stills_that_were_read(tmp_path: Path) -> None:
    record(tmp_path / "session")
    stills = Recording(tmp_path / "session").stills()
    assert stills
    assert all(path.stat().st_size > 0 for path in stills)


def test_a_recording_that_was_cut_off_plays_up_to_there(tmp_path: Path) -> None:
    record(tmp_path / "session")
    for name in ("log.jsonl", "frames.mjpeg"):
        path = tmp_path / "session" / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    recording = Recording(tmp_path / "session")
    events = list(Session(lambda: recording, recording.recorded_answer).run())
    assert any(isinstance(e, ReadingMade) for e in events)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("session.json", '{"kind": "other", "schema": 1}', "kind: expected"),
        (
            "session.json",
            '{"kind": "sonora-vision/session", "schema": 1, "source": "s", "params": {}, "a": 1}',
            "a: unknown key",
        ),
        ("session.json", None, "session.json"),
        ("log.jsonl", "not json\n", "log.jsonl:1: not JSON"),
        ("log.jsonl", "[" * 100_000 + "\n", "log.jsonl:1: not JSON: .*too deep"),
        ("log.jsonl", None, "cannot be read"),
    ],
)
def test_a_folder_that_is_no_recording_says_what_is_wrong(
    tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    record(tmp_path / "session")
    path = tmp_path / "session" / name
    path.unlink()
    if content is not None:
        path.write_text(content, "utf-8")
    with pytest.raises(FileFormatError, match=message):
        Recording(tmp_path / "session")


def test_recording_into_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    record(tmp_path / "session")
    with pytest.raises(FileFormatError, match="expected a new folder"):
        Recorder(tmp_path / "session", source="film", params=WatchParams())


def test_a_full_disk_ends_the_recording_and_not_the_session(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "session", source="film", params=WatchParams())

    class Full:
        def __init__(self) -> None:
            self.count = 0

        def write(self, _content: bytes) -> None:
            self.count += 1
            if self.count > 20:
                raise OSError(errno.ENOSPC, "No space left on device")

        def flush(self) -> None: ...
        def close(self) -> None: ...

    recorder._frames.close()
    recorder._frames = Full()  # type: ignore[assignment]
    events = play(Film(GAME), recorder)
    recorder.close()
    notices = [e.text for e in events if isinstance(e, Notice)]
    assert len(notices) == 1
    assert "No space left on device" in notices[0]
    made = [e for e in events if isinstance(e, ReadingMade)]
    assert [h.color for e in made for h in e.report.flicked] == ["blue"]
    assert Recording(tmp_path / "session").statuses, "what was kept before can be played"


class Unplugged:
    """A live camera that is lost in the middle of a film, and comes back."""

    name, live = "usb", True

    def __init__(self, film: Film, frames: Iterator[Frame], count: int) -> None:
        self._film, self._frames, self._count = film, frames, count

    def frames(self) -> Iterator[Frame]:
        for index, frame in enumerate(self._frames):
            if index == self._count:
                raise CameraLostError("camera 0: gives no pictures any more; check its cable")
            yield frame

    def still(self) -> Still:
        return self._film.still()

    def close(self) -> None: ...


def test_a_camera_that_is_unplugged_and_replugged_loses_nothing() -> None:
    film = Film(GAME)
    frames = film.frames()
    opened = iter([40, "gone", "gone", 10_000])

    def open_source() -> Unplugged:
        what = next(opened)
        if isinstance(what, str):
            raise NoCameraError("/dev/video0: no such camera")
        return Unplugged(film, frames, what)

    pauses: list[float] = []
    session = Session(open_source, AveragingReader(film.read), sleep=pauses.append)
    events = list(session.run())
    said = [(e.status.state, e.status.reason) for e in events if isinstance(e, StateChanged)]
    assert ("unreadable", "camera stopped") in said
    assert said[-1] == ("still", "")
    assert any(isinstance(e, Notice) and "is back" in e.text for e in events)
    flicked = [h.color for e in events if isinstance(e, ReadingMade) for h in e.report.flicked]
    assert flicked == ["blue"]
    assert len(pauses) == 3


def test_no_camera_at_first_is_an_error_not_a_wait() -> None:
    def nothing() -> Film:
        raise NoCameraError("no camera")

    with pytest.raises(NoCameraError):
        list(Session(nothing, AveragingReader(lambda p, n: None)).run())  # type: ignore[arg-type, return-value]


def test_a_profile_for_another_cameras_size_is_a_state_and_a_message() -> None:
    film = Film([(ONE, 8.0)])

    def read(_pixels: object, _name: str) -> Reading:
        raise CalibrationError("photo of 640 x 480: expected 4608 x 2592 as in the profile")

    session = Session(lambda: film, AveragingReader(read))
    events = list(session.run())
    said = [e.status.detail for e in events if isinstance(e, StateChanged)]
    assert len(said) == 1, "once, however often it is tried"
    assert session.latest.status.state == "unreadable"
    assert "expected 4608 x 2592" in session.latest.status.detail


def test_another_thread_sees_the_newest_of_all() -> None:
    film = Film(GAME)
    session = Session(lambda: film, AveragingReader(film.read))
    assert session.latest.reading is None
    list(session.run())
    assert session.latest.reading is not None
    assert len(session.latest.reading.discs) == 2
    assert [h.color for h in session.latest.report.flicked] == ["blue"]
    assert session.latest.status.state == "still"


def test_stop_ends_the_session() -> None:
    film = Film([(ONE, 60.0)])
    session = Session(lambda: film, AveragingReader(film.read))
    for event in session.run():
        if isinstance(event, ReadingMade):
            session.stop()
    assert film.at_s < 10.0


def test_stills_are_averaged() -> None:
    stills = [
        Still(pixels_bgr=np.full((4, 4, 3), v, np.uint8), at_s=float(v), name=str(v))
        for v in (100, 110, 120)
    ]
    mean = average(stills)
    assert (int(mean.pixels_bgr[0, 0, 0]), mean.name, mean.at_s) == (110, "120", 120.0)


def test_the_log_is_lines_of_json(tmp_path: Path) -> None:
    record(tmp_path / "session")
    lines = (tmp_path / "session" / "log.jsonl").read_text("utf-8").splitlines()
    kinds = {next(iter(json.loads(line))) for line in lines}
    assert {"frame", "reading"} <= kinds
    assert WatchParams() == Recording(tmp_path / "session").params
