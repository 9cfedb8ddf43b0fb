"""Small patches of the taught board, aligned with a photograph at its full detail.

Each patch is compared with the photograph itself where a pose puts it, both without their local
brightness and contrast; the shift that explains the difference follows from the taught slopes
(Baker and Matthews 2004, inverse compositional Lucas-Kanade). All patches move at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.rectify import View

Floats = NDArray[np.float32]

REACH_PX = 8
"""Half the side of a patch, pixels of the taught picture."""
STEPS = 2
FLAT = 2.0
"""Grey levels added to a contrast: where there is none, noise is not made one."""
_AXIS = np.arange(-REACH_PX, REACH_PX + 1, dtype=np.float32)
_PIXELS = np.stack([axis.ravel() for axis in np.meshgrid(_AXIS, _AXIS)])


@dataclass(frozen=True, kw_only=True)
class Patches:
    """What is known of the patches."""

    places_mm: FloatArray
    """Their middles in the board frame, shape (n, 2)."""
    even: Floats
    """Their pixels without brightness and contrast, shape (n, k)."""
    to_shift: Floats
    """What turns a difference of pixels into a shift, pixels of the taught picture, (n, 2, k)."""
    px_per_mm: float
    """Scale of the taught picture."""


def cut_patches(gray: Pixels, view: View, places_mm: FloatArray) -> Patches:
    """Cut patches out of the taught picture.

    Parameters
    ----------
    gray, view
        The taught picture, shape (h, w), and its frame.
    places_mm
        Middles of the patches, shape (n, 2).
    """
    x, y = np.moveaxis(view.to_px(places_mm)[:, :, None] + _PIXELS, 1, 0).astype(np.float32)
    slopes = (cv2.Sobel(gray, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    pixels, across, along = (
        np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), np.float32)
        for picture in (gray, *slopes)
    )
    even, contrast = _evened(pixels)
    slope = np.stack([(each - _mean(each)) / contrast for each in (across, along)], axis=1)
    square = slope @ slope.transpose(0, 2, 1) + 1e-3 * np.eye(2, dtype=np.float32)
    return Patches(
        places_mm=places_mm,
        even=even,
        to_shift=np.asarray(np.linalg.inv(square) @ slope, np.float32),
        px_per_mm=view.px_per_mm,
    )


def aligned(gray: Pixels, pose: BoardPose, patches: Patches) -> tuple[FloatArray, Floats, Floats]:
    """Find the patches in a photograph, near where a pose puts them.

    Parameters
    ----------
    gray
        The photograph, shape (h, w).
    pose
        Off by a pixel or two at the most.
    patches
        What is looked for.

    Returns
    -------
    places : ndarray of float64, shape (n, 2)
        Pixels of the photograph.
    moved : ndarray of float32, shape (n,)
        How far they are from where the pose puts them, pixels of the taught picture.
    likeness : ndarray of float32, shape (n,)
        1 where they look as they were taught.
    """
    middles, frames = _frames(pose, patches)
    times = max(1, int(np.median(np.linalg.norm(frames[:, :, 0], axis=1))))
    if times > 1:
        # Of a photograph of much more detail nothing may be passed over.
        size = (gray.shape[1] // times, gray.shape[0] // times)
        crop = gray[: size[1] * times, : size[0] * times]
        gray = np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_AREA), np.uint8)
    within = (frames.reshape(-1, 2) @ _PIXELS).reshape(len(frames), 2, -1) / np.float32(times)
    shift = np.zeros((len(middles), 2, 1), np.float32)
    for _ in range(STEPS):
        moved = (middles[:, :, None] + frames @ shift + 0.5) / np.float32(times) - np.float32(0.5)
        x, y = np.moveaxis(within + moved, 1, 0)
        seen = cv2.remap(gray, x, y, cv2.INTER_LINEAR)
        even, _ = _evened(seen.astype(np.float32))
        shift -= patches.to_shift @ (even - patches.even)[:, :, None]
    places = middles + (frames @ shift)[..., 0]
    likeness = _mean(even * patches.even)[:, 0]
    return np.asarray(places, np.float64), np.abs(shift).max(axis=(1, 2)), likeness


def _frames(pose: BoardPose, patches: Patches) -> tuple[Floats, Floats]:
    """Where patches are in the photograph, (n, 2), and what a shift of one pixel does there."""
    step = REACH_PX / patches.px_per_mm
    cross = np.array([[0.0, 0.0], [step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]])
    points = (patches.places_mm[:, None] + cross).reshape(-1, 2)
    middle, right, left, down, up = np.moveaxis(
        pose.project(points).astype(np.float32).reshape(-1, 5, 2), 1, 0
    )
    frames = np.stack([right - left, down - up], axis=2) / np.float32(2 * REACH_PX)
    return middle, np.asarray(frames, np.float32)


def _evened(pixels: Floats) -> tuple[Floats, Floats]:
    """Take mean and contrast off rows of pixels; return the contrast too, shape (n, 1)."""
    centered = pixels - _mean(pixels)
    contrast = np.sqrt(_mean(centered * centered)) + np.float32(FLAT)
    return np.asarray(centered / contrast, np.float32), np.asarray(contrast, np.float32)


def _mean(rows: Floats) -> Floats:
    return np.asarray(cv2.reduce(rows, 1, cv2.REDUCE_AVG), np.float32)
