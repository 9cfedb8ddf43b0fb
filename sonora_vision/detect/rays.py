"""What rays about a rough centre show: where a disc's paint ends, and where edges are sharp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import COARSE, DISC_PX
from sonora_vision.detect.scene import LOG_FLOOR, Floats, Scene

FloatArray = NDArray[np.float64]
Sampled = TypeVar("Sampled", np.uint8, np.float32)

RAYS = 64
STEP_PX = 0.5
RADII = np.arange(15.0, 37.01, STEP_PX, dtype=np.float32)
"""Radii that are sampled, pixels: from well inside the rim to half a disc beyond it."""
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
    edge_gain: float = 6.0
    """Weight of the edges against the paint."""
    edge_full: float = 0.5
    """Log step over one pixel that counts as a full edge."""


@dataclass(frozen=True, kw_only=True)
class RayEvidence:
    """What the rays about n centres show, each array of shape (n, rays, len(RADII))."""

    paint: Floats
    """0 where the paint's end fits best, negative elsewhere."""
    edge: Floats
    """Sharpness of the edge there, 0 (none) to 1."""


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
    logs = _planes(cv2.LUT(cv2.blur(seen, (3, 1)), _LOG_TABLE), count)
    at = _along(centers, directions, RADII)
    at_coarse = [(each + np.float32(0.5)) / np.float32(COARSE) - np.float32(0.5) for each in at]
    board = _planes(_sample(scene.expected, *at_coarse), count)
    bare_px = np.linspace(*params.bare, 6, dtype=np.float32) * np.float32(DISC_PX)
    bare = _sample(scene.pixels_bgr, *_in_photo(near, _DIRECTIONS[::2], bare_px))
    paint_logs = _planes(cv2.LUT(bare, _LOG_TABLE), count)
    own = np.median(paint_logs.reshape(3, count, -1), axis=2)[..., None, None]
    to_board = _apart(logs, board, params, darker=params.shadow, lighter=0.12)
    to_own = _apart(logs, own, params, darker=params.shade, lighter=0.25)
    tells = np.minimum(to_board, 8) - np.minimum(to_own, 8) - (to_own > 6)
    total = np.cumsum(np.clip(tells, -3, 3), axis=2) * np.float32(STEP_PX)
    ends = 2 * total - total[:, :, -1:]
    paint = np.maximum(ends - ends.max(axis=2, keepdims=True), -params.area_cap)
    step = logs[..., 2:] - logs[..., :-2]
    edge = np.zeros(paint.shape, np.float32)
    edge[:, :, 1:-1] = np.sqrt(_squared(step)) / np.float32(params.edge_full)
    return RayEvidence(
        paint=np.asarray(paint, np.float32), edge=np.minimum(edge, 1.0).astype(np.float32)
    )


def _in_photo(near: Floats, directions: Floats, radii: Floats) -> list[Floats]:
    """X and y in the photograph of points on rays, each of shape (count * rays, radii)."""
    shifts = (directions.T[:, :, None] * radii).reshape(2, -1)
    places = near.reshape(-1, 3) @ np.vstack([shifts, np.ones_like(shifts[:1])])
    return [places[axis::2].reshape(-1, len(radii)) for axis in (0, 1)]


def _along(centers: FloatArray, directions: Floats, radii: Floats) -> list[Floats]:
    """X and y of points on rays, each of shape (count * rays, radii)."""
    return [
        (middle[:, None, None] + toward[:, None] * radii).reshape(-1, len(radii))
        for middle, toward in zip(centers.T.astype(np.float32), directions.T, strict=True)
    ]


def _planes(samples: cv2.typing.MatLike, count: int) -> Floats:
    """Part samples of rays (count * rays, radii, 3) by channel: (3, count, rays, radii).

    Sums over three planes are many times quicker than over an axis of three.
    """
    planes = np.stack(cv2.split(samples))
    return np.asarray(planes.reshape(3, count, -1, samples.shape[1]), np.float32)


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


def _apart(
    logs: Floats, reference: Floats, params: RimParams, *, darker: float, lighter: float
) -> Floats:
    """Half squared deviations from a color that may be darker or lighter by so much."""
    change = logs - reference
    level = (change[0] + change[1] + change[2]) * np.float32(1 / 3)
    # Squared length across (1, 1, 1), without making the three differences.
    hue = _squared(change) - 3 * np.square(level)
    over = np.minimum(level + np.float32(darker), 0) + np.maximum(level - np.float32(lighter), 0)
    hue *= np.float32(1 / (2 * params.hue_sigma**2))
    hue += np.square(over) * np.float32(1 / (2 * params.level_sigma**2))
    return np.asarray(hue, np.float32)


def _squared(planes: Floats) -> Floats:
    squares = np.square(planes)
    return np.asarray(squares[0] + squares[1] + squares[2], np.float32)
