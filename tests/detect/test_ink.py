"""Haze lifts paint and ink alike: what is between them still tells the color."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.pipeline import read_pixels
from tests.drawing import taught_rows
from tests.drawn import drawn, small_rig, taught_profile


def hazed(pixels: np.ndarray, spots_px: list[tuple[float, float]], level: float) -> np.ndarray:
    """Soft reflections, some discs wide, of a tint of their own."""
    y, x = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    veil = np.zeros(pixels.shape)
    for across, down in spots_px:
        spot = np.exp(-((x - across) ** 2 + (y - down) ** 2) / (2 * 45.0**2))
        veil += spot[..., None] * np.array([1.1, 1.0, 0.9]) * level
    return np.clip(pixels + veil, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", [4, 21])
def test_reflections_over_discs_leave_all_colors_told(seed: int) -> None:
    rig = small_rig(seed)
    pixels, truth = drawn(rig, taught_rows(rig.board, np.random.default_rng(1)))
    spots = [(disc["top_px"][0], disc["top_px"][1]) for disc in truth["discs"][1::5]]
    reading = read_pixels(hazed(pixels, spots, 45.0), taught_profile(rig), "hazed.jpg").reading
    assert len(reading.discs) == len(truth["discs"]) == 20
    for disc in truth["discs"]:
        x, y = disc["top_px"]
        (seen,) = (d for d in reading.discs if np.hypot(d.top_px[0] - x, d.top_px[1] - y) < 5)
        assert (seen.color, seen.number) == (disc["color"], disc["number"])
        assert "color" not in seen.doubts


@pytest.mark.parametrize("seed", [4, 9])
def test_a_lamps_reflection_hides_no_disc_and_makes_no_promise_that_is_wrong(seed: int) -> None:
    rig = small_rig(seed)
    pixels, truth = drawn(rig, taught_rows(rig.board, np.random.default_rng(1)))
    spots = [(disc["top_px"][0], disc["top_px"][1]) for disc in truth["discs"][2::9]]
    reading = read_pixels(hazed(pixels, spots, 125.0), taught_profile(rig), "lamp.jpg").reading
    there = []
    for disc in truth["discs"]:
        x, y = disc["top_px"]
        (seen,) = (d for d in reading.discs if np.hypot(d.top_px[0] - x, d.top_px[1] - y) < 5)
        assert (seen.color, seen.number) == (disc["color"], disc["number"]) or seen.doubts
        there.append(seen)
    assert all(other.doubts for other in reading.discs if other not in there)
