"""What crosses the border between seeing and judging: discs, contacts, readings.

Frozen values, no arrays, no pixels' colours. ``detect`` makes them, ``score`` rules on them, and
a :class:`Reading` is the document that the command line writes and the page shows.
Frames of reference: ``*_mm`` is the board frame (origin at the outline's first corner in its
reference orientation, x right, y down), ``*_px`` the image (EXIF orientation applied).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Point = tuple[float, float]
State = Literal["flat", "standing", "stacked", "in_hole", "launch_corner", "off_board"]
Via = Literal["zone", "multiplier", "hole", "none"]
DoubtReason = Literal["color", "number", "zone", "multiplier", "state", "hidden"]

STATES: tuple[State, ...] = get_args(State)
VIAS: tuple[Via, ...] = get_args(Via)
DOUBT_REASONS: tuple[DoubtReason, ...] = get_args(DoubtReason)


@dataclass(frozen=True, kw_only=True)
class ZoneShare:
    """How much of a disc's footprint lies in one zone of the board."""

    section: str
    share: float
    """Part of the footprint's area, 0 to 1."""
    value: int | None = None
    """The zone's value on boards where a line belongs to the lower zone; else None."""


@dataclass(frozen=True, kw_only=True)
class MultiplierGap:
    """Distance between a disc's edge and a multiplier circle's outer edge."""

    section: str
    animal: str
    gap_mm: float
    """Negative where they overlap, 0 where they just meet."""


@dataclass(frozen=True, kw_only=True)
class Contact:
    """What one disc's footprint touches on the board: measured, not ruled."""

    state: State
    zones: tuple[ZoneShare, ...]
    multipliers: tuple[MultiplierGap, ...]
    launch_share: float = 0.0
    """Part of the footprint's area on raised launch corners, 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """What the rules make of one contact.

    ``sections`` has one entry for a settled disc, several where the rules leave a choice, none
    where it is not scored.
    """

    via: Via
    sections: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Disc:
    """One disc of a reading, measured and ruled; see the reading's format for the meanings."""

    color: str
    number: int | None
    center_mm: Point
    sigma_mm: float
    top_px: Point
    state: State
    via: Via
    sections: tuple[str, ...]
    margin_mm: float | None
    p: float
    doubts: tuple[DoubtReason, ...] = ()
    contact: Contact | None = None
    """What was measured, for the picture and the page; not needed to allocate."""


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A disc of the inventory that was not seen."""

    color: str
    number: int | None


@dataclass(frozen=True, kw_only=True)
class Pose:
    """Where the board lies in the image."""

    corners_px: tuple[Point, ...]
    turn_deg: float
    """Clockwise as seen in the image, from the teaching photo, 0 up to 360."""
    fit_px: float
    """Root mean square residual of the printed features that the pose was fitted to."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """What a reading was made from: files by their SHA-256, in hexadecimal."""

    photo: str
    profile: str
    game: str


@dataclass(frozen=True, kw_only=True)
class Reading:
    """All that was read from one photograph."""

    image: str
    board: str
    pose: Pose
    discs: tuple[Disc, ...]
    missing: tuple[Missing, ...] = ()
    warnings: tuple[str, ...] = ()
    origin: Origin | None = None
    """None where it was not read from a file."""
