"""Whether a board's discs and heights can be, for its size: another unit is found by that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sonora_vision.document import Mistakes
from sonora_vision.geometry import Point

WIDEST_DISC = 1 / 3
"""A disc's diameter in parts of the board's shorter side, at most; games have a tenth or less."""
NARROWEST_DISC = 1 / 100
"""The same of its longer side, at least; games have a thirtieth or more, and pictures of the board
at the discs' scale grow with the square of it."""
FLATTEST_DISC = 1 / 20
"""A disc's height in parts of its radius; a bingo chip has a fifteenth."""
TALLEST_DISC = 2.0
"""The same, at most: as high as it is wide."""
HIGHEST_CORNER = 1 / 4
"""What a board's parts may be above or below its surface, in parts of its shorter side."""


def check_sizes(
    *,
    outline_mm: Sequence[Point],
    radius_mm: float,
    height_mm: float,
    reaches_mm: Mapping[str, float],
    mistakes: Mistakes,
) -> None:
    """Note sizes that no board has.

    Parameters
    ----------
    outline_mm : sequence of points
        The board's edge.
    radius_mm, height_mm : float
        Of a disc.
    reaches_mm : mapping of str to float
        How far raised and sunk parts are above or below the surface, by their keys.
    mistakes : Mistakes
        Where mistakes are noted.
    """
    short_mm, long_mm = sorted(np.ptp(np.array(outline_mm), axis=0).tolist())
    board = f"on a board of {long_mm:g} x {short_mm:g} mm"
    low, high = NARROWEST_DISC * long_mm / 2, WIDEST_DISC * short_mm / 2
    if not low <= radius_mm <= high:
        _say(mistakes, "discs.radius", f"{low:.3g} to {high:.3g} mm {board}", radius_mm)
        return  # the height is measured by it
    low, high = FLATTEST_DISC * radius_mm, TALLEST_DISC * radius_mm
    if not low < height_mm <= high:
        expected = f"over {low:.3g} and up to {high:.3g} mm for a disc of radius {radius_mm:g} mm"
        _say(mistakes, "discs.height", expected, height_mm)
    for key, reach_mm in reaches_mm.items():
        if reach_mm > HIGHEST_CORNER * short_mm:
            expected = f"up to {HIGHEST_CORNER * short_mm:.3g} mm {board}"
            _say(mistakes, key, expected, reach_mm)


def _say(mistakes: Mistakes, key: str, expected: str, got_mm: float) -> None:
    mistakes.say(key, f"expected {expected}, got {got_mm:g}: is every length in millimetres?")
