"""One photograph brought to the board's frame and to the light of the teaching.

The picture is rectified to the plane of the discs' *top faces*: there a disc is a circle of the
true radius whose centre is the centre of its footprint, whatever the camera's tilt, and thickness
moves nothing. Places are told at a scale at which every disc is ``DISC_PX`` pixels in radius, so
that nothing downstream depends on the size of board, disc or photograph. Colors are compared in a
coarser picture; rims and faces are sampled from the photograph, where something is found in that.

The taught empty board is laid under it, shifted by the parallax between the two planes. The
logarithm of their ratio is smooth where there is only light (Land and McCann's retinex argument,
1971) and jumps where something lies on the board; its smooth part is the light.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.lens import FloatArray
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.rectify import View, rectify, rectify_shown, view_around
from sonora_vision.calibrate.taught import COARSE, DISC_PX, TaughtBoard, to_coarse
from sonora_vision.detect.landmarks import edges, hole, raised
from sonora_vision.detect.light import (
    channel_mean,
    foreign,
    glare,
    only,
    smooth_lights,
    unveiled,
    veil_over,
)

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

COARSE_DISC_PX = DISC_PX / COARSE
MARGIN_DISCS = 6.5
"""Width of the strip around the board that is searched for discs on the table, in disc radii."""
LOG_FLOOR = 3.0
"""Added before the logarithm, grey levels: sensor noise in the dark stays small."""
_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(LOG_FLOOR))
_DARKNESS = np.exp(-_LOG)
_CROSS = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A photograph in the frame of the discs' top faces, and what differs from the empty board."""

    pose: BoardPose
    view: View
    """Frame in which discs are ``DISC_PX`` in radius: board millimetres at the height of the top
    faces."""
    pixels_bgr: Pixels
    """The photograph, which faces and rims are sampled from."""
    coarse_bgr: Pixels
    """Rectified picture, shape (h/3, w/3, 3)."""
    coarse: View
    """Frame of the arrays below, a third of the scale."""
    on_board: Mask
    """Whether the taught board lies under a pixel, shape (h/3, w/3)."""
    in_hole: Mask
    """Whether a pixel shows the board's hole, shape (h/3, w/3)."""
    edges: Mask
    """Whether a pixel shows the board's edge or the flank of a raised corner, where heights
    jump and the taught picture does not fit, shape (h/3, w/3)."""
    raised: Mask
    """Whether a pixel shows the top of a raised corner, where nothing is printed, shape
    (h/3, w/3)."""
    in_photo: Mask
    """Whether the photograph shows this pixel at all, shape (h/3, w/3)."""
    change: Floats
    """Log ratio of seen to expected with the light taken out, shape (h/3, w/3, 3); 0 as taught."""
    color: Floats
    """Log colors as they would be in the light of the teaching, shape (h/3, w/3, 3)."""
    veil: Floats
    """Haze over the board, here or in the teaching, grey levels, shape (h/3, w/3). Sheen of the
    board is in it too, which discs do not share: half of it is taken off ``color``, the other half
    stays uncertain."""
    glare: Floats
    """Shine on the board about a place, 0 none to 1 that hides colors, shape (h/3, w/3)."""
    expected: Floats
    """Log colors expected here if nothing lay on the board, in this picture's light, shape
    (h/3, w/3, 3)."""
    expected_edge: Floats
    """Slope of ``expected`` along its steepest direction, per pixel, shape (h/3, w/3):
    where a tiny shift shows."""
    foreign: Floats
    """How surely a pixel is not the lit empty board: squared deviations, shape (h/3, w/3)."""
    height_mm: float
    """Height of the plane, the discs' thickness."""

    @cached_property
    def top_bgr(self) -> Pixels:
        """Rectified picture in ``view``, shape (h, w, 3): for people, and for what no disc is."""
        return rectify(self.pixels_bgr, self.pose, self.view, self.height_mm)

    def near(self, centers_px: FloatArray, reach_px: float = DISC_PX) -> Floats:
        """Say where in the photograph what lies about some points is.

        Parameters
        ----------
        centers_px
            Shape (n, 2), pixels of ``view``.
        reach_px
            How far about them, pixels of ``view``: along a circle of this radius the map is exact
            on the average, so that a rim is not moved by it.

        Returns
        -------
        ndarray of float32, shape (n, 2, 3)
            Affine maps: from the shift to a point, pixels of ``view``, and 1 to the photograph's
            pixels.
        """
        centers = np.asarray(centers_px, np.float64).reshape(-1, 1, 2)
        if not len(centers):
            return np.zeros((0, 2, 3), np.float32)
        points = self.view.to_mm((centers + reach_px * _CROSS).reshape(-1, 2))
        right, left, down, up = np.moveaxis(
            self.pose.project(points, self.height_mm).reshape(-1, 4, 2), 1, 0
        )
        across, along = (right - left) / (2 * reach_px), (down - up) / (2 * reach_px)
        middle = (right + left + down + up) / 4
        return np.asarray(np.stack([across, along, middle], axis=-1), np.float32)

    @property
    def nadir_px(self) -> FloatArray:
        """Where the camera stands above the board, pixels of ``view``, shape (2,)."""
        return np.asarray(self.view.to_px(self.pose.camera_mm[None, :2])[0], np.float64)

    @property
    def camera_height_mm(self) -> float:
        """Height of the camera above the board."""
        return float(self.pose.camera_mm[2])


