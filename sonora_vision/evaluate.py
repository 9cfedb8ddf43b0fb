"""How good readings are, measured against what really lay on the board.

Terms
-----
seen
    A disc on the board, at least 35 % of its top face visible, not standing on edge.
found
    A seen disc that a read disc lies on, within 0.8 of its radius in the image.
silent error
    A promise (no doubts) with a wrong color, number or section, a promised disc that is not
    there, or a disc neither read nor listed as missing. The worst that a reading can do.
needless doubt
    A doubted disc, among the seen ones that lie clear of every boundary by 1 mm.
exact, safe
    A photograph with every disc right and none in doubt; one without a silent error.

A section called wrongly within 0.5 mm of the boundary is no error: that near, nobody can tell.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sonora_vision.observation import Disc, Reading
from sonora_vision.truth_file import TrueDisc, Truth

MATCH_RADII = 0.8
"""How far from the true disc's center a read disc may lie, in radii of the true disc."""
SEEN_SHARE = 0.35
"""Part of the top face that must be visible for a disc to count as seen."""
STRICT_MM = 0.5
"""Nearer to a boundary than this, either side of it is right."""
CLEAR_MM = 1.0
"""Farther from every boundary than this, a doubt is needless."""
LEAST_SIGMA_MM = 1e-3
"""A reading that was edited by hand may tell a sigma of 0."""
SURE = 0.99
"""Probability from which a call is a sure one."""


@dataclass(frozen=True, kw_only=True)
class DiscResult:
    """One true disc and what was made of it."""

    truth: TrueDisc
    seen: bool
    read: Disc | None
    """The read disc that lies on it, if any."""
    color_right: bool = False
    number_right: bool = False
    section_right: bool = False
    silent: bool = False
    """Whether this is a silent error."""

    @property
    def right(self) -> bool:
        """Whether color, number and section are all right."""
        return self.color_right and self.number_right and self.section_right

    @property
    def error_mm(self) -> float | None:
        """Distance between the read and the true center of the footprint."""
        if self.read is None:
            return None
        return math.dist(self.read.center_mm, self.truth.center_mm)

    @property
    def clear(self) -> bool:
        """Whether it lies clear of every boundary, so that a doubt is needless."""
        in_hole = self.truth.state == "in_hole"
        return self.read is not None and (in_hole or (self.truth.margin_mm or 0.0) >= CLEAR_MM)


@dataclass(frozen=True, kw_only=True)
class PhotoResult:
    """One photograph's discs, and the read ones that are not there."""

    stem: str
    read: bool
    """Whether there is a reading of it at all."""
    discs: tuple[DiscResult, ...]
    phantoms: tuple[Disc, ...] = ()

    @property
    def silent_errors(self) -> int:
        """Number of silent errors."""
        discs = sum(disc.silent for disc in self.discs)
        return discs + sum(not phantom.doubts for phantom in self.phantoms)

    @property
    def safe(self) -> bool:
        """Whether there is no silent error."""
        return self.silent_errors == 0

    @property
    def exact(self) -> bool:
        """Whether every disc is right and none is in doubt, but for hairline cases."""
        return self.read and self.safe and not self.phantoms and all(map(_is_exact, self.discs))


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of a run; counts are of discs unless they name photographs."""

    photos: int
    unread: int
    exact: int
    safe: int
    seen: int
    found: int
    color: int
    number: int
    section: int
    wrong: int
    clear: int
    doubted: int
    center_median_mm: float | None
    center_p95_mm: float | None
    sure: int
    sure_right: int
    brier: float | None
    """Mean squared difference between the stated probability and what came true; 0 is best."""


def judge_photo(truth: Truth, reading: Reading | None, *, stem: str) -> PhotoResult:
    """Compare one reading with the truth.

    Parameters
    ----------
    truth : Truth
        What really lay on the board.
    reading : Reading or None
        What was read; None where the photograph could not be read.
    stem : str
        The photograph's name, without its ending.
    """
    if reading is None:
        unread = (DiscResult(truth=disc, seen=_is_seen(disc), read=None) for disc in truth.discs)
        return PhotoResult(stem=stem, read=False, discs=tuple(unread))
    matches = _match(truth.discs, reading.discs)
    missing = {(disc.color, disc.number) for disc in reading.missing}
    results = []
    for index, disc in enumerate(truth.discs):
        if index in matches:
            results.append(_judge(disc, reading.discs[matches[index]]))
        else:
            lost = (disc.color, disc.number) not in missing
            results.append(DiscResult(truth=disc, seen=_is_seen(disc), read=None, silent=lost))
    matched = set(matches.values())
    phantoms = (disc for index, disc in enumerate(reading.discs) if index not in matched)
    return PhotoResult(stem=stem, read=True, discs=tuple(results), phantoms=tuple(phantoms))


def figures(photos: Sequence[PhotoResult]) -> Figures:
    """Sum up the results of a run."""
    discs = [disc for photo in photos for disc in photo.discs]
    found = [disc for disc in discs if disc.seen and disc.read is not None]
    errors_mm = sorted(disc.error_mm for disc in found if disc.error_mm is not None)
    calls = calls_of(photos)
    sure = [right for p, right in calls if p >= SURE]
    return Figures(
        photos=len(photos),
        unread=sum(not photo.read for photo in photos),
        exact=sum(photo.exact for photo in photos),
        safe=sum(photo.safe for photo in photos),
        seen=sum(disc.seen for disc in discs),
        found=len(found),
        color=sum(disc.color_right for disc in found),
        number=sum(disc.number_right for disc in found),
        section=sum(disc.section_right for disc in found),
        wrong=sum(photo.silent_errors for photo in photos),
        clear=sum(disc.clear for disc in found),
        doubted=sum(disc.clear and _is_doubted(disc) for disc in found),
        center_median_mm=_rounded(statistics.median(errors_mm) if errors_mm else None, 3),
        center_p95_mm=_rounded(_quantile95(errors_mm), 3),
        sure=len(sure),
        sure_right=sum(sure),
        brier=_rounded(_mean([(p - right) ** 2 for p, right in calls]), 4),
    )


def calls_of(photos: Iterable[PhotoResult]) -> list[tuple[float, bool]]:
    """Return every call: the probability that was stated, and whether all of it was right."""
    return [
        (disc.read.p, disc.right)
        for photo in photos
        for disc in photo.discs
        if disc.read is not None
    ]


@dataclass(frozen=True, kw_only=True)
class CenterErrors:
    """How far off the centers of some discs are."""

    found: int
    mean_mm: float
    z_rms: float
    """Root mean square of the errors along each axis in units of the sigma that was told: 1 where
    the uncertainty is honest, more where the reading is surer than it should be."""


def centers_by_state(photos: Iterable[PhotoResult]) -> dict[str, CenterErrors]:
    """Return how far off centers are by the disc's true state."""
    errors: dict[str, list[tuple[float, float]]] = {}
    for photo in photos:
        for disc in photo.discs:
            if disc.read is not None and disc.error_mm is not None:
                pair = (disc.error_mm, max(disc.read.sigma_mm, LEAST_SIGMA_MM))
                errors.setdefault(disc.truth.state, []).append(pair)
    return {
        state: CenterErrors(
            found=len(pairs),
            mean_mm=statistics.fmean(mm for mm, _ in pairs),
            z_rms=math.sqrt(statistics.fmean((mm / sigma) ** 2 / 2 for mm, sigma in pairs)),
        )
        for state, pairs in sorted(errors.items())
    }


