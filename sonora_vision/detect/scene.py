"""One photograph brought to the board's frame and to the light of the teaching.

The picture is rectified to the plane of the discs' *top faces*: there a disc is a circle of the
true radius whose centre is the centre of its footprint, whatever the camera's tilt, and thickness
moves nothing. The scale makes every disc ``DISC_PX`` pixels in radius, so that nothing
downstream depends on the size of board, disc or photograph.

The taught empty board is laid under it, shifted by the parallax between the two planes. The
logarithm of their ratio is smooth where there is only light (Land and McCann's retinex argument,
1971) and jumps where something lies on the board; its smooth part is the light.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose, FloatArray
from sonora_vision.calibrate.rectify import View, rectify, view_around
from sonora_vision.calibrate.taught import DISC_PX, TaughtBoard

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

HALF = 2
"""Colors are compared at half the scale: a disc is 12 px in radius, noise is a quarter."""
HALF_DISC_PX = DISC_PX / HALF
MARGIN_DISCS = 6.5
"""Width of the strip around the board that is searched for discs on the table, in disc radii."""
LOG_FLOOR = 3.0
"""Added before the logarithm, grey levels: sensor noise in the dark stays small."""
CELL_PX = 8
"""Cell of the light's grid, pixels at half scale: two thirds of a disc's radius."""
_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(LOG_FLOOR))


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A photograph in the frame of the discs' top faces, and what differs from the empty board."""

    pose: BoardPose
    view: View
    """Frame of ``top_bgr``: board millimetres at the height of the top faces."""
    top_bgr: Pixels
    """Rectified picture, shape (h, w, 3)."""
    half: View
    """Frame of the arrays below, half the scale."""
    on_board: Mask
    """Whether the taught board lies under a pixel, shape (h/2, w/2)."""
    in_photo: Mask
    """Whether the photograph shows this pixel at all, shape (h/2, w/2)."""
    change: Floats
    """Log ratio of seen to expected with the light taken out, shape (h/2, w/2, 3); 0 = as taught."""
    color: Floats
    """Log colors as they would be in the light of the teaching, shape (h/2, w/2, 3)."""
    expected: Floats
    """Log colors expected here if nothing lay on the board, in this picture's light."""
    expected_edge: Floats
    """Slope of ``expected`` along its steepest direction, per pixel: where a tiny shift shows."""
    foreign: Floats
    """How surely a pixel is not the lit empty board: squared deviations, shape (h/2, w/2)."""
    height_mm: float
    """Height of the plane, the discs' thickness."""

    @property
    def nadir_px(self) -> FloatArray:
        """Where the camera stands above the board, pixels of ``view``, shape (2,)."""
        return self.view.to_px(self.pose.camera_mm[None, :2])[0]

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
    """
    scale = taught.view.px_per_mm
    view = view_around(taught.outline_mm, MARGIN_DISCS * DISC_PX / scale, scale)
    view = _even(view)
    top_bgr = rectify(pixels_bgr, pose, view, height_mm)
    half_bgr = cv2.resize(top_bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    half = halved(view)
    to_taught = _parallax(pose, half, taught.half_view, height_mm)
    board = _warp(taught.half_bgr, to_taught, half.size_px, cv2.INTER_LINEAR)
    on_board = _warp(taught.half_inside, to_taught, half.size_px, cv2.INTER_NEAREST) > 0
    in_photo = _photo_covers(pose, half, height_mm, pixels_bgr.shape)
    seen_log, board_log = cv2.LUT(half_bgr, _LOG), cv2.LUT(board, _LOG)
    board_log[~on_board] = 0.0
    ratio = seen_log - board_log
    light_on = _light(ratio, on_board & in_photo)
    light_off = _light(ratio, ~on_board & in_photo)
    light = np.where(on_board[..., None], light_on, light_off)
    change = ratio - light
    change[~in_photo] = 0.0
    edge = _slope(board_log) * on_board
    return Scene(
        pose=pose,
        view=view,
        top_bgr=top_bgr,
        half=half,
        on_board=on_board,
        in_photo=in_photo,
        change=change,
        color=seen_log - light_on,
        expected=board_log + light,
        expected_edge=edge,
        foreign=_foreign(change, edge, on_board & in_photo),
        height_mm=height_mm,
    )


def halved(view: View) -> View:
    """Return the frame of a picture reduced to half by averaging two by two pixels."""
    shift = 0.5 / view.px_per_mm
    return View(
        origin_mm=(view.origin_mm[0] + shift, view.origin_mm[1] + shift),
        px_per_mm=view.px_per_mm / 2,
        size_px=(view.size_px[0] // 2, view.size_px[1] // 2),
    )


def _even(view: View) -> View:
    width, height = (size + size % 2 for size in view.size_px)
    return View(origin_mm=view.origin_mm, px_per_mm=view.px_per_mm, size_px=(width, height))


def _parallax(pose: BoardPose, view: View, taught: View, height_mm: float) -> FloatArray:
    """Affine map from pixels of the raised plane to the board's pixels seen through them."""
    camera = pose.camera_mm
    stretch = camera[2] / (camera[2] - height_mm)
    scale = taught.px_per_mm
    offset = (
        (np.asarray(view.origin_mm) - camera[:2]) * stretch + camera[:2] - np.asarray(taught.origin_mm)
    ) * scale
    gain = stretch * scale / view.px_per_mm
    return np.array([[gain, 0.0, offset[0]], [0.0, gain, offset[1]]])


