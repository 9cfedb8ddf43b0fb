"""The wizard as pages of a table: whose it is, and that the table reads with what it made."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from sonora_vision.calibrate.profile import load_profile
from sonora_vision.web import create_app
from tests.web.evening import read_game
from tests.web.served import code_of, table_of
from tests.web.table import DrawnReader, photo_bytes
from tests.web.visit import PIN, host_of, visitor


@contextmanager
def table(folder: Path, reader: DrawnReader | None = None) -> Iterator[Flask]:
    app = create_app(folder / "table.profile", reader=reader, folder=folder / "table", pin=PIN)
    try:
        yield app
    finally:
        if "sonora_vision_wizard" in app.extensions:
            app.extensions["sonora_vision_wizard"].close()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    with table(tmp_path, DrawnReader()) as app:
        yield app


def test_only_the_host_calibrates(app: Flask) -> None:
    game_id = read_game(app)
    player = visitor(app)
    player.get(f"/join/{code_of(app, game_id, 'red')}")
    for browser in (visitor(app), player):
        assert browser.get("/calibrate/camera").status_code == 403
        assert browser.post("/calibrate/use").status_code == 403
    assert "sonora_vision_wizard" not in app.extensions


def test_the_calibration_speaks_the_language_of_the_table(app: Flask) -> None:
    host = host_of(app)
    page = host.get("/calibrate/camera", headers={"Accept-Language": "es"}).text
    assert "¿Está lista la cámara?" in page
    token = re.search('name="csrf_token" value="([^"]+)"', page)
    assert token is not None
    answer = FlaskClient.post(
        host,
        "/language",
        data={"csrf_token": token[1], "language": "en", "next": "/calibrate/lens"},
    )
    assert answer.location == "/calibrate/lens"
    assert "Print the target" in host.get("/calibrate/lens", headers={"Accept-Language": "es"}).text


def test_the_host_calibrates_and_the_table_reads_with_it(
    tmp_path: Path, sample_profile: Path
) -> None:
    with table(tmp_path) as app:
        host = host_of(app)
        page = host.get("/calibrate/camera")
        assert page.status_code == 200
        assert "Back to the table" in page.text
        app.extensions["sonora_vision_wizard"].profile = load_profile(sample_profile)
        token = re.search('name="csrf_token" value="([^"]+)"', page.text)
        assert token is not None
        answer = FlaskClient.post(host, "/calibrate/use", data={"csrf_token": token[1]})
        assert answer.status_code == 200
        assert "The table reads with it from now on" in answer.text
        assert table_of(app).board == load_profile(sample_profile).board
        assert host.get("/photos").status_code == 200


def test_a_picture_for_the_wizard_may_be_as_large_as_any(app: Flask) -> None:
    host = host_of(app)
    picture = {"file": (io.BytesIO(photo_bytes(size=(600, 800))), "empty.jpg")}
    answer = host.post("/calibrate/camera", data=picture, follow_redirects=True)
    assert answer.status_code == 200


def test_the_wizard_s_forms_bear_the_table_s_token(app: Flask) -> None:
    host = host_of(app)
    page = host.get("/calibrate/lens").text
    assert page.count('method="post"') == page.count('name="csrf_token"')
