"""How far off a disc is told to be is how far off it is."""

from __future__ import annotations

import math
from functools import lru_cache

import pytest

from sonora_vision.calibrate.profile import Profile
from sonora_vision.pipeline import read_pixels
from tests.drawing import PlacedDisc, Rig
from tests.drawn import drawn, middle_mm, small_rig, taught_profile


@lru_cache(maxsize=1)
def rig_and_profile() -> tuple[Rig, Profile]:
    rig = small_rig(21, style="easy")
    return rig, taught_profile(rig)


@pytest.mark.parametrize("number", [2, 3, 5])
def test_a_disc_that_hides_another_wholly_is_known_by_its_size(number: int) -> None:
    rig, profile = rig_and_profile()
    colors, height = rig.board["discs"]["colors"], float(rig.board["discs"]["height"])
    x, y = middle_mm(rig)
    spot, other = (0.4 * x, 1.2 * y), (1.6 * x, 0.8 * y)
    pixels, _ = drawn(
        rig,
        [
            PlacedDisc(color=colors[0], number=1, center_mm=spot),
            PlacedDisc(
                color=colors[1],
                number=number,
                center_mm=spot,
                state="stacked",
                level=1,
                turn_deg=40,
            ),
            PlacedDisc(color=colors[2], number=number, center_mm=other, turn_deg=300),
        ],
    )
    under = rig.camera.position_mm
    discs = read_pixels(pixels, profile, "shot.jpg").reading.discs
    seen = {disc.color: disc for disc in discs}
    assert set(seen) == {colors[1], colors[2]}
    for color, state, place in ((colors[1], "stacked", spot), (colors[2], "flat", other)):
        moved = height / (under[2] - height) * math.dist(place, under[:2])
        assert moved > 1.0  # so far off if it were taken for the other state
        assert seen[color].state == state
        assert math.dist(seen[color].center_mm, place) < max(0.6, 3 * seen[color].sigma_mm)
        assert seen[color].sigma_mm < 0.6 * moved
