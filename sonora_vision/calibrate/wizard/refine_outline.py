"""A proposed outline moved onto the board's edge, which is straight between raised corners."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.propose.board_edge import edge_costs
from sonora_vision.calibrate.propose.lines import meet
from sonora_vision.calibrate.propose.plane import board_plane
from sonora_vision.calibrate.rectify import rectify, view_around

_SIDE_MM = 400.0
"""What the first side is taken for while nobody has told its length."""
_MIDDLE = (0.27, 0.73)
"""Raised corners stand out from the board's edge; between them it is seen as it is."""
_PLACES, _NEIGHBOURS = 15, 4
"""Places along a side; each is the median of neighbours, so that decoration goes."""
_REACHES_MM = (3.0, 1.5)
_SEEN_MM = 3.0
"""How much is seen on either side of wherever the edge may be."""
_PX_PER_MM = 4.0
_STEP_MM = 0.1
_STRAY_MM = 0.15
"""Places that stray farther from a straight side are trusted less."""
_UNLIKE = 4.0
"""Where an edge explains less than this, times the usual, something hides it."""


def refine_outline(pixels_bgr: Pixels, lens: Lens, corners_px: FloatArray) -> FloatArray:
    """Move the corners of a four-sided outline so that its sides lie on the board's edge.

    Parameters
    ----------
    pixels_bgr
        Picture of the empty board.
    lens
        Intrinsics at its size.
    corners_px
        Corners to a millimetre or two, clockwise, shape (4, 2), pixels.

    Returns
    -------
    ndarray of float64, shape (4, 2)
        Pixels.
    """
    for reach_mm in _REACHES_MM:
        pose, outline = board_plane(lens, corners_px, _SIDE_MM)
        tries = np.arange(-reach_mm, reach_mm + _STEP_MM / 2, _STEP_MM)
        distances = np.arange(-reach_mm - _SEEN_MM, reach_mm + _SEEN_MM + 0.1, 1 / _PX_PER_MM)
        profiles = _profiles(pixels_bgr, pose, outline, distances)
        costs = edge_costs(profiles, distances, tries)
        sides = [_moved(outline, side, _line(costs[side], tries)) for side in range(4)]
        corners = np.array([meet(sides[i - 1], sides[i]) for i in range(4)])
        if not np.isfinite(corners).all():
            break
        corners_px = np.asarray(pose.project(corners), np.float64)
    return corners_px


def _normal(outline: FloatArray, side: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Both ends of a side's middle, and which way is out."""
    start, end = outline[side], outline[(side + 1) % 4]
    along = (end - start) / np.linalg.norm(end - start)
    ends = [start + part * (end - start) for part in _MIDDLE]
    return ends[0], ends[1], np.array([along[1], -along[0]])


def _profiles(
    pixels_bgr: Pixels, pose: BoardPose, outline: FloatArray, distances: FloatArray
) -> FloatArray:
    """Colors across the sides, shape (4, places, distances, 3)."""
    view = view_around(outline, float(distances[-1]) + 1.0, _PX_PER_MM)
    flat = rectify(pixels_bgr, pose, view).astype(np.float32)
    share = np.linspace(0.0, 1.0, _PLACES * _NEIGHBOURS)[:, None]
    seen = []
    for side in range(4):
        start, end, out = _normal(outline, side)
        places = start + share * (end - start)
        points = places[:, None] + distances[None, :, None] * out
        at = view.to_px(points).astype(np.float32)
        colors = cv2.remap(flat, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        seen.append(np.median(colors.reshape(_PLACES, _NEIGHBOURS, len(distances), 3), axis=1))
    return np.stack(seen).astype(np.float64)


def _line(costs: FloatArray, tries: FloatArray) -> FloatArray:
    """How far out both ends of a side lie, by what its edge leaves unexplained everywhere."""
    share = np.linspace(0.0, 1.0, len(costs))[:, None, None]
    ends = np.arange(len(tries))
    at = np.rint(ends[:, None] + share * (ends[None] - ends[:, None])).astype(int)
    rows = np.arange(len(costs))[:, None, None]
    worth = np.minimum(costs, _UNLIKE)[rows, at].sum(axis=0)
    # Where nothing tells, an edge stays where it was.
    doubt = np.square(tries / tries[-1])
    start, end = np.unravel_index(int((worth + doubt[:, None] + doubt).argmin()), worth.shape)
    places, weight = _places(costs, tries, at[:, start, end])
    if (weight > 0).sum() < len(costs) / 3:
        return tries[[start, end]]
    along = np.linspace(-1.0, 1.0, len(costs))
    trusted = weight
    for _ in range(5):
        slope, middle = np.polyfit(along, places, 1, w=np.sqrt(trusted))
        trusted = weight / (1.0 + np.square((places - slope * along - middle) / _STRAY_MM))
    return np.array([middle - slope, middle + slope])


def _places(
    costs: FloatArray, tries: FloatArray, guess: NDArray[np.int_]
) -> tuple[FloatArray, FloatArray]:
    """Where the edge lies at each place, to a part of a step, and how much that says."""
    rows, last = np.arange(len(costs)), len(tries) - 2
    near = guess[:, None] + np.arange(-3, 4)
    likely = costs[rows[:, None], near.clip(1, last)].argmin(axis=1)
    best = near.clip(1, last)[rows, likely]
    left, low, right = (costs[rows, best + shift] for shift in (-1, 0, 1))
    curve = left - 2 * low + right
    part = 0.5 * (left - right) / np.where(curve > 0, curve, 1.0)
    # A place says as much as its explanation gets worse beside it.
    weight = np.clip(curve, 0.0, 2 * max(float(np.median(curve)), 0.0))
    weight[(low > _UNLIKE) | (np.abs(best - guess) >= 3)] = 0.0
    return tries[best] + _STEP_MM * np.clip(part, -0.5, 0.5), weight


def _moved(outline: FloatArray, side: int, shift_mm: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Point on and direction of a side whose ends are moved outwards."""
    start, end, out = _normal(outline, side)
    ends = np.array([start, end]) + np.outer(shift_mm, out)
    return ends.mean(axis=0), (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
