"""What is proposed on drawn boards, each of which is hard to propose in its own way."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pytest

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose, pose_from_points
from sonora_vision.calibrate.propose.board_edge import edge_costs
from sonora_vision.calibrate.propose.outline import propose_outline
from sonora_vision.calibrate.propose.printed_circles import propose_circles
from sonora_vision.calibrate.rectify import rectify, view_around
from sonora_vision.calibrate.wizard.assemble import areas, place_draft
from sonora_vision.calibrate.wizard.draft import BoardDraft
from sonora_vision.calibrate.wizard.propose_board import propose_board
from sonora_vision.calibrate.wizard.refine_outline import refine_outline
from tests.drawing import Rig, random_rig
from tests.drawn import spec, true_lens


@lru_cache(maxsize=2)
def empty_board(seed: int) -> tuple[Rig, Pixels, BoardPose]:
    """A rig, its teaching picture of the empty board, and where the board lies in it."""
    rig = random_rig(seed)
    pixels, truth = rig.taught([], 0)
    outline = np.array(rig.board["outline"], float)
    pose = pose_from_points(true_lens(rig.camera), outline, np.array(truth["corners_px"]))
    assert pose is not None
    return rig, pixels, pose


def farthest_mm(seed: int) -> float:
    """How far the proposed corners are from the true ones, at most."""
    rig, pixels, pose = empty_board(seed)
    corners = propose_outline(pixels, pose.lens)
    assert corners is not None
    found = pose.to_board(refine_outline(pixels, pose.lens, corners))
    true = np.array(rig.board["outline"], float)
    return float(np.linalg.norm(found - true, axis=1).max())


@pytest.mark.parametrize("seed", [
    pytest.param(345, id="ink_and_ground_of_two_are_like_their_surroundings"),
    pytest.param(114, id="one_lies_on_two_colors"),
    pytest.param(357, id="the_hole_is_fainter_and_most_outer_rims_are_too"),
])  # fmt: skip
def test_every_circle_and_the_hole_are_proposed(seed: int) -> None:
    rig, pixels, pose = empty_board(seed)
    board = spec(rig)
    view = view_around(
        np.array(board.outline_mm), 0.0, 1000 / max(np.max(board.outline_mm, axis=0))
    )
    circles, hole = propose_circles(rectify(pixels, pose, view))
    found = [(view.to_mm(c.center_px), c.radius_px / view.px_per_mm) for c in circles]
    for true in board.multipliers:
        (near,) = (f for f in found if math.dist(f[0], true.center_mm) < 1.0)
        assert near[1] == pytest.approx(true.radius_mm, abs=0.5)
    assert len(found) <= len(board.multipliers) + 2
    assert board.hole is not None
    assert hole is not None
    assert math.dist(view.to_mm(hole.center_px), board.hole.center_mm) < 1.0


@pytest.mark.parametrize("seed", [
    pytest.param(117, id="dark_frame_on_a_dark_table"),
    pytest.param(139, id="no_frame"),
])  # fmt: skip
def test_the_outline_is_the_boards_edge_and_not_its_frames(seed: int) -> None:
    assert farthest_mm(seed) < 0.4


def test_a_quarter_like_the_table_belongs_to_the_board() -> None:
    assert farthest_mm(428) < 0.5


def test_borders_that_end_at_the_hole_meet_there() -> None:
    rig, pixels, pose = empty_board(354)
    draft = propose_board(pixels, pose.lens, BoardDraft())
    found = areas(draft, *place_draft(draft, pose.lens))
    assert len(found) == len(rig.board["zones"]) + len(rig.board["launch_corners"])


def drawn_profiles(frame_mm: float, distances: FloatArray, edge_mm: float) -> FloatArray:
    """Four sides of a board on a table of one color, which its shadow dims towards it."""
    rng = np.random.default_rng(0)
    board = rng.uniform(70, 200, (4, 15, 1, 3))
    out = (distances - edge_mm)[:, None]
    table = np.array([90.0, 110.0, 140.0]) * (1.0 - 0.3 * np.exp(-np.clip(out, 0, None) / 4.0))
    colors = np.where(out > 0, table, np.where(out > -frame_mm, 45.0, board))
    kernel = np.exp(-np.square(np.arange(-12, 13) / 4.0) / 2)
    blurred = np.apply_along_axis(np.convolve, 2, colors, kernel / kernel.sum(), "same")
    grain = rng.normal(0, 1.0, blurred.shape)
    return np.asarray(blurred + grain, np.float64)


@pytest.mark.parametrize("frame_mm", [0.0, 0.5, 1.0, 2.0])
def test_an_edge_is_found_beyond_a_frame_and_within_a_shadow(frame_mm: float) -> None:
    fine = np.arange(-9.0, 9.01, 0.1)
    distances, tries = fine[30:-30], np.arange(-2.0, 2.05, 0.1)
    profiles = drawn_profiles(frame_mm, fine, edge_mm=0.6)[:, :, 30:-30]
    places = tries[edge_costs(profiles, distances, tries).argmin(axis=2)]
    assert np.median(places) == pytest.approx(0.6, abs=0.15)
