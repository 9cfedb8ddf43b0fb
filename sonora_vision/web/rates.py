"""How often one visitor may ask: far above what people do, far below what stops the others."""

from __future__ import annotations

import math
import time
from typing import Any

from flask import current_app, request
from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from werkzeug.exceptions import TooManyRequests

from sonora_vision.web.access import Who
from sonora_vision.web.attempts import network
from sonora_vision.web.guard import SAFE_METHODS
from sonora_vision.web.language import ngettext
from sonora_vision.web.params import WebParams

_UPLOADS = ("multipart/form-data", "image/", "application/zip")


class Rates:
    """The limits of one application; counts are kept in memory, one process serves a table.

    Parameters
    ----------
    params : WebParams
        The limits.
    """

    def __init__(self, params: WebParams) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._limits = {
            "stranger": parse_many(params.stranger_rate),
            "read": parse_many(params.read_rate),
            "act": parse_many(params.act_rate),
            "upload": parse_many(params.upload_rate),
        }

    def wait_s(self, kind: str, visitor: str) -> float:
        """Count a request; return for how long its visitor has to wait, 0 if not at all."""
        items: list[RateLimitItem] = self._limits[kind]
        for item in items:
            if not self._limiter.hit(item, kind, visitor):
                reset: Any = self._limiter.get_window_stats(item, kind, visitor)
                return max(1.0, float(reset.reset_time) - time.time())
        return 0.0


def limit_rate(asking: Who | None) -> None:
    """Answer 429 to who asks too often: by seat for acts, by device too for mere looking."""
    if request.endpoint is None or request.endpoint == "static":
        return
    address = network(request.remote_addr or "")
    if asking is None:
        kind, visitor = "stranger", address
    elif request.method in SAFE_METHODS:
        kind, visitor = "read", f"{asking.game_id} {asking.actor} {address}"
    else:
        kind = "upload" if request.mimetype.startswith(_UPLOADS) else "act"
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
