"""Loading a photograph: EXIF applied, any depth to 8-bit BGR, and clear refusals."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import simplejpeg
from numpy.typing import NDArray

from sonora_vision.errors import UnreadableError

Pixels = NDArray[np.uint8]

MAX_PIXELS = 80_000_000
"""Largest picture that is decoded: above the largest Pi camera (64 MP), below a memory bomb."""
MAX_ASPECT = 4
"""Longer side by shorter: above any camera's. Strips have too few pixels across to be looked at,
and what is brought to a common width would be of any height."""
MIN_SIDE_PX = 16


def load_photo(path: Path) -> Pixels:
    """Decode a photograph to BGR.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        EXIF orientation applied; grey-scale widened; 16-bit reduced to 8.

    Raises
    ------
    UnreadableError
        Where the file is missing, not a picture OpenCV decodes, damaged, or too large.
    """
    return decode_photo(_read(path), str(path))


def decode_photo(raw: bytes, name: str) -> Pixels:
    """Decode the bytes of a picture file; see :func:`load_photo`."""
    return decode_reduced(raw, name, np.inf)[0]


def load_reduced(path: Path, enough_px: float) -> tuple[Pixels, int]:
    """Decode a photograph with no more detail than is needed; see :func:`decode_reduced`."""
    return decode_reduced(_read(path), str(path), enough_px)


def decode_reduced(raw: bytes, name: str, enough_px: float) -> tuple[Pixels, int]:
    """Decode the bytes of a picture file, large JPEGs at a half, a quarter or an eighth.

    That takes a fraction of the time and memory, and averages what is left out.

    Parameters
    ----------
    raw, name
        The file's bytes, and what it is called in errors.
    enough_px
        What the longer side must still have.

    Returns
    -------
    (ndarray of uint8, int)
        The picture as from :func:`load_photo`, and how many pixels of the file are one of it,
        along each side.

    Raises
    ------
    UnreadableError
        As :func:`load_photo`.
    """
    size_px = _checked_size(raw, name)
    if raw[:2] == JPEG:
        _check_whole(raw, name)
    times = _reduction(size_px, enough_px) if raw[:2] == JPEG else 1
    pixels = cv2.imdecode(np.frombuffer(raw, np.uint8), _FLAGS[times])
    if pixels is None:
        raise UnreadableError(
            f"{name}: the picture cannot be decoded; it may be damaged; copy it again"
        )
    return np.asarray(pixels, np.uint8), times


JPEG = b"\xff\xd8"
_FLAGS = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


_HARMLESS = ("extraneous bytes", "subsampling")
"""What cheap cameras leave between segments; and what the check knows too little of to judge."""


def _check_whole(raw: bytes, name: str) -> None:
    """Refuse a JPEG that is damaged inside: OpenCV shows the rest of it in wrong places.

    At an eighth of the size the check costs a fifth of decoding.
    """
    try:
        simplejpeg.decode_jpeg(
            raw, "GRAY", fastdct=True, min_height=1, min_width=1, min_factor=8, strict=True
        )
    except ValueError as error:
        if not any(words in str(error) for words in _HARMLESS):
            raise UnreadableError(f"{name}: the JPEG is damaged ({error}); copy it again") from None


def _reduction(size_px: tuple[int, int], enough_px: float) -> int:
    """Only what divides both sides without a rest, so that the lens scales exactly."""
    for times in (8, 4, 2):
        if max(size_px) >= times * enough_px and not any(side % times for side in size_px):
            return times
    return 1


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableError(
            f"{path}: cannot be opened ({error.strerror}); check the name"
        ) from None


def _checked_size(raw: bytes, name: str) -> tuple[int, int]:
    """Width and height by the file's own header, which is refused before anything is decoded."""
    if not raw:
        raise UnreadableError(f"{name}: the file is empty; copy it again")
    refuse_heic(raw, name)
    size = _size_px(raw)
    if size is None:
        raise UnreadableError(f"{name}: not a JPEG or PNG picture; give a photograph")
    if size[0] * size[1] > MAX_PIXELS:
        raise UnreadableError(
            f"{name}: {size[0]} x {size[1]} pixels is more than {MAX_PIXELS // 1_000_000} "
            "megapixels; make it smaller (12 megapixels are plenty)"
        )
    if max(size) > MAX_ASPECT * min(size) or min(size) < MIN_SIDE_PX:
        raise UnreadableError(
            f"{name}: {size[0]} x {size[1]} pixels is no photograph of a board (expected "
            f"{MIN_SIDE_PX} or more each way, and at most {MAX_ASPECT} times as many one way as "
            "the other); give the whole picture"
        )
    if raw[:2] == JPEG and b"\xff\xd9" not in raw[-4096:]:
        raise UnreadableError(f"{name}: the JPEG is cut short (no end marker); copy it again")
    return size


def refuse_heic(raw: bytes, name: str) -> None:
    """Refuse what phones keep pictures in, with how to make it a JPEG; raises UnreadableError."""
    if raw[4:8] == b"ftyp":
        raise UnreadableError(
            f"{name}: HEIC, AVIF or video is not read; export it as JPEG (on an iPhone: Settings, "
            "Camera, Formats, Most Compatible)"
        )


def is_gray(picture: Pixels) -> bool:
    """Say whether blue, green and red are alike: in a color picture noise alone parts them."""
    blue, green, red = cv2.split(picture[::3, ::3])
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return int(cv2.subtract(most, least).max()) <= _GRAY_LEVELS


_GRAY_LEVELS = 2
"""What rounding parts the channels of a picture without colors by."""


def _size_px(raw: bytes) -> tuple[int, int] | None:
    """Width and height from the header of a JPEG (ITU T.81, B.2.2) or PNG (ISO 15948, 11.2.2)."""
    if raw[:8] == b"\x89PNG\r\n\x1a\n" and len(raw) >= 24:
        return int.from_bytes(raw[16:20]), int.from_bytes(raw[20:24])
    if raw[:2] != JPEG:
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
