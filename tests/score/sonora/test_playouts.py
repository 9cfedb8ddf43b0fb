"""A thousand whole games: nothing illegal, the same totals twice over, logs that come back."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from sonora_vision.score.sonora.events import Event, event_text, parse_event
from sonora_vision.score.sonora.game_state import GameState, new_game
from sonora_vision.score.sonora.log import GameLog
from sonora_vision.score.sonora.playout import Player, greedy_player, play, random_player
from sonora_vision.score.sonora.rounds import fold, scores
from sonora_vision.score.sonora.sheet_file import house_sheet
from sonora_vision.score.sonora.state_check import impossible
from sonora_vision.score.sonora.state_text import parse_state, state_text
from tests.score.sonora.naive_scorer import naive_points

COLORS = ("red", "blue", "green", "yellow")
GAMES = 1000
REPLAYED_EVERY = 10
"""Replaying costs as much as playing; every tenth game is enough."""


def opening(seed: int) -> GameState:
    """Return a game of 1 to 4 players, every fifth of them solo with its rival."""
    players, solo = 1 + seed % 4, seed % 5 == 0
    return new_game(
        house_sheet(),
        COLORS[: 3 if solo else players],
        solo=solo,
        rounds=("short", "standard", "long")[seed % 3],
    )


def played(seed: int, player: Player) -> tuple[GameState, list[Event], GameState]:
    start = opening(seed)
    state, events = start, []
    for event, after in play(start, Random(seed), player):
        state = after
        events.append(event)
    return start, events, state


@pytest.mark.parametrize("hundred", range(GAMES // 100))
def test_whole_games(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        player = random_player if seed % 2 else greedy_player
        start, events, end = played(seed, player)
        assert end.phase == "over"
        assert end.round == start.setup.rounds
        setting = end.setup.setting
        firsts = 0
        for name, sheet in end.sheets.items():
            assert impossible(setting, sheet) is None, f"seed {seed}, {name}"
            text = state_text(setting, sheet)
            assert parse_state(setting, text) == sheet
            naive = naive_points(end.setup.sheet.toml, text)
            ours = next(p for p in scores(end).players if p.player == name)
            assert {row.label: row.value for row in ours.rows} == naive, f"seed {seed}, {name}"
            assert ours.total == sum(naive.values())
            assert not firsts & sheet.top, f"seed {seed}: two players were first"
            firsts |= sheet.top
        if seed % REPLAYED_EVERY == 0:
            texts = [event_text(event) for event in events]
            again = fold(start, [parse_event(text) for text in texts])
            assert again.now == end


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_a_log_comes_back_to_the_same_state(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "game.log"
    start = opening(seed)
    log = GameLog.create(path, start)
    for event, _ in play(start, Random(seed)):
        log.append(event)
    again = GameLog.resume(path)
    assert again.history.now == log.history.now
    assert again.history.now.phase == "over"


def test_a_seed_plays_the_same_game() -> None:
    assert played(7, random_player)[1] == played(7, random_player)[1]
