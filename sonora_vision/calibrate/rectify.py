"""Rectified pictures: the board, or a plane above it, seen from straight above at a fixed scale."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose

GRID_PX = 16
"""Spacing of the exactly computed nodes of a map; between them lens and perspective are straight
to under a hundredth of a pixel."""


@dataclass(frozen=True, kw_only=True)
class View:
    """Frame of a rectified picture: which board point its first pixel shows, and its scale."""

    origin_mm: tuple[float, float]
    """Board point at the centre of pixel (0, 0)."""
    px_per_mm: float
    size_px: tuple[int, int]
    """Width and height."""

    @property
    def corners_mm(self) -> FloatArray:
        """Board points of the picture's corners, shape (4, 2)."""
        width, height = self.size_px
        return self.to_mm(np.array([[0, 0], [width, 0], [width, height], [0, height]]))

    def to_px(self, points_mm: NDArray[np.floating]) -> FloatArray:
        """Board millimetres to pixels of the rectified picture, shape (n, 2)."""
        points = np.asarray(points_mm, np.float64)
        return np.asarray((points - np.asarray(self.origin_mm)) * self.px_per_mm, np.float64)

    def to_mm(self, points_px: NDArray[np.floating]) -> FloatArray:
        """Pixels of the rectified picture to board millimetres, shape (n, 2)."""
        points = np.asarray(points_px, np.float64)
        return np.asarray(points / self.px_per_mm + np.asarray(self.origin_mm), np.float64)

    def reduced(self, times: int) -> View:
        """Return the frame of the picture reduced by averaging squares of so many pixels."""
        shift = (times - 1) / 2 / self.px_per_mm
        return View(
            origin_mm=(self.origin_mm[0] + shift, self.origin_mm[1] + shift),
            px_per_mm=self.px_per_mm / times,
            size_px=(self.size_px[0] // times, self.size_px[1] // times),
        )


def view_around(points_mm: NDArray[np.floating], margin_mm: float, px_per_mm: float) -> View:
    """Return the view that holds all points and a margin around them."""
    low = np.asarray(points_mm).min(axis=0) - margin_mm
    high = np.asarray(points_mm).max(axis=0) + margin_mm
    width, height = np.ceil((high - low) * px_per_mm).astype(int)
    return View(
        origin_mm=(float(low[0]), float(low[1])),
        px_per_mm=px_per_mm,
        size_px=(int(width), int(height)),
    )


def rectify_map(pose: BoardPose, view: View, height_mm: float = 0.0) -> NDArray[np.float32]:
    """Return where in the image each pixel of a rectified view lies.

    Returns
    -------
    ndarray of float32, shape (height, width, 2)
        Image pixels (x, y), for :func:`cv2.remap`; lens and pose in one step.
    """
    return _between(_nodes(pose, view, height_mm), view)


def rectify(pixels: Pixels, pose: BoardPose, view: View, height_mm: float = 0.0) -> Pixels:
    """Resample a photograph to a view of the plane ``height_mm`` above the board.

    A photograph of much more detail is reduced first, so that nothing of it is passed over.
    """
    return _resampled(pixels, pose, view, height_mm)[0]


def rectify_shown(
    pixels: Pixels, pose: BoardPose, view: View, height_mm: float
) -> tuple[Pixels, NDArray[np.bool_]]:
    """Resample a photograph as :func:`rectify`, and say which pixels of the view it shows."""
    rectified, image_map, (height, width) = _resampled(pixels, pose, view, height_mm)
    within = cv2.inRange(image_map, (0.0, 0.0), (width - 1.0, height - 1.0))
    return rectified, np.asarray(within, np.uint8) > 0


def _resampled(
    pixels: Pixels, pose: BoardPose, view: View, height_mm: float
) -> tuple[Pixels, NDArray[np.float32], tuple[int, ...]]:
    """Resampled photograph, the map that did it, and the size of what it was taken from."""
    nodes = _nodes(pose, view, height_mm)
    middle = nodes[nodes.shape[0] // 2 :, nodes.shape[1] // 2]
    spacing = float(np.linalg.norm(middle[1] - middle[0])) / GRID_PX
    times = 1
    # By halves, each several times as quick as any other reduction.
    while 2 * times <= spacing:
        size = (pixels.shape[1] // 2, pixels.shape[0] // 2)
        crop = pixels[: 2 * size[1], : 2 * size[0]]
        pixels = np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_AREA), np.uint8)
        times *= 2
    image_map = _between((nodes + np.float32(0.5)) / np.float32(times) - np.float32(0.5), view)
    rectified = cv2.remap(  # type: ignore[call-overload]  # OpenCV's stubs know no None here
        pixels, image_map, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    return np.asarray(rectified, np.uint8), image_map, pixels.shape[:2]


def _nodes(pose: BoardPose, view: View, height_mm: float) -> NDArray[np.float32]:
    """Where in the image every so many pixels of a view lie, shape (rows, columns, 2)."""
    columns, rows = (side // GRID_PX + 3 for side in view.size_px)
    # Enlarged by so much, a picture's pixels become squares, of which these are the middles.
    x, y = (np.arange(count) * GRID_PX - (GRID_PX + 1) / 2 for count in (columns, rows))
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    nodes = pose.project(view.to_mm(grid.reshape(-1, 2)), height_mm)
    return nodes.reshape(rows, columns, 2).astype(np.float32)


def _between(nodes: NDArray[np.float32], view: View) -> NDArray[np.float32]:
    """Fill in the pixels between the nodes, shape (height, width, 2)."""
    (width, height), (rows, columns) = view.size_px, nodes.shape[:2]
    size = (columns * GRID_PX, rows * GRID_PX)
    fine = cv2.resize(nodes, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[GRID_PX : GRID_PX + height, GRID_PX : GRID_PX + width], np.float32)
