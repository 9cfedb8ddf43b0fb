"""A folder of photos, shown one after the other as if each lay under the camera for a while."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from sonora_vision.camera.source import (
    CameraError,
    CameraLostError,
    Frame,
    NoCameraError,
    Still,
    shrink,
)

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".tif", ".tiff", ".bmp", ".webp"})

_log = logging.getLogger(__name__)


class PhotoFolder:
    """The photos of a folder, in the order of their names.

    Parameters
    ----------
    folder : Path
        Files that are not photos are passed over; a photo that cannot be decoded is passed over
        with a logged warning that names it.
    hold_s : float
        How long each photo is shown, seconds of the source's clock.
    rate_hz : float
        Frames a second of the source's clock; no real time passes.

    Raises
    ------
    NoCameraError
        Where the folder is missing or holds no photo.
    """

    live = False

    def __init__(self, folder: Path, *, hold_s: float = 2.0, rate_hz: float = 10.0) -> None:
        if not folder.is_dir():
            raise NoCameraError(f"{folder}: expected a folder of photos; check the path")
        self._photos = sorted(p for p in folder.iterdir() if p.suffix.lower() in PHOTO_SUFFIXES)
        if not self._photos:
            raise NoCameraError(f"{folder}: expected photos (jpg, png, ...), found none in it")
        self.name = str(folder)
        self._shown_frames = max(1, round(hold_s * rate_hz))
        self._rate_hz = rate_hz
        self._still: Still | None = None

    def frames(self) -> Iterator[Frame]:
        """Give each photo as many times as it is shown."""
        number = 0
        for path in self._photos:
            pixels_bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)  # turns it as its EXIF says
            if pixels_bgr is None:
                _log.warning("%s: not a picture that can be decoded; passed over", path)
                continue
            full_bgr = np.asarray(pixels_bgr, np.uint8)
            small_bgr = shrink(full_bgr)
            for _ in range(self._shown_frames):
                at_s = number / self._rate_hz
                self._still = Still(pixels_bgr=full_bgr, at_s=at_s, name=path.name)
                yield Frame(pixels_bgr=small_bgr, at_s=at_s, number=number)
                number += 1
        if number == 0:
            raise CameraError(f"{self.name}: none of its {len(self._photos)} photos can be decoded")

    def still(self) -> Still:
        """Give the photo that is being shown, full size."""
        if self._still is None:
            raise CameraLostError(f"{self.name}: a still was asked for before the first frame")
        return self._still

    def close(self) -> None:
        """Nothing is held."""