def set_scene(pixels_bgr: Pixels, pose: BoardPose, taught: TaughtBoard, height_mm: float) -> Scene:
    """Bring a photograph with a known pose to the frame of the discs' top faces.

    Parameters
    ----------
    pixels_bgr
        The photograph.
    pose
        Where the board is in it.
    taught
        The empty board.
    height_mm
        Thickness of the discs.

    Returns
    -------
    Scene
        All of it in the plane of the top faces.
    """
    scale = taught.view.px_per_mm
    view = view_around(taught.outline_mm, MARGIN_DISCS * DISC_PX / scale, scale)
    view = _even(view)
    coarse = view.reduced(COARSE)
    coarse_bgr, in_photo = rectify_shown(pixels_bgr, pose, coarse, height_mm)
    to_taught = _parallax(pose, coarse, taught.coarse_view, height_mm)
    board = _warp(taught.coarse_bgr, to_taught, coarse.size_px, cv2.INTER_LINEAR)
    on_board = _warp(taught.coarse_inside, to_taught, coarse.size_px, cv2.INTER_NEAREST) > 0
    seen_log, board_log = (
        np.asarray(cv2.LUT(each, _LOG), np.float32) for each in (coarse_bgr, board)
    )
    board_log = only(board_log, on_board)
    ratio = seen_log - board_log
    board_seen, table_seen = on_board & in_photo, ~on_board & in_photo
    light_on, light = smooth_lights(ratio, (board_seen, table_seen))
    cv2.copyTo(light_on, on_board.view(np.uint8), light)
    ratio -= light
    change = only(ratio, in_photo)
    edge = _slope(board_log) * on_board
    veil, lifted = veil_over(change, only(cv2.LUT(board, _DARKNESS), board_seen), board_seen)
    return Scene(
        pose=pose,
        view=view,
        pixels_bgr=pixels_bgr,
        coarse_bgr=coarse_bgr,
        coarse=coarse,
        on_board=on_board,
        edges=edges(pose, coarse, taught, height_mm),
        raised=raised(pose, coarse, taught, height_mm),
        in_hole=hole(pose, coarse, taught, height_mm),
        in_photo=in_photo,
        change=change,
        color=unveiled(seen_log - light_on, 0.5 * veil) + lifted,
        veil=np.abs(channel_mean(veil)),
        glare=glare(change, board_seen, COARSE_DISC_PX),
        expected=board_log + light,
        expected_edge=edge,
        # A table is as busy as it is: what stands out is judged against its own grain.
        foreign=foreign(change, edge, (board_seen, table_seen)),
        height_mm=height_mm,
    )


