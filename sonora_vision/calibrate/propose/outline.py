"""The board's outline, proposed from a picture of the empty board.

The table is what the picture's rim shows; what differs from it is the board. Its four sides are
then fitted as straight lines in the picture without the lens's distortion. Only the middle half of
each side counts: raised corners stand above the board, so that their edges appear farther out.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels

_WIDTH_PX = 820
"""The table is told from the board in a picture of this width: grain is gone, corners are not."""
_MIDDLE = (0.27, 0.73)
_REACHES_PX = (14.0, 6.0)
"""How far from the rough side its edge is looked for, pixels at a width of 1640; then again."""
_STEP_PX = 0.5


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
    flat = _undistorted(pixels_bgr, lens)
    rough = _rough_corners(flat)
    if rough is None:
        return None
    scale = flat.shape[1] / 1640
    lab = cv2.cvtColor(cv2.GaussianBlur(flat, (0, 0), 0.8 * scale), cv2.COLOR_BGR2LAB).astype(
        np.float32
    )
    corners = rough
    for reach in _REACHES_PX:
        sides = [_fit_side(lab, *pair, reach * scale) for pair in _sides(corners)]
        corners = np.array([_meet(sides[i - 1], sides[i]) for i in range(4)])
    if not np.isfinite(corners).all() or np.abs(corners - rough).max() > 0.06 * flat.shape[1]:
        return None
    rays = cv2.undistortPoints(corners.reshape(-1, 1, 2), lens.matrix, None).reshape(-1, 2)
    spatial = np.column_stack([rays, np.ones(4)])
    there, _ = cv2.projectPoints(spatial, np.zeros(3), np.zeros(3), lens.matrix, lens.distortion)
    return np.asarray(there, np.float64).reshape(-1, 2)


def _undistorted(pixels_bgr: Pixels, lens: Lens) -> Pixels:
    size = (pixels_bgr.shape[1], pixels_bgr.shape[0])
    maps = cv2.initUndistortRectifyMap(
        lens.matrix, lens.distortion, np.eye(3), lens.matrix, size, cv2.CV_32FC1
    )
    # The rim is repeated outwards: black there would be neither table nor board.
    return np.asarray(
        cv2.remap(pixels_bgr, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _rough_corners(flat: Pixels) -> FloatArray | None:
    """Four corners of what is not table, clockwise from the top left.

    A board's shadow is not table either, unless what a shadow could be is let off. That also lets
    off a dark board, so it is believed only where nearly the same board remains.
    """
    shrink = _WIDTH_PX / flat.shape[1]
    small = cv2.resize(flat, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    logs = np.log(cv2.medianBlur(small, 5).astype(np.float32) + 3.0)
    whole, lit = (_quad(_unlike_table(logs, shadow)) for shadow in (0.0, 1.6))
    whole, lit = (None if quad is None else _clockwise(quad) for quad in (whole, lit))
    best = whole
    if lit is not None and (whole is None or np.abs(lit - whole).max() < 0.06 * _WIDTH_PX):
        best = lit
    return None if best is None else (best + 0.5) / shrink - 0.5


def _quad(mask: NDArray[np.uint8]) -> FloatArray | None:
    places = cv2.findNonZero(mask)
    if places is None or mask.mean() < 0.04 * 255:
        return None
    hull = cv2.convexHull(places)
    corners = cv2.approxPolyN(hull, 4, None, -1, True).reshape(-1, 2).astype(np.float64)
    if len(corners) != 4 or cv2.contourArea(hull) < 0.9 * _area(corners):
        return None
    return np.asarray(corners, np.float64)


def _area(corners: FloatArray) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _unlike_table(logs: NDArray[np.float32], shadow: float) -> NDArray[np.uint8]:
    """Mask of what departs from the table's log color, which may slope over the picture.

    What is darker by at most ``shadow`` log units, of the same hue, is let off.
    """
    height, width = logs.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    level = logs.mean(axis=2, keepdims=True)
    parts = np.concatenate([level, (logs - level)[..., :2]], axis=2)
    rim = np.zeros((height, width), bool)
    band = height // 14
    rim[:band], rim[-band:], rim[:, :band], rim[:, -band:] = True, True, True, True
    known, mask = rim, np.zeros((height, width), np.uint8)
    for _ in range(3):
        model, spread = _surface(terms[known][::11], parts[known][::11])
        apart = parts - (terms.reshape(-1, 6) @ model).reshape(parts.shape).astype(np.float32)
        dark = (apart[..., 0] < 0) & (apart[..., 0] > -shadow)
        apart[..., 0] = np.where(dark, 0.0, apart[..., 0])
        # A shadow is lit from elsewhere, which shifts its hue a little.
        unlike = np.square(apart / (spread + 0.02 * dark[..., None])).sum(axis=2) > 25.0
        mask = _solid(unlike.astype(np.uint8))
        # Once the board is known, all the table around it says what the table is like.
        known = rim | (cv2.dilate(mask, np.ones((31, 31), np.uint8)) == 0)
    return mask


def _surface(
    terms: NDArray[np.float32], values: NDArray[np.float32]
) -> tuple[FloatArray, FloatArray]:
    """Smooth colors through most of the places, and how far most stray from it."""
    weight = np.ones(len(terms))
    model, spread = np.zeros((6, 3)), np.ones(3)
    for _ in range(5):  # a hand or a card on the rim must not pull the fit
        factor = np.sqrt(weight)[:, None]
        found, *_ = np.linalg.lstsq(terms * factor, values * factor, rcond=None)
        model = np.asarray(found, np.float64)
        apart = values - terms @ model
        spread = 1.48 * np.median(np.abs(apart), axis=0) + np.array([0.025, 0.008, 0.008])
        weight = 1.0 / (1.0 + np.square(apart / (3 * spread)).sum(axis=1)) ** 2
    return model, spread


def _solid(unlike: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Large pieces, closed over what on the board looks like the table."""
    opened = cv2.morphologyEx(unlike, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    mask = np.zeros_like(unlike)
    largest = max((cv2.contourArea(c) for c in contours), default=0.0)
    large = [c for c in contours if cv2.contourArea(c) >= 0.02 * largest]
    cv2.drawContours(mask, large, -1, 255, -1)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((11, 11), np.uint8)), np.uint8)


