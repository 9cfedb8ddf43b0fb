"""What the rules make of a disc whose place is known to within a sigma.

This is where measuring and ruling meet: the rules (a function from contact to assignment) are
asked about the measured place and about places around it. How far the call is from changing and
how probable it is come out; nothing here knows what the rules are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.contact import measure_contacts
from sonora_vision.geometry import edge_distance_mm
from sonora_vision.observation import Assignment, Contact, State

FloatArray = NDArray[np.float64]
Assign = Callable[[Contact, str], Assignment]

FAR_SIGMAS = 4.0
"""A call farther than this from changing is not tried around: it holds in 30,000 of 30,001."""
_RINGS = (0.6, 1.2, 1.8, 2.5)
_SECTORS = 12


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """The call on one disc."""

    contact: Contact
    assignment: Assignment
    margin_mm: float | None
    """How far the disc would have to move for the call to change; None where no border counts."""
    p: float
    """Probability that the call is right."""
    others: tuple[Assignment, ...]
    """Other calls within reach of the uncertainty, most probable first."""


def rule_on(
    centers_mm: FloatArray,
    sigmas_mm: list[float],
    states: list[State],
    board: BoardSpec,
    assign: Assign,
) -> list[Ruling]:
    """Rule on all discs of a reading.

    Parameters
    ----------
    centers_mm
        Footprints, shape (n, 2), board frame.
    sigmas_mm
        One-sigma uncertainty of each coordinate, one a disc.
    states, board
        As measured, as described.
    assign
        The game's rules.

    Returns
    -------
    list of Ruling
        In the order of the discs.
    """
    contacts = measure_contacts(centers_mm, states, board)
    return [
        _rule(center, sigma, contact, board, assign)
        for center, sigma, contact in zip(centers_mm, sigmas_mm, contacts, strict=True)
    ]


def _rule(
    center: FloatArray, sigma: float, contact: Contact, board: BoardSpec, assign: Assign
) -> Ruling:
    call = assign(contact, board.rule)
    margin = (
        None
        if contact.state in ("off_board", "in_hole")
        else margin_mm(center, contact, call, board)
    )
    if margin is None:
        return Ruling(contact=contact, assignment=call, margin_mm=None, p=1.0, others=())
    if margin > FAR_SIGMAS * sigma:
        return Ruling(contact=contact, assignment=call, margin_mm=margin, p=1.0, others=())
    p = float(ndtr(margin / sigma))
    others = _others(center, sigma, contact.state, call, board, assign)
    if not others:
        p = max(p, 0.97)  # the linear margin was too strict: no place tried changes the call
    return Ruling(contact=contact, assignment=call, margin_mm=margin, p=p, others=others)


def margin_mm(center: FloatArray, contact: Contact, call: Assignment, board: BoardSpec) -> float:
    """Return the distance to the nearest change of the call, millimetres.

    Touching: the gap itself. The lowest zone: as far as to touch a lower one, or to leave this
    one. Zones by majority: the border moves across the disc's diameter, so
    the difference of the two largest shares times pi r / 4 (exact for a straight border through
    the middle, and a lower bound that does not grow beyond a whole zone).
    """
    radius = board.discs.radius_mm
    gaps = [each.gap_mm for each in contact.multipliers]
    if call.via == "multiplier":
        touched = sorted(-gap for gap in gaps if gap <= 0)
        others = [
            gap
            for gap, m in zip(gaps, contact.multipliers, strict=True)
            if gap > 0 and m.section not in call.sections
        ]
        leave = touched[-1] if len(call.sections) == 1 else touched[0]
        return max(0.0, min([leave, *others]))
    if board.rule == "lowest":
        return max(0.0, min([_lowest_margin_mm(center, board), *(gap for gap in gaps if gap > 0)]))
    shares: dict[str, float] = {}
    for zone in contact.zones:
        shares[zone.section] = shares.get(zone.section, 0.0) + zone.share
    shares["(raised)"] = contact.launch_share
    first, second = sorted([*shares.values(), 0.0, 0.0], reverse=True)[:2]
    return max(0.0, min([(first - second) * np.pi * radius / 4, *(gap for gap in gaps if gap > 0)]))


def _lowest_margin_mm(center: FloatArray, board: BoardSpec) -> float:
    """How far a disc is from touching a lower zone, or from leaving the lowest that it touches."""
    gaps = [
        (zone.value or 0, float(edge_distance_mm(zone.shape, center)) - board.discs.radius_mm)
        for zone in board.zones
    ]
    lowest = min((value for value, gap in gaps if gap < 0), default=np.inf)
    leave = max((-gap for value, gap in gaps if gap < 0 and value == lowest), default=np.inf)
    return min([leave, *(gap for value, gap in gaps if value < lowest)])


def _others(
    center: FloatArray,
    sigma: float,
    state: State,
    call: Assignment,
    board: BoardSpec,
    assign: Assign,
) -> tuple[Assignment, ...]:
    """Ask the rules around the place, each ring weighted as a normal spread would reach it."""
    angles = np.arange(_SECTORS) * 2 * np.pi / _SECTORS
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    places = np.vstack([center + ring * sigma * circle for ring in _RINGS])
    weights = np.repeat([ring * np.exp(-(ring**2) / 2) for ring in _RINGS], _SECTORS)
    heard: dict[Assignment, float] = {}
    contacts = measure_contacts(places, [state] * len(places), board)
    for contact, weight in zip(contacts, weights, strict=True):
        other = assign(contact, board.rule)
        heard[other] = heard.get(other, 0.0) + float(weight)
    heard.pop(call, None)
    return tuple(sorted(heard, key=lambda each: -heard[each]))
