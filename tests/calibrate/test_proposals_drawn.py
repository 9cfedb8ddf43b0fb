"""What is proposed on drawn boards, each of which is hard to propose in its own way."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pytest

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose, pose_from_points
from sonora_vision.calibrate.propose.printed_circles import propose_circles
from sonora_vision.calibrate.rectify import rectify, view_around
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