def _clockwise(corners: FloatArray) -> FloatArray:
    around = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    return np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)


def _sides(corners: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
    return [(corners[i], corners[(i + 1) % 4]) for i in range(4)]


def _fit_side(
    lab: NDArray[np.float32], start: FloatArray, end: FloatArray, reach_px: float
) -> tuple[FloatArray, FloatArray]:
    """Point on and direction of the straight edge near a rough side."""
    direction = (end - start) / np.linalg.norm(end - start)
    normal = np.array([direction[1], -direction[0]])  # clockwise with y down: points outwards
    along = np.linspace(*_MIDDLE, 160)[:, None] * (end - start) + start
    offsets = np.arange(-reach_px - 8, reach_px + 8 + _STEP_PX / 2, _STEP_PX)
    at = (along[:, None] + offsets[None, :, None] * normal).astype(np.float32)
    profiles = cv2.remap(lab, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    # Neighbours on the side are averaged: grain goes, the straight edge stays.
    profiles = cv2.blur(profiles, (1, 9))
    place = _steps(np.asarray(profiles), offsets, reach_px)
    line = _robust_line(np.linspace(-1, 1, len(along)), place)
    ends = along[[0, -1]] + np.outer([line[1] - line[0], line[1] + line[0]], normal)
    return ends.mean(axis=0), (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])


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


def _robust_line(x: FloatArray, y: FloatArray) -> FloatArray:
    """Slope and height at the middle of the line that most points lie on."""
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, len(x), (200, 2))
    pairs = pairs[np.abs(x[pairs[:, 0]] - x[pairs[:, 1]]) > 0.4]
    slopes = (y[pairs[:, 1]] - y[pairs[:, 0]]) / (x[pairs[:, 1]] - x[pairs[:, 0]])
    heights = y[pairs[:, 0]] - slopes * x[pairs[:, 0]]
    misses = np.abs(y[None] - slopes[:, None] * x[None] - heights[:, None])
    best = np.minimum(misses, 2.0).sum(axis=1).argmin()
    keep = misses[best] < 1.5
    return np.polyfit(x[keep], y[keep], 1)


def _meet(one: tuple[FloatArray, FloatArray], other: tuple[FloatArray, FloatArray]) -> FloatArray:
    matrix = np.column_stack([one[1], -other[1]])
    if abs(np.linalg.det(matrix)) < 0.05:
        return np.full(2, np.nan)
    reach = np.linalg.solve(matrix, other[0] - one[0])
    return np.asarray(one[0] + reach[0] * one[1], np.float64)
