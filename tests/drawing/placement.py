"""Where discs lie: single positions, and generators from easy to hard."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry import Polygon

from tests.drawing.truth import Board, size_mm, zone_area

Spot = tuple[float, float]
TABLE_STATES = ("off_board",)


@dataclass(frozen=True, kw_only=True)
class PlacedDisc:
    """One disc of a position, in the board frame."""

    color: str
    number: int | None
    center_mm: Spot
    state: str = "flat"
    turn_deg: float = 0.0
    """Turn of its digit, clockwise from above."""
    facing_deg: float = 0.0
    """Where the digit of a standing disc looks to, clockwise from the board's x axis."""
    level: int = 0
    """How many discs it lies on."""

    def foot_mm(self, board: Board, thickness_mm: float) -> float:
        """Height of its lowest point above the board's face."""
        if self.state == "off_board":
            return -thickness_mm
        if self.state == "in_hole":
            return -float(board["hole"]["depth"])
        lift = self.level * float(board["discs"]["height"])
        if self.state == "launch_corner":
            return lift + float(board["launch_corners"][0]["height"])
        return lift

    def top_mm(self, board: Board, thickness_mm: float) -> float:
        """Height of the middle of its top face, or of the highest point of one on edge."""
        if self.state == "standing":
            return 2 * float(board["discs"]["radius"])
        return self.foot_mm(board, thickness_mm) + float(board["discs"]["height"])


def taught_rows(board: Board, rng: np.random.Generator) -> list[PlacedDisc]:
    """Every disc once in rows by colour about the board's middle, nearly upright."""
    (w, h), radius = size_mm(board), board["discs"]["radius"]
    colors, numbers = board["discs"]["colors"], board["discs"]["numbers"] or [None]
    room = min(w / (len(numbers) + 3), h / (len(colors) + 2.5))  # clear of the corners
    step = max(2.3 * radius, min(3.6 * radius, room))
    return [
        PlacedDisc(
            color=color, number=number, turn_deg=float(rng.normal(0, 9)),
            center_mm=(w / 2 + step * (k - (len(numbers) - 1) / 2) + float(rng.normal(0, 1)),
                       h / 2 + step * (row - (len(colors) - 1) / 2) + float(rng.normal(0, 1))),
        )
        for row, color in enumerate(colors)
        for k, number in enumerate(numbers)
    ]  # fmt: skip


