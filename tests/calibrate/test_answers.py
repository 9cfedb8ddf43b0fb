"""What the owner clicked is checked key by key against the board."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sonora_vision.calibrate.answers import load_answers
from sonora_vision.calibrate.board_spec import board_from_json
from sonora_vision.errors import FileFormatError
from tests.builders import board_json

BOARD = board_from_json(board_json(), "board.json")


def answers_json() -> dict[str, Any]:
    """Return clicks on the tiny board."""
    return {
        "empty": {
            "image": "empty.jpg",
            "corners_px": [[10, 10], [510.5, 12], [508, 511], [9, 509]],
            "hole_px": [260, 260],
        },
        "discs": {
            "image": "discs.jpg",
            "discs": [
                {"color": color, "number": number, "px": [100 * number, 200 + row]}
                for row, color in enumerate(("red", "blue"))
                for number in (1, 2)
            ],
        },
    }


def load(path: Path, change: Callable[[dict[str, Any]], object], board: Any = BOARD) -> Any:
    values = answers_json()
    change(values)
    path = path / "answers.json"
    path.write_text(json.dumps(values))
    return load_answers(path, board)


def test_answers_are_read_with_the_pictures_beside_them(tmp_path: Path) -> None:
    answers = load(tmp_path, lambda _: None)
    assert answers.empty.image == tmp_path / "empty.jpg"
    assert answers.empty.corners_px[1] == (510.5, 12.0)
    assert answers.empty.hole_px == (260.0, 260.0)
    assert [(d.color, d.number) for d in answers.discs][2] == ("blue", 1)


def test_a_remark_on_the_order_of_corners_is_allowed(tmp_path: Path) -> None:
    load(tmp_path, lambda a: a["empty"].update(order="clockwise from the top left"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda a: a.update(hint=1), "hint: unknown key"),
        (lambda a: a["empty"].update(center_px=[1, 2]), "empty.center_px: unknown key"),
        (lambda a: a["discs"]["discs"][3].update(size=9), r"discs.discs\[3\].size: unknown key"),
        (lambda a: a["empty"].pop("image"), "empty.image: missing"),
        (lambda a: a["empty"].update(image="../empty.jpg"), "empty.image: expected a file's name"),
        (lambda a: a["empty"].update(hole_px=None), "empty.hole_px"),
        (lambda a: a["empty"]["corners_px"].pop(), "corners_px: expected 4 points.*got 3"),
        (lambda a: a["empty"]["corners_px"].append([1]), r"corners_px\[4\]"),
        (
            lambda a: a["discs"]["discs"][0].update(color="mauve"),
            r"color: expected one of red, blue",
        ),
        (lambda a: a["discs"]["discs"][0].update(number=7), r"number: expected one of \[1, 2\]"),
        (lambda a: a["discs"]["discs"][0].update(number="1"), "number: expected a whole number"),
        (lambda a: a["discs"]["discs"][0].update(px=[1, "2"]), r"px: expected a point"),
        (lambda a: a["discs"]["discs"].pop(), "blue 2 missing"),
        (lambda a: a["discs"]["discs"].append(a["discs"]["discs"][0]), "red 1 answered twice"),
        (lambda a: a.update(discs=[]), "discs: expected an object"),
    ],
)
def test_a_wrong_answer_is_refused_by_its_key(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    with pytest.raises(FileFormatError, match=said) as refusal:
        load(tmp_path, change)
    assert str(refusal.value).startswith(str(tmp_path / "answers.json"))
    assert "\n" not in str(refusal.value)


def test_all_mistakes_are_named_at_once(tmp_path: Path) -> None:
    def change(answers: dict[str, Any]) -> None:
        answers["extra"] = 1
        answers["discs"]["discs"][0]["color"] = "mauve"

    with pytest.raises(FileFormatError, match=r"mauve.*extra"):
        load(tmp_path, change)


def test_plain_discs_need_one_click_a_color_and_no_number(tmp_path: Path) -> None:
    plain = board_from_json(
        board_json(discs={**board_json()["discs"], "numbers": [], "each_once": False}), "board.json"
    )

    def change(answers: dict[str, Any]) -> None:
        answers["discs"]["discs"] = [
            {"color": "red", "number": None, "px": [1, 2]},
            {"color": "blue", "px": [3, 4]},
        ]

    assert [d.number for d in load(tmp_path, change, plain).discs] == [None, None]
    with pytest.raises(FileFormatError, match="no disc of color blue"):
        load(tmp_path, lambda a: a["discs"]["discs"].__delitem__(slice(2, 4)), plain)
