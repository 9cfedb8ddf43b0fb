"""What a flick did, from the readings before and after it, in the terms of the rules.

Every colour and number exists once, so discs are told apart by them. What cannot be told, a
number that changed without the disc having moved, say, is reported as unclear, never as a flick.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from sonora_vision.observation import Disc, Point, Pose, Reading
from sonora_vision.watch.agree import SAME_PLACE_MM, place_pairs

Kind = Literal["flicked", "moved", "in_hole", "left", "corner", "taken", "found", "unclear"]

LEAST_MOVE_MM = 2.0
"""Smaller shifts between two readings are not told from their noise."""
SIGMAS = 4.0


@dataclass(frozen=True, kw_only=True)
class Happening:
    """One thing that happened to one disc between two readings.

    Attributes
    ----------
    kind : str
        `flicked`: new on the board. `moved`: pushed by another. `in_hole`: a bullseye.
        `left`: off the board. `corner`: new on a launch corner, and still there. `taken`: a
        bullseye that its owner took off. `found`: seen again where it lay before a reading that
        missed it. `unclear`: the readings contradict each other.
    color, number : str, int or None
        Which disc.
    by_mm : float or None
        How far it moved; None where it was not on the board before or is not now.
    from_mm, to_mm : tuple of float or None
        Where it was and is, board frame.
    ask : str
        What its owner may or must do now; empty for nothing.
    """

    kind: Kind
    color: str
    number: int | None
    by_mm: float | None = None
    from_mm: Point | None = None
    to_mm: Point | None = None
    ask: str = ""


@dataclass(frozen=True, kw_only=True)
class FlickReport:
    """All that happened between two readings; several flicks where none was read in between.

    Attributes
    ----------
    happenings : tuple of Happening
        Flicked discs first.
    board : str
        How the board itself was moved or turned, in words; empty where it was not.
    cleared : bool
        True where every disc was taken off: a round's end.
    """

    happenings: tuple[Happening, ...] = ()
    board: str = ""
    cleared: bool = False

    @property
    def flicked(self) -> tuple[Happening, ...]:
        """The discs that were flicked, each once."""
        return tuple(h for h in self.happenings if h.kind == "flicked" or _straight_in(h))


def _straight_in(happening: Happening) -> bool:
    return happening.kind == "in_hole" and happening.from_mm is None


class FlickTracker:
    """Keeps the last reading of a session, and where the discs lay that are gone.

    A disc that one reading missed and the next finds where it lay was hidden, not flicked.
    """

    def __init__(self) -> None:
        self._before: Reading | None = None
        self._gone_mm: dict[tuple[str, int | None], Point] = {}

    def report(self, after: Reading) -> FlickReport:
        """Say what happened since the last reading.

        Parameters
        ----------
        after : Reading
            The first one of a session is reported as empty: its discs count as known.

        Returns
        -------
        FlickReport
        """
        report = compare_readings(self._before, after)
        self._before = after
        happenings = tuple(self._seen_again(h) for h in report.happenings)
        for happening in happenings:
            if happening.kind == "left" and happening.from_mm is not None:
                self._gone_mm[happening.color, happening.number] = happening.from_mm
            else:
                self._gone_mm.pop((happening.color, happening.number), None)
        if report.cleared:
            self._gone_mm.clear()
        return replace(report, happenings=happenings)

    def _seen_again(self, happening: Happening) -> Happening:
        was_mm = self._gone_mm.get((happening.color, happening.number))
        if happening.kind != "flicked" or was_mm is None or happening.to_mm is None:
            return happening
        if math.dist(was_mm, happening.to_mm) >= SAME_PLACE_MM:
            return happening
        return replace(happening, kind="found", from_mm=was_mm, by_mm=0.0)


def compare_readings(before: Reading | None, after: Reading) -> FlickReport:
    """Say what happened between two readings of one board.

    Parameters
    ----------
    before : Reading or None
        None for the first reading of a session: then every disc counts as known.
    after : Reading

    Returns
    -------
    FlickReport
    """
    if before is None:
        return FlickReport()
    board = board_motion(before.pose, after.pose)
    played, now_played = _on_table(before), _on_table(after)
    if played and not now_played:
        return FlickReport(board=board, cleared=True)
    order = ("flicked", "in_hole", "corner", "moved", "left", "taken", "found", "unclear")
    happenings = sorted(_happenings(played, now_played), key=lambda h: order.index(h.kind))
    return FlickReport(happenings=_with_reflicks(happenings), board=board)


def board_motion(before: Pose, after: Pose) -> str:
    """Say how the board lies otherwise in the picture; empty where it does not."""
    turn = (after.turn_deg - before.turn_deg + 180.0) % 360.0 - 180.0
    if abs(turn) > 45.0:
        return f"board turned by {round(abs(turn) / 90.0) * 90} degrees" + (
            " clockwise" if turn > 0 else " anticlockwise" if abs(turn) < 135 else ""
        )
    shifts = [math.dist(a, b) for a, b in zip(before.corners_px, after.corners_px, strict=False)]
    side_px = math.dist(after.corners_px[0], after.corners_px[1])
    if max(shifts, default=0.0) > 0.01 * side_px or abs(turn) > 1.0:
        return (
            f"board pushed by {max(shifts) / side_px:.0%} of its side, turned {turn:+.0f} degrees"
        )
    return ""


def _on_table(reading: Reading) -> list[Disc]:
    """Discs that take part: those beside the board are as good as away."""
    return [disc for disc in reading.discs if disc.state != "off_board"]


def _happenings(before: list[Disc], after: list[Disc]) -> Iterator[Happening]:
    known = {(d.color, d.number): d for d in before if d.number is not None}
    gone, new = dict(known), []
    for disc in after:
        old = gone.pop((disc.color, disc.number), None) if disc.number is not None else None
        if old is None:
            new.append(disc)
        else:
            yield from _same_disc(old, disc)
    lost = [*gone.values(), *(d for d in before if d.number is None)]
    # a disc that stayed in its place under another name is a misreading, not two events
    stayed = place_pairs(lost, new)
    for i, j, _ in stayed:
        if (lost[i].color, lost[i].number) != (new[j].color, new[j].number):
            yield _renamed(lost[i], new[j])
    lost = [d for i, d in enumerate(lost) if i not in {i for i, _, _ in stayed}]
    new = [d for j, d in enumerate(new) if j not in {j for _, j, _ in stayed}]
    yield from (_arrived(disc, lost) for disc in new)
    for old in lost:
        if old.number is not None or not any(d.color == old.color for d in new):
            yield _gone(old)


def _renamed(old: Disc, disc: Disc) -> Happening:
    return Happening(
        kind="unclear",
        color=disc.color,
        number=disc.number,
        from_mm=old.center_mm,
        to_mm=disc.center_mm,
        ask=f"was read as {_name(old)} before: which is it?",
    )


def _same_disc(old: Disc, disc: Disc) -> Iterator[Happening]:
    by_mm = math.dist(old.center_mm, disc.center_mm)
    least = max(LEAST_MOVE_MM, SIGMAS * math.hypot(old.sigma_mm, disc.sigma_mm))
    if disc.state == "in_hole" and old.state != "in_hole":
        yield _bullseye(disc, old.center_mm, by_mm)
    elif by_mm >= least:
        left_corner = old.state == "launch_corner" and disc.state != "launch_corner"
        yield Happening(
            kind="flicked" if left_corner else "moved",
            color=disc.color,
            number=disc.number,
            by_mm=by_mm,
            from_mm=old.center_mm,
            to_mm=disc.center_mm,
            ask="has not left its launch corner: may be flicked again"
            if disc.state == "launch_corner"
            else "",
        )


def _arrived(disc: Disc, lost: list[Disc]) -> Happening:
    """Report a disc that was not there; one without a number may be one that moved."""
    if disc.state == "in_hole":
        return _bullseye(disc, None, None)
    if disc.number is None and any(old.color == disc.color for old in lost):
        ask = "its number cannot be read: which one is it?"
        return Happening(
            kind="unclear", color=disc.color, number=None, to_mm=disc.center_mm, ask=ask
        )
    in_corner = disc.state == "launch_corner"
    return Happening(
        kind="corner" if in_corner else "flicked",
        color=disc.color,
        number=disc.number,
        to_mm=disc.center_mm,
        ask="has not left its launch corner: may be flicked again" if in_corner else "",
    )


def _bullseye(disc: Disc, from_mm: Point | None, by_mm: float | None) -> Happening:
    return Happening(
        kind="in_hole",
        color=disc.color,
        number=disc.number,
        by_mm=by_mm,
        from_mm=from_mm,
        to_mm=disc.center_mm,
        ask=f"bullseye: {disc.color} takes it off and puts it on a section of their sheet",
    )


def _gone(old: Disc) -> Happening:
    return Happening(
        kind="taken" if old.state == "in_hole" else "left",
        color=old.color,
        number=old.number,
        from_mm=old.center_mm,
    )


def _with_reflicks(happenings: list[Happening]) -> tuple[Happening, ...]:
    """Say of each disc that left whether its owner flicks it again: someone else's flick did it."""
    flickers = {h.color for h in happenings if h.kind == "flicked" or _straight_in(h)}
    return tuple(
        replace(h, ask=_ask_of_left(h.color, flickers)) if h.kind == "left" else h
        for h in happenings
    )


def _ask_of_left(color: str, flickers: set[str]) -> str:
    if flickers == {color}:
        return "knocked off by its owner: not scored, unless a reflick bonus is used"
    if flickers and color not in flickers:
        return f"knocked off by another: {color} reflicks it now"
    return f"if another's flick knocked it off, {color} reflicks it; an own flick does not score"


def _name(disc: Disc) -> str:
    return f"{disc.color} {'?' if disc.number is None else disc.number}"
