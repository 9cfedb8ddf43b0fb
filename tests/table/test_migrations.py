"""A database of any earlier program is brought up to date, once, or left as it was."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, make_url, text

from sonora_vision.table import upgrade
from sonora_vision.table.events import EVENT, HOST, CodesRenewed
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from sonora_vision.table.words import StoreError
from tests.table.conftest import MakeUrl
from tests.table.night import made


def _engine(url: str) -> Engine:
    address = make_url(url)
    if address.get_backend_name() == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    return create_engine(address)


def _at_revision(url: str, revision: str) -> None:
    """Make the database that an older program would have left, with one game in it."""
    engine = _engine(url)
    with engine.begin() as connection:
        upgrade.migrate(connection, revision)
        connection.execute(
            text("INSERT INTO games VALUES ('game-of-old', 'Friday', '2026-01-02 20:00:00+00:00')")
        )
        connection.execute(
            text(
                "INSERT INTO events (game_id, seq, at, actor, action_id, body) VALUES "
                "('game-of-old', 1, '2026-01-02T20:00:00.000+00:00', 'host', 'made', :body)"
            ),
            {"body": EVENT.dump_json(made()).decode()},
        )
    engine.dispose()


def test_the_program_knows_every_step_there_is(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'any.db'}")
    with engine.connect() as connection:
        steps = ScriptDirectory.from_config(upgrade.configuration(connection)).walk_revisions()
        assert tuple(step.revision for step in steps)[::-1] == upgrade.REVISIONS
    engine.dispose()


def test_an_empty_database_becomes_what_the_rows_say(url: str, tmp_path: Path) -> None:
    Store(url, tmp_path).close()
    engine = _engine(url)
    with engine.connect() as connection:
        command.check(upgrade.configuration(connection))  # raises where they differ
    engine.dispose()


@pytest.mark.parametrize("revision", upgrade.REVISIONS[:-1])
def test_an_older_database_is_brought_up_to_date_with_its_games(
    url: str, tmp_path: Path, revision: str
) -> None:
    _at_revision(url, revision)
    store = Store(url, tmp_path)
    tables = Tables(store)
    assert [(entry.id, entry.made_at.hour) for entry in store.games()] == [("game-of-old", 20)]
    assert tables.act("game-of-old", HOST, CodesRenewed()).codes == 1
    tables.delete("game-of-old")
    assert store.last_seq("game-of-old") == 0
    store.close()
    engine = _engine(url)
    with engine.connect() as connection:
        command.check(upgrade.configuration(connection))
    engine.dispose()


def test_of_an_sqlite_file_that_is_brought_up_to_date_a_copy_is_kept(tmp_path: Path) -> None:
    _at_revision(f"sqlite:///{tmp_path / 'table.db'}", "0001")
    Store(f"sqlite:///{tmp_path / 'table.db'}", tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "table-0001.db")) as kept:
        assert kept.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert kept.execute("SELECT id FROM games").fetchall() == [("game-of-old",)]
    assert not list(tmp_path.glob("*.half"))


def test_a_step_that_fails_leaves_the_database_as_it_was(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _at_revision(url, "0001")
    whole = upgrade.migrate

    def breaks(connection: object, revision: str) -> None:
        whole(connection, revision)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(upgrade, "migrate", breaks)
    with pytest.raises(KeyboardInterrupt):
        Store(url, tmp_path)
    engine = _engine(url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "0001"
        assert {each["name"] for each in inspect(connection).get_indexes("events")} >= {
            "ix_events_game_id"
        }
    engine.dispose()
    monkeypatch.undo()
    store = Store(url, tmp_path)
    assert len(store.log("game-of-old")) == 1
    store.close()


def test_a_database_of_a_newer_program_is_not_touched(url: str, tmp_path: Path) -> None:
    Store(url, tmp_path).close()
    engine = _engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"got 9999: a newer Sonora Vision .* update the program"):
        Store(url, tmp_path)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
    engine.dispose()


def test_a_database_of_another_program_is_not_touched(url: str, tmp_path: Path) -> None:
    engine = _engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE games (score INTEGER)"))
    with pytest.raises(StoreError, match="another program"):
        Store(url, tmp_path)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["games"]
    engine.dispose()


@pytest.mark.parametrize("old", [False, True])
def test_programs_that_start_at_once_bring_it_up_to_date_once(
    new_url: MakeUrl, tmp_path: Path, old: bool
) -> None:
    for _ in range(3):
        url = new_url()
        if old:
            _at_revision(url, "0001")
        gate = threading.Barrier(4)

        def start(url: str = url, gate: threading.Barrier = gate) -> Store:
            gate.wait()
            return Store(url, tmp_path)

        with ThreadPoolExecutor(4) as programs:
            stores = [each.result() for each in [programs.submit(start) for _ in range(4)]]
        for store in stores:
            assert len(store.games()) == old
            store.close()
