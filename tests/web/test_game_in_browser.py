"""A whole game of two players over the sample photographs, in a real browser; and every page.

The truth of the photographs: on 009 orange and white have 7 in the Ruins each, and orange's 1 lies
half under another disc; on 002 they have 1 each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright

from sonora_vision.table.game import Game
from sonora_vision.web import create_app
from tests.web.axe import violations
from tests.web.evening import read_game
from tests.web.served import code_of, game_of, served
from tests.web.test_in_browser import ARGUMENTS, CHROMIUM
from tests.web.visit import PIN

pytestmark = pytest.mark.skipif(
    CHROMIUM is None,
    reason="*** NOT TESTED IN A BROWSER: chromium is not installed (apt install chromium) ***",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Room:
    """The table's server, and the browsers of those around it."""

    app: Flask
    address: str
    browser: Browser
    complaints: list[str]

    def open(self, path: str = "/", *, width: int = 360, spanish: bool = False) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": 740 if width < 1000 else 1080},
            locale="es-ES" if spanish else "en-US",
        )
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.address + path)
        return page

    def host(self, *, width: int = 1920) -> Page:
        page = self.open(width=width)
        page.get_by_label("The table's PIN").fill(PIN)
        with page.expect_navigation():
            page.get_by_role("button", name="Sign in").click()
        return page

    def player(self, game_id: str, color: str, *, spanish: bool = False) -> Page:
        return self.open(f"/join/{code_of(self.app, game_id, color)}", spanish=spanish)


@pytest.fixture
def room(browser: Browser, make_app: Callable[[], Flask]) -> Iterator[Room]:
    """A room in which no browser's console complains."""
    app, complaints = make_app(), list[str]()
    with served(app) as (host, port):
        room = Room(app, f"http://{host}:{port}", browser, complaints)
        yield room
        for context in browser.contexts:
            context.close()
    assert complaints == []


