"""What comes in a form's fields."""

from __future__ import annotations

from typing import Any

from flask import request

_DIGITS_MAX = 9
"""More digits than any count here has; Python refuses to read thousands of them."""


def whole(text: str) -> int | None:
    """Return the whole number that a text is, None where it is none."""
    plain = text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX
    return int(text) if plain else None


def sent_object() -> dict[str, Any] | None:
    """Return the JSON object that was sent, None where it is none or lists nest without end."""
    try:
        values = request.get_json(silent=True)
    except RecursionError:
        return None
    return values if isinstance(values, dict) else None
