"""Where discs are suggested."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.circles import Paints, suggest_circles
from sonora_vision.detect.scene import COARSE_DISC_PX, Scene
from tests.drawn import drawn, scene, small_rig


@pytest.fixture(scope="module")
def empty() -> Scene:
    rig = small_rig(1)
    return scene(rig, drawn(rig, [])[0])


@pytest.mark.parametrize("away", [0.6, 0.9, 1.2])
def test_a_disc_of_the_boards_hue_is_suggested_beside_its_shadow(empty: Scene, away: float) -> None:
    """All that tells it from the board is that no shadow is so light."""
    rows, columns = np.indices(empty.in_photo.shape)
    row, column = (side // 2 for side in empty.in_photo.shape)
    disc = np.hypot(rows - row, columns - column) < COARSE_DISC_PX
    shadow = np.hypot(rows - row, columns - column - away * COARSE_DISC_PX) < COARSE_DISC_PX
    paints = Paints(
        foreign=(disc | shadow).astype(np.float32),
        solid=disc.astype(np.float32),
        likely=np.full((1, *disc.shape), -4.0, np.float32),
    )
    places, _ = suggest_circles(empty, paints)
    middle = 3.0 * np.array([column, row]) + 1.0
    assert np.linalg.norm(places - middle, axis=1).min() < DISC_PX / 4
