"""Whatever is put in: one line that says what is wrong, the right status, nothing half-written."""

from __future__ import annotations

import json
import shutil
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from sonora_vision.cli import main
from sonora_vision.reading_file import load_reading


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def assert_refused(result: Result, status: int, said: str) -> None:
    assert result.exit_code == status, result.output
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert all(line.startswith("sonora-vision: ") for line in result.stderr.splitlines())


def _png_of(width: int, height: int) -> bytes:
    """Return a whole, valid grey PNG without ever holding its pixels."""

    def chunk(name: bytes, content: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(name + content))
        return struct.pack(">I", len(content)) + name + content + checksum

    packer = zlib.compressobj(1)
    rows = b"".join(packer.compress(bytes(width + 1)) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def _picture(path: Path, pixels: np.ndarray) -> Path:
    assert cv2.imwrite(str(path), pixels)
    return path


@pytest.fixture(scope="module")
def bad_photos(sample_rig: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Photos that cannot be read, with a word that the refusal must hold."""
    folder = tmp_path_factory.mktemp("bad")
    whole = (sample_rig / "photos" / "006.jpg").read_bytes()
    noise = np.random.default_rng(7).integers(0, 256, (900, 1200, 3), dtype=np.uint8)
    (folder / "text.jpg").write_text("this is no picture")
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "truncated.jpg").write_bytes(whole[: len(whole) // 2])
    (folder / "hundred_megapixels.png").write_bytes(_png_of(10_000, 10_000))
    (folder / "folder.jpg").mkdir()
    _picture(folder / "noise.png", noise)
    _picture(folder / "black.png", np.zeros((1200, 1600, 3), dtype=np.uint8))
    _picture(folder / "dot.png", np.zeros((1, 1, 3), dtype=np.uint8))
    shutil.copy(sample_rig / "lens" / "00.jpg", folder / "something_else.jpg")
    return {
        str(folder / "missing.jpg"): "No such file",
        str(folder / "text.jpg"): "not a JPEG or PNG",
        str(folder / "empty.jpg"): "empty",
        str(folder / "truncated.jpg"): "cut short",
        str(folder / "hundred_megapixels.png"): "megapixels",
        str(folder / "noise.png"): "board",
        str(folder / "black.png"): "board",
        str(folder / "dot.png"): "",
        str(folder / "something_else.jpg"): "board",
    }


def test_bad_photos_are_refused_by_name_and_the_good_one_is_read(
    bad_photos: dict[str, str], sample_rig: Path, sample_profile: Path, tmp_path: Path
) -> None:
    good = sample_rig / "photos" / "006.jpg"
    result = run(
        "read", *bad_photos, good, "--profile", sample_profile, "--jobs", 1,
        "--json", tmp_path / "readings", "--annotate", tmp_path / "pictures",
    )  # fmt: skip
    assert_refused(
        result, 1, f"{len(bad_photos)} of {len(bad_photos) + 1} photos could not be read"
    )
    for photo, word in bad_photos.items():
        (line,) = [line for line in result.stderr.splitlines() if f"{photo}:" in line]
        assert word in line
        assert "fault of this program" not in line
    assert [path.name for path in (tmp_path / "readings").iterdir()] == ["006.json"]
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == ["006.png"]
    assert load_reading(tmp_path / "readings" / "006.json").board == "mesa"


def test_a_folder_called_like_a_photo_is_a_folder(sample_profile: Path, tmp_path: Path) -> None:
    (tmp_path / "shot.jpg").mkdir()
    result = run("read", tmp_path / "shot.jpg", "--profile", sample_profile)
    assert_refused(result, 2, "expected photographs")


def test_a_missing_profile_is_named(sample_rig: Path, tmp_path: Path) -> None:
    photo = sample_rig / "photos" / "006.jpg"
    result = run("read", photo, "--profile", tmp_path / "none.profile")
    assert_refused(result, 2, "none.profile")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", [["read"], ["serve"]])
def test_a_board_description_is_no_profile(sample_rig: Path, command: list[str]) -> None:
    photo = sample_rig / "photos" / "006.jpg"
    result = run(*command, photo, "--profile", sample_rig / "board.json")
    assert_refused(result, 2, "board.json")
    assert len(result.stderr.splitlines()) == 1


@pytest.fixture
def rig(sample_rig: Path, tmp_path: Path) -> Path:
    """A copy of the sample rig to be spoiled."""
    copy = tmp_path / "rig"
    shutil.copytree(sample_rig, copy, ignore=shutil.ignore_patterns("photos", "truth"))
    return copy


def _edit(path: Path, change: Any) -> None:
    values = json.loads(path.read_text())
    change(values)
    path.write_text(json.dumps(values))


def _unknown_key(values: dict[str, Any]) -> None:
    values["colour"] = "red"


def _crossing(values: dict[str, Any]) -> None:
    values["zones"][0]["points"] = [[0, 0], [100, 100], [100, 0], [0, 100]]


def _outside(values: dict[str, Any]) -> None:
    values["zones"][0]["points"] = [[0, 0], [200, 0], [200, 200], [-9, 200]]


def _newer(values: dict[str, Any]) -> None:
    values["schema"] = 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_unknown_key, "board.json: colour: unknown key"),
        (_crossing, "board.json: zones[0].points: expected a polygon that does not cross itself"),
        (_outside, "board.json: zones[0]: expected to lie within the outline"),
        (_newer, "board.json: schema: expected 1, got 2"),
    ],
)
def test_a_wrong_board_description_makes_no_profile(rig: Path, change: Any, said: str) -> None:
    _edit(rig / "board.json", change)
    result = run("calibrate", rig, "--out", rig / "out.profile")
    assert_refused(result, 2, said)
    assert len(result.stderr.splitlines()) == 1
    assert not (rig / "out.profile").exists()


def _unknown_color(values: dict[str, Any]) -> None:
    values["discs"]["discs"][0]["color"] = "mauve"


def _three_corners(values: dict[str, Any]) -> None:
    values["empty"]["corners_px"].pop()


def _no_discs(values: dict[str, Any]) -> None:
    del values["discs"]


def test_corners_clicked_a_quarter_turn_off_make_no_profile(rig: Path) -> None:
    """Outline and zones fit as well as before: only multipliers and hole tell the turn."""

    def turn(values: dict[str, Any]) -> None:
        corners = values["empty"]["corners_px"]
        values["empty"]["corners_px"] = corners[1:] + corners[:1]

    _edit(rig / "teach" / "answers.json", turn)
    result = run("calibrate", rig, "--out", rig / "out.profile")
    assert_refused(result, 2, "multipliers")
    assert not (rig / "out.profile").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_unknown_color, "mauve"),
        (_three_corners, "corners_px"),
        (_no_discs, "discs"),
    ],
)
def test_wrong_answers_make_no_profile(rig: Path, change: Any, said: str) -> None:
    _edit(rig / "teach" / "answers.json", change)
    result = run("calibrate", rig, "--out", rig / "out.profile")
    assert_refused(result, 2, said)
    assert "answers.json" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (rig / "out.profile").exists()


def _click_on_bare_board(values: dict[str, Any]) -> None:
    one, two = (disc["px"] for disc in values["discs"]["discs"][:2])
    values["discs"]["discs"][0]["px"] = [(a + b) / 2 for a, b in zip(one, two, strict=True)]


def _click_twice_on_one_disc(values: dict[str, Any]) -> None:
    values["discs"]["discs"][0]["px"] = values["discs"]["discs"][1]["px"]


def _click_beside_the_picture(values: dict[str, Any]) -> None:
    values["discs"]["discs"][0]["px"] = [-500, 100_000]


def _teach_with_the_empty_board(values: dict[str, Any]) -> None:
    values["discs"]["image"] = values["empty"]["image"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_click_on_bare_board, "no disc of this size"),
        (_click_twice_on_one_disc, "nearer to each other"),
        (_click_beside_the_picture, "beside the picture"),
        (_teach_with_the_empty_board, "no disc of this size"),
    ],
)
def test_clicks_that_meet_no_disc_teach_nothing(rig: Path, change: Any, said: str) -> None:
    _edit(rig / "teach" / "answers.json", change)
    result = run("calibrate", rig, "--out", rig / "out.profile")
    assert_refused(result, 2, said)
    assert "teach/" in result.stderr
    assert not (rig / "out.profile").exists()


@pytest.mark.parametrize("times", [0.5, 0.9, 1.1, 2.0])
def test_a_wrong_size_of_discs_is_noticed(rig: Path, times: float) -> None:
    def resize(values: dict[str, Any]) -> None:
        values["discs"]["radius"] *= times

    _edit(rig / "board.json", resize)
    result = run("calibrate", rig, "--out", rig / "out.profile")
    assert_refused(result, 2, "discs.jpg")
    assert "radius" in result.stderr
    assert not (rig / "out.profile").exists()


@pytest.mark.parametrize("name", ["empty.jpg", "discs.jpg"])
def test_a_blurred_dark_or_grey_teaching_picture_is_taken_again(rig: Path, name: str) -> None:
    path = rig / "teach" / name
    pixels = cv2.imread(str(path))
    assert pixels is not None
    grey = cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    blurred = cv2.GaussianBlur(pixels, (0, 0), 6)
    for spoiled, said in ((blurred, "blurred"), (pixels // 20, "dark"), (grey, "grey-scale")):
        _picture(path, spoiled)
        result = run("calibrate", rig, "--out", rig / "out.profile")
        assert_refused(result, 2, said)
        assert name in result.stderr


def test_one_view_of_the_target_many_times_is_one_view(rig: Path) -> None:
    first, *others = sorted((rig / "lens").glob("*.jpg"))
    for other in others:
        shutil.copy(first, other)
    result = run("calibrate", rig, "--out", rig / "out.profile")
    assert_refused(result, 2, "1 different views")


@pytest.mark.parametrize(
    "missing", ["board.json", "lens/charuco.json", "teach/answers.json", "teach/empty.jpg", "lens"]
)
def test_a_rig_with_a_part_missing_makes_no_profile(rig: Path, missing: str) -> None:
    part = rig / missing
    if part.is_dir():
        shutil.rmtree(part)
    else:
        part.unlink()
    result = run("calibrate", rig, "--out", rig / "out.profile")
    assert_refused(result, result.exit_code, missing)
    assert result.exit_code in (1, 2)
    assert len(result.stderr.splitlines()) == 1
    assert not (rig / "out.profile").exists()


def test_a_folder_that_is_not_there_is_no_rig(tmp_path: Path) -> None:
    assert_refused(run("calibrate", tmp_path / "none", "--out", tmp_path / "p"), 2, "none")


@pytest.mark.parametrize("spoiled", ["truncated", "flipped", "another_schema"])
def test_a_damaged_profile_is_refused(
    sample_rig: Path, sample_profile: Path, tmp_path: Path, spoiled: str
) -> None:
    raw = sample_profile.read_bytes()
    path = tmp_path / "spoiled.profile"
    if spoiled == "truncated":
        path.write_bytes(raw[: len(raw) // 2])
    elif spoiled == "flipped":
        middle = len(raw) // 2
        path.write_bytes(raw[:middle] + bytes([raw[middle] ^ 0xFF]) + raw[middle + 1 :])
    else:
        with zipfile.ZipFile(sample_profile) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if name == "profile.json":
                    content = json.dumps(json.loads(content) | {"schema": 99}).encode()
                new.writestr(name, content)
    result = run("read", sample_rig / "photos" / "006.jpg", "--profile", path)
    assert_refused(result, 2, "spoiled.profile")
    assert len(result.stderr.splitlines()) == 1


def test_two_processes_read_two_photos_as_the_truth_says_and_refuse_the_third(
    sample_rig: Path, sample_profile: Path, tmp_path: Path
) -> None:
    for folder, ending in (("truth", "json"), ("photos", "jpg")):
        (tmp_path / folder).mkdir()
        for stem in ("002", "006"):
            shutil.copy(sample_rig / folder / f"{stem}.{ending}", tmp_path / folder)
    shutil.copy(sample_rig / "truth" / "003.json", tmp_path / "truth")
    result = run("evaluate", tmp_path, "--profile", sample_profile, "--json", "--jobs", 2)
    assert_refused(result, 1, "003.jpg: cannot be opened")
    assert len(result.stderr.splitlines()) == 1
    values = json.loads(result.stdout)
    assert (values["photos"], values["unread"], values["wrong"]) == (3, 1, 0)
    assert values["found"] == 16 + 19  # all that can be seen on the two that were read
    assert values["center_median_mm"] < 0.8
