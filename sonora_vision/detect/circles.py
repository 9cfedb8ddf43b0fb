"""Where discs may lie: circles of a disc's size that Hough's vote, change or paint suggests.

Three independent cues, because each fails somewhere: Hough circles (edges) where a disc is the
color of the board, change against the empty board where edges are blurred, and the taught paints
where discs crowd. A false suggestion costs a millisecond; a missed one is a lost disc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import fft

from sonora_vision.calibrate.rectify import rectify
from sonora_vision.calibrate.taught import COARSE, DISC_PX
from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.light import channel_mean
from sonora_vision.detect.scene import Floats, Mask, Scene

FloatArray = NDArray[np.float64]
Spectrum = NDArray[np.complex64]

COARSER = 2 * COARSE
_COARSER_DISC = DISC_PX / COARSER


@dataclass(frozen=True, kw_only=True)
class Paints:
    """Per-pixel evidence at the coarse scale that discs are looked for in."""

    foreign: Floats
    """0 the lit board, 1 surely something else or a deep shadow, shape (h/3, w/3)."""
    solid: Floats
    """The same, but 0 in whatever a shadow could be: darker, of the board's own hue."""
    likely: Floats
    """Log likelihood ratio of each taught paint against the board, clipped, (k, h/3, w/3)."""


_BOARD_LOG_DENSITY = -float(np.log((2 * np.pi) ** 1.5 * 0.03 * 0.03 * 0.06))
"""Log density of an empty pixel at its expected color, for noise of 0.03 in each hue and 0.06 in
brightness: what a mid-range camera gives in room light."""


def weigh_paints(scene: Scene, colors: DiscColors) -> Paints:
    """Weigh every pixel: empty board, or which of the taught paints."""
    board = _BOARD_LOG_DENSITY - 0.5 * np.minimum(scene.foreign, 40.0)
    likely = [
        np.clip(colors.pixel_log_likelihood(scene.color, k) - board, -4.0, 4.0)
        for k in range(len(colors.names))
    ]
    foreign = np.clip((scene.foreign - 4.0) / 12.0, 0.0, 1.0) * scene.in_photo
    level = channel_mean(scene.change)
    blue, green, red = (np.abs(each - level) for each in cv2.split(scene.change))
    hue = np.maximum(np.maximum(blue, green), red)
    shadow = (level < 0) & (level > -SHADOW_DEPTH) & (hue < SHADOW_HUE - 0.1 * level)
    return Paints(
        foreign=foreign.astype(np.float32),
        solid=np.where(shadow, 0.0, foreign).astype(np.float32),
        likely=np.stack(likely),
    )


SHADOW_DEPTH = 1.6
"""Log units: the darkest shadow leaves a fifth of the light."""
SHADOW_HUE = 0.10
"""How much a shadow changes hue, log units; more in its depth, where other light fills it."""


