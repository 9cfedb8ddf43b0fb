"""Loading a photograph: EXIF applied, any depth to 8-bit BGR, and clear refusals."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.errors import UnreadableError

Pixels = NDArray[np.uint8]

MAX_PIXELS = 80_000_000
"""Largest picture that is decoded: above the largest Pi camera (64 MP), below a memory bomb."""


def load_photo(path: Path) -> Pixels:
    """Decode a photograph to BGR.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        EXIF orientation applied; grey-scale widened; 16-bit reduced to 8.

    Raises
    ------
    UnreadableError
        Where the file is missing, not a picture OpenCV decodes, cut short, or too large.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UnreadableError(
            f"{path}: cannot be opened ({error.strerror}); check the name"
        ) from None
    return decode_photo(raw, str(path))


def decode_photo(raw: bytes, name: str) -> Pixels:
    """Decode the bytes of a picture file; see :func:`load_photo`."""
    _check_container(raw, name)
    pixels = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise UnreadableError(
            f"{name}: the picture cannot be decoded; it may be damaged; copy it again"
        )
    return np.asarray(pixels, np.uint8)


def _check_container(raw: bytes, name: str) -> None:
    """Refuse by the file's own header, before anything is decoded."""
    if not raw:
        raise UnreadableError(f"{name}: the file is empty; copy it again")
    if raw[4:8] == b"ftyp":
        raise UnreadableError(
            f"{name}: HEIC, AVIF or video is not read; export it as JPEG (on an iPhone: Settings, "
            "Camera, Formats, Most Compatible)"
        )
    size = _size_px(raw)
    if size is None:
        raise UnreadableError(f"{name}: not a JPEG or PNG picture; give a photograph")
    if size[0] * size[1] > MAX_PIXELS:
        raise UnreadableError(
            f"{name}: {size[0]} x {size[1]} pixels is more than {MAX_PIXELS // 1_000_000} "
            "megapixels; make it smaller (12 megapixels are plenty)"
        )
    if raw[:2] == b"\xff\xd8" and b"\xff\xd9" not in raw[-4096:]:
        raise UnreadableError(f"{name}: the JPEG is cut short (no end marker); copy it again")


def _size_px(raw: bytes) -> tuple[int, int] | None:
    """Width and height from the header of a JPEG (ITU T.81, B.2.2) or PNG (ISO 15948, 11.2.2)."""
    if raw[:8] == b"\x89PNG\r\n\x1a\n" and len(raw) >= 24:
        return int.from_bytes(raw[16:20]), int.from_bytes(raw[20:24])
    if raw[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 < len(raw):
        if raw[at] != 0xFF:
            return None
        marker = raw[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(raw[at + 7 : at + 9]), int.from_bytes(raw[at + 5 : at + 7])
        at += 2 + int.from_bytes(raw[at + 2 : at + 4])
    return None
