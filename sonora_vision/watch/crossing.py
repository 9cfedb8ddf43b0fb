"""What lies across the board's outline when a hand cannot be told by what moved."""

from __future__ import annotations

_ALIKE = 0.2
"""A hand never comes back, or stays, so much the same."""
_RESTS = 3
"""So often alike, with motion in between, and it is part of the table."""


class Crossing:
    """Remembers what crossed the outline, to tell a hand from the pattern of a tablecloth."""

    def __init__(self) -> None:
        self._share = 0.0
        self._since_s = 0.0
        self._rests: set[float] = set()

    def lies_there(self, share: float, at_s: float, *, rest_since_s: float, long_s: float) -> bool:
        """Say whether it has been there, alike, longer or more often than a hand would.

        Parameters
        ----------
        share : float
            How much of the outline is crossed now.
        at_s : float
            The time now, seconds.
        rest_since_s : float
            Since when nothing has moved.
        long_s : float
            How long is longer than a hand rests.
        """
        if abs(share - self._share) > _ALIKE * self._share:
            self._share, self._since_s, self._rests = share, at_s, set()
        self._rests.add(rest_since_s)
        return at_s - self._since_s >= long_s or len(self._rests) >= _RESTS
