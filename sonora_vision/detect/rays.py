"""What rays about a rough centre show: where a disc's paint ends, and where edges are sharp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.scene import HALF, LOG_FLOOR, Floats, Scene

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
    logs, to_board = _logs_against_board(scene, centers, params, every)
    bare = centers.astype(np.float32)[:, None, None] + _BARE[None]
    own = np.median(_LOG_TABLE[_sample(scene.top_bgr, bare)].reshape(count, -1, 3), axis=1)
    to_own = _apart(logs, own[:, None, None], params, darker=params.shade, lighter=0.25)
    tells = np.minimum(to_board, 8) - np.minimum(to_own, 8) - (to_own > 6)
    total = np.cumsum(np.clip(tells, -3, 3), axis=2) * np.float32(STEP_PX)
    ends = 2 * total - total[:, :, -1:]
    paint = np.maximum(ends - ends.max(axis=2, keepdims=True), -params.area_cap)
    edge = np.zeros(paint.shape, np.float32)
    step = logs[:, :, 2:] - logs[:, :, :-2]
    edge[:, :, 1:-1] = np.sqrt(np.einsum("nrkc,nrkc->nrk", step, step))
    return RayEvidence(
        paint=paint.astype(np.float32),
        edge=np.minimum(edge / params.edge_full, 1.0).astype(np.float32),
    )


def _logs_against_board(
    scene: Scene, centers: FloatArray, params: RimParams, every: int
) -> tuple[Floats, Floats]:
    """Log colors along the rays about centres, and their distance from the board's."""
    offsets = RADII[None, :, None] * _DIRECTIONS[::every, None]
    points = np.asarray(centers.astype(np.float32)[:, None, None] + offsets[None], np.float32)
    seen = _sample(scene.top_bgr, points)
    logs = _LOG_TABLE[cv2.blur(seen, (3, 1))].reshape(len(centers), -1, len(RADII), 3)
    at_half = np.asarray((points + 0.5) / HALF - 0.5, np.float32)
    board = _sample(scene.expected, at_half).reshape(logs.shape)
    return logs, _apart(logs, board, params, darker=params.shadow, lighter=0.12)


def _sample(picture: NDArray[Sampled], points: Floats) -> NDArray[Sampled]:
    """Sample a picture at points of shape (n, rays, radii, 2); rows of the result are rays."""
    flat = points.reshape(-1, points.shape[2], 2)
    # OpenCV's remap takes pictures of up to 32,767 rows.
    parts = [
        np.asarray(
            cv2.remap(picture, part, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),  # type: ignore[call-overload]  # OpenCV's stubs know no None here
            picture.dtype,
        )
        for part in np.array_split(flat, len(flat) // 30_000 + 1)
    ]
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


_LOG_TABLE = np.log(np.arange(256, dtype=np.float32) + np.float32(LOG_FLOOR))
_BARE_RADII = np.linspace(0.62, 0.86, 6, dtype=np.float32) * np.float32(DISC_PX)
_BARE = _BARE_RADII[None, :, None] * _DIRECTIONS[::2, None]
"""Where a face shows its paint: outside the number, inside the rounding of the edge."""


def _apart(
    logs: Floats, reference: Floats, params: RimParams, *, darker: float, lighter: float
) -> Floats:
    """Half squared deviations from a color that may be darker or lighter by so much."""
    change = logs - reference
    level = (change[..., 0] + change[..., 1] + change[..., 2]) / np.float32(3.0)
    # Squared length across (1, 1, 1), without making the three differences.
    hue = np.einsum("...c,...c->...", change, change) - 3.0 * level**2
    over = np.where(level < 0, np.minimum(level + darker, 0.0), np.maximum(level - lighter, 0.0))
    return np.asarray(
        hue / (2 * params.hue_sigma**2) + over**2 / (2 * params.level_sigma**2), np.float32
    )
