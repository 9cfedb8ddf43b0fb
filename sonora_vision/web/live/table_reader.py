"""The one reader of a table: its profile may come later, and pictures are read one at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import abort, current_app, redirect, request
from werkzeug.wrappers import Response

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.errors import SonoraError, UnreadableError
from sonora_vision.web.door.access import who
from sonora_vision.web.faults import API
from sonora_vision.web.photos.store import Reader, Seen
from sonora_vision.web.wording.language import gettext

_WITHOUT_PROFILE = ("/calibrate", "/host", "/leave", "/language", "/static")
"""What is open while there is nothing to read with."""


class NoProfileError(UnreadableError):
    """The camera and the board are not calibrated yet."""


class TableReader:
    """Reads for all who want something read, in turn: a small computer has memory for one.

    The camera's stills go before photographs that wait.

    Parameters
    ----------
    profile_path : Path
        The profile; it may be made, or be replaced by a better one, while the program runs.
    reader : Reader, optional
        What reads, in place of the profile.

    Raises
    ------
    FileFormatError
        If there is a profile, and it cannot be used.
    """

    def __init__(self, profile_path: Path, reader: Reader | None = None) -> None:
        self.profile_path = profile_path
        self._given = reader
        self._made: Reader | None = None
        self._made_of: tuple[int, int, int] | None = None
        self._loading = threading.Lock()
        self._turn = threading.Condition()
        self._busy = False
        self._urgent = 0
        if reader is None and profile_path.exists():
            self._reader()

    @property
    def ready(self) -> bool:
        """Whether there is a profile."""
        return self._given is not None or self.profile_path.exists()

    @property
    def board(self) -> BoardSpec:
        """The board that is read; raises `NoProfileError` while there is no profile."""
        return self._reader().board

    def read(self, pixels_bgr: Pixels, image_name: str) -> Seen:
        """Read one photograph, when nothing else is being read; see `Reader`."""
        with self._my_turn(urgent=False):
            return self._reader().read(pixels_bgr, image_name)

    def read_first(self, pixels_bgr: Pixels, image_name: str) -> Seen:
        """Read one picture before all those that wait."""
        with self._my_turn(urgent=True):
            return self._reader().read(pixels_bgr, image_name)

    @contextmanager
    def _my_turn(self, *, urgent: bool) -> Iterator[None]:
        with self._turn:
            self._urgent += urgent
            self._turn.wait_for(lambda: not self._busy and (urgent or not self._urgent))
            self._urgent -= urgent
            self._busy = True
        try:
            yield
        finally:
            with self._turn:
                self._busy = False
                self._turn.notify_all()

    def _reader(self) -> Reader:
        """Return what reads now, loaded anew where the profile is another than before."""
        if self._given is not None:
            return self._given
        with self._loading:
            try:
                stat = self.profile_path.stat()
            except OSError:
                if self._made is not None:
                    return self._made  # what was loaded still reads
                raise NoProfileError(
                    f"{self.profile_path}: there is no profile yet; calibrate first"
                ) from None
            found = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if self._made is None or found != self._made_of:
                from sonora_vision.web.photos.profile_reader import (
                    ProfileReader,  # loads all of vision
                )

                self._made_of = found
                try:
                    self._made = ProfileReader(self.profile_path)
                except SonoraError:
                    if self._made is None:
                        raise
            return self._made


def calibrate_first() -> Response | None:
    """Send the host to the wizard while there is no profile, and ask all others to wait."""
    reader: TableReader = current_app.extensions["sonora_table"].reader
    if reader.ready or request.path == "/" or request.path.startswith(_WITHOUT_PROFILE):
        return None
    asking = who()
    if asking is not None and asking.host and not request.path.startswith(API):
        return redirect("/calibrate/camera", 303)
    abort(503, gettext("The camera and the board of this table are not calibrated yet."))
