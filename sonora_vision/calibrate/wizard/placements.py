"""The check at the end: discs put where the board shows it, and how far the reading is off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.geometry import Point
from sonora_vision.observation import Reading

Verdict = Literal["good", "usable", "poor"]

GOOD_MM, USABLE_MM = 1.0, 2.0
"""A person centres a disc on a circle to about half a millimetre; what is beyond is the rig's."""
ELSEWHERE = 1.5
"""A disc farther off than so many radii was put somewhere else; no rig errs like that."""
COUNT = 3


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Where a disc is to be put."""

    color: str
    number: int | None
    at_mm: Point
    words: str


@dataclass(frozen=True, kw_only=True)
class Measured:
    """How far a placed disc was read from where it was put."""

    placement: Placement
    error_mm: float | None
    """None where it was not seen."""


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """What the check says."""

    measured: tuple[Measured, ...]
    verdict: Verdict
    words: str


def choose_placements(board: BoardSpec) -> tuple[Placement, ...]:
    """Choose three places that a person can hit exactly, far from each other.

    Printed circles, where there are three; else the board's corners, into which a disc is pushed.
    """
    targets: list[tuple[Point, str]] = [
        (m.center_mm, f"exactly over the {m.animal} circle of {m.section}")
        for m in board.multipliers
    ]
    if len(targets) < COUNT:
        targets = _corner_targets(board)
    discs = [(c, n) for n in board.discs.numbers or (None,) for c in board.discs.colors]
    chosen = _far_apart(targets)
    return tuple(
        Placement(color=color, number=number, at_mm=at, words=words)
        for (at, words), (color, number) in zip(chosen, discs * COUNT, strict=False)
    )


def _corner_targets(board: BoardSpec) -> list[tuple[Point, str]]:
    xs, ys = ([p[k] for p in board.outline_mm] for k in (0, 1))
    r = board.discs.radius_mm
    middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return [
        ((middle_x, min(ys) + r), "flush with the middle of the top edge"),
        ((max(xs) - r, middle_y), "flush with the middle of the right edge"),
        ((middle_x, max(ys) - r), "flush with the middle of the bottom edge"),
        ((min(xs) + r, middle_y), "flush with the middle of the left edge"),
    ]


def _far_apart(targets: Sequence[tuple[Point, str]]) -> list[tuple[Point, str]]:
    """Three of the targets: the first, then each time the one farthest from those chosen."""
    chosen = [min(targets, key=lambda t: t[0][0] + t[0][1])]
    while len(chosen) < min(COUNT, len(targets)):
        chosen.append(max(targets, key=lambda t: min(math.dist(t[0], c[0]) for c in chosen)))
    return chosen


def measure_placements(
    placements: Sequence[Placement], reading: Reading, disc_radius_mm: float
) -> CheckResult:
    """Compare a reading with where the discs were put."""
    measured = []
    for placement in placements:
        seen = [
            disc
            for disc in reading.discs
            if disc.color == placement.color and disc.number == placement.number
        ]
        apart = [math.dist(disc.center_mm, placement.at_mm) for disc in seen]
        measured.append(Measured(placement=placement, error_mm=min(apart) if apart else None))
    errors = [m.error_mm for m in measured if m.error_mm is not None]
    worst = max(errors, default=math.inf)
    if len(errors) < len(measured):
        return CheckResult(
            measured=tuple(measured),
            verdict="poor",
            words="not every disc was seen where it should be: put all three, and take the "
            "picture again",
        )
    if worst > ELSEWHERE * disc_radius_mm:
        return CheckResult(
            measured=tuple(measured),
            verdict="poor",
            words="not every disc lies where it is asked for: put all three there, and take the "
            "picture again",
        )
    if worst <= GOOD_MM:
        verdict: Verdict = "good"
        words = "this profile reads the board well"
    elif worst <= USABLE_MM:
        verdict = "usable"
        words = "usable: discs near a border will be asked about more often than need be"
    else:
        verdict = "poor"
        words = (
            "poor: check the typed length, the corners and the discs' height, then make it again"
        )
    return CheckResult(measured=tuple(measured), verdict=verdict, words=words)
