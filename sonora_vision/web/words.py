"""What a page says: an allocation and a disc's evidence, in words and in the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.captions import details, disc_name, headline, is_choice
from sonora_vision.detect.annotate.palette import Rgb, disc_color, readable_on, section_colors
from sonora_vision.detect.annotate.regions import deciding_boundary
from sonora_vision.observation import Disc, DoubtReason
from sonora_vision.score.allocation import (
    Allocation,
    ChoiceWhy,
    OpenChoice,
    PlayerAllocation,
    Sum,
    UnscoredWhy,
)
from sonora_vision.web.store import Seen

_DOUBTS: dict[DoubtReason, str] = {
    "color": "color not certain",
    "number": "number not certain",
    "zone": "too close to the border to call",
    "multiplier": "too close to the multiplier to call",
    "state": "how it lies is not certain",
    "hidden": "partly hidden",
}
_CHOICES: dict[ChoiceWhy, str] = {
    "half": "equally in several zones",
    "hole": "bullseye",
    "two_multipliers": "on two multipliers",
}
_UNSCORED: dict[UnscoredWhy, str] = {
    "off_board": "off the board",
    "launch_corner": "on a launch corner",
    "missing": "not seen",
}
_NEARLY_CERTAIN = 0.995
"""Rounded to whole per cent it would read as certainty, which no camera has."""


@dataclass(frozen=True, kw_only=True)
class Chip:
    """A disc as it is drawn on a page: a round chip in its color."""

    color: str
    number: str
    fill: str
    ink: str


@dataclass(frozen=True, kw_only=True)
class Line:
    """One disc and what to do with it."""

    chip: Chip
    words: str


@dataclass(frozen=True, kw_only=True)
class Step:
    """What a player records in one section."""

    section: str
    swatch: str
    total: int | None
    lines: tuple[Line, ...]


@dataclass(frozen=True, kw_only=True)
class PlayerCard:
    """What one player records, step by step."""

    color: str
    chip: Chip
    steps: tuple[Step, ...]
    doubts: tuple[Line, ...]
    choices: tuple[Line, ...]
    unscored: tuple[Line, ...]


@dataclass(frozen=True, kw_only=True)
class RuinsTurn:
    """One player's place in the order of recording Ruins."""

    color: str
    chip: Chip
    total: int


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a page says of one disc beside its close-up."""

    index: int
    """Place of the disc in the reading."""
    name: str
    chip: Chip
    headline: str
    details: str
    gap: str
    sure: str
    doubts: tuple[str, ...]
    kind: str
    """doubt, choice or settled."""
    pictured: bool
    """Whether the disc lies within what was rectified."""


def chip(color: str, number: int | None = None, *, unknown: bool = False) -> Chip:
    """Return the chip of a disc, or of a player where there is no number."""
    fill = disc_color(color)
    text = "?" if unknown else "" if number is None else str(number)
    return Chip(color=color, number=text, fill=_hex(fill), ink=_hex(readable_on(fill)))


def ruins_turns(allocation: Allocation) -> list[RuinsTurn]:
    """Return who records Ruins, first to last."""
    return [
        RuinsTurn(color=color, chip=chip(color), total=allocation.player(color).ruins.total)
        for color in allocation.ruins_order
    ]


def player_cards(allocation: Allocation, board: BoardSpec) -> list[PlayerCard]:
    """Return every player's card in turn order."""
    swatches = {section: _hex(color) for section, color in section_colors(board).items()}
    return [_card(player, swatches) for player in allocation.players]


def evidence(seen: Seen, board: BoardSpec) -> list[Evidence]:
    """Return every disc's evidence: doubts first, then choices, then what is settled."""
    rank = {"doubt": 0, "choice": 1, "settled": 2}
    items = [
        _evidence(index, disc, board, pictured=_pictured(seen, disc.center_mm))
        for index, disc in enumerate(seen.reading.discs)
    ]
    return sorted(items, key=lambda item: (rank[item.kind], item.name))


def _card(player: PlayerAllocation, swatches: dict[str, str]) -> PlayerCard:
    color = player.color
    canyon = [
        Line(
            chip=chip(color, disc.number),
            words=f"draw {_count(disc.shapes, 'shape')} of {disc.number} or lower",
        )
        for disc in player.canyon
    ]
    creek = [
        Line(
            chip=chip(color, disc.number),
            words=f"draw {_count(disc.paths, 'path')} of {disc.number}",
        )
        for disc in player.creek
    ]
    found: list[tuple[str, int | None, Sequence[Line]]] = [
        ("ruins", _total(player.ruins), _sum_lines(color, player.ruins)),
        ("canyon", None, canyon),
        ("creek", None, creek),
        ("mudcracks", _total(player.mudcracks), _sum_lines(color, player.mudcracks)),
    ]
    steps = tuple(
        Step(section=name, swatch=swatches.get(name, "#888888"), total=total, lines=tuple(lines))
        for name, total, lines in found
    )
    doubts = [
        Line(
            chip=chip(color, doubt.number, unknown=doubt.number is None),
            words=f"{_sections(doubt.sections)}: {_listed([_DOUBTS[r] for r in doubt.reasons])}",
        )
        for doubt in player.doubts
    ]
    choices = [
        Line(
            chip=chip(color, choice.number),
            words=f"{_choosable(choice)} ({_CHOICES[choice.why]})",
        )
        for choice in player.choices
    ]
    unscored = tuple(
        Line(chip=chip(color, disc.number, unknown=disc.number is None), words=_UNSCORED[disc.why])
        for disc in player.unscored
    )
    return PlayerCard(
        color=color,
        chip=chip(color),
        steps=steps,
        doubts=tuple(doubts),
        choices=tuple(choices),
        unscored=unscored,
    )


def _sum_lines(color: str, section: Sum) -> list[Line]:
    return [
        Line(
            chip=chip(color, disc.number),
            words=f"doubled: {disc.value}" if disc.multiplier else "",
        )
        for disc in section.discs
    ]


def _total(section: Sum) -> int | None:
    return section.total if section.discs else None


def _pictured(seen: Seen, point_mm: tuple[float, float]) -> bool:
    rectified = seen.rectified
    height, width = rectified.bgr.shape[:2]
    x = (point_mm[0] - rectified.origin_mm[0]) * rectified.px_per_mm
    y = (point_mm[1] - rectified.origin_mm[1]) * rectified.px_per_mm
    return bool(0 <= x < width and 0 <= y < height)


def _evidence(index: int, disc: Disc, board: BoardSpec, *, pictured: bool) -> Evidence:
    boundary = deciding_boundary(board, disc)
    gap = boundary.words if boundary else ""
    unknown = disc.number is None and bool(board.discs.numbers)
    return Evidence(
        index=index,
        name=disc_name(disc),
        chip=chip(disc.color, disc.number, unknown=unknown),
        headline=headline(disc),
        details=_listed([words for words in details(disc) if words not in gap]),
        gap=gap,
        sure="over 99%" if disc.p >= _NEARLY_CERTAIN else f"{disc.p:.0%}",
        doubts=tuple(_DOUBTS[reason] for reason in disc.doubts),
        kind="doubt" if disc.doubts else "choice" if is_choice(disc) else "settled",
        pictured=pictured,
    )


def _count(number: int, noun: str) -> str:
    return f"{('one', 'two')[number - 1]} {noun}{'s' if number > 1 else ''}"


def _choosable(choice: OpenChoice) -> str:
    return "any section" if choice.why == "hole" else _sections(choice.sections)


def _sections(sections: Sequence[str]) -> str:
    return " or ".join(section.capitalize() for section in sections) or "not scored"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)


def _hex(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
