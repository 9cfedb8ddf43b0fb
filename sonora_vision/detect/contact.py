"""What a footprint touches, in millimetres: shares of zones, gaps to multipliers, hole, corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import Point as ShapelyPoint
from shapely import Polygon

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.geometry import CircleShape, PolygonShape, disc_shares, edge_distance_mm, gap_mm
from sonora_vision.observation import Contact, MultiplierGap, Point, State, ZoneShare

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
    outside_mm = float(edge_distance_mm(PolygonShape(points_mm=board.outline_mm), center_mm))
    slack = None
    if board.hole is not None:
        distance = float(np.hypot(*(np.asarray(center_mm) - np.asarray(board.hole.center_mm))))
        slack = board.hole.radius_mm - board.discs.radius_mm - distance
    near = [c for c in board.launch_corners if _near(center_mm, c.points_mm, board.discs.radius_mm)]
    corners = [PolygonShape(points_mm=c.points_mm) for c in near]
    shares = disc_shares(corners, center_mm, board.discs.radius_mm) if corners else np.zeros(0)
    most = int(shares.argmax()) if len(shares) else 0
    return Surroundings(
        on_board=outside_mm < 0,
        to_edge_mm=abs(outside_mm),
        hole_slack_mm=slack,
        launch_share=float(shares.sum()) if len(shares) else 0.0,
        corner_height_mm=near[most].height_mm if len(shares) and shares[most] > 0 else 0.0,
    )


def _near(center_mm: FloatArray, points_mm: Sequence[Point], radius_mm: float) -> bool:
    """Whether a disc reaches the box about some points."""
    return all(
        min(side) - radius_mm < at < max(side) + radius_mm
        for at, side in zip(center_mm.tolist(), zip(*points_mm, strict=True), strict=True)
    )


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
    zones = disc_shares([zone.shape for zone in board.zones], centers, radius)
    corners = [PolygonShape(points_mm=c.points_mm) for c in board.launch_corners]
    launch = disc_shares(corners, centers, radius) if corners else np.zeros((len(centers), 0))
    circles = [CircleShape(center_mm=m.center_mm, radius_mm=m.radius_mm) for m in board.multipliers]
    gaps = [gap_mm(circle, centers, radius) for circle in circles]
    zones = _off_corners(zones, centers, launch, board)
    return [
        Contact(
            state=state,
            zones=tuple(
                ZoneShare(section=zone.section, share=float(zones[i, k]), value=zone.value)
                for k, zone in enumerate(board.zones)
                if zones[i, k] > 0
            ),
            multipliers=tuple(
                MultiplierGap(section=m.section, animal=m.animal, gap_mm=float(gaps[k][i]))
                for k, m in enumerate(board.multipliers)
            ),
            launch_share=float(launch[i].sum()),
        )
        for i, state in enumerate(states)
    ]


def _off_corners(
    zones: FloatArray, centers: FloatArray, launch: FloatArray, board: BoardSpec
) -> FloatArray:
    """Take what lies under raised corners from the zones that run on beneath them."""
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
