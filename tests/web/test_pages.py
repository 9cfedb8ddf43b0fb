"""The pages as a browser without scripts meets them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from sonora_vision.errors import UsageError
from sonora_vision.reading_file import reading_from_json
from sonora_vision.score.allocation import Allocation
from sonora_vision.web import WebParams, create_app
from tests.web.table import DrawnReader, drawn_reading, photo_bytes, rough_png
from tests.web.visit import PIN, host_of, read_page, send, settled, visitor, words


def test_a_photograph_becomes_a_page_with_every_part(client: FlaskClient) -> None:
    at, page = read_page(client)
    text = words(page)
    assert "Ruins, in this order" in text
    for card in ("Red", "Blue", "White"):
        assert f"{card} " in text
    assert "draw two shapes of 1 or lower" in text
    assert "any section (bullseye)" in text
    assert "Creek or Mudcracks: too close to the border to call" in text
    assert "off the board" in text
    assert "a hand is in the picture" in text
    assert "2.0 mm onto the fox" in text
    assert f"{at}/board-brief.jpg" in page


def test_a_photograph_larger_than_any_part_of_a_form_is_taken(client: FlaskClient) -> None:
    raw = rough_png(rows=300)
    assert len(raw) > 300_000
    assert send(client, raw, "large.png").status_code == 303


def test_certainty_is_never_written_as_certain(client: FlaskClient) -> None:
    _, page = read_page(client)
    assert "Over 99% sure" in page
    assert "60% sure" in page
    assert "100%" not in page


def test_steps_come_in_the_order_of_the_write_phase(client: FlaskClient) -> None:
    _, page = read_page(client)
    for card in re.findall(r'<article class="card".*?</article>', page, re.DOTALL):
        names = ("Ruins", "Canyon", "Creek", "Mudcracks")
        places = [card.index(f"</svg>{name}") for name in names]
        assert places == sorted(places)


def test_doubts_come_before_choices_and_choices_before_the_rest(client: FlaskClient) -> None:
    _, page = read_page(client)
    assert re.findall(r'class="disc (\w+)', page) == [
        "doubt",
        "choice",
        "settled",
        "settled",
        "settled",
    ]


def test_every_picture_of_a_reading_can_be_had(client: FlaskClient) -> None:
    at, page = read_page(client)
    pictures = set(re.findall(r'(?:src|srcset)="(/readings/[^"]+)"', page))
    assert len(pictures) == 2 + 4  # the disc off the board lies outside the picture
    for picture in pictures | {f"{at}/annotated.png"}:
        answer = client.get(picture)
        assert answer.status_code == 200
        pixels = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
        assert pixels is not None
        assert min(pixels.shape[:2]) > 300


def test_reading_and_allocation_are_sent_in_the_formats_of_the_files(client: FlaskClient) -> None:
    at, _ = read_page(client)
    document = client.get(f"{at}/reading.json").get_json()
    assert reading_from_json(document, "answer").discs[0].center_mm == (35.0, 20.0)
    allocation = Allocation.from_json(client.get(f"{at}/allocation.json?order=blue,red").get_json())
    assert allocation.order == ("blue", "red")
    assert allocation.player("red").ruins.total == 2


def test_turn_order_decides_the_cards_and_its_buttons_lead_to_other_orders(
    client: FlaskClient,
) -> None:
    at, _ = read_page(client)
    page = client.get(f"{at}?order=blue,red").text
    cards = re.findall(r'<h3 id="card-\d">.*?</svg>\s*(\w+)</h3>', page, re.DOTALL)
    assert cards == ["Blue", "Red"]
    assert 'value="red,blue"' in page
    assert 'value="blue,red,white"' in page
    assert "white is not in the order" in page


def test_warnings_and_refusals_are_said_in_the_visitors_language(client: FlaskClient) -> None:
    at, _ = read_page(client)
    client.set_cookie("language", "es")
    page = client.get(f"{at}?order=blue,red").text
    assert "blanco no está en el orden: sus discos (1) quedan fuera" in page
    whole = photo_bytes(size=(600, 800))
    at = send(client, whole[: len(whole) // 2]).headers["Location"]
    assert "el JPEG está cortado (falta el final); cópialo otra vez" in settled(client, at).text
    assert "el JPEG está cortado (falta el final); cópialo otra vez" in client.get("/photos").text


def test_the_order_is_kept_from_form_to_page(client: FlaskClient) -> None:
    answer = send(client, photo_bytes(), order="white,red")
    assert answer.headers["Location"].endswith("?order=white,red")


def test_an_unread_photograph_shows_that_it_is_being_read(
    client: FlaskClient, reader: DrawnReader
) -> None:
    reader.may_read.clear()
    at = send(client, photo_bytes()).headers["Location"]
    page = client.get(at).text
    assert "Reading the photograph" in page
    assert f'data-wait="{at}/status"' in page
    assert 'http-equiv="refresh"' in page
    assert client.get(f"{at}/board-full.jpg").status_code == 404
    reader.may_read.set()
    assert "What each player records" in settled(client, at).text


def test_a_photograph_without_a_board_is_refused_with_the_reason(client: FlaskClient) -> None:
    at = send(client, photo_bytes(level=0), "dark.jpg").headers["Location"]
    page = settled(client, at).text
    assert "dark.jpg: no board found; photograph the whole board" in page
    assert "Try another one" in page


def test_a_jpeg_cut_short_is_refused_with_the_reason(client: FlaskClient) -> None:
    whole = photo_bytes(size=(600, 800))
    at = send(client, whole[: len(whole) // 2]).headers["Location"]
    assert "cut short" in settled(client, at).text


def test_the_oldest_readings_are_forgotten(reader: DrawnReader, tmp_path: Path) -> None:
    limits = WebParams(kept_max=2)
    client = host_of(
        create_app(Path("none"), reader=reader, params=limits, folder=tmp_path, pin=PIN)
    )
    places = [read_page(client)[0] for _ in range(4)]
    assert [client.get(at).status_code for at in places] == [404, 404, 200, 200]


def test_photographs_given_at_the_start_are_offered(reader: DrawnReader, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(photo_bytes(size=(600, 800)))
    (tmp_path / "b.jpg").write_bytes(b"broken")
    photos = [tmp_path / "a.jpg", tmp_path / "b.jpg"]
    client = host_of(create_app(Path("none"), photos, reader=reader, folder=tmp_path, pin=PIN))
    assert "Read a.jpg" in client.get("/photos").text
    assert client.get("/photos/0/thumbnail.jpg").status_code == 200
    assert client.get("/photos/1/thumbnail.jpg").status_code == 404
    assert client.get("/photos/2/thumbnail.jpg").status_code == 404
    at = client.post("/readings", data={"photo": "0"}).headers["Location"]
    assert "<h1>a.jpg</h1>" in settled(client, at).text
    at = client.post("/readings", data={"photo": "1"}).headers["Location"]
    assert "could not be read" in settled(client, at).text


def test_a_photograph_that_is_not_there_stops_the_start(
    reader: DrawnReader, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"lost\.jpg: expected a photograph"):
        create_app(Path("none"), [Path("lost.jpg")], reader=reader, folder=tmp_path)


class _Tags(HTMLParser):
    """All tags of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture
