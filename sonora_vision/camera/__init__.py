"""Cameras: everything that gives frames to watch and stills to read.

Importing this package opens and probes nothing; `picamera2` is imported only when a Pi camera is
opened.
"""

from __future__ import annotations

from sonora_vision.camera.source import (
    CameraBusyError,
    CameraError,
    CameraLostError,
    Frame,
    FrameSource,
    NoCameraError,
    Still,
)

__all__ = [
    "CameraBusyError",
    "CameraError",
    "CameraLostError",
    "Frame",
    "FrameSource",
    "NoCameraError",
    "Still",
]
