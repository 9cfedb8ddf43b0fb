"""Finding the board in a photograph, wherever it was pushed and however it was turned.

Coarse: printed features of the taught board matched to the photograph (ORB, Rublee et al. 2011;
where that fails SIFT, Lowe 2004) and a homography by MAGSAC. Fine: hundreds of small patches of the
taught board tracked in the photograph rectified by the coarse pose (pyramidal Lucas-Kanade on
locally normalised pictures), then a robust six-parameter fit. Patches under discs or hands simply
do not agree, and drop out. That is done at half the taught scale; where the patches then are, they
are aligned once more with the photograph itself, in all its detail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_features import (
    NEAR_PX,
    WIDE_PX,
    BoardFeatures,
    Gray,
    Signs,
    normalised,
    orb,
    sift,
)
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.patches import aligned
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose, pose_from_points
from sonora_vision.calibrate.rectify import rectify
from sonora_vision.errors import UnreadableError

MIN_INLIERS = 14
"""Coarse matches that must agree. A wrong homography through random matches of so many features
gathers fewer than ten at this tolerance (Lowe 2004, section 7.4, computed for these counts)."""


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
    small = _shrunk(gray, 0.5 / scale)
    reason = "the taught board was not found; is it this board, wholly in view, and sharp?"
    best: _Fit | None = None
    for thorough in (False, True):
        coarse = _coarse_pose(small, lens, features, scale, thorough)
        if coarse is None:
            continue
        try:
            found = _refined(gray, coarse, features)
        except UnreadableError as error:
            reason = str(error)
            continue
        best = found if best is None or found.kept > best.kept else best
        if best.kept >= USUAL_SHARE * len(features.patches_px):
            break
    if best is None:
        raise UnreadableError(reason)
    best = _polished(gray, best, features)
    return best.pose, best.fit_px


USUAL_SHARE = 0.5
"""Part of the tracked patches that fit in a good picture, under twenty discs and a hand. Where
fewer do, the board may have been laid where some of them fit by chance: it is looked for again,
thoroughly, and lies where more fit."""


@dataclass(frozen=True, kw_only=True)
class _Fit:
    """A pose, how well the patches fit that it was made of (rms), and how many did."""

    pose: BoardPose
    fit_px: float
    kept: int


def _shrunk(gray: Gray, shrink: float) -> Gray:
    """Reduce a picture: by halves as often as it goes, which is quick, and a little more."""
    while shrink <= 0.5:
        gray = np.asarray(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        shrink *= 2
    return np.asarray(cv2.resize(gray, None, fx=shrink, fy=shrink), np.uint8)


def _refined(gray: Gray, pose: BoardPose, features: BoardFeatures) -> _Fit:
    corners = features.view.corners_mm
    for _ in range(MOST_PASSES):
        seen = normalised(rectify(gray, pose, features.view), NEAR_PX)
        rough = pose
        found = _fine_pose(pose, features, seen)
        pose = found.pose
        if np.abs(pose.project(corners) - rough.project(corners)).max() < SETTLED_PX:
            return found
    raise UnreadableError(
        "the board was found, but its printed details disagree on where it lies: is it covered, "
        "blurred, or another board?"
    )


MOST_PASSES = 6
"""Two are usual. Where details of one side alone fitted at first it takes several, and until then
their small residual says nothing about the other side."""
SETTLED_PX = 8.0
"""Tracked again from a pose that moved less than this, patches move a thirtieth of a pixel."""


def _coarse_pose(
    small: Gray, lens: Lens, features: BoardFeatures, scale: float, thorough: bool
) -> BoardPose | None:
    if thorough:
        taught = features.thorough()
        points, signs = sift(normalised(small, WIDE_PX), None)
        pairs = _matched(taught.signs, signs, cv2.NORM_L2, 1e9)
    else:
        taught = features.quick
        points, signs = orb(small, None)
        pairs = _matched(taught.signs, signs, cv2.NORM_HAMMING, 64)
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


def _matched(taught: Signs, seen: Signs, norm: int, limit: float) -> NDArray[np.int_]:
    """Pairs of features that are like each other and turned alike, shape (n, 2)."""
    if not len(taught.descriptors) or not len(seen.descriptors):
        return np.zeros((0, 2), np.int_)
    kind = cv2.CV_32S if norm == cv2.NORM_HAMMING else cv2.CV_32F
    apart, its = (
        np.asarray(each).ravel()
        for each in cv2.batchDistance(
            taught.descriptors, seen.descriptors, kind, normType=norm, K=1
        )
    )
    # Of those to whom one seen feature is the nearest, the nearest.
    mine = np.argsort(apart, kind="stable")
    mine = mine[apart[mine] < limit]
    its, first = np.unique(its[mine], return_index=True)
    joined = np.column_stack([mine[first], its])
    turns = seen.angle_deg[joined[:, 1]] - taught.angle_deg[joined[:, 0]]
    return np.asarray(joined[_alike(turns)], np.int_)


ALIKE_DEG = 20.0
"""Features of a board that is turned, and a little tilted, are all turned by about as much."""


def _alike(turns_deg: FloatArray) -> NDArray[np.bool_]:
    """Which turns are the most frequent one."""
    tried = np.arange(0.0, 360.0, 10.0)
    near = np.abs((turns_deg - tried[:, None] + 180.0) % 360.0 - 180.0) < ALIKE_DEG
    return np.asarray(near[near.sum(axis=1).argmax()], np.bool_)


WINDOW_PX = (11, 11)


def _fine_pose(
    pose: BoardPose,
    features: BoardFeatures,
    seen: NDArray[np.uint8],
) -> _Fit:
    start = features.patches_px.reshape(-1, 1, 2)
    moved, status, _ = cv2.calcOpticalFlowPyrLK(
        features.even_gray,
        seen,
        start,
        start.copy(),
        winSize=WINDOW_PX,
        maxLevel=1,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.01),
    )
    ok = status.ravel() > 0
    where_mm = features.view.to_mm(np.asarray(moved, np.float64).reshape(-1, 2)[ok])
    board_mm = features.view.to_mm(features.patches_px[ok])
    keep = np.linalg.norm(where_mm - board_mm, axis=1) < 6.0
    fit = _fitted(pose, board_mm, pose.project(where_mm), keep, (4.0, 1.5, 0.6))
    if fit.kept < FEWEST:
        raise UnreadableError(
            f"the board was found, but only {fit.kept} of its printed details fit (expected 12 or "
            "more): is it covered, blurred, or another board?"
        )
    return fit


FEWEST = 12
"""Patches that must fit; the text of the error says it too, for its translations."""


def _polished(gray: Gray, rough: _Fit, features: BoardFeatures) -> _Fit:
    """Fit the patches as the photograph shows them, in all its detail."""
    image_px, moved, likeness = aligned(gray, rough.pose, features.patches)
    keep = (likeness > LIKE_TAUGHT) & (moved < MOST_MOVED_PX)
    fit = _fitted(rough.pose, features.patches.places_mm, image_px, keep, (1.5, 0.6))
    return rough if fit.kept < FEWEST else fit


LIKE_TAUGHT = 0.6
"""Correlation of a patch that nothing hides with the taught one."""
MOST_MOVED_PX = 4.0
"""Farther from the rough pose than this, pixels of the taught picture, is another detail."""


def _fitted(
    pose: BoardPose,
    board_mm: FloatArray,
    image_px: FloatArray,
    keep: NDArray[np.bool_],
    limits: Sequence[float],
) -> _Fit:
    """Fit a pose to the pairs that agree within narrowing limits, photograph pixels."""
    usable, fit = keep, float("nan")
    for limit in limits:
        if keep.sum() < FEWEST:
            break
        better = pose_from_points(pose.lens, board_mm[keep], image_px[keep], start=pose)
        if better is None:
            break
        pose = better
        errors = np.linalg.norm(pose.project(board_mm) - image_px, axis=1)
        if limit != limits[-1]:
            limit = max(limit, 2.5 * float(np.median(errors[keep])))
        keep = usable & (errors < limit)
        if keep.any():
            fit = float(np.sqrt((errors[keep] ** 2).mean()))
    return _Fit(pose=pose, fit_px=fit, kept=int(keep.sum()))
