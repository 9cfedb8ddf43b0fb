"""The light of a photograph, told from what lies in it.

All of it works on log ratios of the seen to the taught board, shape (h, w, 3), at the coarse scale:
there lamps and shade are sums. What is smooth is light (Land and McCann's retinex argument, 1971);
haze lifts dark paint more than light paint; shine is broad and has no color; what is left is
foreign.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

CELL_PX = 5
"""Cell of the light's grid, pixels at the coarse scale: five eighths of a disc's radius."""
MAX_VEIL = 40.0
"""Grey levels; more haze than this leaves no picture."""
VEIL_REACH_PX = 40.0
"""Distance over which a veil is one, pixels at the coarse scale: five disc radii."""
VEIL_PRIOR = 0.3
"""Weight of the whole picture's veil against the local one's mean evidence."""


_MEAN = np.full((1, 3), 1 / 3, np.float32)
_SUM = np.ones((1, 3), np.float32)


def channel_mean(picture: Floats) -> Floats:
    """Mean over the channels of (h, w, 3); NumPy's is ten times slower over so short an axis."""
    return np.asarray(cv2.transform(picture, _MEAN), np.float32)


def channel_sum(picture: Floats) -> Floats:
    """Sum over the channels of (h, w, 3), see :func:`channel_mean`."""
    return np.asarray(cv2.transform(picture, _SUM), np.float32)


def smooth_light(ratio: Floats, valid: Mask) -> Floats:
    """Return the smooth part of a log ratio: a local mean that jumps cannot pull.

    Geman and McClure's weights, from wide and forgiving to narrow and strict.

    Parameters
    ----------
    ratio
        Log ratio of seen to taught, shape (h, w, 3).
    valid
        Where the ratio says something, shape (h, w).

    Returns
    -------
    ndarray of float32, shape (h, w, 3)
        0 everywhere if next to nothing is valid.
    """
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
        (0.6, 8.5),
        (0.35, 4.3),
        (0.2, 2.7),
        (0.12, 2.1),
        (0.08, 1.9),
        (0.08, 1.9),
    ):
        deviation = channel_sum(np.square(cells - light))
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


def glare(change: Floats, valid: Mask, disc_px: float) -> Floats:
    """Return the broad brightening: a lamp's shine on varnish, wider than a disc.

    Parameters
    ----------
    change
        Log ratio with the light taken out, shape (h, w, 3).
    valid
        Where it says something, shape (h, w).
    disc_px
        Radius of a disc.

    Returns
    -------
    ndarray of float32, shape (h, w)
        0 none, to 1 that hides colors.
    """
    level = channel_mean(change)
    shine = np.clip(level, 0.0, 1.0) * valid
    small = cv2.resize(shine, None, fx=1 / 3, fy=1 / 3, interpolation=cv2.INTER_AREA)
    # The least over a disc's width about: a bright disc alone is no shine.
    reach = 2 * round(disc_px * 1.3 / 3) + 1
    opened = cv2.morphologyEx(small, cv2.MORPH_OPEN, np.ones((reach, reach), np.uint8))
    spread = cv2.dilate(opened, np.ones((reach, reach), np.uint8))
    size = (level.shape[1], level.shape[0])
    return np.asarray(np.clip(cv2.resize(spread, size) / 0.5, 0.0, 1.0), np.float32)


