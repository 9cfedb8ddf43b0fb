"""The one door to the games: acts are checked, written down, and then told to whoever listens."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

from sonora_vision.errors import RuleError, SonoraError
from sonora_vision.table.events import HOST, Event, Logged, Made, Undone
from sonora_vision.table.fold import after, begin, fold
from sonora_vision.table.game import Game
from sonora_vision.table.permission import check
from sonora_vision.table.store import GameEntry, Store, TakenError

Listener = Callable[[str, int], None]
"""Told a game's id and the number of its new last event."""
_TRIES = 5


class NoGameError(SonoraError):
    """There is no such game."""


class Tables:
    """The games of a store as they are now; safe to call from any thread.

    Another process may write to the same store: every call looks for what is new first.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._logs: dict[str, list[Logged]] = {}
        self._games: dict[str, Game] = {}
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Tell a function of every event that happens through this object."""
        self._listeners.append(listener)

    def games(self) -> list[GameEntry]:
        """Return all games, newest first."""
        return self.store.games()

    def make(self, made: Made) -> str:
        """Begin a game and return its id; raises `RuleError` for one that cannot be played."""
        begin(made)
        game_id = self.store.make(made, actor=HOST)
        self._tell(game_id, 1)
        return game_id

    def game(self, game_id: str) -> Game:
        """Return a game as it is now; raises `NoGameError`."""
        with self._lock:
            self._catch_up(game_id)
            return self._games[game_id]

    def log(self, game_id: str) -> list[Logged]:
        """Return all events of a game; raises `NoGameError`."""
        with self._lock:
            self._catch_up(game_id)
            return list(self._logs[game_id])

    def act(self, game_id: str, actor: str, event: Event, *, action_id: str = "") -> Game:
        """Let an event happen and write it down.

        Parameters
        ----------
        actor : str
            `HOST` or a player's color.
        action_id : str
            The same for an act that is sent again; it then happens once. Made up if empty.

        Returns
        -------
        Game
            After the event, which is on the disk.

        Raises
        ------
        NoGameError, ForbiddenError, RuleError
            The game is then what it was.
        """
        action_id = action_id or secrets.token_urlsafe(12)
        with self._lock:
            for _ in range(_TRIES):
                self._catch_up(game_id)
                if self.store.done(game_id, action_id) is not None:
                    return self._games[game_id]
                game, log = self._games[game_id], self._logs[game_id]
                check(game, log, actor, event)
                seq = len(log) + 1
                changed = self._tried(game, log, actor, event, seq)
                try:
                    logged = self.store.append(
                        game_id, seq, event, actor=actor, action_id=action_id
                    )
                except TakenError:
                    continue  # another process was first: look again
                self._logs[game_id] = [*log, logged]
                self._games[game_id] = changed
                break
            else:
                raise TakenError("the table is busy; try again")
        self._tell(game_id, seq)
        return changed

    def _tried(self, game: Game, log: list[Logged], actor: str, event: Event, seq: int) -> Game:
        """Return the game after an event that is not written yet."""
        if not isinstance(event, Undone):
            return after(game, event, seq)
        target = next((entry for entry in log if entry.seq == event.seq), None)
        gone = {entry.event.seq for entry in log if isinstance(entry.event, Undone)}
        if target is None or isinstance(target.event, Undone) or target.seq in gone:
            raise RuleError("undo: there is no such act, or it is undone already")
        if target.seq <= game.now.began:
            raise RuleError("undo: only what happened in this round can be undone")
        try:
            return fold([*log, Logged(seq=seq, at="", actor=actor, event=event)])
        except RuleError as error:
            raise RuleError(
                f"undo: later acts are built on it ({error}); undo them first"
            ) from None

    def _catch_up(self, game_id: str) -> None:
        log = self._logs.get(game_id, [])
        new = self.store.log(game_id, after=len(log))
        if not log and not new:
            raise NoGameError("there is no such game")
        if new:
            self._logs[game_id] = [*log, *new]
            self._games[game_id] = fold(self._logs[game_id])

    def _tell(self, game_id: str, seq: int) -> None:
        for listener in self._listeners:
            listener(game_id, seq)
