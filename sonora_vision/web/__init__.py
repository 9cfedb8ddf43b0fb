"""The pages of a table: photographs, what was seen on them, and what each player records."""

from __future__ import annotations

from sonora_vision.web.app import create_app
from sonora_vision.web.params import WebParams
from sonora_vision.web.store import Reader

__all__ = ["Reader", "WebParams", "create_app"]
