"""Pictures that were drawn already, kept until others need their room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable


class Drawn:
    """Encoded pictures by what they show; each is drawn once, whoever asks first.

    One is drawn at a time: drawing takes a core, and a small computer has few.

    Parameters
    ----------
    max_bytes : int
        Room; what was not asked for longest goes first.
    """

    def __init__(self, *, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        """Return a picture; ``draw`` makes it where it is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            encoded = self._kept[key] = draw()
            self._bytes += len(encoded)
            while self._bytes > self._max_bytes and len(self._kept) > 1:
                self._bytes -= len(self._kept.popitem(last=False)[1])
            return encoded
