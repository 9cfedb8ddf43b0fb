"""The tables of the database; `migrations` bring an older database to what is said here."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, Integer, MetaData, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_NAMES = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
}
"""A constraint without a name cannot be changed by a migration."""


class Base(DeclarativeBase):
    """All tables."""

    metadata = MetaData(naming_convention=_NAMES)


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
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    seq: Mapped[int]
    at: Mapped[str] = mapped_column(String(32))
    actor: Mapped[str] = mapped_column(String(40))
    action_id: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
