"""Pictures of the lens target, judged one by one as they come: are they good, and new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import (
    MIN_CORNERS,
    MIN_VIEWS,
    CharucoTarget,
    FloatArray,
    Lens,
    fit_lens,
    is_repeat,
    same_aspect,
)
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.errors import UnreadableError

MAX_EDGE_PX = 5.0
"""Width of a black and white edge, at 1640 pixels of width, from which a picture is blurred: its
corners stray by a third of a pixel then."""
SHARPEST_PX = 3.5
"""Edges of small pictures are hardly ever narrower, however good the focus."""
GOOD_VIEWS = 12
COVERAGE_CELLS = (8, 6)
"""Columns and rows of the coverage map."""
GOOD_COVERAGE = 0.6


@dataclass(frozen=True, kw_only=True, eq=False)
class LensView:
    """One picture of the target."""

    name: str
    corners_px: NDArray[np.float32]
    """Corners that were found, shape (n, 2)."""
    ids: NDArray[np.int_]
    """Which corners they are, shape (n,)."""
    size_px: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class LensProgress:
    """How far the views have come."""

    views: int
    covered: tuple[tuple[bool, ...], ...]
    """Rows of the coverage map: whether corners were seen in each cell."""
    coverage: float
    """Share of the cells."""
    rms_px: float | None
    """Reprojection error; None before there are views enough."""
    corner_error_mm: float | None
    """Expected error at the corners of a board that fills the picture, in mm."""
    enough: bool
    advice: str


def see_target(pixels_bgr: Pixels, name: str, target: CharucoTarget) -> LensView:
    """Find the target in a picture.

    Raises
    ------
    UnreadableError
        With the reason why the picture is of no use.
    """
    gray = np.asarray(cv2.cvtColor(pixels_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(target.board()).detectBoard(gray)
    count = 0 if ids is None else len(ids)
    if count < MIN_CORNERS:
        seen = "not in it" if count == 0 else f"hardly in it ({count} of its corners)"
        raise UnreadableError(
            f"{name}: the printed target is {seen}; show more of it, flat, in even light"
        )
    found = np.asarray(corners, np.float32).reshape(-1, 2)
    width = _edge_px(gray, found)
    expected = max(MAX_EDGE_PX * gray.shape[1] / 1640, SHARPEST_PX)
    if width > expected:
        raise UnreadableError(
            f"{name}: blurred (edges are {width:.1f} pixels wide, expected under {expected:.1f}); "
            "hold the target still, and focus"
        )
    return LensView(
        name=name,
        corners_px=found,
        ids=np.asarray(ids).ravel().astype(int),
        size_px=(gray.shape[1], gray.shape[0]),
    )


def check_new(view: LensView, others: Sequence[LensView]) -> None:
    """Refuse a view that another one has shown already, or of another size.

    Raises
    ------
    UnreadableError
        With the reason.
    """
    for other in others:
        if other.size_px != view.size_px:
            raise UnreadableError(
                f"{view.name}: is {view.size_px[0]} x {view.size_px[1]}, the pictures before it "
                f"are {other.size_px[0]} x {other.size_px[1]}; take all pictures in one size"
            )
        pair = (view.ids, view.corners_px), (other.ids, other.corners_px)
        if is_repeat(*pair, view.size_px[0]):
            raise UnreadableError(
                f"{view.name}: nearly the same view as {other.name}; move the target, tilt it, or "
                "turn it"
            )


def check_same_camera(
    name: str, size_px: tuple[int, int], other: str, other_px: tuple[int, int]
) -> None:
    """Refuse a picture that cannot be the same camera's as another one, which ``other`` names.

    Raises
    ------
    UnreadableError
        Where one of them was cropped or turned.
    """
    if not same_aspect(size_px, other_px):
        raise UnreadableError(
            f"{name}: is {size_px[0]} x {size_px[1]}, but {other} is {other_px[0]} x "
            f"{other_px[1]}: one of them was cropped or turned; take all pictures the same way"
        )


def lens_from(views: Sequence[LensView], target: CharucoTarget) -> Lens | None:
    """Calibrate from the views; None while there are too few."""
    return None if len(views) < MIN_VIEWS else _fitted(views, target)


def _fitted(views: Sequence[LensView], target: CharucoTarget) -> Lens:
    board = target.board()
    on_target, in_image = [], []
    for view in views:
        pair = board.matchImagePoints(
            list(view.corners_px.reshape(-1, 1, 2)),
            view.ids.reshape(-1, 1).astype(np.int32),
        )
        on_target.append(np.asarray(pair[0], np.float32))
        in_image.append(np.asarray(pair[1], np.float32))
    return fit_lens(on_target, in_image, views[0].size_px)


def progress(
    views: Sequence[LensView], lens: Lens | None, target: CharucoTarget, side_mm: float = 400.0
) -> LensProgress:
    """Say how far the views have come.

    Parameters
    ----------
    views
        All that count.
    lens
        What they say.
    target
        What they show.
    side_mm
        Length that fills the picture's height, about.
    """
    columns, rows = COVERAGE_CELLS
    seen = np.zeros((rows, columns), bool)
    for view in views:
        cell = view.corners_px / np.array(view.size_px) * [columns, rows]
        x, y = cell.astype(int).T
        seen[y.clip(0, rows - 1), x.clip(0, columns - 1)] = True
    error = _expected_error_px(views, target)
    return LensProgress(
        views=len(views),
        covered=tuple(tuple(bool(v) for v in row) for row in seen),
        coverage=float(seen.mean()),
        rms_px=None if lens is None else lens.rms_px,
        corner_error_mm=None
        if error is None or lens is None
        else error * side_mm / lens.size_px[1],
        enough=lens is not None
        and len(views) >= GOOD_VIEWS
        and float(seen.mean()) >= GOOD_COVERAGE,
        advice=_advice(len(views), seen),
    )


def _advice(count: int, seen: NDArray[np.bool_]) -> str:
    if count < MIN_VIEWS:
        return f"{MIN_VIEWS - count} more before the lens can be computed"
    rows, columns = seen.shape
    thirds = {
        "top left": seen[: rows // 2, : columns // 2],
        "top right": seen[: rows // 2, columns // 2 :],
        "bottom left": seen[rows // 2 :, : columns // 2],
        "bottom right": seen[rows // 2 :, columns // 2 :],
    }
    bare = min(thirds, key=lambda name: float(thirds[name].mean()))
    if thirds[bare].mean() < GOOD_COVERAGE:
        return f"show the target in the {bare} of the picture"
    if count < GOOD_VIEWS:
        return f"{GOOD_VIEWS - count} more, some of them tilted, make it sure"
    return "enough"


def _expected_error_px(views: Sequence[LensView], target: CharucoTarget) -> float | None:
    """One sigma of the picture's corners: half of what two halves of the views differ by.

    Each half errs by the square root of two more than all views do, and their difference by as
    much again. None while there are too few.
    """
    if len(views) < 2 * LEAST_HALF:
        return None
    one, other = (_fitted(views[start::2], target) for start in (0, 1))
    return _apart_px(one, other) / 2


LEAST_HALF = 4
"""Views from which half of them tell a lens of their own, however roughly."""


def _apart_px(one: Lens, other: Lens) -> float:
    """How far two lenses differ at the picture's rim, what a pose takes up left out; pixels."""
    width, height = one.size_px
    grid = np.stack(np.meshgrid(np.linspace(0, width, 9), np.linspace(0, height, 7)), axis=-1)
    points = grid.reshape(-1, 1, 2).astype(np.float64)
    ideal = [cv2.undistortPoints(points, each.matrix, each.distortion) for each in (one, other)]
    warp, _ = cv2.findHomography(ideal[1], ideal[0], 0)
    moved = cv2.perspectiveTransform(ideal[1], warp)
    return float(np.abs(moved - ideal[0]).max() * one.matrix[0, 0])


def _edge_px(gray: NDArray[np.uint8], corners: FloatArray | NDArray[np.float32]) -> float:
    """Typical width of the target's black and white edges: contrast over steepest slope."""
    widths = []
    values = gray.astype(np.float32)
    dx = cv2.Sobel(values, cv2.CV_32F, 1, 0, scale=1 / 8)
    dy = cv2.Sobel(values, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope = np.hypot(dx, dy)
    for x, y in np.round(corners).astype(int):
        window = (slice(max(0, y - 8), y + 9), slice(max(0, x - 8), x + 9))
        patch = values[window]
        if patch.size < 100:
            continue
        contrast = float(np.percentile(patch, 95) - np.percentile(patch, 5))
        steepest = float(np.percentile(slope[window], 98))
        if contrast > 15:
            widths.append(contrast / max(steepest, 1e-3))
    return float(np.median(widths)) if widths else float("inf")
