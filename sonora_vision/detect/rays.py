"""What rays about a rough centre show: where a disc's paint ends, and where edges are sharp."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.taught import COARSE, DISC_PX, to_coarse
from sonora_vision.detect.light import channel_mean, channel_sum
from sonora_vision.detect.scene import LOG_FLOOR, Floats, Scene

FloatArray = NDArray[np.float64]
Sampled = TypeVar("Sampled", np.uint8, np.float32)

RAYS = 64
STEP_PX = 0.5
RADII = np.arange(15.0, 37.01, STEP_PX, dtype=np.float32)
"""Radii that are sampled, pixels: from well inside the rim to half a disc beyond it."""
PAINT_RAYS = 32
"""Paint is compared along so many rays: many pixels of each say where it ends."""
ANGLES = np.arange(RAYS) * 2 * np.pi / RAYS
DIRECTIONS = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
_DIRECTIONS = DIRECTIONS.astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class RimParams:
    """How a rim is judged; all lengths in pixels of the rectified picture (disc radius 24)."""

    rim_px: float = 23.4
    """Radius at which the top face's edge is seen. Discs are turned or sanded round there, so the
    edge lies a little inside the true radius. A wrong value widens or narrows all rays alike and
    moves no whole rim."""
    foot_px: float = 0.4
    """How much farther the side's foot lies: no rounding there."""
    bare: tuple[float, float] = (0.62, 0.86)
    """Where a face shows its paint, in radii: outside the number, inside the rounding."""
    hue_sigma: float = 0.07
    """Log units within which hues are one paint, or one board."""
    level_sigma: float = 0.12
    shade: float = 0.9
    """How much darker the side may be than the top, log units."""
    shadow: float = 1.1
    """How much darker the board may be in a shadow, log units."""
    area_cap: float = 6.0
    """The most that one ray's paint can say against a centre: one neighbour is not a verdict."""
    early_px: float = 1.0
    """How much before the silhouette paint may seem to end: it is darker on the rounding,"""
    early_side: float = 0.4
    """and as a part of the side that is seen: that is dark, and so is the shadow at its foot."""
    edge_gain: float = 8.0
    """Weight of the edges against the paint."""
    edge_full: float = 0.5
    """Log step over one pixel that counts as a full edge."""


