"""Who sits at the table, and what each of them is doing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.table.events import SECTIONS, Section
from sonora_vision.table.game import Game
from sonora_vision.web.table.remembered import remembered
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext, ngettext
from sonora_vision.web.wording.words import Chip, PlayerCard, chip, player_cards


@dataclass(frozen=True, kw_only=True)
class Person:
    """One player as the pages show them."""

    color: str
    name: str
    chip: Chip
    place: int
    """In this round's turn order, from 1."""
    state: Literal["play", "open", "busy", "wait", "done"]
    """Nothing to do yet; discs to settle; at work; waiting for others; done."""
    words: str
    """What they are doing."""
    card: PlayerCard | None
    """What they record; None before the round is read."""
    ticked: frozenset[str]
    open: int
    """How many of their discs have yet to be settled."""


@remembered
def people(game: Game, board: BoardSpec) -> list[Person]:
    """Return all players in turn order."""
    allocation = game.allocation()
    cards = {} if allocation is None else {c.color: c for c in player_cards(allocation, board)}
    return [
        _person(game, color, place, cards.get(color)) for place, color in enumerate(game.order(), 1)
    ]


def name_of(game: Game, color: str) -> str:
    """Return a player's name."""
    return game.player(color).name


def waiting_for(game: Game) -> list[str]:
    """Return the names of those whom the others wait for, in turn order."""
    now = game.now
    if game.phase == "settle":
        return [name_of(game, c) for c in game.order() if c not in now.ready]
    if game.phase == "write":
        turn = game.ruins_turn
        if turn is not None:
            return [name_of(game, turn)]
        return [name_of(game, c) for c in game.order() if c not in now.finished]
    return []


def next_section(game: Game, color: str) -> Section | None:
    """Return the section that a player records next, None where all are recorded."""
    left = [s for s in game.due(color) if (color, s) not in game.now.ticked]
    return left[0] if left else None


def _person(game: Game, color: str, place: int, card: PlayerCard | None) -> Person:
    state, words = _doing(game, color)
    return Person(
        color=color,
        name=name_of(game, color),
        chip=chip(color),
        place=place,
        state=state,
        words=words,
        card=card,
        ticked=frozenset(s for s in SECTIONS if (color, s) in game.now.ticked),
        open=len(game.open_discs(color)),
    )


def _doing(game: Game, color: str) -> tuple[Literal["play", "open", "busy", "wait", "done"], str]:
    now = game.now
    if game.phase == "settle":
        count = len(game.open_discs(color))
        if count:
            return "open", ngettext("%(num)d disc to settle", "%(num)d discs to settle", count)
        if color in now.ready:
            return "done", gettext("ready")
        return "busy", gettext("not ready yet")
    if game.phase == "write":
        return _writing(game, color)
    return "play", ""


def _writing(game: Game, color: str) -> tuple[Literal["busy", "wait", "done"], str]:
    if color in game.now.finished:
        return "done", gettext("finished")
    section, turn = next_section(game, color), game.ruins_turn
    if turn == color:
        return "busy", gettext("records the Ruins now")
    if turn is not None:
        return "wait", gettext("waits for the Ruins")
    if section is None:
        return "busy", gettext("all recorded")
    return "busy", gettext("records: %(section)s", section=terms.section(section))
