"""Between flicking and writing: the board is read, choices are settled, discs are swapped."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from sonora_vision.errors import RuleError
from sonora_vision.score.sonora import position
from sonora_vision.score.sonora.events import Choose, Read, Ready, Settle, Swap
from sonora_vision.score.sonora.game_state import GameState, Phase
from sonora_vision.score.sonora.position import Spot, parse_position
from sonora_vision.score.sonora.write_phase import start_writing


def read(state: GameState, event: Read) -> GameState:
    """Take the reading of the board; it must say of every disc on it where it lies.

    Raises
    ------
    RuleError
        If a disc is left out, there twice, not flicked, or known to be off the board.
    """
    _expect(state, "read", "Flick Phase")
    typed = parse_position(event.position)
    spots: list[Spot] = []
    here, gone = set(state.on_board), set()
    for spot in typed.discs:
        if spot.number is None:
            raise RuleError(f"reading: a disc of {spot.color} has no number; settle it first")
        disc = (spot.color, spot.number)
        if disc in here:
            here.remove(disc)
            spots.append(spot)
        elif spot.via != "none" and not _is_bullseye(state, spot):
            raise RuleError(f"reading: {disc[0]} {disc[1]} is not on the board this round")
    for absent in typed.missing:
        if absent.number is None:
            raise RuleError(f"reading: a missing disc of {absent.color} has no number")
        gone.add((absent.color, absent.number))
    if left := sorted(here - gone):
        raise RuleError(f"reading: nothing is said of {left[0][0]} {left[0][1]}; write it @missing")
    spots += [
        Spot(color=color, number=number, via="hole", sections=(section,), state="in_hole")
        for (color, number), section in state.bullseyes
    ]
    phase: Phase = "choose" if state.setup.solo else "swap"
    return replace(state, phase=phase, table=tuple(spots), last=None, struck=None)


def choose(state: GameState, event: Choose) -> GameState:
    """Choose the player's color and the rival's; the third color's discs are discarded.

    References
    ----------
    English rulebook: Solo Game Round.
    """
    _expect(state, "choose", "Solo Game Round")
    for color in (event.mine, event.rival):
        if color not in state.setup.colors:
            raise RuleError(f"Solo Game Round: {color!r} is none of the three colors")
    if event.mine == event.rival:
        raise RuleError("Solo Game Round: the rival's color is another than yours")
    kept = tuple(spot for spot in state.table if spot.color in (event.mine, event.rival))
    return replace(state, phase="swap", mine=event.mine, rival=event.rival, table=kept)


def settle(state: GameState, event: Settle) -> GameState:
    """Settle what the rules or the camera left open; it may be settled anew until writing."""
    _expect(state, "swap", "Board Zones")
    _not_ready(state, event.player)
    disc = (event.player, event.disc)
    spot = next((s for s in state.table if (s.color, s.number) == disc), None)
    if spot is None:
        raise RuleError(f"Board Zones: {event.player} {event.disc} is not on the board")
    if event.section not in spot.sections:
        raise RuleError(
            f"Board Zones: {event.player} {event.disc} counts for one of "
            f"{', '.join(spot.sections) or 'nothing'}, not {event.section}"
        )
    return replace(state, settled=MappingProxyType({**state.settled, disc: event.section}))


def swap(state: GameState, event: Swap) -> GameState:
    """Swap two discs of the player's for a Swap Bonus; their positions are judged again.

    References
    ----------
    English rulebook: Use Swap Bonuses, Swap Bonus.
    """
    _expect(state, "swap", "Swap Bonus")
    _not_ready(state, event.player)
    if state.setup.solo and event.player != state.mine:
        raise RuleError(f"Solo Game Round: only discs of your color, {state.mine}, are swapped")
    writer = state.setup.writer(event.player)
    sheet = state.sheets.get(writer, None)
    if sheet is None or sheet.kept("swap") < 1:
        raise RuleError(f"Swap Bonus: {writer} has no Swap Bonus left")
    swapped = position.swap(state.table, event.player, event.disc, event.other)
    moved = {(event.player, event.disc), (event.player, event.other)}
    kept = {disc: section for disc, section in state.settled.items() if disc not in moved}
    return replace(
        state,
        table=swapped,
        settled=MappingProxyType(kept),
        sheets=MappingProxyType({**state.sheets, writer: sheet.cross("swap")}),
    )


def ready(state: GameState, event: Ready) -> GameState:
    """Stop swapping; when all have, writing begins."""
    _expect(state, "swap", "The Write Phase")
    _not_ready(state, event.player)
    if event.player not in state.setup.writers:
        raise RuleError(f"The Write Phase: no player is called {event.player!r}")
    for spot in state.table:
        mine = state.setup.writer(spot.color) == event.player
        if mine and is_open(spot) and (spot.color, spot.number) not in state.settled:
            raise RuleError(
                f"Board Zones: {spot.color} {spot.number} is still open: "
                f"settle it as one of {', '.join(spot.sections)}"
            )
    done = replace(state, ready=state.ready | {event.player})
    return start_writing(done) if done.ready == set(state.setup.writers) else done


def is_open(spot: Spot) -> bool:
    """Whether a disc needs a word of its owner; one that counts for nothing does not."""
    return len(spot.sections) > 1 or (bool(spot.doubts) and bool(spot.sections))


def _is_bullseye(state: GameState, spot: Spot) -> bool:
    """Whether a disc of the reading is a bullseye that was announced."""
    announced = ((spot.color, spot.number), spot.sections[0]) in state.bullseyes
    return spot.via == "hole" and len(spot.sections) == 1 and announced


def _expect(state: GameState, phase: str, heading: str) -> None:
    """Refuse an act out of its phase."""
    if state.phase != phase:
        raise RuleError(f"{heading}: out of turn: this belongs to the {phase} phase, "
                        f"now is the {state.phase} phase")  # fmt: skip


def _not_ready(state: GameState, player: str) -> None:
    """Refuse to change what a player has declared ready."""
    if state.setup.writer(player) in state.ready:
        raise RuleError(f"The Write Phase: {player} is ready already")
