"""Where games are kept: an append-only log of events in a database, pictures beside it.

SQLite by default; any URL that SQLAlchemy knows for a club with several tables. An event that was
acknowledged is on the disk. One that is sent again under the same action id, because the answer
was lost, is not written twice.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import (
    DateTime,
    Engine,
    ForeignKey,
    Integer,
    String,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    func,
    select,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from sonora_vision.errors import SonoraError
from sonora_vision.table.events import EVENT, Event, Logged, Made

_ID_BYTES = 9


class Base(DeclarativeBase):
    """The tables of the database."""


class GameRow(Base):
    """A game; all else about it is in its events."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    made_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class EventRow(Base):
    """An event of a game, never changed once it is written."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("game_id", "seq"),
        UniqueConstraint("game_id", "action_id"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seq: Mapped[int]
    at: Mapped[str] = mapped_column(String(32))
    actor: Mapped[str] = mapped_column(String(40))
    action_id: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)


@dataclass(frozen=True, kw_only=True)
class GameEntry:
    """A game in the list of games."""

    id: str
    name: str
    made_at: datetime


class TakenError(SonoraError):
    """Another event came first; look at the game again."""


class Store:
    """The games of one table, or of a club.

    Parameters
    ----------
    url : str
        A database, as SQLAlchemy names it; ``sqlite:////path/to/table.db``.
    folder : Path
        Where pictures are kept.
    """

    def __init__(self, url: str, folder: Path) -> None:
        self.folder = folder
        self._engine = _engine(url)
        Base.metadata.create_all(self._engine)

    def close(self) -> None:
        """Let the database go."""
        self._engine.dispose()

    def games(self) -> list[GameEntry]:
        """Return all games, newest first."""
        with Session(self._engine) as session:
            rows = session.scalars(select(GameRow).order_by(GameRow.made_at.desc()))
            return [GameEntry(id=row.id, name=row.name, made_at=row.made_at) for row in rows]

    def make(self, made: Made, *, actor: str) -> str:
        """Begin a game and return its id."""
        game_id = secrets.token_urlsafe(_ID_BYTES)
        now = datetime.now(UTC)
        with Session(self._engine) as session, session.begin():
            session.add(GameRow(id=game_id, name=made.name, made_at=now))
            session.flush()
            session.add(_row(game_id, 1, actor, "made", made, now))
        return game_id

    def log(self, game_id: str, *, after: int = 0) -> list[Logged]:
        """Return a game's events after one of them; none for a game that is not there."""
        with Session(self._engine) as session:
            rows = session.scalars(
                select(EventRow)
                .where(EventRow.game_id == game_id, EventRow.seq > after)
                .order_by(EventRow.seq)
            )
            return [_logged(row) for row in rows]

    def done(self, game_id: str, action_id: str) -> Logged | None:
        """Return the event that an action led to, None if it led to none."""
        with Session(self._engine) as session:
            row = session.scalars(
                select(EventRow).where(EventRow.game_id == game_id, EventRow.action_id == action_id)
            ).one_or_none()
            return None if row is None else _logged(row)

    def append(
        self, game_id: str, seq: int, happened: Event, *, actor: str, action_id: str
    ) -> Logged:
        """Write an event; when this returns it is on the disk.

        Raises
        ------
        TakenError
            If there is an event of that number, or of that action, already.
        """
        row = _row(game_id, seq, actor, action_id, happened, datetime.now(UTC))
        logged = _logged(row)
        try:
            with Session(self._engine) as session, session.begin():
                session.add(row)
        except IntegrityError:
            raise TakenError(f"game {game_id}: event {seq} is there already") from None
        return logged

    def last_seq(self, game_id: str) -> int:
        """Return the number of a game's last event, 0 for a game that is not there."""
        with Session(self._engine) as session:
            query = select(func.max(EventRow.seq)).where(EventRow.game_id == game_id)
            return session.scalar(query) or 0


def _engine(url: str) -> Engine:
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _durable(connection: object, _: object) -> None:
            cursor = connection.cursor()  # type: ignore[attr-defined]  # a DBAPI connection
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")  # an answered action outlives a power cut
            cursor.execute("PRAGMA foreign_keys=ON")
            cursor.close()

    return engine


def _row(
    game_id: str, seq: int, actor: str, action_id: str, happened: Event, at: datetime
) -> EventRow:
    return EventRow(
        game_id=game_id,
        seq=seq,
        at=at.isoformat(timespec="milliseconds"),
        actor=actor,
        action_id=action_id,
        body=EVENT.dump_json(happened).decode(),
    )


def _logged(row: EventRow) -> Logged:
    return Logged(seq=row.seq, at=row.at, actor=row.actor, event=EVENT.validate_json(row.body))
