"""The pictures of a table: photographs as they were read, and the board rectified from them."""

from __future__ import annotations

import json
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from sonora_vision.calibrate.file_format import write_bytes_atomically, write_text_atomically
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate import Rectified
from sonora_vision.errors import SonoraError
from sonora_vision.observation import Reading
from sonora_vision.reading_file import reading_from_json, reading_to_json

_KEY_BYTES = 12
_QUALITY = 92


class NoPictureError(SonoraError):
    """The picture is not kept any more."""


class PictureStore:
    """Pictures in a folder, each under a key that cannot be guessed.

    A key has three files: the photograph, the rectified board, and what was read there.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    max_bytes : int
        The oldest go when there is more.
    """

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._max_bytes = max_bytes
        self.rectified = lru_cache(maxsize=8)(self._rectified)

    def keep(self, pixels_bgr: Pixels, rectified: Rectified, reading: Reading) -> str:
        """Keep a photograph with what was read on it, and return its key."""
        key = secrets.token_urlsafe(_KEY_BYTES)
        write_bytes_atomically(self.folder / f"{key}.jpg", _jpeg(pixels_bgr))
        write_bytes_atomically(self.folder / f"{key}.board.jpg", _jpeg(rectified.bgr))
        about = {
            "px_per_mm": rectified.px_per_mm,
            "origin_mm": list(rectified.origin_mm),
            "camera_mm": None if rectified.camera_mm is None else list(rectified.camera_mm),
            "height_mm": rectified.height_mm,
            "reading": reading_to_json(reading),
        }
        write_text_atomically(self.folder / f"{key}.json", json.dumps(about))
        return key

    def photo(self, key: str) -> bytes:
        """Return a photograph, JPEG; raises `NoPictureError`."""
        return self._bytes(f"{key}.jpg")

    def reading(self, key: str) -> Reading:
        """Return what was read on a photograph; raises `NoPictureError`."""
        return reading_from_json(self._about(key)["reading"], key)

    def _rectified(self, key: str) -> Rectified:
        """Return the rectified board; raises `NoPictureError`."""
        about = self._about(key)
        raw = np.frombuffer(self._bytes(f"{key}.board.jpg"), np.uint8)
        camera = about["camera_mm"]
        return Rectified(
            bgr=np.asarray(cv2.imdecode(raw, cv2.IMREAD_COLOR), np.uint8),
            px_per_mm=about["px_per_mm"],
            origin_mm=(about["origin_mm"][0], about["origin_mm"][1]),
            camera_mm=None if camera is None else (camera[0], camera[1], camera[2]),
            height_mm=about["height_mm"],
        )

    def _about(self, key: str) -> dict[str, Any]:
        about: dict[str, Any] = json.loads(self._bytes(f"{key}.json"))
        return about

    def _bytes(self, name: str) -> bytes:
        try:
            return (self.folder / name).read_bytes()
        except OSError:
            raise NoPictureError("this picture is not kept any more") from None


def _jpeg(pixels_bgr: Pixels) -> bytes:
    _, encoded = cv2.imencode(".jpg", pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return encoded.tobytes()