def remarks(photo: PhotoResult) -> list[str]:
    """Say in words what is wrong with one photograph's reading."""
    if not photo.read:
        return ["not read"]
    lines = []
    for disc in photo.discs:
        name = f"{disc.truth.color} {disc.truth.number} ({disc.truth.state}"
        name += f", {100 * (disc.truth.visible or 0):.0f}% visible)"
        if disc.read is None:
            if disc.silent:
                lines.append(f"lost without a word: {name}")
            elif disc.seen:
                lines.append(f"reported missing: {name}")
        elif disc.silent:
            lines.append(
                f"wrong: {name} is {_call(disc.truth)}, margin {disc.truth.margin_mm} mm, "
                f"read as {disc.read.color} {disc.read.number} {_call(disc.read)}"
            )
    for phantom in photo.phantoms:
        if not phantom.doubts:
            x, y = phantom.top_px
            lines.append(f"not there: {phantom.color} {phantom.number} at {x:.0f}, {y:.0f} px")
    return lines


def _match(truth: Sequence[TrueDisc], read: Sequence[Disc]) -> Mapping[int, int]:
    """Pair true with read discs, nearest first, each once."""
    near = sorted(
        (distance_px, i, j)
        for i, true in enumerate(truth)
        for j, disc in enumerate(read)
        if (distance_px := math.dist(true.top_px, disc.top_px)) <= MATCH_RADII * true.radius_px
    )
    pairs: dict[int, int] = {}
    for _, i, j in near:
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _judge(truth: TrueDisc, read: Disc) -> DiscResult:
    sections_agree = sorted(read.sections) == sorted(truth.sections)
    via_agrees = read.via == truth.via or not truth.sections
    result = DiscResult(
        truth=truth,
        seen=_is_seen(truth),
        read=read,
        color_right=read.color == truth.color,
        number_right=read.number == truth.number,
        section_right=(sections_agree and via_agrees) or _is_hairline(truth),
    )
    return replace(result, silent=not result.right and not read.doubts)


def _is_seen(disc: TrueDisc) -> bool:
    on_board = disc.state in ("flat", "stacked", "in_hole")
    return on_board and (disc.visible or 0.0) >= SEEN_SHARE


def _is_hairline(disc: TrueDisc) -> bool:
    lying = disc.state in ("flat", "stacked")
    return lying and disc.margin_mm is not None and disc.margin_mm < STRICT_MM


def _is_doubted(disc: DiscResult) -> bool:
    return disc.read is not None and bool(disc.read.doubts)


def _is_exact(disc: DiscResult) -> bool:
    """Whether one disc leaves its photograph exact; only seen discs can spoil it."""
    if not disc.seen:
        return True
    return disc.right and (not _is_doubted(disc) or _is_hairline(disc.truth))


def _call(disc: Disc | TrueDisc) -> str:
    return f"{disc.via} {'/'.join(disc.sections) or '-'}"


def _quantile95(ordered: Sequence[float]) -> float | None:
    return ordered[int(0.95 * (len(ordered) - 1))] if ordered else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
