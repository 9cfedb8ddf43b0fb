"""Looking through a camera that somebody else holds, as if it were one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sonora_vision.camera.source import CameraLostError, Frame, Still

_WAIT_S = 10.0
"""A reading takes seconds on a small computer, and no frame comes meanwhile."""


class LookThrough:
    """A frame source whose camera is held, and closed, by another.

    Parameters
    ----------
    name : callable
        What the camera is called now.
    frame_after : callable
        Waits for a frame newer than one's number, for so many seconds; None where none came.
    still : callable
        Waits so many seconds for a full-size picture; None where none came.
    """

    live = True

    def __init__(
        self,
        name: Callable[[], str],
        frame_after: Callable[[int, float], Frame | None],
        still: Callable[[float], Still | None],
    ) -> None:
        self._name, self._frame_after, self._still = name, frame_after, still
        self._closed = False

    @property
    def name(self) -> str:
        """What messages call the camera."""
        return self._name()

    def frames(self) -> Iterator[Frame]:
        """Give the newest frame again and again, until closed."""
        number = -1
        while not self._closed:
            frame = self._frame_after(number, _WAIT_S)
            if frame is None:
                raise CameraLostError(f"{self.name}: gives no picture; check its cable")
            number = frame.number
            yield frame

    def still(self) -> Still:
        """Take a full-size picture."""
        still = self._still(_WAIT_S)
        if still is None:
            raise CameraLostError(f"{self.name}: gives no full-size picture; check its cable")
        return still

    def close(self) -> None:
        """Look no more; the camera stays open."""
        self._closed = True