class Table:
    """A position that grows disc by disc, each where it can lie."""

    def __init__(self, board: Board, rng: np.random.Generator) -> None:
        self.board, self.rng = board, rng
        self.radius = float(board["discs"]["radius"])
        self.size = size_mm(board)
        self.discs: list[PlacedDisc] = []
        self.corners = shapely.union_all([Polygon(c["points"]) for c in board["launch_corners"]])
        self.field = Polygon(board["outline"]).buffer(-self.radius - 1)
        borders = [zone_area(z).boundary for z in board["zones"]]
        inside = Polygon(board["outline"]).buffer(-1.0)
        self.borders = shapely.union_all(borders).intersection(inside)

    def fits(self, spot: Spot, reach_mm: float | None = None) -> bool:
        """Whether a disc can lie on the field there: inside, off corners, hole and discs."""
        r, (w, h) = self.radius, self.size
        if not (r + 1 < spot[0] < w - r - 1 and r + 1 < spot[1] < h - r - 1):
            return False
        if self.corners.distance(ShapelyPoint(spot)) < r + 0.3:
            return False
        if not self.field.contains(ShapelyPoint(spot)):
            return False
        hole = self.board["hole"]
        if hole and math.dist(spot, hole["center"]) < hole["radius"] + 0.25 * r:
            return False
        return self.free(spot, reach_mm)

    def free(self, spot: Spot, reach_mm: float | None = None) -> bool:
        """Whether no disc of the lowest layer is in the way."""
        least = 2 * self.radius - 1e-6 if reach_mm is None else reach_mm
        return all(
            math.dist(spot, d.center_mm) >= least
            for d in self.discs
            if d.level == 0 and d.state != "off_board"
        )

    def anywhere(self) -> Spot:
        """A uniform place on the field."""
        x, y = self.rng.uniform((0, 0), self.size)
        return float(x), float(y)

    def by_border(self) -> Spot:
        """A place whose footprint a zone border crosses, the closer to the middle the likelier."""
        if self.borders.is_empty:
            return self.anywhere()
        at = self.borders.interpolate(self.rng.uniform(0, 1), normalized=True)
        dx, dy = self.rng.normal(0, 0.35 * self.radius, 2)
        return at.x + float(dx), at.y + float(dy)

    def by_multiplier(self) -> Spot:
        """A place at a multiplier's edge, now touching and now not."""
        if not self.board["multipliers"]:
            return self.by_border()
        m = self.board["multipliers"][self.rng.integers(len(self.board["multipliers"]))]
        away = m["radius"] + self.radius + self.rng.normal(0, 2.0)
        if self.rng.random() < 0.3:
            away = self.rng.uniform(0, m["radius"] + self.radius)
        return self._around(m["center"], away)

    def by_disc(self, gap_mm: float | None = None) -> Spot:
        """A place against another disc."""
        flat = [d for d in self.discs if d.state == "flat"]
        if not flat:
            return self.anywhere()
        other = flat[self.rng.integers(len(flat))]
        gap = abs(self.rng.normal(0, 0.3)) if gap_mm is None else gap_mm
        return self._around(other.center_mm, 2 * self.radius + 0.01 + gap)

    def by_hole(self) -> Spot:
        """A place where the disc hangs over the hole's edge, or is just clear of it."""
        hole = self.board["hole"]
        if not hole:
            return self.by_border()
        near, far = hole["radius"] + 0.26 * self.radius, hole["radius"] + 1.3 * self.radius
        return self._around(hole["center"], self.rng.uniform(near, far))

    def in_hole(self) -> Spot | None:
        """A place in the hole, if it is free."""
        hole = self.board["hole"]
        if not hole or any(d.state == "in_hole" for d in self.discs):
            return None
        slack = max(0.0, hole["radius"] - self.radius - 0.3)
        spot = self._around(hole["center"], slack * math.sqrt(self.rng.random()))
        return spot if self.free(spot) else None

    def on_corner(self) -> Spot | None:
        """A place wholly on a launch corner, if one is large enough and free."""
        corners = self.board["launch_corners"]
        for _ in range(30 if corners else 0):
            corner = Polygon(corners[self.rng.integers(len(corners))]["points"])
            x0, y0, x1, y1 = corner.bounds
            spot = float(self.rng.uniform(x0, x1)), float(self.rng.uniform(y0, y1))
            held = corner.buffer(-self.radius * 0.9).contains(ShapelyPoint(spot))
            if held and self.free(spot):
                return spot
        return None

    def on_disc(self) -> Spot | None:
        """A place on one other disc, anything from a third hidden to all."""
        lying = [d for d in self.discs if d.state == "flat" and d.level == 0]
        upper = [d for d in self.discs if d.level]
        for _ in range(30 if lying else 0):
            below = lying[self.rng.integers(len(lying))]
            spot = self._around(below.center_mm, self.radius * self.rng.uniform(0.15, 0.95))
            inside = all(self.radius < s < n - self.radius
                         for s, n in zip(spot, self.size, strict=True))  # fmt: skip
            low = self.corners.distance(ShapelyPoint(spot)) > self.radius + 0.3
            apart = all(math.dist(spot, d.center_mm) > 2 * self.radius + 1 for d in upper)
            upright = all(math.dist(spot, d.center_mm) > 2 * self.radius + 1 for d in self.discs
                          if d.state == "standing")  # fmt: skip
            if inside and low and apart and upright:
                return spot
        return None

    def on_table(self) -> Spot:
        """A place on the table beside the board."""
        w, h = self.size
        for _ in range(200):
            x = float(self.rng.uniform(-0.2 * w, 1.2 * w))
            y = float(self.rng.uniform(-0.2 * h, 1.2 * h))
            beside = max(-x, x - w, -y, y - h) > 2.2 * self.radius + 6
            if beside and all(math.dist((x, y), d.center_mm) > 2 * self.radius + 0.5
                              for d in self.discs):  # fmt: skip
                return x, y
        return -0.2 * w, -0.2 * h

    def put(self, color: str, number: int | None, spot: Spot, state: str, level: int = 0) -> None:
        """Add a disc with its digit turned at random."""
        turn, facing = self.rng.uniform(0, 360, 2)
        self.discs.append(PlacedDisc(color=color, number=number, center_mm=spot, state=state,
                                     turn_deg=float(turn), facing_deg=float(facing),
                                     level=level))  # fmt: skip

    def _around(self, center: Spot, away_mm: float) -> Spot:
        """A place at a distance from a point, in any direction."""
        angle = self.rng.uniform(0, 2 * math.pi)
        return (center[0] + float(away_mm * math.cos(angle)),
                center[1] + float(away_mm * math.sin(angle)))  # fmt: skip


