"""Finding the board in a photograph, wherever it was pushed and however it was turned.

Coarse: printed features of the taught board matched to the photograph (ORB, Rublee et al. 2011;
where that fails SIFT, Lowe 2004) and a homography by MAGSAC. Fine: hundreds of small patches of the
taught board tracked in the photograph rectified by the coarse pose (pyramidal Lucas-Kanade on
locally normalised pictures), then a robust six-parameter fit. Patches under discs or hands simply
do not agree, and drop out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose, pose_from_points
from sonora_vision.calibrate.rectify import View, rectify
from sonora_vision.errors import UnreadableError

FEATURES = 1200
MIN_INLIERS = 14
"""Coarse matches that must agree. A wrong homography through random matches of 1,200 features
gathers fewer than ten at this tolerance (Lowe 2004, section 7.4, computed for these counts)."""

Gray = NDArray[np.uint8]
Descriptors = NDArray[np.integer[Any] | np.floating[Any]]


@dataclass(frozen=True, kw_only=True)
class Keypoints:
    """Features of the taught board for one detector."""

    points_mm: FloatArray
    """Shape (n, 2), board frame."""
    descriptors: Descriptors
    """Shape (n, d)."""


@dataclass(frozen=True, kw_only=True)
class BoardFeatures:
    """What of the empty board is looked for in a photograph."""

    view: View
    """Frame of the taught picture."""
    gray: Gray
    """Taught picture, grey, shape (height, width)."""
    mask: Gray
    """Mask (255) of its flat part, raised corners and the outside excluded."""
    patches_px: NDArray[np.float32]
    """Corners that are tracked for the fine fit, shape (m, 2), pixels of ``gray``."""
    quick: Keypoints
    """ORB features: a hundredth of a second, enough for most photographs."""
    thorough: Callable[[], Keypoints]
    """SIFT features, made when first asked for: for lamps, hands and busy tables."""

    @cached_property
    def even_gray(self) -> Gray:
        """The taught picture without its light."""
        return normalised(self.gray)


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
    gray = np.asarray(cv2.cvtColor(taught, cv2.COLOR_BGR2GRAY), np.uint8)
    half = np.asarray(
        cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
    )
    mask = cv2.resize(usable, (half.shape[1], half.shape[0]), interpolation=cv2.INTER_NEAREST)

    def keypoints(detect: Detect, picture: Gray) -> Keypoints:
        points, descriptors = detect(picture, np.asarray(mask, np.uint8))
        return Keypoints(points_mm=view.to_mm(points * 2.0 + 0.5), descriptors=descriptors)

    patches = cv2.goodFeaturesToTrack(
        normalised(gray),
        500,
        0.02,
        4.0 * view.px_per_mm,
        mask=cv2.erode(usable, np.ones((9, 9), np.uint8)),
        blockSize=7,
    )
    return BoardFeatures(
        view=view,
        gray=gray,
        mask=usable,
        patches_px=np.asarray([] if patches is None else patches, np.float32).reshape(-1, 2),
        quick=keypoints(_orb, half),
        thorough=cache(lambda: keypoints(_sift, normalised(half))),
    )


def normalised(gray: Gray) -> Gray:
    """Local mean out, local contrast to one scale: what lamps and shadows do is gone."""
    values = gray.astype(np.float32)
    mean = cv2.blur(values, (31, 31))
    centered = values - mean
    # OpenCV's running sums leave a little less than nothing where all is one grey.
    spread = np.sqrt(np.maximum(cv2.blur(centered * centered, (31, 31)), 0.0)) + 4.0
    return np.asarray(cv2.convertScaleAbs(centered / spread, alpha=40.0, beta=128.0), np.uint8)


Detect = Callable[[Gray, Gray], tuple[FloatArray, Descriptors]]


def _orb(gray: Gray, mask: Gray) -> tuple[FloatArray, Descriptors]:
    detector = cv2.ORB.create(nfeatures=FEATURES, scaleFactor=1.3, nlevels=4, fastThreshold=8)
    return _points(*detector.detectAndCompute(gray, mask))


def _sift(gray: Gray, mask: Gray) -> tuple[FloatArray, Descriptors]:
    detector = cv2.SIFT.create(nfeatures=4 * FEATURES, contrastThreshold=0.02)
    return _points(*detector.detectAndCompute(gray, mask))


def _points(
    keypoints: Sequence[cv2.KeyPoint], descriptors: Descriptors | None
) -> tuple[FloatArray, Descriptors]:
    if descriptors is None:
        return np.zeros((0, 2)), np.zeros((0, 32), np.uint8)
    return np.array([k.pt for k in keypoints], np.float64), descriptors


def find_board(
    pixels_bgr: Pixels, lens: Lens, features: BoardFeatures, scale: float
) -> tuple[BoardPose, float]:
    """Find the pose of the taught board in a photograph.

    Parameters
    ----------
    pixels_bgr
        The photograph, shape (height, width, 3).
    lens
        Intrinsics at its size.
    features
        The taught board.
    scale
        Photograph pixels per taught pixel, about.

    Returns
    -------
    (BoardPose, float)
        Pose and root mean square residual of the tracked patches, photograph pixels.

    Raises
    ------
    UnreadableError
        Where the board is not there, or nothing fits well.
    """
    gray = np.asarray(cv2.cvtColor(pixels_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    shrink = 0.5 / scale
    small = np.asarray(
        cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
    )
    reason = "the taught board was not found; is it this board, wholly in view, and sharp?"
    for thorough in (False, True):
        coarse = _coarse_pose(small, lens, features, scale, thorough)
        if coarse is None:
            continue
        try:
            return _refined(gray, coarse, features)
        except UnreadableError as error:
            reason = str(error)
    raise UnreadableError(reason)


def _refined(gray: Gray, pose: BoardPose, features: BoardFeatures) -> tuple[BoardPose, float]:
    fit = float("nan")
    for window in (21, 15):
        seen = normalised(rectify(gray, pose, features.view))
        pose, fit = _fine_pose(pose, features, seen, window)
    return pose, fit


def _coarse_pose(
    small: Gray, lens: Lens, features: BoardFeatures, scale: float, thorough: bool
) -> BoardPose | None:
    if thorough:
        taught = features.thorough()
        points, descriptors = _sift(normalised(small), np.full_like(small, 255))
        pairs = _matched(taught.descriptors, descriptors, cv2.NORM_L2, 1e9)
    else:
        taught = features.quick
        points, descriptors = _orb(small, np.full_like(small, 255))
        pairs = _matched(taught.descriptors, descriptors, cv2.NORM_HAMMING, 64)
    if len(pairs) < MIN_INLIERS:
        return None
    board_mm = taught.points_mm[pairs[:, 0]]
    image_px = (points[pairs[:, 1]] + 0.5) * (2.0 * scale) - 0.5
    flat = cv2.undistortPoints(
        image_px.reshape(-1, 1, 2), lens.matrix, lens.distortion, P=lens.matrix
    )
    cv2.setRNGSeed(1)
    _, inliers = cv2.findHomography(
        board_mm, flat, cv2.USAC_MAGSAC, 3.0 * scale, maxIters=3000, confidence=0.999
    )
    if inliers is None or inliers.sum() < MIN_INLIERS:
        return None
    good = inliers.ravel() > 0
    return pose_from_points(lens, board_mm[good], image_px[good])


def _matched(taught: Descriptors, seen: Descriptors, norm: int, limit: float) -> NDArray[np.int_]:
    """Pairs of features that are each other's nearest, shape (n, 2)."""
    if len(taught) < MIN_INLIERS or len(seen) < MIN_INLIERS:
        return np.zeros((0, 2), np.int_)
    matches = cv2.BFMatcher(norm, crossCheck=True).match(taught, seen)
    return np.array(
        [(m.queryIdx, m.trainIdx) for m in matches if m.distance < limit], np.int_
    ).reshape(-1, 2)


