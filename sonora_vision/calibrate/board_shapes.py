"""Whether a board's shapes can be: none crosses itself, none reaches out of the outline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import shapely

from sonora_vision.document import Mistakes
from sonora_vision.geometry import CircleShape, Point, PolygonShape, Shape

_OUTSIDE_MM = 0.05
"""How far a shape may reach out of the outline: rounding in a measured description."""


def check_outline_holds(
    *, outline_mm: Sequence[Point], shapes: Mapping[str, Shape], mistakes: Mistakes
) -> None:
    """Note every shape that crosses itself or reaches out of the outline.

    Parameters
    ----------
    outline_mm : sequence of points
        The board's edge, clockwise as seen from above; empty where it could not be read.
    shapes : mapping of str to Shape
        What lies on the board, by its key in the description.
    mistakes : Mistakes
        Where mistakes are noted.
    """
    outline = _polygon(outline_mm, "outline", mistakes)
    regions = {key: _region(shape, key, mistakes) for key, shape in shapes.items()}
    if outline is None:
        return
    if not shapely.LinearRing(outline_mm).is_ccw:  # y runs down, which swaps the two senses
        mistakes.say("outline", "expected clockwise from the top-left corner, got anticlockwise")
    room = outline.buffer(_OUTSIDE_MM, join_style="mitre")
    for key, region in regions.items():
        if region is not None and not room.covers(region):
            mistakes.say(
                key,
                f"expected to lie within the outline ({_extent(outline)}), "
                f"got a shape that reaches out of it ({_extent(region)})",
            )


def _region(shape: Shape, key: str, mistakes: Mistakes) -> shapely.Geometry | None:
    """Return the shape's outer boundary as a region, or None where it is no good."""
    if isinstance(shape, PolygonShape):
        return _polygon(shape.points_mm, f"{key}.points", mistakes)
    radius_mm = shape.radius_mm if isinstance(shape, CircleShape) else shape.outer_mm
    return shapely.Point(shape.center_mm).buffer(radius_mm)


def _polygon(points: Sequence[Point], key: str, mistakes: Mistakes) -> shapely.Polygon | None:
    """Return the polygon, or None where it is no good, which is then noted."""
    if not points:
        return None  # noted already
    polygon = shapely.Polygon(points)
    if not polygon.is_valid:
        reason = shapely.is_valid_reason(polygon).replace("[", " at ").replace("]", " mm")
        mistakes.say(key, f"expected a polygon that does not cross itself, got {reason}")
        return None
    if polygon.area <= 0:
        mistakes.say(key, "expected a polygon with an area, got points on one line")
        return None
    return polygon


def _extent(region: shapely.Geometry) -> str:
    left, top, right, bottom = region.bounds
    return f"x {left:g} to {right:g}, y {top:g} to {bottom:g} mm"
