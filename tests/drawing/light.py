"""Light: a soft sky and one lamp or window; its shadows are found analytically."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.drawing.camera import Camera
from tests.drawing.truth import Board, size_mm

Field = NDArray[Any]  # float32
KINDS = ("diffuse", "window", "lamp", "dim")


@dataclass(frozen=True, kw_only=True)
class Light:
    """How a scene is lit; intensities are linear, 1 shows a white paper as white."""

    kind: str
    lamp_mm: tuple[float, float, float]
    """Where the lamp or window is: x, y, height in the board frame."""
    direct: float
    ambient: float
    softness: float
    """Width of a shadow's edge over the caster's height above it."""
    glare: float
    """Radiance of the lamp's mirror image on glossy print."""
    glare_power: float
    """Sharpness of that image (Blinn-Phong exponent)."""
    falloff: float = 0.0
    """0 a far window, 1 a near lamp whose light weakens with the square of the distance."""
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """White balance that the camera did not remove."""
    exposure: float = 1.0
    noise: float = 1.0
    """Sensor noise, 1 as in good light."""

    def toward(self, point_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Unit vector (3,) from a point to the lamp."""
        v = np.array(self.lamp_mm) - point_mm
        return np.asarray(v / np.linalg.norm(v))

    def strength(self, x: Field, y: Field, z: float) -> Field:
        """Direct light per unit area facing up at points of a plane, with cosine and falloff."""
        lx, ly, lz = (np.float32(v) for v in self.lamp_mm)
        square = (lx - x) ** 2 + (ly - y) ** 2 + (lz - np.float32(z)) ** 2
        cosine = (lz - np.float32(z)) / np.sqrt(square)
        reach = np.float32(np.dot(self.lamp_mm, self.lamp_mm))
        return np.asarray(self.direct * cosine * (reach / square) ** np.float32(self.falloff))

    def mirror(self, x: Field, y: Field, camera_mm: NDArray[np.float64]) -> Field:
        """The lamp's mirror image on a glossy plane at the board's height."""
        ground: tuple[Any, ...] = (x, y, 0)
        to_lamp = [np.float32(v) - c for v, c in zip(self.lamp_mm, ground, strict=True)]
        to_eye = [np.float32(v) - c for v, c in zip(camera_mm, ground, strict=True)]
        n1 = np.sqrt(to_lamp[0] ** 2 + to_lamp[1] ** 2 + to_lamp[2] ** 2)
        n2 = np.sqrt(to_eye[0] ** 2 + to_eye[1] ** 2 + to_eye[2] ** 2)
        h = [a / n1 + b / n2 for a, b in zip(to_lamp, to_eye, strict=True)]
        up = h[2] / np.sqrt(h[0] ** 2 + h[1] ** 2 + h[2] ** 2)
        return np.asarray(self.glare * up ** np.float32(self.glare_power), np.float32)


@dataclass(frozen=True, kw_only=True)
class Caster:
    """A capsule that casts shadow: the points within ``radius_mm`` of a segment."""

    start_mm: tuple[float, float, float]
    end_mm: tuple[float, float, float]
    radius_mm: float

    @property
    def top_mm(self) -> float:
        """Height of its upper end."""
        return max(self.start_mm[2], self.end_mm[2])

    @property
    def foot_mm(self) -> float:
        """Height of its lower end."""
        return min(self.start_mm[2], self.end_mm[2])


def dropped(caster: Caster, light: Light, height_mm: float) -> NDArray[np.float64]:
    """The capsule's segment (2, 2) moved along the light to a height; parts below stay put."""
    middle = (np.array(caster.start_mm) + np.array(caster.end_mm)) / 2
    toward = light.toward(middle)
    slope = toward[:2] / toward[2]
    ends = np.array([caster.start_mm, caster.end_mm])
    above = np.clip(ends[:, 2:] - height_mm, 0, None)
    return np.asarray(ends[:, :2] - above * slope)


def distance_to_segment(x: Field, y: Field, ends_mm: NDArray[np.float64]) -> Field:
    """Distance of points to a segment (2, 2) in the plane."""
    (ax, ay), (bx, by) = ends_mm.astype(np.float32)
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if square < 1e-6:
        return np.hypot(x - ax, y - ay)
    t = np.clip(((x - ax) * dx + (y - ay) * dy) / square, 0, 1)
    return np.asarray(np.hypot(x - (ax + t * dx), y - (ay + t * dy)))


def lit(caster: Caster, light: Light, x: Field, y: Field, height_mm: float) -> Field | None:
    """Part of the lamp's light (0 to 1) that passes a caster; None where it casts nothing."""
    rise = caster.top_mm - height_mm
    if rise <= 0.2:
        return None
    d = distance_to_segment(x, y, dropped(caster, light, height_mm)) - caster.radius_mm
    # The part of the caster just above the surface gives a sharp edge, its top a soft one.
    middle = max(0.0, (caster.top_mm + caster.foot_mm) / 2 - height_mm)
    width = max(0.4, light.softness * middle)
    t = np.clip(0.5 + d / np.float32(width), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def open_sky(caster: Caster, x: Field, y: Field, height_mm: float) -> Field | None:
    """Part of the sky's light that reaches a surface beside a caster that stands on it."""
    tall = min(caster.top_mm - height_mm, 40.0)
    gap = max(0.0, caster.foot_mm - caster.radius_mm * 0.3 - height_mm)
    if tall <= 0.2 or gap > 30:
        return None
    ends = np.array([caster.start_mm[:2], caster.end_mm[:2]])
    d = np.maximum(distance_to_segment(x, y, ends) - np.float32(caster.radius_mm), 0)
    return np.asarray(1 - 0.5 / (1 + gap / 8) * np.exp(-d / np.float32(0.45 * tall + 0.3 * gap)))


def random_light(rng: np.random.Generator, board: Board, camera: Camera, kind: str) -> Light:
    """A light of a kind; lamps may be mirrored by the board into the camera."""
    w, h = size_mm(board)
    middle = np.array([w / 2, h / 2])
    eye = camera.position_mm
    if kind in ("lamp", "dim"):
        spot = middle + rng.uniform(-0.75, 0.75, 2) * [w / 2, h / 2] * rng.choice(
            [1.0, 2.2], p=[0.7, 0.3]
        )
        scale = float(rng.uniform(0.8, 1.6))
        lamp = np.array([*(spot - scale * (eye[:2] - spot)), scale * eye[2]])
    else:
        angle = rng.uniform(0, 2 * np.pi)
        rise = rng.uniform(0.5, 0.95) if kind == "window" else rng.uniform(1.2, 3.0)
        away = np.array([np.cos(angle), np.sin(angle), rise])
        lamp = np.array([*middle, 0]) + float(rng.uniform(1200, 2500)) * away
    warm = float(rng.uniform(*((0.0, 1.0) if kind in ("lamp", "dim") else (-0.3, 0.4))))
    tint = float(rng.normal(0, 0.02))
    gain = (1 - 0.34 * warm, 1 - 0.08 * warm + tint, 1 + 0.14 * warm)
    common: Any = {"kind": kind, "lamp_mm": tuple(float(v) for v in lamp), "gain_bgr": gain}
    quiet = {"noise": rng.uniform(0.4, 1.0), "exposure": rng.uniform(0.6, 1.1)}
    if kind == "diffuse":  # a bright ceiling or sky leaves a wide pale veil
        return Light(**common, **quiet, direct=rng.uniform(0.06, 0.25),
                     ambient=rng.uniform(0.5, 0.8), softness=rng.uniform(0.8, 2.0),
                     glare=rng.uniform(0, 0.3), glare_power=rng.uniform(15, 80))  # fmt: skip
    if kind == "window":
        return Light(**common, **quiet, direct=rng.uniform(0.5, 0.9), falloff=1.0,
                     ambient=rng.uniform(0.22, 0.4), softness=rng.uniform(0.35, 0.9),
                     glare=rng.uniform(0, 0.3), glare_power=rng.uniform(15, 60))  # fmt: skip
    if kind == "dim":
        quiet = {"noise": rng.uniform(1.2, 2.4), "exposure": rng.uniform(0.35, 0.65)}
    return Light(**common, **quiet, direct=rng.uniform(0.35, 0.8), falloff=0.8,
                 ambient=rng.uniform(0.2, 0.45), softness=rng.uniform(0.12, 0.45),
                 glare=rng.choice([0.0, rng.uniform(1.0, 6.0)], p=[0.2, 0.8]),
                 glare_power=rng.uniform(100, 600))  # fmt: skip