def suggest_circles(
    scene: Scene, paints: Paints, hidden: Mask | None = None
) -> tuple[FloatArray, Mask]:
    """Suggest centres of discs.

    Parameters
    ----------
    hidden
        Coarse mask of what is explained already; discs under it are judged by the rest.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        Pixels of the scene's view, strongest first, at least a fifth of a disc apart.
    ndarray of bool, shape (n,)
        Which of them have edges all around, whatever their color.
    """
    open_ = scene.in_photo if hidden is None else scene.in_photo & ~hidden
    maps = [2.0 * paints.foreign - 1.0] + [p / 3.0 for p in paints.likely]
    size = (open_.shape[1] // 2, open_.shape[0] // 2)
    crop = (slice(0, 2 * size[1]), slice(0, 2 * size[0]))
    small = np.stack(
        [cv2.resize((each * open_)[crop], size, interpolation=cv2.INTER_AREA) for each in maps]
    )
    room = np.ones(small.shape[1:], np.float32)
    if not open_.all():
        seen = cv2.resize(open_[crop].astype(np.float32), size, interpolation=cv2.INTER_AREA)
        (room,) = _filtered(np.asarray(seen, np.float32)[None], 0.0)
    peaks: list[tuple[float, float, float]] = []
    for score in _filtered(small, 0.5):
        score = np.where(room > 0.12, score / np.maximum(room, 0.3), -1.0).astype(np.float32)
        top = cv2.dilate(score, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((score >= top) & (score > 0.12))
        peaks += [
            (float(score[r, c]), float(c), float(r)) for r, c in zip(rows, columns, strict=True)
        ]
    found = [
        (s, c * COARSER + (COARSER - 1) / 2, r * COARSER + (COARSER - 1) / 2, False)
        for s, c, r in peaks
    ]
    if hidden is None:
        found += [(0.3, x, y, True) for x, y in _hough(scene)]
    return _apart(found, DISC_PX / 4)


_REACH = int(np.ceil(_COARSER_DISC * 1.6))


def _filtered(maps: Floats, ring_say: float) -> Floats:
    """Mean of each map over a disc about every pixel, less a part of what is bright around it.

    By Fourier transforms, which a kernel of this size and several maps repay.
    """
    height, width = maps.shape[1:]
    rim = ((0, 0), (_REACH, _REACH), (_REACH, _REACH))
    padded = np.pad(maps, rim, mode="reflect")
    shape = [fft.next_fast_len(side, real=True) for side in padded.shape[1:]]
    inner, outer = _kernel_spectra(*shape)
    spectrum = fft.rfft2(padded, shape) * inner
    if ring_say:
        spectrum -= fft.rfft2(np.maximum(padded, 0), shape) * (np.float32(ring_say) * outer)
    whole = fft.irfft2(spectrum, shape)
    # The kernels' corner is at the origin, so that the result lies their reach farther on.
    rows, columns = (slice(2 * _REACH, 2 * _REACH + side) for side in (height, width))
    return np.asarray(whole[:, rows, columns], np.float32)


@lru_cache(maxsize=4)
def _kernel_spectra(height: int, width: int) -> tuple[Spectrum, Spectrum]:
    """Spectra of the mean over a disc, and over the ring about it."""
    # The share of each pixel that lies in the area: whole pixels are too coarse for so small discs.
    side, fine = 2 * _REACH + 1, 8
    axis = (np.arange(side * fine) - (side * fine - 1) / 2) / fine
    distance = np.hypot(axis[:, None], axis) / _COARSER_DISC
    areas = (distance < 0.95, (distance > 1.12) & (distance < 1.5))
    inner, outer = (
        fft.rfft2(share / share.sum(), (height, width))
        for share in (
            area.astype(np.float32).reshape(side, fine, side, fine).mean(axis=(1, 3))
            for area in areas
        )
    )
    return np.asarray(inner, np.complex64), np.asarray(outer, np.complex64)


def _hough(scene: Scene) -> list[tuple[float, float]]:
    """Circles of a disc's size by OpenCV's Hough gradient method, pixels of the scene's view."""
    view = scene.view.reduced(HOUGH)
    gray = np.asarray(cv2.cvtColor(scene.pixels_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    circles = cv2.HoughCircles(
        rectify(gray, scene.pose, view, scene.height_mm),
        cv2.HOUGH_GRADIENT,
        dp=1.0,
        minDist=HOUGH_DISC_PX * 0.7,
        param1=60,
        param2=12,
        minRadius=round(HOUGH_DISC_PX * 0.88),
        maxRadius=round(HOUGH_DISC_PX * 1.12),
    )
    if circles is None:
        return []
    places = (np.asarray(circles, np.float64).reshape(-1, 3)[:60, :2] + 0.5) * HOUGH - 0.5
    return [(float(x), float(y)) for x, y in places]


HOUGH = 2
"""Edges are looked for at half the scale: at a third, one circle in fifty is lost."""
HOUGH_DISC_PX = DISC_PX / HOUGH


def _apart(
    found: Sequence[tuple[float, float, float, bool]], distance: float
) -> tuple[FloatArray, Mask]:
    """Keep the strongest of suggestions that lie together."""
    ordered = sorted(found, reverse=True)
    places = np.array([(x, y) for _, x, y, _ in ordered]).reshape(-1, 2)
    edged = np.array([edge for _, _, _, edge in ordered], np.bool_)
    alone = np.ones(len(places), np.bool_)
    for place, here in enumerate(places):
        if alone[place]:
            apart = places[place + 1 :] - here
            alone[place + 1 :] &= (apart**2).sum(axis=1) >= distance**2
    return np.asarray(places[alone], np.float64), edged[alone]