def disc_mask(
    scene: Scene, center_px: FloatArray, radius: float = 1.0
) -> tuple[slice, slice, Mask]:
    """Return the window of the coarse arrays about a disc, and the disc's mask in it.

    Parameters
    ----------
    scene
        The scene.
    center_px
        The disc's center, shape (2,), pixels of the scene's view.
    radius
        Radius of the mask, in disc radii.

    Returns
    -------
    (slice, slice, ndarray of bool)
        Rows, columns, and the mask of the window's shape; empty where the disc is off the scene.
    """
    middle = to_coarse(center_px)
    reach = disc_reach(radius)
    height, width = scene.in_photo.shape
    column, row = round(float(middle[0])), round(float(middle[1]))
    rows = slice(max(row - reach, 0), min(row + reach + 1, height))
    columns = slice(max(column - reach, 0), min(column + reach + 1, width))
    x = np.arange(columns.start, columns.stop) - middle[0]
    y = np.arange(rows.start, rows.stop) - middle[1]
    return rows, columns, x * x + (y * y)[:, None] < (COARSE_DISC_PX * radius) ** 2


def disc_pixels(
    scene: Scene, centers_px: FloatArray, radius: float = 1.0
) -> tuple[NDArray[np.int_], Mask]:
    """Return the pixels of the coarse arrays about several discs, and which are in the discs.

    Parameters
    ----------
    scene, radius
        As for :func:`disc_mask`.
    centers_px
        Shape (n, 2), pixels of the scene's view.

    Returns
    -------
    (ndarray of int, ndarray of bool)
        Places in the flattened arrays of squares about the centers, shape (n, k), the middle one
        nearest to the center; and whether each is in the scene and in the disc.
    """
    middles = to_coarse(centers_px).reshape(-1, 2)
    steps = np.arange(-disc_reach(radius), disc_reach(radius) + 1)
    height, width = scene.in_photo.shape
    nearest = np.round(middles).astype(np.int_)
    column, row = nearest[:, :1] + steps, nearest[:, 1:] + steps
    x, y = column - middles[:, :1], row - middles[:, 1:]
    inside = (x * x)[:, None] + (y * y)[:, :, None] < (COARSE_DISC_PX * radius) ** 2
    inside &= ((column >= 0) & (column < width))[:, None]
    inside &= ((row >= 0) & (row < height))[:, :, None]
    places = row.clip(0, height - 1)[:, :, None] * width + column.clip(0, width - 1)[:, None]
    return places.reshape(len(places), steps.size**2), inside.reshape(len(places), steps.size**2)


def disc_reach(radius: float) -> int:
    """Return how many pixels of the coarse arrays a disc's window reaches from its middle."""
    return int(np.ceil(COARSE_DISC_PX * radius)) + 1


def _even(view: View) -> View:
    width, height = (size + -size % COARSE for size in view.size_px)
    return View(origin_mm=view.origin_mm, px_per_mm=view.px_per_mm, size_px=(width, height))


def _parallax(pose: BoardPose, view: View, taught: View, height_mm: float) -> FloatArray:
    """Affine map from pixels of the raised plane to the board's pixels seen through them."""
    camera = pose.camera_mm
    stretch = camera[2] / (camera[2] - height_mm)
    scale = taught.px_per_mm
    offset = (
        (np.asarray(view.origin_mm) - camera[:2]) * stretch
        + camera[:2]
        - np.asarray(taught.origin_mm)
    ) * scale
    gain = stretch * scale / view.px_per_mm
    return np.array([[gain, 0.0, offset[0]], [0.0, gain, offset[1]]])


def _warp(picture: Pixels, affine: FloatArray, size_px: tuple[int, int], how: int) -> Pixels:
    return np.asarray(
        cv2.warpAffine(picture, affine, size_px, flags=how | cv2.WARP_INVERSE_MAP), np.uint8
    )


def _slope(logs: Floats) -> Floats:
    gray = channel_mean(logs)
    dx = cv2.Sobel(gray, cv2.CV_32F, 1, 0, scale=1 / 8)
    dy = cv2.Sobel(gray, cv2.CV_32F, 0, 1, scale=1 / 8)
    # OpenCV's own magnitude rounds by where memory lies: one photograph would have two readings.
    return np.asarray(np.sqrt(dx * dx + dy * dy), np.float32)
