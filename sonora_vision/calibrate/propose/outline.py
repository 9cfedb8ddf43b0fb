"""The board's outline, proposed from a picture of the empty board.

Its four sides are fitted as straight lines in the picture without the lens's distortion. Only the
middle half of each side counts: raised corners stand above the board, so that their edges appear
farther out.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.propose.lines import meet, robust_line, sides
from sonora_vision.calibrate.propose.table import rough_corners

_MIDDLE = (0.27, 0.73)
_REACHES_PX = (14.0, 6.0)
"""How far from the rough side its edge is looked for, pixels at a width of 1640; then again."""
_STEP_PX = 0.5
_POINTS = 160
"""Places on each side at which its edge is looked for."""


def propose_outline(pixels_bgr: Pixels, lens: Lens) -> FloatArray | None:
    """Propose the corners of a four-sided board.

    Parameters
    ----------
    pixels_bgr
        Picture of the empty board, shape (height, width, 3).
    lens
        Intrinsics at its size.

    Returns
    -------
    ndarray of float64, shape (4, 2), or None
        Corners in image pixels, clockwise, the one nearest the picture's top left first; None
        where nothing four-sided stands out from the table.
    """
    fitted = _fitted(undistorted(pixels_bgr, lens))
    return None if fitted is None else distorted(fitted[0], lens)


def _smooth_lab(pixels_bgr: Pixels, scale: float) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(pixels_bgr, (0, 0), 0.8 * scale)
    return cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).astype(np.float32)


def side_edges(flat: Pixels) -> list[FloatArray] | None:
    """Find points on the four sides of a board.

    Parameters
    ----------
    flat
        Picture of the empty board, all but undistorted.

    Returns
    -------
    list of ndarray of float64, shape (n, 2), or None
        Pixels, a side each; None where nothing four-sided stands out from the table.
    """
    fitted = _fitted(flat)
    if fitted is None:
        return None
    corners, lab = fitted
    reach_px = _REACHES_PX[-1] * flat.shape[1] / 1640
    edges = []
    for start, end in sides(corners):
        along, normal, place = _edge_of_side(lab, start, end, reach_px)
        edges.append(along + place[:, None] * normal)
    return edges


def _fitted(flat: Pixels) -> tuple[FloatArray, NDArray[np.float32]] | None:
    """Corners where the straight sides meet, and the picture that they were fitted in."""
    rough = rough_corners(flat)
    if rough is None:
        return None
    scale = flat.shape[1] / 1640
    lab = _smooth_lab(flat, scale)
    corners = rough
    for reach in _REACHES_PX:
        lines = [_fit_side(lab, *pair, reach * scale) for pair in sides(corners)]
        corners = np.array([meet(lines[i - 1], lines[i]) for i in range(4)])
    if not np.isfinite(corners).all() or np.abs(corners - rough).max() > 0.06 * flat.shape[1]:
        return None
    return corners, lab


def undistorted(pixels_bgr: Pixels, lens: Lens) -> Pixels:
    """Return a picture as the same lens would take it without its distortion."""
    size = (pixels_bgr.shape[1], pixels_bgr.shape[0])
    maps = cv2.initUndistortRectifyMap(
        lens.matrix, lens.distortion, np.eye(3), lens.matrix, size, cv2.CV_32FC1
    )
    # The rim is repeated outwards: black there would be neither table nor board.
    return np.asarray(
        cv2.remap(pixels_bgr, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def distorted(points_px: FloatArray, lens: Lens) -> FloatArray:
    """Return where points of the picture without distortion are in the one that was taken."""
    rays = cv2.undistortPoints(points_px.reshape(-1, 1, 2), lens.matrix, None).reshape(-1, 2)
    spatial = np.column_stack([rays, np.ones(len(rays))])
    there, _ = cv2.projectPoints(spatial, np.zeros(3), np.zeros(3), lens.matrix, lens.distortion)
    return np.asarray(there, np.float64).reshape(-1, 2)


def _fit_side(
    lab: NDArray[np.float32], start: FloatArray, end: FloatArray, reach_px: float
) -> tuple[FloatArray, FloatArray]:
    """Point on and direction of the straight edge near a rough side."""
    along, normal, place = _edge_of_side(lab, start, end, reach_px)
    line = robust_line(np.linspace(-1, 1, len(along)), place)
    ends = along[[0, -1]] + np.outer([line[1] - line[0], line[1] + line[0]], normal)
    return ends.mean(axis=0), (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])


def _edge_of_side(
    lab: NDArray[np.float32], start: FloatArray, end: FloatArray, reach_px: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Points along a rough side, its outward normal, and how far out the edge lies at each."""
    direction = (end - start) / np.linalg.norm(end - start)
    normal = np.array([direction[1], -direction[0]])  # clockwise with y down: points outwards
    along = np.linspace(*_MIDDLE, _POINTS)[:, None] * (end - start) + start
    offsets = np.arange(-reach_px - 8, reach_px + 8 + _STEP_PX / 2, _STEP_PX)
    at = (along[:, None] + offsets[None, :, None] * normal).astype(np.float32)
    profiles = cv2.remap(lab, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    # Neighbours on the side are averaged: grain goes, the straight edge stays.
    profiles = cv2.blur(profiles, (1, 9))
    return along, normal, _steps(np.asarray(profiles), offsets, reach_px)


def _steps(profiles: NDArray[np.float32], offsets: FloatArray, reach_px: float) -> FloatArray:
    """Offset of the largest step of color in each profile, to a part of a pixel."""
    window = round(6 / _STEP_PX)
    total = np.cumsum(np.pad(profiles, ((0, 0), (1, 0), (0, 0))), axis=1)
    means = (total[:, window:] - total[:, :-window]) / window
    broad = np.linalg.norm(means[:, window:] - means[:, :-window], axis=2)
    middle = np.arange(broad.shape[1]) + window - 0.5
    broad[:, np.abs(offsets[0] + middle * _STEP_PX) > reach_px] = 0
    # One direction of color for the side: what separates board and table where the step is clear.
    best = broad.argmax(axis=1)
    rows = np.arange(len(best))
    change = means[rows, best + window] - means[rows, best]
    typical = np.median(change, axis=0)
    axis = typical / max(float(np.linalg.norm(typical)), 1e-6)
    signed = (means[:, window:] - means[:, :-window]) @ axis
    signed[:, np.abs(offsets[0] + middle * _STEP_PX) > reach_px] = -np.inf
    best = signed.argmax(axis=1)
    fine = np.gradient(profiles @ axis, axis=1)
    places = np.empty(len(best))
    for row, peak in enumerate(best):
        center = int(peak + window - 0.5)
        part = np.clip(fine[row, center - 5 : center + 7], 0, None)
        where = np.arange(center - 5, center - 5 + len(part))
        places[row] = offsets[0] + _STEP_PX * (
            (part * where).sum() / part.sum() if part.sum() > 0 else peak
        )
    return places
