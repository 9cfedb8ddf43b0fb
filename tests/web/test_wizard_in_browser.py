"""The wizard in a real browser: from the first upload to Use, and what keyboard and phone need."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import shapely
from babel.messages.pofile import read_po
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from sonora_vision.calibrate.board_spec import load_board
from sonora_vision.calibrate.photo import load_photo
from sonora_vision.calibrate.profile import Profile, load_profile
from sonora_vision.pipeline import read_pixels
from sonora_vision.web.wizard.app import create_wizard_app
from tests.web.served import served
from tests.web.test_in_browser import ARGUMENTS, CHROMIUM, CONTRAST
from tests.web.test_translations import TRANSLATIONS

pytestmark = pytest.mark.skipif(
    CHROMIUM is None,
    reason="*** NOT TESTED IN A BROWSER: chromium is not installed (apt install chromium) ***",
)

VIEWS = 8
"""Lens pictures that are sent: enough to compute the lens."""


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
def locale() -> str:
    """What the browser asks for."""
    return "en-US"


@pytest.fixture
def page(browser: Browser, out: Path, tmp_path: Path, locale: str) -> Iterator[Page]:
    """The wizard's first page; the test fails for any complaint in the browser's console."""
    app = create_wizard_app(out, tmp_path / "rig")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale=locale)
    page = context.new_page()
    page.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    with served(app) as (host, port):
        page.goto(f"http://{host}:{port}/")
        yield page
        context.close()
    app.extensions["sonora_vision_wizard"].close()
    # What a refused edit answers is no fault of the page.
    assert [c for c in complaints if "422" not in c] == []


def step(page: Page, name: str) -> None:
    page.get_by_label("Steps").get_by_role("link", name=name).click()


def send(page: Page, label: str, button: str, *files: Path) -> None:
    """Send files, and wait until the page that answers is there with its scripts run."""
    page.get_by_label(label, exact=True).set_input_files([str(f) for f in files])
    with page.expect_event("load"):
        page.get_by_role("button", name=button).click()


def view(page: Page) -> dict[str, Any]:
    """What the page was told last, once no edit is under way."""
    expect(page.locator("[aria-busy]")).to_have_count(0)
    shown = page.evaluate("window.editor.view")
    assert isinstance(shown, dict)
    return shown


def circles(page: Page) -> Locator:
    """The rows of circles: to wait for an expression of the script, the page's policy forbids."""
    return page.locator('[data-key^="circle-"][data-key$="-delete"]')


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


def name_everything(page: Page, rig: Path, say: Callable[[str], str] = str) -> None:
    """Answer what an owner answers: the length, the areas, the circles, in the owner's words."""
    board = json.loads((rig / "board.json").read_text())
    page.locator("#side").fill("400")
    page.locator("[data-length] button").click()
    shown = view(page)
    # The board lies upright in the sample's picture: its corners' pixels lead to millimetres.
    to_mm = cv2.getPerspectiveTransform(
        np.array(shown["corners"], np.float32), np.array(board["outline"], np.float32)
    )

    def mapped(point: list[float]) -> tuple[float, float]:
        x, y = cv2.perspectiveTransform(np.array([[point]], np.float32), to_mm)[0, 0]
        return float(x), float(y)

    for i in reversed(range(len(shown["circles"]))):
        circle = shown["circles"][i]
        if circle["role"] == "hole":
            continue
        at = mapped(circle["center"])
        near = [m for m in board["multipliers"] if math.dist(m["center"], at) < 4]
        if near:
            fill(page, f"circle-{i}-animal", say(near[0]["animal"]))
            if not view(page)["circles"][i]["section"]:  # else known from its twin
                fill(page, f"circle-{i}-section", say(near[0]["section"]))
        else:
            left = len(view(page)["circles"]) - 1
            page.locator(f'[data-key="circle-{i}-delete"]').click()
            expect(circles(page)).to_have_count(left)
    for i, area in enumerate(shown["areas"]):
        at = shapely.Point(mapped(area["at"]))
        if any(shapely.Polygon(c["points"]).contains(at) for c in board["launch_corners"]):
            fill(page, f"area-{i}-role", "launch")
        else:
            (section,) = (
                z["section"] for z in board["zones"] if shapely.Polygon(z["points"]).contains(at)
            )
            fill(page, f"area-{i}-section", say(section))


