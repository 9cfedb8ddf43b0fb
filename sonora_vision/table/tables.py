"""The one door to the games: acts are checked, written down, and then told to whoever listens."""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from sonora_vision.errors import RuleError, SonoraError
from sonora_vision.table import archive
from sonora_vision.table.events import EVENTS_MAX, HOST, Event, Logged, Made, Undone
from sonora_vision.table.fold import after, begin, fold
from sonora_vision.table.game import Game, Round
from sonora_vision.table.permission import check
from sonora_vision.table.picture_files import PictureFiles
from sonora_vision.table.repairs import Repairs, repairs_of
from sonora_vision.table.store import GameEntry, Store, TakenError
from sonora_vision.table.undo import Standing

_LOG = logging.getLogger(__name__)
Listener = Callable[[str, int], None]
"""Told a game's id and the number of its new last event."""
_TRIES = 20
_ACTION_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_PLAYED_AT_ONCE = 8
"""Games, newest first, whose present round's picture is kept whatever the others take."""


class NoGameError(SonoraError):
    """There is no such game."""


class Tables:
    """The games of a store as they are now; safe to call from any thread.

    Another process may write to the same store: every call looks for what is new first.

    Parameters
    ----------
    store : Store
        Where the games are kept.
    pictures : PictureFiles, optional
        Where their pictures are; from now on those of the rounds being played stay.
    recent_s : float
        For so long after a look at the store a game is shown without looking again: after an act
        fifty phones ask at once. Whoever acts looks in any case.
    """

    def __init__(
        self, store: Store, pictures: PictureFiles | None = None, *, recent_s: float = 0.0
    ) -> None:
        self.store = store
        self._recent_s = recent_s
        self._looked_s: dict[str, float] = {}
        self._pictures = pictures
        self._logs: dict[str, list[Logged]] = {}
        self._games: dict[str, Game] = {}
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._untold: dict[str, int] = {}
        if pictures is not None:
            pictures.spared = self.pictures_in_play

    def listen(self, listener: Listener) -> None:
        """Tell a function of every event, by whichever process, as soon as it is known here."""
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
        with self._up_to_date(game_id, self._recent_s):
            return self._games[game_id]

    def log(self, game_id: str) -> list[Logged]:
        """Return all events of a game; raises `NoGameError`."""
        with self._up_to_date(game_id, self._recent_s):
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
        NoGameError, ForbiddenError, RuleError, FileFormatError
            The game is then what it was.
        StoreError
            If the database gave no answer: the event may have happened or not, and sending it
            again under the same action id makes sure that it has, once.
        """
        action_id = action_id or secrets.token_urlsafe(12)
        if _ACTION_ID.fullmatch(action_id) is None:
            raise RuleError("action id: expected up to 64 letters, digits and _.:-")
        for _ in range(_TRIES):
            with self._up_to_date(game_id):
                try:
                    return self._act(game_id, actor, event, action_id)
                except TakenError:
                    continue  # another process was first: look again
        raise TakenError("the table is busy; try again")

    def export(self, game_id: str, *, pictures: bool = True) -> bytes:
        """Return a game as one file, a zip, with its pictures or without; raises `NoGameError`."""
        entry, log = self.store.entry(game_id), self.log(game_id)
        if entry is None:
            raise NoGameError("there is no such game")
        return archive.pack(entry, log, self._pictures if pictures else None)

    def import_(self, raw: bytes) -> str:
        """Take in a game's file and return the id that the game has here.

        Raises
        ------
        FileFormatError
            If it is no such file, was edited, or is of a newer program; nothing is taken in.
        """
        found = archive.unpack(raw)
        if self._pictures is not None:
            for key, files in found.pictures.items():
                if not self._pictures.has(key):
                    self._pictures.write(files, key)
        game_id = self.store.adopt(found.made_at, found.log)
        self._tell(game_id, len(found.log))
        return game_id

    def delete(self, game_id: str) -> None:
        """Delete a game for good, and its pictures unless a copy of it has them too."""
        keys = archive.keys_of(self.log(game_id))
        self.store.remove(game_id)
        if self._pictures is not None:
            for key in keys:
                if not self.store.mentions(key):
                    self._pictures.remove(key)
        with self._lock:
            self._forget(game_id)

    def recent_repairs(self, board: str | None = None, *, since: datetime | None = None) -> Repairs:
        """Count how many of the discs that were read of late had to be put right.

        Parameters
        ----------
        board : str, optional
            Count games on this board alone.
        since : datetime, optional
            Count what was read after this alone: after the calibration, which mended the rest.
        """
        return repairs_of(self._rounds(board, since))

    def pictures_in_play(self) -> set[str]:
        """Return the pictures of the rounds that are being played in the newest games."""
        newest = self._readable(self.games()[:_PLAYED_AT_ONCE])
        return {game.now.picture for _, game in newest if game.now.picture is not None}

    def _readable(self, entries: Iterable[GameEntry]) -> Iterator[tuple[str, Game]]:
        """Yield games, without those that were just deleted or that a newer program wrote."""
        for entry in entries:
            try:
                yield entry.id, self.game(entry.id)
            except SonoraError as error:
                _LOG.warning("game %s is passed over: %s", entry.id, error)

    def _rounds(self, board: str | None, since: datetime | None) -> Iterator[Round]:
        """Yield rounds that were read, newest first, game by game."""
        for game_id, game in self._readable(self.games()):
            log = self.log(game_id)
            if board is not None and game.board != board:
                continue
            for each in reversed(game.every_round):
                if each.recorded is None:
                    continue
                read_at = datetime.fromisoformat(log[each.recorded - 1].at)
                if since is None or read_at >= since:
                    yield each

    def _act(self, game_id: str, actor: str, event: Event, action_id: str) -> Game:
        """Act on a game that is up to date; raises `TakenError` where it is not any more."""
        game, log = self._games[game_id], self._logs[game_id]
        done = self.store.done(game_id, action_id)
        if done is not None:
            if (done.actor, done.event) != (actor, event):
                raise RuleError("this action was sent before, as another; load the page again")
            return game
        check(game, log, actor, event)
        if len(log) >= (EVENTS_MAX if actor == HOST else EVENTS_MAX // 2):
            raise RuleError("too many acts in this game: its host alone goes on, or begins another")
        seq = len(log) + 1
        if isinstance(event, Undone):
            undone = Logged(seq=seq, at="", actor=actor, event=event)
            changed = _refolded([*log, undone], event)
        else:
            changed = after(game, event, seq)
        logged = self.store.append(game_id, seq, event, actor=actor, action_id=action_id)
        self._logs[game_id] = [*log, logged]
        self._games[game_id] = changed
        self._untold[game_id] = seq
        return changed

    @contextmanager
    def _up_to_date(self, game_id: str, recent_s: float = 0.0) -> Iterator[None]:
        """Hold a game still and up to date; what is new is told when it is let go."""
        try:
            with self._lock:
                now_s = time.monotonic()
                looked_s = self._looked_s.get(game_id)
                if game_id not in self._games or looked_s is None or now_s - looked_s >= recent_s:
                    self._catch_up(game_id)
                    self._looked_s[game_id] = now_s
                yield
        finally:
            with self._lock:
                untold, self._untold = self._untold, {}
            for each, seq in untold.items():
                self._tell(each, seq)

    def _catch_up(self, game_id: str) -> None:
        log = self._logs.get(game_id, [])
        new = self.store.since(game_id, log[-1] if log else None)
        if new is None:  # deleted, or put in anew by another process
            self._forget(game_id)
            log, new = [], self.store.since(game_id, None)
        if not log and not new:
            raise NoGameError("there is no such game")
        if new:
            game = fold([*log, *new])
            if log:
                self._untold[game_id] = new[-1].seq
            self._logs[game_id] = [*log, *new]
            self._games[game_id] = game

    def _forget(self, game_id: str) -> None:
        self._logs.pop(game_id, None)
        self._games.pop(game_id, None)
        self._looked_s.pop(game_id, None)

    def _tell(self, game_id: str, seq: int) -> None:
        for listener in self._listeners:
            try:
                listener(game_id, seq)
            except Exception:  # noqa: BLE001 - what happened is written down, whoever cannot hear
                _LOG.exception("game %s: event %d could not be told", game_id, seq)


def _refolded(log: list[Logged], undone: Undone) -> Game:
    """Return the game without an act that is undone by the last of the events."""
    Standing(log[:-1]).check(undone.seq)
    try:
        return fold(log)
    except RuleError as error:
        raise RuleError(f"undo: later acts are built on it ({error}); undo them first") from None
