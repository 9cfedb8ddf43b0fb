"""A game that is killed again and again, played in a process of its own that loads little.

``python -m tests.table.killed_game FOLDER TIMES SEED``: a child plays through `Tables` on a folder
and tells each act that was acknowledged on a pipe; at a random moment it gets SIGKILL. Then the
folder is looked at: every told act is there, in order, and at most one more that was not told in
time; the game folds; the next child goes on from there. Prints figures as JSON; exits with 1 and
says what was lost, if anything was.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import TypeAlias

import alembic.command  # noqa: F401 - loaded once, not by every child that makes a database

from sonora_vision.errors import SonoraError
from sonora_vision.table.fold import fold
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from tests.table.night import made
from tests.table.taps import tap

Act: TypeAlias = tuple[str, int, str]
"""Game, number of the event, action id."""
_OPENING_S = 0.05
"""Longer than a database takes to be opened; a new one takes some longer."""
_WITHIN_S = 0.01
"""Longer than an act takes."""
_ACTS = 4


def main(folder: Path, times: int, seed: int) -> None:
    """Kill a game some times over, and look at what is left each time."""
    random = Random(seed)
    told: list[Act] = []
    kills: Counter[str] = Counter()
    for turn in range(times):
        acts, after_s = random.randint(1, _ACTS), random.random() * _WITHIN_S
        kind = random.choice(("opening", "new", *["playing"] * 6))
        if kind != "playing":
            acts, after_s = 0, random.random() * _OPENING_S
        at = folder / (f"new{turn}.db" if kind == "new" else "table.db")
        now_told = _killed(at, acts, after_s, random.randrange(1 << 30))
        kills[kind] += 1
        if kind == "new":
            _look(at, now_told, now_told, 1)
        else:
            told += now_told
            _look(at, told, now_told, kills["opening"] + kills["playing"])
    print(json.dumps({"kills": kills, "acts": len(told)}))


def _killed(at: Path, acts: int, after_s: float, seed: int) -> list[Act]:
    """Let a child play some acts and a moment more; return the acts that it told."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _play(at, writing, Random(seed))
        finally:
            os._exit(3)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        lines = [pipe.readline() for _ in range(acts)]
        time.sleep(after_s)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        lines += pipe.readlines()
    if not os.WIFSIGNALED(status):
        sys.exit(f"the child ended by itself after {lines}")
    words = [line.split() for line in lines if line.endswith("\n")]
    return [(game_id, int(seq), action) for game_id, seq, action in words]


def _play(at: Path, writing: int, random: Random) -> None:
    """Go on with the newest game, or begin one; tell each act once it is acknowledged."""
    tables = Tables(Store(f"sqlite:///{at}", at.parent))
    games = tables.games()
    game_id = games[0].id if games else ""
    while True:
        if not game_id or tables.game(game_id).phase == "over":
            game_id = tables.make(made(rounds=2))
            os.write(writing, f"{game_id} 1 log-1\n".encode())
        actor, event = tap(tables.game(game_id), random)
        action = f"{random.randrange(1 << 60):x}"
        try:
            seq = tables.act(game_id, actor, event, action_id=action).seq
        except SonoraError:
            continue  # refused: nothing is acknowledged
        os.write(writing, f"{game_id} {seq} {action}\n".encode())


def _look(at: Path, told: list[Act], now_told: list[Act], kills: int) -> None:
    """End with an error if an act that was told is not there, or something is there by half."""
    store = Store(f"sqlite:///{at}", at.parent)
    there = {entry.id: store.last_seq(entry.id) for entry in store.games()}
    newest = [entry.id for entry in store.games()[:1]]  # the others are as they were
    for game_id in {*newest, *(game_id for game_id, _, _ in now_told)}:
        log = store.log(game_id)
        if [entry.seq for entry in log] != list(range(1, len(log) + 1)):
            sys.exit(f"{game_id}: events are missing between others")
        fold(log)  # raises where it is not a game
    for game_id, seq, _ in told:
        if seq > there.get(game_id, 0):
            sys.exit(f"{game_id}: act {seq} was acknowledged and is lost")
    for game_id, _, action in now_told:
        if store.done(game_id, action) is None:
            sys.exit(f"{game_id}: action {action} was acknowledged and is another's")
    untold = sum(there.values()) - len(told)
    if untold > kills:  # each kill may come between the disk and the telling, once
        sys.exit(f"{untold} acts are there that nobody was told of, after {kills} kills")
    store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
