"""A picture that came with a game's file, which anybody may have made."""

from __future__ import annotations

import io
from collections.abc import Mapping

from PIL.JpegImagePlugin import JpegImageFile

from sonora_vision.calibrate.file_format import json_object
from sonora_vision.document import Mistakes, Record, is_number
from sonora_vision.errors import FileFormatError
from sonora_vision.reading_file import reading_from_json
from sonora_vision.table.picture_files import ABOUT, BOARD, PHOTO

_MAX_PIXELS = 80_000_000
"""As of a photograph that is read; more would fill the memory of a small computer."""
_MAX_PX_PER_MM = 100.0
_MAX_MM = 10_000.0
"""No board is rectified finer, or lies farther from its own corner."""


def check_picture(files: Mapping[str, bytes], where: str) -> None:
    """Check a picture's files, by ending, without decoding more than their heads.

    Raises
    ------
    FileFormatError
        If one is not what it should be.
    """
    for ending in (PHOTO, BOARD):
        _check_jpeg(files[ending], f"{where}{ending}")
    about = f"{where}{ABOUT}"
    try:
        values = json_object(files[ABOUT].decode("utf-8"), about)
    except UnicodeDecodeError:
        raise FileFormatError(f"{about}: expected UTF-8 text") from None
    record = Record(values, Mistakes(about))
    record.number("px_per_mm", above=0, at_most=_MAX_PX_PER_MM)
    if max(map(abs, record.point("origin_mm"))) > _MAX_MM:
        record.wrong("origin_mm", f"a point within {_MAX_MM:g} mm", values["origin_mm"])
    record.number("height_mm", at_least=0, at_most=_MAX_MM)
    if not record.is_null("camera_mm"):
        camera = record.items("camera_mm", "three numbers")
        if len(camera) != 3 or not all(map(is_number, camera)):
            record.wrong("camera_mm", "three numbers", list(camera))
    record.has("reading")
    record.close()
    record.mistakes.raise_any()
    reading = values.get("reading")
    if not isinstance(reading, dict):
        raise FileFormatError(f"{about}: reading: expected an object")
    reading_from_json(reading, about)


def _check_jpeg(raw: bytes, where: str) -> None:
    try:
        with JpegImageFile(io.BytesIO(raw)) as picture:  # reads the head alone
            width, height = picture.size
    except (OSError, SyntaxError, ValueError, IndexError):
        raise FileFormatError(f"{where}: expected a JPEG picture") from None
    if width * height > _MAX_PIXELS:
        raise FileFormatError(
            f"{where}: expected at most {_MAX_PIXELS / 1e6:.0f} megapixels, got {width} x {height}"
        )
