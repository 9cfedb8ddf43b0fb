"""Two readings of one untouched board: where they differ, the reading is in doubt."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from sonora_vision.observation import Disc, DoubtReason, Reading

SAME_PLACE_MM = 5.0
"""Two sightings nearer than this are one disc: centres of two discs cannot come so near."""


def confirmed(first: Reading, second: Reading) -> Reading:
    """Put in doubt what two readings of an untouched board do not agree on.

    Parameters
    ----------
    first, second : Reading
        In any order; the first one's measurements are kept.

    Returns
    -------
    Reading
        The first, with the doubts of both and those of their differences; a disc that only one
        of them has is kept and doubted as hidden.
    """
    partners = _partners(first.discs, second.discs)
    discs = [_agreed(disc, partners.get(index)) for index, disc in enumerate(first.discs)]
    taken = {id(partner) for partner in partners.values()}
    for disc in second.discs:
        if id(disc) not in taken:
            discs.append(_doubted(disc, ("hidden",)))
    known = {(disc.color, disc.number) for disc in discs}
    missing = tuple(m for m in first.missing if (m.color, m.number) not in known)
    return replace(first, discs=tuple(discs), missing=missing)


def place_pairs(before: Iterable[Disc], after: Iterable[Disc]) -> list[tuple[int, int, float]]:
    """Pair discs of two readings that lie in one place.

    Returns
    -------
    list of tuple
        Index in the one, index in the other, distance in mm; nearest pairs first, each disc once.
    """
    candidates = sorted(
        (math.dist(a.center_mm, b.center_mm), i, j)
        for i, a in enumerate(before)
        for j, b in enumerate(after)
    )
    pairs: list[tuple[int, int, float]] = []
    left, right = set[int](), set[int]()
    for distance_mm, i, j in candidates:
        if distance_mm < SAME_PLACE_MM and i not in left and j not in right:
            pairs.append((i, j, distance_mm))
            left.add(i)
            right.add(j)
    return pairs


def _partners(first: tuple[Disc, ...], second: tuple[Disc, ...]) -> dict[int, Disc]:
    """Find each disc's other sighting, by its place: nothing has moved."""
    return {i: second[j] for i, j, _ in place_pairs(first, second)}


def _agreed(disc: Disc, other: Disc | None) -> Disc:
    if other is None:
        return _doubted(disc, ("hidden",))
    reasons: list[DoubtReason] = list(other.doubts)
    if disc.color != other.color:
        reasons.append("color")
    if disc.number != other.number:
        reasons.append("number")
    if disc.state != other.state:
        reasons.append("state")
    if set(disc.sections) != set(other.sections):
        reasons.append("multiplier" if "multiplier" in (disc.via, other.via) else "zone")
    return _doubted(disc, tuple(reasons)) if reasons else disc


def _doubted(disc: Disc, reasons: tuple[DoubtReason, ...]) -> Disc:
    """Add doubts; what the two readings disagree on is at best even."""
    new = tuple(dict.fromkeys(r for r in reasons if r not in disc.doubts))
    return replace(disc, doubts=disc.doubts + new, p=min(disc.p, 0.5)) if new else disc