def all_pages(client: FlaskClient, app: Flask) -> list[TestResponse]:
    at, _ = read_page(client)
    refused = send(client, photo_bytes(level=0)).headers["Location"]
    return [
        client.get("/photos"),
        client.get(at),
        settled(client, refused),
        client.get("/nowhere"),
        client.get("/host"),
        visitor(app).get("/"),
    ]


def test_no_page_has_inline_script_or_style_or_anything_from_elsewhere(
    all_pages: list[TestResponse],
) -> None:
    for page in all_pages:
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        for tag, attributes in _Tags(page.text).tags:
            assert tag != "style"
            assert tag != "script" or attributes.get("src")
            assert not [name for name in attributes if name.startswith("on") or name == "style"]
            for name in ("src", "href", "srcset", "action"):
                assert not (attributes.get(name) or "").startswith(("http", "//"))


def test_every_page_has_a_language_a_title_one_main_heading_and_no_id_twice(
    all_pages: list[TestResponse],
) -> None:
    for page in all_pages:
        tags = _Tags(page.text).tags
        names = [tag for tag, _ in tags]
        ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
        assert names.count("h1") == 1
        assert names.count("main") == 1
        assert ("html", {"lang": "en"}) in tags
        assert len(ids) == len(set(ids))
        assert all("alt" in attributes for tag, attributes in tags if tag == "img")
        labelled = {attributes.get("for") for tag, attributes in tags if tag == "label"}
        for tag, attributes in tags:
            if tag == "input" and attributes.get("type") != "hidden":
                assert attributes.get("id") in labelled


def test_a_page_is_small(client: FlaskClient) -> None:
    at, page = read_page(client)
    size = len(page.encode())
    for name in ("page.css", "page.js", "icon.svg"):
        with client.get(f"/static/{name}") as answer:
            size += len(answer.data)
    assert size < 60_000
    assert len(client.get(f"{at}/board-brief.jpg").data) < 300_000


def test_the_page_says_what_the_allocation_file_says(client: FlaskClient, app: Flask) -> None:
    at, page = read_page(client)
    document = json.loads(client.get(f"{at}/allocation.json").data)
    turns = re.search(r'<ol class="turns">(.*?)</ol>', page, re.DOTALL)
    assert turns is not None
    assert words(turns[1]).split() == [
        word
        for color in document["ruins_order"]
        for player in document["players"]
        if player["color"] == color
        for word in (color.capitalize(), str(player["ruins"]["total"]))
    ]
    assert len(drawn_reading("x").discs) == page.count('class="disc ')