def _warp(picture: Pixels, affine: FloatArray, size_px: tuple[int, int], how: int) -> Pixels:
    return np.asarray(
        cv2.warpAffine(picture, affine, size_px, flags=how | cv2.WARP_INVERSE_MAP), np.uint8
    )


def _photo_covers(
    pose: BoardPose, view: View, height_mm: float, shape: tuple[int, ...]
) -> Mask:
    """Which pixels of the view the photograph reaches; exact on a coarse grid."""
    step = 8
    columns, rows = (np.arange(0, size + step, step) for size in view.size_px)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2).astype(np.float64)
    at = pose.project(view.to_mm(grid), height_mm)
    inside = (at > 0).all(axis=1) & (at[:, 0] < shape[1] - 1) & (at[:, 1] < shape[0] - 1)
    coarse = inside.reshape(len(rows), len(columns)).astype(np.float32)
    step_map = np.array([[1.0 / step, 0.0, 0.0], [0.0, 1.0 / step, 0.0]])
    fine = cv2.warpAffine(
        coarse, step_map, view.size_px, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    return np.asarray(fine > 0.999, np.bool_)


def _light(ratio: Floats, valid: Mask) -> Floats:
    """Smooth part of the log ratio: a local mean that jumps cannot pull (Geman-McClure weights)."""
    height, width = valid.shape
    size = (width // CELL_PX, height // CELL_PX)
    crop = (slice(0, size[1] * CELL_PX), slice(0, size[0] * CELL_PX))
    cells = cv2.resize(ratio[crop], size, interpolation=cv2.INTER_AREA)
    usable = cv2.resize(valid[crop].astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.95
    if usable.sum() < 20:
        return np.zeros_like(ratio)
    light = np.broadcast_to(np.median(cells[usable], axis=0), cells.shape).astype(np.float32)
    # From wide and forgiving to narrow and strict, so that a lamp's slope is followed first.
    for spread, sigma in ((0.6, 8.0), (0.35, 4.0), (0.2, 2.5), (0.12, 2.0), (0.08, 1.8), (0.08, 1.8)):
        deviation = ((cells - light) ** 2).sum(axis=2)
        weight = (usable / (1.0 + deviation / spread**2) ** 2 + 1e-4 * usable).astype(np.float32)
        total = cv2.GaussianBlur(weight, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
        mixed = cv2.GaussianBlur(
            cells * weight[..., None], (0, 0), sigma, borderType=cv2.BORDER_REPLICATE
        )
        found = mixed / np.maximum(total, 1e-6)[..., None]
        light = np.where(total[..., None] > 1e-3, found, light).astype(np.float32)
    wide = cv2.resize(light, (size[0] * CELL_PX, size[1] * CELL_PX), interpolation=cv2.INTER_LINEAR)
    rest = (0, height - wide.shape[0], 0, width - wide.shape[1])
    return np.asarray(cv2.copyMakeBorder(wide, *rest, cv2.BORDER_REPLICATE), np.float32)


def _slope(logs: Floats) -> Floats:
    gray = logs.mean(axis=2)
    dx = cv2.Sobel(gray, cv2.CV_32F, 1, 0, scale=1 / 8)
    dy = cv2.Sobel(gray, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(np.hypot(dx, dy), np.float32)


def _foreign(change: Floats, edge: Floats, valid: Mask) -> Floats:
    """Squared deviations of hue and of brightness, a shadow's share of darkness forgiven."""
    level = change.mean(axis=2)
    hue = change - level[..., None]
    if not valid.any():
        return np.zeros(valid.shape, np.float32)
    hue_sigma = max(0.015, 1.48 * float(np.median(np.abs(hue[valid][::7]))))
    level_sigma = max(0.03, 1.48 * float(np.median(np.abs(level[valid][::7]))))
    shift = (0.5 * edge) ** 2  # half a pixel of misfit at half scale
    darker = np.where(level < 0, np.minimum(0.0, level + 0.15), level)
    return np.asarray(
        (hue**2).sum(axis=2) / (4 * (hue_sigma**2 + 0.02**2) + shift)
        + darker**2 / (4 * level_sigma**2 + shift),
        np.float32,
    )
