"""Discs that wait for a word of their owner, as cards: what each answer would mean."""

from __future__ import annotations

from dataclasses import dataclass

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate.regions import deciding_boundary
from sonora_vision.observation import Disc
from sonora_vision.score.allocation import ChoiceWhy
from sonora_vision.table.discs import Place, unnamed, unplaced
from sonora_vision.table.events import SECTIONS
from sonora_vision.table.game import Game
from sonora_vision.web.table.act import NOT_SCORED
from sonora_vision.web.table.evidence import DiscEvidence, disc_evidence
from sonora_vision.web.table.remembered import remembered
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.gaps import boundary_words, sure_words
from sonora_vision.web.wording.language import gettext
from sonora_vision.web.wording.words import Chip, chip, paths, shapes

_TOUCHING_MM = 2.0
"""A circle that is no farther may be the one in doubt; larger than any reading's uncertainty."""
_SHARE = 0.01
"""A part of a disc that is no larger gives nobody a reason to think of that zone."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One thing that an owner may say, as a button."""

    said: str
    """For the form."""
    title: str
    effect: str
    """What it lets the player record; empty where the number is not known yet."""


@dataclass(frozen=True, kw_only=True)
class OpenCard:
    """A choice or a doubt."""

    index: int
    evidence: DiscEvidence
    color: str
    number: int | None
    whose: bool
    """Whether the color itself is in doubt: the visitor says that it is theirs."""
    must: bool
    """Whether the visitor cannot be ready before it is settled."""
    twice: bool
    """Whether another disc is the same one: one of the two has to be repaired."""
    why: str
    sure: str
    answers: tuple[Answer, ...]
    others: tuple[Answer, ...]
    """Less likely answers; none to a choice."""
    numbers: tuple[int, ...]
    """To choose among, where the number is in doubt."""
    nobodys: tuple[str, int] | None = None
    """The color that nobody plays and the number as which it may be put aside."""


@dataclass(frozen=True, kw_only=True)
class Mine:
    """A disc of a player's as it counts now."""

    index: int | None
    """None for an announced bullseye."""
    chip: Chip
    number: int | None
    headline: str
    gap: str
    """How far it is from what decides, or why it does not score."""
    evidence: DiscEvidence | None
    """None for one that no kept picture shows, or while discs are flicked."""
    settled: bool
    repaired: bool
    swapped: bool
    """Whether the picture shows another disc here."""
    open: bool
    swappable: bool


@remembered
def open_cards(game_id: str, game: Game, color: str) -> list[OpenCard]:
    """Return what a player has to settle: their own discs, then those that may be theirs."""
    table = game.now.table
    if table is None or game.phase != "settle":
        return []
    must = game.open_discs(color)
    maybe = tuple(
        index
        for index, place in enumerate(table.places)
        if place is not None and place.open and "color" in place.disc.doubts and index not in must
    )
    return [_card(game_id, game, color, index, must=index in must) for index in (*must, *maybe)]


@remembered
def my_discs(game_id: str, game: Game, board: BoardSpec, color: str) -> list[Mine]:
    """Return a player's discs, highest number first."""
    table = game.now.table
    if table is None:
        return []
    lying = [
        _mine(
            index,
            place,
            board,
            None if game.now.picture is None else disc_evidence(game_id, game, index),
        )
        for index, place in enumerate(table.places)
        if place is not None and place.now.color == color
    ]
    in_hand = [
        Mine(
            index=None, chip=chip(color, said.number), number=said.number,
            headline=terms.section(said.section), gap=gettext("bullseye, announced"), evidence=None,
            settled=True, repaired=False, swapped=False, open=False,
            swappable=False,
        )
        for said in table.bullseyes
        if said.color == color
    ]  # fmt: skip
    return sorted([*lying, *in_hand], key=lambda mine: -(mine.number or 0))


def effect(section: str, number: int | None, *, doubled: bool) -> str:
    """Say what a disc in a section lets its owner record."""
    if number is None:
        return ""
    count = 2 if doubled else 1
    match section:
        case "ruins" | "mudcracks":
            return gettext("adds %(value)s", value=number * count)
        case "canyon":
            return shapes(count, number)
        case "creek":
            return paths(count, number)
        case _:
            return ""