@dataclass(frozen=True, kw_only=True)
class RayEvidence:
    """What the rays about n centres show; see :func:`look_up`."""

    paint: Floats
    """0 where the paint's end fits best, negative elsewhere, shape (n, some rays, some radii)."""
    edge: Floats
    """Sharpness of the edge there, 0 (none) to 1, shape (n, rays, len(RADII))."""

    def thinned(self, times: int) -> RayEvidence:
        """Return the edges of every so many rays, and as much paint as there is to so many."""
        if times == 1:
            return self
        edge = self.edge[:, ::times]
        paint = self.paint[:, :: -(-self.paint.shape[1] // edge.shape[1])]
        return RayEvidence(paint=paint, edge=edge)


def ray_evidence(
    scene: Scene, centers: FloatArray, params: RimParams, every: int = 1
) -> RayEvidence:
    """Sample the rays about all centres: how well the paint ends, and how strong an edge lies.

    Parameters
    ----------
    scene
        The scene.
    centers
        Shape (n, 2), pixels of the scene's view.
    params
        How paint is told from board.
    every
        Only every so many rays are sampled.
    """
    count = len(centers)
    directions = _DIRECTIONS[::every]
    near = scene.near(centers)
    seen = _sample(scene.pixels_bgr, *_in_photo(near, directions, RADII))
    logs = np.asarray(cv2.LUT(cv2.blur(seen, (3, 1)), _LOG_TABLE), np.float32)
    step = logs[:, 2:] - logs[:, :-2]
    edge = np.zeros(logs.shape[:2], np.float32)
    edge[:, 1:-1] = cv2.sqrt(channel_sum(step * step)) / np.float32(params.edge_full)
    by_ray = (count, len(directions), len(RADII))
    some = slice(None, None, max(1, len(directions) // PAINT_RAYS))
    radii = slice(None, None, 1 if every == 1 else 2)
    at = RADII[radii]
    paint = _paint_ends(
        logs.reshape(*by_ray, 3)[:, some, radii].reshape(-1, len(at), 3),
        _expected(scene, centers, directions[some], at),
        _bare(seen.reshape(*by_ray, 3), params),
        params,
    )
    return RayEvidence(
        paint=paint.reshape(count, -1, len(at)), edge=np.minimum(edge, 1.0).reshape(by_ray)
    )


def look_up(evidence: Floats, radius: Floats) -> Floats:
    """Evidence at radii between those that were sampled.

    Parameters
    ----------
    evidence
        Shape (n, rays, sampled radii).
    radius
        Shape (n, k, rays) or (1, k, rays) for the same everywhere, pixels; with more rays than
        there is evidence for, every second one is asked.

    Returns
    -------
    ndarray of float32, shape (n, k, rays)
    """
    count, rays, width = evidence.shape
    # As a picture of a row for each ray, which OpenCV interpolates many times quicker than NumPy.
    shape = (count, radius.shape[1], rays)
    radius = radius[..., :: radius.shape[2] // rays]
    row, column = np.empty(shape, np.float32), np.empty(shape, np.float32)
    row[:] = np.arange(count * rays, dtype=np.float32).reshape(count, 1, rays)
    column[:] = (radius - RADII[0]) * np.float32((width - 1) / (RADII[-1] - RADII[0]))
    found = cv2.remap(
        evidence.reshape(-1, width),
        column.reshape(count, -1),
        row.reshape(count, -1),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(found, np.float32).reshape(shape)


def _paint_ends(logs: Floats, board: Floats, own: Floats, params: RimParams) -> Floats:
    """Say how well a disc's paint ends at each radius, shape (count * rays, radii).

    ``own`` is each disc's paint, shape (count, 3); the others are of shape (count * rays, radii,
    3).
    """
    to_board = _apart(logs - board, params, darker=params.shadow, lighter=0.12)
    by_disc = logs.reshape(len(own), -1, 3) - own[:, None]
    to_own = _apart(by_disc.reshape(logs.shape), params, darker=params.shade, lighter=0.25)
    tells = np.minimum(to_board, 8) - np.minimum(to_own, 8) - (to_own > 6)
    # What is inside of an end speaks for the disc, what is outside for the board.
    ends = np.clip(tells, -3, 3) @ _inside_less_outside(tells.shape[1])
    ends -= ends.max(axis=1, keepdims=True)
    return np.asarray(np.maximum(ends, -params.area_cap), np.float32)


@lru_cache(maxsize=2)
def _inside_less_outside(count: int) -> Floats:
    signs = 2 * np.triu(np.ones((count, count), np.float32)) - 1
    return signs * np.float32((RADII[-1] - RADII[0]) / (count - 1))


def _expected(scene: Scene, centers: FloatArray, directions: Floats, radii: Floats) -> Floats:
    """Log colors of the board on rays, shape (count * rays, radii, 3)."""
    middles = to_coarse(centers).astype(np.float32)
    at = (
        (middle[:, None, None] + (toward / np.float32(COARSE))[:, None] * radii).reshape(
            -1, len(radii)
        )
        for middle, toward in zip(middles.T, directions.T, strict=True)
    )
    return _sample(scene.expected, *at)


def _bare(seen: Pixels, params: RimParams) -> Floats:
    """Log color of the bare face from rays (n, rays, radii, 3), shape (n, 3)."""
    low, high = (np.float32(DISC_PX * each) for each in params.bare)
    shown = np.flatnonzero(np.abs(RADII - (low + high) / 2) <= (high - low) / 2)[::2]
    some = seen[:, :: max(1, seen.shape[1] // BARE_RAYS), shown]
    some = np.ascontiguousarray(np.moveaxis(some.reshape(len(seen), -1, 3), 1, 2))
    middle = np.partition(some, some.shape[2] // 2, axis=2)[:, :, some.shape[2] // 2]
    return np.asarray(_LOG_TABLE[middle], np.float32)


BARE_RAYS = 16
"""So many rays tell a face's paint."""


def _in_photo(near: Floats, directions: Floats, radii: Floats) -> list[Floats]:
    """X and y in the photograph of points on rays, each of shape (count * rays, radii)."""
    shifts = (directions.T[:, :, None] * radii).reshape(2, -1)
    places = near.reshape(-1, 3) @ np.vstack([shifts, np.ones_like(shifts[:1])])
    return [places[axis::2].reshape(-1, len(radii)) for axis in (0, 1)]


def _sample(picture: NDArray[Sampled], x: Floats, y: Floats) -> NDArray[Sampled]:
    """Sample a picture at points of shape (count * rays, radii)."""
    # OpenCV's remap takes pictures of up to 32,767 rows.
    count = len(x) // 30_000 + 1
    parts = [
        cv2.remap(picture, *part, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in zip(np.array_split(x, count), np.array_split(y, count), strict=True)
    ]
    return np.asarray(np.concatenate(parts) if count > 1 else parts[0], picture.dtype)


_LOG_TABLE = np.log(np.arange(256, dtype=np.float32) + np.float32(LOG_FLOOR))


def _apart(change: Floats, params: RimParams, *, darker: float, lighter: float) -> Floats:
    """Half squared deviations from a color that may be darker or lighter by so much."""
    level = channel_mean(change)
    # Squared length across (1, 1, 1), without making the three differences.
    hue = channel_sum(change * change) - 3 * np.square(level)
    over = level - np.clip(level, -darker, lighter)
    hue *= np.float32(1 / (2 * params.hue_sigma**2))
    hue += np.square(over) * np.float32(1 / (2 * params.level_sigma**2))
    return np.asarray(hue, np.float32)
