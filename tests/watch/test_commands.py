"""The commands watch, capture and doctor, as a person gives them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from sonora_vision.camera import CameraLostError, Frame, Still
from sonora_vision.camera.bracket import FACTORS, photograph
from sonora_vision.camera.source import Pixels, shrink
from sonora_vision.cli import main
from sonora_vision.commands import capture, doctor, watch
from sonora_vision.errors import UnreadableError
from tests.watch.table import Table

TABLE = Table(discs={("red", 1): (120.0, 130.0)})


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for index, x in enumerate((120.0, 250.0)):
        table = Table(discs={("red", 1): (x, 130.0), ("blue", 2): (300.0, 300.0)})
        cv2.imwrite(str(folder / f"{index}.png"), table.draw())
    return folder


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that knows the two photos, in place of the vision."""
    tables = iter([120.0, 250.0])

    def read(_pixels: Pixels, _name: str) -> Any:
        return Table(discs={("red", 1): (next(tables), 130.0), ("blue", 2): (300.0, 300.0)}).read()

    for module in (watch, doctor):
        monkeypatch.setattr(module, "reader_for", lambda _path: read)


def run(command: click.Command, *arguments: object) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])


def test_watch_says_what_moved_and_what_each_player_records(known: None, photos: Path) -> None:
    done = run(watch.command, photos, "--profile", "x", "--states")
    assert done.exit_code == 0, done.output
    assert "red 1 moved by 130 mm" in done.output
    assert "still" in done.output
    assert "canyon" in done.output.lower()


def test_watch_that_reads_nothing_says_why_and_ends_with_status_1(
    photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_pixels: Pixels, _name: str) -> Any:
        raise UnreadableError("photo of 640 x 480: another camera's size")

    monkeypatch.setattr(watch, "reader_for", lambda _path: read)
    done = run(watch.command, photos, "--profile", "x")
    assert done.exit_code == 1
    assert "another camera's size" in done.stdout
    assert "not read once" in done.stderr


def test_watch_records_and_replays_to_the_same(known: None, photos: Path, tmp_path: Path) -> None:
    recorded = run(watch.command, photos, "--profile", "x", "--record", tmp_path / "s")
    played = run(watch.command, "--replay", tmp_path / "s")
    assert recorded.exit_code == played.exit_code == 0, played.output
    assert recorded.stdout == played.stdout
    assert "40 frames played to the same states" in played.stderr


def test_watch_writes_each_reading(known: None, photos: Path, tmp_path: Path) -> None:
    run(watch.command, photos, "--profile", "x", "--json", tmp_path / "readings")
    names = sorted(p.name for p in (tmp_path / "readings").iterdir())
    assert names == ["0001.json", "0002.json"]
    assert json.loads((tmp_path / "readings/0001.json").read_text())["discs"]


def test_a_place_that_takes_no_readings_ends_the_writing_not_the_watching(
    known: None, photos: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = run(watch.command, photos, "--profile", "x", "--json", tmp_path / "file")
    assert done.exit_code == 0
    assert done.stderr.count("no more readings are written") == 1
    assert "red 1 moved" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected either a CAMERA"),
        (["usb:0", "--replay", "x"], "expected either a CAMERA"),
        (["usb:0"], "--profile: expected the profile"),
        (["usb:0", "--profile", "x", "--reread"], "--reread: expected --replay"),
        (["--replay", "/nowhere"], "/nowhere/session.json"),
        (["/nowhere/video.mp4", "--profile", "x"], "expected pi:PRESET, usb:NUMBER"),
    ],
)
def test_watch_with_wrong_words_says_what_is_expected(
    known: None, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["watch", *arguments], standalone_mode=True)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert message in said
    assert len(said.strip().splitlines()) == 1


def test_no_camera_is_one_line_and_status_1(
    known: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["watch", "usb:/dev/video97", "--profile", "x"])
    assert ended.value.code == 1
    assert "no such camera" in capsys.readouterr().err


