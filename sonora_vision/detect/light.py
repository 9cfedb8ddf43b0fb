"""The light of a photograph, told from what lies in it.

All of it works on log ratios of the seen to the taught board, shape (h, w, 3), at the coarse scale:
there lamps and shade are sums. What is smooth is light (Land and McCann's retinex argument, 1971);
haze lifts dark paint more than light paint; shine is broad and has no color; what is left is
foreign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

CELL_PX = 5
"""Cell of the light's grid, pixels at the coarse scale: five eighths of a disc's radius."""
MAX_VEIL = 40.0
"""Grey levels; more haze than this leaves no picture."""
LIFT = (-1.0, 0.6)
"""Part of the board's brightness that a veil takes away or makes up, at the most."""
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


def channel_sums(picture: Floats) -> FloatArray:
    """Sum of each channel of (h, w, 3) over all pixels, shape (3,)."""
    return np.array(cv2.sumElems(picture)[:3])


def smooth_lights(ratio: Floats, areas: Sequence[Mask]) -> list[Floats]:
    """Return the smooth part of a log ratio: a local mean that jumps cannot pull.

    Geman and McClure's weights, from wide and forgiving to narrow and strict.

    Parameters
    ----------
    ratio
        Log ratio of seen to taught, shape (h, w, 3).
    areas
        Where the ratio says something, each of shape (h, w); each has a light of its own.

    Returns
    -------
    list of ndarray of float32, shape (h, w, 3)
        The light of each area; 0 everywhere where next to nothing of it is seen.
    """
    height, width = ratio.shape[:2]
    size = (width // CELL_PX, height // CELL_PX)
    crop = (slice(0, size[1] * CELL_PX), slice(0, size[0] * CELL_PX))
    cells = np.asarray(cv2.resize(ratio[crop], size, interpolation=cv2.INTER_AREA), np.float32)
    lights = []
    for area in areas:
        share = cv2.resize(area[crop].view(np.uint8) * 255, size, interpolation=cv2.INTER_AREA)
        usable = share > 0.95 * 255
        if usable.sum() < 20:
            lights.append(np.zeros_like(ratio))
            continue
        light = _smooth_cells(cells, usable)
        wide = cv2.resize(
            light, (size[0] * CELL_PX, size[1] * CELL_PX), interpolation=cv2.INTER_LINEAR
        )
        rest = (0, height - wide.shape[0], 0, width - wide.shape[1])
        lights.append(np.asarray(cv2.copyMakeBorder(wide, *rest, cv2.BORDER_REPLICATE), np.float32))
    return lights


_PASSES = ((0.6, 8.5), (0.35, 4.3), (0.2, 2.7), (0.12, 2.1), (0.08, 1.9), (0.08, 1.9))
"""What a jump is, log units, and how far about light is one, cells: from wide and forgiving to
narrow and strict, so that a lamp's slope is followed first."""


def _smooth_cells(cells: Floats, usable: Mask) -> Floats:
    """Local mean of cells (h, w, 3) of which some are usable, by each pass in turn."""
    whole = np.ones(usable.shape, np.float32)
    middle = [whole * each for each in np.median(cells[usable], axis=0).astype(np.float32)]
    # With a fourth channel of ones, in which weights are summed like the others.
    light = cv2.merge([*middle, whole])
    weighed = cv2.merge([*cv2.split(cells), whole])
    weighable, hardly = usable.astype(np.float32), usable * np.float32(1e-4)
    for spread, sigma in _PASSES:
        apart = weighed - light
        deviation = cv2.transform(apart * apart, np.full((1, 4), spread**-2, np.float32))
        weight = weighable / np.square(1.0 + deviation) + hardly
        mixed = cv2.GaussianBlur(
            weighed * cv2.merge([weight] * 4), (0, 0), sigma, borderType=cv2.BORDER_REPLICATE
        )
        total = cv2.extractChannel(mixed, 3)
        found = mixed / cv2.merge([np.maximum(total, 1e-6)] * 4)
        cv2.copyTo(found, (total > 1e-3).view(np.uint8), light)
    return np.asarray(cv2.merge(cv2.split(light)[:3]), np.float32)


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
    small = _third(np.asarray(shine, np.float32))
    # The least over a disc's width about: a bright disc alone is no shine.
    reach = 2 * round(disc_px * 1.3 / 3) + 1
    opened = cv2.morphologyEx(small, cv2.MORPH_OPEN, np.ones((reach, reach), np.uint8))
    spread = cv2.dilate(opened, np.ones((reach, reach), np.uint8))
    wide = _thrice(np.asarray(spread, np.float32), level.shape)
    return np.asarray(np.clip(wide / 0.5, 0.0, 1.0), np.float32)


def veil_over(change: Floats, darkness: Floats, valid: Mask) -> tuple[Floats, Floats]:
    """Return the light that lies over the picture: haze, a window's reflection.

    A veil v lifts dark paint more than light paint: the log ratio of a place of brightness b
    rises by v / b. So the local slope of the change over 1 / b is the veil there. Both are
    smoothed first, so that blur of thin dark lines has no say. What rises everywhere about is
    taken for light, more of it than there is. Where the board was taught in more haze than the
    photograph has, the veil is negative.

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
    veil : ndarray of float32, shape (h, w, 3)
        Grey levels in the light of the teaching, up to ``MAX_VEIL`` either way.
    lifted : ndarray of float32, shape (h, w, 3)
        By how much the veil is taken for light, log units.
    """
    weight = _third(valid.astype(np.float32))
    totals = {width: _blur_total(weight, width) for width in _BAND}
    (x, dark), (y, _) = (_band(_third(each), totals) for each in (darkness, change))
    usable = (cv2.merge([weight] * 3) > 0.99) & (np.abs(y) < 0.12)
    x *= usable
    across, square = x * y, x * x
    count = weight.size
    whole = channel_sums(across) / np.maximum(channel_sums(square), 1e-12)
    trust = VEIL_PRIOR * channel_sums(square) / count + 1e-12
    over, under = _spread(across), _spread(square)
    veil = (over + (trust * whole).astype(np.float32)) / (under + trust.astype(np.float32))
    size = (weight.shape[1], weight.shape[0])
    fine = cv2.resize(np.clip(veil, -MAX_VEIL, MAX_VEIL), size, interpolation=cv2.INTER_LINEAR)
    # The slope is less than the veil by what the light took up: so this is no log1p(v / b).
    lifted = -cv2.log(1.0 - np.clip(fine * dark, *LIFT))
    return (
        _thrice(np.asarray(fine, np.float32), valid.shape),
        _thrice(np.asarray(lifted, np.float32), valid.shape),
    )


def _third(values: Floats) -> Floats:
    """Reduce to a third of the size by averaging; what is left over of the sides is cut off."""
    size = (values.shape[1] // 3, values.shape[0] // 3)
    whole = values[: 3 * size[1], : 3 * size[0]]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.float32)


def _thrice(values: Floats, shape: tuple[int, ...]) -> Floats:
    """Enlarge what :func:`_third` reduced to the shape that it had."""
    height, width = values.shape[:2]
    fine = cv2.resize(values, (3 * width, 3 * height), interpolation=cv2.INTER_LINEAR)
    rest = (0, shape[0] - 3 * height, 0, shape[1] - 3 * width)
    return np.asarray(cv2.copyMakeBorder(fine, *rest, cv2.BORDER_REPLICATE), np.float32)


def _spread(values: Floats) -> Floats:
    """Blur over a veil's reach, at half the size: so wide a blur needs no more."""
    small = cv2.resize(values, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), VEIL_REACH_PX / 6), np.float32)


