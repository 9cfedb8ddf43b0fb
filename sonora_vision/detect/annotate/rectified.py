"""A photograph of the board from straight above, at whatever height is wanted.

Planes that are parallel to the board show the same rays of a camera at another scale about the
point below it: a point of the plane at height z lies at N + (X - N) (H - z) / (H - h), where X is
its place in a picture rectified at height h, N the point of the board below the camera and H the
camera's height. So one rectified picture gives the print (height 0) and every disc's face.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate.canvas import Canvas, Point
from sonora_vision.detect.annotate.palette import PAPER
from sonora_vision.observation import Disc

Box = tuple[float, float, float, float]

_FACE = 0.985
"""Part of a disc's radius within which its face is shown: the rim's blur stays out."""


@dataclass(frozen=True, kw_only=True)
class Rectified:
    """A rectified picture and where its camera was."""

    bgr: Pixels
    px_per_mm: float
    origin_mm: Point
    camera_mm: tuple[float, float, float] | None = None
    """In the board frame, height above the board last; None where it is not known, and the
    picture then taken as it is for print and faces alike."""
    height_mm: float = 0.0
    """Height above the board of the plane that was rectified."""

    def frame_at(self, height_mm: float) -> tuple[float, Point]:
        """Return scale, px per mm, and first pixel's place, mm, of the plane at a height."""
        if self.camera_mm is None:
            return self.px_per_mm, self.origin_mm
        x, y, top = self.camera_mm
        stretch = (top - height_mm) / (top - self.height_mm)
        origin = (
            x + (self.origin_mm[0] - x) * stretch,
            y + (self.origin_mm[1] - y) * stretch,
        )
        return self.px_per_mm / stretch, origin

    def canvas(self, board: BoardSpec, discs: Iterable[Disc], box_mm: Box, scale: float) -> Canvas:
        """Return a canvas of a part of the board, every disc's face where the disc stands.

        ``box_mm`` is left, top, right, bottom; what the photograph does not show is dark.
        """
        ground = self._warp(box_mm, scale, 0.0)
        canvas = Canvas(ground, px_per_mm=scale, origin_mm=(box_mm[0], box_mm[1]))
        if self.camera_mm is not None:
            for disc in sorted(discs, key=lambda disc: disc.state == "stacked"):
                height_mm = face_height_mm(board, disc)
                if height_mm is not None:
                    self._lay_face(canvas, disc, board.discs.radius_mm * _FACE, height_mm)
        return canvas

    def _lay_face(self, canvas: Canvas, disc: Disc, radius_mm: float, height_mm: float) -> None:
        """Lay a disc's face over the board, at its footprint."""
        scale = canvas.px_per_mm
        columns, rows = canvas.size_px
        x, y = canvas.at_px(disc.center_mm)
        reach = radius_mm * scale + 2
        left, top = max(0, round(x - reach)), max(0, round(y - reach))
        right, bottom = min(columns, round(x + reach)), min(rows, round(y + reach))
        if left >= right or top >= bottom:
            return
        box_mm = (
            canvas.origin_mm[0] + left / scale,
            canvas.origin_mm[1] + top / scale,
            canvas.origin_mm[0] + right / scale,
            canvas.origin_mm[1] + bottom / scale,
        )
        face = self._warp(box_mm, scale, height_mm)
        across = np.arange(left, right) - x
        down = np.arange(top, bottom) - y
        distance = np.hypot(across[None, :], down[:, None])
        weight = np.clip(radius_mm * scale - distance + 0.5, 0, 1)[..., None]
        under = canvas.pixels_bgr[top:bottom, left:right]
        under[:] = (under * (1 - weight) + face * weight + 0.5).astype(np.uint8)

    def _warp(self, box_mm: Box, scale: float, height_mm: float) -> Pixels:
        px_per_mm, origin_mm = self.frame_at(height_mm)
        step = px_per_mm / scale
        matrix = np.array(
            [
                [step, 0.0, (box_mm[0] - origin_mm[0]) * px_per_mm],
                [0.0, step, (box_mm[1] - origin_mm[1]) * px_per_mm],
            ]
        )
        size = (round((box_mm[2] - box_mm[0]) * scale), round((box_mm[3] - box_mm[1]) * scale))
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        warped = cv2.warpAffine(self.bgr, matrix, size, flags=flags, borderValue=PAPER[::-1])
        return np.asarray(warped, np.uint8)


def face_height_mm(board: BoardSpec, disc: Disc) -> float | None:
    """Return how high above the board a disc's face lies; None for one on edge."""
    thick = board.discs.height_mm
    if disc.state == "standing":
        return None
    if disc.state == "stacked":
        return 2 * thick
    if disc.state == "in_hole" and board.hole:
        return thick - board.hole.depth_mm
    if disc.state == "launch_corner" and board.launch_corners:
        return thick + board.launch_corners[0].height_mm
    return thick
