"""What of a face is visible."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, disk
from sonora_vision.detect.paint import crop_faces
from tests.drawn import drawn, scene, small_rig


@pytest.mark.parametrize("turn_deg", [20, 45, 70])
def test_what_lies_over_a_face_ends_in_a_line_and_not_in_steps(turn_deg: float) -> None:
    rig = small_rig(1)
    picture = scene(rig, drawn(rig, [])[0])
    center = picture.view.to_px(np.array([[rig.board["outline"][2][0] / 2, 150.0]]))
    across = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
    rows, columns = np.indices(picture.in_photo.shape)
    pixels = np.stack([columns, rows], axis=-1) * 3.0 + 1.0  # of the view, at the mask's
    hidden = (pixels - center) @ across > 0
    visible = crop_faces(picture, center, hidden)[0].visible
    axis = (np.arange(FACE_SIDE_PX) - (FACE_SIDE_PX - 1) / 2) * DISC_PX / FACE_RIM_PX
    beyond = np.stack(np.meshgrid(axis, axis), axis=-1) @ across
    wrong = (visible != (beyond <= 0)) & disk(1.0)
    assert np.abs(beyond[wrong]).max(initial=0.0) < 1.0
    assert wrong.sum() < 0.02 * disk(1.0).sum()
