"""Where the board's edge, raised corners and hole appear through the plane of the discs' tops.

All return masks of a view of that plane. The camera looks through it at the board from a finite
height, so that what lies there is drawn towards the point under the camera.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.rectify import View
from sonora_vision.calibrate.taught import COARSE, DISC_PX, TaughtBoard

Mask = NDArray[np.bool_]

BAND = 0.45
"""Width of the bands along edges, in radii of a disc: as far as parallax can carry them."""


def hole(pose: BoardPose, view: View, taught: TaughtBoard, height_mm: float) -> Mask:
    """Where the hole is, its rim too."""
    mask = _empty(view)
    if taught.hole_mm is not None:
        at = _through(np.array([taught.hole_mm[:2]]), pose, height_mm)
        column, row = np.round(view.to_px(at)[0]).astype(int)
        radius = taught.hole_mm[2] * _shrink(pose, height_mm) * view.px_per_mm * 1.05
        cv2.circle(mask, (int(column), int(row)), round(radius), 1, -1)
    return mask.view(np.bool_)


def edges(pose: BoardPose, view: View, taught: TaughtBoard, height_mm: float) -> Mask:
    """Bands along the outline and around raised corners."""
    mask = _empty(view)
    width = max(3, round(DISC_PX / COARSE * BAND))
    for polygon in (taught.outline_mm, *taught.raised_mm):
        points = view.to_px(_through(polygon, pose, height_mm))
        cv2.polylines(mask, [np.round(points).astype(np.int32)], True, 1, width)
    return mask.view(np.bool_)


def raised(pose: BoardPose, view: View, taught: TaughtBoard, height_mm: float) -> Mask:
    """Where raised corners are."""
    mask = _empty(view)
    for polygon in taught.raised_mm:
        points = view.to_px(_through(polygon, pose, height_mm))
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 1)
    return mask.view(np.bool_)


def _empty(view: View) -> NDArray[np.uint8]:
    return np.zeros((view.size_px[1], view.size_px[0]), np.uint8)


def _through(points_mm: FloatArray, pose: BoardPose, height_mm: float) -> FloatArray:
    """Points of the raised plane in which points of the board are seen."""
    under = pose.camera_mm[:2]
    return np.asarray(under + (points_mm - under) * _shrink(pose, height_mm), np.float64)


def _shrink(pose: BoardPose, height_mm: float) -> float:
    return 1.0 - height_mm / float(pose.camera_mm[2])
