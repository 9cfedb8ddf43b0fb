"""Discs in plain view that light or another color's face once made the program pass over."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.profile import Profile
from sonora_vision.pipeline import read_pixels
from tests.drawing import Rig, random_light, random_position
from tests.drawn import drawn, small_rig, taught_profile


def lost(rig: Rig, profile: Profile, rng: np.random.Generator, kind: str | None = None) -> int:
    """How many discs of a position, all of them in view, are not found; the light is even or of a
    kind."""
    discs = [d for d in random_position(rig.board, rng, style="easy") if d.state == "flat"]
    light = random_light(rng, rig.board, rig.camera, kind) if kind else None
    pixels, truth = drawn(rig, discs, light=light)
    reading = read_pixels(pixels, profile, "shot.jpg").reading
    return sum(
        all(math.dist(seen.top_px, disc["top_px"]) > 4 for seen in reading.discs)
        for disc in truth["discs"]
    )


@pytest.mark.parametrize("seed", [3, 7])
def test_dark_discs_that_were_taught_in_haze_are_known_in_clear_light(seed: int) -> None:
    def hazy(pixels: Pixels) -> Pixels:
        return np.asarray(np.clip(pixels * 0.6 + 60.0, 0, 255), np.uint8)

    rig = small_rig(seed)
    assert "black" in rig.board["discs"]["colors"]
    profile = taught_profile(rig, hazy)
    assert lost(rig, profile, np.random.default_rng(seed)) == 0


@pytest.mark.parametrize(("draw", "kind"), [(1, "lamp"), (6, "dim")])
def test_where_light_leaves_the_color_open_faces_of_all_colors_are_tried(
    draw: int, kind: str
) -> None:
    rig = small_rig(82, style="hard")
    assert lost(rig, taught_profile(rig), np.random.default_rng([82, draw]), kind) == 0
