"""Pinhole camera with Brown-Conrady distortion, and the ray of every pixel.

Heights are millimetres above the board's top face (the table is below 0), so a point is
(x, y, height) with x, y in the board frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Rays = NDArray[np.float32]

_UP = np.diag([1.0, 1.0, -1.0])  # (x, y, height) to OpenCV's right-handed (x, y, into the board)


@dataclass(frozen=True, kw_only=True)
class Lens:
    """What stays of a camera when it is moved; OpenCV's five distortion coefficients."""

    size_px: tuple[int, int]
    """Width, height."""
    focal_px: float
    center_px: tuple[float, float]
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    vignette: float = 0.12
    """Part of the light that is lost in the picture's corners."""
    blur_px: float = 0.8
    """Sigma of the point spread at 1640 pixels of width; it scales with the width."""
    fringe: float = 0.0
    """How much larger red is drawn than green, and blue smaller, as a part of the distance from
    the optical axis."""

    @property
    def matrix(self) -> Floats:
        """Camera matrix (3, 3)."""
        (cx, cy), f = self.center_px, self.focal_px
        return np.array([[f, 0, cx], [0, f, cy], [0, 0, 1.0]])

    def resized(self, width_px: int) -> Lens:
        """The same lens on a sensor with another number of pixels."""
        k = width_px / self.size_px[0]
        return Lens(
            size_px=(width_px, round(self.size_px[1] * k)),
            focal_px=self.focal_px * k,
            center_px=(
                (self.center_px[0] + 0.5) * k - 0.5,
                (self.center_px[1] + 0.5) * k - 0.5,
            ),
            distortion=self.distortion,
            vignette=self.vignette,
            blur_px=self.blur_px,
            fringe=self.fringe,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Camera:
    """A lens and where the board lies before it: camera point = R @ (x, y, -height) + t."""

    lens: Lens
    rotation: Floats
    translation_mm: Floats

    @cached_property
    def to_camera(self) -> Floats:
        """Matrix (3, 3) from (x, y, height) to the camera's axes."""
        return self.rotation @ _UP

    @cached_property
    def position_mm(self) -> Floats:
        """Where the camera is: x, y, height."""
        return np.asarray(-self.to_camera.T @ self.translation_mm)

    def project(self, points_mm: ArrayLike) -> Floats:
        """Image points (N, 2) of points (N, 3) given as x, y, height."""
        points = np.asarray(points_mm, float).reshape(-1, 3) @ _UP
        rvec, _ = cv2.Rodrigues(self.rotation)
        px, _ = cv2.projectPoints(
            points, rvec, self.translation_mm, self.lens.matrix, np.array(self.lens.distortion)
        )
        return np.asarray(px.reshape(-1, 2), float)

    @cached_property
    def rays(self) -> Rays:
        """Direction (H, W, 3) of every pixel's ray in board axes, one unit deep before the lens."""
        flat = normalized_rays(self.lens)
        axes = self.to_camera.astype(np.float32)  # direction = axes.T @ (u, v, 1)
        return np.asarray(cv2.transform(flat, np.c_[axes[:2].T, axes[2]]), np.float32)

    def moved(self, turn_deg: float, about_mm: ArrayLike, shift_mm: ArrayLike) -> Camera:
        """This camera over a board turned clockwise about a point, then shifted on the table."""
        a = np.radians(turn_deg)
        turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])
        about = np.append(np.asarray(about_mm, float), 0.0)
        offset = about + np.append(np.asarray(shift_mm, float), 0.0) - turn @ about
        return Camera(
            lens=self.lens,
            rotation=self.rotation @ turn,
            translation_mm=self.rotation @ offset + self.translation_mm,
        )


@lru_cache(maxsize=4)
def normalized_rays(lens: Lens) -> Rays:
    """Undistorted (u, v) of every pixel, (H, W, 2).

    Exact on a grid of 8 pixels, linear between: within 0.01 px.
    """
    width, height = lens.size_px
    step = 8
    columns, rows = -(-width // step) + 4, -(-height // step) + 4
    x = (np.arange(columns) - 2 + 0.5) * step - 0.5
    y = (np.arange(rows) - 2 + 0.5) * step - 0.5
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 1, 2)
    target = (grid - lens.center_px) / lens.focal_px
    uv = target.copy()
    for _ in range(40):  # the distortion is mild, so that its residual alone is a good step
        bent, _ = cv2.projectPoints(
            cv2.convertPointsToHomogeneous(uv), np.zeros(3), np.zeros(3), np.eye(3),
            np.array(lens.distortion),
        )  # fmt: skip
        uv -= bent - target
    coarse = uv.reshape(rows, columns, 2)
    # Not cubic: cv2's kernel bends straight lines.
    fine = cv2.resize(coarse, (columns * step, rows * step), interpolation=cv2.INTER_LINEAR)[
        2 * step : 2 * step + height, 2 * step : 2 * step + width
    ]
    return np.ascontiguousarray(fine, np.float32)


def overhead_camera(
    lens: Lens,
    *,
    looks_at_mm: ArrayLike,
    distance_mm: float,
    tilt_deg: tuple[float, float] = (0.0, 0.0),
    turn_deg: float = 0.0,
) -> Camera:
    """A camera over the board whose optical axis meets the board's face at a point.

    Parameters
    ----------
    lens
        The lens.
    looks_at_mm
        Point (2,) of the board.
    distance_mm
        From the camera to that point.
    tilt_deg
        Leaning about the image's x and y axes.
    turn_deg
        Turn of the board in the image, clockwise.
    """
    about_z, _ = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turn_deg)]))
    about_xy, _ = cv2.Rodrigues(np.radians(np.array([*tilt_deg, 0.0])))
    rotation = about_xy @ about_z
    target = np.append(np.asarray(looks_at_mm, float), 0.0)
    return Camera(
        lens=lens,
        rotation=rotation,
        translation_mm=np.array([0, 0, distance_mm]) - rotation @ target,
    )


def random_lens(rng: np.random.Generator, width_px: int = 1640, height_px: int = 1232) -> Lens:
    """A lens as phones and small camera boards have them: mild to strong barrel or cushion."""
    k1 = float(rng.choice([rng.uniform(-0.12, 0.06), rng.uniform(-0.28, -0.12)], p=[0.75, 0.25]))
    return Lens(
        size_px=(width_px, height_px),
        focal_px=float(width_px * rng.uniform(0.72, 1.0)),
        center_px=(
            width_px / 2 + float(rng.normal(0, 0.006)) * width_px,
            height_px / 2 + float(rng.normal(0, 0.006)) * width_px,
        ),
        distortion=(
            k1,
            float(-0.25 * k1 + rng.normal(0, 0.01)),
            float(rng.normal(0, 0.0004)),
            float(rng.normal(0, 0.0004)),
            0.0,
        ),
        vignette=float(rng.uniform(0.05, 0.3)),
        blur_px=float(rng.uniform(0.6, 1.05)),
        fringe=float(rng.choice([0.0, rng.normal(0, 0.0004)])),
    )
