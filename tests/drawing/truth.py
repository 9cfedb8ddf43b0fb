"""What is really there, in the format of a rig's ``truth`` files.

Formulas: a zone's share is the part of the disc's circle in it; the margin of a zone call is
half the lead of the largest share over the next, as a shift of a straight border through the
disc's middle (lead * pi * radius / 4), or the gap to the nearest multiplier if that is less;
of a multiplier call the least distance of the disc's edge to any multiplier's edge.
"""

from __future__ import annotations

import math
from typing import Any

import shapely
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry import Polygon

Board = dict[str, Any]
Record = dict[str, Any]
_QUADRANT_SEGMENTS = 64
_EXACT_HALF = 1e-6


def size_mm(board: Board) -> tuple[float, float]:
    """Width and height of the box about a board's outline, which starts at 0."""
    x, y = zip(*board["outline"], strict=True)
    return float(max(x)), float(max(y))


def zone_area(shape: dict[str, Any]) -> shapely.Geometry:
    """A zone's shape as an area in the board frame, mm."""
    if shape["shape"] == "polygon":
        return Polygon(shape["points"])
    outer = shape["radius"] if shape["shape"] == "circle" else shape["outer"]
    disc = ShapelyPoint(shape["center"]).buffer(outer, quad_segs=256)
    if shape["shape"] == "ring":
        return disc - ShapelyPoint(shape["center"]).buffer(shape["inner"], quad_segs=256)
    return disc


class Referee:
    """Judges discs on one board; made once, since the zones' areas take time to prepare."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.areas = [zone_area(zone) for zone in board["zones"]]
        for area in self.areas:
            shapely.prepare(area)
        self.sections = [str(zone["section"]) for zone in board["zones"]]

    def zone_shares(self, center_mm: tuple[float, float]) -> list[float]:
        """Part of a disc's footprint in each zone of the board, in the board's order."""
        radius = self.board["discs"]["radius"]
        footprint = ShapelyPoint(center_mm).buffer(radius, quad_segs=_QUADRANT_SEGMENTS)
        whole = footprint.area
        return [
            1.0 if area.contains(footprint)
            else float(area.intersection(footprint).area / whole) if area.intersects(footprint)
            else 0.0
            for area in self.areas
        ]  # fmt: skip

    def judge(self, center_mm: tuple[float, float], state: str) -> Record:
        """The ``assignment``, ``zone_share`` and ``margin_mm`` of one disc by the rules."""
        if state in ("off_board", "launch_corner"):
            return _verdict(state, [])
        if state == "in_hole":
            return _verdict("hole", sorted(set(self.sections)))
        board, radius = self.board, self.board["discs"]["radius"]
        shares = self.zone_shares(center_mm)
        by_section: dict[str, float] = {}
        for section, share in zip(self.sections, shares, strict=True):
            by_section[section] = by_section.get(section, 0.0) + share
        gaps = [
            (math.dist(center_mm, m["center"]) - m["radius"] - radius, m["section"])
            for m in board["multipliers"]
        ]
        nearest = min((abs(gap) for gap, _ in gaps), default=math.inf)
        touched = sorted({section for gap, section in gaps if gap <= 0})
        if touched:
            return _verdict("multiplier", touched, by_section, nearest)
        if board["rule"] == "lowest":
            sections, lead_mm = self._lowest(shares, center_mm)
        else:
            ranked = [*sorted(by_section.values(), reverse=True), 0.0]
            lead_mm = (ranked[0] - ranked[1]) * math.pi * radius / 4
            sections = sorted(s for s, v in by_section.items()
                              if v > 0 and ranked[0] - v < _EXACT_HALF)  # fmt: skip
        via = "zone" if sections else "none"
        return _verdict(via, sections, by_section, min(lead_mm, nearest))

    def _lowest(
        self, shares: list[float], center_mm: tuple[float, float]
    ) -> tuple[list[str], float]:
        """The lowest-valued zone touched, and how far the footprint's edge is from a change."""
        zones, radius = self.board["zones"], self.board["discs"]["radius"]
        touched = [z for z, share in zip(zones, shares, strict=True) if share > 0]
        center = ShapelyPoint(center_mm)
        edge = min(abs(area.boundary.distance(center) - radius) for area in self.areas)
        if not touched:
            return [], edge
        return [str(min(touched, key=lambda z: z["value"])["section"])], edge


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