class TestOnPhotographs:
    @pytest.fixture
    def make_app(
        self, sample_rig: Path, sample_profile: Path, tmp_path: Path
    ) -> Callable[[], Flask]:
        photos = [sample_rig / "photos"]
        return lambda: create_app(sample_profile, photos, folder=tmp_path / "table", pin=PIN)

    def test_a_whole_game(self, room: Room) -> None:
        host = room.host()
        game_id = begin(host)
        ana = room.player(game_id, "orange")
        ben = room.player(game_id, "white", spanish=True)

        def game() -> Game:
            return game_of(room.app, game_id)

        # Ben's 5 falls in the hole while the discs are flicked.
        ben.get_by_text("Mi disco cayó en el hoyo").click()
        ben.locator("#bullseye label", has=ben.get_by_role("img", name="blanco 5")).click()
        ben.locator("#bullseye").get_by_role("button", name="Arroyo").click()
        expect(ben.locator("#bullseye .mydiscs")).to_contain_text("Arroyo")

        read_photo(host, "009.jpg")
        expect(ana.get_by_role("heading", name="Settle 1 disc")).to_be_visible()
        expect(ana.locator(".opencard img")).to_be_visible()
        expect(ana.locator(".evidence figcaption")).to_contain_text(
            re.compile(r"\d mm onto the fox")
        )
        expect(ana.get_by_role("button", name="I am ready")).to_have_count(0)

        # Ana tries a swap out, and leaves it; then settles her doubt, undoes it, settles it again.
        try_swap(ana, "orange 5", "orange 4")
        expect(ana.locator("#trial")).to_contain_text(re.compile(r"Ruins\s*7\s*6"))
        expect(ana.locator("#trial")).to_contain_text(re.compile(r"Ana, Ben\s*Ben, Ana"))
        assert game().now.swaps == ()
        settle = ana.locator(".opencard").get_by_role("button", name=re.compile("^Canyon, on its"))
        settle.click()
        expect(ana.get_by_role("heading", name="All your discs are settled")).to_be_visible()
        ana.get_by_role("button", name="Undo: orange 1").click()
        settle.click()
        ana.get_by_role("button", name="I am ready").click()
        expect(ana.get_by_role("heading", name="You are ready")).to_be_visible()

        # Ben uses a swap: his 1 from the Canyon for the 2 of the Mudcracks.
        try_swap(ben, "blanco 2", "blanco 1")
        ben.locator("#trial").get_by_role("button").click()
        expect(ben.get_by_role("button", name="Deshacer mi último intercambio")).to_be_visible()
        ben.get_by_role("button", name="Estoy listo").click()

        # 7 to 7: Ana is earlier in the turn order.
        expect(ana.get_by_role("heading", name="Record your Ruins now")).to_be_visible()
        expect(ben.get_by_role("heading", name="Espera por las Ruinas")).to_be_visible()
        expect(ben.get_by_role("button", name="Hecho: Ruinas")).to_have_count(0)
        assert game().allocation().ruins_order == ("orange", "white")  # type: ignore[union-attr]

        # A second phone of Ana's does the same; the first one follows, and outlives a reload.
        second = room.player(game_id, "orange")
        second.get_by_role("button", name="Done: Ruins").click()
        expect(ana.get_by_role("heading", name="Wait for the Ruins")).to_be_visible()
        ben.get_by_role("button", name="Hecho: Ruinas").click()
        expect(ana.get_by_role("heading", name="Record: Canyon")).to_be_visible()
        ana.reload()
        expect(ana.get_by_role("heading", name="Record: Canyon")).to_be_visible()
        expect(ana.locator("#step-canyon")).to_contain_text("draw two shapes of 1 or lower")
        for section in ("Canyon", "Creek"):
            ana.get_by_role("button", name=f"Done: {section}").click()
        ana.get_by_role("button", name="I have finished").click()
        expect(ben.locator("#step-creek")).to_contain_text("dibuja un camino de 5")
        for section in ("Cañón", "Arroyo", "Grietas de barro"):
            ben.get_by_role("button", name=f"Hecho: {section}").click()
        ben.get_by_role("button", name="He terminado").click()
        assert allocated(game()) == {
            "orange": (7, [(4, 1), (1, 2)], [(3, 2)], 0),
            "white": (7, [(2, 1)], [(5, 1)], 1),
        }

        host.get_by_role("button", name="Next round").click()
        expect(ben.get_by_text("Ronda 2 de 2")).to_be_visible()
        read_photo(host, "002.jpg")
        self.play_the_second_round(room, game, host, ana, ben)
        host.get_by_role("link", name="Round 1", exact=True).click()
        expect(host.get_by_role("heading", name="Round 1 of 2")).to_be_visible()
        expect(host.get_by_role("article", name="Ben")).to_contain_text("draw one path of 5")

    def play_the_second_round(
        self, room: Room, game: Callable[[], Game], host: Page, ana: Page, ben: Page
    ) -> None:
        """1 to 1 in the Ruins: Ben has the marker now. A disc is put right; then all is written."""
        expect(host.get_by_role("heading", name="Settle the discs")).to_be_visible()
        index = next(
            i
            for i, place in enumerate(game().now.table.places)  # type: ignore[union-attr]
            if place is not None and (place.disc.color, place.disc.number) == ("orange", 5)
        )
        ana.get_by_text("The whole board").click()
        ana.get_by_role("link", name="A disc was read wrongly").click()
        repair_disc(ana, index)
        ana.goto(f"{room.address}/")
        for page in (ana, ben):
            cards = page.locator("section .opencard")
            while count := cards.count():
                cards.first.locator(".answer").first.click()
                expect(cards).to_have_count(count - 1)
            page.locator(".dock button").click()
        expect(ben.locator("#step-ruins.current")).to_be_visible()
        expect(ana.locator("#step-ruins.later")).to_be_visible()
        for page in (ben, ana):
            page.locator("#step-ruins button").click()
            expect(page.locator("#step-ruins.done")).to_be_visible()
        for page in (ben, ana):
            expect(page.locator(".write .current")).to_be_visible()  # the Ruins are over
            while page.locator(".write .current").count():
                step = page.locator(".write .current").get_attribute("id")
                page.locator(".write .current button").click()
                expect(page.locator(f"#{step}.done")).to_be_visible()
            page.locator(".dock button.main").click()
        host.get_by_role("button", name="End the game").click()
        expect(ben.get_by_role("heading", name="La partida terminó")).to_be_visible()
        assert game().over
        second = game().past[-1]
        assert game().allocation(second).ruins_order == ("white", "orange")  # type: ignore[union-attr]
        assert second.table.places[index].repaired  # type: ignore[union-attr]


