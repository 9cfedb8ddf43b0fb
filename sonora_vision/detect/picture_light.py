"""What the discs of a picture tell of its light: how far each color lies from the taught one.

A lamp carries colors that are alike to alike places. So two colors that are taken for each other
may both look wrong alone, and yet be told apart together: only with the right names have both
moved alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.color import DiscColors, light_covariance
from sonora_vision.detect.inventory import Identity
from sonora_vision.detect.look import Look

FloatArray = NDArray[np.float64]

LIT = 0.2
"""Faces with more trouble than this tell nothing of the light, and are not judged by it."""
HAZY = 16.0
"""Grey levels of haze under which a color is not quite its own."""
BEYOND_QUESTION = 0.98
LEAST_LIT = 4
"""Discs from which the light is learned; fewer could all be wrong together."""
LIKELIER = 0.5
AGREED_NATS = 6.0
"""How much likelier the light must be with the colors' names as they are than with any two of them
exchanged, before discs are believed that are not beyond question."""
ALL_LEVEL = 0.12
"""How far light carries all colors of a picture, log units,"""
SHIFT_LEVEL, SHIFT_HUE = 0.16, 0.12
"""and each of them besides."""
OWN_LEVEL, OWN_HUE = 0.08, 0.05
"""How far a disc lies from the others of its color in one picture."""
ALIKE = 0.6
"""Distance of two colors, log units, over which the light carries them less and less alike. Over
twenty-six boards two colors 0.3 to 0.5 apart move apart by 0.09 in level, by 0.07 in hue."""


def light_of_discs(
    looks: Sequence[Look], identities: Sequence[Identity], colors: DiscColors
) -> FloatArray | None:
    """Say how far this picture's discs of each color lie from the taught ones.

    Learned from discs whose color is beyond question: those of a color tell most about it, all
    together about the rest. What is common to them is light, and must not be held against one.
    Where the colors that are likeliest agree on a light, and no two of them exchanged do, it is
    learned from all discs.

    Parameters
    ----------
    looks, identities
        The lying discs, and who they are so far.
    colors
        The taught colors.

    Returns
    -------
    ndarray of float64, shape (k, 3), or None
        In log units; None where too few discs tell it.
    """
    lit = [
        (look.color, colors.names.index(identity.color), identity.p_color)
        for look, identity in zip(looks, identities, strict=True)
        if look.color is not None and look.trouble <= LIT and look.veil <= HAZY
    ]
    likely = [each for each in lit if each[2] > LIKELIER]
    known = [each for each in lit if each[2] >= BEYOND_QUESTION]
    if len(known) < len(likely) and _agree(likely, colors):
        known = likely
    if len(known) < LEAST_LIT:
        return None
    seen = np.array([color for color, _, _ in known])
    named = np.array([where for _, where, _ in known], np.intp)
    there, shift, count = _moved(seen, named, colors)
    lamp = _lamp(colors.means, colors.means[there])
    own = _lamp(colors.means[there], colors.means[there]) + _own(count)
    return np.asarray((lamp @ np.linalg.solve(own, shift.ravel())).reshape(-1, 3), np.float64)


def _agree(likely: Sequence[tuple[FloatArray, int, float]], colors: DiscColors) -> bool:
    """Whether these colors fit one light better than with any two of their names exchanged."""
    seen = np.array([color for color, _, _ in likely]).reshape(-1, 3)
    named = np.array([where for _, where, _ in likely], np.intp)
    as_named = _light_log(seen, named, colors)
    there = np.unique(named)
    for one in there:
        for other in there[there > one]:
            names = np.arange(len(colors.names))
            names[[one, other]] = other, one
            if as_named - _light_log(seen, names[named], colors) < AGREED_NATS:
                return False
    return True


def _light_log(seen: FloatArray, named: NDArray[np.intp], colors: DiscColors) -> float:
    """Log likelihood of the mean shifts of all colors, those of colors that are alike being so."""
    there, shift, count = _moved(seen, named, colors)
    covariance = _lamp(colors.means[there], colors.means[there]) + _own(count)
    _, size = np.linalg.slogdet(covariance)
    return -0.5 * float(shift.ravel() @ np.linalg.solve(covariance, shift.ravel()) + size)


def _moved(
    seen: FloatArray, named: NDArray[np.intp], colors: DiscColors
) -> tuple[NDArray[np.intp], FloatArray, NDArray[np.intp]]:
    """Which colors there are, how far each lies from the taught one, and in how many discs."""
    there, count = np.unique(named, return_counts=True)
    means = np.array([seen[named == each].mean(axis=0) for each in there])
    return there, means - colors.means[there], count


def _lamp(some: FloatArray, others: FloatArray) -> FloatArray:
    """Covariance of the shifts of two lots of colors, shape (3 k, 3 l)."""
    apart = np.linalg.norm(some[:, None] - others, axis=2)
    alike = np.exp(-0.5 * (apart / ALIKE) ** 2)
    return np.asarray(
        np.kron(alike, light_covariance(SHIFT_LEVEL, SHIFT_HUE))
        + np.kron(np.ones_like(alike), light_covariance(ALL_LEVEL, 0.0)),
        np.float64,
    )


def _own(count: NDArray[np.intp]) -> FloatArray:
    """Covariance of what so many discs of each color are off by themselves, on the average."""
    return np.asarray(np.kron(np.diag(1 / count), light_covariance(OWN_LEVEL, OWN_HUE)), np.float64)
