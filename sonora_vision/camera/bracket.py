"""Photographs for a rig folder: several stills averaged, and exposures fused where light clips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from sonora_vision.camera.average import average
from sonora_vision.camera.source import CameraError, Exposes, FrameSource, Pixels

Brackets = Literal["auto", "always", "never"]

FACTORS = (1.0, 0.5, 0.25)
"""Exposures of a bracket: a lamp's mirror image is some three times as bright as paper."""
CLIPPED_SHARE = 0.001
"""A lamp's mirror image on the print covers more than this of the picture; sparkle covers less."""
FULL = 253
"""Levels from here on count as clipped."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Photograph:
    """One photograph, ready to be kept.

    Attributes
    ----------
    pixels_bgr : ndarray of uint8, shape (H, W, 3)
        The average, or the exposures fused.
    exposures : tuple of ndarray
        The single exposures of a bracket, longest first; empty without one.
    clipped_share : float
        Part of the longest exposure at full white.
    note : str
        What a person should know; empty for nothing.
    """

    pixels_bgr: Pixels
    exposures: tuple[Pixels, ...]
    clipped_share: float
    note: str = ""


def photograph(source: FrameSource, *, stills: int, brackets: Brackets) -> Photograph:
    """Take one photograph.

    Parameters
    ----------
    source : FrameSource
        An open camera.
    stills : int
        How many stills are averaged, for each exposure.
    brackets : str
        Whether to take several exposures: where light clips, always, or never.

    Raises
    ------
    CameraError
        Where the camera gives no picture.
    """
    frames = source.frames()
    longest = _averaged(source, frames, stills)
    share = clipped_share(longest)
    if brackets == "never" or (brackets == "auto" and share <= CLIPPED_SHARE):
        return Photograph(pixels_bgr=longest, exposures=(), clipped_share=share)
    if not isinstance(source, Exposes):
        note = f"{share:.1%} of it is too bright, and this source has no exposure to change"
        return Photograph(pixels_bgr=longest, exposures=(), clipped_share=share, note=note)
    exposures = [longest]
    try:
        for factor in FACTORS[1:]:
            if not source.expose(factor):
                note = f"{share:.1%} of it is too bright, and the camera does not expose shorter"
                return Photograph(pixels_bgr=longest, exposures=(), clipped_share=share, note=note)
            exposures.append(_averaged(source, frames, stills))
    finally:
        source.expose(1.0)
    fused = fuse(exposures)
    return Photograph(pixels_bgr=fused, exposures=tuple(exposures), clipped_share=share)


def clipped_share(pixels_bgr: Pixels) -> float:
    """Give the part of a picture in which some channel is at full white."""
    brightest = cv2.max(cv2.max(pixels_bgr[..., 0], pixels_bgr[..., 1]), pixels_bgr[..., 2])
    return float(np.count_nonzero(brightest >= FULL)) / brightest.size


def fuse(exposures: list[Pixels]) -> Pixels:
    """Fuse exposures of one scene.

    Parameters
    ----------
    exposures : list of ndarray of uint8, shape (H, W, 3)
        All of one size.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)

    References
    ----------
    Mertens, Kautz, Van Reeth: Exposure Fusion, Pacific Graphics 2007, pages 382-390.
    """
    fused = cv2.createMergeMertens().process(list(exposures))
    return np.asarray(np.clip(np.asarray(fused) * 255.0 + 0.5, 0, 255), np.uint8)


def _averaged(source: FrameSource, frames: Iterator[object], count: int) -> Pixels:
    """Average stills; a frame between them keeps files playing and cameras alive."""
    taken = []
    for _ in range(count):
        if next(frames, None) is None:
            break
        taken.append(source.still())
    if not taken:
        raise CameraError(f"{source.name}: gives no pictures")
    return average(taken).pixels_bgr
