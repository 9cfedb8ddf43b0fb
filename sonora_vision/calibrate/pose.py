"""Where the board is: the transform between the board frame and one picture.

Every transform of the project between millimetres and pixels is a :class:`BoardPose`. Heights are
in millimetres above the board's surface, positive towards the camera (the board frame's z axis
points away from it, into the table).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray, Lens


@dataclass(frozen=True, kw_only=True)
class BoardPose:
    """Pose of the board in one picture: board frame to camera frame, and the lens."""

    lens: Lens
    rotation: FloatArray
    """Rotation vector (Rodrigues), shape (3,)."""
    translation: FloatArray
    """Board origin in the camera frame, shape (3,), millimetres."""

    def project(
        self, points_mm: NDArray[np.floating], height_mm: float | FloatArray = 0.0
    ) -> FloatArray:
        """Map board points to the image.

        Parameters
        ----------
        points_mm
            Shape (n, 2), board frame.
        height_mm
            Height above the board, one for all or one a point.

        Returns
        -------
        ndarray of float64, shape (n, 2)
            Image pixels.
        """
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        spatial = np.column_stack([points, np.broadcast_to(-np.asarray(height_mm), len(points))])
        image, _ = cv2.projectPoints(
            spatial, self.rotation, self.translation, self.lens.matrix, self.lens.distortion
        )
        return np.asarray(image, np.float64).reshape(-1, 2)

    def to_board(self, points_px: NDArray[np.floating], height_mm: float = 0.0) -> FloatArray:
        """Map image points to the board plane, or to a plane parallel to it.

        Parameters
        ----------
        points_px
            Shape (n, 2), image pixels.
        height_mm
            Height of the plane above the board.

        Returns
        -------
        ndarray of float64, shape (n, 2)
            Board millimetres.
        """
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(points, self.lens.matrix, self.lens.distortion).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.matrix
        center = self.camera_mm
        reach = (center[2] - height_mm) / directions[:, 2]
        return np.asarray(center[:2] + reach[:, None] * directions[:, :2], np.float64)

    @cached_property
    def matrix(self) -> FloatArray:
        """Rotation matrix, board to camera frame, shape (3, 3)."""
        return np.asarray(cv2.Rodrigues(self.rotation)[0], np.float64)

    @cached_property
    def camera_mm(self) -> FloatArray:
        """Camera centre: board x, y, and height above the board, shape (3,), millimetres."""
        center = -self.matrix.T @ self.translation
        return np.array([center[0], center[1], -center[2]])

    def px_per_mm(self, at_mm: FloatArray, height_mm: float = 0.0) -> float:
        """Return how many pixels a millimetre at a place has, along the board's x axis.

        Parameters
        ----------
        at_mm
            Shape (2,).
        height_mm
            Of the place above the board.
        """
        step = np.array([20.0, 0.0])
        ends = self.project(np.array([at_mm - step, at_mm + step]), height_mm)
        return float(np.linalg.norm(ends[1] - ends[0])) / 40.0

    def turned_from(self, other: BoardPose) -> float:
        """Return how far the board is turned from ``other``, clockwise as seen, 0 up to 360 deg."""
        relative = self.matrix[:2, 0], other.matrix[:2, 0]
        here, there = (float(np.degrees(np.arctan2(v[1], v[0]))) for v in relative)
        return (here - there) % 360.0


def pose_from_points(
    lens: Lens,
    points_mm: NDArray[np.floating],
    points_px: NDArray[np.floating],
    height_mm: float | FloatArray = 0.0,
    start: BoardPose | None = None,
) -> BoardPose | None:
    """Fit a pose to point pairs by least squares of the reprojection error.

    Parameters
    ----------
    points_mm, points_px
        Shapes (n, 2) and (n, 2), n at least 4; board and image.
    height_mm
        Heights of the points above the board.
    start
        A pose near the solution; without it, a planar solution is found first.

    Returns
    -------
    BoardPose or None
        None where the points determine no pose in front of the camera.
    """
    points = np.asarray(points_mm, np.float64).reshape(-1, 2)
    spatial = np.column_stack([points, np.broadcast_to(-np.asarray(height_mm), len(points))])
    image = np.asarray(points_px, np.float64).reshape(-1, 2)
    pose = None if start is None else _stepped(start, spatial, image)
    if pose is None:
        pose = _solved(lens, spatial, image, start)
    return pose if pose is not None and pose.camera_mm[2] > 0 else None


def _solved(
    lens: Lens, spatial: FloatArray, image: FloatArray, start: BoardPose | None
) -> BoardPose | None:
    """Fit by OpenCV's solver, from wherever."""
    ok, found, moved = cv2.solvePnP(
        spatial,
        image,
        lens.matrix,
        lens.distortion,
        np.zeros(3) if start is None else start.rotation.copy(),
        np.zeros(3) if start is None else start.translation.copy(),
        useExtrinsicGuess=start is not None,
        flags=cv2.SOLVEPNP_ITERATIVE,
    )
    rotation, translation = (np.asarray(each, np.float64).ravel() for each in (found, moved))
    if not ok or not np.isfinite(translation).all():
        return None
    return BoardPose(lens=lens, rotation=rotation, translation=translation)


def _stepped(start: BoardPose, spatial: FloatArray, image: FloatArray) -> BoardPose | None:
    """Fit by a few steps of Gauss and Newton, which near the solution take half the time."""
    pose = start
    for _ in range(MOST_STEPS):
        seen, slopes = cv2.projectPoints(
            spatial, pose.rotation, pose.translation, pose.lens.matrix, pose.lens.distortion
        )
        by_pose = np.asarray(slopes[:, :6], np.float64)
        missed = (image - np.asarray(seen).reshape(-1, 2)).ravel()
        try:
            step = np.linalg.solve(by_pose.T @ by_pose, by_pose.T @ missed)
        except np.linalg.LinAlgError:
            return None
        pose = replace(
            pose, rotation=pose.rotation + step[:3], translation=pose.translation + step[3:]
        )
        if np.abs(by_pose @ step).max() < SETTLED_PX:
            return pose
    return None


MOST_STEPS = 5
SETTLED_PX = 0.003
"""A step that moves no point farther is the last one: the next would be its square."""
