"""Shares, gaps, hole and corners of random boards against shapely's areas and distances."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely.geometry import Point, Polygon

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json
from sonora_vision.detect.contact import measure_contacts, surroundings
from tests.builders import board_json
from tests.drawing import random_board
from tests.drawing.truth import Board, size_mm, zone_area

SEEDS = range(6)


def drawn_board(seed: int) -> tuple[Board, BoardSpec]:
    board = random_board(np.random.default_rng(seed), name="drawn", style="hard")
    return board, board_from_json(board, "drawn")


def places(board: Board, seed: int) -> np.ndarray:
    """Anywhere, and about every multiplier and the middle."""
    rng = np.random.default_rng(seed)
    near = [m["center"] for m in board["multipliers"]] + [np.array(size_mm(board)) / 2]
    return np.vstack(
        [rng.uniform((0, 0), size_mm(board), (40, 2)), near + rng.normal(0, 14, (len(near), 2))]
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_shares_are_areas(seed: int) -> None:
    board, spec = drawn_board(seed)
    raised = shapely.union_all([Polygon(c["points"]) for c in board["launch_corners"]])
    radius = board["discs"]["radius"]
    centers = places(board, seed)
    contacts = measure_contacts(centers, ["flat"] * len(centers), spec)
    for center, contact in zip(centers, contacts, strict=True):
        disc = Point(center).buffer(radius, quad_segs=256)
        shares = [
            (zone["section"], (zone_area(zone) - raised).intersection(disc).area / disc.area)
            for zone in board["zones"]
        ]
        measured = [(zone.section, zone.share) for zone in contact.zones]
        left = [(section, share) for section, share in shares if share > 1e-3]
        assert [s for s, share in measured if share > 1e-3] == [s for s, _ in left]
        assert [v for _, v in measured if v > 1e-3] == pytest.approx([v for _, v in left], abs=1e-3)
        on_corner = raised.intersection(disc).area / disc.area
        assert contact.launch_share == pytest.approx(on_corner, abs=1e-3)


@pytest.mark.parametrize("seed", SEEDS)
def test_gaps_are_distances_between_edges(seed: int) -> None:
    board, spec = drawn_board(seed)
    centers = places(board, seed)
    contacts = measure_contacts(centers, ["flat"] * len(centers), spec)
    for center, contact in zip(centers, contacts, strict=True):
        for gap, m in zip(contact.multipliers, board["multipliers"], strict=True):
            away = math.dist(center, m["center"]) - m["radius"] - board["discs"]["radius"]
            assert (gap.section, gap.animal) == (m["section"], m["animal"])
            assert gap.gap_mm == pytest.approx(away, abs=1e-9)


TINY = board_from_json(board_json(), "tiny")  # a hole of 9 mm at (50, 50), discs of 6 mm


@pytest.mark.parametrize(
    ("center", "slack"), [((50, 50), 3.0), ((52, 50), 1.0), ((53, 50), 0.0), ((50, 60), -7.0)]
)
def test_the_slack_in_the_hole_is_what_is_left_to_move(
    center: tuple[int, int], slack: float
) -> None:
    assert surroundings(np.array(center, float), TINY).hole_slack_mm == pytest.approx(slack)


def test_a_board_without_a_hole_has_no_slack() -> None:
    board = board_from_json(board_json(hole=None), "tiny")
    assert surroundings(np.array([50.0, 50.0]), board).hole_slack_mm is None


def test_the_outline_divides_board_and_table() -> None:
    inside, outside = (surroundings(np.array(at), TINY) for at in ([98.0, 60.0], [102.0, 60.0]))
    assert inside.on_board
    assert not outside.on_board
    assert (inside.to_edge_mm, outside.to_edge_mm) == (pytest.approx(2.0), pytest.approx(2.0))


def test_a_corner_has_its_height_and_the_field_none() -> None:
    corner, field = (surroundings(np.array(at), TINY) for at in ([5.0, 5.0], [70.0, 70.0]))
    assert corner.corner_height_mm == 4.0
    assert corner.launch_share > 0.5
    assert (field.corner_height_mm, field.launch_share) == (0.0, 0.0)
