"""Where a board ends, in profiles across its four sides.

Inside is what the board shows there, outside the table, darker towards the board. Between them may
be a printed frame, of one width all around and one ink on a side: what lies beside a board in the
picture, its shadow, is not so even. Without it the board would seem to end where its frame begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sonora_vision.calibrate.lens import FloatArray


@dataclass(frozen=True, kw_only=True)
class EdgeParams:
    """What a board's edge can look like."""

    frames_mm: tuple[float, ...] = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0)
    """Widths of a printed frame."""
    blurs_mm: tuple[float, ...] = (0.3, 0.4, 0.5, 0.6, 0.75)
    """Half the width of a step, as lens and resampling show it."""
    shadow_mm: float = 3.0
    """How far the board's shadow reaches: about its thickness."""
    near_mm: float = 1.5
    """How far beyond its tries a bare edge is looked at: no shadow is fitted there."""
    least_gain: float = 1.65
    """How many times less a frame must leave unexplained than board and table alone: 1.9 or more
    on drawn boards whose frame stands out from the table, 1.4 or less on boards without one."""


def edge_costs(
    profiles: FloatArray,
    distances_mm: FloatArray,
    tries_mm: FloatArray,
    params: EdgeParams | None = None,
) -> FloatArray:
    """Say what an edge leaves unexplained of each profile, wherever it may lie.

    Parameters
    ----------
    profiles
        Colors across the sides of a board, shape (sides, n, d, 3).
    distances_mm
        Where they were taken, outwards, shape (d,).
    tries_mm
        Where the edge may be, shape (t,).
    params
        What it can look like.

    Returns
    -------
    ndarray of float64, shape (sides, n, t)
        Relative to what is usual at the best place.
    """
    params = params or EdgeParams()
    ends = (np.median(profiles[:, :, end].reshape(-1, 3), axis=0) for end in (0, -1))
    darkest = np.minimum(*ends)
    near = np.abs(distances_mm) < tries_mm[-1] + params.near_mm
    bare, plain, framed = (
        min(costs, key=_left)
        for costs in (
            _plain(profiles[:, :, near], distances_mm[near], tries_mm, 0.0, params),
            _plain(profiles, distances_mm, tries_mm, params.shadow_mm, params),
            _framed(profiles, distances_mm, tries_mm, darkest, params),
        )
    )
    best = framed if _left(plain) > params.least_gain * _left(framed) else bare
    return best / max(_left(best), 1e-6)


def _left(costs: FloatArray) -> float:
    return float(np.median(costs.min(axis=-1)))


def _plain(
    profiles: FloatArray,
    distances: FloatArray,
    tries: FloatArray,
    shadow_mm: float,
    params: EdgeParams,
) -> Iterable[FloatArray]:
    """Costs of edges without a frame, for each blur."""
    for blur in params.blurs_mm:
        looks = [_look(side, distances, tries, 0.0, blur, shadow_mm) for side in profiles]
        yield np.stack([look.squares for look in looks])


def _framed(
    profiles: FloatArray,
    distances: FloatArray,
    tries: FloatArray,
    darkest: FloatArray,
    params: EdgeParams,
) -> Iterable[FloatArray]:
    """Costs of edges with a frame, for each width and blur; nothing is darker than its ink."""
    for frame in params.frames_mm:
        for blur in params.blurs_mm:
            looks = [
                _look(side, distances, tries, frame, blur, params.shadow_mm) for side in profiles
            ]
            yield np.stack([look.with_ink(darkest) for look in looks])


@dataclass(frozen=True, kw_only=True)
class _Look:
    """Profiles of a side as board and table explain them, with an edge at each of the tries."""

    squares: FloatArray
    """What is left without a frame, shape (n, t)."""
    inked: FloatArray
    """How much of what is left is like a frame, shape (n, t, 3)."""
    frame: FloatArray
    """How much of a frame board and table do not explain, shape (t,)."""

    def with_ink(self, darkest: FloatArray) -> FloatArray:
        """Return what is left with a frame of one ink, whose color is found with its places."""
        rows = np.arange(len(self.squares))
        costs = self._costs(0.5 * darkest)
        for _ in range(5):
            best = costs.argmin(axis=1)
            found = costs[rows, best]
            weight = 1.0 / (1.0 + found / max(float(np.median(found)), 1e-6))
            seen = (weight[:, None] * self.inked[rows, best]).sum(axis=0)
            ink = seen / max(float(weight @ self.frame[best]), 1e-6)
            costs = self._costs(np.clip(ink, 0.0, darkest))
        return costs

    def _costs(self, ink: FloatArray) -> FloatArray:
        return np.asarray(
            self.squares - 2 * (self.inked @ ink) + float(ink @ ink) * self.frame, np.float64
        )


def _look(
    profiles: FloatArray,
    distances: FloatArray,
    tries: FloatArray,
    frame_mm: float,
    blur_mm: float,
    shadow_mm: float,
) -> _Look:
    """Explain profiles of a side by board, table and the table's shadow; 0 mm for none."""
    beyond = distances[None] - tries[:, None]
    table = 0.5 + 0.5 * np.tanh(beyond / blur_mm)
    board = 0.5 - 0.5 * np.tanh((beyond + frame_mm) / blur_mm)
    parts = [board, table]
    if shadow_mm > 0:
        parts.append(table * np.exp(-np.maximum(beyond, 0.0) / shadow_mm))
    axes = np.linalg.qr(np.stack(parts, axis=-1))[0]
    turned = np.swapaxes(axes, 1, 2)
    colors = profiles.swapaxes(0, 1).reshape(len(distances), -1)
    left = (colors - axes @ (turned @ colors)).reshape(*beyond.shape, -1, 3)
    ink = (1.0 - board - table)[..., None]
    ink = (ink - axes @ (turned @ ink))[..., 0]
    return _Look(
        squares=np.square(left).sum(axis=(1, 3)).T,
        inked=np.einsum("td,tdnc->ntc", ink, left),
        frame=np.square(ink).sum(axis=1),
    )
