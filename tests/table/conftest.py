"""Fresh games, on SQLite and, where it is installed, on PostgreSQL."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url

from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from tests.table.server import postgresql, programs

_COUNT = itertools.count()
MakeUrl = Callable[[], str]


@pytest.fixture(scope="session")
def postgresql_address() -> Iterator[str]:
    if programs() is None:
        words = (
            "PostgreSQL is not installed: a club's database is NOT tested (apt install postgresql)"
        )
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.warn(words, stacklevel=1)
        pytest.skip(f"*** {words} ***")
    with postgresql() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> MakeUrl:
    """Makes the address of an empty database."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path / f'table{next(_COUNT)}.db'}"
    address: str = request.getfixturevalue("postgresql_address")
    return lambda: new_database(address)


def new_database(address: str) -> str:
    """Empty the server's one database, which is faster than another one, and return its address."""
    engine = create_engine(
        make_url(f"{address}/postgres").set(drivername="postgresql+psycopg"),
        isolation_level="AUTOCOMMIT",
    )
    with engine.connect() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()
    return f"{address}/postgres"


@pytest.fixture
def url(new_url: MakeUrl) -> str:
    return new_url()


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    store = Store(url, tmp_path)
    yield store
    store.close()


@pytest.fixture
def tables(store: Store) -> Tables:
    return Tables(store)


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Tables]:
    """Games on SQLite alone, where the database makes no difference."""
    store = Store(f"sqlite:///{tmp_path / 'quick.db'}", tmp_path)
    yield Tables(store)
    store.close()
