"""A disc beside the board lies lower than one on it, on a table of which nothing was told."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.pipeline import read_pixels
from tests.drawing import PlacedDisc
from tests.drawn import drawn, middle_mm, small_rig, taught_profile


@pytest.mark.parametrize("seed", [4, 21])
def test_its_place_is_told_as_well_as_its_sigma_says(seed: int) -> None:
    rig = small_rig(seed)
    x, y = middle_mm(rig)
    color = rig.board["discs"]["colors"][0]
    reach = rig.board["discs"]["radius"] * 2.0
    spots = [(-reach, y), (x, -reach), (2 * x + reach, y)]
    discs = [
        PlacedDisc(color=color, number=number, center_mm=spot, state="off_board")
        for number, spot in zip((1, 2, 3), spots, strict=True)
    ]
    pixels, truth = drawn(rig, discs)
    reading = read_pixels(pixels, taught_profile(rig), "beside.jpg").reading
    off = []
    for disc in truth["discs"]:
        (seen,) = (d for d in reading.discs if (d.color, d.number) == (color, disc["number"]))
        assert seen.state == "off_board"
        off.append(np.hypot(*(np.array(seen.center_mm) - disc["center_mm"])) / seen.sigma_mm)
    assert np.sqrt(np.mean(np.square(off))) < 2.5
