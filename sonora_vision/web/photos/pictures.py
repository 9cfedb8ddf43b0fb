"""Pictures as the pages send them."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
from PIL import Image, ImageOps

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate import draw_board, draw_evidence, draw_reading
from sonora_vision.web.door.uploads import FORMATS, check_upload
from sonora_vision.web.params import WebParams
from sonora_vision.web.photos.store import Seen

_THUMB_PX = 480


def board_jpeg(seen: Seen, board: BoardSpec, params: WebParams, size: str) -> bytes:
    """Return the annotated board: ``brief`` for a phone, ``small`` for a list, else ``full``."""
    pixels_bgr = draw_board(seen.rectified, board, seen.reading, brief=size != "full")
    height, width = pixels_bgr.shape[:2]
    narrow_px = {"brief": params.phone_px, "small": _THUMB_PX}
    width_px = narrow_px.get(size, int(width))
    if width > width_px:
        height_px = round(height * width_px / width)
        pixels_bgr = _resized(pixels_bgr, (width_px, height_px))
    return jpeg(pixels_bgr, params.jpeg_quality)


def disc_jpeg(seen: Seen, board: BoardSpec, params: WebParams, index: int) -> bytes:
    """Return the close-up of one disc."""
    pixels_bgr = draw_evidence(seen.rectified, board, seen.reading, index)
    return jpeg(pixels_bgr, params.jpeg_quality)


def whole_png(seen: Seen, board: BoardSpec) -> bytes:
    """Return the annotated board with its legend."""
    _, encoded = cv2.imencode(".png", draw_reading(seen.rectified, board, seen.reading))
    return encoded.tobytes()


def thumbnail_jpeg(path: Path, params: WebParams) -> bytes:
    """Return a photograph, small; raises `UnreadableError` or `OSError` where it is none."""
    raw = path.read_bytes()
    check_upload(raw, path.name, max_pixels=params.upload_max_pixels)
    with Image.open(io.BytesIO(raw), formats=FORMATS) as picture:
        picture.thumbnail((_THUMB_PX, _THUMB_PX))
        small = ImageOps.exif_transpose(picture).convert("RGB")
    out = io.BytesIO()
    small.save(out, "JPEG", quality=params.jpeg_quality)
    return out.getvalue()


def _resized(pixels_bgr: Pixels, size_px: tuple[int, int]) -> Pixels:
    return cv2.resize(pixels_bgr, size_px, interpolation=cv2.INTER_AREA).astype("uint8", copy=False)


def jpeg(pixels_bgr: Pixels, quality: int) -> bytes:
    """Encode a picture."""
    _, encoded = cv2.imencode(".jpg", pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return encoded.tobytes()
