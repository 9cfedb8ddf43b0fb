"""What holds for any night whatever people tap: found out with nights made up at random."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sonora_vision.errors import SonoraError
from sonora_vision.table.events import HOST, CodesRenewed, Finished, NextRound, Ready, Undone
from sonora_vision.table.fold import fold
from sonora_vision.table.game import Game
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from tests.table.night import made, recorded
from tests.table.taps import tap

_some = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
_random = st.randoms(use_true_random=False)
_ACTS = 30


@pytest.fixture(scope="module")
def anywhere() -> Iterator[Tables]:
    """One store for all nights, each its own game, on no disk: a power cut is another test's."""
    shm = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None) as folder:
        store = Store(f"sqlite:///{folder}/table.db", Path(folder))
        yield Tables(store)
        store.close()


def _played(tables: Tables, random: Random) -> Iterator[tuple[str, Game, Game]]:
    """Play a night that is made up on the way; yield the game around each act."""
    game_id = tables.make(made("red", "blue", rounds=2))
    for _ in range(_ACTS):
        before = tables.game(game_id)
        actor, event = tap(before, random)
        try:
            yield game_id, before, tables.act(game_id, actor, event)
        except SonoraError:
            yield game_id, before, tables.game(game_id)


def _same_apart_from_undoing(game: Game) -> Game:
    """The game without its count of events, and without empty places that an undone disc leaves."""
    table = game.now.table
    if table is not None:
        places = list(table.places)
        while places and places[-1] is None:
            places.pop()
        table = replace(table, places=tuple(places))
    return replace(game, seq=0, now=replace(game.now, table=table))


@_some
@given(random=_random)
def test_replaying_the_log_gives_the_same_game(anywhere: Tables, random: Random) -> None:
    for game_id, _, game in _played(anywhere, random):
        assert fold(anywhere.store.log(game_id)) == game


@_some
@given(random=_random)
def test_a_refused_act_changes_nothing(anywhere: Tables, random: Random) -> None:
    for game_id, before, game in _played(anywhere, random):
        entries = anywhere.store.last_seq(game_id)
        assert game.seq == entries
        if entries == before.seq:
            assert game == before


@_some
@given(random=_random)
def test_undoing_an_act_returns_the_game_before_it(anywhere: Tables, random: Random) -> None:
    for game_id, before, game in _played(anywhere, random):
        done = anywhere.log(game_id)[-1]
        if game.seq == before.seq or isinstance(done.event, Undone | CodesRenewed):
            continue
        undone = anywhere.act(game_id, HOST, Undone(seq=done.seq))
        assert _same_apart_from_undoing(undone) == _same_apart_from_undoing(before)
        # and goes on as if it had not been undone, so that longer nights come about
        anywhere.act(game_id, done.actor, done.event)


@_some
@given(random=_random)
def test_what_everyone_records_is_there_from_reading_to_the_end(
    anywhere: Tables, random: Random
) -> None:
    for _, _, game in _played(anywhere, random):
        allocation = game.allocation()
        assert (allocation is None) == (game.now.reading is None)
        if game.phase in ("write", "over"):
            assert allocation is not None
            nothing_open = [not each.choices and not each.doubts for each in allocation.players]
            assert all(nothing_open)


def test_rounds_of_a_night_are_in_order_and_the_marker_goes_round() -> None:
    game = fold_of_rounds(4)
    firsts = [game.order(number)[0] for number in range(1, 5)]
    assert firsts == ["red", "blue", "green", "red"]
    assert [game.order(n)[1:] for n in (1, 2)] == [("blue", "green"), ("green", "red")]


def fold_of_rounds(rounds: int) -> Game:
    from sonora_vision.table.fold import after, begin

    game = begin(made("red", "blue", "green", rounds=12))
    seq = itertools.count(2)
    for _ in range(rounds - 1):
        game = after(game, recorded("red: 1@off | blue: 1@off | green: 1@off"), next(seq))
        for color in game.playing:
            game = after(game, Ready(color=color), next(seq))
        for color in game.playing:
            game = after(game, Finished(color=color), next(seq))
        game = after(game, NextRound(), next(seq))
    return game