def veil_over(change: Floats, darkness: Floats, valid: Mask) -> Floats:
    """Return the light that lies over the picture: haze, a window's reflection.

    A veil v lifts dark paint more than light paint: the log ratio of a place of brightness b
    rises by v / b. So the local slope of the change over 1 / b is the veil there. Both are
    smoothed first, so that blur of thin dark lines has no say.

    Parameters
    ----------
    change
        Log ratio with the light taken out, shape (h, w, 3).
    darkness
        One over the taught board's brightness, 0 where it is not valid, shape (h, w, 3).
    valid
        Where both say something, shape (h, w).

    Returns
    -------
    ndarray of float32, shape (h, w, 3)
        Grey levels in the light of the teaching, up to ``MAX_VEIL``.
    """
    shape = valid.shape
    size = (shape[1] // 3, shape[0] // 3)
    weight = np.asarray(
        cv2.resize(valid.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32
    )
    x, y = (_band(each, weight, size) for each in (darkness, change))
    usable = (weight > 0.99)[..., None] & (np.abs(y) < 0.12)
    across, square = usable * x * y, usable * x * x
    whole = across.sum(axis=(0, 1)) / np.maximum(square.sum(axis=(0, 1)), 1e-12)
    trust = VEIL_PRIOR * square.mean(axis=(0, 1)) + 1e-12
    over, under = _spread(np.asarray(across, np.float32)), _spread(np.asarray(square, np.float32))
    veil = (over + trust * whole) / (under + trust)
    return np.asarray(
        cv2.resize(np.clip(veil, 0.0, MAX_VEIL), shape[::-1], interpolation=cv2.INTER_LINEAR),
        np.float32,
    )


def _spread(values: Floats) -> Floats:
    """Blur over a veil's reach, at half the size: so wide a blur needs no more."""
    small = cv2.resize(values, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), VEIL_REACH_PX / 6), np.float32)


def _band(values: Floats, weight: Floats, size: tuple[int, int]) -> Floats:
    """Structure between the scales of a printed circle and a zone; ``weight`` marks the board."""
    small = cv2.resize(values, size, interpolation=cv2.INTER_AREA)

    def mean(width: float) -> Floats:
        total = np.maximum(cv2.GaussianBlur(weight, (0, 0), width), 1e-3)
        return np.asarray(cv2.GaussianBlur(small, (0, 0), width) / total[..., None], np.float32)

    return mean(0.67) - mean(5.33)


def unveiled(color: Floats, veil: Floats) -> Floats:
    """Take a veil in grey levels off log colors, as far as dark paint leaves something over."""
    values = np.asarray(cv2.exp(color), np.float32)
    left = values - veil
    values *= np.float32(0.4)
    return np.asarray(cv2.log(np.maximum(left, values, out=left), left), np.float32)


def only(picture: cv2.typing.MatLike, where: Mask) -> Floats:
    """Return a picture of (h, w, 3) that is 0 elsewhere; NumPy's masks are slow on channels."""
    return np.asarray(cv2.copyTo(picture, where.view(np.uint8)), np.float32)


def foreign(change: Floats, edge: Floats, areas: Sequence[Mask]) -> Floats:
    """Say how far each pixel is from the lit board, a shadow's share of darkness forgiven.

    Parameters
    ----------
    change
        Log ratio with the light taken out, shape (h, w, 3).
    edge
        Slope of the expected log brightness, per pixel, shape (h, w): misfit shows there.
    areas
        Each is judged against its own noise, shape (h, w); most of it must be empty.

    Returns
    -------
    ndarray of float32, shape (h, w)
        Squared deviations of hue and brightness in units of their noise.
    """
    level = channel_mean(change)
    hue_noise, level_noise = np.ones_like(level), np.ones_like(level)
    for area in areas:
        some = np.flatnonzero(area)[::19]
        if not some.size:
            continue
        some_level = level.ravel()[some]
        some_hue = change.reshape(-1, 3)[some] - some_level[:, None]
        hue_sigma = max(0.015, 1.48 * float(np.median(np.abs(some_hue))))
        level_sigma = max(0.03, 1.48 * float(np.median(np.abs(some_level))))
        np.copyto(hue_noise, np.float32(4 * (hue_sigma**2 + 0.02**2)), where=area)
        np.copyto(level_noise, np.float32(4 * level_sigma**2), where=area)
    shift = np.square(edge * np.float32(1 / 3))  # a third of a pixel of misfit
    hue_noise += shift
    level_noise += shift
    # Squared length across (1, 1, 1), without making the three differences.
    hue = np.maximum(channel_sum(change * change) - 3 * np.square(level), 0.0)
    darker = np.maximum(level, 0.0) + np.minimum(level + np.float32(0.15), 0.0)
    return np.asarray(hue / hue_noise + np.square(darker) / level_noise, np.float32)
