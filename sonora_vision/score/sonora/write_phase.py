"""The Write phase at the table: Ruins in order, then everyone at once; the end of the round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from sonora_vision.errors import RuleError
from sonora_vision.score.allocation import Allocation
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.score.sonora.events import Done, Write
from sonora_vision.score.sonora.game_state import RIVAL, SOLO, GameState
from sonora_vision.score.sonora.marks import parse_mark
from sonora_vision.score.sonora.position import Position, Spot
from sonora_vision.score.sonora.solo import apply_rival, finish_rival
from sonora_vision.score.sonora.state import SheetState, Writing
from sonora_vision.score.sonora.write import apply, due_of, finish, ruins_open


def settled_spots(state: GameState) -> tuple[Spot, ...]:
    """Return the table with every settled choice and doubt put in."""
    return tuple(
        replace(spot, sections=(section,), doubts=())
        if (section := state.settled.get((spot.color, spot.number or 0))) is not None
        else spot
        for spot in state.table
    )


def allocation(state: GameState) -> Allocation:
    """Return what everyone records of the table as it is settled so far."""
    order = (state.mine, state.rival) if state.mine and state.rival else state.order
    table = Position(players=tuple(order), first=order[0], discs=settled_spots(state))
    return allocate(table, order)


def start_writing(state: GameState) -> GameState:
    """Give everyone what is due to them and begin with the Ruins, or with the rival."""
    given = allocation(state)
    due = {player.color: due_of(player) for player in given.players}
    if state.setup.solo and state.mine and state.rival:
        sheet = state.sheets[SOLO]
        writings = {
            RIVAL: Writing(state=sheet, due=due[state.rival]),
            SOLO: Writing(state=sheet, due=due[state.mine]),
        }
        return replace(state, phase="rival", writings=MappingProxyType(writings))
    writings = {p: Writing(state=state.sheets[p], due=due[p]) for p in state.setup.writers}
    begun = replace(
        state,
        phase="ruins",
        writings=MappingProxyType(writings),
        ruins_queue=given.ruins_order,
    )
    return _next_in_ruins(begun)


def write(state: GameState, event: Write) -> GameState:
    """Make a mark on a player's own sheet, or the rival's mark in solo.

    Raises
    ------
    RuleError
        If it is not the player's turn or the mark is not legal.
    """
    writing = _turn(state, event.player)
    mark = parse_mark(state.setup.sheet, event.mark)
    make = apply_rival if event.player == RIVAL else apply
    after = make(state.setup.setting, writing, mark)
    writings = {**state.writings, event.player: after}
    first = after.state.top & ~writing.state.top
    if first:
        writings = {
            player: other if player == event.player else _crossed_out(other, first)
            for player, other in writings.items()
        }
    return _next_in_ruins(replace(state, writings=MappingProxyType(writings)))


def done(state: GameState, event: Done) -> GameState:
    """Finish a player's Write phase; when all have, the round is over."""
    writing = _turn(state, event.player)
    if state.phase == "ruins":
        raise RuleError("Cliff-Dweller Ruins: every hex of the value is crossed off first")
    end = finish_rival if event.player == RIVAL else finish
    after = end(state.setup.setting, writing)
    notes = tuple(f"round {state.round}: {event.player}: {note}" for note in after.notes)
    writings = {**state.writings, event.player: after._replace(notes=())}
    ended = replace(
        state,
        writings=MappingProxyType(writings),
        done=state.done | {event.player},
        notes=state.notes + notes,
    )
    if event.player == RIVAL:
        mine = state.writings[SOLO]._replace(state=after.state)
        return replace(
            ended, phase="write", writings=MappingProxyType({**ended.writings, SOLO: mine})
        )
    return end_round(ended) if ended.done >= set(state.setup.writers) else ended


def end_round(state: GameState) -> GameState:
    """Turn the board, pass the first player marker, give the discs back; or end the game.

    References
    ----------
    English rulebook: End of Round, Game End & Final Scoring.
    """
    sheets = {player: state.writings[player].state for player in state.setup.writers}
    last = state.round == state.setup.rounds
    return GameState(
        setup=state.setup,
        round=state.round if last else state.round + 1,
        phase="over" if last else "flick",
        sheets=MappingProxyType(sheets),
        notes=state.notes,
    )


def current_sheets(state: GameState) -> Mapping[str, SheetState]:
    """Return every player's sheet as it is now."""
    if state.phase == "rival":
        return {SOLO: state.writings[RIVAL].state}
    return {
        player: state.writings[player].state if player in state.writings else sheet
        for player, sheet in state.sheets.items()
    }


def _turn(state: GameState, player: str) -> Writing:
    """Return the player's writing, or refuse it as out of turn."""
    heading = "The Write Phase: out of turn"
    if state.phase not in ("rival", "ruins", "write"):
        raise RuleError(f"{heading}: now is the {state.phase} phase")
    if player not in state.writings:
        raise RuleError(f"The Write Phase: no player is called {player!r}")
    if player in state.done:
        raise RuleError(f"{heading}: {player} has finished")
    if state.phase == "ruins" and player != state.ruins_queue[0]:
        raise RuleError(f"{heading}: {state.ruins_queue[0]} records Ruins discs first")
    if (state.phase == "rival") != (player == RIVAL):
        raise RuleError(f"{heading}: the rival marks before you do")
    return state.writings[player]


def _next_in_ruins(state: GameState) -> GameState:
    """Go on to the next player with Ruins value to use, or to everyone at once."""
    queue = state.ruins_queue
    while queue and not ruins_open(state.setup.setting, state.writings[queue[0]]):
        queue = queue[1:]
    if state.phase != "ruins":
        return state
    return replace(state, ruins_queue=queue, phase="ruins" if queue else "write")


def _crossed_out(writing: Writing, first: int) -> Writing:
    """Cross out the top reward of a building on another player's sheet."""
    sheet = writing.state._replace(top_out=writing.state.top_out | first)
    return writing._replace(state=sheet)
