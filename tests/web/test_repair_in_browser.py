"""Discs put right in a real browser: by mouse, by keys and by finger, while others act too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from sonora_vision.observation import Disc
from sonora_vision.reading_file import disc_to_json
from sonora_vision.table.events import HOST, Repaired
from sonora_vision.table.judge import Put, judge
from tests.web.axe import violations
from tests.web.evening import read_game, record
from tests.web.served import code_of, game_of, served, table_of
from tests.web.test_in_browser import ARGUMENTS, CHROMIUM, CONTRAST
from tests.web.visit import PIN

pytestmark = pytest.mark.skipif(
    CHROMIUM is None,
    reason="*** NOT TESTED IN A BROWSER: chromium is not installed (apt install chromium) ***",
)
RED_2, BLUE_1 = 0, 3


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def game_id(app: Flask) -> str:
    return read_game(app)


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    with served(app) as (host, port):
        yield f"http://{host}:{port}"


@pytest.fixture
def page(browser: Browser, address: str, game_id: str) -> Iterator[Page]:
    """The host's repair page at 360 px; the test fails for any complaint in the console."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.get_by_label("PIN").fill(PIN)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.goto(f"{address}/games/{game_id}/repair")
    yield page
    context.close()
    assert complaints == []


def mark(page: Page, index: int | str) -> Locator:
    return page.locator(f'[data-sheet] [data-key="{index}"]')


def middle(page: Page, index: int | str) -> tuple[float, float]:
    face = mark(page, index).locator(".face")
    face.scroll_into_view_if_needed()
    box = face.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def px_per_mm(page: Page) -> float:
    scale = page.evaluate("document.querySelector('[data-sheet]').getScreenCTM().a")
    assert isinstance(scale, float)
    return scale


def drag(page: Page, index: int, dx_mm: float, dy_mm: float = 0.0) -> None:
    x, y = middle(page, index)
    scale = px_per_mm(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx_mm * scale / 2, y + dy_mm * scale / 2)
    page.mouse.move(x + dx_mm * scale, y + dy_mm * scale)
    page.mouse.up()


def verdict(page: Page) -> Locator:
    return page.locator("[data-verdict]")


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-said]")).to_contain_text("is saved")


def now(app: Flask, game_id: str, index: int) -> Disc:
    table = game_of(app, game_id).now.table
    assert table is not None
    return table.place(index).disc


def test_a_dragged_disc_is_judged_at_once_saved_and_still_there_after_a_reload(
    page: Page, app: Flask, game_id: str
) -> None:
    drag(page, RED_2, 30)
    expect(verdict(page)).to_contain_text("Canyon")
    expect(page.locator("[data-title]")).to_contain_text("not saved yet")
    assert now(app, game_id, RED_2).sections == ("ruins",)
    save(page)
    assert now(app, game_id, RED_2).center_mm == pytest.approx((65, 20), abs=1)
    page.reload()
    label = mark(page, RED_2).get_attribute("aria-label")
    assert label is not None
    assert label.startswith("Red 2, Canyon")
    expect(page.locator("[data-repairs]")).to_contain_text("moved by 30")


def test_by_keyboard_alone(page: Page, app: Flask, game_id: str) -> None:
    mark(page, RED_2).focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("#x")).to_have_value("36.1")
    page.keyboard.press("Enter")
    expect(page.locator("[data-said]")).to_contain_text("Red 2 is saved")
    assert now(app, game_id, RED_2).center_mm == pytest.approx((36.1, 20.5))
    expect(mark(page, RED_2)).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator("[data-said]")).to_contain_text("undone")
    assert now(app, game_id, RED_2).center_mm == (35, 20)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    expect(page.locator("#x")).to_have_value("35")
    page.keyboard.press("Delete")
    expect(page.locator("[data-said]")).to_contain_text("Red 2 is taken away")
    expect(mark(page, RED_2)).to_have_count(0)
    page.get_by_role("button", name="Undo: red 2 taken away").press("Enter")
    expect(mark(page, RED_2)).to_have_count(1)


def test_by_finger(page: Page) -> None:
    x, y = middle(page, RED_2)
    reach = 30 * px_per_mm(page)
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x, y))
    for part in (0.2, 0.5, 1.0):
        touch("touchMove", (x + reach * part, y))
    touch("touchEnd")
    expect(verdict(page)).to_contain_text("Canyon")
    x, y = middle(page, RED_2)
    before = page.locator("#x").input_value()
    touch("touchStart", (x, y))
    touch("touchMove", (x + 9, y))
    touch("touchStart", (x + 9, y), (x + 60, y + 60))
    touch("touchEnd")
    expect(page.locator("#x")).to_have_value(before)  # two fingers pinch, and move no disc


