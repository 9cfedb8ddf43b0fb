"""Pictures in a folder: kept whole or not at all, the oldest going when there are too many."""

from __future__ import annotations

import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from sonora_vision.calibrate.file_format import write_bytes_atomically
from sonora_vision.errors import SonoraError

_LOG = logging.getLogger(__name__)
PHOTO, BOARD, ABOUT = ".jpg", ".board.jpg", ".json"
ENDINGS = (PHOTO, BOARD, ABOUT)
"""The photograph, the rectified board, what was read; written in this order, removed from the end.

A picture is there when its last file is.
"""
_KEY_BYTES = 12
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
_ABANDONED_S = 3600.0
"""A half-written picture of that age is nobody's any more; writing one takes a second."""


class NoPictureError(SonoraError):
    """The picture is not kept any more."""


class PictureFiles:
    """Pictures in a folder, each under a key that cannot be guessed; safe to call from any thread.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    max_bytes : int
        The oldest go when there is more.

    Attributes
    ----------
    spared : callable
        Returns the keys of pictures that stay although they are old.
    """

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.spared: Callable[[], Collection[str]] = tuple
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._sweep()

    def has(self, key: str) -> bool:
        """Whether a picture is kept."""
        return is_key(key) and (self.folder / f"{key}{ABOUT}").exists()

    def photo(self, key: str) -> bytes:
        """Return a photograph, JPEG; raises `NoPictureError`."""
        return self.file(key, PHOTO)

    def file(self, key: str, ending: str) -> bytes:
        """Return one of a picture's files.

        Raises
        ------
        NoPictureError
            If it is not there, or the key is none.
        """
        if not is_key(key):
            raise NoPictureError("there is no such picture")
        try:
            return (self.folder / f"{key}{ending}").read_bytes()
        except OSError:
            raise NoPictureError("this picture is not kept any more") from None

    def write(self, files: Mapping[str, bytes], key: str | None = None) -> str:
        """Keep a picture's files, by ending, and return its key; it is on the disk then.

        Raises
        ------
        FileFormatError
            If it cannot be written, for want of room for instance; nothing of it is left.
        """
        key = secrets.token_urlsafe(_KEY_BYTES) if key is None else key
        spared = {*self.spared(), key}
        with self._lock:
            try:
                for ending in ENDINGS:
                    write_bytes_atomically(self.folder / f"{key}{ending}", files[ending])
            except BaseException:
                self._remove(key)
                raise
            self._to_disk()
            self._prune(spared)
        return key

    def remove(self, key: str) -> None:
        """Delete a picture, if it is there."""
        if is_key(key):
            with self._lock:
                self._remove(key)

    def _prune(self, spared: Collection[str]) -> None:
        """Delete the oldest pictures that nobody needs, until the others are few enough."""
        sizes: dict[str, int] = {}
        ages: dict[str, float] = {}
        for entry in os.scandir(self.folder):
            key, _, _ = entry.name.partition(".")
            try:
                status = entry.stat()
            except FileNotFoundError:
                continue  # another program prunes as well
            sizes[key] = sizes.get(key, 0) + status.st_size
            ages[key] = min(ages.get(key, status.st_mtime), status.st_mtime)
        left = sum(sizes.values())
        for key in sorted(ages, key=lambda each: (ages[each], each)):
            if left <= self._max_bytes:
                return
            if key and key not in spared:
                self._remove(key)
                left -= sizes[key]
        _LOG.warning("pictures: those of the rounds being played take more than their share")

    def _remove(self, key: str) -> None:
        for ending in reversed(ENDINGS):
            (self.folder / f"{key}{ending}").unlink(missing_ok=True)

    def _sweep(self) -> None:
        """Delete what a power cut left half written."""
        names = {entry.name for entry in os.scandir(self.folder)}
        now = time.time()
        for name in names:
            key, dot, _ = name.partition(".")
            half = not key or (dot and is_key(key) and f"{key}{ABOUT}" not in names)
            path = self.folder / name
            try:
                if half and now - path.stat().st_mtime > _ABANDONED_S:
                    path.unlink()
            except OSError as error:
                _LOG.warning("pictures: %s stays: %s", name, error.strerror)

    def _to_disk(self) -> None:
        """Bring the folder's list of names to the disk as well."""
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def is_key(text: str) -> bool:
    """Whether a text can be a picture's key: never a path."""
    return _KEY.fullmatch(text) is not None
