"""Small drawn disc faces: paint, a number at any angle, light, noise."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from sonora_vision.detect.faces import FaceCrop, TaughtFace

PAINTS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "red": ((50, 50, 190), (225, 230, 235)),
    "navy": ((110, 50, 30), (220, 225, 230)),
    "yellow": ((40, 190, 220), (40, 40, 40)),
    "cream": ((190, 205, 215), (50, 45, 60)),
}
"""Wood and ink of each color, BGR."""

SEEN = np.ones((64, 64), np.bool_)
SEEN.setflags(write=False)


def draw_face(
    color: str,
    number: int | None,
    turn_deg: float = 0.0,
    *,
    off_px: tuple[float, float] = (0.0, 0.0),
    seed: int = 0,
    noise: float = 3.0,
    light: float = 1.0,
    slope: float = 0.0,
    blur_px: float = 0.7,
) -> NDArray[np.uint8]:
    """Draw a face of 64 x 64 pixels, turned clockwise, its rim 28 pixels about the middle."""
    zoom, side = 4, 256
    ink = Image.new("L", (side, side))
    if number is not None:
        font = ImageFont.load_default(size=132)
        ImageDraw.Draw(ink).text((128, 128), str(number), 255, font, anchor="mm")
    middle = (side - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), -turn_deg, 1.0)
    matrix[:, 2] += np.multiply(off_px, zoom)
    cover = cv2.warpAffine(np.asarray(ink), matrix, (side, side)).astype(np.float32) / 255
    axis = np.arange(side) - middle
    rim = np.hypot(axis[:, None] - off_px[1] * zoom, axis - off_px[0] * zoom) < 28 * zoom
    wood, paint = (np.array(c, np.float32) for c in PAINTS[color])
    face = wood + cover[..., None] * (paint - wood)
    picture: NDArray[Any] = np.where(rim[..., None], face, np.float32(120))
    picture = cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA)
    picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
    across = (np.arange(64, dtype=np.float32) - 31.5) / 28
    picture = picture * (light * (1 + slope * across))[None, :, None]
    rng = np.random.default_rng(seed)
    return np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def crop_of(
    pixels: NDArray[np.uint8], color: str = "", visible: NDArray[np.bool_] = SEEN
) -> FaceCrop:
    """Wrap a drawn face, its color known or not."""
    return FaceCrop(pixels_bgr=pixels, visible=visible, colors=(color,) if color else ())


def taught(color: str, number: int, turn_deg: float = 0.0, **how: Any) -> TaughtFace:
    """Draw a face to be taught."""
    pixels = draw_face(color, number, turn_deg, seed=1000 + number, **how)
    return TaughtFace(color=color, number=number, pixels_bgr=pixels, visible=SEEN)
