"""From light on the sensor to a picture: vignetting, blur, glow, noise, tone curve, JPEG."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.drawing.camera import Lens, normalized_rays
from tests.drawing.light import Field, Light

Pixels = NDArray[Any]  # uint8
_STEPS = 4096


def _srgb(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear light to sRGB, both 0 to 1."""
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


_TONE = np.round(255 * _srgb(np.linspace(0, 1, _STEPS))).astype(np.uint8)
_S = np.arange(256) / 255
LINEAR = np.where(_S <= 0.04045, _S / 12.92, ((_S + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""Linear light of each sRGB level, as a table for cv2.LUT."""


def linear(pixels_bgr: Pixels) -> Field:
    """Linear light of sRGB pixels."""
    return np.asarray(cv2.LUT(pixels_bgr, LINEAR))


@lru_cache(maxsize=4)
def _vignette(lens: Lens) -> Field:
    """Light that reaches each pixel (H, W, 1), 1 in the middle."""
    uv = normalized_rays(lens)
    square = uv[..., 0] ** 2 + uv[..., 1] ** 2
    return np.asarray(1 - lens.vignette * square / square[0, 0], np.float32)[..., None]


@lru_cache(maxsize=2)
def _noise_bank(shape: tuple[int, int, int]) -> Field:
    """Unit noise a little larger than a picture; frames take it from different corners."""
    rng = np.random.default_rng(5)
    bank = rng.standard_normal(shape, dtype=np.float32)
    return np.asarray(cv2.GaussianBlur(bank, (0, 0), 0.45) * 1.5)  # demosaicking correlates it


def develop(
    radiance_bgr: Field,
    lens: Lens,
    light: Light,
    rng: np.random.Generator,
    *,
    extra_blur_px: float = 0.0,
) -> Pixels:
    """The picture that a camera makes of linear radiance (H, W, 3), blue first.

    ``extra_blur_px`` is defocus or shake, sigma in pixels of this picture.
    """
    height, width = radiance_bgr.shape[:2]
    scale = width / 1640
    gain = np.array(light.gain_bgr, np.float32) * np.float32(light.exposure)
    image = radiance_bgr * gain
    image *= _vignette(lens)
    sigma = float(np.hypot(lens.blur_px * scale, extra_blur_px))
    if sigma > 0.25:
        image = cv2.GaussianBlur(image, (0, 0), sigma)
    if lens.fringe:
        image = _fringed(image, lens)
    if light.glare > 0.5:
        small = cv2.resize(image, (width // 8 or 1, height // 8 or 1), interpolation=cv2.INTER_AREA)
        glow = cv2.GaussianBlur(np.maximum(small - 1, 0), (0, 0), 6 * scale + 0.5)
        image += 0.12 * cv2.resize(glow, (width, height))
    pad = 64
    bank = _noise_bank((height + pad, width + pad, 3))
    dy, dx = (int(v) for v in rng.integers(0, pad, 2))
    np.clip(image, 0, 1.2, out=image)
    spread = np.sqrt(image * np.float32(2.0e-4 * light.noise**2) + np.float32(4e-6) * light.noise)
    image += spread * bank[dy : dy + height, dx : dx + width]
    levels = np.clip(image * np.float32(_STEPS - 1), 0, _STEPS - 1).astype(np.uint16)
    return _TONE[levels]


def _fringed(image: Field, lens: Lens) -> Field:
    """Lateral color: blue and red scaled apart about the optical axis."""
    height, width = image.shape[:2]
    channels = list(cv2.split(image))
    for index, k in ((0, 1 - lens.fringe), (2, 1 + lens.fringe)):
        (cx, cy) = lens.center_px
        scale = np.array([[k, 0, (1 - k) * cx], [0, k, (1 - k) * cy]])
        channels[index] = cv2.warpAffine(
            channels[index], scale, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(cv2.merge(channels))


def jpeg(pixels_bgr: Pixels, quality: int) -> bytes:
    """The picture as a JPEG file."""
    ok, data = cv2.imencode(".jpg", pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok
    return data.tobytes()
