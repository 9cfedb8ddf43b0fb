"""The pictures of a table: photographs as they were read, and the board rectified from them."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate import Rectified
from sonora_vision.observation import Reading
from sonora_vision.reading_file import reading_from_json, reading_to_json
from sonora_vision.table.picture_files import ABOUT, BOARD, PHOTO, NoPictureError, PictureFiles

__all__ = ["NoPictureError", "PictureStore"]
_QUALITY = 92


class PictureStore(PictureFiles):
    """The kept pictures, and what is in them.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    max_bytes : int
        The oldest go when there is more.
    """

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        super().__init__(folder, max_bytes=max_bytes)
        self.rectified = lru_cache(maxsize=8)(self._rectified)

    def keep(self, pixels_bgr: Pixels, rectified: Rectified, reading: Reading) -> str:
        """Keep a photograph with what was read on it, and return its key.

        Raises
        ------
        FileFormatError
            If it cannot be written.
        """
        about = {
            "px_per_mm": rectified.px_per_mm,
            "origin_mm": list(rectified.origin_mm),
            "camera_mm": None if rectified.camera_mm is None else list(rectified.camera_mm),
            "height_mm": rectified.height_mm,
            "reading": reading_to_json(reading),
        }
        return self.write(
            {
                PHOTO: _jpeg(pixels_bgr),
                BOARD: _jpeg(rectified.bgr),
                ABOUT: json.dumps(about).encode(),
            }
        )

    def reading(self, key: str) -> Reading:
        """Return what was read on a photograph; raises `NoPictureError`."""
        return reading_from_json(self._about(key)["reading"], key)

    def _rectified(self, key: str) -> Rectified:
        """Return the rectified board; raises `NoPictureError`."""
        about = self._about(key)
        pixels_bgr = cv2.imdecode(np.frombuffer(self.file(key, BOARD), np.uint8), cv2.IMREAD_COLOR)
        if pixels_bgr is None:
            raise NoPictureError("this picture is damaged")
        camera = about["camera_mm"]
        return Rectified(
            bgr=np.asarray(pixels_bgr, np.uint8),
            px_per_mm=about["px_per_mm"],
            origin_mm=(about["origin_mm"][0], about["origin_mm"][1]),
            camera_mm=None if camera is None else (camera[0], camera[1], camera[2]),
            height_mm=about["height_mm"],
        )

    def _about(self, key: str) -> dict[str, Any]:
        try:
            about: dict[str, Any] = json.loads(self.file(key, ABOUT))
        except ValueError:
            raise NoPictureError("this picture is damaged") from None
        return about


def _jpeg(pixels_bgr: Pixels) -> bytes:
    _, encoded = cv2.imencode(".jpg", pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return encoded.tobytes()
