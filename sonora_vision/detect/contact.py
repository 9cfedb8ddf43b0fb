"""What a footprint touches, in millimetres: shares of zones, gaps to multipliers, hole, corners."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import Point as ShapelyPoint
from shapely import Polygon

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.geometry import CircleShape, PolygonShape, disc_shares, edge_distance_mm, gap_mm
from sonora_vision.observation import Contact, MultiplierGap, State, ZoneShare

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Where a footprint lies on the board, before anything is ruled."""

    on_board: bool
    """Whether its centre is within the outline."""
    to_edge_mm: float
    """Distance of the centre from the outline."""
    hole_slack_mm: float | None
    """How far it could still move and stay wholly inside the hole; negative: not inside. None
    where the board has no hole."""
    launch_share: float
    """Share of its area on raised corners."""
    corner_height_mm: float
    """Height of the corner that it lies on most; 0 on the field."""


def surroundings(center_mm: FloatArray, board: BoardSpec) -> Surroundings:
    """Say where a footprint lies."""
    return all_surroundings(np.asarray(center_mm)[None], board)[0]


def all_surroundings(centers_mm: FloatArray, board: BoardSpec) -> list[Surroundings]:
    """Say where footprints lie, shape (n, 2), board frame."""
    outside_mm = edge_distance_mm(PolygonShape(points_mm=board.outline_mm), centers_mm)
    launch = _launch_shares(centers_mm, board)
    heights = [corner.height_mm for corner in board.launch_corners]
    return [
        Surroundings(
            on_board=outside < 0,
            to_edge_mm=abs(outside),
            hole_slack_mm=hole_slack_mm(center, board),
            launch_share=sum(shares),
            corner_height_mm=heights[shares.index(max(shares))] if any(shares) else 0.0,
        )
        for center, outside, shares in zip(
            centers_mm, outside_mm.tolist(), launch.tolist(), strict=True
        )
    ]


def hole_slack_mm(center_mm: FloatArray, board: BoardSpec) -> float | None:
    """Return how far a footprint could move and stay in the hole; see :class:`Surroundings`."""
    if board.hole is None:
        return None
    away_mm = math.dist(center_mm, board.hole.center_mm)
    return board.hole.radius_mm - board.discs.radius_mm - away_mm


def _launch_shares(centers_mm: FloatArray, board: BoardSpec) -> FloatArray:
    """Share of each footprint on each raised corner, shape (n, corners)."""
    corners = [PolygonShape(points_mm=corner.points_mm) for corner in board.launch_corners]
    return disc_shares(corners, centers_mm, board.discs.radius_mm)


def measure_contacts(
    centers_mm: FloatArray, states: list[State], board: BoardSpec
) -> list[Contact]:
    """Measure what every footprint touches.

    Parameters
    ----------
    centers_mm
        Shape (n, 2), footprints, board frame.
    states
        One a disc.

    Returns
    -------
    list of Contact
        Shares are of the whole footprint's area; what lies on a raised corner belongs to no zone.
    """
    centers = np.asarray(centers_mm, np.float64).reshape(-1, 2)
    radius = board.discs.radius_mm
    launch = _launch_shares(centers, board)
    shares = disc_shares([zone.shape for zone in board.zones], centers, radius)
    shares = _off_corners(shares, centers, launch, board)
    circles = [CircleShape(center_mm=m.center_mm, radius_mm=m.radius_mm) for m in board.multipliers]
    gaps = np.array([gap_mm(circle, centers, radius) for circle in circles]).T
    return [
        Contact(
            state=state,
            zones=tuple(
                ZoneShare(section=zone.section, share=share, value=zone.value)
                for zone, share in zip(board.zones, zone_shares, strict=True)
                if share > 0
            ),
            multipliers=tuple(
                MultiplierGap(section=m.section, animal=m.animal, gap_mm=gap)
                for m, gap in zip(board.multipliers, circle_gaps, strict=True)
            ),
            launch_share=launch_share,
        )
        for state, zone_shares, circle_gaps, launch_share in zip(
            states,
            shares.tolist(),
            gaps.tolist() if circles else [[]] * len(states),
            launch.sum(axis=1).tolist(),
            strict=True,
        )
    ]


def _off_corners(
    zones: FloatArray, centers: FloatArray, launch: FloatArray, board: BoardSpec
) -> FloatArray:
    """Take what lies under raised corners from the zones that run on beneath them."""
    if not launch.any():
        return zones
    radius = board.discs.radius_mm
    zones = zones.copy()
    for i in np.flatnonzero(launch.any(axis=1)):
        center, near = centers[i], [board.launch_corners[c] for c in np.flatnonzero(launch[i])]
        disc = ShapelyPoint(*center).buffer(radius, quad_segs=32)
        for k, zone in enumerate(board.zones):
            if zones[i, k] > 0 and isinstance(zone.shape, PolygonShape):
                under = [
                    Polygon(zone.shape.points_mm).intersection(Polygon(c.points_mm)) for c in near
                ]
                hidden = sum(float(disc.intersection(part).area) for part in under)
                zones[i, k] = max(0.0, zones[i, k] - hidden / float(disc.area))
    return zones
