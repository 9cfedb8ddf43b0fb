"""Opening a database so that what is written outlasts a power cut."""

from __future__ import annotations

import sqlite3
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from sonora_vision.table.upgrade import LOCK, bring_up_to_date
from sonora_vision.table.words import StoreError, in_words, shown_url

_EXAMPLES = "sqlite:////path/to/table.db or postgresql://user:password@host/database"
_PAUSE_S = 0.02


def open_database(url: str, *, wait_s: float) -> tuple[Engine, str]:
    """Open a database and bring its tables up to date.

    Parameters
    ----------
    url : str
        As SQLAlchemy writes it; an SQLite file, or PostgreSQL.
    wait_s : float
        How long to wait for others who write, in seconds.

    Returns
    -------
    tuple of Engine and str
        And the database's name for messages, which holds no password.

    Raises
    ------
    StoreError
        If the address is none, or the database cannot be used.
    """
    address = _address(url)
    where = shown_url(address)
    if address.get_backend_name() == "sqlite":
        engine = _sqlite(address, where, wait_s)
    else:
        engine = _postgresql(address, wait_s)
    try:
        with in_words(where):
            bring_up_to_date(engine, where)
    except BaseException:
        engine.dispose()
        raise
    return engine, where


def file_mark(engine: Engine) -> tuple[int, int] | None:
    """Return what tells an SQLite file from any other at its place; None without a file."""
    database = str(engine.url.database)
    if engine.url.get_backend_name() != "sqlite" or database.startswith("file:"):
        return None
    try:
        found = Path(database).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _address(url: str) -> URL:
    """Check an address; a wrong one may hold a password, so that none is ever quoted."""
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError(f"database: expected an address such as {_EXAMPLES}") from None
    if address.drivername in ("sqlite", "sqlite+pysqlite"):
        if not address.database or address.database == ":memory:":
            raise StoreError(
                "database: expected a file, as in sqlite:////path/to/table.db; in memory nothing "
                "would outlast the program"
            )
        return address
    if address.drivername not in ("postgresql", "postgresql+psycopg"):
        raise StoreError(
            f"database: expected an address such as {_EXAMPLES}, got {address.drivername}://"
        )
    if not address.database:
        raise StoreError("database: expected a database's name at the end, as in /sonora")
    if find_spec("psycopg") is None:
        raise StoreError("database: PostgreSQL needs: pip install 'sonora-vision[club]'")
    return address.set(drivername="postgresql+psycopg")


def _postgresql(address: URL, wait_s: float) -> Engine:
    settings = {
        "synchronous_commit": "on",  # an answered action outlives a power cut
        "lock_timeout": f"{wait_s * 1000:.0f}",
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return create_engine(
        address,
        pool_pre_ping=True,  # the server may have been restarted
        hide_parameters=True,
        connect_args={"connect_timeout": max(2, round(wait_s)), "options": options},
    )


def _sqlite(address: URL, where: str, wait_s: float) -> Engine:
    if not str(address.database).startswith("file:"):
        try:
            Path(str(address.database)).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{where}: its folder cannot be made: {error.strerror}") from None
    engine = create_engine(address, hide_parameters=True, connect_args={"timeout": wait_s})

    @event.listens_for(engine, "connect")
    def _durable(connection: Any, _: object) -> None:
        connection.isolation_level = None  # BEGIN is ours to say, see below
        _write_ahead(connection, wait_s)
        connection.execute("PRAGMA synchronous=FULL")  # an answered action outlives a power cut
        connection.execute("PRAGMA foreign_keys=ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        locked = connection.get_execution_options().get(LOCK)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if locked else "BEGIN")

    return engine


def _write_ahead(connection: sqlite3.Connection, wait_s: float) -> None:
    """Let readers and a writer not wait for each other; two that begin at once may collide."""
    until = time.monotonic() + wait_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > until:
                raise
            time.sleep(_PAUSE_S)
