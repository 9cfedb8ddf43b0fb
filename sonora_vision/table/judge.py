"""A disc that a person put on the picture: what the rules make of it there.

A hand-placed disc is its owner's word: nothing is doubted that they said. What the rules leave
open at that place (an exact half, two circles) stays open, and what a photograph left in doubt
about a place that nobody moved or confirmed stays in doubt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import shapely
from scipy.optimize import brentq

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.rectified import face_height_mm
from sonora_vision.detect.annotate.regions import Boundary, deciding_boundary
from sonora_vision.detect.contact import measure_contacts, surroundings
from sonora_vision.errors import RuleError
from sonora_vision.observation import Disc, DoubtReason, Point, Reading, State
from sonora_vision.ruling import margin_mm
from sonora_vision.score.sonora.assign import LAUNCH_SHARE, assign

AROUND_MM = 60.0
"""How far beside the board a disc may be put: where one lies that fell off hardly matters."""
_SAME_MM = 0.0011
"""A place is written to a micrometer; one nearer than this is the same one."""
_OF_THE_PLACE: tuple[DoubtReason, ...] = ("zone", "multiplier", "hidden")


@dataclass(frozen=True, kw_only=True)
class Put:
    """What a person says of a disc."""

    color: str
    number: int | None
    """None on a board with plain discs."""
    center_mm: Point
    state: State = "flat"
    checked: bool = False
    """Whether they looked at the place and found it right, though they did not move it."""


def judge(put: Put, board: BoardSpec, before: Disc | None = None) -> Disc:
    """Rule on a disc where a person put it.

    Parameters
    ----------
    put : Put
        What they say.
    board : BoardSpec
        The board.
    before : Disc, optional
        The disc as it was until now; None for one that is added.

    Returns
    -------
    Disc
        With contact, margin and sections. ``sigma_mm`` is 0, ``p`` is 1 and there is no doubt,
        except about a place that is still the camera's.

    Raises
    ------
    RuleError
        If there is no such disc, or the place is far from the board.
    """
    _check(put, board)
    state = _state(put, board)
    kept = before is not None and math.dist(put.center_mm, before.center_mm) < _SAME_MM
    if before is not None and kept and before.state == state and not put.checked:
        # What was ruled there stands; only who it is may be another.
        doubts = _of_the_place(before)
        p = before.p if doubts else 1.0
        return replace(before, color=put.color, number=put.number, doubts=doubts, p=p)
    (contact,) = measure_contacts(np.array([put.center_mm]), [state], board)
    call = assign(contact, board.rule)
    decided = state not in ("off_board", "in_hole")
    center = np.array(put.center_mm)
    disc = Disc(
        color=put.color,
        number=put.number,
        center_mm=put.center_mm,
        sigma_mm=0.0,
        top_px=(0.0, 0.0) if before is None else before.top_px,
        state=state,
        via=call.via,
        sections=call.sections,
        margin_mm=margin_mm(center, contact, call, board) if decided else None,
        p=1.0,
        contact=contact,
    )
    if before is None or not kept or put.checked or not decided or not _of_the_place(before):
        return disc
    sections = tuple(dict.fromkeys((*call.sections, *before.sections)))
    doubts = _of_the_place(before)
    return replace(disc, sections=sections, doubts=doubts, p=before.p, sigma_mm=before.sigma_mm)


def onto_the_line(disc: Disc, board: BoardSpec) -> Point | None:
    """Return the nearest place at which a disc just meets what decides about it.

    A hand cannot put a disc exactly on a line; this is where a circle's edge is just touched, or
    where two sections hold equal parts of the disc.

    Returns
    -------
    tuple of float or None
        Board mm; None where neither a circle nor a border decides by area within the disc's reach.
    """
    boundary, radius = deciding_boundary(board, disc), board.discs.radius_mm
    if boundary is None or math.dist(boundary.far_mm, disc.center_mm) > 2 * radius:
        return None
    x, y = disc.center_mm
    if boundary.kind == "circle":
        part = boundary.gap_mm / radius
        return x + (boundary.near_mm[0] - x) * part, y + (boundary.near_mm[1] - y) * part
    if boundary.kind != "border":
        return None
    dx, dy = _toward(boundary, disc.center_mm)

    def ahead(along_mm: float) -> float:
        center = np.array([[x + dx * along_mm, y + dy * along_mm]])
        (contact,) = measure_contacts(center, ["flat"], board)
        shares: dict[str, float] = {}
        for zone in contact.zones:
            shares[zone.section] = shares.get(zone.section, 0.0) + zone.share
        other = shares.pop(boundary.name, 0.0)
        return max(shares.values(), default=0.0) - other

    low, high = boundary.gap_mm - radius, boundary.gap_mm + radius
    if ahead(low) * ahead(high) >= 0:
        return None
    along = float(brentq(ahead, low, high, xtol=1e-12))
    return x + dx * along, y + dy * along


def top_px(
    reading: Reading, board: BoardSpec, disc: Disc, camera_mm: tuple[float, float, float] | None
) -> Point:
    """Return where a disc's face is in the photograph, as far as the board's corners tell.

    The lens's curvature between the corners is left out: some pixels, enough to point at a disc.

    Parameters
    ----------
    camera_mm : tuple of float or None
        Where the camera was, board frame, height last; None to leave the disc's height out.
    """
    x, y = disc.center_mm
    height = face_height_mm(board, disc) or 0.0
    if camera_mm is not None:
        stretch = camera_mm[2] / (camera_mm[2] - height)
        x = camera_mm[0] + (x - camera_mm[0]) * stretch
        y = camera_mm[1] + (y - camera_mm[1]) * stretch
    corners = np.array(reading.pose.corners_px, np.float64)
    plane, _ = cv2.findHomography(np.array(board.outline_mm, np.float64), corners)
    if plane is None:
        return disc.top_px
    u, v, w = np.asarray(plane, np.float64) @ np.array([x, y, 1.0])
    return float(u / w), float(v / w)


def _check(put: Put, board: BoardSpec) -> None:
    discs = board.discs
    if put.color not in discs.colors:
        raise RuleError(f"color: expected one of {', '.join(discs.colors)}, got {put.color!r}")
    if put.number is None and discs.numbers:
        raise RuleError("number: say which number is on the disc")
    if put.number is not None and put.number not in discs.numbers:
        numbers = ", ".join(str(n) for n in discs.numbers) or "none"
        raise RuleError(f"number: expected one of {numbers}, got {put.number}")
    if not all(math.isfinite(value) for value in put.center_mm):
        raise RuleError("place: expected two numbers of mm")
    if _outline(board).distance(shapely.Point(put.center_mm)) > AROUND_MM:
        x, y = put.center_mm
        raise RuleError(
            f"place: expected one on the board or at most {AROUND_MM:.0f} mm beside it, "
            f"got {x:.0f}, {y:.0f} mm"
        )


def _state(put: Put, board: BoardSpec) -> State:
    """How the disc lies: the place tells, except for what only an eye can."""
    if put.state == "off_board":
        return "off_board"
    there = surroundings(np.array(put.center_mm), board)
    if not there.on_board:
        return "off_board"
    if put.state in ("standing", "stacked"):
        return put.state
    if there.hole_slack_mm is not None and there.hole_slack_mm >= 0:
        return "in_hole"
    return "launch_corner" if there.launch_share > LAUNCH_SHARE else "flat"


def _of_the_place(disc: Disc) -> tuple[DoubtReason, ...]:
    return tuple(reason for reason in disc.doubts if reason in _OF_THE_PLACE)


def _toward(boundary: Boundary, center_mm: Point) -> Point:
    """Return the direction from a disc's center to its border; across it from a center on it."""
    away = math.dist(center_mm, boundary.far_mm)
    if away > 1e-6:
        (x, y), (to_x, to_y) = center_mm, boundary.far_mm
        return (to_x - x) / away, (to_y - y) / away
    return _across(boundary)


def _across(boundary: Boundary) -> Point:
    """Return the direction across a boundary on which the disc's center lies."""
    line, at = boundary.line, shapely.Point(boundary.far_mm)
    piece = min(shapely.get_parts(shapely.line_merge(line)), key=lambda part: part.distance(at))
    along = piece.project(at)
    a, b = piece.interpolate(max(0.0, along - 0.1)), piece.interpolate(along + 0.1)
    length = a.distance(b) or 1.0
    return (a.y - b.y) / length, (b.x - a.x) / length


@lru_cache(maxsize=4)
def _outline(board: BoardSpec) -> shapely.Polygon:
    return shapely.Polygon(board.outline_mm)
