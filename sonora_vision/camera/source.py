"""What every camera looks like from outside: frames for watching, stills for reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.errors import SonoraError

Pixels: TypeAlias = NDArray[np.uint8]

WATCH_WIDTH_PX = 640
"""Width of the frames that the watcher gets, where a source scales them itself."""


class CameraError(SonoraError):
    """A camera, a video or a folder of photos does not give pictures."""

    exit_status = 1


class NoCameraError(CameraError):
    """The camera that was asked for is not there."""


class CameraBusyError(CameraError):
    """The camera is there, but another program holds it or this user may not use it."""


class CameraLostError(CameraError):
    """The camera gave pictures and stopped; opening it again may help."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """One small picture for watching.

    Attributes
    ----------
    pixels_bgr : ndarray of uint8, shape (H, W, 3)
        Blue, green, red; read-only by convention.
    at_s : float
        When it was taken, seconds on the source's own clock, which never goes back.
    number : int
        Counts the frames that the source gave, from 0; dropped ones leave no gap.
    """

    pixels_bgr: Pixels
    at_s: float
    number: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Still:
    """One full-size picture for reading.

    Attributes
    ----------
    pixels_bgr : ndarray of uint8, shape (H, W, 3)
        Blue, green, red; read-only by convention.
    at_s : float
        When it was taken, seconds on the source's own clock.
    name : str
        What readings call this picture.
    """

    pixels_bgr: Pixels
    at_s: float
    name: str


class FrameSource(Protocol):
    """A camera, real or played.

    `frames` ends when there is no more to come (a video's end); a source that fails raises a
    :class:`CameraError`. `still` belongs to the newest frame or is newer. Every call comes back
    within a few seconds, with a picture or with an error.
    """

    @property
    def name(self) -> str:
        """What messages call this source."""
        ...

    @property
    def live(self) -> bool:
        """True where waiting costs frames: a real camera, or a video at its own speed."""
        ...

    def frames(self) -> Iterator[Frame]:
        """Give small frames, oldest first, until the source ends."""
        ...

    def still(self) -> Still:
        """Take one full-size picture, not older than the newest frame given."""
        ...

    def close(self) -> None:
        """Give the camera back; harmless when called twice."""
        ...


@runtime_checkable
class Exposes(Protocol):
    """A source whose exposure can be changed."""

    def expose(self, factor: float) -> bool:
        """Expose so many times as long as was locked; says whether the camera follows."""
        ...


@runtime_checkable
class Steps(Protocol):
    """A source of photos that shows the next one when it is asked to."""

    def step(self) -> None:
        """Show the next photo now; callable from any thread."""
        ...


def shrink(pixels_bgr: Pixels, *, width_px: int = WATCH_WIDTH_PX) -> Pixels:
    """Scale a picture down to the watcher's width, keeping its shape.

    Parameters
    ----------
    pixels_bgr : ndarray of uint8, shape (H, W, 3)
        Never enlarged: a picture that is narrow enough comes back as it is.
    width_px : int
        The width to come down to.

    Returns
    -------
    ndarray of uint8, shape (h, w, 3)
    """
    height, width = pixels_bgr.shape[:2]
    if width <= width_px:
        return pixels_bgr
    size = (width_px, max(1, round(height * width_px / width)))
    return np.asarray(cv2.resize(pixels_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