def _fine_pose(
    pose: BoardPose,
    features: BoardFeatures,
    seen: NDArray[np.uint8],
    window: int,
) -> tuple[BoardPose, float]:
    start = features.patches_px.reshape(-1, 1, 2)
    moved, status, _ = cv2.calcOpticalFlowPyrLK(
        features.even_gray,
        seen,
        start,
        start.copy(),
        winSize=(window, window),
        maxLevel=2,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.01),
    )
    ok = status.ravel() > 0
    where_mm = features.view.to_mm(np.asarray(moved, np.float64).reshape(-1, 2)[ok])
    board_mm = features.view.to_mm(features.patches_px[ok])
    image_px = pose.project(where_mm)
    keep = np.linalg.norm(where_mm - board_mm, axis=1) < 6.0
    fit = float("nan")
    for limit in (4.0, 1.5, 0.8, 0.6):
        if keep.sum() < 12:
            break
        better = pose_from_points(pose.lens, board_mm[keep], image_px[keep], start=pose)
        if better is None:
            break
        pose = better
        errors = np.linalg.norm(pose.project(board_mm) - image_px, axis=1)
        keep = errors < max(limit, 2.5 * float(np.median(errors[keep])) if limit > 0.6 else limit)
        if keep.any():
            fit = float(np.sqrt((errors[keep] ** 2).mean()))
    if keep.sum() < 12:
        raise UnreadableError(
            f"the board was found, but only {int(keep.sum())} of its printed details fit (expected "
            "12 or more): is it covered, blurred, or another board?"
        )
    return pose, fit
