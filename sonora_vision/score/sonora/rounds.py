"""The game as a fold: a state, an event, the next state; undo and redo are events too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sonora_vision.errors import RuleError
from sonora_vision.score.game import ScoreSheet
from sonora_vision.score.sonora import flick_phase, read_phase, write_phase
from sonora_vision.score.sonora.events import (
    Bullseye,
    Choose,
    Done,
    Event,
    Flick,
    Knock,
    Read,
    Ready,
    Redo,
    Reflick,
    Settle,
    Swap,
    Undo,
    Write,
)
from sonora_vision.score.sonora.final import final_scores
from sonora_vision.score.sonora.game_state import GameState


def step(state: GameState, event: Event) -> GameState:
    """Return the state after one event that is no undo or redo.

    Raises
    ------
    RuleError
        If the event cannot happen now; the state is what it was.
    """
    match event:
        case Flick():
            return flick_phase.flick(state, event)
        case Reflick():
            return flick_phase.reflick(state, event)
        case Knock():
            return flick_phase.knock(state, event)
        case Bullseye():
            return flick_phase.bullseye(state, event)
        case Read():
            return read_phase.read(state, event)
        case Choose():
            return read_phase.choose(state, event)
        case Settle():
            return read_phase.settle(state, event)
        case Swap():
            return read_phase.swap(state, event)
        case Ready():
            return read_phase.ready(state, event)
        case Write():
            return write_phase.write(state, event)
        case Done():
            return write_phase.done(state, event)
        case Undo() | Redo():
            raise RuleError("undo and redo are steps of a whole game's history")


@dataclass(frozen=True, kw_only=True)
class History:
    """A game with all that led to it, so that events can be taken back and come again."""

    past: tuple[GameState, ...]
    """States before the current one, oldest first."""
    now: GameState
    future: tuple[GameState, ...] = ()
    """States taken back, the next to come again last."""

    def after(self, event: Event) -> History:
        """Return the history with one more event; a new act ends what could be redone."""
        if isinstance(event, Undo):
            if not self.past:
                raise RuleError("undo: this is the start of the game")
            return History(past=self.past[:-1], now=self.past[-1], future=(*self.future, self.now))
        if isinstance(event, Redo):
            if not self.future:
                raise RuleError("redo: nothing was taken back")
            return History(
                past=(*self.past, self.now), now=self.future[-1], future=self.future[:-1]
            )
        return History(past=(*self.past, self.now), now=step(self.now, event))


def fold(start: GameState, events: Iterable[Event]) -> History:
    """Return the history that the events make."""
    history = History(past=(), now=start)
    for event in events:
        history = history.after(event)
    return history


def scores(state: GameState) -> ScoreSheet:
    """Return the scores of the sheets as they are now."""
    return final_scores(state.setup.setting, write_phase.current_sheets(state))
