"""Reading photographs with a profile."""

from __future__ import annotations

from pathlib import Path

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.profile import load_profile
from sonora_vision.detect.annotate import rectified_of
from sonora_vision.pipeline import read_pixels
from sonora_vision.web.photos.store import Seen


class ProfileReader:
    """The reader that a profile makes."""

    def __init__(self, profile_path: Path) -> None:
        self._profile = load_profile(profile_path)

    @property
    def board(self) -> BoardSpec:
        """The profile's board."""
        return self._profile.board

    def read(self, pixels_bgr: Pixels, image_name: str) -> Seen:
        """Read one photograph."""
        sight = read_pixels(pixels_bgr, self._profile, image_name)
        return Seen(reading=sight.reading, rectified=rectified_of(sight))
