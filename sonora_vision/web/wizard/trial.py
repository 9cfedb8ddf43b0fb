"""A photograph of play read with a profile that is not in use yet, as the wizard shows it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.profile import Profile
from sonora_vision.detect.annotate import draw_board, rectified_of
from sonora_vision.errors import UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.pipeline import read_pixels
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext, ngettext


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
        seen = ngettext("%(num)d disc seen", "%(num)d discs seen", len(discs))
        if not doubted:
            return gettext("%(seen)s, none of them in doubt", seen=seen)
        return gettext("%(seen)s, %(num)s of them in doubt", seen=seen, num=doubted)


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
    names = terms.picture_names(profile.board)
    drawn = draw_board(rectified_of(sight), profile.board, sight.reading, brief=True, names=names)
    _, encoded = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return Trial(name=name, reading=sight.reading, picture_jpeg=encoded.tobytes())
