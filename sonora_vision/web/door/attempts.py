"""Wrong PINs make those who try wait, each time twice as long."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_KEPT_MAX = 5_000
"""Addresses that are remembered, the longest silent going first."""


@dataclass(frozen=True, kw_only=True)
class AttemptParams:
    """How patient the PIN is."""

    free: int = 5
    """Wrong PINs of one address that cost no time: a person mistypes."""
    free_in_all: int = 30
    """The same of all addresses together: on a shared network one device has many addresses."""
    first_s: float = 2.0
    """What the first wrong PIN beyond those costs; each further one twice as much."""
    longest_s: float = 900.0
    """The longest wait of one address. A PIN of four digits then holds for months."""
    longest_in_all_s: float = 300.0
    """The longest wait of everybody: who guesses cannot lock the host out for an evening."""
    forget_s: float = 3600.0
    """After so long without a wrong PIN all is forgotten."""


@dataclass
class _Tries:
    wrong: int = 0
    last_s: float = 0.0
    until_s: float = 0.0


class PinAttempts:
    """Counts wrong PINs, by address and in all; safe to call from any thread.

    Parameters
    ----------
    params : AttemptParams
        How patient it is.
    clock : callable
        Seconds that only go forward.
    """

    def __init__(
        self, params: AttemptParams | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._params = params or AttemptParams()
        self._clock = clock
        self._lock = threading.Lock()
        self._all = _Tries()
        self._each: OrderedDict[str, _Tries] = OrderedDict()

    def wait_s(self, address: str) -> float:
        """Return for how long no PIN of this address is looked at; 0 if it may try.

        The computer on which the program runs never waits for others: its owner can always
        come in there.
        """
        now = self._clock()
        with self._lock:
            mine = self._each.get(network(address), _Tries())
            until = mine.until_s if _is_here(address) else max(mine.until_s, self._all.until_s)
        return max(0.0, until - now)

    def note(self, address: str, *, right: bool) -> None:
        """Note a PIN that was looked at."""
        key = network(address)
        with self._lock:
            if right:
                self._each.pop(key, None)
                return
            mine = self._each.setdefault(key, _Tries())
            self._each.move_to_end(key)
            while len(self._each) > _KEPT_MAX:
                self._each.popitem(last=False)
            self._count(mine, self._params.free, self._params.longest_s)
            if not _is_here(address):
                self._count(self._all, self._params.free_in_all, self._params.longest_in_all_s)

    def _count(self, tries: _Tries, free: int, longest_s: float) -> None:
        now, params = self._clock(), self._params
        if now - tries.last_s > params.forget_s:
            tries.wrong = 0
        tries.wrong += 1
        tries.last_s = now
        beyond = tries.wrong - free
        if beyond > 0:
            tries.until_s = now + min(longest_s, params.first_s * 2.0 ** min(beyond - 1, 30))


def network(address: str) -> str:
    """Return what of an address counts as one visitor.

    An IPv6 device may take any address of its /64.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def _is_here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
