"""Photographs that a browser sends: checked by their header before anything is decoded."""

from __future__ import annotations

import io
import warnings
from pathlib import PurePosixPath, PureWindowsPath

from PIL import Image, UnidentifiedImageError

from sonora_vision.calibrate.photo import refuse_heic
from sonora_vision.errors import UnreadableError

FORMATS = ("JPEG", "PNG")
_NAME_MAX = 80


def check_upload(raw: bytes, name: str, *, max_pixels: int) -> None:
    """Refuse what is no picture of an allowed kind, or one that would fill the memory.

    Raises
    ------
    UnreadableError
        Naming the file, what was expected and what came.
    """
    if not raw:
        raise UnreadableError(f"{name}: the file is empty; choose a JPEG or PNG photograph")
    refuse_heic(raw, name)
    try:
        with warnings.catch_warnings():
            # Pillow only warns of a large picture; the limit below refuses it.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(raw), formats=FORMATS) as picture:
                width, height = picture.size
    except Image.DecompressionBombError:
        raise UnreadableError(_too_large(name, max_pixels)) from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise UnreadableError(
            f"{name}: expected a JPEG or PNG photograph, got something else; choose another file"
        ) from None
    if width * height > max_pixels:
        raise UnreadableError(_too_large(name, max_pixels))


def shown_name(given: str | None) -> str:
    """Return a file's name as a page may show it: no folders, nothing unprintable, not long."""
    name = PureWindowsPath(PurePosixPath(given or "").name).name
    printable = "".join(c for c in name if c.isprintable()).strip()
    return printable[-_NAME_MAX:] or "photo"


def _too_large(name: str, max_pixels: int) -> str:
    return (
        f"{name}: expected at most {max_pixels // 1_000_000} megapixels, got more; "
        "make the picture smaller"
    )
