"""What a database can do wrong is said in words, and takes nothing that was acknowledged."""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event, make_url, text

from sonora_vision.table.events import HOST, CodesRenewed
from sonora_vision.table.store import Store
from sonora_vision.table.tables import Tables
from sonora_vision.table.words import StoreError
from tests.table.conftest import new_database
from tests.table.night import begun, made, recorded
from tests.table.server import PASSWORD

LINE = "red: 1@ruins | blue: 3@creek"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@contextmanager
def _opened(path: Path, *, wait_s: float = 0.2) -> Iterator[Tables]:
    store = Store(f"sqlite:///{path}", path.parent, wait_s=wait_s)
    yield Tables(store)
    store.close()


def _play_on(tables: Tables, game_id: str) -> None:
    for _ in range(100):
        tables.act(game_id, HOST, recorded(LINE))


def test_an_event_is_written_through_to_the_disk(path: Path) -> None:
    with _opened(path) as tables:
        for _ in range(3):
            with tables.store._engine.connect() as connection:
                found = [
                    connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                    for name in ("journal_mode", "synchronous", "foreign_keys")
                ]
            assert found == ["wal", 2, 1]  # 2 is FULL


def test_postgresql_writes_through_to_the_disk(postgresql_address: str, tmp_path: Path) -> None:
    store = Store(new_database(postgresql_address), tmp_path)
    with store._engine.connect() as connection:
        assert connection.scalar(text("SHOW synchronous_commit")) == "on"
    store.close()


def test_an_event_of_no_game_is_none(store: Store) -> None:
    with pytest.raises(Exception, match="there already"):
        store.append("nowhere", 1, CodesRenewed(), actor=HOST, action_id="a")
    assert store.log("nowhere") == []


def test_games_are_listed_newest_first_with_their_time(store: Store) -> None:
    ids = [store.make(made(name=name), actor=HOST) for name in ("one", "two", "three")]
    entries = store.games()
    assert [entry.id for entry in entries] == ids[::-1]
    assert all(entry.made_at.utcoffset() is not None for entry in entries)


def test_a_locked_database_is_said_to_be_and_the_act_can_be_sent_again(path: Path) -> None:
    with _opened(path) as tables:
        game_id = begun(tables, LINE)
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StoreError, match=r"table\.db: another program holds it locked"):
                tables.act(game_id, HOST, CodesRenewed(), action_id="tap")
            assert tables.game(game_id).codes == 0
            other.rollback()
        assert tables.act(game_id, HOST, CodesRenewed(), action_id="tap").codes == 1


def test_a_full_disk_is_said_to_be_and_takes_nothing(path: Path) -> None:
    with _opened(path) as tables:
        game_id = tables.make(made())

        @event.listens_for(tables.store._engine, "checkout")
        def _no_room(connection: sqlite3.Connection, *_: object) -> None:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count={pages}")

        with pytest.raises(StoreError, match="the disk is full; make room"):
            _play_on(tables, game_id)
        there = tables.game(game_id)
    with _opened(path) as tables:
        assert tables.game(game_id) == there
        assert tables.act(game_id, HOST, recorded(LINE)).seq == there.seq + 1


def test_a_database_that_can_only_be_read_is_said_to_be(path: Path) -> None:
    with _opened(path) as tables:
        game_id = begun(tables, LINE)

        @event.listens_for(tables.store._engine, "checkout")
        def _read_only(connection: sqlite3.Connection, *_: object) -> None:
            connection.execute("PRAGMA query_only=ON")

        with pytest.raises(StoreError, match="cannot be written"):
            tables.act(game_id, HOST, CodesRenewed())
        assert tables.game(game_id).seq == 2


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is read-only to root")
def test_a_file_without_the_right_to_write_is_said_to_be(path: Path) -> None:
    with _opened(path) as tables:
        tables.make(made())
    path.chmod(0o444)
    with pytest.raises(StoreError, match="cannot be written"), _opened(path) as tables:
        tables.make(made())