class TestOnADrawnBoard:
    @pytest.fixture
    def make_app(self, app: Flask) -> Callable[[], Flask]:
        return lambda: app

    @pytest.fixture
    def game_id(self, app: Flask) -> str:
        return read_game(app)

    def test_pages_come_back_by_themselves_and_nothing_happens_twice(
        self, room: Room, game_id: str
    ) -> None:
        red = room.player(game_id, "red")
        seq = game_of(room.app, game_id).seq
        answers: list[int] = []

        def lose_the_answer(route: object) -> None:
            # The table hears the first tap, but its answer is lost on the way.
            if not answers:
                answers.append(route.fetch(max_redirects=0).status)  # type: ignore[attr-defined]
                route.abort()  # type: ignore[attr-defined]
            else:
                route.continue_()  # type: ignore[attr-defined]

        red.route("**/act", lose_the_answer)
        red.locator(".opencard .answer").first.dblclick()
        expect(red.get_by_role("heading", name="All your discs are settled")).to_be_visible()
        expect(red.locator(".lost")).to_be_hidden()
        assert answers == [303]
        assert game_of(room.app, game_id).seq == seq + 1
        room.complaints.clear()  # of the request that was lost

    def test_a_phone_without_a_network_says_so_and_catches_up(
        self, room: Room, game_id: str
    ) -> None:
        red, blue = room.player(game_id, "red"), room.player(game_id, "blue")
        red.context.set_offline(True)
        red.locator(".opencard .answer").first.click()
        expect(red.locator(".lost")).to_have_text("The table does not answer. Trying again.")
        blue.locator(".opencard .answer").first.click()
        blue.get_by_role("button", name="I am ready").click()
        red.context.set_offline(False)
        expect(red.get_by_role("heading", name="All your discs are settled")).to_be_visible()
        expect(red.locator("#others + ul")).to_contain_text("ready")
        expect(red.locator(".lost")).to_be_hidden()
        room.complaints.clear()  # of the network

    def test_news_leave_alone_what_a_player_is_doing(self, room: Room, game_id: str) -> None:
        red, blue = room.player(game_id, "red"), room.player(game_id, "blue")
        red.get_by_text("Bullseye: my disc fell in the hole").click()
        chosen = red.locator("#bullseye input[type=radio]").first
        chosen.check(force=True)
        chosen.focus()
        there = red.evaluate("scrollY")
        blue.locator(".opencard .answer").first.click()
        expect(red.get_by_text("not ready yet")).to_be_visible()
        expect(chosen).to_be_checked()
        expect(chosen).to_be_focused()
        assert red.evaluate("scrollY") == there

    def test_a_screen_reader_hears_what_happens(self, room: Room, game_id: str) -> None:
        red, blue = room.player(game_id, "red"), room.player(game_id, "blue")
        for page in (blue, red):
            page.locator(".opencard .answer").first.click()
            page.get_by_role("button", name="I am ready").click()
        voice = red.locator("[role=status].unseen")
        expect(voice).to_have_text(re.compile("Record your Ruins now"))

    @pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (768, "dark"), (1920, "light")])
    def test_every_page_can_be_used_by_everyone(
        self, room: Room, game_id: str, width: int, scheme: str
    ) -> None:
        host = room.host(width=width)
        host.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        wrong: dict[str, list[str]] = {}

        def look(name: str) -> None:
            host.evaluate(
                "scrollTo({top: 0, behavior: 'instant'})"
            )  # what lies under the bar is scrolled from under it
            found = violations(host) + too_wide(host) + too_small(host)
            if found:
                wrong[name] = found

        for path in (
            "games", "games/new", "host", "photos", "nowhere",
            f"games/{game_id}/table", f"games/{game_id}/codes", f"games/{game_id}/setup",
            f"games/{game_id}/me?color=red", f"games/{game_id}/me?color=blue",
            f"games/{game_id}/repair",
        ):  # fmt: skip
            host.goto(f"{room.address}/{path}")
            look(path)
        host.goto(f"{room.address}/games/{game_id}/me?color=red")
        host.locator(".opencard .answer").first.click()
        try_swap(host, "red 2", "red 1")
        look("trial")
        for color in ("red", "blue"):
            host.goto(f"{room.address}/games/{game_id}/me?color={color}")
            if host.locator(".opencard").count():
                host.locator(".opencard .answer").first.click()
            host.get_by_role("button", name="I am ready").click()
            expect(host.locator(".dock .main.huge")).to_have_count(0)
        look("write")
        for path in (f"games/{game_id}/table", f"games/{game_id}/rounds/1"):
            host.goto(f"{room.address}/{path}")
            look(f"write {path}")
        stranger = room.open(width=width)
        assert violations(stranger) == []
        room.complaints[:] = [text for text in room.complaints if "404" not in text]
        assert wrong == {}


