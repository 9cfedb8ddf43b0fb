"""The plane of a board that nobody has measured yet: from what is known to be square or round.

Four corners are taken for a rectangle's, six or more for those of a shape whose opposite sides are
parallel, and printed circles for round; the plane's tilt is the one in which all come out true. One
real length gives the scale.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from scipy.optimize import least_squares

from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.pose import BoardPose, pose_from_points

_LEANING = 0.02
"""Sine by which opposite sides may lean, their plane found; beyond it they are not parallel."""
_TILT_SIGMA = 0.3
"""Tangent of the tilt that a camera above a table has, where nothing else tells."""


def board_plane(
    lens: Lens, corners_px: FloatArray, first_side_mm: float, rims_px: Sequence[FloatArray] = ()
) -> tuple[BoardPose, FloatArray]:
    """Find the pose of a board and the size of its outline.

    Parameters
    ----------
    lens
        Intrinsics of the picture.
    corners_px
        Corners of the outline in the image, clockwise, shape (n, 2).
    first_side_mm
        Length of the side from the first to the second corner.
    rims_px
        Points on rims of printed circles, each of shape (m, 2), m at least 6.

    Returns
    -------
    (BoardPose, ndarray of float64, shape (n, 2))
        The pose; the outline in the board frame, whose origin is the first corner and whose x
        axis runs along the first side.
    """
    corners = _rays(lens, corners_px)
    rims = [_rays(lens, rim) for rim in rims_px]

    paired = len(corners) >= 6 and len(corners) % 2 == 0

    def misses(tilt: FloatArray) -> FloatArray:
        parts = [tilt / _TILT_SIGMA * 1e-3]
        if len(corners) == 4:
            parts.append(_cosines(_on_plane(corners, tilt)))
        if paired:
            parts.append(_leaning(_on_plane(corners, tilt)))
        for rim in rims:
            parts.append(_roundness(_on_plane(rim, tilt)) / np.sqrt(len(rim)))
        return np.concatenate(parts)

    tilt = np.asarray(least_squares(misses, np.zeros(2)).x, np.float64)
    if paired and np.abs(_leaning(_on_plane(corners, tilt))).max() > _LEANING:
        paired = False
        tilt = np.asarray(least_squares(misses, np.zeros(2)).x, np.float64)
    points = _on_plane(corners, tilt)
    scale = first_side_mm / float(np.linalg.norm(points[1] - points[0]))
    away = np.append(tilt, 1.0) / np.linalg.norm(np.append(tilt, 1.0))
    along = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    axes = np.column_stack([along, np.cross(away, along), away])
    pose = BoardPose(
        lens=lens,
        rotation=np.asarray(cv2.Rodrigues(axes)[0], np.float64).ravel(),
        translation=points[0] * scale,
    )
    outline = np.asarray((points - points[0]) @ axes[:, :2] * scale, np.float64)
    if len(outline) != 4:
        return pose, outline
    # What is left of the corners' errors is spread over a true rectangle.
    height = float(outline[2:, 1].mean())
    true = np.array([[0.0, 0.0], [first_side_mm, 0.0], [first_side_mm, height], [0.0, height]])
    better = pose_from_points(lens, true, corners_px, start=pose)
    return (pose, outline) if better is None else (better, true)


def _rays(lens: Lens, points_px: FloatArray) -> FloatArray:
    flat = cv2.undistortPoints(
        np.asarray(points_px, np.float64).reshape(-1, 1, 2), lens.matrix, lens.distortion
    ).reshape(-1, 2)
    return np.column_stack([flat, np.ones(len(flat))])


def _on_plane(rays: FloatArray, tilt: FloatArray) -> FloatArray:
    """Where rays meet the plane at distance 1 whose normal leans by ``tilt``."""
    return np.asarray(rays / (rays @ np.append(tilt, 1.0))[:, None], np.float64)


def _cosines(corners: FloatArray) -> FloatArray:
    sides = np.roll(corners, -1, axis=0) - corners
    sides /= np.linalg.norm(sides, axis=1)[:, None]
    return np.asarray((sides * np.roll(sides, -1, axis=0)).sum(axis=1), np.float64)


def _leaning(corners: FloatArray) -> FloatArray:
    """Sines between opposite sides, and cosines of those a quarter apart where there are such."""
    sides = np.roll(corners, -1, axis=0) - corners
    sides /= np.linalg.norm(sides, axis=1)[:, None]
    half = len(sides) // 2
    parts = [np.linalg.norm(np.cross(sides[:half], sides[half:]), axis=1)]
    if len(sides) % 4 == 0:
        parts.append((sides * np.roll(sides, half // 2, axis=0)).sum(axis=1))
    return np.concatenate(parts)


def _roundness(rim: FloatArray) -> FloatArray:
    """Relative departure of each point from the circle through all (Kasa's linear fit)."""
    middle = rim.mean(axis=0)
    _, _, axes = np.linalg.svd(rim - middle, full_matrices=False)
    flat = (rim - middle) @ axes[:2].T
    terms = np.column_stack([flat, np.ones(len(flat))])
    fit, *_ = np.linalg.lstsq(terms, np.square(flat).sum(axis=1), rcond=None)
    radii = np.linalg.norm(flat - fit[:2] / 2, axis=1)
    return np.asarray(radii / radii.mean() - 1.0, np.float64)
