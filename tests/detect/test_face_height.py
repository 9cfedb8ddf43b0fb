"""The size of a face tells how high it lies, whatever the light makes of its ink."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sonora_vision.detect.align_face import FaceMatch, TaughtInk, contrast_pictures
from sonora_vision.detect.face_height import FaceSize, Lift, face_sizes
from sonora_vision.detect.faces import Pixels
from sonora_vision.detect.heights import on_disc_odds
from tests.detect.drawn_faces import SEEN, draw_face


def sized(face: Pixels, size: float, turn_deg: float, shift_px: tuple[float, float]) -> Pixels:
    """The picture turned clockwise, enlarged and shifted about its middle."""
    move = cv2.getRotationMatrix2D((31.5, 31.5), -turn_deg, size)
    move[:, 2] += np.array(shift_px)
    moved = cv2.warpAffine(face, move, (64, 64), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_WRAP)
    return np.asarray(moved, np.uint8)


def size_of(taught: Pixels, seen: Pixels, match: FaceMatch) -> FaceSize | None:
    """The size of one seen face."""
    ink, face = (contrast_pictures(each[None]) for each in (taught, seen))
    return face_sizes([TaughtInk.of(ink[0])], face, SEEN[None], [match])[0]


def measured(color: str, number: int, size: float, gamma: float, seed: int) -> FaceSize:
    """Size of a face that was taught and is seen anew, in light that bends its tones."""
    rng = np.random.default_rng(seed)
    turn = float(rng.uniform(0, 360))
    still = draw_face(color, number, noise=0.0)
    seen = sized(still, size, turn, (float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1))))
    bent = 255 * (seen / 255.0) ** gamma + rng.normal(0, 2, seen.shape)
    match = FaceMatch(
        shift_px=np.zeros(2), turn_deg=turn + float(rng.uniform(-2, 2)), likeness=1.0, contrast=1.0
    )
    taught = draw_face(color, number, noise=1.0, seed=seed)
    found = size_of(taught, np.clip(bent, 0, 255).astype(np.uint8), match)
    assert found is not None
    return found


@pytest.mark.parametrize("size", [0.98, 1.0, 1.013, 1.03])
@pytest.mark.parametrize("gamma", [0.7, 1.0, 1.4])
def test_size_is_told_within_its_sigma(size: float, gamma: float) -> None:
    cases = [
        (color, number) for color in ("red", "navy", "yellow", "cream") for number in (1, 2, 4, 5)
    ]
    found = [measured(c, n, size, gamma, seed) for seed, (c, n) in enumerate(cases)]
    off = np.array([each.size - size for each in found])
    sigmas = np.array([each.sigma for each in found])
    assert np.median(sigmas) < 0.006  # a thickness is 0.010 or more
    assert np.abs(off / sigmas).max() < 4.0
    assert abs(off.mean()) < 0.003


def test_a_face_without_ink_has_no_size() -> None:
    match = FaceMatch(shift_px=np.zeros(2), turn_deg=0.0, likeness=0.0, contrast=0.0)
    found = size_of(draw_face("red", 3), draw_face("red", None, noise=0.0), match)
    assert found is None or found.sigma > 0.1


def test_two_witnesses_who_agree_are_believed_and_one_alone_is_not() -> None:
    lying, raised = Lift(mm=0.2, sigma_mm=1.5), Lift(mm=7.1, sigma_mm=1.5)
    vague = Lift(mm=7.0, sigma_mm=20.0)

    def p(prior: float, lift: Lift | None) -> float:
        odds = on_disc_odds(prior, lift, 7.0)
        return odds / (1 + odds)

    assert p(0.35, None) == pytest.approx(0.35)
    assert p(0.35, vague) == pytest.approx(0.35, abs=0.1)
    assert p(0.65, raised) > 0.99
    assert p(0.65, lying) < 0.01
    assert p(0.015, lying) < 1e-4
    # However large a face looks, a stray one is never ruled out.
    assert p(0.015, Lift(mm=7.0, sigma_mm=0.1)) < 0.9999
    assert p(0.015, Lift(mm=60.0, sigma_mm=1.0)) == pytest.approx(0.015, abs=1e-6)
