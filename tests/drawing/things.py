"""Solids for discs and for what lies about: pencils, mugs, paper and hands."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.drawing.light import Caster
from tests.drawing.looks import Look, circle_points, face_texture
from tests.drawing.placement import PlacedDisc
from tests.drawing.print_board import Sheet, _Brush
from tests.drawing.solids import Solid, Vector, along, capsule, point, upright
from tests.drawing.truth import Board, size_mm


def disc_solid(board: Board, look: Look, disc: PlacedDisc, index: int) -> Solid:
    """The cylinder of one disc in any state."""
    radius, height = float(board["discs"]["radius"]), float(board["discs"]["height"])
    paint = look.color_bgr(disc.color)
    face = face_texture(look, disc.color, disc.number)
    foot = disc.foot_mm(board, look.thickness_mm)
    x, y = disc.center_mm
    common: Any = {
        "kind": "cylinder", "radius_mm": radius, "height_mm": height, "side_bgr": paint,
        "face": face, "back_bgr": look.back_bgr or paint, "bevel_mm": min(1.0, 0.12 * height + 0.2),
        "gloss": 0.35 * look.gloss, "disc": index,
    }  # fmt: skip
    if disc.state != "standing":
        caster = Caster(start_mm=(x, y, foot), end_mm=(x, y, foot + height), radius_mm=radius)
        return Solid(axes=upright(disc.turn_deg), foot_mm=np.array([x, y, foot]),
                     casters=(caster,), **common)  # fmt: skip
    a = math.radians(disc.facing_deg)
    out = np.array([math.cos(a), math.sin(a), 0.0])
    right = np.array([out[1], -out[0], 0.0])
    down = np.array([0.0, 0.0, -1.0])
    c, s = math.cos(math.radians(disc.turn_deg)), math.sin(math.radians(disc.turn_deg))
    axes = np.array([c * right + s * down, -s * right + c * down, out])
    middle = np.array([x, y, foot + radius])
    casters = []
    for k in (0.12, 0.4, 0.7, 1.0, 1.3, 1.6, 1.88):  # slices of the upright disc
        half = math.sqrt(1 - (k - 1) ** 2) * radius
        at = middle - (k - 1) * radius * down
        casters.append(Caster(start_mm=point(at - half * right), end_mm=point(at + half * right),
                              radius_mm=height / 2))  # fmt: skip
    return Solid(axes=axes, foot_mm=middle - height / 2 * out, casters=tuple(casters), **common)


@dataclass(frozen=True, kw_only=True, eq=False)
class Paper:
    """A sheet that lies in a plane above the table or the board."""

    sheet: Sheet
    corners_mm: Vector
    """(4, 2) in the board frame."""
    height_mm: float
    axes: Vector
    """(2, 2): rows are the sheet's x and y axes in the board frame."""


def _beside(rng: np.random.Generator, board: Board, margin_mm: float) -> Vector:
    """A point on the table about as far from the board as a margin."""
    w, h = size_mm(board)
    side, t = int(rng.integers(4)), float(rng.uniform(-0.1, 1.1))
    out = margin_mm + float(rng.exponential(25))
    return np.array([(t * w, -out), (w + out, t * h), (t * w, h + out), (-out, t * h)][side])


def random_paper(rng: np.random.Generator, board: Board, look: Look) -> Paper:
    """A score sheet or note, lined or with a drawing, on the table."""
    size = np.array([148.0, 210.0]) * float(rng.uniform(0.6, 1.05))
    scale, tone = 2.0, float(rng.uniform(185, 235))
    pixels = np.zeros((round(size[1] * scale), round(size[0] * scale), 3), np.uint8)
    pixels[:] = (tone - 6, tone, tone + 4)
    brush = _Brush(pixels, scale, (0.0, 0.0))
    ink = (90, 80, 80)
    if rng.random() < 0.6:
        for y in np.arange(20, size[1] - 12, rng.uniform(8, 14)):
            brush.line([[12, y], [size[0] - 12 - rng.uniform(0, 20), y]], ink, 0.6)
    else:
        for _ in range(6):
            brush.line(circle_points(rng.uniform(20, size - 20), rng.uniform(5, 30)), ink, 0.8,
                       closed=True)  # fmt: skip
    angle = float(rng.uniform(0, 2 * np.pi))
    axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    center = _beside(rng, board, 0.55 * float(np.hypot(*size)) - float(rng.uniform(0, 30)))
    corners = center + (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * size @ axes
    return Paper(
        sheet=Sheet(pixels=pixels, origin_mm=(0.0, 0.0), scale_px_per_mm=scale),
        corners_mm=corners, axes=axes, height_mm=-look.thickness_mm + 0.3,
    )  # fmt: skip


def random_pencil(rng: np.random.Generator, board: Board, look: Look) -> list[Solid]:
    """A pencil on the table beside the board."""
    at = _beside(rng, board, 60.0)
    angle, radius = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(3.2, 6))
    length = float(rng.uniform(70, 150))
    start = np.array([*at, -look.thickness_mm + radius])
    direction = np.array([np.cos(angle), np.sin(angle), 0.0])
    w, h = size_mm(board)
    if np.dot(direction[:2], np.array([w / 2, h / 2]) - at) > 0:
        direction = -direction
    caster = Caster(
        start_mm=point(start), end_mm=point(start + length * direction), radius_mm=radius
    )
    bgr = tuple(int(v) for v in rng.integers(30, 190, 3))
    return [Solid(kind="cylinder", axes=along(direction), foot_mm=start, radius_mm=radius,
                  height_mm=length, side_bgr=bgr, back_bgr=(60, 90, 120), gloss=0.5,
                  casters=(caster,))]  # fmt: skip


