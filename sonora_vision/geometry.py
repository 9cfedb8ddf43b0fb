"""Shapes in board millimetres and how much of a disc lies in them, exactly.

Areas of overlap are closed forms, not polygons drawn around circles: a rule asks whether a disc
lies *exactly* half in a zone, and a 64-sided circle answers that wrongly.
All functions take many disc centers at once, so that an uncertain center can be tried as a cloud.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Point = tuple[float, float]
FloatArray = npt.NDArray[np.float64]
ComplexArray = npt.NDArray[np.complex128]
IntArray = npt.NDArray[np.int_]


@dataclass(frozen=True, kw_only=True)
class PolygonShape:
    """A region bounded by straight lines, in board mm; the last point joins the first."""

    points_mm: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class CircleShape:
    """A round region."""

    center_mm: Point
    radius_mm: float


@dataclass(frozen=True, kw_only=True)
class RingShape:
    """A region between two circles of one center."""

    center_mm: Point
    inner_mm: float
    outer_mm: float


Shape = PolygonShape | CircleShape | RingShape


def disc_shares(shapes: Sequence[Shape], centers_mm: npt.ArrayLike, radius_mm: float) -> FloatArray:
    """Part of a disc's footprint that lies in each shape.

    Parameters
    ----------
    shapes : sequence of S shapes
        Regions of the board, mm.
    centers_mm : (..., 2) array_like
        Centers of footprints, board frame, mm.
    radius_mm : float
        The disc's radius.

    Returns
    -------
    (..., S) float64 ndarray
        Shares of the disc's area, 0 to 1.
    """
    areas = _overlaps_mm2(tuple(shapes), np.asarray(centers_mm, np.float64), radius_mm)
    return np.clip(areas / (math.pi * radius_mm**2), 0.0, 1.0)


def overlap_mm2(shape: Shape, centers_mm: npt.ArrayLike, radius_mm: float) -> FloatArray:
    """Area that discs share with a shape.

    Parameters
    ----------
    shape : Shape
        A region of the board, mm.
    centers_mm : (..., 2) array_like
        Centers of the discs, board frame, mm.
    radius_mm : float
        The discs' radius.

    Returns
    -------
    (...) float64 ndarray
        Areas in mm².
    """
    return _overlaps_mm2((shape,), np.asarray(centers_mm, np.float64), radius_mm)[..., 0]


def _overlaps_mm2(shapes: tuple[Shape, ...], centers: FloatArray, radius_mm: float) -> FloatArray:
    """Areas that discs share with each shape, shape (..., S)."""
    areas = np.zeros((*centers.shape[:-1], len(shapes)))
    straight = [k for k, shape in enumerate(shapes) if isinstance(shape, PolygonShape)]
    if straight:
        sides = _sides(tuple(shapes[k] for k in straight))
        areas[..., straight] = _polygon_overlaps_mm2(sides, centers, radius_mm)
    for k, shape in enumerate(shapes):
        if isinstance(shape, PolygonShape):
            continue
        distances_mm = _distances_mm(shape.center_mm, centers)
        if isinstance(shape, CircleShape):
            areas[..., k] = _lens_mm2(distances_mm, radius_mm, shape.radius_mm)
        else:
            areas[..., k] = _lens_mm2(distances_mm, radius_mm, shape.outer_mm)
            areas[..., k] -= _lens_mm2(distances_mm, radius_mm, shape.inner_mm)
    return areas


def gap_mm(circle: CircleShape, centers_mm: npt.ArrayLike, radius_mm: float) -> FloatArray:
    """Distance between the edges of discs and of a circle; negative where they overlap.

    Parameters
    ----------
    circle : CircleShape
        A printed circle, mm.
    centers_mm : (..., 2) array_like
        Centers of the discs, board frame, mm.
    radius_mm : float
        The discs' radius.

    Returns
    -------
    (...) float64 ndarray
        Gaps in mm, 0 where the edges just meet.
    """
    centers = np.asarray(centers_mm, dtype=np.float64)
    return _distances_mm(circle.center_mm, centers) - radius_mm - circle.radius_mm


def edge_distance_mm(shape: Shape, points_mm: npt.ArrayLike) -> FloatArray:
    """Distance of points from the edge of a shape; negative within it.

    Parameters
    ----------
    shape : Shape
        A region of the board, mm.
    points_mm : (..., 2) array_like
        Points, board frame, mm.

    Returns
    -------
    (...) float64 ndarray
        Distances in mm.
    """
    points = np.asarray(points_mm, dtype=np.float64)
    if isinstance(shape, PolygonShape):
        return _polygon_edge_mm(shape.points_mm, points)
    distances = _distances_mm(shape.center_mm, points)
    if isinstance(shape, CircleShape):
        return distances - shape.radius_mm
    return np.maximum(distances - shape.outer_mm, shape.inner_mm - distances)


def _divisor(length2: FloatArray) -> FloatArray:
    """Squared lengths of sides to divide by; what is shorter is a point that stands twice."""
    return np.where(length2 > _NO_LENGTH_MM**2, length2, 1.0)


_NO_LENGTH_MM = 1e-9


def _polygon_edge_mm(corners_mm: Sequence[Point], points: FloatArray) -> FloatArray:
    """Nearest point of each side; a ray to the right crosses the sides an odd number within."""
    corners = np.asarray(corners_mm, dtype=np.float64)
    a = corners - points[..., np.newaxis, :]
    b = np.roll(corners, -1, axis=0) - points[..., np.newaxis, :]
    along = b - a
    length2 = np.sum(along * along, axis=-1)
    part = np.clip(-np.sum(a * along, axis=-1) / _divisor(length2), 0.0, 1.0)
    nearest = a + part[..., np.newaxis] * along
    distances = np.min(np.hypot(nearest[..., 0], nearest[..., 1]), axis=-1)
    spans = (a[..., 1] > 0) != (b[..., 1] > 0)
    rise = np.where(spans, along[..., 1], 1.0)
    crossed = spans & (a[..., 0] - a[..., 1] * along[..., 0] / rise > 0)
    within = np.sum(crossed, axis=-1) % 2 == 1
    signed: FloatArray = np.where(within, -distances, distances)
    return signed


def _distances_mm(point_mm: Point, centers: FloatArray) -> FloatArray:
    distances: FloatArray = np.hypot(centers[..., 0] - point_mm[0], centers[..., 1] - point_mm[1])
    return distances


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sides:
    """The sides of some polygons, one after the other, as complex numbers x + iy."""

    start: ComplexArray
    along: ComplexArray
    length2: FloatArray
    first: IntArray
    """Place of each polygon's first side."""
    count: IntArray
    """How many each polygon has."""
    low: FloatArray
    """Least x and y of each polygon, shape (polygons, 2)."""
    high: FloatArray


