"""What is wrong with a database, in words for the person who can mend it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from sonora_vision.errors import SonoraError

_SQLITE = {
    "SQLITE_BUSY": "another program holds it locked; close that program, or try again",
    "SQLITE_LOCKED": "another program holds it locked; close that program, or try again",
    "SQLITE_READONLY": "it cannot be written; give the program the right to write file and folder",
    "SQLITE_FULL": "the disk is full; make room and try again",
    "SQLITE_CORRUPT": "it is damaged; move it away and put a copy or exported games in its place",
    "SQLITE_NOTADB": "it is no database, or damaged; move it away, or name another file",
    "SQLITE_CANTOPEN": "it cannot be opened; check that its folder is there and can be written",
    "SQLITE_IOERR": "the disk does not read or write; check it",
}
"""By the error's name, of which the longer ones begin with a shorter one's."""
_POSTGRESQL = {
    "28": "the server does not let this user in; check user and password",
    "3D": "the server has no database of that name; make it, or check the name",
    "42501": "this user may not do that there; make them the owner of the database",
    "25006": "it can only be read; name the server that takes changes",
    "53": "the server has no room (disk, memory or connections); make room and try again",
    "40": "others write at the same moment; try again",
    "55P03": "another program holds it locked; try again",
    "57": "the server is going down or coming up; try again",
}
"""By SQLSTATE, or the class that it begins with."""
_ELSE = "it gives no answer; check that it runs and can be reached"


class StoreError(SonoraError):
    """The database does not do what it is asked; what was acknowledged before is in it."""


@contextmanager
def in_words(where: str) -> Iterator[None]:
    """Turn what a database raises into a `StoreError`; a broken constraint goes on as it is."""
    try:
        yield
    except IntegrityError:
        raise
    except NoConnectionError:
        raise StoreError(f"{where}: too many ask at once; try again") from None
    except DBAPIError as error:
        raise StoreError(f"{where}: {_words(error.orig)}") from None


def shown_url(url: URL) -> str:
    """Return a database's address without user, password and options."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    port = f":{url.port}" if url.port else ""
    return f"{url.get_backend_name()}://{url.host or ''}{port}/{url.database}"


def _words(error: BaseException | None) -> str:
    name = getattr(error, "sqlite_errorname", None)
    if name is not None:
        return next((words for key, words in _SQLITE.items() if name.startswith(key)), _ELSE)
    state = getattr(error, "sqlstate", None) or ""
    told = next((words for key, words in _POSTGRESQL.items() if state.startswith(key)), None)
    if told is None and "authentication failed" in str(error):
        told = _POSTGRESQL["28"]  # refused before there is a state to tell
    return told or _ELSE
