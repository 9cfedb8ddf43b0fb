"""What a visitor of the pages does."""

from __future__ import annotations

import io
import re
import time

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.table import photo_bytes


def send(client: FlaskClient, raw: bytes, name: str = "table.jpg", **form: str) -> TestResponse:
    return client.post("/readings", data={"file": (io.BytesIO(raw), name), **form})


def settled(client: FlaskClient, at: str) -> TestResponse:
    """The page once the photograph is read or refused."""
    for _ in range(400):
        if client.get(at.split("?")[0] + "/status").get_json()["state"] in ("done", "refused"):
            return client.get(at)
        time.sleep(0.01)
    raise AssertionError("never read")


def read_page(client: FlaskClient, **form: str) -> tuple[str, str]:
    """Address and text of the page of a photograph that was read."""
    answer = send(client, photo_bytes(), **form)
    assert answer.status_code == 303
    at = answer.headers["Location"]
    return at, settled(client, at).text


def words(page: str) -> str:
    """The page's text without its tags, blanks run together."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)).strip()
