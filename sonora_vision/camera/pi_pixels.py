"""Raspberry Pi buffers as BGR pictures: the one place that knows what picamera2's formats mean."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.camera.source import CameraError, Pixels

_COLOR_CODES = {
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
}
"""Formats are named from the highest byte down: "RGB888" lies as B, G, R in memory."""


def to_bgr(buffer: NDArray[np.uint8], *, pixel_format: str, size_px: tuple[int, int]) -> Pixels:
    """Convert an array as picamera2 makes it to a BGR picture without padding.

    Parameters
    ----------
    buffer : ndarray of uint8
        As `CompletedRequest.make_array` gives it; YUV420 rows may be longer than the picture.
    pixel_format : str
        The format in the configuration that was read back, which may not be the one asked for.
    size_px : tuple of int
        Width and height there.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)

    Raises
    ------
    CameraError
        For a format that is not known here.
    """
    width, height = size_px
    if pixel_format == "RGB888":
        pixels_bgr: NDArray[np.uint8] = buffer
    elif pixel_format in _COLOR_CODES:
        even = buffer[:, : buffer.shape[1] // 2 * 2] if buffer.ndim == 2 else buffer
        pixels_bgr = np.asarray(cv2.cvtColor(even, _COLOR_CODES[pixel_format]), np.uint8)
    else:
        known = ", ".join(["RGB888", *_COLOR_CODES])
        raise CameraError(f"the camera gives {pixel_format!r} pictures; expected one of {known}")
    return np.ascontiguousarray(pixels_bgr[:height, :width, :3])
