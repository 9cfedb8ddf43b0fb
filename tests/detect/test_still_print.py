"""Print that shows through is no disc, however it is lit."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.scene import disc_mask
from sonora_vision.detect.still_print import still_print
from tests.drawing import PlacedDisc, Rig
from tests.drawn import drawn, scene, small_rig


@pytest.fixture(scope="module")
def rig() -> Rig:
    return small_rig(24)


def circle(rig: Rig) -> tuple[float, float]:
    """A printed circle that is clear of raised corners: the one nearest to the middle."""
    middle = np.array(rig.board["outline"]).mean(axis=0)
    centers = [m["center"] for m in rig.board["multipliers"]]
    x, y = min(centers, key=lambda each: float(np.linalg.norm(np.array(each) - middle)))
    return x, y


def print_shows(rig: Rig, pixels_bgr: Pixels) -> bool:
    seen = scene(rig, pixels_bgr)
    at_px = seen.view.to_px(np.array([circle(rig)]))[0]
    return still_print(seen, *disc_mask(seen, at_px, 1.2))


def test_a_printed_circle_is_known_again_in_haze(rig: Rig) -> None:
    empty, _ = drawn(rig, [])
    hazy = np.asarray(0.6 * empty.astype(np.float64) + [70, 60, 50], np.uint8)
    assert print_shows(rig, empty)
    assert print_shows(rig, hazy)


def test_a_disc_on_a_printed_circle_hides_it(rig: Rig) -> None:
    for color in rig.board["discs"]["colors"]:
        disc = PlacedDisc(color=color, number=2, center_mm=circle(rig))
        assert not print_shows(rig, drawn(rig, [disc])[0])