class Bright:
    """A camera whose lamp is mirrored in the print, at any but a short exposure."""

    name, live = "bright", True

    def __init__(self, *, follows: bool = True) -> None:
        self.factors: list[float] = []
        self._follows, self._factor = follows, 1.0

    def frames(self) -> Any:
        number = 0
        while True:
            yield Frame(pixels_bgr=shrink(self._picture()), at_s=number / 10, number=number)
            number += 1

    def still(self) -> Still:
        return Still(pixels_bgr=self._picture(), at_s=0.0, name="still")

    def expose(self, factor: float) -> bool:
        self.factors.append(factor)
        self._factor = factor if self._follows else 1.0
        return self._follows

    def close(self) -> None: ...

    def _picture(self) -> Pixels:
        scene = np.full((60, 80, 3), 120.0)
        scene[20:40, 30:50] = 600.0
        scene[28:32, 38:42] = 700.0  # detail within the glare
        return np.clip(scene * self._factor, 0, 255).astype(np.uint8)


def test_exposures_are_fused_where_light_clips() -> None:
    camera = Bright()
    taken = photograph(camera, stills=2, brackets="auto")
    assert taken.clipped_share > 0.05
    assert camera.factors == [*FACTORS[1:], 1.0], "the exposure goes back to what it was"
    seen = taken.pixels_bgr[..., 0].astype(int)
    assert abs(seen[30, 40] - seen[24, 34]) > 5, "detail within the glare is seen again"
    assert len(taken.exposures) == 3


def test_without_clipping_one_exposure_is_enough(photos: Path) -> None:
    camera = Bright()
    camera._factor = 0.3
    assert photograph(camera, stills=2, brackets="auto").exposures == ()
    assert camera.factors == []


@pytest.mark.parametrize("follows", [False])
def test_a_camera_that_does_not_follow_is_noted(follows: bool) -> None:
    taken = photograph(Bright(follows=follows), stills=1, brackets="auto")
    assert "does not expose shorter" in taken.note


def test_capture_puts_photos_in_their_place(photos: Path, tmp_path: Path) -> None:
    rig = tmp_path / "rig"
    for _ in range(2):
        assert run(capture.command, photos, rig).exit_code == 0
    assert run(capture.command, photos, rig, "--as", "empty").exit_code == 0
    files = sorted(str(p.relative_to(rig)) for p in rig.rglob("*.jpg"))
    assert files == ["photos/000.jpg", "photos/001.jpg", "teach/empty.jpg"]
    assert cv2.imread(str(rig / "teach/empty.jpg")).shape == (480, 640, 3)


def test_capture_replaces_a_teaching_photo_only_when_told(photos: Path, tmp_path: Path) -> None:
    assert run(capture.command, photos, tmp_path, "--as", "discs").exit_code == 0
    again = run(capture.command, photos, tmp_path, "--as", "discs")
    assert "give --replace" in str(again.exception)
    assert run(capture.command, photos, tmp_path, "--as", "discs", "--replace").exit_code == 0


def test_capture_leaves_nothing_behind_when_the_camera_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dead(Bright):
        def still(self) -> Still:
            raise CameraLostError("bright: stopped giving pictures")

    opened: Callable[[str], Any] = lambda _: Dead()  # noqa: E731
    monkeypatch.setattr(capture, "open_source", opened)
    done = run(capture.command, "usb:0", tmp_path / "rig")
    assert isinstance(done.exception, CameraLostError)
    assert not (tmp_path / "rig").exists()


def test_doctor_checks_and_packs(known: None, photos: Path, tmp_path: Path) -> None:
    done = run(doctor.command, photos, "--json", "--bundle", tmp_path / "b.zip")
    assert done.exit_code == 0, done.output
    checks = {f["check"]: f["verdict"] for f in json.loads(done.stdout)["findings"]}
    assert checks["camera"] == "ok"
    assert (tmp_path / "b.zip").exists()
    assert "camera" in run(doctor.command, photos).output


def test_doctor_ends_with_status_1_where_something_is_bad(tmp_path: Path) -> None:
    done = run(doctor.command, tmp_path)
    assert done.exit_code == 1
    assert "expected photos" in done.output
