"""The pages in a real browser: what scripts, styles and the content policy do together."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, FilePayload, Page, Route, expect, sync_playwright

from tests.web.served import served
from tests.web.table import DrawnReader, photo_bytes, rough_png
from tests.web.visit import PIN

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None,
    reason="*** NOT TESTED IN A BROWSER: chromium is not installed (apt install chromium) ***",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    with served(app) as (host, port):
        yield f"http://{host}:{port}/photos"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page that fails the test for any complaint in the browser's console.

    It takes the address so that it is closed before the server is.
    """
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    sign_in(page, address)
    yield page
    context.close()
    # What a busy server answers is no fault of the page.
    assert [words for words in complaints if "503" not in words] == []


def sign_in(page: Page, address: str) -> None:
    page.goto(f"{address.removesuffix('/photos')}/?next=/photos")
    page.get_by_label("PIN").fill(PIN)
    page.keyboard.press("Enter")
    page.wait_for_url(address)


def choose(page: Page, address: str, raw: bytes | None = None) -> None:
    """Send one photograph and open its page."""
    page.goto(address)
    file = FilePayload(name="table.jpg", mimeType="image/jpeg", buffer=raw or photo_bytes())
    page.get_by_label("Photographs of the board").set_input_files(file)
    page.get_by_role("button", name="Read them").click()
    page.get_by_role("link", name="table.jpg").first.click()


def load_all_pictures(page: Page) -> None:
    page.evaluate("document.querySelectorAll('img').forEach(i => i.loading = 'eager')")
    page.wait_for_load_state("networkidle")


def test_a_chosen_photograph_is_waited_for_and_shown(
    page: Page, address: str, reader: DrawnReader
) -> None:
    reader.may_read.clear()
    raw = rough_png(rows=2000, columns=1000)
    assert len(raw) > 5_000_000
    choose(page, address, raw)
    expect(page.get_by_role("heading", name="Reading the photograph")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_visible()
    reader.may_read.set()
    expect(page.get_by_role("heading", name="What each player records")).to_be_visible()
    expect(page.get_by_role("article", name="Blue")).to_contain_text("draw two shapes of 1")
    load_all_pictures(page)
    broken = page.evaluate("[...document.images].filter(i => !i.naturalWidth).map(i => i.src)")
    assert broken == []


def test_dropped_photographs_are_read_bad_ones_among_them(page: Page, address: str) -> None:
    page.goto(address)
    transfer = page.evaluate_handle(
        """bytes => {
            const transfer = new DataTransfer();
            for (const name of ["one.jpg", "two.jpg"])
                transfer.items.add(new File([new Uint8Array(bytes)], name));
            transfer.items.add(new File(["no picture"], "notes.txt"));
            return transfer;
        }""",
        list(photo_bytes()),
    )
    page.dispatch_event("[data-photos]", "drop", {"dataTransfer": transfer})
    expect(page.locator(".sent > li")).to_have_count(3)
    expect(page.locator(".sent")).to_contain_text("notes.txt: expected a JPEG or PNG photograph")
    expect(page.locator(".sent .done")).to_have_count(2)
    expect(page.get_by_role("link", name="as a zip")).to_be_visible()
    expect(page.locator("[data-queue] li")).to_have_count(0)


def test_a_table_that_is_busy_is_asked_again(page: Page, address: str, reader: DrawnReader) -> None:
    page.goto(address)
    turned_away = []

    def first_busy(route: Route) -> None:
        if turned_away:
            route.continue_()
        else:
            turned_away.append(route.request.url)
            route.fulfill(status=503, headers={"Retry-After": "1"}, body="{}")

    page.route(
        "**/photos", lambda r: first_busy(r) if r.request.method == "POST" else r.continue_()
    )
    file = FilePayload(name="table.jpg", mimeType="image/jpeg", buffer=photo_bytes())
    page.get_by_label("Photographs of the board").set_input_files(file)
    page.get_by_role("button", name="Read them").click()
    expect(page.locator(".sent .done")).to_have_count(1)
    assert turned_away


def test_the_turn_order_is_changed_by_keyboard(page: Page, address: str) -> None:
    choose(page, address)
    button = page.get_by_role("button", name="Move blue up")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("article").first).to_have_accessible_name("Blue")
    assert "order=blue" in page.url
    page.wait_for_load_state()
    page.get_by_role("button", name="Red does not play").press("Enter")
    expect(page.get_by_role("article")).to_have_count(2)
    page.get_by_role("button", name="Let red in").press("Enter")
    expect(page.get_by_role("article").last).to_have_accessible_name("Red")


def test_the_first_stop_of_the_keyboard_skips_to_the_content(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


@pytest.mark.parametrize("width", [320, 768, 1920])
def test_nothing_is_wider_than_the_screen(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for chosen in (False, True):
        if chosen:
            choose(page, address)
        else:
            page.goto(address)
        load_all_pictures(page)
        inside = "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect()"
        wide = f"{inside}.right > innerWidth + 1 && !e.closest('.unseen')).map(e => e.outerHTML)"
        assert page.evaluate(wide) == []


def test_buttons_are_large_enough_for_a_finger(page: Page, address: str) -> None:
    choose(page, address)
    expect(page.get_by_role("article")).to_have_count(3)
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(browser: Browser, address: str, scheme: str) -> None:
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    sign_in(page, address)
    choose(page, address)
    expect(page.get_by_role("article")).to_have_count(3)
    page.wait_for_load_state()  # the articles can be there before the style sheet is
    faint = page.evaluate(CONTRAST)
    context.close()
    assert faint == []


CONTRAST = """() => {
  // WCAG 2.2, 1.4.3: contrast of each element's own text with the first ground that is not clear.
  const parse = c => c.match(/[\\d.]+/g).map(Number);
  const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const e of document.querySelectorAll("body *:not(svg *)")) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.disabled || e.tagName === "SCRIPT") continue;
    const pair = [parse(getComputedStyle(e).color), ground(e)].map(luminance).sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) faint.push([e.textContent.trim().slice(0, 40), ratio]);
  }
  return faint;
}"""
