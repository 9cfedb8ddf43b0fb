"""A board description says every mistake in it at once, by key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sonora_vision.calibrate.board_spec import board_from_json, board_to_json, load_board
from sonora_vision.errors import FileFormatError
from sonora_vision.geometry import CircleShape, RingShape
from tests.builders import board_json


def _refusal(values: dict[str, Any]) -> str:
    with pytest.raises(FileFormatError) as caught:
        board_from_json(values, "board.json")
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith("board.json: ")
    return text


def test_the_sample_board_loads(sample_rig: Path) -> None:
    board = load_board(sample_rig / "board.json")
    assert board.name == "mesa"
    assert [zone.section for zone in board.zones] == ["ruins", "canyon", "mudcracks", "creek"]
    assert len(board.multipliers) == 8
    assert len(board.launch_corners) == 4
    assert board.discs.radius_mm == 12
    assert board.discs.each_once is True


def test_a_board_survives_being_written_and_read() -> None:
    board = board_from_json(board_json(), "board.json")
    assert board_from_json(json.loads(json.dumps(board_to_json(board))), "again") == board


def test_circles_and_rings_with_values_survive_being_written_and_read() -> None:
    target = board_json(
        rule="lowest",
        zones=[
            {"section": "sky", "value": 3, "shape": "circle", "center": [50, 50], "radius": 20},
            {
                "section": "sky",
                "value": 1,
                "shape": "ring",
                "center": [50, 50],
                "inner": 20,
                "outer": 45,
            },
        ],
        hole=None,
        multipliers=[],
        launch_corners=[],
    )
    target["discs"] = {"radius": 6, "height": 5, "colors": ["red"], "numbers": []}
    board = board_from_json(target, "board.json")
    assert board.zones[0].shape == CircleShape(center_mm=(50, 50), radius_mm=20)
    assert board.zones[1].shape == RingShape(center_mm=(50, 50), inner_mm=20, outer_mm=45)
    assert board.hole is None
    assert board.discs.numbers == ()
    assert board_from_json(board_to_json(board), "again") == board


def test_every_mistake_is_named_at_once() -> None:
    values = board_json(unit="inch", rule="loudest", color="blue")
    values["discs"]["radius"] = "wide"
    values["discs"]["colors"] = ["red", "red"]
    values["zones"][0]["points"] = [[0, 0], [50, 100], [50, 0], [0, 100]]
    del values["multipliers"][0]["animal"]
    text = _refusal(values)
    for key in (
        "unit",
        "rule",
        "color",
        "discs.radius",
        "discs.colors",
        "zones[0].points",
        "multipliers[0].animal",
    ):
        assert f"{key}" in text
    assert text.count("; ") == 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "sonora-vision/reading"}, 'kind: expected one of sonora-vision/board, got "son'),
        ({"schema": 2}, "schema: expected 1, got 2"),
        ({"schema": "1"}, "schema: expected a whole number"),
        ({"schema": True}, "schema: expected a whole number"),
        ({"name": " "}, "name: expected a text that is not empty"),
        ({"outline": [[0, 0], [100, 0]]}, "outline: expected a list of at least 3 points"),
        ({"outline": [[0, 0], [100, 0], [100]]}, "outline[2]: expected a point [x, y], got [100]"),
        ({"outline": [[0, 0], [100, 0], [50, 0]]}, "outline: expected a polygon"),
        ({"outline": [[0, 0], [0, 100], [100, 100], [100, 0]]}, "got anticlockwise"),
        ({"outline": [[0, 0], [100, 100], [100, 0], [0, 100]]}, "does not cross itself"),
        ({"zones": []}, "zones: expected at least one zone"),
        ({"zones": [7]}, "zones[0]: expected an object, got 7"),
        ({"zones": {"section": "ruins"}}, "zones: expected a list of objects"),
        ({"rule": "lowest"}, "zones[0].value: missing"),
        ({"hole": 9}, "hole: expected an object, got 9"),
        ({"hole": {"center": [0, 50], "radius": 9, "depth": 3}}, "hole: expected to lie within"),
        (
            {"hole": {"center": [50, 50], "radius": -9, "depth": 3}},
            "hole.radius: expected a number",
        ),
        ({"discs": None}, "discs: expected an object, got null"),
    ],
)
def test_a_wrong_value_is_named(change: dict[str, Any], said: str) -> None:
    assert said in _refusal(board_json(**change))


@pytest.mark.parametrize("key", [key for key in board_json() if key != "hole"])
def test_a_missing_key_is_named(key: str) -> None:
    values = board_json()
    del values[key]
    assert f"{key}: missing" in _refusal(values)


def test_a_zone_outside_the_outline_is_named() -> None:
    values = board_json()
    values["zones"][1]["points"] = [[50, 0], [101, 0], [100, 100], [50, 100]]
    assert "zones[1]: expected to lie within the outline (x 0 to 100" in _refusal(values)


def test_a_multiplier_over_the_edge_is_named() -> None:
    values = board_json()
    values["multipliers"][0]["center"] = [5, 50]
    assert "multipliers[0]: expected to lie within the outline" in _refusal(values)


def test_a_ring_inside_out_is_named() -> None:
    values = board_json()
    ring = {"section": "sky", "shape": "ring", "center": [50, 50], "inner": 30, "outer": 20}
    values["zones"] = [ring]
    assert "zones[0].outer: expected more than inner (30), got 20" in _refusal(values)


def test_a_key_of_another_shape_is_unknown() -> None:
    values = board_json()
    values["zones"][0]["radius"] = 3
    assert "zones[0].radius: unknown key (known here: points, section, shape" in _refusal(values)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"colors": []}, "discs.colors: expected a list of texts (at least 1), got []"),
        ({"colors": ["red", 4]}, "discs.colors[1]: expected a text that is not empty, got 4"),
        ({"numbers": [1, 1]}, "discs.numbers[1]: expected each one once, got 1"),
        ({"numbers": [1, [2]]}, "discs.numbers[1]: expected a whole number at least 1, got [2]"),
        ({"numbers": [0]}, "discs.numbers[0]: expected a whole number at least 1, got 0"),
        ({"numbers": "12"}, "discs.numbers: expected a list of whole numbers"),
        ({"height": 0}, "discs.height: expected a number above 0, got 0"),
        ({"height": float("nan")}, "discs.height: expected a number above 0, got NaN"),
        ({"height": 10**400}, "discs.height: expected a number above 0"),
        ({"radius": True}, "discs.radius: expected a number above 0, got true"),
        ({"each_once": "yes"}, 'discs.each_once: expected true or false, got "yes"'),
        ({"weight": 3}, "discs.weight: unknown key"),
    ],
)
def test_a_wrong_disc_set_is_named(change: dict[str, Any], said: str) -> None:
    values = board_json()
    values["discs"] |= change
    assert said in _refusal(values)


@pytest.mark.parametrize(
    ("width_mm", "radius_mm", "height_mm"),
    [
        (660, 15.9, 10),  # crokinole
        (740, 15.9, 8),  # carrom's men
        (740, 20.7, 15),  # its striker
        (400, 12, 6),
        (200, 6, 3),
        (200, 9.5, 1),  # bingo chips on a small one
        (2000, 26, 8),  # a table
    ],
)
def test_every_honest_size_of_disc_is_taken(
    width_mm: float, radius_mm: float, height_mm: float
) -> None:
    board = board_from_json(_sized(width_mm, radius_mm, height_mm), "board.json")
    assert board.discs.radius_mm == radius_mm


@pytest.mark.parametrize(
    ("radius_mm", "height_mm", "key"),
    [
        (1.2, 0.6, "discs.radius"),  # centimetres
        (12, 0.6, "discs.height"),
        (0.01, 6, "discs.radius"),
        (1, 6, "discs.radius"),
        (400, 6, "discs.radius"),
        (12, 580, "discs.height"),
    ],
)
def test_a_disc_that_cannot_be_is_asked_for_in_millimetres(
    radius_mm: float, height_mm: float, key: str
) -> None:
    text = _refusal(_sized(400, radius_mm, height_mm))
    assert f"{key}: expected" in text
    assert "is every length in millimetres?" in text


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"launch_corners": [{"points": [[0, 0], [20, 0], [0, 20]], "height": 560}]}, "launch"),
        ({"hole": {"center": [50, 50], "radius": 9, "depth": 300}}, "hole.depth"),
    ],
)
def test_a_board_that_is_higher_than_wide_is_refused(change: dict[str, Any], key: str) -> None:
    assert key in _refusal(board_json(**change))


def _sized(width_mm: float, radius_mm: float, height_mm: float) -> dict[str, Any]:
    """A plain square board, and discs."""
    edge = [[0, 0], [width_mm, 0], [width_mm, width_mm], [0, width_mm]]
    zone = {"section": "all", "shape": "polygon", "points": edge}
    values = board_json(outline=edge, zones=[zone], multipliers=[], hole=None, launch_corners=[])
    values["discs"] |= {"radius": radius_mm, "height": height_mm}
    return values
