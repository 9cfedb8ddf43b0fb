"""From a reading to what each player records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sonora_vision.errors import UsageError
from sonora_vision.observation import DoubtReason, Via
from sonora_vision.score.allocation import (
    Allocation,
    CanyonDisc,
    ChoiceWhy,
    CreekDisc,
    OpenChoice,
    OpenDoubt,
    Placed,
    PlayerAllocation,
    Sum,
    Table,
    Unscored,
    ValuedDisc,
)
from sonora_vision.score.sonora.rules import rules

_WHY: Mapping[Via, ChoiceWhy] = {"zone": "half", "hole": "hole", "multiplier": "two_multipliers"}


def allocate(
    table: Table, order: Sequence[str], *, names: Mapping[str, str] | None = None
) -> Allocation:
    """Give every settled disc to its section of its owner's sheet; list all the others.

    A disc is settled when it has one section and no doubts. Open choices and doubts count in no
    total. Two discs of one color and number contradict each other, so both become doubts.

    Parameters
    ----------
    table
        A reading, as read or with choices and doubts settled; or a typed position.
    order
        Colors in turn order. Discs of other colors are left out, with a warning.
    names
        Player's name by color, for show.

    Raises
    ------
    UsageError
        If the order is empty or names a color twice.

    References
    ----------
    English rulebook: Disc Positions, Cliff-Dweller Ruins, Marking Sections.
    """
    _check_order(order)
    twice = _twice(table)
    players = tuple(_player(color, (names or {}).get(color), table, twice) for color in order)
    by_total = sorted((p for p in players if p.ruins.discs), key=lambda p: -p.ruins.total)
    return Allocation(
        board=table.board,
        order=tuple(order),
        ruins_order=tuple(player.color for player in by_total),  # sorting keeps the turn order
        players=players,
        warnings=(*table.warnings, *_warnings(table, order, twice)),
    )


def _check_order(order: Sequence[str]) -> None:
    """Refuse an order that cannot be one."""
    if not order:
        raise UsageError("order: expected the colors in turn order, got none")
    repeated = [color for color, count in Counter(order).items() if count > 1]
    if repeated:
        raise UsageError(f"order: {repeated[0]!r} is in it twice; name each color once")


def _twice(table: Table) -> frozenset[tuple[str, int | None]]:
    """Find the discs that are there more than once."""
    count = Counter((disc.color, disc.number) for disc in table.discs if disc.number is not None)
    return frozenset(key for key, times in count.items() if times > 1)


def _warnings(
    table: Table, order: Sequence[str], twice: frozenset[tuple[str, int | None]]
) -> list[str]:
    """Say what was left out and what contradicts itself."""
    left_out = Counter(disc.color for disc in table.discs if disc.color not in order)
    known = rules().sections
    unknown = sorted({s for disc in table.discs for s in disc.sections}.difference(known))
    return [
        *(
            f"{section!r} is no section of these rules ({', '.join(known)}): its discs count "
            "nowhere; correct the board's description"
            for section in unknown
        ),
        *(
            f"{color} {number} is there twice: settle which it is"
            for color, number in sorted((c, n) for c, n in twice if n is not None and c in order)
        ),
        *(
            f"{color} is not in the order: {count} of its discs left out"
            for color, count in sorted(left_out.items())
        ),
    ]


def _player(
    color: str, name: str | None, table: Table, twice: frozenset[tuple[str, int | None]]
) -> PlayerAllocation:
    """Sort one player's discs into what they are recorded as, highest number first."""
    discs = sorted((d for d in table.discs if d.color == color), key=_high_first)
    doubts = {id(d): _reasons(d, (d.color, d.number) in twice) for d in discs}
    sure = [d for d in discs if not doubts[id(d)]]
    settled = [d for d in sure if len(d.sections) == 1]
    count = rules().disc_count
    seen = {d.number for d in discs}
    return PlayerAllocation(
        color=color,
        name=name,
        ruins=_sum(settled, "ruins"),
        canyon=tuple(
            CanyonDisc(number=number, shapes=count if doubled else 1)
            for number, doubled in _in(settled, "canyon")
        ),
        creek=tuple(
            CreekDisc(number=number, paths=count if doubled else 1)
            for number, doubled in _in(settled, "creek")
        ),
        mudcracks=_sum(settled, "mudcracks"),
        choices=tuple(
            OpenChoice(number=d.number, why=_WHY[d.via], sections=d.sections)
            for d in sure
            if len(d.sections) > 1 and d.number is not None
        ),
        doubts=tuple(
            OpenDoubt(number=d.number, reasons=doubts[id(d)], sections=d.sections)
            for d in discs
            if doubts[id(d)]
        ),
        unscored=(
            *(
                Unscored(
                    number=d.number,
                    why="launch_corner" if d.state == "launch_corner" else "off_board",
                )
                for d in sure
                if not d.sections
            ),
            *(
                Unscored(number=m.number, why="missing")
                for m in table.missing
                if m.color == color and (m.number is None or m.number not in seen)
            ),
        ),
    )


def _high_first(disc: Placed) -> tuple[bool, int]:
    """Order discs by number, highest first, unknown numbers last."""
    return (disc.number is None, -(disc.number or 0))


def _reasons(disc: Placed, twice: bool) -> tuple[DoubtReason, ...]:
    """Return why the disc is in doubt: as read, and also when its number cannot be right."""
    if (twice or disc.number is None) and "number" not in disc.doubts:
        return (*disc.doubts, "number")
    return disc.doubts


def _in(settled: Sequence[Placed], section: str) -> list[tuple[int, bool]]:
    """Return number and doubled of the section's discs; only a multiplier doubles."""
    return [
        (d.number, d.via == "multiplier")
        for d in settled
        if d.sections == (section,) and d.number is not None
    ]


def _sum(settled: Sequence[Placed], section: str) -> Sum:
    """Value the discs of a section that adds up."""
    factor = rules().value_factor
    return Sum(
        discs=tuple(
            ValuedDisc(number=number, value=number * (factor if doubled else 1), multiplier=doubled)
            for number, doubled in _in(settled, section)
        )
    )
