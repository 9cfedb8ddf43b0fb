"""How far a call is from changing, where a touch of a lower zone decides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sonora_vision.calibrate.board_spec import load_board
from sonora_vision.ruling import Ruling, rule_on
from sonora_vision.score.crokinole import GAME

BOARD = load_board(Path(__file__).parent.parent / "sample_images" / "crokinole" / "board.json")
DISC_MM = BOARD.discs.radius_mm


def ruled(distance_mm: float, sigma_mm: float = 0.3) -> Ruling:
    center = np.array([[381.0, 381.0 + distance_mm]])
    return rule_on(center, [sigma_mm], ["flat"], BOARD, GAME.assign)[0]


@pytest.mark.parametrize(
    ("distance_mm", "margin_mm"),
    [
        (60.0, 101.6 - DISC_MM - 60.0),  # to touch the 10
        (101.6, DISC_MM),  # to leave the 10 inwards; the 5 is farther
        (150.0, 203.2 - DISC_MM - 150.0),
        (203.2 - DISC_MM + 1.0, 1.0),  # to leave the 5 again
        (360.0, 360.0 - DISC_MM - 330.2),  # in the ditch, to touch the outermost line
    ],
)
def test_the_margin_is_the_way_to_the_next_call(distance_mm: float, margin_mm: float) -> None:
    ruling = ruled(distance_mm)
    assert ruling.margin_mm == pytest.approx(margin_mm, abs=1e-6)


def test_a_move_by_the_margin_changes_the_call_and_a_shorter_one_does_not() -> None:
    inside = 101.6 - DISC_MM - 2.0
    margin = ruled(inside).margin_mm
    assert margin is not None
    assert ruled(inside + margin - 0.05).assignment == ruled(inside).assignment
    assert ruled(inside + margin + 0.05).assignment != ruled(inside).assignment


def test_near_a_line_the_other_ring_is_named() -> None:
    ruling = ruled(101.6 - DISC_MM - 0.1)
    assert ruling.assignment.sections == ("15",)
    assert [other.sections for other in ruling.others] == [("10",)]
    assert 0.5 < ruling.p < 0.8
