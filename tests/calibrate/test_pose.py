"""The pose: millimetres to pixels and back, at any height, against the renderer's own camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sonora_vision.calibrate.pose import pose_from_points
from tests.drawn import middle_mm, small_rig, true_lens, true_pose

RIG = small_rig(2, style="hard")
POSE = true_pose(RIG.camera)
PLACES_MM = np.random.default_rng(1).uniform(-20.0, 440.0, (60, 2))


@pytest.mark.parametrize("height_mm", [-18.0, 0.0, 6.0, 24.0])
def test_points_are_where_the_pinhole_puts_them(height_mm: float) -> None:
    drawn_px = RIG.camera.project(np.column_stack([PLACES_MM, np.full(60, height_mm)]))
    assert POSE.project(PLACES_MM, height_mm) == pytest.approx(drawn_px, abs=1e-6)


@pytest.mark.parametrize("height_mm", [-18.0, 0.0, 6.0, 24.0])
def test_to_the_picture_and_back_is_where_it_was(height_mm: float) -> None:
    back = POSE.to_board(POSE.project(PLACES_MM, height_mm), height_mm)
    assert back == pytest.approx(PLACES_MM, abs=2e-3)


def test_a_height_of_its_own_for_every_point() -> None:
    heights = np.linspace(0.0, 30.0, 60)
    each = [POSE.project(p[None], h)[0] for p, h in zip(PLACES_MM, heights, strict=True)]
    assert POSE.project(PLACES_MM, heights) == pytest.approx(np.array(each), abs=1e-9)


def test_higher_points_seem_farther_from_the_point_under_the_camera() -> None:
    seen = POSE.to_board(POSE.project(PLACES_MM, 8.0))
    under = POSE.camera_mm[:2]
    stretch = POSE.camera_mm[2] / (POSE.camera_mm[2] - 8.0)
    assert seen - under == pytest.approx((PLACES_MM - under) * stretch, abs=2e-3)


def test_the_camera_is_where_it_was_drawn_from() -> None:
    assert POSE.camera_mm == pytest.approx(RIG.camera.position_mm, abs=1e-6)


@pytest.mark.parametrize("turn_deg", [0.0, 3.0, 90.0, 187.0, 271.0])
def test_a_turn_of_the_board_is_told_clockwise(turn_deg: float) -> None:
    camera = small_rig(2).camera
    turned = true_pose(camera.moved(turn_deg, middle_mm(RIG), (9.0, -4.0)))
    told = turned.turned_from(true_pose(camera))
    # A tilted camera sees a turn a little more or less.
    assert abs((told - turn_deg + 180.0) % 360.0 - 180.0) < 2.0


@pytest.mark.parametrize("height_mm", [0.0, 7.5])
def test_a_pose_is_found_from_point_pairs(height_mm: float) -> None:
    pose = pose_from_points(
        true_lens(RIG.camera), PLACES_MM, POSE.project(PLACES_MM, height_mm), height_mm
    )
    assert pose is not None
    assert pose.project(PLACES_MM, 4.0) == pytest.approx(POSE.project(PLACES_MM, 4.0), abs=0.01)


@pytest.mark.parametrize("off", [0.002, 0.05, 0.4])
def test_a_start_near_or_far_comes_to_the_pose_that_was_drawn(off: float) -> None:
    start = replace(
        POSE,
        rotation=POSE.rotation + np.array([off, -off, 2 * off]),
        translation=POSE.translation + np.array([30.0, -20.0, 80.0]) * off,
    )
    found = pose_from_points(POSE.lens, PLACES_MM, POSE.project(PLACES_MM), start=start)
    assert found is not None
    assert found.project(PLACES_MM) == pytest.approx(POSE.project(PLACES_MM), abs=1e-3)