_BAND = (0.67, 5.33)
"""Widths between which structure counts: between those of a printed circle and of a zone."""


def _blur_total(weight: Floats, width: float) -> Floats:
    total = np.maximum(cv2.GaussianBlur(weight, (0, 0), width), 1e-3)
    return np.asarray(cv2.merge([total] * 3), np.float32)


def _band(values: Floats, totals: Mapping[float, Floats]) -> tuple[Floats, Floats]:
    """Structure between two widths, and what is wider; ``totals`` are the blurred weights."""
    fine, wide = (cv2.GaussianBlur(values, (0, 0), width) / totals[width] for width in totals)
    return np.asarray(fine - wide, np.float32), np.asarray(wide, np.float32)


def unveiled(color: Floats, veil: Floats) -> Floats:
    """Take a veil in grey levels off log colors, as far as dark paint leaves something over."""
    values = np.asarray(cv2.exp(color), np.float32)
    left = values - veil
    values *= np.float32(0.4)
    return np.asarray(cv2.log(np.maximum(left, values, out=left), left), np.float32)


def only(picture: cv2.typing.MatLike, where: Mask) -> Floats:
    """Return a picture of (h, w, 3) that is 0 elsewhere; NumPy's masks are slow on channels."""
    return np.asarray(cv2.copyTo(picture, where.view(np.uint8)), np.float32)


SAMPLED = 37
"""Every so many pixels tell the noise; no divisor of usual sides, so that they lie about."""


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
    some = np.s_[::SAMPLED]
    some_level = level.ravel()[some]
    apart = np.abs(change.reshape(-1, 3)[some] - some_level[:, None])
    for area in areas:
        inside = area.ravel()[some]
        if not inside.any():
            continue
        hue_sigma = max(0.015, 1.48 * float(np.median(apart[inside])))
        level_sigma = max(0.03, 1.48 * float(np.median(np.abs(some_level[inside]))))
        np.copyto(hue_noise, np.float32(4 * (hue_sigma**2 + 0.02**2)), where=area)
        np.copyto(level_noise, np.float32(4 * level_sigma**2), where=area)
    shift = np.square(edge * np.float32(1 / 3))  # a third of a pixel of misfit
    hue_noise += shift
    level_noise += shift
    # Squared length across (1, 1, 1), without making the three differences.
    hue = np.maximum(channel_sum(change * change) - 3 * np.square(level), 0.0)
    darker = np.maximum(level, 0.0) + np.minimum(level + np.float32(0.15), 0.0)
    return np.asarray(hue / hue_noise + np.square(darker) / level_noise, np.float32)
