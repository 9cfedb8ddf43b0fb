"""Discs with one inlay for all colors are told apart by their edges."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.detect.inlaid import edge_logs
from sonora_vision.detect.teach_discs import references_of
from sonora_vision.pipeline import read_pixels
from tests.drawing import random_position
from tests.drawn import drawn, small_rig, taught_profile


@pytest.mark.parametrize("seed", [38, 41])
def test_a_colored_edge_about_a_pale_inlay_tells_the_color(seed: int) -> None:
    rig = small_rig(seed, style="hard")
    assert rig.look.inlay > 0
    profile = taught_profile(rig)
    discs = random_position(rig.board, np.random.default_rng(seed), style="easy")
    pixels, truth = drawn(rig, discs)
    reading = read_pixels(pixels, profile, "shot.jpg").reading
    told, off_mm = 0, []
    for disc in truth["discs"]:
        x, y = disc["top_px"]
        for seen in reading.discs:
            if np.hypot(seen.top_px[0] - x, seen.top_px[1] - y) < 5:
                assert seen.color == disc["color"] or "color" in seen.doubts
                told += seen.color == disc["color"]
                off_mm.append(np.hypot(*np.subtract(seen.center_mm, disc["center_mm"])))
    assert told >= 0.9 * len(truth["discs"])
    assert np.median(off_mm) < 0.35  # by the inlay's border it would be a millimetre and more


def test_edges_of_painted_discs_are_not_asked() -> None:
    rig = small_rig(21)
    profile = taught_profile(rig)
    pixels, _ = drawn(rig, random_position(rig.board, np.random.default_rng(1), style="easy"))
    sight = read_pixels(pixels, profile, "shot.jpg")
    references = references_of(profile.discs, profile.board.discs.numbers)
    assert edge_logs(sight.scene, references, sight.findings.sightings) is None
