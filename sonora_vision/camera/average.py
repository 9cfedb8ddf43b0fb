"""The average of several stills of one position: less noise, the same picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from sonora_vision.camera.source import Still
from sonora_vision.errors import UnreadableError


def average(stills: Sequence[Still]) -> Still:
    """Average stills of a board on which nothing moved.

    Parameters
    ----------
    stills : sequence of Still
        At least one; all of one size.

    Returns
    -------
    Still
        Named and timed as the last of them.

    Raises
    ------
    UnreadableError
        Where their sizes differ: the camera was changed in between.
    """
    last = stills[-1]
    if len(stills) == 1:
        return last
    sizes = {still.pixels_bgr.shape for still in stills}
    if len(sizes) > 1:
        raise UnreadableError(f"{last.name}: stills of one size expected, got {sorted(sizes)}")
    total = np.zeros(last.pixels_bgr.shape, np.uint16)
    for still in stills:
        cv2.add(total, still.pixels_bgr, total, dtype=cv2.CV_16U)
    mean = cv2.convertScaleAbs(total, alpha=1.0 / len(stills))
    return Still(pixels_bgr=np.asarray(mean, np.uint8), at_s=last.at_s, name=last.name)
