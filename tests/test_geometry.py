"""Areas of overlap against closed forms known from elsewhere, and against drawn polygons."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sonora_vision.geometry import (
    CircleShape,
    PolygonShape,
    RingShape,
    Shape,
    disc_shares,
    edge_distance_mm,
    gap_mm,
    overlap_mm2,
)

HALF_PLANE = PolygonShape(points_mm=((0, -500), (500, -500), (500, 500), (0, 500)))
coordinates = st.floats(-40, 40)


def _three_sectors() -> list[Shape]:
    """Return three zones that meet at the origin at 120 degrees."""
    rim = [
        (500 * math.cos(math.radians(angle)), 500 * math.sin(math.radians(angle)))
        for angle in (0, 60, 120, 180, 240, 300, 360)
    ]
    return [PolygonShape(points_mm=((0.0, 0.0), *rim[start : start + 3])) for start in (0, 2, 4)]


def test_a_disc_centered_on_a_straight_border_lies_exactly_half_in() -> None:
    assert disc_shares([HALF_PLANE], (0.0, 12.0), 12.0)[0] == pytest.approx(0.5, abs=1e-14)


def test_three_zones_share_a_disc_in_equal_thirds() -> None:
    shares = disc_shares(_three_sectors(), (0.0, 0.0), 10.0)
    assert shares == pytest.approx([1 / 3] * 3, abs=1e-12)


@pytest.mark.parametrize("offset", [-12.0, -5.0, 0.0, 3.0, 11.999, 12.0])
def test_a_straight_border_cuts_off_a_circular_segment(offset: float) -> None:
    radius = 12.0
    segment = radius**2 * math.acos(-offset / radius) + offset * math.sqrt(radius**2 - offset**2)
    assert overlap_mm2(HALF_PLANE, (offset, 0.0), radius) == pytest.approx(segment, abs=1e-9)


def test_equal_circles_through_each_others_centers_share_the_known_lens() -> None:
    circle = CircleShape(center_mm=(0, 0), radius_mm=1)
    lens = 2 * math.pi / 3 - math.sqrt(3) / 2
    assert overlap_mm2(circle, (1.0, 0.0), 1.0) == pytest.approx(lens)


@pytest.mark.parametrize(
    ("center", "radius", "area"),
    [
        ((0, 0), 2, 4 * math.pi),
        ((0, 0), 5, 25 * math.pi),
        ((0, 0), 9, 25 * math.pi),
        ((9, 0), 4, 0),
    ],
)
def test_circles_within_and_apart(center: tuple[float, float], radius: float, area: float) -> None:
    circle = CircleShape(center_mm=(0, 0), radius_mm=5)
    assert overlap_mm2(circle, center, radius) == pytest.approx(area, abs=1e-9)


def test_a_disc_that_covers_a_ring_holds_all_of_it() -> None:
    ring = RingShape(center_mm=(3, 4), inner_mm=2, outer_mm=5)
    assert overlap_mm2(ring, (3.0, 4.0), 20.0) == pytest.approx(21 * math.pi)


def test_gap_is_zero_where_edges_meet_and_negative_where_they_overlap() -> None:
    circle = CircleShape(center_mm=(0, 0), radius_mm=15)
    gaps = gap_mm(circle, [(27.0, 0.0), (0.0, 27.01), (20.0, 0.0)], 12.0)
    assert gaps == pytest.approx([0.0, 0.01, -7.0])


@settings(deadline=None, max_examples=60)
@given(
    x=coordinates,
    y=coordinates,
    radius=st.floats(0.5, 30),
    points=st.lists(st.tuples(coordinates, coordinates), min_size=3, max_size=9),
)
def test_any_polygon_agrees_with_a_finely_drawn_disc(
    x: float, y: float, radius: float, points: list[tuple[float, float]]
) -> None:
    polygon = shapely.convex_hull(shapely.MultiPoint(points))
    if polygon.geom_type != "Polygon" or polygon.area < 1e-3:
        return
    shape = PolygonShape(points_mm=tuple(polygon.exterior.coords[:-1]))
    drawn = shapely.Point(x, y).buffer(radius, quad_segs=512)
    expected = drawn.intersection(polygon).area
    assert overlap_mm2(shape, (x, y), radius) == pytest.approx(expected, abs=1e-4 * radius**2)


def test_a_side_of_hardly_any_length_changes_no_area() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    for near in (5e-157, 1e-12, 0.0):
        shape = PolygonShape(points_mm=(*square[:2], (1.0, near), *square[2:]))
        assert overlap_mm2(shape, (0.0, 0.0), 2.0) == pytest.approx(1.0)
        assert edge_distance_mm(shape, [(3.0, 0.5)]) == pytest.approx([2.0])


def test_many_centers_give_one_share_each() -> None:
    centers = np.zeros((7, 5, 2))
    assert disc_shares([HALF_PLANE, HALF_PLANE], centers, 3.0).shape == (7, 5, 2)


@pytest.mark.parametrize(
    "shape",
    [
        PolygonShape(points_mm=((0.0, 0.0), (60.0, 0.0), (60.0, 40.0), (30.0, 15.0), (0.0, 40.0))),
        CircleShape(center_mm=(20.0, 20.0), radius_mm=15.0),
        RingShape(center_mm=(20.0, 20.0), inner_mm=8.0, outer_mm=25.0),
    ],
)
def test_edge_distance_is_shapelys_signed_within(shape: Shape) -> None:
    rng = np.random.default_rng(4)
    points = rng.uniform(-20.0, 80.0, (200, 2))
    if isinstance(shape, PolygonShape):
        area = shapely.Polygon(shape.points_mm)
    else:
        outer = shape.radius_mm if isinstance(shape, CircleShape) else shape.outer_mm
        middle = shapely.Point(shape.center_mm)
        area = middle.buffer(outer, quad_segs=256)
        if isinstance(shape, RingShape):
            area -= middle.buffer(shape.inner_mm, quad_segs=256)
    expected = [
        area.boundary.distance(shapely.Point(p)) * (-1 if area.contains(shapely.Point(p)) else 1)
        for p in points
    ]
    np.testing.assert_allclose(edge_distance_mm(shape, points), expected, atol=5e-3)
