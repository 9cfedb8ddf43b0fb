"""A taught face laid on a seen one tells how far it is shifted and turned."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sonora_vision.detect.align_face import align_face, turned_face
from sonora_vision.detect.faces import FACE_SIDE_PX, Pixels

MIDDLE = (FACE_SIDE_PX - 1) / 2
ALL = np.ones((FACE_SIDE_PX, FACE_SIDE_PX), np.bool_)


def face(text: str) -> Pixels:
    """A number in dark ink on a light disc, four times as large as a face picture."""
    large = np.full((256, 256, 3), 205, np.uint8)
    cv2.putText(large, text, (78, 178), cv2.FONT_HERSHEY_DUPLEX, 4.6, (40, 50, 60), 12, cv2.LINE_AA)
    cv2.circle(large, (128, 128), 92, (60, 60, 90), 5, cv2.LINE_AA)
    return large


def laid(large: Pixels, shift_px: tuple[float, float], turn_deg: float) -> Pixels:
    """The face at its size, turned clockwise as seen, then shifted."""
    middle = 127.5
    turn = cv2.getRotationMatrix2D((middle, middle), -turn_deg, 1.0)
    turn[:, 2] += 4 * np.array(shift_px)
    moved = cv2.warpAffine(large, turn, (256, 256), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(moved, (64, 64), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("seed", range(8))
def test_shift_and_turn_are_recovered(seed: int) -> None:
    rng = np.random.default_rng(seed)
    large = face(str(rng.integers(1, 6)))
    shift = tuple(rng.uniform(-2.0, 2.0, 2).tolist())
    turn = float(rng.uniform(0, 360))
    seen = laid(large, shift, turn)
    match = align_face(
        laid(large, (0, 0), 0),
        seen,
        ALL,
        turn + float(rng.uniform(-4, 4)),
    )
    assert match is not None
    assert match.shift_px == pytest.approx(shift, abs=0.15)
    assert abs((match.turn_deg - turn + 180) % 360 - 180) < 1.0
    assert match.likeness > 0.97
    assert match.contrast == pytest.approx(1.0, abs=0.1)
    again = turned_face(laid(large, (0, 0), 0), match)
    inside = np.hypot(*(np.indices((64, 64)) - MIDDLE)) < 20
    assert np.abs(again.astype(float) - seen)[inside].mean() < 8


def test_half_light_and_a_slope_of_it_move_nothing() -> None:
    large = face("4")
    slope = np.linspace(0.4, 0.8, 64)[None, :, None]
    seen = (laid(large, (1.2, -0.7), 30.0) * slope).astype(np.uint8)
    match = align_face(laid(large, (0, 0), 0), seen, ALL, 28.0)
    assert match is not None
    assert match.shift_px == pytest.approx((1.2, -0.7), abs=0.25)
    assert match.likeness > 0.9


def test_a_bare_surface_is_unlike_any_face() -> None:
    grain = np.random.default_rng(0).normal(150, 4, (64, 64, 3))
    match = align_face(
        laid(face("3"), (0, 0), 0),
        np.clip(grain, 0, 255).astype(np.uint8),
        ALL,
        0.0,
    )
    assert match is None or match.contrast < 0.12


def test_too_little_in_view_tells_nothing() -> None:
    taught = laid(face("2"), (0, 0), 0)
    sliver = ALL.copy()
    sliver[:, 12:] = False
    assert align_face(taught, taught, sliver, 0.0) is None
