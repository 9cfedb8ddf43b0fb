"""The camera over the table, as the pages see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.camera.source import FrameSource
from sonora_vision.errors import UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.watch.states import Status
from sonora_vision.web.photos.store import Seen


@dataclass(frozen=True, kw_only=True, eq=False)
class LiveReading:
    """A reading that the camera made by itself."""

    seen: Seen
    pixels_bgr: Pixels
    """The still that it was read from."""
    version: int
    """Another for every reading."""

    @property
    def reading(self) -> Reading:
        """The reading."""
        return self.seen.reading


class NotReadError(UnreadableError):
    """The board was not read when it was asked for.

    Parameters
    ----------
    words : str
        Why, and what to do.
    status : Status
        What the watcher said at that moment.
    """

    def __init__(self, words: str, status: Status) -> None:
        super().__init__(words)
        self.status = status


class Live(Protocol):
    """A camera being watched in the background; all of it is callable from any thread."""

    @property
    def status(self) -> Status:
        """What the watcher says now: the readiness light and its reason."""
        ...

    @property
    def fault(self) -> str | None:
        """Why the camera gives nothing, None while it does."""
        ...

    @property
    def latest(self) -> LiveReading | None:
        """The newest reading."""
        ...

    @property
    def can_step(self) -> bool:
        """Whether it is a folder of photos, whose next one can be asked for."""
        ...

    @property
    def silent_s(self) -> float:
        """For how long the camera's thread has shown no sign of life, seconds."""
        ...

    def frame_jpeg(self) -> bytes | None:
        """Return the newest frame, small."""
        ...

    def read_now(self, *, timeout_s: float) -> LiveReading:
        """Read what lies there now.

        Raises
        ------
        NotReadError
            Where it cannot be read, or nothing holds still in that time, with the reason.
        """
        ...

    def next_photo(self) -> None:
        """Show the next photo of a folder; nothing where the camera is a real one."""
        ...

    def looking(self) -> FrameSource:
        """Return the camera for someone else to look through, while it goes on being watched."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...
