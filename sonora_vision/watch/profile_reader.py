"""The reader of a profile: the vision itself, loaded only when it is made."""

from __future__ import annotations

from pathlib import Path

from sonora_vision.watch.stills import Reader


def reader_for(profile_path: Path) -> Reader:
    """Make the reader of a profile.

    Raises
    ------
    FileFormatError
        Where the profile cannot be read.
    """
    from sonora_vision.calibrate.profile import load_profile
    from sonora_vision.pipeline import read_pixels

    profile = load_profile(profile_path)
    return lambda pixels_bgr, name: read_pixels(pixels_bgr, profile, name).reading
