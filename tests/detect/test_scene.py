"""A scene is free of the light: lamps, tints and slopes leave no change where nothing lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.taught import teach_board
from sonora_vision.detect.scene import COARSE_DISC_PX, Scene, disc_mask, set_scene
from tests.drawing import PlacedDisc, taught_rows
from tests.drawn import drawn, middle_mm, scene, small_rig, spec, taught, true_pose

RIG = small_rig(3)
EMPTY = drawn(RIG, [])[0]


def noisy(pixels: Pixels) -> Pixels:
    """The picture with a camera's noise."""
    grain = np.random.default_rng(1).normal(0, 3.0, pixels.shape)
    return np.clip(pixels + grain, 0, 255).astype(np.uint8)


def open_board(seen: Scene) -> np.ndarray:
    return seen.on_board & seen.in_photo & ~seen.edges


@pytest.mark.parametrize(
    ("across", "down", "tint_bgr"),
    [
        ((1.0, 0.45), (1.0, 1.0), (1.0, 1.0, 1.0)),
        ((1.0, 1.0), (0.6, 1.0), (0.7, 0.9, 1.0)),
        ((0.5, 1.0), (1.0, 0.7), (1.0, 0.95, 0.8)),
    ],
)
def test_a_slope_of_light_and_a_tint_change_less_than_noise_does(
    across: tuple[float, float], down: tuple[float, float], tint_bgr: tuple[float, float, float]
) -> None:
    height, width = EMPTY.shape[:2]
    lamp = np.linspace(*across, width)[None, :, None] * np.linspace(*down, height)[:, None, None]
    plain, dirty = scene(RIG, EMPTY), scene(RIG, noisy(EMPTY))
    lit = scene(RIG, np.clip(EMPTY * lamp * tint_bgr, 0, 255).astype(np.uint8))
    board = open_board(plain)
    by_noise, by_light = (
        float(np.sqrt(np.mean((each.change - plain.change)[board] ** 2))) for each in (dirty, lit)
    )
    assert by_light < by_noise
    assert np.median(np.abs(lit.color - plain.color)[board]) < 0.03


def test_nothing_is_foreign_on_an_empty_board_and_a_disc_is() -> None:
    spot = (middle_mm(RIG)[0] - 40.0, middle_mm(RIG)[1] + 30.0)
    color = RIG.board["discs"]["colors"][1]
    pixels, _ = drawn(RIG, [PlacedDisc(color=color, number=1, center_mm=spot)])
    empty, seen = scene(RIG, noisy(EMPTY)), scene(RIG, noisy(pixels))
    assert np.mean(empty.foreign[open_board(empty)] > 16) < 0.01
    rows, columns, face = disc_mask(seen, seen.view.to_px(np.array([spot]))[0], 0.85)
    assert np.mean(seen.foreign[rows, columns][face] > 16) > 0.7


def test_a_discs_top_is_round_and_over_its_footprint_wherever_the_camera_stands() -> None:
    """In the plane of the top faces thickness moves nothing: the mask covers the drawn paint."""
    rig = small_rig(1)  # discs of 7.5 mm
    width, height = (2 * each for each in middle_mm(rig))
    for spot in ((30.0, height - 60.0), (width - 40.0, height / 2), (width / 2, 30.0)):
        pixels, _ = drawn(rig, [PlacedDisc(color="blue", number=2, center_mm=spot)])
        seen = scene(rig, pixels)
        rows, columns, face = disc_mask(seen, seen.view.to_px(np.array([spot]))[0], 0.9)
        assert face.sum() == pytest.approx(np.pi * (0.9 * COARSE_DISC_PX) ** 2, rel=0.03)
        assert np.mean(seen.foreign[rows, columns][face] > 16) > 0.9


def test_what_the_photograph_does_not_show_is_said() -> None:
    camera = RIG.camera.moved(0.0, middle_mm(RIG), (150.0, 0.0))
    pixels, _ = drawn(RIG, [], camera=camera)
    seen = scene(RIG, pixels, camera)
    pose: BoardPose = true_pose(camera)
    rng = np.random.default_rng(0)
    rows = rng.integers(0, seen.in_photo.shape[0], 300)
    columns = rng.integers(0, seen.in_photo.shape[1], 300)
    at = pose.project(seen.coarse.to_mm(np.column_stack([columns, rows])), seen.height_mm)
    inside = ((at > 12) & (at < np.array(pixels.shape[1::-1]) - 12)).all(axis=1)
    outside = ((at < -12) | (at > np.array(pixels.shape[1::-1]) + 12)).any(axis=1)
    assert outside.sum() > 20
    assert seen.in_photo[rows, columns][inside].all()
    assert not seen.in_photo[rows, columns][outside].any()


def test_haze_is_noticed_in_the_photograph_and_in_the_teaching() -> None:
    pose, height_mm = true_pose(RIG.camera), spec(RIG).discs.height_mm
    misty = hazy(EMPTY, 25.0)
    plain, veiled, cleared = (
        np.median(set_scene(seen, pose, board, height_mm).veil)
        for seen, board in (
            (EMPTY, taught(RIG)),
            (misty, taught(RIG)),
            (EMPTY, teach_board(misty, pose, spec(RIG))),
        )
    )
    # 25 grey levels of the photograph are 31 in the light of the teaching.
    assert plain < 3
    assert 15 < veiled < 40
    assert 12 < cleared < 30


def hazy(pixels: Pixels, haze: float | np.ndarray) -> Pixels:
    return np.asarray(np.clip(pixels * 0.8 + haze, 0, 255), np.uint8)


@pytest.mark.parametrize("hazy_teaching", [False, True])
def test_a_disc_keeps_its_color_where_one_picture_is_hazy(hazy_teaching: bool) -> None:
    """Discs share half of the board's haze: some of that is sheen of its varnish alone."""
    rig = small_rig(5)
    pose, board = true_pose(rig.camera), spec(rig)
    empty, _ = drawn(rig, [])
    laid, truth = drawn(rig, taught_rows(rig.board, np.random.default_rng(0)))
    on_disc = np.zeros((*laid.shape[:2], 1), np.uint8)
    for disc in truth["discs"]:
        x, y = disc["top_px"]
        cv2.circle(on_disc, (round(x), round(y)), round(disc["radius_px"]), 1, -1)
    misty, haze = hazy(empty, 26.0), np.where(on_disc, 13.0, 26.0)

    def colors(empty_bgr: Pixels, laid_bgr: Pixels) -> np.ndarray:
        seen = set_scene(laid_bgr, pose, teach_board(empty_bgr, pose, board), board.discs.height_mm)
        places = seen.view.to_px(np.array([disc["center_mm"] for disc in truth["discs"]]))
        windows = [disc_mask(seen, place, 0.8) for place in places]
        return np.array(
            [np.median(seen.color[rows, columns][face], axis=0) for rows, columns, face in windows]
        )

    first = misty if hazy_teaching else empty
    apart = colors(first, laid) - colors(first, hazy(laid, haze))
    assert np.sqrt(np.mean(apart**2)) < 0.07  # log units; 0.12 if haze is not told from light
