"""Files of clicks: what is taken, and that every mistake is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sonora_vision.calibrate.board_spec import board_from_json
from sonora_vision.calibrate.clicks import clicks_from_json, clicks_to_json
from sonora_vision.errors import FileFormatError
from tests.builders import board_json

BOARD = board_from_json(board_json(), "board.json")


def clicks_json() -> dict[str, Any]:
    return {
        "landmarks": [
            {"mm": [x, y], "px": [5 * x + 20, 5 * y + 30]}
            for x, y in ((0, 0), (100, 0), (100, 100), (0, 100))
        ],
        "colors": [{"color": "red", "px": [90, 90]}, {"color": "blue", "px": [300, 300]}],
    }


def test_what_is_written_is_read_again() -> None:
    clicks = clicks_from_json(clicks_json(), BOARD, "clicks.json")
    assert clicks.landmarks[1].mm == (100.0, 0.0)
    assert clicks.landmarks[1].px == (520.0, 30.0)
    assert clicks_from_json(clicks_to_json(clicks), BOARD, "again") == clicks


def _fewer(values: dict[str, Any]) -> None:
    del values["landmarks"][2:]


def _twice(values: dict[str, Any]) -> None:
    values["landmarks"][3] = values["landmarks"][0]


def _on_a_line(values: dict[str, Any]) -> None:
    for step, each in enumerate(values["landmarks"][:3]):
        each["mm"] = [10 * step, 10 * step]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_fewer, "landmarks: expected at least 4, got 2"),
        (_twice, r"landmarks\[3\].mm: expected each point once"),
        (_on_a_line, "no three lie on one line"),
        (lambda v: v["colors"].pop(), "no blue disc; click one of each color"),
        (lambda v: v["colors"][0].update(color="green"), "one of red, blue, got \"green\""),
        (lambda v: v["landmarks"][1].update(px=[1]), r"landmarks\[1\].px: expected a point"),
        (lambda v: v["landmarks"][1].update(px=[float("nan"), 1]), "expected a point"),
        (lambda v: v["landmarks"][1].pop("mm"), r"landmarks\[1\].mm: missing"),
        (lambda v: v.update(colours=[]), "colours: unknown key"),
        (lambda v: v.update(kind="sonora-vision/board"), "kind: expected one of"),
        (lambda v: v.update(schema=2), "schema: expected 1, got 2"),
        (lambda v: v.pop("landmarks"), "landmarks: missing"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(change: Callable[[dict[str, Any]], None], words: str) -> None:
    values = clicks_json()
    change(values)
    with pytest.raises(FileFormatError, match=words):
        clicks_from_json(values, BOARD, "clicks.json")


def test_a_fifth_landmark_may_lie_on_a_side() -> None:
    values = clicks_json()
    values["landmarks"].append({"mm": [50, 0], "px": [270, 30]})
    assert len(clicks_from_json(values, BOARD, "clicks.json").landmarks) == 5
