"""A roughly known face's rim is found, tilted or not, and cut out round."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sonora_vision.detect.faces import FACE_RIM_PX, cut_face
from sonora_vision.detect.find_face import find_face


def picture(
    center: tuple[float, float], axes: tuple[float, float], turn_deg: float, seed: int = 0
) -> NDArray[np.uint8]:
    """An ellipse of yellow wood with dark ink on a green table."""
    big = np.full((640, 640, 3), (60, 110, 70), np.uint8)
    at = tuple(round((c + 0.5) * 4 - 0.5) for c in center)
    size = tuple(round(a * 4) for a in axes)
    cv2.ellipse(big, at, size, turn_deg, 0, 360, (60, 190, 215), -1)
    cv2.ellipse(big, at, tuple(s // 4 for s in size), turn_deg, 0, 250, (30, 30, 30), 24)
    small = cv2.GaussianBlur(cv2.resize(big, (160, 160), interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    noise = np.random.default_rng(seed).normal(0, 4, small.shape)
    return np.clip(small + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("off", [(0, 0), (8, -6), (-7, 5)])
@pytest.mark.parametrize(("axes", "turn_deg"), [((50, 50), 0), ((52, 44), 30), ((48, 37), 120)])
def test_the_rim_is_found_to_a_pixel(
    off: tuple[float, float], axes: tuple[float, float], turn_deg: float
) -> None:
    center = (80.0 + off[0], 80.0 + off[1])
    found = find_face(picture(center, axes, turn_deg), (80, 80), 48)
    assert found.center_px == pytest.approx(center, abs=1.0)
    assert sorted(np.abs(np.linalg.eigvalsh(found.axes_px))) == pytest.approx(sorted(axes), abs=1.5)


def test_a_tilted_face_is_cut_out_round() -> None:
    pixels = picture((80, 80), (50, 38), 20)
    found = find_face(pixels, (80, 80), 44)
    face, inside = cut_face(pixels, found.center_px, found.axes_px)
    yellow = face[..., 2] > 140
    axis = np.arange(64) - 31.5
    from_middle = np.hypot(axis[:, None], axis)
    assert inside.all()
    assert yellow[(from_middle < FACE_RIM_PX - 2) & (from_middle > 12)].mean() > 0.98
    assert yellow[from_middle > FACE_RIM_PX + 2].mean() < 0.02


def test_bare_table_has_no_strong_outline() -> None:
    table = np.random.default_rng(1).normal(120, 4, (160, 160, 3)).astype(np.uint8)
    assert find_face(table, (80, 80), 50).strength < 5


def test_a_face_beyond_the_picture_is_not_seen() -> None:
    pixels = picture((80, 80), (50, 50), 0)
    _, inside = cut_face(pixels, (0.0, 80.0), 50.0)
    assert inside[:, 40:].all()
    assert not inside[:, :31].any()
    _, inside = cut_face(pixels, (-500.0, 80.0), 50.0)
    assert not inside.any()
