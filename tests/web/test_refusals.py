"""What the pages refuse, and that they stay whole and tell nothing when they do."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from sonora_vision.web import WebParams, create_app
from sonora_vision.web.door.refusals import told
from sonora_vision.web.door.uploads import shown_name
from tests.web.table import DrawnReader, photo_bytes, png_that_claims
from tests.web.visit import PIN, host_of, send, settled


@pytest.mark.parametrize(
    ("raw", "words_of_it"),
    [
        (b"", "empty"),
        (b"not a picture at all", "expected a JPEG or PNG photograph"),
        (b"GIF89a" + bytes(40), "expected a JPEG or PNG photograph"),
        (b"%PDF-1.7", "expected a JPEG or PNG photograph"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "expected a JPEG or PNG photograph"),
        (png_that_claims(10_000, 10_000), "expected at most 50 megapixels"),
        (png_that_claims(60_000, 60_000), "expected at most 50 megapixels"),
    ],
    ids=["empty", "text", "gif", "pdf", "svg", "100 megapixels", "3600 megapixels"],
)
def test_what_is_no_fit_photograph_is_refused_before_it_is_decoded(
    client: FlaskClient, reader: DrawnReader, raw: bytes, words_of_it: str
) -> None:
    answer = send(client, raw, "odd.jpg")
    assert answer.status_code == 415
    assert f"odd.jpg: {words_of_it}" in answer.text or words_of_it in answer.text


def test_a_file_that_is_too_large_is_refused(reader: DrawnReader, tmp_path: Path) -> None:
    params = WebParams(upload_max_bytes=100_000)
    client = host_of(
        create_app(Path("none"), reader=reader, params=params, folder=tmp_path, pin=PIN)
    )
    answer = send(client, photo_bytes() + bytes(300_000))
    assert answer.status_code == 413
    assert "The file is too large: at most" in answer.text


def test_a_refusal_does_not_tell_where_files_lie(app: Flask) -> None:
    with app.test_request_context():
        said = told("/home/ana/table.db: the disk is full; make room and try again")
    assert said == "table.db: the disk is full; make room and try again"


def test_a_form_without_a_photograph_is_refused(client: FlaskClient) -> None:
    assert client.post("/readings", data={}).status_code == 400
    assert client.post("/readings", data={"photo": "0"}).status_code == 400
    assert client.post("/readings", data={"photo": "../../etc/passwd"}).status_code == 400


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd.jpg", "passwd.jpg"),
        ("C:\\fakepath\\table.jpg", "table.jpg"),
        ("two\r\nlines\x00.jpg", "twolines.jpg"),
        ("x" * 500 + ".jpg", "x" * 76 + ".jpg"),
        ("/", "photo"),
        (None, "photo"),
    ],
)
def test_a_files_name_is_shown_without_folders_and_oddities(given: str | None, shown: str) -> None:
    assert shown_name(given) == shown


def test_a_files_name_cannot_bring_tags_into_a_page(client: FlaskClient) -> None:
    at = send(client, photo_bytes(), "<img src=x onerror=alert(1)>.jpg").headers["Location"]
    assert "<h1>&lt;img src=x onerror=alert(1)&gt;.jpg</h1>" in settled(client, at).text


def test_too_many_at_once_are_asked_to_come_back(reader: DrawnReader, tmp_path: Path) -> None:
    params = WebParams(waiting_max=4)
    client = host_of(
        create_app(Path("none"), reader=reader, params=params, folder=tmp_path, pin=PIN)
    )
    reader.may_read.clear()
    answers = [send(client, photo_bytes()).status_code for _ in range(5)]
    reader.may_read.set()
    assert answers == [303, 303, 303, 303, 503]


@pytest.mark.parametrize(
    "path",
    [
        "/readings/none",
        "/readings/none/board-full.jpg",
        "/nowhere",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/photos/-1/thumbnail.jpg",
    ],
)
def test_what_is_not_there_is_a_clear_page(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "That did not work" in answer.text
    assert "To the first page" in answer.text


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_form_of_another_site_is_refused(client: FlaskClient, headers: dict[str, str]) -> None:
    form = {"file": (io.BytesIO(photo_bytes()), "a.jpg")}
    assert client.post("/readings", data=form, headers=headers).status_code == 403


def test_a_form_of_this_site_is_taken(client: FlaskClient) -> None:
    form = {"file": (io.BytesIO(photo_bytes()), "a.jpg")}
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/readings", data=form, headers=headers).status_code == 303


def test_a_fault_of_the_program_is_no_endless_wait_and_shows_no_inside(
    client: FlaskClient, reader: DrawnReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> object:
        raise RuntimeError("secret inside")

    monkeypatch.setattr(reader, "read", fail)
    at = send(client, photo_bytes()).headers["Location"]
    page = settled(client, at).text
    assert "the program failed on this picture" in page
    assert "secret inside" not in page


@pytest.mark.parametrize("order", ["red,red", "red,green", ",", "red,", "<script>"])
def test_an_impossible_order_is_refused(client: FlaskClient, order: str) -> None:
    answer = client.get("/photos", query_string={"order": order})
    assert answer.status_code == 400
    assert "order: expected" in answer.text
    assert "<script>" not in answer.text
