"""Telling every open page that something is new."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

ALL = "*"
"""The topic that concerns every page: what the camera sees."""


class News:
    """What is new for one who listens: the last word of each kind, so that nobody falls behind."""

    def __init__(self) -> None:
        self._said: dict[str, str] = {}
        self._any = threading.Condition()

    def put(self, what: str) -> None:
        """Note news: a kind, and a word more if there is one."""
        kind, _, word = what.partition(" ")
        with self._any:
            self._said[kind] = word
            self._any.notify()

    def wait(self, timeout_s: float) -> dict[str, str]:
        """Return what is new since the last call, by kind; nothing if the time runs out."""
        with self._any:
            if not self._said:
                self._any.wait(timeout_s)
            said, self._said = self._said, {}
            return said


class Hub:
    """Passes on that something is new; what it is, pages ask for themselves."""

    def __init__(self) -> None:
        self._open: dict[News, str] = {}
        self._lock = threading.Lock()
        self.closed = False
        """Whether nobody should listen any more."""

    def tell(self, topic: str, what: str) -> None:
        """Tell all who listen to a topic (a game's id, or `ALL`); never waits."""
        with self._lock:
            listening = [news for news, t in self._open.items() if topic in (t, ALL)]
        for each in listening:
            each.put(what)

    def close(self) -> None:
        """Wake all who listen, for the server ends."""
        self.closed = True
        self.tell(ALL, "end")

    @contextmanager
    def listening(self, topic: str) -> Iterator[News]:
        """Listen to a topic."""
        mine = News()
        with self._lock:
            self._open[mine] = topic
        try:
            yield mine
        finally:
            with self._lock:
                del self._open[mine]
