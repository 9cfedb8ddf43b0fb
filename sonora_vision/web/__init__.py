"""The pages of a table: photographs, what was seen on them, and what each player records."""

from __future__ import annotations

from sonora_vision.web.app import create_app
from sonora_vision.web.params import WebParams
from sonora_vision.web.photos.store import Reader, Seen

__all__ = ["Reader", "Seen", "WebParams", "create_app"]