def begin(host: Page) -> str:
    """Make a game of two rounds for Ana, orange, and Ben, white, and return its id."""
    host.get_by_role("link", name="New game").click()
    for seat, color, name in ((1, "orange", "Ana"), (3, "white", "Ben")):
        fields = host.get_by_role("group", name=f"Seat {seat}")
        fields.get_by_label("Discs").select_option(color)
        fields.get_by_label("Name").fill(name)
    host.get_by_label("Rounds").select_option("2")
    host.get_by_role("button", name="Begin").click()
    expect(host.get_by_role("heading", name="Flick your discs")).to_be_visible()
    return host.url.split("/")[-2]


def read_photo(host: Page, name: str) -> None:
    host.get_by_label("A photograph at hand").select_option(label=name)
    host.get_by_role("button", name="Read it").first.click()
    expect(host.get_by_role("heading", name="Settle the discs")).to_be_visible()


def try_swap(page: Page, one: str, other: str) -> None:
    page.locator("#swap summary").click()
    for nth, disc in enumerate((one, other)):
        group = page.locator("#swap fieldset").nth(nth)
        group.locator("label", has=page.get_by_role("img", name=disc)).click()
    page.locator("#swap form").first.get_by_role("button").click()
    expect(page.locator("#trial")).to_be_visible()


def repair_disc(page: Page, index: int) -> None:
    """Move a disc by half a millimeter with the keyboard, and save it."""
    page.locator(f'[data-sheet] [data-key="{index}"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-said]")).to_contain_text("is saved")


def allocated(game: Game) -> dict[str, tuple[object, ...]]:
    allocation = game.allocation()
    assert allocation is not None
    return {
        each.color: (
            each.ruins.total,
            [(disc.number, disc.shapes) for disc in each.canyon],
            [(disc.number, disc.paths) for disc in each.creek],
            each.mudcracks.total,
        )
        for each in allocation.players
    }


def too_wide(page: Page) -> list[str]:
    """What reaches beyond the right edge of the screen."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter(e =>
            e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".unseen")
        ).map(e => "too wide: " + e.outerHTML.slice(0, 100))"""
    )
    return found


def too_small(page: Page) -> list[str]:
    """Buttons, and links that look like buttons, too small for a finger."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("button, .button, select, summary, nav a")]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 43.5)
        .map(e => "too small: " + e.outerHTML.slice(0, 100))"""
    )
    return found