_ALIKE = 10
"""How many discs of a kind there are where they are not told apart."""

_EASY = {"anywhere": 0.8, "by_border": 0.1, "by_multiplier": 0.1}
_HARD = {
    "anywhere": 0.18, "by_border": 0.2, "by_multiplier": 0.2, "by_disc": 0.17, "by_hole": 0.02,
    "in_hole": 0.04, "standing": 0.04, "on_disc": 0.07, "on_table": 0.05, "on_corner": 0.02,
    "absent": 0.01,
}  # fmt: skip


def random_position(
    board: Board, rng: np.random.Generator, *, style: str = "hard"
) -> list[PlacedDisc]:
    """A position of the board's discs; the hard style seeks what is hard to read.

    Parameters
    ----------
    board
        Board description.
    rng
        Source of chance.
    style
        ``easy``: apart, flat, on the field. ``hard``: at borders and circles, against and on each
        other, on edge, in the hole, on corners, on the table; a few are nowhere.
    """
    table = Table(board, rng)
    numbers = board["discs"]["numbers"] or [None]
    copies = 1 if board["discs"].get("each_once", True) else _ALIKE
    inventory = [(c, n) for c in board["discs"]["colors"] for n in numbers] * copies
    recipes = _EASY if style == "easy" else _HARD
    for index in rng.permutation(len(inventory)):
        color, number = inventory[index]
        recipe = str(rng.choice(list(recipes), p=list(recipes.values())))
        _put_one(table, color, number, recipe, apart=style == "easy")
    return table.discs


def _put_one(table: Table, color: str, number: int | None, recipe: str, *, apart: bool) -> None:
    """Place one disc by a recipe, or anywhere where the recipe finds no room."""
    if recipe == "absent":
        return
    if recipe == "on_table":
        return table.put(color, number, table.on_table(), "off_board")
    special = {"in_hole": ("in_hole", 0), "on_disc": ("stacked", 1),
               "on_corner": ("launch_corner", 0)}  # fmt: skip
    if recipe in special:
        spot: Spot | None = getattr(table, recipe)()
        if spot is not None:
            state, level = special[recipe]
            return table.put(color, number, spot, state, level)
        recipe = "by_border"
    state = "standing" if recipe == "standing" else "flat"
    find = table.anywhere if recipe == "standing" else getattr(table, recipe)
    reach = 2.6 * table.radius if apart or state == "standing" else None
    for attempt in range(120):
        spot = find() if attempt < 60 else table.anywhere()
        covered = any(d.level and math.dist(spot, d.center_mm) < 2 * table.radius + 1
                      for d in table.discs)  # fmt: skip
        if table.fits(spot, reach) and not covered:
            return table.put(color, number, spot, state)
    table.put(color, number, table.on_table(), "off_board")
