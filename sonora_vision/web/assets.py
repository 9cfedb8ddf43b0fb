"""Styles and scripts under addresses that change with them, so that a browser keeps them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, request

_KEPT = "private, max-age=31536000, immutable"


def name_by_content(app: Flask) -> None:
    """Add to every address of a static file what tells its content from another's."""
    folder = Path(str(app.static_folder))

    @app.url_defaults
    def _add(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("v", _mark(folder / values["filename"]))

    @app.after_request
    def _keep(response: Response) -> Response:
        if request.endpoint == "static" and "v" in request.args and response.status_code == 200:
            response.headers["Cache-Control"] = _KEPT
        return response


@lru_cache(maxsize=64)
def _mark(path: Path) -> str | None:
    """Return a short mark of a file's content; the files do not change while a program runs."""
    if not path.is_file():
        return None
    return hashlib.blake2b(path.read_bytes(), digest_size=6).hexdigest()