def _card(game_id: str, game: Game, color: str, index: int, *, must: bool) -> OpenCard:
    table = game.now.table
    assert table is not None  # the caller has looked
    place = table.place(index)
    disc = place.disc
    answers = _likely(disc)
    said = {answer.said for answer in answers}
    others = [a for a in _all(disc) if a.said not in said] if unplaced(disc) else []
    why = ", ".join(terms.doubt(reason) for reason in disc.doubts) or terms.choice(_why(disc))
    return OpenCard(
        index=index,
        evidence=disc_evidence(game_id, game, index),
        color=color,
        number=disc.number,
        whose="color" in disc.doubts,
        must=must,
        twice=not place.open,
        why=why,
        sure=sure_words(disc) if disc.doubts else "",
        answers=tuple(answers),
        others=tuple(others),
        numbers=_numbers(game, color, disc) if unnamed(disc) else (),
        nobodys=_nobodys(game, disc),
    )


def _nobodys(game: Game, disc: Disc) -> tuple[str, int] | None:
    """Return as what a disc may be put aside, where it looks like one that nobody plays."""
    if "color" not in disc.doubts or disc.color in game.playing:
        return None
    free = _numbers(game, disc.color, disc)
    return disc.color, disc.number if disc.number in free else free[0]


def _why(disc: Disc) -> ChoiceWhy:
    match disc.via:
        case "hole":
            return "hole"
        case "multiplier":
            return "two_multipliers"
        case _:
            return "half"


def _likely(disc: Disc) -> list[Answer]:
    """Return the answers that the reading holds possible, in the order of the Write phase."""
    answers = [
        _answer(section, disc.number, doubled=doubled)
        for section in SECTIONS
        if section in disc.sections
        for doubled in _ways(disc, section)
    ]
    return answers or [_answer(None, disc.number)]


def _ways(disc: Disc, section: str) -> tuple[bool, ...]:
    """Say whether a section is reached by a circle, by its zone, or either."""
    if not unplaced(disc) or disc.contact is None:
        return (disc.via == "multiplier",)
    circle = any(m.section == section and m.gap_mm < _TOUCHING_MM for m in disc.contact.multipliers)
    zone = any(z.section == section and z.share > _SHARE for z in disc.contact.zones)
    return ((True,) if circle else ()) + ((False,) if zone or not circle else ())


def _all(disc: Disc) -> list[Answer]:
    every = [_answer(s, disc.number, doubled=d) for s in SECTIONS for d in (False, True)]
    return [*every, _answer(None, disc.number)]


def _answer(section: str | None, number: int | None, *, doubled: bool = False) -> Answer:
    if section is None:
        return Answer(said=NOT_SCORED, title=gettext("Not scored"), effect="")
    title = terms.section(section)
    if doubled:
        title = gettext("%(section)s, on its circle", section=title)
    return Answer(
        said=section + ("*circle" if doubled else ""),
        title=title,
        effect=effect(section, number, doubled=doubled),
    )


def _numbers(game: Game, color: str, disc: Disc) -> tuple[int, ...]:
    """Return the numbers that a disc may have: those that lie nowhere else for certain."""
    table = game.now.table
    certain = set() if table is None else {
        place.now.number
        for place in table.places
        if place is not None and place.now.color == color and not place.open
    }  # fmt: skip
    in_hand = set() if table is None else {b.number for b in table.bullseyes if b.color == color}
    free = tuple(n for n in game.numbers if n not in certain | in_hand)
    return free or game.numbers


def _mine(index: int, place: Place, board: BoardSpec, evidence: DiscEvidence | None) -> Mine:
    disc = place.now
    boundary = deciding_boundary(board, place.disc)
    gap = "" if boundary is None else boundary_words(boundary)
    headline = terms.headline(disc)
    if not disc.sections:
        gap = terms.lies(disc) or gap
    if disc.via == "multiplier" and disc.sections:
        headline = gettext("%(section)s, on its circle", section=headline)
    return Mine(
        index=index,
        chip=chip(disc.color, disc.number, unknown=disc.number is None),
        number=disc.number,
        headline=headline,
        gap=gap,
        evidence=evidence,
        settled=place.settled is not None,
        repaired=place.repaired,
        swapped=place.photo_number is not None,
        open=place.open,
        swappable=disc.number is not None
        and disc.state not in ("in_hole", "off_board")
        and not {"color", "number"} & set(disc.doubts),
    )
