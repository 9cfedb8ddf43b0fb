"""A fresh application around a drawn table."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from sonora_vision.web import create_app
from tests.web.table import DrawnReader
from tests.web.visit import PIN, host_of


@pytest.fixture
def reader() -> DrawnReader:
    return DrawnReader()


@pytest.fixture
def app(reader: DrawnReader, tmp_path: Path) -> Flask:
    return create_app(Path("not-opened.profile"), reader=reader, folder=tmp_path / "table", pin=PIN)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return host_of(app)
