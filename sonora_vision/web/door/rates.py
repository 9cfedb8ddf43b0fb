"""How often one visitor may ask: far above what people do, far below what stops the others."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from flask import current_app, request
from werkzeug.exceptions import TooManyRequests

from sonora_vision.web.door.access import Who
from sonora_vision.web.door.attempts import network
from sonora_vision.web.door.guard import SAFE_METHODS
from sonora_vision.web.params import Rate, WebParams
from sonora_vision.web.wording.language import ngettext

Kind = Literal["stranger", "read", "act", "upload"]

_KEPT_MAX = 5_000
"""Visitors that are remembered, the longest silent going first."""
_LARGE_BYTES = 100_000
"""No form without a file is as large; a photograph is larger."""


@dataclass
class _Bucket:
    """What a visitor may still ask for; it fills up again with time."""

    left: float
    at_s: float


class Rates:
    """The limits of one application; counts are kept in memory, one process serves a table.

    Parameters
    ----------
    params : WebParams
        The limits.
    clock : callable
        Seconds that only go forward.
    """

    def __init__(self, params: WebParams, clock: Callable[[], float] = time.monotonic) -> None:
        self._rates: dict[Kind, Rate] = {
            "stranger": params.stranger_rate,
            "read": params.read_rate,
            "act": params.act_rate,
            "upload": params.upload_rate,
        }
        self._clock = clock
        self._buckets: OrderedDict[tuple[Kind, str], _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def wait_s(self, kind: Kind, visitor: str) -> float:
        """Count a request; return for how long its visitor has to wait, 0 if not at all."""
        rate, now = self._rates[kind], self._clock()
        with self._lock:
            mine = self._buckets.setdefault((kind, visitor), _Bucket(rate.at_once, now))
            self._buckets.move_to_end((kind, visitor))
            while len(self._buckets) > _KEPT_MAX:
                self._buckets.popitem(last=False)
            mine.left = min(rate.at_once, mine.left + (now - mine.at_s) * rate.a_second)
            mine.at_s = now
            if mine.left >= 1.0:
                mine.left -= 1.0
                return 0.0
            return (1.0 - mine.left) / rate.a_second


def limit_rate(asking: Who | None) -> None:
    """Answer 429 to who asks too often: by seat for acts, by device too for mere looking."""
    if request.endpoint is None or request.endpoint == "static":
        return
    kind: Kind
    address = network(request.remote_addr or "")
    if asking is None:
        kind, visitor = "stranger", address
    elif request.method in SAFE_METHODS:
        kind, visitor = "read", f"{asking.game_id} {asking.actor} {address}"
    else:
        kind = "act" if (request.content_length or 0) < _LARGE_BYTES else "upload"
        visitor = f"{asking.game_id} {asking.actor}"
    rates: Rates = current_app.extensions["sonora_rates"]
    wait_s = math.ceil(rates.wait_s(kind, visitor))
    if wait_s:
        raise TooManyRequests(
            ngettext(
                "That was too often. Try again in a second.",
                "That was too often. Try again in %(num)d seconds.",
                wait_s,
            ),
            retry_after=wait_s,
        )