def test_nothing_is_acknowledged_that_a_deleted_file_would_take_along(path: Path) -> None:
    with _opened(path) as tables:
        game_id = begun(tables, LINE)
        before = tables.act(game_id, HOST, recorded(LINE)).seq
        path.rename(path.with_name("moved.db"))
        with pytest.raises(StoreError, match=r"deleted or replaced.*export"):
            tables.act(game_id, HOST, CodesRenewed())
        path.touch()
        with pytest.raises(StoreError, match="deleted or replaced"):
            tables.make(made())
        assert tables.game(game_id).seq == before
        assert tables.export(game_id, pictures=False)
        path.with_name("moved.db").replace(path)
        assert tables.act(game_id, HOST, CodesRenewed()).seq == before + 1


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)
    with (
        pytest.raises(StoreError, match=r"table\.db: it is no database, or damaged"),
        _opened(path),
    ):
        pass
    assert path.read_bytes() == b"Dear diary, " * 1000


def test_a_damaged_database_is_said_to_be(path: Path) -> None:
    with _opened(path) as tables:
        game_id = tables.make(made())
        _play_on(tables, game_id)
    raw = bytearray(path.read_bytes())
    raw[4096 * 2 :] = os.urandom(len(raw) - 4096 * 2)
    path.write_bytes(raw)
    with pytest.raises(StoreError, match="damaged"), _opened(path) as tables:
        _play_on(tables, game_id)


def test_a_folder_that_cannot_be_made_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="its folder cannot be made"):
        Store(f"sqlite:///{tmp_path / 'file' / 'table.db'}", tmp_path)


def test_an_event_of_a_newer_program_is_said_to_be(path: Path) -> None:
    with _opened(path) as tables:
        game_id = begun(tables, LINE)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("""UPDATE events SET body = '{"kind": "teleported"}' WHERE seq = 2""")
        connection.commit()
    with _opened(path) as tables, pytest.raises(StoreError, match="event 2 is none that this"):
        tables.game(game_id)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"{PASSWORD}", "expected an address such as"),
        ("", "expected an address such as"),
        ("sqlite://", "expected a file"),
        ("sqlite:///:memory:", "expected a file"),
        (f"mysql://u:{PASSWORD}@h/d", "got mysql"),
        (f"postgres://u:{PASSWORD}@h/d", "got postgres"),
        (f"postgresql://u:{PASSWORD}@127.0.0.1", "a database's name"),
        (f"postgresql://u:{PASSWORD}@127.0.0.1:port/d", "expected an address such as"),
        (f"postgresql://u:{PASSWORD}@127.0.0.1:1/d", "127.0.0.1:1/d: it gives no answer"),
        (f"postgresql://127.0.0.1:1/d?user=u&password={PASSWORD}", "it gives no answer"),
        (f"postgresql://127.0.0.1:1/d?passwd={PASSWORD}", "it gives no answer"),
    ],
)
def test_an_address_that_is_none_is_refused_without_telling_the_password(
    url: str, words: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError, match=words) as refused:
        Store(url, tmp_path, wait_s=2)
    assert PASSWORD not in str(refused.value)
    assert PASSWORD not in caplog.text


def test_a_server_that_refuses_does_not_make_us_tell_the_password(
    postgresql_address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = make_url(new_database(postgresql_address))
    wrong = url.set(password=f"{PASSWORD}-wrong").render_as_string(hide_password=False)
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError, match="check user and") as first:
        Store(wrong, tmp_path)
    nowhere = url.set(database="nowhere").render_as_string(hide_password=False)
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError, match="nowhere: ") as second:
        Store(nowhere, tmp_path)
    for each in (first, second):
        assert PASSWORD not in str(each.value)
    assert PASSWORD not in caplog.text


def test_a_connection_that_breaks_is_said_and_the_next_act_has_another(
    postgresql_address: str, tmp_path: Path
) -> None:
    tables = Tables(Store(new_database(postgresql_address), tmp_path))
    game_id = begun(tables, LINE)
    with tables.store._engine.connect() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
        tables.act(game_id, HOST, CodesRenewed())
        connection.invalidate()
    assert tables.act(game_id, HOST, CodesRenewed()).codes == 2
    tables.store.close()


def test_games_are_played_without_loading_the_vision() -> None:
    """A club's server, and the test that kills one, start fast."""
    code = (
        "import sys; import sonora_vision.table.tables, sonora_vision.table.store;"
        "print({m.split('.')[0] for m in sys.modules} & {'cv2', 'numpy', 'scipy', 'flask'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "set()"
