"""What a page says: an allocation and a disc's evidence, in words and in the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.captions import is_choice
from sonora_vision.detect.annotate.palette import Rgb, disc_color, readable_on, section_colors
from sonora_vision.detect.annotate.regions import deciding_boundary
from sonora_vision.observation import Disc
from sonora_vision.score.allocation import Allocation, OpenChoice, PlayerAllocation, Sum
from sonora_vision.web.photos.store import Seen
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.gaps import boundary_words, details, sure_words
from sonora_vision.web.wording.language import gettext, ngettext


@dataclass(frozen=True, kw_only=True)
class Chip:
    """A disc as it is drawn on a page: a round chip in its color."""

    color: str
    number: str
    fill: str
    ink: str
    label: str
    """The disc's name, in words."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One disc and what to do with it."""

    chip: Chip
    words: str
    doubled: bool = False


@dataclass(frozen=True, kw_only=True)
class Step:
    """What a player records in one section."""

    section: str
    title: str
    swatch: str
    total: int | None
    do: str
    """What a total is spent on; empty where each disc is recorded by itself."""
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
    return Chip(
        color=color,
        number=text,
        fill=_hex(fill),
        ink=_hex(readable_on(fill)),
        label=terms.disc(color, number, unknown=unknown),
    )


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
            words=shapes(disc.shapes, disc.number),
            doubled=disc.shapes > 1,
        )
        for disc in player.canyon
    ]
    creek = [
        Line(
            chip=chip(color, disc.number),
            words=paths(disc.paths, disc.number),
            doubled=disc.paths > 1,
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
        Step(
            section=name,
            title=terms.section(name),
            swatch=swatches.get(name, "#888888"),
            total=total,
            do=_spent(name, total),
            lines=tuple(lines),
        )
        for name, total, lines in found
    )
    doubts = [
        Line(
            chip=chip(color, doubt.number, unknown=doubt.number is None),
            words=f"{terms.sections(doubt.sections)}: "
            + _listed([terms.doubt(reason) for reason in doubt.reasons]),
        )
        for doubt in player.doubts
    ]
    choices = [
        Line(
            chip=chip(color, choice.number),
            words=f"{_choosable(choice)} ({terms.choice(choice.why)})",
        )
        for choice in player.choices
    ]
    unscored = tuple(
        Line(
            chip=chip(color, disc.number, unknown=disc.number is None),
            words=terms.unscored(disc.why),
        )
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
            words=gettext("doubled: %(value)s", value=disc.value) if disc.multiplier else "",
            doubled=disc.multiplier,
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
    gap = "" if boundary is None else boundary_words(boundary)
    unknown = disc.number is None and bool(board.discs.numbers)
    return Evidence(
        index=index,
        name=terms.disc(disc.color, disc.number, unknown="number" in disc.doubts),
        chip=chip(disc.color, disc.number, unknown=unknown),
        headline=terms.headline(disc),
        details=_listed([words for words in details(disc) if words not in gap]),
        gap=gap,
        sure=sure_words(disc),
        doubts=tuple(terms.doubt(reason) for reason in disc.doubts),
        kind="doubt" if disc.doubts else "choice" if is_choice(disc) else "settled",
        pictured=pictured,
    )


def shapes(count: int, number: int) -> str:
    """Say what a disc of the Canyon lets its owner draw."""
    return ngettext(
        "draw one shape of %(number)s or lower",
        "draw two shapes of %(number)s or lower",
        count,
        number=number,
    )


def paths(count: int, number: int) -> str:
    """Say what a disc of the Creek lets its owner draw."""
    return ngettext(
        "draw one path of %(number)s", "draw two paths of %(number)s", count, number=number
    )


def _spent(section: str, total: int | None) -> str:
    """Say what a section's total is spent on."""
    if total is None:
        return ""
    if section == "ruins":
        return ngettext("cross off %(num)d hex", "cross off %(num)d hexes", total)
    return gettext("spend %(total)s on nodes and bonus boxes", total=total)


def _choosable(choice: OpenChoice) -> str:
    return gettext("any section") if choice.why == "hole" else terms.sections(choice.sections)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)


def _hex(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
