"""``allocate``: a reading's file to what each player records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sonora_vision.cli import main
from sonora_vision.observation import Missing
from sonora_vision.reading_file import reading_to_json, save_reading
from tests.builders import disc, reading


@pytest.fixture
def reading_file(tmp_path: Path) -> Path:
    path = tmp_path / "shot.json"
    discs = (
        disc(color="red", number=4, via="multiplier", sections=("ruins",)),
        disc(color="red", number=3),
        disc(color="red", number=2),
        disc(color="blue", number=4, via="multiplier", sections=("creek",)),
        disc(color="blue", number=5, sections=("canyon", "creek")),
        disc(color="blue", number=1, doubts=("hidden",)),
        disc(color="green", number=1),
    )
    save_reading(path, reading(*discs, missing=(Missing(color="blue", number=2),)))
    return path


def _allocate(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["allocate", *map(str, arguments)])


def test_the_allocation_is_printed_as_json(reading_file: Path) -> None:
    result = _allocate(reading_file, "--order", "blue, red", "--json")
    assert result.exit_code == 0
    allocation = json.loads(result.stdout)
    assert allocation["kind"] == "sonora-vision/allocation"
    assert allocation["order"] == ["blue", "red"]
    assert allocation["ruins_order"] == ["red"]
    blue, red = allocation["players"]
    assert red["ruins"]["total"] == 13
    assert blue["creek"] == [{"number": 4, "paths": 2}]
    assert blue["choices"] == [{"number": 5, "why": "half", "sections": ["canyon", "creek"]}]
    assert blue["doubts"] == [{"number": 1, "reasons": ["hidden"], "sections": ["ruins"]}]
    assert blue["unscored"] == [{"number": 2, "why": "missing"}]
    assert "green" in allocation["warnings"][0]


def test_the_allocation_is_printed_as_a_table(reading_file: Path) -> None:
    result = _allocate(reading_file, "--order", "red,blue")
    assert result.exit_code == 0
    assert "13 = 2x4+3+2 (1st)" in result.stdout
    assert "4 twice" in result.stdout
    assert "5: choose canyon or creek" in result.stdout
    assert "1: ruins? doubt: hidden" in result.stdout
    assert "2 missing" in result.stdout
    assert "green is not in the order" in result.stderr


@pytest.mark.parametrize(
    ("order", "said"), [("red,red", "'red' is in it twice"), (" ", "with commas between")]
)
def test_a_wrong_order_is_refused(reading_file: Path, order: str, said: str) -> None:
    result = _allocate(reading_file, "--order", order)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_game_without_a_board_is_refused(reading_file: Path) -> None:
    result = _allocate(reading_file, "--order", "red", "--game", "chess")
    assert result.exit_code == 2
    assert "no game is called 'chess'" in result.stderr


def test_a_wrongly_edited_reading_is_refused(reading_file: Path) -> None:
    values = reading_to_json(reading(disc()))
    values["discs"][0]["sections"] = "ruins"
    values["discs"][0]["sure"] = True
    reading_file.write_text(json.dumps(values))
    result = _allocate(reading_file, "--order", "red")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "discs[0].sections: expected a list of texts" in line
    assert "discs[0].sure: unknown key" in line


def test_a_missing_reading_is_refused(tmp_path: Path) -> None:
    result = _allocate(tmp_path / "none.json", "--order", "red")
    assert result.exit_code == 2
    assert "no such file" in result.stderr
