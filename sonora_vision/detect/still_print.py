"""Whether a place that looks changed still shows what is printed there: then nothing covers it.

Where the light's color or haze is misjudged, a bright printed circle looks painted anew, and its
size is that of a disc. Paint hides the print, whatever its color; light lets it through.
"""

from __future__ import annotations

import numpy as np

from sonora_vision.detect.scene import LOG_FLOOR, Mask, Scene

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
    expected = scene.expected[rows, columns][place].astype(np.float64)
    if len(expected) < LEAST_PX:
        return False
    seen = np.log(scene.coarse_bgr[rows, columns][place].astype(np.float64) + LOG_FLOOR)
    expected -= expected.mean(axis=0)
    seen -= seen.mean(axis=0)
    pattern = float(np.sqrt(np.square(expected).mean()))
    both = float(np.sqrt(np.square(seen).sum() * np.square(expected).sum()))
    return pattern > PATTERN and float((seen * expected).sum()) > ALIKE * both
