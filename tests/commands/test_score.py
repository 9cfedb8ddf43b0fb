"""``score`` and ``cards``: typed positions to sheets and pictures, card files checked."""

from __future__ import annotations

import json
import struct
import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sonora_vision.cli import main
from sonora_vision.score.game import ScoresPosition, discover

VALLEY = "molly: start5a > sheep@n1 > field@s1 > lake@e1"
QUESTS = "cloud-gate: 5@blue 4@red 6@blue 5@sky 6@red | blue: 0 | red: 0 | sky: 0"
GAMES = {"sunflower-valley": VALLEY, "soar": QUESTS}


def run(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def card_text(folder: str) -> str:
    return files(f"sonora_vision.score.{folder}").joinpath("house_cards.toml").read_text("utf-8")


def test_both_games_are_discovered_and_score_positions() -> None:
    able = {name for name, game in discover().items() if isinstance(game, ScoresPosition)}
    assert set(GAMES) <= able


def test_the_sheet_is_a_table_with_totals_and_the_winner() -> None:
    result = run("score", "sunflower-valley", VALLEY)
    assert result.exit_code == 0
    assert "molly (wins)" in result.stdout
    assert [line.split()[1::2] for line in result.stdout.splitlines() if "Total" in line] == [
        ["Total", "4"]
    ]
    assert "3 of 18 cards played" in result.stderr


def test_a_game_may_be_called_by_its_folder() -> None:
    assert run("score", "sunflower_valley", VALLEY).exit_code == 0


def test_why_explains_each_number() -> None:
    result = run("score", "soar", QUESTS, "--why")
    assert "bids 5 + 6 = 11\n    first -3" in result.stdout
    assert "rule: Resolving a Quest" in result.stdout
    assert "bids 5" not in run("score", "soar", QUESTS).stdout


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_is_printed_as_json_and_nothing_else(game: str) -> None:
    result = run("score", game, GAMES[game], "--json")
    sheet = json.loads(result.stdout)
    assert sheet["kind"] == "sonora-vision/score"
    assert sheet["game"] == game
    assert sheet["position"] == GAMES[game]


def test_a_position_is_read_from_standard_input() -> None:
    assert (
        run("score", "soar", "-", stdin=QUESTS + "\n").stdout == run("score", "soar", QUESTS).stdout
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_written_as_svg(game: str, tmp_path: Path) -> None:
    assert run("score", game, GAMES[game], "--picture", tmp_path / "table.svg").exit_code == 0
    assert ET.parse(tmp_path / "table.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_written_as_png_with_its_letters(game: str, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="PNG is an extra")
    path = tmp_path / "table.png"
    assert run("score", game, GAMES[game], "--picture", path).exit_code == 0
    image = path.read_bytes()
    assert image.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", image[16:24])
    assert min(width, height) > 300
    renamed = GAMES[game].replace("molly", "molle").replace("blue", "glue")
    run("score", game, renamed, "--picture", tmp_path / "other.png")
    assert (tmp_path / "other.png").read_bytes() != image  # the names' letters are drawn


@pytest.mark.parametrize("name", ["table.gif", "table"])
def test_a_picture_of_another_kind_is_refused(name: str, tmp_path: Path) -> None:
    result = run("score", "soar", QUESTS, "--picture", tmp_path / name)
    assert result.exit_code == 2
    assert "ends in .svg or .png" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("chess", "e4"), "no game is called 'chess'"),
        (("sonora", "red: 2@ruins", "--picture", "x.svg"), "sonora"),
        (("soar", "a: 1 | b: 2"), "expected the Skyborne's points"),
        (("sunflower-valley", "a: start1a sheep@n2"), "column 12"),
        (("soar", QUESTS, "--cards", "nowhere.toml"), "nowhere.toml: no such file"),
    ],
)
def test_a_mistake_is_one_line_and_status_two(arguments: tuple[str, ...], says: str) -> None:
    result = run("score", *arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize("folder", ["sunflower_valley", "soar"])
def test_a_right_card_file_is_said_to_be_right(folder: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(card_text(folder).replace("house set", "our set"), "utf-8")
    result = run("cards", "check", path)
    assert result.exit_code == 0
    assert "right, for S" in result.stdout
    assert "our set" in result.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kind = 3", "kind: expected sonora-vision/"),
        ("kind = ", "not TOML"),
        (card_text("soar") + '\ncolor = "red"', "unknown key color"),
    ],
)
def test_a_wrong_card_file_is_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    result = run("cards", "check", path)
    assert result.exit_code == 2
    assert f"{path}: " in result.stderr
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_position_is_scored_with_the_owners_cards(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(card_text("soar").replace('"cloud-gate"', '"first-flight"'), "utf-8")
    result = run("score", "soar", QUESTS.replace("cloud-gate", "first-flight"), "--cards", path)
    assert result.exit_code == 0
    assert "first-flight" in result.stdout


def test_cards_of_another_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(card_text("soar"), "utf-8")
    result = run("score", "sunflower-valley", VALLEY, "--cards", path)
    assert result.exit_code == 2
    assert "is for soar, the game is sunflower-valley" in result.stderr
