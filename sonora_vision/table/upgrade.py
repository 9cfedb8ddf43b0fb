"""Bringing a database to this program's revision: under a lock, and not without a copy."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, select, text
from sqlalchemy.sql import column, table

from sonora_vision.table.words import StoreError

if TYPE_CHECKING:
    from alembic.config import Config

REVISIONS = ("0001", "0002")
"""All that this program knows, oldest first; `migrations` has a step for each."""
LOCK = "lock"
"""The execution option under which a transaction on SQLite locks out other writers at once."""
_POSTGRESQL_LOCK = 0x50_4E_4F_52_41
"""Names the lock that one program holds while it migrates; any number that others do not use."""


def bring_up_to_date(engine: Engine, where: str) -> None:
    """Make the tables, or bring those of an older program up to date.

    Several programs may start at once: one does it, the others wait. It is one transaction, so
    that a power cut leaves the old database. Of an SQLite file that is changed, a copy is kept
    beside it.

    Raises
    ------
    StoreError
        If the database is newer than the program, or another program's.
    """
    with engine.connect() as connection:
        if _revision(connection, where) == REVISIONS[-1]:
            return
    with engine.connect().execution_options(**{LOCK: True}) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(
                text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRESQL_LOCK}
            )
        revision = _revision(connection, where)
        if revision == REVISIONS[-1]:
            return  # another program was first
        if revision is not None and engine.dialect.name == "sqlite":
            _keep_copy(engine, revision)
        migrate(connection, REVISIONS[-1])


def migrate(connection: Connection, revision: str) -> None:
    """Run the steps up to a revision, in the connection's transaction."""
    from alembic import command  # takes as long to load as all else, and is seldom needed

    command.upgrade(configuration(connection), revision)


def configuration(connection: Connection) -> Config:
    """Return what Alembic needs to work on a connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def _revision(connection: Connection, where: str) -> str | None:
    """Return the revision of a database, None for an empty one."""
    tables = set(inspect(connection).get_table_names())
    revision = None
    if "alembic_version" in tables:
        revision = connection.scalar(
            select(column("version_num")).select_from(table("alembic_version"))
        )
    if revision is None and {"games", "events"} & tables:
        raise StoreError(
            f"{where}: expected a database of Sonora Vision, got tables of another program; "
            "name another database"
        )
    if revision is not None and revision not in REVISIONS:
        raise StoreError(
            f"{where}: expected revision {REVISIONS[-1]} or older, got {revision}: a newer "
            "Sonora Vision made this database; update the program"
        )
    return revision


def _keep_copy(engine: Engine, revision: str) -> None:
    """Keep an SQLite database as it is before it is changed."""
    path = Path(str(engine.url.database))
    copy = path.with_name(f"{path.stem}-{revision}{path.suffix}")
    half = copy.with_name(f".{copy.name}.half")
    half.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(half)) as new:
        old.backup(new)
    with half.open("rb") as written:
        os.fsync(written.fileno())
    half.replace(copy)
