"""Solids that stand in a scene, and where a pixel's ray first meets one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.drawing.light import Caster, Field

Vector = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Solid:
    """A cylinder or an ellipsoid with its colours.

    ``axes`` has the local axes as rows. A cylinder stands on ``foot_mm`` and reaches
    ``height_mm`` along the third axis; an ellipsoid lies about ``foot_mm`` with the half axes
    ``radius_mm``, ``radius_mm * squeeze`` and ``height_mm``.
    """

    kind: str
    axes: Vector
    foot_mm: Vector
    radius_mm: float
    height_mm: float
    squeeze: float = 1.0
    side_bgr: tuple[int, ...]
    face: NDArray[np.uint8] | None = None
    """Picture (n, n, 3) of the cap at the upper end; None in the side's colour."""
    back_bgr: tuple[int, ...] | None = None
    bevel_mm: float = 0.0
    gloss: float = 0.0
    casters: tuple[Caster, ...] = ()
    kin: str = ""
    """Solids of one kin cast no shadow on each other."""
    disc: int | None = None
    """Which placed disc this is."""

    def bounds_mm(self) -> Vector:
        """Corners (8, 3) of a box around it."""
        if self.kind == "ellipsoid":
            r = np.array([self.radius_mm, self.radius_mm * self.squeeze, self.height_mm])
            low, high = -r, r
        else:
            low = np.array([-self.radius_mm, -self.radius_mm, 0.0])
            high = np.array([self.radius_mm, self.radius_mm, self.height_mm])
        corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
        return np.asarray(self.foot_mm + (low + corners * (high - low)) @ self.axes)

    def middle_mm(self) -> Vector:
        """Its middle."""
        lift = 0.0 if self.kind == "ellipsoid" else self.height_mm / 2
        return np.asarray(self.foot_mm + lift * self.axes[2])


@dataclass(frozen=True, kw_only=True, eq=False)
class Hit:
    """Where rays meet a solid; arrays have the rays' shape (H, W)."""

    mask: NDArray[np.bool_]
    depth: Field
    """Along the ray, infinite where it misses."""
    on_face: NDArray[np.bool_]
    on_back: NDArray[np.bool_]
    local_mm: tuple[Field, Field, Field]
    normal: tuple[Field, Field, Field]
    """In board axes."""
    point_mm: tuple[Field, Field, Field]


def hit_solid(solid: Solid, eye_mm: Vector, rays: NDArray[np.float32]) -> Hit:
    """First meeting of rays (H, W, 3) from the eye with a solid."""
    axes = solid.axes.astype(np.float32)
    o = (solid.axes @ (eye_mm - solid.foot_mm)).astype(np.float32)
    d = rays @ axes.T
    find = _hit_ellipsoid if solid.kind == "ellipsoid" else _hit_cylinder
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        t, face, back, normal = find(solid, o, d)
    mask = np.isfinite(t)
    depth, t = t, np.where(mask, t, 0).astype(np.float32)
    n = np.nan_to_num(normal) @ axes
    local = [o[k] + t * d[..., k] for k in range(3)]
    point = [np.float32(eye_mm[k]) + t * rays[..., k] for k in range(3)]
    return Hit(
        mask=mask, depth=depth, on_face=face & mask, on_back=back & mask,
        local_mm=(local[0], local[1], local[2]), normal=(n[..., 0], n[..., 1], n[..., 2]),
        point_mm=(point[0], point[1], point[2]),
    )  # fmt: skip


