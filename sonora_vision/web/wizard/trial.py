"""A photograph of play read with a profile that is not in use yet, as the wizard shows it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.profile import Profile
from sonora_vision.detect.annotate import draw_sight
from sonora_vision.errors import UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.pipeline import read_pixels


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What was read, and the picture with it drawn in."""

    name: str
    """The photograph's."""
    reading: Reading
    picture_jpeg: bytes

    @property
    def words(self) -> str:
        """How many discs were seen, and how many of them are asked about."""
        discs = self.reading.discs
        doubted = sum(bool(disc.doubts) for disc in discs)
        told = "none of them in doubt" if not doubted else f"{doubted} of them in doubt"
        return f"{len(discs)} disc{'' if len(discs) == 1 else 's'} seen, {told}"


def read_trial(pixels_bgr: Pixels, name: str, profile: Profile) -> Trial:
    """Read a photograph.

    Raises
    ------
    UnreadableError
        Where it cannot be read, with the reason.
    """
    try:
        sight = read_pixels(pixels_bgr, profile, name)
    except UnreadableError as error:
        raise UnreadableError(f"{name}: {error}") from None
    _, encoded = cv2.imencode(
        ".jpg", draw_sight(sight, profile.board), [cv2.IMWRITE_JPEG_QUALITY, 88]
    )
    return Trial(name=name, reading=sight.reading, picture_jpeg=encoded.tobytes())
