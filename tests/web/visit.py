"""What a visitor of the pages does."""

from __future__ import annotations

import io
import re
import time
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.table import photo_bytes

PIN = "246810"


class Visitor(FlaskClient):
    """A browser whose forms bear the token that the page had."""

    def post(self, *args: Any, **kwargs: Any) -> TestResponse:
        headers = {"X-CSRFToken": token(self), **(kwargs.pop("headers", None) or {})}
        return super().post(*args, headers=headers, **kwargs)


def visitor(app: Flask) -> FlaskClient:
    """Somebody whom the application does not know."""
    app.test_client_class = Visitor
    return app.test_client()


def host_of(app: Flask) -> FlaskClient:
    """The host's browser, after the PIN was typed in."""
    client = visitor(app)
    assert client.post("/host", data={"pin": PIN}).status_code == 303
    return client


def token(client: FlaskClient) -> str:
    """The token that the forms of a page bear."""
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/nowhere").text)
    assert found is not None
    return found[1]


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
