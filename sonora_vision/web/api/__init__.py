"""The table for programs: its games as JSON, and what can be done with them."""

from __future__ import annotations

from sonora_vision.web.api import games, played, readings
from sonora_vision.web.api.operation import api

__all__ = ["api", "games", "played", "readings"]
