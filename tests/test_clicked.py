"""A photograph without a rig: clicks on it are all that is known of lens, board and discs."""

from __future__ import annotations

import json
import math
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from sonora_vision.calibrate.one_photo import exif_focal
from sonora_vision.cli import main
from tests.clicks_by_truth import sample_clicks

RIG = Path(__file__).parent.parent / "sample_images" / "mesa"
PHOTO = RIG / "photos" / "006.jpg"


def read(photo: Path, clicks: dict[str, Any], folder: Path) -> Result:
    file = folder / "clicks.json"
    file.write_text(json.dumps(clicks), encoding="utf-8")
    arguments = ["read", photo, "--board", RIG / "board.json", "--clicks", file,
                 "--json", folder / "readings"]  # fmt: skip
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("clicked")
    result = read(PHOTO, sample_clicks("006"), folder)
    assert result.exit_code == 0, result.stderr
    values: dict[str, Any] = json.loads((folder / "readings" / "006.json").read_text())
    return values


@pytest.fixture(scope="module")
def seen() -> list[dict[str, Any]]:
    """The discs that lie in plain view."""
    truth = json.loads((RIG / "truth" / "006.json").read_text(encoding="utf-8"))
    lying = ("flat", "stacked", "in_hole")
    return [d for d in truth["discs"] if d["state"] in lying and d["visible"] > 0.5]


def near(reading: dict[str, Any], disc: dict[str, Any]) -> list[dict[str, Any]]:
    return [d for d in reading["discs"] if math.dist(d["top_px"], disc["top_px"]) < 20]


def test_most_discs_are_found_where_they_lie(
    reading: dict[str, Any], seen: list[dict[str, Any]]
) -> None:
    found = [disc for disc in seen if near(reading, disc)]
    assert len(found) >= 0.85 * len(seen)
    for disc in found:
        assert math.dist(near(reading, disc)[0]["center_mm"], disc["center_mm"]) < 1.5


def test_no_promise_is_wrong(reading: dict[str, Any], seen: list[dict[str, Any]]) -> None:
    promised = [(d, near(reading, d)[0]) for d in seen if near(reading, d)]
    promised = [(d, r) for d, r in promised if not r["doubts"]]
    assert len(promised) > 0.6 * len(seen)
    for disc, told in promised:
        assert (told["color"], told["number"]) == (disc["color"], disc["number"])
        if disc["margin_mm"] is None or disc["margin_mm"] > 0.5:
            assert sorted(told["sections"]) == sorted(disc["assignment"]["sections"])


def test_what_was_not_found_is_said_to_be_missing(
    reading: dict[str, Any], seen: list[dict[str, Any]]
) -> None:
    missing = {(each["color"], each["number"]) for each in reading["missing"]}
    for disc in seen:
        assert near(reading, disc) or (disc["color"], disc["number"]) in missing


def test_a_place_is_less_certain_than_with_a_rig(reading: dict[str, Any]) -> None:
    assert min(disc["sigma_mm"] for disc in reading["discs"]) > 0.2


def test_clicks_on_another_photograph_are_refused(tmp_path: Path) -> None:
    result = read(PHOTO, sample_clicks("009"), tmp_path)
    assert result.exit_code == 1
    assert "006.jpg: " in result.stderr
    assert "Traceback" not in result.output


def test_a_landmark_that_is_another_point_is_named(tmp_path: Path) -> None:
    clicks = sample_clicks("006")
    clicks["landmarks"][4]["px"][0] += 90
    result = read(PHOTO, clicks, tmp_path)
    assert result.exit_code == 1
    assert "the landmarks do not fit the board" in result.stderr


def test_clicks_beside_the_picture_are_refused(tmp_path: Path) -> None:
    clicks = sample_clicks("006")
    clicks["colors"][0]["px"] = [5000, 10]
    result = read(PHOTO, clicks, tmp_path)
    assert result.exit_code == 1
    assert "colors[0]: pixel 5000, 10 lies outside the picture of 1640 x 1232" in result.stderr


@pytest.mark.parametrize(
    ("px", "words"),
    [
        ([60, 60], "too far from the board"),
        ([820, 30], "no disc"),  # the table beside the board
        ([600, 400], "no disc"),  # the bare board
    ],
)
def test_a_color_that_was_clicked_on_no_disc_is_named(
    tmp_path: Path, px: list[float], words: str
) -> None:
    clicks = sample_clicks("006")
    clicks["colors"][0]["px"] = px
    result = read(PHOTO, clicks, tmp_path)
    assert result.exit_code == 1
    (said, _) = result.stderr.splitlines()
    assert "orange" in said
    assert f"pixel {px[0]}, {px[1]}" in said
    assert words in said


def test_two_colors_on_one_disc_are_refused(tmp_path: Path) -> None:
    clicks = sample_clicks("006")
    x, y = clicks["colors"][1]["px"]
    clicks["colors"][0]["px"] = [x + 12, y + 5]
    result = read(PHOTO, clicks, tmp_path)
    assert result.exit_code == 1
    assert "are one disc; click a disc of each color" in result.stderr


def test_a_grey_picture_is_refused(tmp_path: Path) -> None:
    grey = tmp_path / "grey.png"
    Image.open(PHOTO).convert("L").save(grey)
    result = read(grey, sample_clicks("006"), tmp_path)
    assert result.exit_code == 1
    assert "grey.png: the picture is grey-scale" in result.stderr


@pytest.mark.parametrize("color", [(90, 120, 200), (250, 240, 250)])
def test_a_picture_of_nothing_is_refused(tmp_path: Path, color: tuple[int, int, int]) -> None:
    blank = tmp_path / "blank.png"
    Image.new("RGB", (1640, 1232), color).save(blank)
    result = read(blank, sample_clicks("006"), tmp_path)
    assert result.exit_code == 1
    assert "blank.png: too few of the board's printed lines are seen" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["p.jpg"], "expected either --profile, or --board and --clicks"),
        (["p.jpg", "--board", "b.json"], "expected either --profile, or --board and --clicks"),
        (["p.jpg", "--profile", "p", "--clicks", "c.json"], "expected either --profile"),
        (["p.jpg", "q.jpg", "--board", "b.json", "--clicks", "c.json"], "expected one PHOTO"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(main, ["read", *arguments])
    assert result.exit_code == 2
    assert words in result.stderr


def _jpeg(focal_mm: int | None) -> bytes:
    exif = Image.Exif()
    if focal_mm is not None:
        exif.get_ifd(0x8769)[0xA405] = focal_mm
    out = BytesIO()
    Image.new("RGB", (40, 30)).save(out, "JPEG", exif=exif)
    return out.getvalue()


def test_exif_gives_the_focal_length_by_the_diagonal_of_a_full_frame() -> None:
    focal = exif_focal(_jpeg(26))
    assert focal == pytest.approx(26 / math.hypot(24, 36), abs=1e-3)
    assert exif_focal(_jpeg(None)) is None
    assert exif_focal(_jpeg(0)) is None
    assert exif_focal(b"no picture") is None