def test_a_disc_is_added_where_the_board_is_tapped(page: Page, app: Flask, game_id: str) -> None:
    page.get_by_role("button", name="Add a disc").click()
    expect(page.get_by_label("Color")).to_have_value("white")  # the one that was not seen
    expect(page.get_by_label("Number")).to_have_value("1")
    x, y = middle(page, RED_2)
    page.touchscreen.tap(x + 40 * px_per_mm(page), y)
    expect(verdict(page)).to_contain_text("Canyon")
    save(page)
    found = now(app, game_id, 5)
    assert (found.color, found.number, found.sections) == ("white", 1, ("canyon",))
    assert found.center_mm == pytest.approx((75, 20), abs=1.5)


def test_color_number_and_how_it_lies(page: Page, app: Flask, game_id: str) -> None:
    page.get_by_role("link", name="Red 1").click()
    page.get_by_label("Color").select_option("blue")
    page.get_by_label("It lies").select_option("standing")
    expect(verdict(page)).to_contain_text("too close to the border to call")
    page.get_by_label("I looked: the ring is in the right place").check()
    expect(verdict(page)).not_to_contain_text("too close")
    save(page)
    found = now(app, game_id, 1)
    assert (found.color, found.state, found.doubts) == ("blue", "standing", ())
    expect(page.locator("[data-twins]")).to_contain_text("blue 1")


def test_exactly_on_the_line(page: Page, app: Flask, game_id: str) -> None:
    page.get_by_role("link", name="Red 1").click()
    page.get_by_role("button", name="Exactly on the line").click()
    expect(page.locator("#x")).to_have_value("50")
    expect(verdict(page)).to_contain_text("Creek or Mudcracks")
    save(page)
    assert now(app, game_id, 1).sections == ("creek", "mudcracks")


def test_what_is_not_saved_outlives_news_and_a_reload(page: Page, app: Flask, game_id: str) -> None:
    drag(page, RED_2, 30)
    expect(verdict(page)).to_contain_text("Canyon")
    table = table_of(app)
    moved = judge(Put(color="blue", number=1, center_mm=(80.0, 80.0)), table.board)
    table.tables.act(game_id, HOST, Repaired(disc=BLUE_1, now=disc_to_json(moved)))
    expect(page.locator("[data-repairs]")).to_contain_text("Blue 1")
    for _ in range(2):
        expect(page.locator("[data-title]")).to_contain_text("Red 2 (not saved yet)")
        expect(verdict(page)).to_contain_text("Canyon")
        page.reload()
    save(page)
    assert now(app, game_id, RED_2).sections == ("canyon",)


def test_a_new_reading_takes_the_place_of_what_was_not_saved(
    page: Page, app: Flask, game_id: str
) -> None:
    drag(page, RED_2, 30)
    expect(page.locator("[data-title]")).to_contain_text("not saved yet")
    with page.expect_navigation():
        record(app, game_id)
    expect(page.get_by_role("link", name="Red 2")).to_contain_text("Ruins")


def test_a_player_is_offered_their_own_discs(
    browser: Browser, address: str, app: Flask, game_id: str
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{address}/join/{code_of(app, game_id, 'red')}")
    page.goto(f"{address}/games/{game_id}/repair")
    expect(page.locator("[data-list] a")).to_have_count(2)
    drag(page, BLUE_1, 30)
    expect(page.locator("[data-edit]")).to_be_hidden()
    drag(page, RED_2, 30)
    save(page)
    context.close()


def test_zoomed_in_a_disc_still_goes_where_the_finger_goes(page: Page) -> None:
    for _ in range(3):
        page.get_by_role("button", name="Larger picture").click()
    drag(page, RED_2, 10)
    x = float(page.locator("#x").input_value())
    assert x == pytest.approx(45, abs=0.6)


@pytest.mark.parametrize("width", [320, 768, 1920])
def test_nothing_is_wider_than_the_screen_and_buttons_fit_a_finger(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("link", name="Red 1").click()
    inside = "[...document.querySelectorAll('main *:not(svg *)')]"
    wide = f"{inside}.filter(e => e.getBoundingClientRect().right > innerWidth + 1"
    wide += " && !e.closest('.unseen')).map(e => e.outerHTML.slice(0, 200))"
    assert page.evaluate(wide) == []
    for button in page.locator("main button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40


def test_text_stands_out_from_its_ground(page: Page) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.get_by_role("link", name="Red 1").click()
        assert page.evaluate(CONTRAST) == []


def test_axe_finds_nothing(page: Page, address: str) -> None:
    page.get_by_role("link", name="Red 1").click()
    assert violations(page) == []
    page.goto(f"{address}/photos")
    assert violations(page) == []