def _hit_cylinder(
    solid: Solid, o: Field, d: Field
) -> tuple[Field, NDArray[np.bool_], NDArray[np.bool_], Field]:
    """Near cap first, then the side; inf where the ray misses."""
    r, h = np.float32(solid.radius_mm), np.float32(solid.height_mm)
    dx, dy, dz = d[..., 0], d[..., 1], d[..., 2]
    none = np.zeros(dx.shape, bool)
    a = dx * dx + dy * dy
    b = o[0] * dx + o[1] * dy
    root = b * b - a * (o[0] ** 2 + o[1] ** 2 - r * r)
    side_t = (-b - np.sqrt(root)) / a
    w = o[2] + side_t * dz
    side = (root > 0) & (w >= 0) & (w <= h) & (side_t > 0)
    t = np.where(side, side_t, np.float32(np.inf))
    x, y = o[0] + side_t * dx, o[1] + side_t * dy
    normal = np.stack([x / r, y / r, np.zeros_like(x)], axis=-1)
    if 0 <= o[2] <= h:
        return t, none, none, normal
    top = o[2] > h
    cap_t = ((h if top else np.float32(0)) - o[2]) / dz
    x, y = o[0] + cap_t * dx, o[1] + cap_t * dy
    rho = np.sqrt(x * x + y * y)
    cap = (rho <= r) & (cap_t > 0)
    t = np.where(cap, cap_t, t)
    lean = np.zeros_like(rho)
    if solid.bevel_mm:
        lean = np.clip((rho - (r - solid.bevel_mm)) / np.float32(solid.bevel_mm), 0, 1) ** 2
    up = np.float32(1 if top else -1)
    scale = 1 / np.sqrt(1 + lean * lean)
    flat = np.stack([lean * x / r * scale, lean * y / r * scale, up * scale], axis=-1)
    normal = np.where(cap[..., None], flat, normal)
    return t, (cap if top else none), (none if top else cap), normal


def _hit_ellipsoid(
    solid: Solid, o: Field, d: Field
) -> tuple[Field, NDArray[np.bool_], NDArray[np.bool_], Field]:
    """The unit sphere after scaling."""
    r = np.array([solid.radius_mm, solid.radius_mm * solid.squeeze, solid.height_mm], np.float32)
    p, q = o / r, d / r
    a = (q * q).sum(axis=-1)
    b = q @ p
    root = b * b - a * (p @ p - 1)
    t = np.where(root > 0, (-b - np.sqrt(root)) / a, np.float32(np.inf))
    normal = (p + t[..., None] * q) / r
    normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    none = np.zeros(t.shape, bool)
    return t, none, none, normal


def upright(turn_deg: float) -> Vector:
    """Axes of a solid that stands upright, turned clockwise as seen from above."""
    a = np.radians(turn_deg)
    return np.array([[np.cos(a), np.sin(a), 0], [-np.sin(a), np.cos(a), 0], [0, 0, 1.0]])


def along(direction: Vector) -> Vector:
    """Axes whose third points along a direction."""
    w = np.asarray(direction, float) / np.linalg.norm(direction)
    helper = np.array([0, 0, 1.0]) if abs(w[2]) < 0.9 else np.array([1.0, 0, 0])
    u = np.cross(helper, w)
    u /= np.linalg.norm(u)
    return np.array([u, np.cross(w, u), w])


def point(values: Vector) -> tuple[float, float, float]:
    """An array (3,) as a point."""
    x, y, z = (float(v) for v in values)
    return x, y, z


def capsule(start_mm: Vector, end_mm: Vector, radius_mm: float, bgr: tuple[int, ...],
            gloss: float = 0.0, kin: str = "") -> list[Solid]:  # fmt: skip
    """A rod with round ends, as three solids; the first casts the shadow."""
    start, end = np.asarray(start_mm, float), np.asarray(end_mm, float)
    length = float(np.linalg.norm(end - start))
    caster = Caster(start_mm=point(start), end_mm=point(end), radius_mm=radius_mm * 0.95)
    rod = Solid(kind="cylinder", axes=along(end - start), foot_mm=start, radius_mm=radius_mm,
                height_mm=length, side_bgr=bgr, gloss=gloss, casters=(caster,),
                kin=kin)  # fmt: skip
    balls = [
        Solid(kind="ellipsoid", axes=np.eye(3), foot_mm=p, radius_mm=radius_mm,
              height_mm=radius_mm, side_bgr=bgr, gloss=gloss, kin=kin)
        for p in (start, end)
    ]  # fmt: skip
    return [rod, *balls]
