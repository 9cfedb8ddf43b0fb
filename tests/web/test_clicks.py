"""The page on which a photograph is clicked: alone, and in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect, sync_playwright

from sonora_vision.calibrate.board_spec import board_from_json, load_board
from sonora_vision.calibrate.clicks import load_clicks
from sonora_vision.web.clicks import create_clicks_app, targets
from tests.builders import board_json
from tests.clicks_by_truth import sample_clicks
from tests.web.served import served
from tests.web.test_in_browser import ARGUMENTS, CHROMIUM

RIG = Path(__file__).parents[2] / "sample_images" / "mesa"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "clicks.json"


@pytest.fixture
def app(out: Path) -> Flask:
    return create_clicks_app(RIG / "photos" / "006.jpg", RIG / "board.json", out)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_everything_that_can_be_clicked_is_asked_for() -> None:
    board = board_from_json(board_json(), "board.json")
    assert [target.words for target in targets(board)] == [
        "the board's top left corner",
        "the board's top right corner",
        "the board's bottom right corner",
        "the board's bottom left corner",
        "the hole's middle",
        "the fox circle's middle",
        "a red disc, lying flat",
        "a blue disc, lying flat",
    ]


def test_the_page_speaks_the_browsers_language_until_another_is_chosen(client: FlaskClient) -> None:
    spanish = {"Accept-Language": "es"}
    page = client.get("/", headers=spanish).text
    assert "la esquina superior izquierda del tablero" in page
    assert "grietas de barro</text>" in page
    assert (
        client.post("/clicks", json={"landmarks": [], "colors": []}, headers=spanish)
        .get_json()["words"]
        .startswith("puntos: puntos del tablero: se esperan al menos 4")
    )
    client.post("/language", data={"language": "en", "next": "/"}, headers=spanish)
    assert "the board&#39;s top left corner" in client.get("/", headers=spanish).text


def test_the_picture_is_sent_in_full_size_and_the_page_has_no_inline_script(
    client: FlaskClient,
) -> None:
    page = client.get("/")
    assert 'viewBox="0 0 1640 1232"' in page.text
    assert "<script>" not in page.text
    assert "style=" not in page.text
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert client.get("/photo.jpg").mimetype == "image/jpeg"


def test_good_clicks_are_saved_and_their_fit_is_said(client: FlaskClient, out: Path) -> None:
    reply = client.post("/clicks", json=sample_clicks("006"))
    assert reply.status_code == 200
    assert "The printed lines lie within 0." in reply.get_json()["words"]
    assert len(load_clicks(out, load_board(RIG / "board.json")).landmarks) == 5


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ([], 400, "expected the clicks as a JSON object"),
        ({"landmarks": [], "colors": []}, 422, "landmarks: expected at least 4, got 0"),
        (sample_clicks("009"), 422, "the"),
    ],
)
def test_clicks_that_fit_nothing_are_refused_and_nothing_is_saved(
    client: FlaskClient, out: Path, sent: Any, status: int, words: str
) -> None:
    reply = client.post("/clicks", json=sent)
    assert reply.status_code == status
    assert words in reply.get_json()["words"]
    assert not out.exists()


def test_another_sites_clicks_are_refused(client: FlaskClient, out: Path) -> None:
    headers = {"Origin": "http://elsewhere.example"}
    reply = client.post("/clicks", json=sample_clicks("006"), headers=headers)
    assert reply.status_code == 403
    assert not out.exists()


@pytest.fixture
def page(app: Flask) -> Iterator[Page]:
    """The page in a browser; any complaint in its console fails the test."""
    if CHROMIUM is None:
        pytest.skip("*** NOT TESTED IN A BROWSER: chromium is not installed ***")
    expect.set_options(timeout=30_000)
    with served(app) as (host, port), sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"http://{host}:{port}/")
        yield page
        browser.close()
    assert [text for text in complaints if "422" not in text] == []


def click_at(page: Page, px: list[float]) -> None:
    box = page.locator("[data-picture] img").bounding_box()
    assert box is not None
    scale = box["width"] / 1640
    at = {"x": (px[0] + 0.5) * scale, "y": (px[1] + 0.5) * scale}
    page.locator("[data-picture]").click(position=at)  # type: ignore[arg-type]


def test_a_whole_session_of_clicks(page: Page, out: Path) -> None:
    clicks = sample_clicks("006")
    asked = page.locator("[data-next]")
    save = page.get_by_role("button", name="Save")
    expect(asked).to_have_text("the board's top left corner")
    expect(save).to_be_disabled()
    for landmark in clicks["landmarks"]:
        click_at(page, landmark["px"])
    expect(asked).to_have_text("the lizard circle's middle")
    page.get_by_role("button", name="Undo").click()
    expect(asked).to_have_text("the hole's middle")
    click_at(page, clicks["landmarks"][4]["px"])
    for _ in range(8):
        page.get_by_role("button", name="Not in view", exact=True).click()
    for color in ("orange", "purple", "teal", "white"):
        expect(asked).to_have_text(f"a {color} disc, lying flat")
        click_at(page, next(c["px"] for c in clicks["colors"] if c["color"] == color))
    expect(asked).to_have_text("all is clicked; save")
    save.click()
    expect(page.locator("[data-answer]")).to_contain_text("Saved as clicks.json")
    saved = json.loads(out.read_text(encoding="utf-8"))
    for told, meant in zip(saved["landmarks"], clicks["landmarks"], strict=True):
        assert told["mm"] == meant["mm"]
        assert abs(told["px"][0] - meant["px"][0]) < 3
        assert abs(told["px"][1] - meant["px"][1]) < 3


def test_keys_alone_set_and_take_back_a_point(page: Page) -> None:
    picture = page.locator("[data-picture]")
    picture.focus()
    for key in ("ArrowRight", "Shift+ArrowDown", "Enter"):
        page.keyboard.press(key)
    first = page.get_by_role("button", name="the board's top left corner")
    expect(first).to_contain_text("at 821, 626")
    expect(page.locator("[data-next]")).to_have_text("the board's top right corner")
    page.keyboard.press("Backspace")
    expect(page.locator("[data-next]")).to_have_text("the board's top left corner")
    expect(first).not_to_contain_text("at 821")
    page.keyboard.press("n")
    expect(first).to_contain_text("not in view")


def test_wrong_clicks_are_answered_and_stay_on_the_page(page: Page, out: Path) -> None:
    for x, y in ((100, 100), (900, 120), (880, 700), (120, 720)):
        click_at(page, [x, y])
    for _ in range(9):
        page.keyboard.press("n")
    for k in range(4):
        click_at(page, [300 + 150 * k, 400])
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-answer]")).not_to_have_text("Checking the clicks")
    assert not out.exists()
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    first = page.get_by_role("button", name="the board's top left corner")
    expect(first).to_contain_text(re.compile(r"at \d"))
