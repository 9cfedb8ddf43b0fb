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

from sonora_vision.calibrate.taught import COARSE, DISC_PX
from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.light import channel_mean
from sonora_vision.detect.scene import COARSE_DISC_PX, Floats, Mask, Scene

FloatArray = NDArray[np.float64]

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
    likely = np.empty((len(colors.names), *board.shape), np.float32)
    for k, each in enumerate(likely):
        np.subtract(colors.pixel_log_likelihood(scene.color, k), board, out=each)
    np.clip(likely, -4.0, 4.0, out=likely)
    foreign = np.clip((scene.foreign - 4.0) / 12.0, 0.0, 1.0) * scene.in_photo
    level = channel_mean(scene.change)
    blue, green, red = (cv2.absdiff(each, level) for each in cv2.split(scene.change))
    hue = cv2.max(cv2.max(blue, green), red)
    shadow = (level < 0) & (level > -SHADOW_DEPTH) & (hue < SHADOW_HUE - 0.1 * level)
    return Paints(
        foreign=np.asarray(foreign, np.float32),
        solid=np.asarray(foreign * ~shadow, np.float32),
        likely=likely,
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
    shown = open_.astype(np.float32)
    maps = [_halved((2.0 * each - 1.0) * shown) for each in (paints.foreign, paints.solid)]
    maps += [_halved(likely * (shown / np.float32(3.0))) for likely in paints.likely]
    scores = _filtered(maps)
    if not open_.all():
        room = cv2.filter2D(_halved(shown), -1, _shares()[0][3:-3, 3:-3])
        enough, room = room > 0.12, np.maximum(room, 0.3)
        scores = [np.where(enough, score / room, -1.0) for score in scores]
    found = [
        (value, x * COARSER + (COARSER - 1) / 2, y * COARSER + (COARSER - 1) / 2, False)
        for score in scores
        for value, x, y in _peaks(np.asarray(score, np.float32))
    ]
    if hidden is None:
        found += [(0.3, x, y, True) for x, y in _hough(scene)]
    return _apart(found, DISC_PX / 4)


def _halved(picture: Floats) -> Floats:
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    whole = picture[: 2 * size[1], : 2 * size[0]]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.float32)


def _peaks(score: Floats) -> list[tuple[float, float, float]]:
    """Where a score is highest about: the score there, and x and y."""
    top = cv2.dilate(score, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((score >= top) & (score > 0.12))
    return list(zip(score[rows, columns].tolist(), columns.tolist(), rows.tolist(), strict=True))


_REACH = int(np.ceil(_COARSER_DISC * 1.6))
_RING_SAY = 0.5


def _filtered(maps: Sequence[Floats]) -> list[Floats]:
    """Mean of each map over a disc about every pixel, less a part of what is bright around it.

    By Fourier transforms, of two maps at once: one is the real, one the imaginary part, and what
    is real in space leaves them apart.
    """
    height, width = maps[0].shape
    sides = [cv2.getOptimalDFTSize(side + 2 * _REACH) for side in (height, width)]
    rim = (_REACH, sides[0] - height - _REACH, _REACH, sides[1] - width - _REACH)
    inner, outer = _kernel_spectra(*sides)
    filtered: list[Floats] = []
    for first in range(0, len(maps), 2):
        both = cv2.merge([maps[first], maps[min(first + 1, len(maps) - 1)]])
        padded = cv2.copyMakeBorder(both, *rim, cv2.BORDER_REFLECT_101)
        within = cv2.mulSpectrums(cv2.dft(padded), inner, 0)
        about = cv2.mulSpectrums(cv2.dft(np.maximum(padded, 0.0)), outer, 0)
        whole = cv2.idft(cv2.subtract(within, about), flags=cv2.DFT_SCALE)
        # The kernels' corner is at the origin, so that the result lies their reach farther on.
        part = whole[2 * _REACH : 2 * _REACH + height, 2 * _REACH : 2 * _REACH + width]
        filtered += [np.asarray(each, np.float32) for each in cv2.split(part)]
    return filtered[: len(maps)]


@lru_cache(maxsize=1)
def _shares() -> tuple[Floats, Floats]:
    """Means over a disc, and over the ring about it, as kernels.

    They hold the share of each pixel that lies in the area: whole pixels are too coarse for so
    small discs.
    """
    side, fine = 2 * _REACH + 1, 8
    axis = (np.arange(side * fine) - (side * fine - 1) / 2) / fine
    distance = np.hypot(axis[:, None], axis) / _COARSER_DISC
    inner, outer = (
        area.astype(np.float32).reshape(side, fine, side, fine).mean(axis=(1, 3))
        for area in (distance < 0.95, (distance > 1.12) & (distance < 1.5))
    )
    return inner / inner.sum(), outer / outer.sum()


@lru_cache(maxsize=4)
def _kernel_spectra(height: int, width: int) -> tuple[Floats, Floats]:
    """Spectra of the mean over a disc, and of what the ring about it has to say."""
    inner, outer = _shares()
    rest = (0, height - len(inner), 0, width - len(inner))

    def spectrum(kernel: Floats) -> Floats:
        padded = cv2.copyMakeBorder(kernel, *rest, cv2.BORDER_CONSTANT, value=0.0)
        return np.asarray(cv2.dft(padded, flags=cv2.DFT_COMPLEX_OUTPUT), np.float32)

    return spectrum(inner), spectrum(np.asarray(_RING_SAY * outer, np.float32))


def _hough(scene: Scene) -> list[tuple[float, float]]:
    """Circles of a disc's size by OpenCV's Hough gradient method, pixels of the scene's view."""
    circles = cv2.HoughCircles(
        cv2.cvtColor(scene.coarse_bgr, cv2.COLOR_BGR2GRAY),
        cv2.HOUGH_GRADIENT,
        dp=2.0,  # votes of a rim that is not quite round fall together in cells of two pixels
        minDist=COARSE_DISC_PX * 0.7,
        param1=60,
        param2=22,
        minRadius=round(COARSE_DISC_PX * 0.88),
        maxRadius=round(COARSE_DISC_PX * 1.12),
    )
    if circles is None:
        return []
    places = (np.asarray(circles, np.float64).reshape(-1, 3)[:60, :2] + 0.5) * COARSE - 0.5
    return [(float(x), float(y)) for x, y in places]


def _apart(
    found: Sequence[tuple[float, float, float, bool]], distance: float
) -> tuple[FloatArray, Mask]:
    """Keep the strongest of suggestions that lie together."""
    ordered = sorted(found, reverse=True)
    places = np.array([(x, y) for _, x, y, _ in ordered]).reshape(-1, 2)
    edged = np.array([edge for _, _, _, edge in ordered], np.bool_)
    near = np.square(places[:, None] - places).sum(axis=2) < distance**2
    alone = np.ones(len(places), np.bool_)
    for place in range(len(places)):
        if alone[place]:
            alone[place + 1 :] &= ~near[place, place + 1 :]
    return np.asarray(places[alone], np.float64), edged[alone]
