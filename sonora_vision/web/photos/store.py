"""Photographs that people sent: read one after the other in the background, kept on the disk."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.file_format import write_bytes_atomically
from sonora_vision.calibrate.photo import Pixels, decode_photo, load_photo
from sonora_vision.detect.annotate import Rectified
from sonora_vision.errors import SonoraError
from sonora_vision.observation import Reading
from sonora_vision.table.pictures import NoPictureError, PictureStore

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
    original: Path | None = None
    """The file as it came; None for one that was refused at the door."""
    ours: bool = False
    """Whether the original is in our folder, and goes with the entry."""
    state: EntryState = "waiting"
    picture: str | None = None
    """What was read, as the store of pictures knows it."""
    refusal: str | None = None
    """Why there is no reading."""

    @property
    def settled(self) -> bool:
        """Whether nothing more happens to it by itself."""
        return self.state in ("done", "refused")


class BusyError(SonoraError):
    """Too many photographs are waiting already."""


class ReadingStore:
    """The photographs of one server and what was read on them.

    Everything large is on the disk, so that many may wait and be kept. What an earlier run of the
    program left there is removed: games keep their pictures elsewhere.

    Parameters
    ----------
    reader : Reader
        Reads the photographs, one at a time: a small computer has no memory for more.
    folder : Path
        Made if it is not there; emptied.
    waiting_max, kept_max : int
        How many photographs may wait, and how many are kept, the oldest going first.
    max_bytes : int
        Room on the disk for the originals, and as much again for what was read.
    """

    def __init__(
        self, reader: Reader, folder: Path, *, waiting_max: int, kept_max: int, max_bytes: int
    ) -> None:
        self._reader = reader
        self._waiting_max = waiting_max
        self._kept_max = kept_max
        self._max_bytes = max_bytes
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader")
        self._originals = folder / "originals"
        self._originals.mkdir(parents=True, exist_ok=True)
        for left in (*self._originals.iterdir(), *folder.glob("*.j*")):
            left.unlink()
        self.pictures = PictureStore(folder, max_bytes=max_bytes)
        self._reading = lru_cache(maxsize=kept_max)(self.pictures.reading)

    def close(self) -> None:
        """Read nothing more that waits."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def submit(self, name: str, photo: bytes | Path) -> str:
        """Queue a photograph, a file's content or a file that stays where it is; return its key.

        Raises
        ------
        BusyError
            If too many are waiting.
        FileFormatError
            If it cannot be written to the disk.
        """
        key = secrets.token_urlsafe(_TOKEN_BYTES)
        ours = isinstance(photo, bytes)
        original = self._originals / key if isinstance(photo, bytes) else photo
        entry = Entry(name=name, original=original, ours=ours)
        with self._lock:
            self._check_room(name)
            self._entries[key] = entry
        if isinstance(photo, bytes):
            try:
                write_bytes_atomically(original, photo)
            except SonoraError:
                self.forget(key)
                raise
        with self._lock:
            self._forget_oldest()
        self._worker.submit(self._read, entry)
        return key

    def refuse(self, name: str, why: str) -> str:
        """Keep that a photograph was refused at the door, to be told with the others."""
        key = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._lock:
            self._entries[key] = Entry(name=name, state="refused", refusal=why)
            self._forget_oldest()
        return key

    def again(self, key: str) -> None:
        """Read a photograph once more; nothing where it waits already, or its file is gone.

        Raises
        ------
        BusyError
            If too many are waiting.
        """
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or not entry.settled or entry.original is None:
                return
            self._check_room(entry.name)
            entry.state, entry.refusal = "waiting", None
        self._worker.submit(self._read, entry)

    def forget(self, key: str) -> None:
        """Keep a photograph no longer, nor what was read on it."""
        with self._lock:
            self._drop(key)

    def get(self, key: str) -> Entry | None:
        """Return a photograph by its key, or None where it is not, or no longer, kept."""
        with self._lock:
            return self._entries.get(key)

    def reading(self, entry: Entry) -> Reading | None:
        """Return the reading of a photograph; None where there is none, or it is gone."""
        if entry.state != "done" or entry.picture is None:
            return None
        try:
            return self._reading(entry.picture)
        except NoPictureError:
            return None

    def seen(self, entry: Entry) -> Seen | None:
        """Return what was seen on a photograph; None where nothing was, or it is gone."""
        reading = self.reading(entry)
        if reading is None or entry.picture is None:
            return None
        try:
            return Seen(reading=reading, rectified=self.pictures.rectified(entry.picture))
        except NoPictureError:
            return None

    def newest_first(self) -> list[tuple[str, Entry]]:
        """Return all photographs with their keys."""
        with self._lock:
            return list(reversed(self._entries.items()))

    def _check_room(self, name: str) -> None:
        if sum(not entry.settled for entry in self._entries.values()) >= self._waiting_max:
            raise BusyError(
                f"{name}: {self._waiting_max} photographs are waiting to be read; "
                "try again in a few seconds"
            )

    def _forget_oldest(self) -> None:
        settled = [key for key, entry in self._entries.items() if entry.settled]
        for key in settled:
            if len(self._entries) <= self._kept_max and self._bytes() <= self._max_bytes:
                return
            self._drop(key)

    def _bytes(self) -> int:
        return sum(file.stat().st_size for file in self._originals.iterdir() if file.is_file())

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        if entry.ours and entry.original is not None:
            entry.original.unlink(missing_ok=True)
        if entry.picture is not None:
            self.pictures.remove(entry.picture)

    def _read(self, entry: Entry) -> None:
        entry.state = "reading"
        try:
            pixels = self._load(entry)
            seen = self._reader.read(pixels, entry.name)
            before = entry.picture
            entry.picture = self.pictures.keep(pixels, seen.rectified, seen.reading)
            entry.state = "done"
            if before is not None:
                self.pictures.remove(before)
        except SonoraError as error:
            entry.refusal = str(error)
            entry.state = "refused"
        except Exception:  # noqa: BLE001 - a fault of ours must not leave the page waiting forever
            _LOG.exception("reading %s failed", entry.name)
            entry.refusal = f"{entry.name}: the program failed on this picture; try another photo"
            entry.state = "refused"

    def _load(self, entry: Entry) -> Pixels:
        if entry.original is None:
            raise NoPictureError(f"{entry.name}: its file is not kept any more")
        if not entry.ours:
            return load_photo(entry.original)
        try:
            raw = entry.original.read_bytes()
        except OSError:
            raise NoPictureError(f"{entry.name}: its file is not kept any more") from None
        return decode_photo(raw, entry.name)
