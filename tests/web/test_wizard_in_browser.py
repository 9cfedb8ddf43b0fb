"""The wizard in a real browser: corrections by hand and keyboard, Cancel, any screen and light."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from sonora_vision.web.wizard import create_wizard_app
from tests.web.test_in_browser import ARGUMENTS, CHROMIUM, CONTRAST

pytestmark = pytest.mark.skipif(
    CHROMIUM is None,
    reason="*** NOT TESTED IN A BROWSER: chromium is not installed (apt install chromium) ***",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the profile goes; an old one is there."""
    path = tmp_path / "table.profile"
    path.write_bytes(b"the old profile")
    return path


@pytest.fixture
def page(browser: Browser, out: Path, tmp_path: Path) -> Iterator[Page]:
    """The wizard's first page; the test fails for any complaint in the browser's console."""
    app = create_wizard_app(out, tmp_path / "rig")
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    yield page
    context.close()
    server.shutdown()
    thread.join()
    server.server_close()
    app.extensions["sonora_vision_wizard"].close()
    # What a refused edit answers is no fault of the page.
    assert [c for c in complaints if "422" not in c] == []


def step(page: Page, name: str) -> None:
    page.get_by_label("Steps").get_by_role("link", name=name).click()


def send(page: Page, label: str, button: str, *files: Path) -> None:
    page.get_by_label(label, exact=True).set_input_files([str(f) for f in files])
    page.get_by_role("button", name=button).click()


def view(page: Page) -> dict[str, Any]:
    """What the page was told last, once no edit is under way."""
    expect(page.locator("[aria-busy]")).to_have_count(0)
    shown = page.evaluate("window.editor.view")
    assert isinstance(shown, dict)
    return shown


def fill(page: Page, key: str, value: str) -> None:
    field = page.locator(f'[data-key="{key}"]')
    if field.evaluate("e => e.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)
        field.press("Enter")
    view(page)


def send_board(page: Page, rig: Path) -> None:
    step(page, "Board")
    send(page, "Picture of the empty board", "Find what is on it", rig / "teach" / "empty.jpg")
    expect(page.locator(".outline")).to_have_count(1)


def test_what_was_found_is_corrected_by_hand_and_by_keyboard(page: Page, sample_rig: Path) -> None:
    send_board(page, sample_rig)
    before = view(page)
    handle = page.get_by_role("button", name="Corner 2", exact=True)
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    page.wait_for_timeout(700)
    x, y = before["corners"][1]
    assert view(page)["corners"][1] == pytest.approx([x + 1, y + 10], abs=0.01)
    expect(page.get_by_role("button", name="Corner 2", exact=True)).to_be_focused()
    page.keyboard.press("Control+z")
    assert view(page)["corners"] == before["corners"]

    circle = page.get_by_role("button", name="Circle 1", exact=True).locator(".dot").bounding_box()
    assert circle is not None
    start = (circle["x"] + circle["width"] / 2, circle["y"] + circle["height"] / 2)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 25, start[1], steps=4)
    expect(page.locator(".magnifier")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".magnifier")).to_be_hidden()
    assert view(page)["circles"][0]["center"][0] > before["circles"][0]["center"][0] + 10

    page.get_by_role("button", name="Circle 1", exact=True).focus()
    page.keyboard.press("Delete")
    assert len(view(page)["circles"]) == len(before["circles"]) - 1

    page.get_by_role("radio", name="New circle").check()
    page.locator(".sheet").focus()
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    shown = view(page)
    assert len(shown["circles"]) == len(before["circles"])
    width, height = shown["size"]
    assert shown["circles"][-1]["center"] == [width / 2, height / 2]

    page.get_by_label("From corner C1 to corner C2, in mm").fill("much")
    page.locator("[data-length] button").click()
    expect(page.get_by_role("alert")).to_contain_text("expected 50 to 3000 mm")


def test_cancel_keeps_the_old_profile(page: Page, out: Path, sample_rig: Path) -> None:
    send_board(page, sample_rig)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("All answers are forgotten.")).to_be_visible()
    step(page, "Board")
    expect(page.get_by_role("button", name="Find what is on it")).to_be_visible()
    assert out.read_bytes() == b"the old profile"


def test_the_board_fits_any_screen_and_stands_out_in_any_light(
    page: Page, sample_rig: Path
) -> None:
    send_board(page, sample_rig)
    for width in (320, 768, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        inside = "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect()"
        wide = (
            f"{inside}.right > innerWidth + 1 && !e.closest('.unseen, .canvas, .magnifier'))"
            ".map(e => e.outerHTML)"
        )
        assert page.evaluate(wide) == []
    for button in page.locator("button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert page.evaluate(CONTRAST) == []