def test_from_the_first_upload_to_use(
    page: Page, out: Path, tmp_path: Path, sample_rig: Path
) -> None:
    teach = sample_rig / "teach"
    send(page, "Picture of the board from this camera", "Is it good?", teach / "empty.jpg")
    expect(page.get_by_role("heading", name="Ready", exact=True)).to_be_visible()
    step(page, "Lens")
    views = sorted((sample_rig / "lens").glob("*.jpg"))[:VIEWS]
    send(page, "Pictures of the target", "Add them", *views)
    expect(page.get_by_role("heading", name=f"{VIEWS} views")).to_be_visible()
    send_board(page, sample_rig)
    name_everything(page, sample_rig)
    expect(page.locator("[data-todo]")).to_have_text("The board is complete.")
    step(page, "Discs")
    page.get_by_label("How high a disc is, in mm").fill("6")
    send(page, "Picture of all discs", "Find them", teach / "discs.jpg")
    tap_what_was_not_found(page, sample_rig)
    expect(page.locator("[data-todo]")).to_have_text("The discs are complete.")
    (strange,) = {c["name"] for c in view(page)["colors"]} - {"orange", "teal", "white"}
    fill(page, f"color-{strange}", "purple")
    assert {c["name"] for c in view(page)["colors"]} == {"orange", "purple", "teal", "white"}
    step(page, "Check")
    page.get_by_role("button", name="Make the profile").click()
    expect(page.get_by_role("heading", name="Put three discs")).to_be_visible()
    send(
        page,
        "Picture with these discs, others may lie there too",
        "Measure it",
        sample_rig / "photos" / "002.jpg",
    )
    expect(page.get_by_role("heading", name="Poor")).to_be_visible()  # nobody put them there
    assert out.read_bytes() == b"the old profile"
    page.get_by_role("button", name="Use this profile").click()
    expect(page.get_by_role("heading", name="The profile is saved")).to_be_visible()
    assert (tmp_path / "rig" / "teach" / "answers.json").exists()
    reads_as_the_truth(load_profile(out), sample_rig)


def tap_what_was_not_found(page: Page, rig: Path) -> None:
    """Tap a disc that was not found, as the page asks; most were."""
    expect(page.locator("[data-todo]")).to_be_visible()
    answers = json.loads((rig / "teach" / "answers.json").read_text())["discs"]["discs"]
    found = [disc["px"] for disc in view(page)["discs"]]
    lost = [a["px"] for a in answers if all(math.dist(a["px"], px) > 15 for px in found)]
    assert len(lost) <= 2
    for px in lost:
        page.locator("[name=tool][value=disc]").check()
        page.locator(".sheet").scroll_into_view_if_needed()
        at = page.evaluate(
            """([x, y]) => {
                const sheet = document.querySelector(".sheet");
                const point = new DOMPoint(x, y).matrixTransform(sheet.getScreenCTM());
                return [point.x, point.y];
            }""",
            px,
        )
        page.mouse.click(*at)
        view(page)


def reads_as_the_truth(profile: Profile, rig: Path) -> None:
    """No promise about a photograph may be wrong, and nearly all discs are promised."""
    truth = json.loads((rig / "truth" / "002.json").read_text())["discs"]
    lying = [t for t in truth if t["state"] == "flat" and t["visible"] > 0.6]
    read = read_pixels(load_photo(rig / "photos" / "002.jpg"), profile, "002.jpg").reading.discs
    settled = 0
    for true in lying:
        (disc,) = (d for d in read if (d.color, d.number) == (true["color"], true["number"]))
        assert math.dist(disc.center_mm, true["center_mm"]) < 1.5
        if not disc.doubts and true["margin_mm"] > 0.5:
            settled += 1
            assert sorted(disc.sections) == sorted(true["assignment"]["sections"])
    assert settled >= 0.8 * len(lying)


