"""Colors that are alike are told apart by the light that they are in together."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.inventory import Identity
from sonora_vision.detect.look import Look
from sonora_vision.detect.picture_light import light_of_discs
from sonora_vision.pipeline import read_pixels
from tests.drawing import PlacedDisc
from tests.drawn import drawn, middle_mm, small_rig, taught_profile

COLORS = DiscColors(
    names=("cream", "natural", "orange"),
    means=np.array([[4.8, 5.0, 5.2], [4.5, 4.7, 5.1], [3.6, 4.5, 5.1]]),
    spreads=np.tile(0.001 * np.eye(3), (3, 1, 1)),
)
COOL = np.array([0.38, 0.28, 0.19])
"""Light in which natural wood looks as cream looked when it was taught."""


@lru_cache(maxsize=1)
def some_look() -> Look:
    rig = small_rig(21)
    disc = PlacedDisc(color=rig.board["discs"]["colors"][0], number=1, center_mm=middle_mm(rig))
    sight = read_pixels(drawn(rig, [disc])[0], taught_profile(rig), "one.jpg")
    return sight.findings.sightings[0].look


def seen(color: np.ndarray) -> Look:
    return replace(some_look(), color=color, trouble=0.0)


def called(color: str, p: float) -> Identity:
    return Identity(color=color, number=1, p_color=p, p_number=1.0)


def test_colors_that_moved_alike_tell_the_light_though_none_is_sure() -> None:
    looks = [seen(COLORS.means[where] + COOL) for where in (0, 0, 0, 1, 1, 1)]
    names = [called("cream", 0.7)] * 3 + [called("natural", 0.7)] * 3
    shifts = light_of_discs(looks, names, COLORS)
    assert shifts is not None
    assert shifts[:2] == pytest.approx(np.tile(COOL, (2, 1)), abs=0.05)


def test_names_that_are_exchanged_tell_no_light() -> None:
    looks = [seen(COLORS.means[where] + COOL) for where in (0, 0, 0, 1, 1, 1)]
    names = [called("natural", 0.7)] * 3 + [called("cream", 0.7)] * 3
    assert light_of_discs(looks, names, COLORS) is None


def test_what_is_beyond_question_tells_the_light_of_the_rest() -> None:
    looks = [seen(COLORS.means[2] + COOL) for _ in range(4)]
    shifts = light_of_discs(looks, [called("orange", 1.0)] * 4, COLORS)
    assert shifts is not None
    assert shifts[2] == pytest.approx(COOL, abs=0.05)
    # Colors that are unlike are lighter with it, by less, and keep their hue.
    assert 0.03 < shifts[0].mean() < COOL.mean()
    assert np.ptp(shifts[0]) < 0.05
