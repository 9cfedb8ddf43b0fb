"""Telling every open page that something is new."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

ALL = "*"
"""The topic that concerns every page: what the camera sees."""


class Hub:
    """Passes on that something is new; what it is, pages ask for themselves."""

    def __init__(self) -> None:
        self._open: dict[queue.Queue[str], str] = {}
        self._lock = threading.Lock()
        self.closed = False
        """Whether nobody should listen any more."""

    def tell(self, topic: str, what: str) -> None:
        """Tell all who listen to a topic (a game's id, or `ALL`); never waits."""
        with self._lock:
            waiting = [q for q, t in self._open.items() if topic in (t, ALL)]
        for each in waiting:
            with suppress(queue.Full):  # it has news to fetch already
                each.put_nowait(what)

    def close(self) -> None:
        """Wake all who listen, for the server ends."""
        self.closed = True
        self.tell(ALL, "end")

    @contextmanager
    def listening(self, topic: str) -> Iterator[queue.Queue[str]]:
        """Listen to a topic."""
        mine: queue.Queue[str] = queue.Queue(maxsize=8)
        with self._lock:
            self._open[mine] = topic
        try:
            yield mine
        finally:
            with self._lock:
                del self._open[mine]
