"""The commands around sheets, games and advice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sonora_vision.cli import main
from sonora_vision.score.sonora.sheet_file import house_sheet


def run(*words: str) -> Result:
    """Run the program; nothing a user does may end in a traceback."""
    result = CliRunner().invoke(main, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_sheet_check_says_what_is_on_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(house_sheet().toml, encoding="utf-8")
    result = run("sheet", "check", str(path))
    assert result.exit_code == 0
    assert "House sheet: in order" in result.output


def test_sheet_check_names_every_mistake(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = house_sheet().toml.replace('cactus = "small"', 'cactus = "tiny"', 2)
    path.write_text(text, encoding="utf-8")
    result = run("sheet", "check", str(path))
    assert result.exit_code == 2
    assert result.stderr.count("tiny") == 2
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_sheet_draw(tmp_path: Path, paper: str) -> None:
    out = tmp_path / "sheet.svg"
    result = run("sheet", "draw", "--out", str(out), "--paper", paper, "--marks", "creek: a1")
    assert result.exit_code == 0
    assert out.read_text(encoding="utf-8").startswith("<svg")


def test_sheet_draw_leaves_nothing_where_the_marks_are_wrong(tmp_path: Path) -> None:
    out = tmp_path / "sheet.svg"
    result = run("sheet", "draw", "--out", str(out), "--marks", "creek: c4")
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])


def test_play_a_game_in_a_log(tmp_path: Path) -> None:
    log = str(tmp_path / "game.log")
    begun = run("play", log, "--new", "red,blue", "--rounds", "short", "flick red 1 on")
    assert begun.exit_code == 0
    assert "round 1 of 5, flick: to flick: red" in begun.output
    wrong = run("play", log, "flick blue 1 on")
    assert wrong.exit_code == 2
    assert "out of turn" in wrong.stderr
    state = json.loads(run("play", log, "flick red 2 off", "undo", "--json").output)
    assert (state["phase"], state["now"], state["order"]) == ("flick", "to flick: red",
                                                             ["red", "blue"])  # fmt: skip


def test_play_recovers_a_torn_log(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    run("play", str(log), "--new", "red,blue", "flick red 1 on")
    with log.open("a", encoding="utf-8") as file:
        file.write('{"event": "fli')
    assert run("play", str(log)).exit_code == 2
    result = run("play", str(log), "--recover")
    assert result.exit_code == 0
    assert "kept in" in result.stderr


@pytest.mark.parametrize(
    "options",
    [("--rounds", "9"), ("--seats", "x"), ("--first", "pink"), ("--spanish", "x"), ("--solo",)],
)
def test_play_a_game_that_cannot_be(tmp_path: Path, options: tuple[str, ...]) -> None:
    result = run("play", str(tmp_path / "game.log"), "--new", "red,blue", *options)
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])


def test_advise_says_marks_and_why() -> None:
    result = run("advise", "red: 1@fox 5@creek | blue: 3@ruins", "--player", "red", "--swaps")
    assert result.exit_code == 0
    assert "creek 5 a1 a2 " in result.output
    assert "swap 1 and 5: +" in result.output


def test_advise_as_json_with_another_worth() -> None:
    result = run("advise", "red: 2@ruins", "--player", "red", "--marks", "ruins: A3",
                 "--worth", "reflick=9", "--last-round", "--json")  # fmt: skip
    advice = json.loads(result.output)
    assert advice["steps"][0]["mark"] == "ruins A 2"
    assert advice["points"] == 7


@pytest.mark.parametrize(
    "words",
    [
        ("advise", "red: 2@ruins", "--player", "blue"),
        ("advise", "red: 2@moon", "--player", "red"),
        ("advise", "red: 2@ruins", "--player", "red", "--worth", "wolf=2"),
        ("advise", "red: 2@ruins", "--player", "red", "--marks", "creek: c4"),
        ("advise", "none.json", "--player", "red"),
        ("advise", "none.json", "--player", "red", "--order", "red"),
    ],
)
def test_advise_mistakes(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_score_of_typed_sheets() -> None:
    result = run("score", "sonora", "red = ruins: B9^ ; blue = creek: a1*", "--json")
    assert json.loads(result.output)["players"][0]["total"] == 11
