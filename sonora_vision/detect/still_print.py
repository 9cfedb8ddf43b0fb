"""Whether a place that looks changed still shows what is printed there: then nothing covers it.

Where the light's color or haze is misjudged, a bright printed circle looks painted anew, and its
size is that of a disc. Paint hides the print, whatever its color; light lets it through.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.scene import LOG_FLOOR, Mask, Scene

FloatArray = NDArray[np.float64]

ALIKE = 0.76
"""Correlation with the taught board above which print shows: on 25 boards seen with two profiles
each what was only print had 0.94 or more (0.81 in haze), what discs lay on 0.7 or less."""
PATTERN = 0.06
"""How much the print must vary to be known again, log units."""
LEAST_PX = 12


def still_print(scene: Scene, rows: slice, columns: slice, place: Mask) -> bool:
    """Say whether a place shows the taught board's print, in whatever light.

    Parameters
    ----------
    scene
        The scene.
    rows, columns
        Window of the coarse arrays.
    place
        Mask of the window's shape, all of which is covered if something lies there.

    Returns
    -------
    bool
        False also where the print is too even to be known again.
    """
    if np.count_nonzero(place) < LEAST_PX:
        return False
    seen, expected = (each[place] for each in _logs(scene, rows, columns))
    pattern = float(np.sqrt(expected.var(axis=0).mean()))
    return pattern > PATTERN and _correlation(seen, expected) > ALIKE


def print_shows(scene: Scene, rows: slice, columns: slice, place: Mask) -> float:
    """Return how a place's print agrees with the taught board's; see :func:`still_print`.

    A lamp's reflection may slope so much that only fine print shows.

    Returns
    -------
    float
        Correlation of all of the print, or of the fine print where that is more: 1 where it shows,
        about 0 under anything.
    """
    seen, expected = _logs(scene, rows, columns)
    fine = (each - cv2.GaussianBlur(each, (0, 0), FINE_PX) for each in (seen, expected))
    return max(_correlation(seen[place], expected[place]), _correlation(*(f[place] for f in fine)))


FINE_PX = 5.0
"""Print wider than this is not fine, pixels at the coarse scale: five eighths of a radius."""


def _logs(scene: Scene, rows: slice, columns: slice) -> tuple[FloatArray, FloatArray]:
    """Log colors of a window, seen and expected."""
    seen = np.log(scene.coarse_bgr[rows, columns].astype(np.float64) + LOG_FLOOR)
    return seen, scene.expected[rows, columns].astype(np.float64)


def _correlation(seen: FloatArray, expected: FloatArray) -> float:
    """Of colors about their means, shape (n, 3)."""
    seen, expected = seen - seen.mean(axis=0), expected - expected.mean(axis=0)
    both = float(np.sqrt(np.square(seen).sum() * np.square(expected).sum()))
    return float((seen * expected).sum()) / max(both, 1e-12)
