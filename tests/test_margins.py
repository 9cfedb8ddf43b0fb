"""How sure a call is: the margin to a border, and the probability that a move across it leaves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json
from sonora_vision.detect.contact import measure_contacts
from sonora_vision.observation import State
from sonora_vision.ruling import Ruling, rule_on
from sonora_vision.score.sonora.assign import assign
from tests.builders import board_json
from tests.drawing import Referee, random_board
from tests.drawing.placement import Table
from tests.drawing.truth import Board

HALVES = board_from_json(board_json(hole=None, launch_corners=[]), "tiny")
"""Ruins left of x = 50 mm, Creek right of it; a fox of 8 mm at (25, 50); discs of 6 mm."""


def ruled(
    center: tuple[float, float],
    sigma_mm: float = 0.3,
    state: State = "flat",
    board: BoardSpec = HALVES,
) -> Ruling:
    return rule_on(np.array([center]), [sigma_mm], [state], board, assign)[0]


@pytest.mark.parametrize("away_mm", [0.02, 0.1, 0.3, 0.6, 1.0])
@pytest.mark.parametrize("side", [-1, 1])
def test_at_a_straight_border_the_margin_is_the_way_to_it(away_mm: float, side: int) -> None:
    ruling = ruled((50 + side * away_mm, 80), sigma_mm=0.3)
    assert ruling.assignment.sections == (("ruins",) if side < 0 else ("creek",))
    assert ruling.margin_mm == pytest.approx(away_mm, rel=0.01)
    assert ruling.p == pytest.approx(norm.cdf(away_mm / 0.3), abs=0.01)


def test_an_exact_half_is_the_owners_and_as_likely_not() -> None:
    ruling = ruled((50, 80))
    assert set(ruling.assignment.sections) == {"ruins", "creek"}
    assert ruling.margin_mm == pytest.approx(0, abs=1e-9)
    assert ruling.p == pytest.approx(0.5, abs=0.01)
    assert {("ruins",), ("creek",)} <= {other.sections for other in ruling.others}


@pytest.mark.parametrize("gap_mm", [-1.0, -0.2, -0.01, 0.01, 0.2, 1.0])
def test_at_a_multiplier_the_margin_is_the_gap(gap_mm: float) -> None:
    ruling = ruled((25 - 8 - 6 - gap_mm, 50), sigma_mm=0.2)
    touches = gap_mm <= 0
    assert ruling.assignment.via == ("multiplier" if touches else "zone")
    assert ruling.margin_mm == pytest.approx(abs(gap_mm), abs=1e-6)
    assert ruling.p == pytest.approx(norm.cdf(abs(gap_mm) / 0.2), abs=0.01)


def test_in_the_middle_of_a_zone_nothing_else_is_heard() -> None:
    ruling = ruled((25, 80))
    assert (ruling.p, ruling.others) == (1.0, ())


@pytest.mark.parametrize("state", ["off_board", "in_hole"])
def test_off_the_field_no_border_counts(state: State) -> None:
    ruling = ruled((50, 80), state=state)
    assert (ruling.margin_mm, ruling.p, ruling.others) == (None, 1.0, ())


def test_a_worse_known_place_is_less_sure() -> None:
    sure = [ruled((50.5, 80), sigma_mm=sigma).p for sigma in (0.1, 0.3, 0.6, 1.2)]
    assert sure == sorted(sure, reverse=True)
    assert sure[0] > 0.999


def drawn_board(seed: int) -> tuple[Board, BoardSpec]:
    board = random_board(np.random.default_rng(seed), name="drawn", style="hard")
    return board, board_from_json(board, "drawn")


@pytest.mark.parametrize("seed", range(8))
def test_calls_and_margins_on_wavy_borders_agree_with_the_referee(seed: int) -> None:
    drawn, board = drawn_board(seed)
    if board.rule != "majority":
        pytest.skip("this board's rule is another one")
    referee, table = Referee(drawn), Table(drawn, np.random.default_rng(seed))
    spots = [spot for spot in (table.by_border() for _ in range(60)) if table.fits(spot)]
    for spot in spots:
        verdict, ruling = referee.judge(spot, "flat"), ruled(spot, board=board)
        if verdict["margin_mm"] < 0.02:
            continue
        assert sorted(ruling.assignment.sections) == verdict["assignment"]["sections"]
        assert ruling.margin_mm is not None
        assert ruling.margin_mm <= verdict["margin_mm"] + 0.02


def test_of_the_calls_near_wavy_borders_as_many_hold_as_they_say() -> None:
    """Places measured with an error: as many calls are right as the probabilities add up to."""
    sigma, stated, right = 0.5, [], []
    for seed in range(8):
        drawn, board = drawn_board(seed)
        rng = np.random.default_rng(seed)
        table = Table(drawn, rng)
        true = [spot for spot in (table.by_border() for _ in range(60)) if table.fits(spot)]
        measured = np.array(true) + rng.normal(0, sigma, (len(true), 2))
        states: list[State] = ["flat"] * len(true)
        rulings = rule_on(measured, [sigma] * len(true), states, board, assign)
        contacts = measure_contacts(np.array(true), states, board)
        for ruling, contact in zip(rulings, contacts, strict=True):
            stated.append(ruling.p)
            right.append(assign(contact, board.rule) == ruling.assignment)
    spread = math.sqrt(sum(p * (1 - p) for p in stated))
    assert len(stated) > 200
    assert abs(sum(right) - sum(stated)) < 3 * spread + 0.02 * len(stated)
    sure = [r for p, r in zip(stated, right, strict=True) if p > 0.99]
    assert np.mean(sure) > 0.97
