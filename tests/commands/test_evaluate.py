"""``evaluate`` around the vision: saved readings against a truth folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from click.testing import CliRunner, Result

from sonora_vision.cli import main
from sonora_vision.reading_file import save_reading
from tests.builders import disc, reading

TRUTH: dict[str, Any] = {
    "discs": [
        {
            "color": "red",
            "number": number,
            "state": "flat",
            "center_mm": [30.0, 70.0],
            "top_px": [100.0 * number, 700.0],
            "radius_px": 30.0,
            "visible": 1.0,
            "assignment": {"via": "zone", "sections": ["ruins"]},
            "margin_mm": 5.0,
        }
        for number in (1, 2)
    ]
}


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    """Return a rig of two photos: in the first, one of two discs is called wrongly."""
    (tmp_path / "truth").mkdir()
    for stem in ("000", "001"):
        (tmp_path / "truth" / f"{stem}.json").write_text(json.dumps(TRUTH))
    right = disc(top_px=(100.0, 700.0))
    wrong = disc(top_px=(200.0, 700.0), number=3)
    save_reading(tmp_path / "readings" / "000.json", reading(right, wrong))
    save_reading(
        tmp_path / "readings" / "001.json",
        reading(right, disc(top_px=(200.0, 700.0), number=2)),
    )
    return tmp_path


def _evaluate(rig: Path, *options: object) -> Result:
    arguments = ["evaluate", str(rig), "--profile", "none", "--readings", str(rig / "readings")]
    return CliRunner().invoke(main, [*arguments, *map(str, options)])


def test_figures_and_mistakes_are_printed(rig: Path) -> None:
    result = _evaluate(rig)
    assert result.exit_code == 0, result.stderr
    assert "4 (100.0%)" in result.stdout  # found
    assert "3 (75.0%)" in result.stdout  # number
    assert "000: wrong: red 2 (flat, 100% visible) is zone ruins" in result.stdout


def test_figures_are_printed_as_json(rig: Path) -> None:
    values = json.loads(_evaluate(rig, "--json").stdout)
    assert (values["photos"], values["exact"], values["wrong"], values["number"]) == (2, 1, 1, 3)
    assert sum(each["calls"] for each in values["reliability"]) == 4
    assert values["by_state"] == {"flat": {"found": 4, "mean_error_mm": 0.0, "z_rms": 0.0}}


def test_the_list_of_mistakes_is_cut_with_a_word(rig: Path) -> None:
    assert "... and 1 more (--worst N)" in _evaluate(rig, "--worst", 0).stdout


def test_the_reliability_curve_is_drawn(rig: Path) -> None:
    assert _evaluate(rig, "--curve", rig / "curve.png").exit_code == 0
    picture = cv2.imread(str(rig / "curve.png"))
    assert picture is not None
    assert picture.shape == (600, 600, 3)


def test_a_photo_without_a_reading_counts_as_unread(rig: Path) -> None:
    (rig / "readings" / "001.json").unlink()
    result = _evaluate(rig, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["unread"] == 1


def test_a_rig_without_truth_is_a_mistake(rig: Path) -> None:
    result = _evaluate(rig / "readings")
    assert result.exit_code == 2
    assert "expected one JSON file a photo, got none" in result.stderr


def test_a_damaged_reading_is_a_mistake(rig: Path) -> None:
    (rig / "readings" / "000.json").write_text("{}")
    result = _evaluate(rig)
    assert result.exit_code == 2
    assert "000.json: kind: missing" in result.stderr
