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
    in_hole: Mask
    """Whether a pixel shows the board's hole, shape (h/2, w/2)."""
    edges: Mask
    """Whether a pixel shows the board's edge or the flank of a raised corner, where heights
    jump and the taught picture does not fit, shape (h/2, w/2)."""
    in_photo: Mask
    """Whether the photograph shows this pixel at all, shape (h/2, w/2)."""
    change: Floats
    """Log ratio of seen to expected with the light taken out, shape (h/2, w/2, 3); 0 = as taught."""
    color: Floats
    """Log colors as they would be in the light of the teaching, shape (h/2, w/2, 3)."""
    veil: Floats
    """Haze over the board, grey levels, shape (h/2, w/2). Sheen of the board is in it too, which
    discs do not share: half of it is taken off ``color``, the other half stays uncertain."""
    glare: Floats
    """Shine on the board about a place, 0 none to 1 that hides colors, shape (h/2, w/2)."""
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
    veil = _veil(change, board_log, on_board & in_photo)
    return Scene(
        pose=pose,
        view=view,
        top_bgr=top_bgr,
        half=half,
        on_board=on_board,
        edges=_edges(pose, half, taught, height_mm),
        in_hole=_hole(pose, half, taught, height_mm),
        in_photo=in_photo,
        change=change,
        color=_unveiled(seen_log - light_on, 0.5 * veil),
        veil=veil.mean(axis=2),
        glare=_glare(change, on_board & in_photo),
        expected=board_log + light,
        expected_edge=edge,
        # A table is as busy as it is: what stands out is judged against its own grain.
        foreign=np.where(
            on_board,
            _foreign(change, edge, on_board & in_photo),
            _foreign(change, edge, ~on_board & in_photo),
        ),
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


def _hole(pose: BoardPose, view: View, taught: TaughtBoard, height_mm: float) -> Mask:
    """Where the hole's rim appears through the raised plane."""
    mask = np.zeros((view.size_px[1], view.size_px[0]), np.uint8)
    if taught.hole_mm is not None:
        camera = pose.camera_mm
        shrink = (camera[2] - height_mm) / camera[2]
        center = camera[:2] + (np.array(taught.hole_mm[:2]) - camera[:2]) * shrink
        column, row = np.round(view.to_px(center[None])[0]).astype(int)
        radius = taught.hole_mm[2] * shrink * view.px_per_mm * 1.05
        cv2.circle(mask, (int(column), int(row)), round(radius), 1, -1)
    return mask.astype(np.bool_)


def _edges(pose: BoardPose, view: View, taught: TaughtBoard, height_mm: float) -> Mask:
    """Bands along the outline and around raised corners, as wide as parallax can make them."""
    camera = pose.camera_mm
    shrink = (camera[2] - height_mm) / camera[2]
    mask = np.zeros((view.size_px[1], view.size_px[0]), np.uint8)
    width = max(3, round(HALF_DISC_PX * 0.45))
    for polygon in (taught.outline_mm, *taught.raised_mm):
        points = view.to_px(camera[:2] + (polygon - camera[:2]) * shrink)
        cv2.polylines(mask, [np.round(points).astype(np.int32)], True, 1, width)
    return mask.astype(np.bool_)


def _photo_covers(pose: BoardPose, view: View, height_mm: float, shape: tuple[int, ...]) -> Mask:
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
    for spread, sigma in (
        (0.6, 8.0),
        (0.35, 4.0),
        (0.2, 2.5),
        (0.12, 2.0),
        (0.08, 1.8),
        (0.08, 1.8),
    ):
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


def _glare(change: Floats, valid: Mask) -> Floats:
    """Broad brightening without color: a lamp's shine on varnish, wider than a disc."""
    level = change.mean(axis=2)
    shine = np.clip(level, 0.0, 1.0) * valid
    small = cv2.resize(
        shine.astype(np.float32), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA
    )
    # The least over a disc's width about: a bright disc alone is no shine.
    reach = 2 * round(HALF_DISC_PX * 1.3 / 4) + 1
    opened = cv2.morphologyEx(small, cv2.MORPH_OPEN, np.ones((reach, reach), np.uint8))
    spread = cv2.dilate(opened, np.ones((reach, reach), np.uint8))
    size = (level.shape[1], level.shape[0])
    return np.asarray(np.clip(cv2.resize(spread, size) / 0.5, 0.0, 1.0), np.float32)


def _veil(change: Floats, board_log: Floats, valid: Mask) -> Floats:
    """Light that lies over the picture (haze, a window's reflection), grey levels of the teaching.

    A veil v lifts dark paint more than light paint: the log ratio of a place of brightness b
    rises by v / b. So the local slope of the change over 1 / b is the veil there. Both are
    smoothed first, so that blur of thin dark lines has no say.

    Returns
    -------
    ndarray of float32, shape of ``change``
    """
    shape = valid.shape
    size = (shape[1] // 4, shape[0] // 4)
    weight = cv2.resize(valid.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    veil = np.zeros((*size[::-1], 3), np.float32)
    for channel in range(3):
        x, y = (
            _band(each[..., channel], weight, size)
            for each in (np.exp(-board_log) * valid[..., None], change)
        )
        usable = (weight > 0.99) * (np.abs(y) < 0.12)
        across, square = (usable * x * y).astype(np.float32), (usable * x * x).astype(np.float32)
        whole = float(across.sum()) / max(float(square.sum()), 1e-12)
        trust = VEIL_PRIOR * float(square.mean()) + 1e-12
        near = VEIL_REACH_PX / 4
        veil[..., channel] = (cv2.GaussianBlur(across, (0, 0), near) + trust * whole) / (
            cv2.GaussianBlur(square, (0, 0), near) + trust
        )
    return np.asarray(
        cv2.resize(np.clip(veil, 0.0, MAX_VEIL), shape[::-1], interpolation=cv2.INTER_LINEAR),
        np.float32,
    )


MAX_VEIL = 40.0
"""Grey levels; more haze than this leaves no picture."""
VEIL_REACH_PX = 60.0
"""Distance over which a veil is one, pixels at half scale: five disc radii."""
VEIL_PRIOR = 0.3
"""Weight of the whole picture's veil against the local one's mean evidence."""


def _band(values: Floats, weight: Floats, size: tuple[int, int]) -> Floats:
    """Structure between the scales of a printed circle and of a zone; ``weight`` marks the board."""
    small = cv2.resize(values, size, interpolation=cv2.INTER_AREA)

    def mean(width: float) -> Floats:
        total = cv2.GaussianBlur(weight, (0, 0), width)
        return np.asarray(
            cv2.GaussianBlur(small, (0, 0), width) / np.maximum(total, 1e-3), np.float32
        )

    return mean(0.75) - mean(6.0)


def _unveiled(color: Floats, veil: Floats) -> Floats:
    """Take the veil off log colors, as far as dark paint leaves something over."""
    values = np.exp(color)
    return np.asarray(np.log(np.maximum(values - veil, 0.4 * values)), np.float32)


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
