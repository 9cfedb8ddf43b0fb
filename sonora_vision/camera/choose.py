"""From what a person writes to the camera that is meant."""

from __future__ import annotations

from pathlib import Path

from sonora_vision.camera.folder import PhotoFolder
from sonora_vision.camera.pi import PiCamera
from sonora_vision.camera.pi_preset import find_preset
from sonora_vision.camera.source import FrameSource
from sonora_vision.camera.usb import OpenCVCamera
from sonora_vision.camera.video import VideoFile
from sonora_vision.errors import UsageError

FORMS = "pi:PRESET, usb:NUMBER, a video file, a folder of photos"


def open_source(text: str, *, real_time: bool = False, hold_s: float = 2.0) -> FrameSource:
    """Open a camera by its name.

    Parameters
    ----------
    text : str
        `pi:module3`, `pi:PRESET.toml`, `usb:0`, `usb:/dev/video2`, a stream's address, the path
        of a video file, or the path of a folder of photos.
    real_time : bool
        Play a video at its own speed, the photos of a folder over and over.
    hold_s : float
        How long each photo of a folder is shown, seconds.

    Raises
    ------
    UsageError
        Where the text is none of these.
    CameraError
        Where the camera cannot be had.
    """
    kind, _, rest = text.partition(":")
    if kind == "pi":
        preset, _, camera_id = (rest or "module3").partition("@")
        return PiCamera(find_preset(preset), camera_id=camera_id or None)
    if kind == "usb":
        return OpenCVCamera(int(rest) if rest.isdecimal() else rest or 0)
    if "://" in text:
        return OpenCVCamera(text)
    path = Path(text)
    if path.is_dir():
        return PhotoFolder(path, hold_s=hold_s, real_time=real_time)
    if path.exists():
        return VideoFile(path, real_time=real_time)
    raise UsageError(f"camera {text!r}: expected {FORMS}; there is no such file")
