"""The taught empty board: what it looks like, rectified, at the working scale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_features import BoardFeatures, board_features
from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.rectify import View, rectify, view_around

DISC_PX = 24.0
"""Radius of a disc in rectified pictures: every length in the detection is in these units. The
scale of a 12 mm disc is then 2 px per mm, about what a 2-megapixel camera sees of a board."""


COARSE = 3
"""Colors are compared at a third of the scale: a disc is 8 px in radius, noise is a third, and all
that is done for every pixel takes a ninth of the time."""


def to_coarse(points_px: FloatArray) -> FloatArray:
    """Return where points of a full-scale picture, shape (..., 2), are in the coarse one."""
    return np.asarray((np.asarray(points_px) + 0.5) / COARSE - 0.5, np.float64)


@dataclass(frozen=True, eq=False)
class TaughtBoard:
    """The empty board, rectified to its own plane."""

    view: View
    bgr: Pixels
    """Shape (h, w, 3)."""
    outline_mm: FloatArray
    """Shape (n, 2)."""
    raised_mm: tuple[FloatArray, ...]
    """Outlines of the raised corners."""
    hole_mm: tuple[float, float, float] | None
    """The hole's centre and radius."""

    @cached_property
    def inside(self) -> NDArray[np.uint8]:
        """Mask (255) of the board's surface."""
        return _filled(self.view, [self.outline_mm])

    @cached_property
    def coarse_bgr(self) -> Pixels:
        """The picture at the coarse scale."""
        return np.asarray(
            cv2.resize(self.bgr, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA),
            np.uint8,
        )

    @cached_property
    def coarse_inside(self) -> NDArray[np.uint8]:
        """The mask at the coarse scale."""
        size = (self.coarse_bgr.shape[1], self.coarse_bgr.shape[0])
        return np.asarray(cv2.resize(self.inside, size, interpolation=cv2.INTER_NEAREST), np.uint8)

    @cached_property
    def coarse_view(self) -> View:
        """Frame of the picture at the coarse scale."""
        shift = (COARSE - 1) / 2 / self.view.px_per_mm
        return View(
            origin_mm=(self.view.origin_mm[0] + shift, self.view.origin_mm[1] + shift),
            px_per_mm=self.view.px_per_mm / COARSE,
            size_px=(self.coarse_bgr.shape[1], self.coarse_bgr.shape[0]),
        )

    @cached_property
    def features(self) -> BoardFeatures:
        """What is looked for in photographs: details of the flat part, a little off its edges."""
        raised = _filled(self.view, list(self.raised_mm))
        flat = cv2.bitwise_and(self.inside, cv2.bitwise_not(raised))
        kernel = np.ones((15, 15), np.uint8)
        usable = np.asarray(cv2.erode(flat, kernel, borderValue=0), np.uint8)
        return board_features(self.bgr, self.view, usable)


def teach_board(pixels_bgr: Pixels, pose: BoardPose, board: BoardSpec) -> TaughtBoard:
    """Rectify a picture of the empty board at the working scale."""
    return taught_board(rectify(pixels_bgr, pose, taught_view(board)), board)


def taught_view(board: BoardSpec) -> View:
    """Return the frame of the taught picture: the outline's box at the working scale."""
    return view_around(np.array(board.outline_mm), 0.0, DISC_PX / board.discs.radius_mm)


def taught_board(rectified_bgr: Pixels, board: BoardSpec) -> TaughtBoard:
    """Put a taught board together from its rectified picture, of ``taught_view``'s size."""
    hole = board.hole
    return TaughtBoard(
        view=taught_view(board),
        bgr=rectified_bgr,
        outline_mm=np.array(board.outline_mm, np.float64),
        raised_mm=tuple(np.array(c.points_mm, np.float64) for c in board.launch_corners),
        hole_mm=None if hole is None else (*hole.center_mm, hole.radius_mm),
    )


def photo_scale(pose: BoardPose, taught: TaughtBoard) -> float:
    """Photograph pixels per pixel of the taught picture, at the board's middle."""
    return pose.px_per_mm(taught.outline_mm.mean(axis=0)) / taught.view.px_per_mm


def _filled(view: View, polygons: list[FloatArray]) -> NDArray[np.uint8]:
    mask = np.zeros((view.size_px[1], view.size_px[0]), np.uint8)
    for polygon in polygons:
        cv2.fillPoly(mask, [np.round(view.to_px(polygon)).astype(np.int32)], 255)
    return mask