def test_what_was_found_is_corrected_by_hand_and_by_keyboard(page: Page, sample_rig: Path) -> None:
    send_board(page, sample_rig)
    before = view(page)
    handle = page.get_by_role("button", name="Corner 2", exact=True)
    handle.focus()
    with page.expect_response("**/board/edit"):  # told once the keys are still
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowDown")
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


def test_on_a_phone_the_picture_stays_in_view_beside_its_rows(page: Page, sample_rig: Path) -> None:
    send_board(page, sample_rig)
    page.set_viewport_size({"width": 360, "height": 740})
    # the rows are drawn anew for another width
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    last = page.locator("[data-borders] li").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    expect(page.locator(".canvas")).to_be_in_viewport(ratio=0.9)


def test_answers_outlive_a_reload_and_can_then_be_taken_back(page: Page, sample_rig: Path) -> None:
    send_board(page, sample_rig)
    count = len(view(page)["circles"])
    page.get_by_role("button", name="Delete circle 1", exact=True).click()
    expect(circles(page)).to_have_count(count - 1)
    page.reload()
    assert len(view(page)["circles"]) == count - 1
    page.get_by_role("button", name="Undo").click()
    expect(circles(page)).to_have_count(count)
    # So can another picture, which is shown again.
    editor, which = page.locator("[data-board]"), "data-picture"
    first = editor.get_attribute(which)
    assert first is not None
    page.get_by_text("Another picture of the empty board").click()
    page.locator("#file").set_input_files(sample_rig / "photos" / "002.jpg")
    with page.expect_event("load"):
        page.get_by_role("button", name="Begin the board again").click()
    expect(editor).not_to_have_attribute(which, first)
    with page.expect_event("load"):
        page.get_by_role("button", name="Undo").click()
    expect(editor).to_have_attribute(which, first)
    expect(circles(page)).to_have_count(count)


