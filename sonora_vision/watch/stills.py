"""From several stills of one position to one reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sonora_vision.camera.average import average
from sonora_vision.camera.source import Pixels, Still
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


StillsReader: TypeAlias = Callable[[Sequence[Still]], Answer]
"""Makes one reading of several stills of one position; raises a SonoraError where it cannot."""


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
