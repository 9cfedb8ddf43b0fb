"""Readings that a page can show: read one after the other in the background, kept for a while."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal, Protocol

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate import Rectified
from sonora_vision.errors import SonoraError
from sonora_vision.observation import Reading

_LOG = logging.getLogger(__name__)
_TOKEN_BYTES = 12

EntryState = Literal["waiting", "reading", "done", "refused"]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What the pages keep of a photograph."""

    reading: Reading
    rectified: Rectified


class Reader(Protocol):
    """What reads photographs; a profile makes one, and a test may bring its own."""

    @property
    def board(self) -> BoardSpec:
        """The board that is read."""
        ...

    def read(self, pixels_bgr: Pixels, image_name: str) -> Seen:
        """Read one photograph; raises `SonoraError` for one that cannot be read."""
        ...


@dataclass
class Entry:
    """One photograph on its way to a reading."""

    name: str
    state: EntryState = "waiting"
    seen: Seen | None = None
    refusal: str | None = None
    """Why there is no reading."""
    _pictures: dict[str, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def picture(self, key: str, draw: Callable[[], bytes]) -> bytes:
        """Return an encoded picture, drawn when it is first asked for."""
        with self._lock:
            if key not in self._pictures:
                self._pictures[key] = draw()
            return self._pictures[key]


class BusyError(SonoraError):
    """Too many photographs are waiting already."""


class ReadingStore:
    """The readings of one server.

    Parameters
    ----------
    reader : Reader
        Reads the photographs, one at a time: a small computer has no memory for more.
    waiting_max, kept_max : int
        How many photographs may wait, and how many readings are kept.
    """

    def __init__(self, reader: Reader, *, waiting_max: int, kept_max: int) -> None:
        self._reader = reader
        self._waiting_max = waiting_max
        self._kept_max = kept_max
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader")

    def close(self) -> None:
        """Read nothing more that waits."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def submit(self, name: str, load: Callable[[], Pixels]) -> str:
        """Queue a photograph and return the reading's key; ``load`` runs in the background.

        Raises
        ------
        BusyError
            If too many are waiting.
        """
        entry = Entry(name=name)
        with self._lock:
            open_states = ("waiting", "reading")
            if sum(e.state in open_states for e in self._entries.values()) >= self._waiting_max:
                raise BusyError(
                    f"{name}: {self._waiting_max} photographs are waiting to be read; "
                    "try again in a few seconds"
                )
            key = secrets.token_urlsafe(_TOKEN_BYTES)
            self._entries[key] = entry
            self._forget_oldest()
        self._worker.submit(self._read, entry, load)
        return key

    def get(self, key: str) -> Entry | None:
        """Return a reading by its key, or None where it is not, or no longer, kept."""
        with self._lock:
            return self._entries.get(key)

    def newest_first(self) -> list[tuple[str, Entry]]:
        """Return all readings with their keys."""
        with self._lock:
            return list(reversed(self._entries.items()))

    def _forget_oldest(self) -> None:
        settled = [k for k, e in self._entries.items() if e.state in ("done", "refused")]
        for key in settled[: max(0, len(self._entries) - self._kept_max)]:
            del self._entries[key]

    def _read(self, entry: Entry, load: Callable[[], Pixels]) -> None:
        entry.state = "reading"
        try:
            entry.seen = self._reader.read(load(), entry.name)
            entry.state = "done"
        except SonoraError as error:
            entry.refusal = str(error)
            entry.state = "refused"
        except Exception:  # noqa: BLE001 - a fault of ours must not leave the page waiting forever
            _LOG.exception("reading %s failed", entry.name)
            entry.refusal = f"{entry.name}: the program failed on this picture; try another photo"
            entry.state = "refused"
