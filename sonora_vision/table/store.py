"""Where games are kept: an append-only log of events in a database.

SQLite by default; PostgreSQL for a club with several tables. An event that was acknowledged is on
the disk. One that is sent again under the same action id, because the answer was lost, is not
written twice.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sonora_vision.errors import SonoraError
from sonora_vision.table.database import file_mark, open_database
from sonora_vision.table.events import EVENT, Event, Logged, Made
from sonora_vision.table.rows import EventRow, GameRow
from sonora_vision.table.words import StoreError, in_words

_ID_BYTES = 9
_TRIES = 3
_ID = re.compile(r"[A-Za-z0-9_-]{1,24}")
WAIT_S = 10.0
"""How long to wait for others who write; one event takes milliseconds."""


@dataclass(frozen=True, kw_only=True)
class GameEntry:
    """A game in the list of games."""

    id: str
    name: str
    made_at: datetime
    """UTC."""


@dataclass(frozen=True, kw_only=True)
class Done:
    """An event and who made it happen, as an action led to it."""

    actor: str
    event: Event


class TakenError(SonoraError):
    """Another event came first; look at the game again."""


class Store:
    """The games of one table, or of a club; safe to call from any thread and several programs.

    Parameters
    ----------
    url : str
        A database, as SQLAlchemy names it: ``sqlite:////path/to/table.db`` or
        ``postgresql://user:password@host/database``.
    folder : Path
        What belongs to the table besides.
    wait_s : float
        How long to wait for others who write, in seconds.

    Raises
    ------
    StoreError
        Here and in every method, if the database cannot do what is asked.
    """

    def __init__(self, url: str, folder: Path, *, wait_s: float = WAIT_S) -> None:
        self.folder = folder
        self._engine, self.where = open_database(url, wait_s=wait_s)
        self._mark = file_mark(self._engine)

    def close(self) -> None:
        """Let the database go."""
        self._engine.dispose()

    def games(self) -> list[GameEntry]:
        """Return all games, newest first."""
        with self._session() as session:
            rows = session.scalars(select(GameRow).order_by(GameRow.made_at.desc(), GameRow.id))
            return [_entry(row) for row in rows]

    def entry(self, game_id: str) -> GameEntry | None:
        """Return a game's entry, None for one that is not there."""
        if not is_id(game_id):
            return None
        with self._session() as session:
            row = session.get(GameRow, game_id)
            return None if row is None else _entry(row)

    def make(self, made: Made, *, actor: str) -> str:
        """Begin a game and return its id."""
        now = datetime.now(UTC)
        first = Logged(seq=1, at=_stamp(now), actor=actor, event=made)
        return self.adopt(now, [first])

    def adopt(self, made_at: datetime, log: Sequence[Logged]) -> str:
        """Write a whole game, all or nothing, and return its id.

        The id is new, so that no seat's code of a game that was deleted here opens its copy.
        """
        made = log[0].event
        assert isinstance(made, Made)
        for _ in range(_TRIES):
            each_id = secrets.token_urlsafe(_ID_BYTES)
            try:
                with self._writing() as session:
                    session.add(GameRow(id=each_id, name=made.name, made_at=made_at))
                    session.flush()
                    session.add_all(_row(each_id, each, f"log-{each.seq}") for each in log)
                return each_id
            except IntegrityError:
                continue
        raise TakenError("the table is busy; try again")

    def remove(self, game_id: str) -> None:
        """Delete a game with all its events."""
        with self._writing() as session:
            session.execute(delete(GameRow).where(GameRow.id == game_id))

    def log(self, game_id: str) -> list[Logged]:
        """Return a game's events; none for a game that is not there."""
        return self.since(game_id, None) or []

    def since(self, game_id: str, last: Logged | None) -> list[Logged] | None:
        """Return a game's events after one of them; None where that event is not in it."""
        if not is_id(game_id):
            return None
        seen = 0 if last is None else last.seq
        with self._session() as session:
            query = select(EventRow).where(EventRow.game_id == game_id, EventRow.seq >= seen)
            rows = session.scalars(query.order_by(EventRow.seq)).all()
        if last is not None:
            if not rows or (rows[0].seq, rows[0].at) != (last.seq, last.at):
                return None
            rows = rows[1:]
        return [self._logged(row) for row in rows]

    def done(self, game_id: str, action_id: str) -> Done | None:
        """Return what an action led to, None if it led to nothing."""
        with self._session() as session:
            row = session.scalars(
                select(EventRow).where(EventRow.game_id == game_id, EventRow.action_id == action_id)
            ).one_or_none()
        return None if row is None else Done(actor=row.actor, event=self._logged(row).event)

    def append(
        self, game_id: str, seq: int, happened: Event, *, actor: str, action_id: str
    ) -> Logged:
        """Write an event; when this returns it is on the disk.

        Raises
        ------
        TakenError
            If there is an event of that number, or of that action, already; or no such game.
        """
        logged = Logged(seq=seq, at=_stamp(datetime.now(UTC)), actor=actor, event=happened)
        try:
            with self._writing() as session:
                session.add(_row(game_id, logged, action_id))
        except IntegrityError:
            raise TakenError(f"game {game_id}: event {seq} is there already") from None
        return logged

    def last_seq(self, game_id: str) -> int:
        """Return the number of a game's last event, 0 for a game that is not there."""
        with self._session() as session:
            query = select(func.max(EventRow.seq)).where(EventRow.game_id == game_id)
            return session.scalar(query) or 0

    def mentions(self, word: str) -> bool:
        """Whether an event of any game holds a word."""
        with self._session() as session:
            query = select(EventRow.id).where(EventRow.body.contains(word, autoescape=True))
            return session.scalar(query.limit(1)) is not None

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with in_words(self.where), Session(self._engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        """Write while the file that was opened is there: in a deleted one nothing is kept."""
        with self._session() as session, session.begin():
            yield session
            if file_mark(self._engine) != self._mark:
                raise StoreError(
                    f"{self.where}: it was deleted or replaced while the program runs, so nothing "
                    "more is kept in it; export the games that matter, and start the program again"
                )

    def _logged(self, row: EventRow) -> Logged:
        try:
            event = EVENT.validate_json(row.body)
            return Logged(seq=row.seq, at=row.at, actor=row.actor, event=event)
        except ValidationError:
            raise StoreError(
                f"{self.where}: game {row.game_id}: event {row.seq} is none that this program "
                "knows; a newer one wrote it, or it was changed by hand"
            ) from None


def is_id(text: str) -> bool:
    """Whether a text can be a game's id."""
    return _ID.fullmatch(text) is not None


def _entry(row: GameRow) -> GameEntry:
    # SQLite keeps no zone; what is written is UTC
    return GameEntry(id=row.id, name=row.name, made_at=row.made_at.replace(tzinfo=UTC))


def _stamp(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")


def _row(game_id: str, logged: Logged, action_id: str) -> EventRow:
    return EventRow(
        game_id=game_id,
        seq=logged.seq,
        at=logged.at,
        actor=logged.actor,
        action_id=action_id,
        body=EVENT.dump_json(logged.event).decode(),
    )
