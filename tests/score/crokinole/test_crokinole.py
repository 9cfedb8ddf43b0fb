"""Crokinole: what a disc counts, and each color's total."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sonora_vision.calibrate.board_spec import BoardSpec, load_board
from sonora_vision.detect.contact import measure_contacts
from sonora_vision.errors import RuleError, UsageError
from sonora_vision.observation import Assignment, State
from sonora_vision.score.crokinole import GAME
from sonora_vision.score.game import Allocates, ReadsBoard, ScoresReading, discover
from tests.builders import disc, reading

BOARD_FILE = Path(__file__).parents[3] / "sample_images" / "crokinole" / "board.json"
INCH_MM = 25.4
DISC_MM = 0.625 * INCH_MM


@pytest.fixture(scope="module")
def board() -> BoardSpec:
    return load_board(BOARD_FILE)


def ruled(board: BoardSpec, inches: float, state: State = "flat") -> Assignment:
    """What a disc counts whose centre lies so far from the board's."""
    center = np.array([[381.0 + inches * INCH_MM, 381.0]])
    return GAME.assign(measure_contacts(center, [state], board)[0], board.rule)


def test_the_game_is_found_without_being_listed() -> None:
    game = discover()["crokinole"]
    assert isinstance(game, ReadsBoard)
    assert isinstance(game, ScoresReading)
    assert not isinstance(game, Allocates)


@pytest.mark.parametrize(
    ("inches", "sections"),
    [(2, ("15",)), (5, ("10",)), (9, ("5",)), (11.3, ("5",)), (11.4, ()), (12.9, ()), (14, ())],
)
def test_a_disc_counts_for_its_ring(
    board: BoardSpec, inches: float, sections: tuple[str, ...]
) -> None:
    assert ruled(board, inches).sections == sections


@pytest.mark.parametrize(("line_inches", "inner", "outer"), [(4, "15", "10"), (8, "10", "5")])
def test_a_line_belongs_to_the_lower_ring(
    board: BoardSpec, line_inches: float, inner: str, outer: str
) -> None:
    free = line_inches - DISC_MM / INCH_MM
    assert ruled(board, free - 0.01).sections == (inner,)
    assert ruled(board, free + 0.01).sections == (outer,)
    assert ruled(board, line_inches + DISC_MM / INCH_MM - 0.01).sections == (outer,)


def test_wholly_in_the_hole_counts_20_and_over_its_edge_15(board: BoardSpec) -> None:
    assert ruled(board, 0, "in_hole") == Assignment(via="hole", sections=("20",))
    assert ruled(board, 0.5) == Assignment(via="zone", sections=("15",))


def test_beside_the_board_counts_nothing(board: BoardSpec) -> None:
    assert ruled(board, 16, "off_board") == Assignment(via="none", sections=())


def test_totals_count_what_is_settled() -> None:
    table = reading(
        disc(color="black", number=None, via="hole", sections=("20",)),
        disc(color="black", number=None, sections=("15",)),
        disc(color="natural", number=None, sections=("10",)),
        disc(color="natural", number=None, sections=("10",)),
        disc(color="natural", number=None, via="none", sections=()),
    )
    sheet = GAME.score_reading(table, ["natural", "black"])
    assert {player.player: player.total for player in sheet.players} == {"natural": 20, "black": 35}
    assert sheet.winners == ("black",)
    assert sheet.warnings == ()


def test_a_doubt_counts_nowhere_and_leaves_the_round_open() -> None:
    table = reading(
        disc(color="black", number=None, sections=("10", "5"), doubts=("zone",)),
        disc(color="natural", number=None, sections=("5",)),
        disc(color="red", number=None, sections=("5",)),
    )
    sheet = GAME.score_reading(table, ["black", "natural"])
    assert [player.total for player in sheet.players] == [0, 5]
    assert sheet.winners == ()
    assert "10 or 5" in sheet.warnings[0]
    assert "red is not in the order: 1" in sheet.warnings[1]


def test_an_order_names_each_color_once() -> None:
    with pytest.raises(UsageError, match="each color"):
        GAME.score_reading(reading(), ["black", "black"])


def test_a_reading_of_another_game_is_refused() -> None:
    table = reading(disc(color="black", number=1, sections=("ruins",)))
    with pytest.raises(RuleError, match="'ruins'"):
        GAME.score_reading(table, ["black"])
