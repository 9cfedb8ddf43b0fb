"""A fresh application around a drawn table."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.security import generate_password_hash

from sonora_vision.web import create_app
from tests.web.table import DrawnReader
from tests.web.visit import PIN, host_of


@pytest.fixture(autouse=True)
def _quick_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a PIN's hash, which is slow on purpose, take a millisecond; it says how it was made."""
    quick = partial(generate_password_hash, method="scrypt:256:8:1")
    monkeypatch.setattr("sonora_vision.web.door.access.generate_password_hash", quick)


@pytest.fixture
def reader() -> DrawnReader:
    return DrawnReader()


@pytest.fixture
def app(reader: DrawnReader, tmp_path: Path) -> Flask:
    return create_app(Path("not-opened.profile"), reader=reader, folder=tmp_path / "table", pin=PIN)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return host_of(app)
