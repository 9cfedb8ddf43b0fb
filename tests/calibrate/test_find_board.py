"""The board is found however it lies, and nothing else is taken for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

import sonora_vision.calibrate.find_board
from sonora_vision.calibrate.find_board import find_board
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose, pose_from_points
from sonora_vision.calibrate.taught import TaughtBoard, photo_scale
from sonora_vision.errors import UnreadableError
from tests.drawing import Camera, Rig, random_position
from tests.drawn import drawn, middle_mm, small_rig, taught, true_lens, true_pose

RIG = small_rig(2)


@pytest.fixture(scope="module")
def board() -> TaughtBoard:
    return taught(RIG)


def found(pixels: Pixels, board: TaughtBoard) -> tuple[BoardPose, float]:
    scale = photo_scale(true_pose(RIG.camera), board)
    return find_board(pixels, true_lens(RIG.camera), board.features, scale)


def worst_mm(pose: BoardPose, camera: Camera, rig: Rig) -> float:
    """The farthest that the outline's corners are from where they are."""
    corners = np.array(rig.board["outline"], float)
    return float(
        np.linalg.norm(pose.to_board(true_pose(camera).project(corners)) - corners, axis=1).max()
    )


@pytest.mark.parametrize(
    ("turn_deg", "shift_mm"),
    [
        (0.0, (0, 0)),
        (37.0, (12, -8)),
        (94.0, (-20, 5)),
        (181.0, (6, 18)),
        (268.0, (-9, -14)),
        (315.0, (0, 0)),
    ],
)
def test_the_board_is_found_at_any_turn_and_shift(
    board: TaughtBoard, turn_deg: float, shift_mm: tuple[int, int]
) -> None:
    camera = RIG.camera.moved(turn_deg, middle_mm(RIG), shift_mm)
    pose, fit_px = found(drawn(RIG, [], camera=camera)[0], board)
    assert worst_mm(pose, camera, RIG) < 0.3
    assert fit_px < 0.5


def test_the_board_is_found_under_its_discs_in_another_light(board: TaughtBoard) -> None:
    hard = replace(RIG, style="hard")
    discs = random_position(RIG.board, np.random.default_rng(4), style="hard")
    camera = RIG.camera.moved(183.0, middle_mm(RIG), (4, 7))
    pixels, _ = drawn(hard, discs, camera=camera)
    lamp = np.linspace(1.0, 0.35, pixels.shape[1])[None, :, None] * np.array([0.7, 0.9, 1.1])
    pixels = np.clip(pixels * lamp, 0, 255).astype(np.uint8)
    assert worst_mm(found(pixels, board)[0], camera, RIG) < 0.4


@pytest.mark.parametrize("off_mm", [10.0, 20.0, 30.0])
def test_a_board_that_fits_on_one_side_alone_is_looked_for_again(
    board: TaughtBoard, off_mm: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = true_pose(RIG.camera)
    corners = np.array(RIG.board["outline"], float)[:4]
    pulled = corners + np.array([[0, 0], [0.7, -0.4], [1, 1], [0, 0]]) * off_mm
    askew = pose_from_points(true.lens, corners, true.project(pulled))

    def first_askew(*values: Any) -> BoardPose | None:
        return coarse(*values) if values[-1] else askew

    coarse = sonora_vision.calibrate.find_board._coarse_pose
    monkeypatch.setattr(sonora_vision.calibrate.find_board, "_coarse_pose", first_askew)
    pixels = drawn(RIG, [])[0].copy()
    pixels[:, pixels.shape[1] * 2 // 5 : pixels.shape[1] * 4 // 5] = 200  # a sheet over its middle
    assert worst_mm(found(pixels, board)[0], RIG.camera, RIG) < 0.3


def test_another_board_is_refused_with_the_reason(board: TaughtBoard) -> None:
    other = small_rig(9)
    with pytest.raises(UnreadableError, match="board"):
        found(drawn(other, [])[0], board)


def test_a_blank_table_is_refused_with_the_reason(board: TaughtBoard) -> None:
    noise = np.random.default_rng(1).normal(120, 6, (616, 820, 3))
    with pytest.raises(UnreadableError, match="was not found"):
        found(np.clip(noise, 0, 255).astype(np.uint8), board)


def test_a_wooden_table_without_a_board_is_refused(board: TaughtBoard) -> None:
    grain = np.random.default_rng(2).normal(0, 30, (616, 820, 1)).astype(np.float32)
    wood = cv2.GaussianBlur(grain, (0, 0), sigmaX=40, sigmaY=0.8)[..., None] * 20
    pixels = np.clip(wood + np.array([90, 120, 160]), 0, 255).astype(np.uint8)
    with pytest.raises(UnreadableError, match="was not found"):
        found(pixels, board)


def test_a_board_of_which_too_little_shows_is_refused(board: TaughtBoard) -> None:
    pixels = drawn(RIG, [])[0].copy()
    pixels[:, : pixels.shape[1] * 4 // 5] = 90
    with pytest.raises(UnreadableError):
        found(pixels, board)
