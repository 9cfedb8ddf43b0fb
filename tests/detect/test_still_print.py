"""Print that shows through is no disc, however it is lit."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.covers import PRINT_LOST
from sonora_vision.detect.scene import disc_mask
from sonora_vision.detect.still_print import print_shows, still_print
from tests.drawing import PlacedDisc, Rig, hand, set_stage
from tests.drawn import drawn, even_light, scene, small_rig, true_pose


@pytest.fixture(scope="module")
def rig() -> Rig:
    return small_rig(24)


def circle(rig: Rig) -> tuple[float, float]:
    """A printed circle that is clear of raised corners: the one nearest to the middle."""
    middle = np.array(rig.board["outline"]).mean(axis=0)
    centers = [m["center"] for m in rig.board["multipliers"]]
    x, y = min(centers, key=lambda each: float(np.linalg.norm(np.array(each) - middle)))
    return x, y


def known_again(rig: Rig, pixels_bgr: Pixels) -> bool:
    seen = scene(rig, pixels_bgr)
    at_px = seen.view.to_px(np.array([circle(rig)]))[0]
    return still_print(seen, *disc_mask(seen, at_px, 1.2))


def test_a_printed_circle_is_known_again_in_haze(rig: Rig) -> None:
    empty, _ = drawn(rig, [])
    hazy = np.asarray(0.6 * empty.astype(np.float64) + [70, 60, 50], np.uint8)
    assert known_again(rig, empty)
    assert known_again(rig, hazy)


def test_a_disc_on_a_printed_circle_hides_it(rig: Rig) -> None:
    for color in rig.board["discs"]["colors"]:
        disc = PlacedDisc(color=color, number=2, center_mm=circle(rig))
        assert not known_again(rig, drawn(rig, [disc])[0])


def shown(rig: Rig, pixels_bgr: Pixels) -> float:
    """How print about the circle shows, two discs wide."""
    seen = scene(rig, pixels_bgr)
    at_px = seen.view.to_px(np.array([circle(rig)]))[0]
    return print_shows(seen, *disc_mask(seen, at_px, 2.0))


def test_print_shows_on_a_steep_slope_of_light_and_not_under_a_hand(rig: Rig) -> None:
    empty, _ = drawn(rig, [])
    x, _ = true_pose(rig.camera).project(np.array([circle(rig)]))[0]
    slope = np.exp((np.arange(empty.shape[1]) - x) / 25.0)[None, :, None]
    lit = np.asarray(np.clip(empty * np.clip(slope, 0.2, 2.0), 0, 255), np.uint8)
    over = hand(np.array(circle(rig)) - [60.0, 0.0], 0.0, np.random.default_rng(1))
    stage = set_stage(rig.board, rig.look, rig.camera, even_light(rig))
    covered, _ = stage.draw([], np.random.default_rng(0), hands=over)
    assert shown(rig, lit) > PRINT_LOST + 0.1
    assert shown(rig, covered) < PRINT_LOST