def random_mug(rng: np.random.Generator, board: Board, look: Look) -> list[Solid]:
    """A mug with a drink in it, beside the board."""
    radius, height = float(rng.uniform(34, 46)), float(rng.uniform(60, 105))
    at = _beside(rng, board, radius + 30)
    n = 160
    y, x = np.mgrid[:n, :n] - (n - 1) / 2
    rho = np.hypot(x, y) / (n / 2)
    bgr = tuple(int(v) for v in rng.integers(60, 230, 3))
    face = np.where((rho > 0.9)[..., None], np.array(bgr), np.array((24, 34, 52)))
    x, y = at
    foot = np.array([x, y, -look.thickness_mm])
    caster = Caster(start_mm=point(foot), end_mm=(x, y, float(foot[2]) + height), radius_mm=radius)
    arm = capsule(np.array([x + radius, y, 0.3 * height]),
                  np.array([x + radius + 18, y, 0.6 * height]), 6.0, bgr, 0.5, "mug")  # fmt: skip
    return [*arm, Solid(kind="cylinder", axes=upright(0.0), foot_mm=foot, kin="mug",
                        radius_mm=radius, height_mm=height, side_bgr=bgr,
                        face=face.astype(np.uint8), gloss=0.6, casters=(caster,))]  # fmt: skip


_SKIN_BGR = ((120, 150, 205), (96, 126, 184), (70, 98, 150), (50, 70, 112), (136, 166, 220))


def hand(
    tip_mm: Vector, from_deg: float, rng: np.random.Generator, *, lift_mm: float = 4.0
) -> list[Solid]:
    """A right or left hand that reaches over the board.

    Parameters
    ----------
    tip_mm
        Point (2,) that the middle finger's tip is over.
    from_deg
        Direction that the arm comes from, clockwise from the board's x axis.
    rng
        Source of chance for the pose, the skin and the sleeve.
    lift_mm
        Height of the finger tips above the board.
    """
    skin = _SKIN_BGR[int(rng.integers(len(_SKIN_BGR)))]
    a = math.radians(from_deg)
    back, side = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
    size, thumb = float(rng.uniform(0.85, 1.1)), float(rng.choice([-1, 1]))
    spread = float(rng.uniform(0.8, 1.5))

    def at(along_mm: float, across_mm: float, height_mm: float) -> Vector:
        flat = np.asarray(tip_mm) + size * (along_mm * back + across_mm * side)
        return np.array([*flat, height_mm])

    solids: list[Solid] = []
    for k, (tip, knuckle) in enumerate(((14, 78), (0, 76), (6, 80), (26, 86))):
        across = (k - 1) * 17.0
        bend = at(tip + 32, across * (0.5 * spread + 0.5), lift_mm + 26 + float(rng.uniform(0, 8)))
        end = at(tip, across * spread, lift_mm + 8)
        root = at(knuckle, across, lift_mm + 34)
        solids += capsule(end, bend, 8.0 * size, skin, 0.1, "hand")
        solids += capsule(bend, root, 8.6 * size, skin, 0.1, "hand")
    solids += capsule(at(62, thumb * 52, lift_mm + 14), at(104, thumb * 30, lift_mm + 30), 9.5,
                      skin, 0.1, "hand")  # fmt: skip
    palm_axes = np.array([[*back, 0.0], [*side, 0.0], [0, 0, 1.0]])
    palm_at = at(112, 8, lift_mm + 32)
    solids.append(Solid(kind="ellipsoid", axes=palm_axes, foot_mm=palm_at, radius_mm=50 * size,
                        squeeze=0.88, kin="hand", height_mm=20 * size, side_bgr=skin, gloss=0.1,
                        casters=(Caster(start_mm=point(palm_at), end_mm=point(palm_at),
                                        radius_mm=42 * size),)))  # fmt: skip
    sleeve = tuple(int(v) for v in rng.integers(30, 200, 3))
    arm = at(420, 8, lift_mm + 70)
    solids += capsule(at(150, 8, lift_mm + 36), arm, 27 * size, skin, 0.0, "hand")
    if rng.random() < 0.7:
        solids += capsule(at(190, 8, lift_mm + 42), arm, 36 * size, sleeve, 0.0, "hand")
    return solids
