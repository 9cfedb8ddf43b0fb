"""Whole games played by the program itself: what the rules are tried with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from sonora_vision.score.sonora.events import (
    Bullseye,
    Choose,
    Done,
    Event,
    Flick,
    Knock,
    Read,
    Ready,
    Reflick,
    Settle,
    Swap,
    Write,
)
from sonora_vision.score.sonora.final import points_now
from sonora_vision.score.sonora.flick_phase import next_flick
from sonora_vision.score.sonora.game_state import RIVAL, GameState
from sonora_vision.score.sonora.marks import Mark, mark_text
from sonora_vision.score.sonora.read_phase import is_open
from sonora_vision.score.sonora.rounds import step
from sonora_vision.score.sonora.solo import legal_rival_marks
from sonora_vision.score.sonora.state import Setting, Writing
from sonora_vision.score.sonora.write import apply, legal_kinds

Player = Callable[[Setting, Writing, list[Mark], Random], Mark]
"""Chooses one of some legal marks, all of one kind."""

_ODDS = {"off": 0.04, "knock": 0.06, "bullseye": 0.04, "reflick": 0.5, "swap": 0.3}
"""How often things happen in a made-up Flick phase; any odds will do."""


def random_player(setting: Setting, writing: Writing, marks: list[Mark], rng: Random) -> Mark:
    """Choose any mark."""
    del setting, writing
    return rng.choice(marks)


def greedy_player(setting: Setting, writing: Writing, marks: list[Mark], rng: Random) -> Mark:
    """Choose, of a few marks looked at, the one with the most points now, then most bonuses."""
    looked_at = rng.sample(marks, min(len(marks), _GREEDY_LOOKS))

    def worth(mark: Mark) -> tuple[int, int]:
        after = apply(setting, writing, mark)
        due, state = after.due, after.state
        bonuses = due.fox + due.owl + due.rabbit + due.discoveries + sum(state.bonuses)
        return points_now(setting, state), bonuses

    return max(looked_at, key=worth)


_GREEDY_LOOKS = 8
"""Marks that the greedy player looks at; more makes it slower, not much better."""


def play(
    state: GameState, rng: Random, player: Player = random_player
) -> Iterator[tuple[Event, GameState]]:
    """Play a game to its end.

    Parameters
    ----------
    state
        A game before its first flick.
    rng
        Source of all chance; the same seed plays the same game.
    player
        Who chooses the marks, for everyone.

    Yields
    ------
    tuple of Event and GameState
        Each event and what it leads to.
    """
    while state.phase != "over":
        event = _choose(state, rng, player)
        state = step(state, event)
        yield event, state


def _choose(state: GameState, rng: Random, player: Player) -> Event:
    """Choose the next event."""
    if state.phase in ("flick", "read") and (chance := _mishap(state, rng)):
        return chance
    match state.phase:
        case "flick":
            return _flick(state, rng)
        case "read":
            return Read(_board(state, rng))
        case "choose":
            mine, rival = rng.sample(state.setup.colors, 2)
            return Choose(mine, rival)
        case "swap":
            return _settle_or_swap(state, rng)
        case _:
            return _write(state, rng, player)


def _mishap(state: GameState, rng: Random) -> Event | None:
    """Let something happen after a flick, sometimes."""
    if state.last and state.last in state.out and rng.random() < _ODDS["reflick"]:
        color = state.last[0]
        if state.sheets[state.setup.writer(color)].kept("reflick"):
            return Reflick(color)
    others = sorted(state.on_board - {state.struck})
    if state.struck and others and rng.random() < _ODDS["knock"]:
        return Knock(*rng.choice(others))
    if others and rng.random() < _ODDS["bullseye"]:
        return Bullseye(*rng.choice(others), rng.choice(state.setup.rules.sections))
    return None


def _flick(state: GameState, rng: Random) -> Event:
    """Flick some disc whose turn it is."""
    result = "off" if rng.random() < _ODDS["off"] else "on"
    if state.owed:
        return Flick(*state.owed[0], result)  # type: ignore[arg-type]  # one of its words
    color = rng.choice(next_flick(state))
    numbers = [n for n in state.setup.rules.disc_numbers if (color, n) not in state.flicked]
    return Flick(color, rng.choice(numbers), result)  # type: ignore[arg-type]


def _board(state: GameState, rng: Random) -> str:
    """Lay the discs anywhere and write the position."""
    rules = state.setup.rules
    places = [*rules.sections] * 3 + [*rules.animals, "creek/ruins", "fox/owl", "off"]
    words = {color: [""] for color in state.setup.colors}
    for color, number in sorted(state.on_board):
        words[color].append(f"{number}@{rng.choice(places)}")
    return " | ".join(f"{color}:{' '.join(discs)}" for color, discs in words.items())


def _settle_or_swap(state: GameState, rng: Random) -> Event:
    """Settle what is open, swap now and then, then be ready."""
    for spot in state.table:
        disc = (spot.color, spot.number or 0)
        if is_open(spot) and disc not in state.settled:
            return Settle(*disc, rng.choice(spot.sections))
    writer = next(w for w in state.setup.writers if w not in state.ready)
    color = state.mine if state.setup.solo else writer
    on_board = [
        spot.number or 0
        for spot in state.table
        if spot.color == color and spot.via not in ("hole", "none")
    ]
    able = color and len(on_board) > 1 and state.sheets[writer].kept("swap")
    if color and able and rng.random() < _ODDS["swap"]:
        return Swap(color, *rng.sample(on_board, 2))
    return Ready(writer)


def _write(state: GameState, rng: Random, player: Player) -> Event:
    """Make a mark, or finish."""
    setting = state.setup.setting
    if state.phase == "ruins":
        writer = state.ruins_queue[0]
    elif state.phase == "rival":
        writer = RIVAL
    else:
        writer = rng.choice([w for w in state.setup.writers if w not in state.done])
    writing = state.writings[writer]
    if writer == RIVAL:
        marks = list(legal_rival_marks(setting, writing))
        if not marks:
            return Done(writer)
        return Write(writer, mark_text(setting.sheet, rng.choice(marks)))
    kinds = list(legal_kinds(setting, writing))
    rng.shuffle(kinds)
    marks = next(filter(None, map(list, kinds)), [])
    if not marks:
        return Done(writer)
    return Write(writer, mark_text(setting.sheet, player(setting, writing, marks, rng)))
