"""What of the taught board is looked for in photographs, and how features are told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.patches import Patches, cut_patches
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.rectify import View

FEATURES = 600

Gray = NDArray[np.uint8]
Descriptors = NDArray[np.integer[Any] | np.floating[Any]]


@dataclass(frozen=True, kw_only=True)
class Signs:
    """What features are told apart by."""

    descriptors: Descriptors
    """Shape (n, d)."""
    angle_deg: FloatArray
    """Which way each is turned, clockwise as seen, shape (n,)."""


@dataclass(frozen=True, kw_only=True)
class Keypoints:
    """Features of the taught board for one detector."""

    points_mm: FloatArray
    """Shape (n, 2), board frame."""
    signs: Signs


@dataclass(frozen=True, kw_only=True)
class BoardFeatures:
    """What of the empty board is looked for in a photograph."""

    view: View
    """Frame of the taught picture at half its scale."""
    even_gray: Gray
    """Taught picture there without its light, shape (height, width)."""
    patches_px: NDArray[np.float32]
    """Corners that are tracked for the fine fit, shape (m, 2), pixels of ``view``."""
    patches: Patches
    """The same at the full scale, for the last step."""
    quick: Keypoints
    """ORB features: a hundredth of a second, enough for most photographs."""
    thorough: Callable[[], Keypoints]
    """SIFT features, made when first asked for: for lamps, hands and busy tables."""


def board_features(taught: Pixels, view: View, usable: Gray) -> BoardFeatures:
    """Choose the features of the taught board.

    Parameters
    ----------
    taught
        The rectified empty board.
    view
        Its frame.
    usable
        Mask (255) of what is flat.
    """
    half = view.reduced(2)
    even_sides = np.s_[: 2 * half.size_px[1], : 2 * half.size_px[0]]
    full_gray = np.asarray(cv2.cvtColor(taught, cv2.COLOR_BGR2GRAY), np.uint8)
    gray = _resized(full_gray[even_sides], half.size_px, cv2.INTER_AREA)
    mask = _resized(usable[even_sides], half.size_px, cv2.INTER_NEAREST)
    even_gray = normalised(gray, NEAR_PX)

    def keypoints(detect: Detect, picture: Gray) -> Keypoints:
        points, signs = detect(picture, mask)
        return Keypoints(points_mm=half.to_mm(points), signs=signs)

    corners = cv2.goodFeaturesToTrack(
        even_gray,
        350,
        0.02,
        4.0 * half.px_per_mm,
        mask=cv2.erode(mask, np.ones((5, 5), np.uint8)),
        blockSize=7,
    )
    patches_px = np.asarray([] if corners is None else corners, np.float32).reshape(-1, 2)
    return BoardFeatures(
        view=half,
        even_gray=even_gray,
        patches_px=patches_px,
        patches=cut_patches(full_gray, view, half.to_mm(patches_px)),
        quick=keypoints(orb, gray),
        thorough=cache(lambda: keypoints(sift, normalised(gray, WIDE_PX))),
    )


def _resized(picture: cv2.typing.MatLike, size_px: tuple[int, int], how: int) -> Gray:
    return np.asarray(cv2.resize(picture, size_px, interpolation=how), np.uint8)


def normalised(gray: Gray, near_px: int) -> Gray:
    """Local mean out, local contrast to one scale: what lamps and shadows do is gone."""
    mean = cv2.boxFilter(gray, cv2.CV_32F, (near_px, near_px))
    # OpenCV's running sums leave a little less than nothing where all is one grey.
    square = np.maximum(cv2.sqrBoxFilter(gray, cv2.CV_32F, (near_px, near_px)) - mean * mean, 0.0)
    centered = cv2.subtract(gray, mean, dtype=cv2.CV_32F)
    even = cv2.divide(centered, cv2.sqrt(square) + np.float32(4.0))
    return np.asarray(cv2.convertScaleAbs(even, alpha=40.0, beta=128.0), np.uint8)


NEAR_PX, WIDE_PX = 11, 31
"""Neighborhoods that light is even in: of patches, and of SIFT's features, which are larger."""
Detect = Callable[[Gray, Gray | None], tuple[FloatArray, Signs]]


def orb(gray: Gray, mask: Gray | None) -> tuple[FloatArray, Signs]:
    """Find features quickly: their places, pixels, and signs."""
    # The scale is known, so that one level is enough.
    detector = cv2.ORB.create(nfeatures=FEATURES, nlevels=1, fastThreshold=12)
    return _points(*detector.detectAndCompute(gray, mask))


def sift(gray: Gray, mask: Gray | None) -> tuple[FloatArray, Signs]:
    """Find features that bear more, slowly."""
    detector = cv2.SIFT.create(nfeatures=8 * FEATURES, contrastThreshold=0.02)
    return _points(*detector.detectAndCompute(gray, mask))


def _points(
    keypoints: Sequence[cv2.KeyPoint], descriptors: Descriptors | None
) -> tuple[FloatArray, Signs]:
    signs = Signs(
        descriptors=np.zeros((0, 32), np.uint8) if descriptors is None else descriptors,
        angle_deg=np.array([k.angle for k in keypoints], np.float64),
    )
    points = cv2.KeyPoint.convert(keypoints)
    return np.asarray(points, np.float64).reshape(-1, 2), signs
