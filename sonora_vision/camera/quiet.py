"""Keeps OpenCV from saying of its own, in several lines, what an error of ours says in one."""

from __future__ import annotations

import os

import cv2


def quiet_opencv() -> None:
    """Silence OpenCV's and its decoder's messages, for the whole process."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
