"""Whether stated probabilities come true: calls by probability, as figures and as a curve."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Borders of the ranges of probability; finer near 1, where promises are made."""

_SIDE_PX = 480
_EDGE_PX = 60
_INK = (40, 40, 40)
_GRID = (215, 215, 215)
_CURVE = (160, 80, 20)


@dataclass(frozen=True, kw_only=True)
class ReliabilityBin:
    """Calls whose stated probability lies in one range."""

    low: float
    high: float
    calls: int
    mean_p: float
    right_share: float

    @property
    def interval(self) -> tuple[float, float]:
        """Range in which the true share lies with 95 % confidence.

        References
        ----------
        E. B. Wilson, Probable inference, the law of succession, and statistical inference,
        Journal of the American Statistical Association 22 (1927), 209-212.
        """
        z2 = 1.96**2
        middle = (self.right_share + z2 / (2 * self.calls)) / (1 + z2 / self.calls)
        variance = self.right_share * (1 - self.right_share) / self.calls
        half = math.sqrt(z2 * (variance + z2 / (4 * self.calls**2))) / (1 + z2 / self.calls)
        return max(middle - half, 0.0), min(middle + half, 1.0)


def reliability(
    calls: Sequence[tuple[float, bool]], edges: Sequence[float] = EDGES
) -> list[ReliabilityBin]:
    """Sort calls by their stated probability and say how many came true.

    Parameters
    ----------
    calls : sequence of (float, bool)
        The stated probability, and whether the call was right.
    edges : sequence of float
        Borders of the ranges, ascending. A call on a border belongs to the upper range.

    Returns
    -------
    list of ReliabilityBin
        The ranges that have calls, lowest first.
    """
    bins = []
    for low, high in itertools.pairwise(edges):
        last = high == edges[-1]
        inside = [(p, right) for p, right in calls if low <= p < high or (last and p == high)]
        if inside:
            bins.append(
                ReliabilityBin(
                    low=low,
                    high=high,
                    calls=len(inside),
                    mean_p=sum(p for p, _ in inside) / len(inside),
                    right_share=sum(right for _, right in inside) / len(inside),
                )
            )
    return bins


def draw_reliability(bins: Sequence[ReliabilityBin]) -> Pixels:
    """Draw the reliability curve: the stated probability across, the share that came true up.

    A program that knows what it knows lies on the diagonal. Bars show the 95 % interval, so that
    a range with few calls is not taken for a verdict.

    Parameters
    ----------
    bins : sequence of ReliabilityBin
        Calls by range of probability.

    Returns
    -------
    (600, 600, 3) uint8 ndarray
        The picture, BGR.
    """
    size = _SIDE_PX + 2 * _EDGE_PX
    picture: Pixels = np.full((size, size, 3), 255, dtype=np.uint8)
    for tenth in range(0, 11, 2):
        value = tenth / 10
        cv2.line(picture, _at(value, 0), _at(value, 1), _GRID, 1, cv2.LINE_AA)
        cv2.line(picture, _at(0, value), _at(1, value), _GRID, 1, cv2.LINE_AA)
        x, y = _at(value, 0)
        _write(picture, f"{value:.1f}", (x - 12, y + 20))
        x, y = _at(0, value)
        _write(picture, f"{value:.1f}", (x - 36, y + 5))
    cv2.line(picture, _at(0, 0), _at(1, 1), _INK, 1, cv2.LINE_AA)
    _write(picture, "stated probability", (size // 2 - 70, size - 14))
    _write(picture, "share that was right", (_EDGE_PX, _EDGE_PX - 20))
    points = [_at(each.mean_p, each.right_share) for each in bins]
    for start, end in itertools.pairwise(points):
        cv2.line(picture, start, end, _CURVE, 2, cv2.LINE_AA)
    for each, point in zip(bins, points, strict=True):
        low, high = each.interval
        cv2.line(picture, _at(each.mean_p, low), _at(each.mean_p, high), _CURVE, 1, cv2.LINE_AA)
        cv2.circle(picture, point, 5, _CURVE, -1, cv2.LINE_AA)
    return picture


def _at(p: float, share: float) -> tuple[int, int]:
    """Return the pixel of a point of the curve."""
    return round(_EDGE_PX + p * _SIDE_PX), round(_EDGE_PX + (1 - share) * _SIDE_PX)


def _write(picture: Pixels, text: str, corner_px: tuple[int, int]) -> None:
    cv2.putText(picture, text, corner_px, cv2.FONT_HERSHEY_SIMPLEX, 0.45, _INK, 1, cv2.LINE_AA)
