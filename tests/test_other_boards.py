"""A board and a game that the vision was not made for: crokinole, from a rig folder to points."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sonora_vision.cli import main
from tests.drawing import random_rig, write_rig

BOARD_FILE = Path(__file__).parent.parent / "sample_images" / "crokinole" / "board.json"
CLEAR_MM = 2.0
"""A disc so far from a line has one answer, whatever the eye makes of it."""


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rig")
    board = json.loads(BOARD_FILE.read_text(encoding="utf-8"))
    write_rig(random_rig(6, style="easy", board=board), folder, photos=1)
    return folder


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def read(rig: Path) -> dict[str, Any]:
    run("calibrate", rig, "--out", rig / "rig.profile")
    run("read", rig / "photos", "--profile", rig / "rig.profile", "--game", "crokinole",
        "--json", rig / "readings", "--annotate", rig / "pictures", "--jobs", 1)  # fmt: skip
    reading: dict[str, Any] = json.loads((rig / "readings" / "000.json").read_text())
    return reading


def _points(truth: dict[str, Any]) -> str:
    """A disc's ring by the drawn truth: its distance from the middle, its radius to spare."""
    inches = (math.dist(truth["center_mm"], (381.0, 381.0)) + 15.875) / 25.4
    return next((ring for line, ring in ((4, "15"), (8, "10"), (12, "5")) if inches < line), "0")


def test_every_disc_in_view_is_read_in_its_ring(rig: Path, read: dict[str, Any]) -> None:
    truth = json.loads((rig / "truth" / "000.json").read_text())
    discs = [disc for disc in truth["discs"] if disc["state"] == "flat"]
    assert len(discs) == 20
    for disc in discs:
        near = [d for d in read["discs"] if math.dist(d["center_mm"], disc["center_mm"]) < 6]
        assert [d["color"] for d in near] == [disc["color"]]
        if disc["margin_mm"] > CLEAR_MM:
            assert (near[0]["sections"] or ["0"]) == [_points(disc)]
    assert len(read["discs"]) == len(discs)


def test_the_totals_are_the_sums_of_the_settled_discs(rig: Path, read: dict[str, Any]) -> None:
    sheet = json.loads(
        run(
            "allocate",
            rig / "readings" / "000.json",
            "--game",
            "crokinole",
            "--order",
            "black,natural",
            "--json",
        )
    )
    assert sheet["kind"] == "sonora-vision/score"
    totals: Counter[str] = Counter()
    for disc in read["discs"]:
        if not disc["doubts"]:
            totals[disc["color"]] += sum(int(section) for section in disc["sections"])
    assert {p["player"]: p["total"] for p in sheet["players"]} == dict(totals)


def test_what_was_seen_is_drawn(rig: Path, read: dict[str, Any]) -> None:
    assert (rig / "pictures" / "000.png").stat().st_size > 100_000


def test_another_games_rules_are_refused_in_one_line(rig: Path, read: dict[str, Any]) -> None:
    result = CliRunner().invoke(
        main, ["allocate", str(rig / "readings" / "000.json"), "--game", "soar", "--order", "black"]
    )
    assert result.exit_code == 2
    assert "crokinole, sonora" in result.stderr
