"""What happens now, in the largest letters of the page: for the table, and for one player."""

from __future__ import annotations

from dataclasses import dataclass

from sonora_vision.table.game import Game
from sonora_vision.web.table.people import name_of, next_section, waiting_for
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext, ngettext


@dataclass(frozen=True, kw_only=True)
class Banner:
    """A title and a line below it."""

    title: str
    words: str


def banner(game: Game) -> Banner:
    """Say what the table is doing and whom it waits for."""
    match game.phase:
        case "play":
            return Banner(title=gettext("Flick your discs"), words=_opening(game))
        case "settle":
            waiting = _and(waiting_for(game))
            return Banner(
                title=gettext("Settle the discs"),
                words=gettext("Waiting for %(names)s", names=waiting),
            )
        case "write":
            return _writing(game)
        case "over":
            return Banner(
                title=gettext("The game is over"),
                words=gettext("Add up your sheets. Every round can be looked at again below."),
            )


def my_banner(game: Game, color: str) -> Banner:
    """Say what one player does now."""
    match game.phase:
        case "settle":
            return _my_settling(game, color)
        case "write":
            return _my_writing(game, color)
        case "play" if game.order()[0] == color:
            return Banner(title=gettext("Flick your discs"), words=_my_opening(game))
        case _:
            return banner(game)


def _my_opening(game: Game) -> str:
    if not game.turns():
        return gettext("You begin; the Ruins' corner points at you.")
    there = game.at_ruins_corner
    if there is None:
        return gettext(
            "You begin. Turn the board a quarter clockwise: the Ruins' corner points where "
            "nobody sits."
        )
    if there.color != game.order()[0]:
        return gettext(
            "You begin. Turn the board a quarter clockwise: the Ruins' corner points at %(other)s.",
            other=there.name,
        )
    return gettext(
        "You begin. Turn the board a quarter clockwise: the Ruins' corner points at you."
    )


def _opening(game: Game) -> str:
    first = name_of(game, game.order()[0])
    if not game.turns():
        return gettext("%(name)s begins; the Ruins' corner points at them.", name=first)
    there = game.at_ruins_corner
    if there is None:
        return gettext(
            "%(name)s begins. Turn the board a quarter clockwise: the Ruins' corner points where "
            "nobody sits.",
            name=first,
        )
    if there.color != game.order()[0]:
        return gettext(
            "%(name)s begins. Turn the board a quarter clockwise: the Ruins' corner points at "
            "%(other)s.",
            name=first,
            other=there.name,
        )
    return gettext(
        "%(name)s begins. Turn the board a quarter clockwise: the Ruins' corner points at them.",
        name=first,
    )


def _writing(game: Game) -> Banner:
    allocation, turn = game.allocation(), game.ruins_turn
    if turn is not None and allocation is not None:
        return Banner(
            title=gettext(
                "%(name)s records the Ruins: %(total)s",
                name=name_of(game, turn),
                total=allocation.player(turn).ruins.total,
            ),
            words=gettext("The others wait for that."),
        )
    waiting = waiting_for(game)
    if waiting:
        return Banner(
            title=gettext("Record all other discs"),
            words=gettext("Waiting for %(names)s", names=_and(waiting)),
        )
    last = game.now.number >= game.rounds
    return Banner(
        title=gettext("Round %(number)s is written down", number=game.now.number),
        words=gettext("That was the last round.")
        if last
        else gettext(
            "Take your discs back. The marker goes on clockwise, the board a quarter turn."
        ),
    )


def _my_settling(game: Game, color: str) -> Banner:
    count = len(game.open_discs(color))
    if count:
        return Banner(
            title=ngettext("Settle %(num)d disc", "Settle %(num)d discs", count),
            words=gettext("Look at the picture, then tap what it counts for."),
        )
    if color in game.now.ready:
        return Banner(
            title=gettext("You are ready"),
            words=gettext("Waiting for %(names)s", names=_and(waiting_for(game))),
        )
    return Banner(
        title=gettext("All your discs are settled"),
        words=gettext("Swap if you want to, then say that you are ready."),
    )


def _my_writing(game: Game, color: str) -> Banner:
    turn, section = game.ruins_turn, next_section(game, color)
    if color in game.now.finished:
        waiting = waiting_for(game)
        words = gettext("Waiting for %(names)s", names=_and(waiting)) if waiting else ""
        return Banner(title=gettext("You have finished writing"), words=words)
    if turn == color:
        return Banner(
            title=gettext("Record your Ruins now"), words=gettext("The others wait for you.")
        )
    if turn is not None:
        return Banner(
            title=gettext("Wait for the Ruins"),
            words=gettext("%(name)s records the Ruins now.", name=name_of(game, turn)),
        )
    if section is None:
        return Banner(
            title=gettext("All is recorded"), words=gettext("Say that you have finished.")
        )
    return Banner(
        title=gettext("Record: %(section)s", section=terms.section(section)),
        words=gettext("Tap Done when it is on your sheet."),
    )


def _and(names: list[str]) -> str:
    return ", ".join(names)