@lru_cache(maxsize=64)
def _sides(polygons: tuple[Shape, ...]) -> _Sides:
    corners = [np.array(each.points_mm) for each in polygons if isinstance(each, PolygonShape)]
    start = np.concatenate([each @ (1, 1j) for each in corners])
    along = np.concatenate([np.roll(each, -1, axis=0) @ (1, 1j) for each in corners]) - start
    count = np.array([len(each) for each in corners])
    length2 = np.abs(along) ** 2
    return _Sides(
        start=start,
        along=along,
        length2=_divisor(length2),
        first=np.cumsum(count) - count,
        count=count,
        low=np.array([each.min(axis=0) for each in corners]),
        high=np.array([each.max(axis=0) for each in corners]),
    )


def _polygon_overlaps_mm2(sides: _Sides, centers: FloatArray, radius: float) -> FloatArray:
    """Sum, side by side, the signed area between center and side, cut off at the circle.

    A side from a to b splits where it enters and leaves the circle: outside, it bounds a sector,
    inside, a triangle. Either may be empty, so one expression covers every case.
    """
    flat = centers.reshape(-1, 2)
    areas = np.zeros((len(flat), len(sides.count)))
    # Most discs are nowhere near a shape.
    near = (flat[:, None] > sides.low - radius) & (flat[:, None] < sides.high + radius)
    disc, polygon = np.nonzero(near.all(axis=2))
    if len(disc):
        count = sides.count[polygon]
        first = np.cumsum(count) - count
        side = np.arange(count.sum()) + np.repeat(sides.first[polygon] - first, count)
        along, length2 = sides.along[side], sides.length2[side]
        a = sides.start[side] - np.repeat((flat @ (1, 1j))[disc], count)
        middle = -(along.conj() * a).real / length2
        inside = middle**2 - ((a * a.conj()).real - radius**2) / length2
        half = np.sqrt(np.maximum(inside, 0.0))
        p = a + np.clip(middle - half, 0.0, 1.0) * along
        q = a + along - (1.0 - np.clip(middle + half, 0.0, 1.0)) * along
        angles = np.angle(a.conj() * p) + np.angle(q.conj() * (a + along))
        doubled = np.add.reduceat(radius**2 * angles + (p.conj() * q).imag, first)
        areas[disc, polygon] = np.abs(doubled) / 2
    return areas.reshape(*centers.shape[:-1], len(sides.count))


def _lens_mm2(distances: FloatArray, radius_a: float, radius_b: float) -> FloatArray:
    """Area common to two circles whose centers are that far apart."""
    # Clipped to touching from inside and from outside, where the lens is a whole circle or nothing.
    d = np.clip(distances, max(abs(radius_a - radius_b), 1e-12), radius_a + radius_b)
    x = (d**2 + radius_a**2 - radius_b**2) / (2 * d)  # from center a to the common chord
    y2 = np.maximum(radius_a**2 - x**2, 0.0)
    sector_a = radius_a**2 * np.arccos(np.clip(x / radius_a, -1.0, 1.0))
    sector_b = radius_b**2 * np.arccos(np.clip((d - x) / radius_b, -1.0, 1.0))
    areas: FloatArray = sector_a + sector_b - d * np.sqrt(y2)
    return areas
