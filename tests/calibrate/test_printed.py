"""Printed lines place a board to a tenth of a millimetre from clicks that are off by one."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import numpy as np
import pytest
import shapely

from sonora_vision.calibrate.lines_found import lines_found
from sonora_vision.calibrate.pose import BoardPose, pose_from_points
from sonora_vision.calibrate.printed import fit_to_print
from sonora_vision.calibrate.printed_points import printed_points
from tests.drawing import random_rig
from tests.drawing.truth import size_mm
from tests.drawn import drawn, small_rig, spec, true_lens, true_pose

CLICK_PX = 2.0
BOARD_FILE = Path(__file__).parent.parent.parent / "sample_images" / "crokinole" / "board.json"


def strayed_mm(pose: BoardPose, true: BoardPose, size: tuple[float, float]) -> float:
    """Mean distance between where two poses see the same board points."""
    axes = (np.linspace(0, side, 9) for side in size)
    places = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    return float(np.linalg.norm(pose.to_board(true.project(places)) - places, axis=1).mean())


def test_careless_clicks_become_a_pose_to_a_tenth_of_a_millimetre() -> None:
    left = []
    for seed in (2, 3, 4, 5, 7):  # 4 and 7 have a frame, or an edge that is hard to see
        rig = small_rig(seed)
        board, true = spec(rig), true_pose(rig.camera)
        pixels, truth = drawn(rig, [])
        clicks = truth["corners_px"] + np.random.default_rng(seed).normal(0, CLICK_PX, (4, 2))
        start = pose_from_points(true_lens(rig.camera), np.array(board.outline_mm), clicks)
        assert start is not None
        assert strayed_mm(start, true, size_mm(rig.board)) > 0.4
        pose, rms_mm = fit_to_print(pixels, start, board)
        left.append(strayed_mm(pose, true, size_mm(rig.board)))
        assert rms_mm < 0.3
    assert statistics.median(left) < 0.1
    assert max(left) < 0.2


def test_thick_borders_of_dark_zones_place_a_board_as_well_as_thin_ones() -> None:
    left = []
    for seed in (15, 33, 73):  # a line is as dark as the zone on one side of it
        rig = small_rig(seed)
        board, true = spec(rig), true_pose(rig.camera)
        pixels, truth = drawn(rig, [])
        clicks = truth["corners_px"] + np.random.default_rng(seed).normal(0, 1.0, (4, 2))
        start = pose_from_points(true_lens(rig.camera), np.array(board.outline_mm), clicks)
        assert start is not None
        left.append(strayed_mm(fit_to_print(pixels, start, board)[0], true, size_mm(rig.board)))
    assert max(left) < 0.1


def test_lines_are_found_where_they_are_and_not_on_a_board_turned_by_half() -> None:
    rig = small_rig(3)
    board, true = spec(rig), true_pose(rig.camera)
    pixels, _ = drawn(rig, [])
    assert lines_found(pixels, true, board)["multipliers"] > 0.8
    width, height = size_mm(rig.board)
    other = true_pose(rig.camera.moved(180.0, (width / 2, height / 2), (0.0, 0.0)))
    assert lines_found(pixels, other, board)["multipliers"] < 0.5


def test_lines_of_a_large_board_are_found_as_near_as_pixels_tell() -> None:
    """Three quarters of a metre in a small picture: a pixel is a millimetre and a half."""
    crokinole = json.loads(BOARD_FILE.read_text(encoding="utf-8"))
    for seed in (1, 2):
        rig = random_rig(seed, style="hard", board=crokinole, size_px=(820, 616))
        board = spec(rig)
        pixels, truth = drawn(rig, [])
        clicks = truth["corners_px"] + np.random.default_rng(seed).normal(0, 0.5, (8, 2))
        start = pose_from_points(true_lens(rig.camera), np.array(board.outline_mm), clicks)
        assert start is not None
        found = lines_found(pixels, fit_to_print(pixels, start, board)[0], board)
        assert found["zones' borders"] > 0.8


@pytest.mark.parametrize("seed", range(6))
def test_points_lie_on_lines_that_can_be_seen(seed: int) -> None:
    board = spec(small_rig(seed))
    points = printed_points(board)
    assert np.linalg.norm(points.normals, axis=1) == pytest.approx(1.0)
    places = shapely.points(points.points_mm)
    outline = shapely.Polygon(board.outline_mm).exterior
    assert shapely.distance(places[points.kinds == 0], outline).max() < 1e-6
    for corner in board.launch_corners:
        assert shapely.distance(places, shapely.Polygon(corner.points_mm)).min() > 1.9
    on_circles = points.points_mm[points.kinds == 2]
    away = [
        np.abs(np.linalg.norm(on_circles - np.array(m.center_mm), axis=1) - m.radius_mm)
        for m in board.multipliers
    ]
    assert np.min(away, axis=0).max() < 1e-6
