"""The camera over the table, as the pages see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.observation import Reading
from sonora_vision.watch.states import Status
from sonora_vision.web.store import Seen


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

    def frame_jpeg(self) -> bytes | None:
        """Return the newest frame, small."""
        ...

    def read_now(self, *, timeout_s: float) -> LiveReading:
        """Read what lies there now.

        Raises
        ------
        SonoraError
            Where it cannot be read, or nothing holds still in that time, with the reason.
        """
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...
