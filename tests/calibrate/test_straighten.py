"""A lens that nobody calibrated, told by the straight sides of a drawn board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.propose.straighten import straighten
from sonora_vision.calibrate.usual_lens import usual_lens
from tests.drawn import drawn, small_rig, true_lens


def without_distortion(lens: Lens) -> Lens:
    return replace(lens, distortion=np.zeros(5))


@pytest.mark.parametrize("bend", [-0.15, 0.0, 0.06])
def test_the_bend_is_told_by_the_sides(bend: float) -> None:
    rig = small_rig(5, distortion=(bend, 0.0, 0.0, 0.0, 0.0))
    found = straighten(drawn(rig, [])[0], without_distortion(true_lens(rig.camera)))
    assert found.distortion[0] == pytest.approx(bend, abs=0.03)
    assert not found.distortion[1:].any()


def test_a_picture_of_nothing_tells_nothing() -> None:
    lens = usual_lens((820, 616))
    assert straighten(np.full((616, 820, 3), 120, np.uint8), lens) == lens
