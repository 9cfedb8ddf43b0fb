"""Every address of an application, for tests of what holds at all of them."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Flask
from werkzeug.routing import BuildError

VALUES: dict[str, object] = {
    "code": "none",
    "color": "red",
    "filename": "page.css",
    "index": 0,
    "key": "none",
    "number": 1,
    "paper": "A4",
    "size": "phone",
    "what": "skip",
    "which": "empty",
    "event_id": 1,
}
OPEN = {"/", "/host", "/join/none", "/language", "/leave", "/static/page.css"}
"""What is there for strangers."""


def addresses(app: Flask, method: str, game_id: str = "none") -> Iterator[tuple[str, str]]:
    """Yield endpoint and address of everything that takes a method."""
    with app.test_request_context():
        adapter = app.create_url_adapter(None) or app.url_map.bind("localhost")
        for rule in sorted(app.url_map.iter_rules(), key=str):
            if method not in (rule.methods or ()):
                continue
            values = VALUES | {"game_id": game_id}
            try:
                found = adapter.build(
                    rule.endpoint, {name: values[name] for name in rule.arguments}, method=method
                )
            except (BuildError, ValueError):
                found = adapter.build(
                    rule.endpoint,
                    {name: values[name] for name in rule.arguments} | {"size": "full"},
                    method=method,
                )
            yield rule.endpoint, found
