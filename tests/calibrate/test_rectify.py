"""Rectified pictures: every pixel is fetched from where lens and pose say, to a hundredth."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.calibrate.rectify import View, rectify, rectify_map, view_around
from tests.drawing import Rig
from tests.drawn import drawn, small_rig, spec, true_pose

RIGS = [small_rig(seed, style="hard") for seed in (3, 8)]


@pytest.mark.parametrize("rig", RIGS, ids=["3", "8"])
@pytest.mark.parametrize("height_mm", [0.0, 7.5])
def test_the_map_is_lens_and_pose_in_one(rig: Rig, height_mm: float) -> None:
    pose = true_pose(rig.camera)
    view = view_around(np.array(spec(rig).outline_mm), 20.0, 2.0)
    found = rectify_map(pose, view, height_mm)
    width, height = view.size_px
    assert found.shape == (height, width, 2)
    rng = np.random.default_rng(0)
    pixels = np.column_stack([rng.integers(0, width, 400), rng.integers(0, height, 400)])
    exact = pose.project(view.to_mm(pixels), height_mm)
    assert found[pixels[:, 1], pixels[:, 0]] == pytest.approx(exact, abs=0.02)


def test_a_view_holds_all_points_and_their_margin() -> None:
    points = np.array([[-5.0, 3.0], [120.0, 40.0]])
    view = view_around(points, 10.0, 2.5)
    at = view.to_px(points)
    assert (at >= 25.0 - 1e-9).all()
    assert (at <= np.array(view.size_px) - 25.0 + 1e-9).all()


def test_to_pixels_and_back() -> None:
    view = View(origin_mm=(-3.2, 7.7), px_per_mm=2.3, size_px=(10, 10))
    points = np.random.default_rng(2).uniform(-50, 50, (20, 2))
    assert view.to_mm(view.to_px(points)) == pytest.approx(points, abs=1e-12)
    assert view.to_mm(np.zeros((1, 2)))[0] == pytest.approx(view.origin_mm)


def test_multipliers_are_round_and_where_the_description_says() -> None:
    rig = RIGS[0]
    board = spec(rig)
    view = view_around(np.array(board.outline_mm), 0.0, 4.0)
    flat = rectify(drawn(rig, [])[0], true_pose(rig.camera), view).astype(float)
    for circle in board.multipliers:
        angles = np.arange(0, 2 * np.pi, 0.1)
        rim = np.column_stack([np.cos(angles), np.sin(angles)])
        # The border ring within the circle is darker than what is 2 mm outside, all around.
        inside, outside = (
            flat[tuple(np.round(view.to_px(circle.center_mm + r * rim)).astype(int).T[::-1])]
            for r in (circle.radius_mm - 0.4, circle.radius_mm + 2.0)
        )
        assert np.mean(inside.sum(axis=1) < outside.sum(axis=1)) > 0.9
