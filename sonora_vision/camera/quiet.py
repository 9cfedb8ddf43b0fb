"""Keeps OpenCV from saying of its own, in several lines, what an error of ours says in one."""

from __future__ import annotations

import os

import cv2

_SILENT = 0


def quiet_opencv() -> None:
    """Silence OpenCV's and its decoder's messages, for the whole process."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # OpenCV 4 has it at the top, OpenCV 5 beside its levels
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    set_level(_SILENT)
