"""The Flick phase: whose flick it is, reflicks, discs off the board, bullseyes."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from sonora_vision.errors import RuleError
from sonora_vision.score.sonora.events import Bullseye, Flick, Knock, Reflick
from sonora_vision.score.sonora.game_state import Disc, GameState


def next_flick(state: GameState) -> tuple[str, ...]:
    """Return the colors of which a disc may be flicked now; none when all are flicked."""
    if state.phase != "flick":
        return ()
    if state.owed:
        return tuple(dict.fromkeys(color for color, _ in state.owed))
    if state.setup.solo:
        numbers = state.setup.rules.disc_numbers
        return tuple(c for c in state.order if any((c, n) not in state.flicked for n in numbers))
    number = state.flicks
    for discs in state.setup.rules.discs_a_turn:
        if number < discs * len(state.order):
            return (state.order[number // discs],)
        number -= discs * len(state.order)
    return ()


def flick(state: GameState, event: Flick) -> GameState:
    """Flick a disc in turn, or one that is flicked again.

    References
    ----------
    English rulebook: Your Turn, Additional Flicking Rules, No Bunting.
    """
    disc = (event.player, event.disc)
    if event.player not in next_flick(state):
        turn = " or ".join(next_flick(state)) or "nobody's"
        raise RuleError(f"The Flick Phase: out of turn: {event.player} flicks, the turn is {turn}")
    again = disc in state.owed
    if state.owed and not again:
        raise RuleError(f"Additional Flicking Rules: flick {_name(state.owed[0])} again first")
    if not again and disc in state.flicked:
        raise RuleError(f"The Flick Phase: {_name(disc)} was flicked this round")
    if event.disc not in state.setup.rules.disc_numbers:
        raise RuleError(f"The Flick Phase: there is no disc of {event.disc}")
    if event.result == "bunt" and not state.setup.no_bunting:
        raise RuleError("No Bunting: this table plays without that variant")
    if event.result == "short":
        return state  # the disc is set back and flicked again, which costs nothing
    disqualified = event.result in ("off", "bunt")
    flown = replace(
        state,
        flicks=state.flicks + (not again),
        flicked=state.flicked | {disc},
        owed=_less(state.owed, disc),
        last=disc,
        struck=disc,
        out=state.out | {disc} if disqualified else state.out - {disc},
    )
    return _end_if_all_flicked(flown)


def reflick(state: GameState, event: Reflick) -> GameState:
    """Return the disc just flicked, wherever it went, and flick it again.

    References
    ----------
    English rulebook: Using Reflicks, Reflick Bonus.
    """
    disc = state.last
    if disc is None or disc[0] != event.player:
        raise RuleError(f"Using Reflicks: {event.player} has not just flicked a disc")
    writer = state.setup.writer(event.player)
    sheet = state.sheets[writer]
    if sheet.kept("reflick") < 1:
        raise RuleError(f"Using Reflicks: {writer} has no Reflick Bonus left")
    return replace(
        state,
        phase="flick",
        sheets=MappingProxyType({**state.sheets, writer: sheet.cross("reflick")}),
        owed=(disc, *state.owed),
        out=state.out - {disc},
        last=None,
    )


def knock(state: GameState, event: Knock) -> GameState:
    """Take a disc that the last flick knocked off the board.

    Another player's disc is flicked again by its owner at once; an own disc does not score.
    """
    disc = (event.player, event.disc)
    if state.struck is None or state.phase not in ("flick", "read"):
        raise RuleError("Additional Flicking Rules: no flick could have done that")
    if disc not in state.on_board or disc == state.struck:
        raise RuleError(f"Additional Flicking Rules: {_name(disc)} is not there to be knocked off")
    if state.setup.writer(event.player) == state.setup.writer(state.struck[0]):
        return replace(state, out=state.out | {disc})
    return replace(state, phase="flick", owed=(*state.owed, disc))


def bullseye(state: GameState, event: Bullseye) -> GameState:
    """Put a disc from the hole on a section; it counts as landed there.

    References
    ----------
    English rulebook: Bullseye!
    """
    disc = (event.player, event.disc)
    if state.phase not in ("flick", "read") or disc not in state.on_board:
        raise RuleError(f"Bullseye!: {_name(disc)} is not on the board")
    if event.section not in state.setup.rules.sections:
        known = ", ".join(state.setup.rules.sections)
        raise RuleError(f"Bullseye!: expected a section of {known}, got {event.section!r}")
    return replace(
        state,
        bullseyes=(*state.bullseyes, (disc, event.section)),
        last=None if state.last == disc else state.last,
    )


def _end_if_all_flicked(state: GameState) -> GameState:
    """Go on to reading the board once every disc is flicked and none is owed."""
    return state if next_flick(state) else replace(state, phase="read")


def _less(owed: tuple[Disc, ...], disc: Disc) -> tuple[Disc, ...]:
    """Return what is owed without one disc."""
    return tuple(other for other in owed if other != disc)


def _name(disc: Disc) -> str:
    """Name a disc."""
    return f"{disc[0]} {disc[1]}"
