"""The distortion of a lens that nobody calibrated, told by the board's sides: they are straight."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from scipy.optimize import least_squares

from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.propose.lines import robust_line
from sonora_vision.calibrate.propose.outline import (
    distorted,
    side_edges,
    undistorted,
)


def straighten(pixels_bgr: Pixels, lens: Lens) -> Lens:
    """Give a lens that nobody calibrated the distortion in which the board's sides are straight.

    Parameters
    ----------
    pixels_bgr
        Picture of the empty board, shape (height, width, 3).
    lens
        A usual lens for its size, without distortion.

    Returns
    -------
    Lens
        The same where no four-sided board stands out, or its sides do not tell.

    Notes
    -----
    The plumb-line method (Brown, Photogrammetric Engineering 37, 1971), on four lines.
    """
    best = lens
    for _ in range(_PASSES):
        edges = side_edges(undistorted(pixels_bgr, best))
        if edges is None:
            return lens
        bends = [_straight_bend(distorted(edge, best), lens) for edge in edges]
        # Of four sides one may be a shadow's or a plank's.
        bend = float(np.median(bends))
        if abs(bend) > _MOST_BEND:
            return lens
        best = replace(lens, distortion=np.array([bend, 0, 0, 0, 0], np.float64))
    return best


_PASSES = 2
"""What is bent strongly is found better once it is nearly straight."""
_EDGE_PX = 0.1
"""How well an edge is known all along; its points stray more, but neighbours stray alike."""
_USUAL_BEND = 0.15
"""First radial coefficient that cameras have, one sigma."""
_MOST_BEND = 0.35


def _straight_bend(edge_px: FloatArray, lens: Lens) -> float:
    """Distortion in which the points of one edge lie straight."""
    size = lens.size_px[0] / 1640

    def believed(bend: FloatArray) -> FloatArray:
        bent = replace(lens, distortion=np.array([bend[0], 0, 0, 0, 0], np.float64))
        strays = _from_straight(edge_px, bent) / size
        told = strays / (_EDGE_PX * np.sqrt(len(strays)))
        return np.concatenate([told, bend / _USUAL_BEND])

    return float(least_squares(believed, np.zeros(1), diff_step=1e-3, x_scale=0.1).x[0])


def _from_straight(points_px: FloatArray, lens: Lens) -> FloatArray:
    """How far points are from the straight line through most of them, without the distortion."""
    points = cv2.undistortPoints(
        points_px.reshape(-1, 1, 2), lens.matrix, lens.distortion, None, lens.matrix
    ).reshape(-1, 2)
    direction = points[-1] - points[0]
    direction = direction / np.linalg.norm(direction)
    middle = points - points.mean(axis=0)
    x, y = middle @ direction, middle @ np.array([direction[1], -direction[0]])
    x /= np.abs(x).max()
    slope, height = robust_line(x, y)
    return np.asarray(np.clip(y - slope * x - height, -2.0, 2.0), np.float64)
