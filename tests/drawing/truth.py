"""What is really there, in the format of a rig's ``truth`` files.

Formulas: a zone's share is the part of the disc's circle in it; the margin of a zone call is
half the lead of the largest share over the next, as a shift of a straight border through the
disc's middle (lead * pi * radius / 4), or the gap to the nearest multiplier if that is less;
of a multiplier call the least distance of the disc's edge to any multiplier's edge.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import shapely
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry import Polygon

Board = dict[str, Any]
Record = dict[str, Any]
_QUADRANT_SEGMENTS = 64
_EXACT_HALF = 1e-6


def zone_area(shape: dict[str, Any]) -> shapely.Geometry:
    """A zone's shape as an area in the board frame, mm."""
    if shape["shape"] == "polygon":
        return Polygon(shape["points"])
    outer = shape["radius"] if shape["shape"] == "circle" else shape["outer"]
    disc = ShapelyPoint(shape["center"]).buffer(outer, quad_segs=256)
    if shape["shape"] == "ring":
        return disc - ShapelyPoint(shape["center"]).buffer(shape["inner"], quad_segs=256)
    return disc


def zone_shares(board: Board, center_mm: tuple[float, float]) -> list[float]:
    """Part of a disc's footprint in each zone of the board, in the board's order."""
    radius = board["discs"]["radius"]
    footprint = ShapelyPoint(center_mm).buffer(radius, quad_segs=_QUADRANT_SEGMENTS)
    areas = _prepared(_key(board))
    return [
        float(area.intersection(footprint).area / footprint.area)
        if area.intersects(footprint)
        else 0.0
        for area in areas
    ]


def judge(board: Board, center_mm: tuple[float, float], state: str) -> Record:
    """The ``assignment``, ``zone_share`` and ``margin_mm`` of one disc by the rules."""
    if state in ("off_board", "launch_corner"):
        return _verdict(state, [])
    if state == "in_hole":
        return _verdict("hole", sorted({zone["section"] for zone in board["zones"]}))
    radius = board["discs"]["radius"]
    shares = zone_shares(board, center_mm)
    by_section: dict[str, float] = {}
    for zone, share in zip(board["zones"], shares, strict=True):
        by_section[zone["section"]] = by_section.get(zone["section"], 0.0) + share
    gaps = [
        (math.dist(center_mm, m["center"]) - m["radius"] - radius, m["section"])
        for m in board["multipliers"]
    ]
    nearest = min((abs(gap) for gap, _ in gaps), default=math.inf)
    touched = sorted({section for gap, section in gaps if gap <= 0})
    if touched:
        return _verdict("multiplier", touched, by_section, nearest)
    if board["rule"] == "lowest":
        sections, lead_mm = _lowest(board, shares, center_mm)
    else:
        ranked = sorted(by_section.values(), reverse=True) + [0.0]
        lead_mm = (ranked[0] - ranked[1]) * math.pi * radius / 4
        sections = [s for s, v in by_section.items() if ranked[0] - v < _EXACT_HALF and v > 0]
    return _verdict("zone" if sections else "none", sections, by_section, min(lead_mm, nearest))


def _verdict(
    via: str,
    sections: list[str],
    shares: dict[str, float] | None = None,
    margin_mm: float | None = None,
) -> Record:
    """The keys of one disc that the rules decide."""
    return {
        "assignment": {"via": via, "sections": sections},
        "zone_share": None if shares is None else {k: round(v, 4) for k, v in shares.items()},
        "margin_mm": None if margin_mm is None else round(margin_mm, 2),
    }


def _lowest(
    board: Board, shares: list[float], center_mm: tuple[float, float]
) -> tuple[list[str], float]:
    """The lowest-valued zone touched, and how far the footprint's edge is from a change."""
    zones, radius = board["zones"], board["discs"]["radius"]
    touched = [z for z, share in zip(zones, shares, strict=True) if share > 0]
    edge = min(
        abs(area.boundary.distance(ShapelyPoint(center_mm)) - radius)
        for area in _prepared(_key(board))
    )
    if not touched:
        return [], edge
    return [min(touched, key=lambda z: z["value"])["section"]], edge


def _key(board: Board) -> tuple[Any, ...]:
    """The zones in a hashable form."""

    def frozen(value: Any) -> Any:
        if isinstance(value, dict):
            return tuple((k, frozen(v)) for k, v in sorted(value.items()))
        return tuple(frozen(v) for v in value) if isinstance(value, list) else value

    return tuple(frozen(zone) for zone in board["zones"])


@lru_cache(maxsize=8)
def _prepared(key: tuple[Any, ...]) -> list[shapely.Geometry]:
    """The zones' areas, made ready for many tests."""
    areas = [zone_area({k: _thawed(v) for k, v in zone}) for zone in key]
    for area in areas:
        shapely.prepare(area)
    return areas


def _thawed(value: Any) -> Any:
    """Tuples back to lists."""
    return [_thawed(v) for v in value] if isinstance(value, tuple) else value
