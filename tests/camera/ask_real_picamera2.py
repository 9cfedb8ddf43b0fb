"""Runs beside the real picamera2: prints its signatures, and checks its arrays against ours.

Started by `test_real_picamera2.py` in a process of its own; prints one JSON document.
"""

from __future__ import annotations

import inspect
import json
from typing import Any

import cv2
import numpy as np
from picamera2 import Picamera2
from picamera2.request import CompletedRequest, Helpers

from sonora_vision.camera.pi_pixels import to_bgr
from tests.camera.picamera2_signatures import USED


def parameters(function: Any) -> list[list[Any]]:
    """Name, kind and default of each parameter; defaults that are objects of libcamera as None."""

    def plain(default: Any) -> Any:
        if default is inspect.Parameter.empty:
            return "required"
        return default if isinstance(default, (int, str, dict)) else None

    signature = inspect.signature(function)
    return [[p.name, p.kind.name, plain(p.default)] for p in signature.parameters.values()]


def largest_error(pixel_format: str, stride_px: int) -> int:
    """Lay a picture into a padded buffer, and take it out through picamera2 and the adapter."""
    width, height, color_bgr = 64, 48, (40, 90, 220)
    picture = np.full((height, width, 3), color_bgr, np.uint8)
    if pixel_format == "YUV420":
        planes = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), np.uint8).ravel()
        buffer = np.zeros(stride_px * height * 3 // 2, np.uint8)
        buffer[: stride_px * height].reshape(height, -1)[:, :width] = planes[
            : width * height
        ].reshape(height, width)
        chroma = planes[width * height :].reshape(height, width // 2)
        buffer[stride_px * height :].reshape(height, -1)[:, : width // 2] = chroma
        stride = stride_px
    else:
        stride = stride_px * 3
        buffer = np.zeros(stride * height, np.uint8)
        buffer.reshape(height, stride)[:, : width * 3] = picture.reshape(height, -1)
    layout = {"format": pixel_format, "size": (width, height), "stride": stride}
    array = Helpers(None).make_array(buffer, layout)
    seen = to_bgr(array, pixel_format=pixel_format, size_px=(width, height))
    assert seen.shape == picture.shape
    return int(np.abs(seen.astype(int) - picture.astype(int)).max())


classes = {"Picamera2": Picamera2, "CompletedRequest": CompletedRequest}
print(
    json.dumps(
        {
            "signatures": {
                f"{name}.{method}": parameters(getattr(classes[name], method))
                for name, methods in USED.items()
                for method in methods
            },
            "errors": {
                f"{pixel_format} {stride_px}": largest_error(pixel_format, stride_px)
                for pixel_format in ("RGB888", "YUV420")
                for stride_px in (64, 96)
            },
            "cameras": Picamera2.global_camera_info(),
        }
    )
)
