"""From several stills of one position to one reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import cv2
import numpy as np

from sonora_vision.camera.source import Pixels, Still
from sonora_vision.errors import UnreadableError
from sonora_vision.observation import Reading

Reader: TypeAlias = Callable[[Pixels, str], Reading]
"""Reads one picture (H, W, 3), blue first, under a name; raises a SonoraError where it cannot."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """A reading, and the still that it was read from.

    Attributes
    ----------
    reading : Reading
        Its pixel coordinates are the still's.
    size_px : tuple of int
        Width and height of the still.
    still : Still or None
        None where a recorded session is played.
    """

    reading: Reading
    size_px: tuple[int, int]
    still: Still | None


class StillsReader(Protocol):
    """Makes one reading of several stills of one position."""

    def __call__(self, stills: Sequence[Still]) -> Answer:
        """Read; raises a SonoraError where they cannot be read."""
        ...


class AveragingReader:
    """Reads the average of the stills.

    Parameters
    ----------
    reader : callable
        Reads one picture.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __call__(self, stills: Sequence[Still]) -> Answer:
        """Average, then read."""
        still = average(stills)
        height, width = still.pixels_bgr.shape[:2]
        reading = self._reader(still.pixels_bgr, still.name)
        return Answer(reading=reading, size_px=(width, height), still=still)


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