def test_the_board_fits_any_screen_and_stands_out_in_any_light(
    page: Page, sample_rig: Path
) -> None:
    send_board(page, sample_rig)
    for width in (320, 768, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        inside = "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect()"
        clipped = "!e.closest('.unseen, .canvas, .magnifier, .piece')"
        wide = f"{inside}.right > innerWidth + 1 && {clipped}).map(e => e.outerHTML)"
        assert page.evaluate(wide) == []
    for button in page.locator("button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert page.evaluate(CONTRAST) == []


IN_SPANISH = {
    "ruins": "ruinas", "canyon": "Cañón", "creek": "arroyo", "mudcracks": "grietas de barro",
    "lizard": "lagarto", "fox": "zorro", "owl": "búho", "rabbit": "Conejo",
}  # fmt: skip
ENGLISH = re.compile(r"\b(the|and|of|is|are|to|with|not|yet|your|this|from|on|by|or|it)\b", re.I)
"""Words without which hardly an English sentence is; none of them is Spanish."""
SAID = """() => {
    const said = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        if (!walker.currentNode.parentElement.closest("code")) said.push(walker.currentNode.data);
    }
    for (const each of document.querySelectorAll("*")) {
        for (const name of ["aria-label", "alt", "placeholder"]) said.push(each.getAttribute(name));
        said.push(each.dataset?.confirm, each.dataset?.busy);
        if (each.nodeName === "INPUT") said.push(each.type === "file" ? null : each.value);
    }
    said.push(...Object.values(JSON.parse(document.body.dataset.words)));
    return said.filter(Boolean).map((words) => words.trim().replace(/\\s+/g, " ")).filter(Boolean);
}"""


def speaks_spanish(page: Page, english: set[str], *paths: Path) -> None:
    """Every text of the page, seen, heard or said later, is Spanish."""
    said = page.evaluate(SAID)
    for path in paths:
        said = [words.replace(str(path), "") for words in said]
    assert [words for words in said if words in english or ENGLISH.search(words)] == []
    assert page.locator("html").get_attribute("lang") == "es"


def hand_in(page: Page, action: str, *files: Path) -> None:
    """Send files with the form of that action, whatever it is called."""
    form = page.locator(f'form[action="/calibrate/{action}"]').first
    form.locator("input[type=file]").set_input_files([str(f) for f in files])
    form.locator("button.main").click()


@pytest.fixture(scope="module")
def english() -> set[str]:
    """What the pages say in English, where Spanish has another word for it."""
    with (TRANSLATIONS / "es" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        messages = read_po(file, locale="es")
    return {m.id for m in messages if m.id and isinstance(m.id, str) and m.id != m.string}


@pytest.mark.parametrize("locale", ["es"])
def test_in_spanish_no_step_has_a_word_of_english(
    page: Page, out: Path, tmp_path: Path, sample_rig: Path, english: set[str]
) -> None:
    teach = sample_rig / "teach"
    hand_in(page, "camera", teach / "empty.jpg")
    expect(page.get_by_role("heading", name="Lista", exact=True)).to_be_visible()
    speaks_spanish(page, english)
    page.goto(page.url.replace("camera", "lens"))
    speaks_spanish(page, english)
    views = sorted((sample_rig / "lens").glob("*.jpg"))[:VIEWS]
    hand_in(page, "lens", *views, views[0], teach / "empty.jpg")
    expect(page.locator(".notice.bad")).to_have_count(2)
    speaks_spanish(page, english)
    page.goto(page.url.replace("lens", "discs"))
    speaks_spanish(page, english)
    page.goto(page.url.replace("discs", "check"))
    speaks_spanish(page, english)
    page.goto(page.url.replace("check", "board"))
    speaks_spanish(page, english)
    hand_in(page, "board", teach / "empty.jpg")
    expect(page.locator(".outline")).to_have_count(1)
    speaks_spanish(page, english)
    page.locator("#side").fill("mucho")
    page.locator("[data-length] button").click()
    expect(page.get_by_role("alert")).to_contain_text("se esperan de 50 a 3000 mm")
    name_everything(page, sample_rig, lambda word: IN_SPANISH[word])
    expect(page.locator("[data-todo]")).to_have_text("El tablero está completo.")
    speaks_spanish(page, english)
    page.goto(page.url.replace("board", "discs"))
    page.locator("#height").fill("6")
    hand_in(page, "discs", teach / "discs.jpg")
    page.locator('[data-key="disc-0-delete"]').click()
    expect(page.locator("[data-todo]")).to_contain_text("tócalo en la foto")
    speaks_spanish(page, english)
    tap_what_was_not_found(page, sample_rig)
    expect(page.locator("[data-todo]")).to_have_text("Los discos están completos.")
    named = {c["name"] for c in view(page)["colors"]}
    (strange,) = named - {"naranja", "turquesa", "blanco"}
    fill(page, f"color-{strange}", "morado")
    speaks_spanish(page, english)
    page.goto(page.url.replace("discs", "check"))
    speaks_spanish(page, english, out, tmp_path)
    page.locator('form[action="/calibrate/check/make"] button').click()
    expect(page.locator(".placements li")).to_have_count(3)
    speaks_spanish(page, english, out, tmp_path)
    hand_in(page, "check", sample_rig / "photos" / "002.jpg")
    expect(page.get_by_role("heading", name="Malo")).to_be_visible()
    speaks_spanish(page, english, out, tmp_path)
    page.locator('form[action="/calibrate/use"] button').click()
    expect(page.get_by_role("heading", name="El perfil está guardado")).to_be_visible()
    speaks_spanish(page, english, out, tmp_path)
    made = load_profile(out).board
    rig_board = load_board(sample_rig / "board.json")
    assert {zone.section for zone in made.zones} == {zone.section for zone in rig_board.zones}
    assert {(m.section, m.animal) for m in made.multipliers} == {
        (m.section, m.animal) for m in rig_board.multipliers
    }
    assert set(made.discs.colors) == {"orange", "purple", "teal", "white"}
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Is the camera ready?")).to_be_visible()
