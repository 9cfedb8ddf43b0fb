"""What a person has answered so far: frozen values, in pixels of the picture of the empty board.

Everything that is printed is kept where the picture shows it; millimetres follow from the
outline's corners, the lens and one real length, so that a corrected answer corrects them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]


def rounded(values: Sequence[float] | NDArray[np.float64]) -> Point:
    """Return a point to a hundredth, as files have it."""
    return round(float(values[0]), 2) + 0.0, round(float(values[1]), 2) + 0.0


AreaRole = Literal["zone", "launch", "none"]
CircleRole = Literal["multiplier", "hole", "zone", "none"]
Step = Literal["camera", "lens", "board", "discs", "check"]

STEPS: tuple[Step, ...] = ("camera", "lens", "board", "discs", "check")


@dataclass(frozen=True, kw_only=True)
class DraftCircle:
    """A printed circle, or the hole."""

    center_px: Point
    rim_px: Point
    """A point on its rim."""
    role: CircleRole = "multiplier"
    section: str = ""
    animal: str = ""
    value: int | None = None


@dataclass(frozen=True, kw_only=True)
class AreaLabel:
    """What the area around a point is."""

    at_px: Point
    role: AreaRole = "zone"
    section: str = ""
    value: int | None = None
    height_mm: float = 4.0
    """How far a launch corner is raised; of no meaning for other roles."""


@dataclass(frozen=True, kw_only=True)
class BoardDraft:
    """What is on the picture of the empty board."""

    name: str = "board"
    rule: Literal["majority", "lowest"] = "majority"
    corners_px: tuple[Point, ...] = ()
    """The outline, clockwise; the first is the board's top left."""
    first_side_mm: float | None = None
    """Real length of the side from the first corner to the second."""
    circles: tuple[DraftCircle, ...] = ()
    borders: tuple[tuple[Point, ...], ...] = ()
    labels: tuple[AreaLabel, ...] = ()
    hole_depth_mm: float = 3.0


@dataclass(frozen=True, kw_only=True)
class DraftDisc:
    """One disc on the picture of all discs."""

    px: Point
    """Middle of its top face."""
    color: str
    number: int | None


@dataclass(frozen=True, kw_only=True)
class DiscsDraft:
    """What is on the picture of all discs."""

    height_mm: float | None = None
    diameter_mm: float | None = None
    """As the owner typed it, who may have a caliper; None to believe the picture."""
    seen_px: float | None = None
    """Diameter of a disc in the middle of the empty board's picture, as the discs' picture tells:
    in mm it follows the board's length."""
    numbers: tuple[int, ...] = (1, 2, 3, 4, 5)
    discs: tuple[DraftDisc, ...] = ()
    each_once: bool = True


@dataclass(frozen=True, kw_only=True)
class Draft:
    """All answers of one calibration."""

    lens_views: tuple[str, ...] = ()
    """Names of the pictures of the lens target that count."""
    lens_skipped: bool = False
    empty_picture: str | None = None
    discs_picture: str | None = None
    board: BoardDraft = field(default_factory=BoardDraft)
    discs: DiscsDraft = field(default_factory=DiscsDraft)
