"""Straight lines: fitted to points, and met with each other."""

from __future__ import annotations

import numpy as np

from sonora_vision.calibrate.lens import FloatArray


def sides(corners: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
    """Return the ends of each side of a polygon."""
    return list(zip(corners, np.roll(corners, -1, axis=0), strict=True))


def robust_line(x: FloatArray, y: FloatArray) -> FloatArray:
    """Slope and height at the middle of the line that most points lie on."""
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, len(x), (200, 2))
    pairs = pairs[np.abs(x[pairs[:, 0]] - x[pairs[:, 1]]) > 0.4]
    slopes = (y[pairs[:, 1]] - y[pairs[:, 0]]) / (x[pairs[:, 1]] - x[pairs[:, 0]])
    heights = y[pairs[:, 0]] - slopes * x[pairs[:, 0]]
    misses = np.abs(y[None] - slopes[:, None] * x[None] - heights[:, None])
    best = np.minimum(misses, 2.0).sum(axis=1).argmin()
    keep = misses[best] < 1.5
    return np.polyfit(x[keep], y[keep], 1)


def meet(one: tuple[FloatArray, FloatArray], other: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Return where two lines, a point and a unit vector each, meet; NaN if they hardly do."""
    matrix = np.column_stack([one[1], -other[1]])
    if abs(np.linalg.det(matrix)) < 0.05:
        return np.full(2, np.nan)
    reach = np.linalg.solve(matrix, other[0] - one[0])
    return np.asarray(one[0] + reach[0] * one[1], np.float64)
