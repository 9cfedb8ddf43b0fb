"""The table's pages as a browser without scripts meets them: forms, answers, who may see what."""

from __future__ import annotations

import html
import io
import re

import cv2
import numpy as np
import pytest
import resvg_py
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from sonora_vision.reading_file import reading_to_json
from sonora_vision.table.events import HOST, Bullseye, Finished, NextRound, Ready, Recorded
from tests.builders import disc, reading
from tests.web.evening import read_game, record
from tests.web.served import begin_game, code_of, game_of, table_of
from tests.web.table import photo_bytes
from tests.web.visit import visitor, words


def player_of(app: Flask, game_id: str, color: str) -> FlaskClient:
    client = visitor(app)
    assert client.get(f"/join/{code_of(app, game_id, color)}").status_code == 303
    return client


def act(client: FlaskClient, game_id: str, kind: str, **fields: str | int) -> TestResponse:
    form = {"kind": kind, "back": "me", **{k: str(v) for k, v in fields.items()}}
    return client.post(f"/games/{game_id}/act", data=form, follow_redirects=True)


def alert(page: TestResponse) -> str:
    found = re.search(r'role="alert">([^<]*)', page.text)
    return "" if found is None else found[1]


@pytest.fixture
def game_id(app: Flask) -> str:
    return begin_game(app)


@pytest.fixture
def red(app: Flask, game_id: str) -> FlaskClient:
    return player_of(app, game_id, "red")


@pytest.fixture
def blue(app: Flask, game_id: str) -> FlaskClient:
    return player_of(app, game_id, "blue")


def test_the_form_of_a_new_game_begins_one_as_it_stands(app: Flask, client: FlaskClient) -> None:
    page = client.get("/games/new").text
    form: dict[str, str] = {}
    for name, options in re.findall(r'<select[^>]*name="(\w+)"[^>]*>(.*?)</select>', page, re.S):
        chosen = re.search(r'value="(\w*)" selected', options)
        form[name] = "" if chosen is None else chosen[1]
    form["first"] = re.findall(r'name="first" value="(\d)" checked', page)[0]
    answer = client.post("/games", data=form)
    assert answer.status_code == 303
    game = game_of(app, answer.headers["Location"].split("/")[2])
    assert game.playing == ("red", "blue")
    assert [player.seat for player in game.players] == [0, 2]
    assert (game.first, game.rounds) == ("red", 6)
    assert [player.name for player in game.players] == ["Red", "Blue"]


@pytest.mark.parametrize(
    "form",
    [
        {"rounds": "6"},
        {"color0": "red", "color1": "red", "rounds": "6"},
        {"color0": "pink", "rounds": "6"},
        {"color0": "red", "rounds": "99"},
        {"color0": "red", "rounds": "many"},
        {"color0": "red", "name0": "A" * 41, "rounds": "6"},
    ],
)
def test_a_game_that_cannot_be_played_is_refused_on_the_form(
    client: FlaskClient, form: dict[str, str]
) -> None:
    answer = client.post("/games", data=form)
    assert answer.status_code == 422
    assert alert(answer)
    assert f'value="{form.get("name0", "")}"' in answer.text
    assert "There is no game yet" in client.get("/games").text


def test_names_may_change_in_a_running_game_and_colors_may_not(
    app: Flask, client: FlaskClient, game_id: str
) -> None:
    record(app, game_id)
    form = {"color0": "red", "name0": "Ana", "color1": "blue", "first": "0", "rounds": "5"}
    assert client.post(f"/games/{game_id}/setup", data=form).status_code == 303
    game = game_of(app, game_id)
    assert (game.player("red").name, game.rounds) == ("Ana", 5)
    answer = client.post(f"/games/{game_id}/setup", data=form | {"color1": "white"})
    assert answer.status_code == 422
    assert "colors and first player stay" in alert(answer)


def test_an_uploaded_photograph_becomes_the_reading_once(
    app: Flask, client: FlaskClient, game_id: str
) -> None:
    for _ in range(2):  # the same form, sent twice
        form = {"source": "upload", "action_id": "tap-1", "back": "table"}
        answer = client.post(
            f"/games/{game_id}/read", data=form | {"file": (io.BytesIO(photo_bytes()), "a.jpg")}
        )
        assert answer.headers["Location"].endswith(f"/games/{game_id}/table")
    assert game_of(app, game_id).phase == "settle"
    assert game_of(app, game_id).seq == 2
    page = client.get(f"/games/{game_id}/table").text
    picture = re.search(r'src="(/games/[^"]*board-screen[^"]*)"', page)
    assert picture is not None
    shown = client.get(picture[1].replace("&amp;", "&"))
    assert cv2.imdecode(np.frombuffer(shown.data, np.uint8), cv2.IMREAD_COLOR).shape[1] == 1080
    assert "immutable" in shown.headers["Cache-Control"]


def test_a_photograph_without_a_board_leaves_the_round_as_it_was(
    app: Flask, client: FlaskClient, game_id: str
) -> None:
    form = {"source": "upload", "file": (io.BytesIO(photo_bytes(level=0)), "dark.jpg")}
    answer = client.post(f"/games/{game_id}/read", data=form, follow_redirects=True)
    assert "dark.jpg: no board found" in alert(answer)
    assert game_of(app, game_id).phase == "play"


@pytest.mark.parametrize("number", ["9" * 5000, "٣", "-1", "", "1e3"])
def test_a_number_that_is_none_of_those_offered_is_refused(
    client: FlaskClient, red: FlaskClient, game_id: str, number: str
) -> None:
    answer = client.post(f"/games/{game_id}/read", data={"source": number}, follow_redirects=True)
    assert "no such photograph" in alert(answer)
    record(client.application, game_id)
    page = red.get(f"/games/{game_id}/me", query_string={"swap0": number, "swap1": 1})
    assert (page.status_code, alert(page)) == (200, "")


def test_reading_is_for_the_host(red: FlaskClient, game_id: str) -> None:
    assert red.post(f"/games/{game_id}/read", data={"source": "0"}).status_code == 403
    for page in ("codes", "setup", "export", "seats/blue.svg"):
        assert red.get(f"/games/{game_id}/{page}").status_code == 403
    assert red.get("/games").status_code == 403


def test_a_whole_round_without_a_script(
    app: Flask, client: FlaskClient, red: FlaskClient, blue: FlaskClient, game_id: str
) -> None:
    page = act(blue, game_id, "bullseye", color="blue", number=2, section="creek")
    assert alert(page) == ""
    record(app, game_id)
    text = words(red.get(f"/games/{game_id}/me").text)
    assert "Settle 1 disc" in text
    assert "too close to the border to call" in text.lower()
    page = act(red, game_id, "ready", color="red")
    assert "settle your open discs first" in alert(page)
    page = act(red, game_id, "settled", color="red", number=1, disc=1, said="mudcracks")
    assert "All your discs are settled" in page.text
    act(red, game_id, "ready", color="red")
    act(blue, game_id, "ready", color="blue")
    page = red.get(f"/games/{game_id}/me")
    assert "Record your Ruins now" in page.text
    assert "cross off 2 hexes" in page.text
    page = act(blue, game_id, "ticked", color="blue", section="canyon")
    assert "recorded by all before any other section" in alert(page)
    for section in ("ruins", "mudcracks"):
        act(red, game_id, "ticked", color="red", section=section)
    for section in ("canyon", "creek"):
        act(blue, game_id, "ticked", color="blue", section=section)
    for player, color in ((red, "red"), (blue, "blue")):
        assert "You have finished writing" in act(player, game_id, "finished", color=color).text
    assert "Round 1 is written down" in client.get(f"/games/{game_id}/table").text
    page = client.post(f"/games/{game_id}/act", data={"kind": "next_round"}, follow_redirects=True)
    assert "Round 2 of 3" in page.text
    assert "Blue begins. Turn the board a quarter clockwise" in page.text
    past = client.get(f"/games/{game_id}/rounds/1")
    assert "draw one path of 2" in past.text
    assert client.get(f"/games/{game_id}/rounds/1/board-phone.jpg").status_code == 200
    assert client.get(f"/games/{game_id}/rounds/2").status_code == 404


def test_a_player_acts_for_nobody_else(app: Flask, red: FlaskClient, game_id: str) -> None:
    page = act(red, game_id, "bullseye", color="blue", number=2, section="creek")
    assert "that is for blue to do; you play red" in alert(page)
    assert game_of(app, game_id).now.bullseyes == ()


def test_the_host_helps_out_on_anyones_page(app: Flask, client: FlaskClient, game_id: str) -> None:
    page = client.get(f"/games/{game_id}/me?color=blue").text
    assert 'name="as" value="blue"' in page
    form = {"kind": "bullseye", "color": "blue", "number": "1", "section": "ruins"}
    answer = client.post(f"/games/{game_id}/act", data=form | {"back": "me", "as": "blue"})
    assert answer.headers["Location"].endswith(f"/games/{game_id}/me?color=blue")
    assert game_of(app, game_id).now.bullseyes == (
        Bullseye(color="blue", number=1, section="ruins"),
    )


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"kind": "made"},
        {"kind": "recorded"},
        {"kind": "bullseye", "color": "red"},
        {"kind": "bullseye", "color": "red", "number": "one", "section": "ruins"},
        {"kind": "bullseye", "color": "red", "number": "1", "section": "moon"},
        {"kind": "undone", "seq": "-1"},
    ],
)
def test_a_form_that_no_page_has_is_refused(
    client: FlaskClient, game_id: str, form: dict[str, str]
) -> None:
    assert client.post(f"/games/{game_id}/act", data=form).status_code == 400


def test_what_was_settled_can_be_taken_back(app: Flask, game_id: str, red: FlaskClient) -> None:
    record(app, game_id)
    page = act(red, game_id, "settled", color="red", number=1, disc=1, said="creek")
    seq = re.findall(r'name="seq" value="(\d+)" aria-label="Undo: red 1"', page.text)
    assert seq == ["3"]
    page = act(red, game_id, "undone", seq=3)
    assert "Settle 1 disc" in page.text


def test_a_swap_is_tried_out_before_it_is_used(app: Flask, game_id: str, red: FlaskClient) -> None:
    record(app, game_id)
    act(red, game_id, "settled", color="red", number=1, disc=1, said="creek")
    before = game_of(app, game_id)
    text = words(red.get(f"/games/{game_id}/me?swap0=2&swap1=1").text)
    assert "Ruins 2 1" in text  # now, and after it
    assert "To settle afterwards" not in text
    assert game_of(app, game_id) == before
    act(red, game_id, "swapped", color="red", number=2, other=1)
    allocation = game_of(app, game_id).allocation()
    assert allocation is not None
    assert allocation.player("red").ruins.total == 1


def test_a_swapped_disc_says_why_it_cannot_be_put_right(
    app: Flask, game_id: str, red: FlaskClient
) -> None:
    record(app, game_id)
    act(red, game_id, "settled", color="red", number=1, disc=1, said="creek")
    before = red.get(f"/games/{game_id}/me").text
    act(red, game_id, "swapped", color="red", number=2, other=1)
    page = red.get(f"/games/{game_id}/me").text
    assert (before.count("Put it right"), page.count("Put it right")) == (2, 0)
    assert page.count("To put it right, undo the swap first") == 2


def test_a_disc_that_looks_like_one_nobody_plays_can_be_put_aside(
    app: Flask, game_id: str, red: FlaskClient
) -> None:
    stray = disc(color="white", number=2, sections=("creek",), doubts=("color",), p=0.6)
    read = reading_to_json(reading(stray))
    table_of(app).tables.act(game_id, HOST, Recorded(reading=read))
    page = red.get(f"/games/{game_id}/me").text
    assert "Is this disc yours?" in page
    form = re.search(r"<form[^>]*>(?:(?!</form>).)*Nobody's.*?</form>", page, re.S)
    assert form is not None
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    assert "All your discs are settled" in act(red, game_id, **fields).text
    assert game_of(app, game_id).open_discs("blue") == ()


@pytest.mark.parametrize(("seat", "told"), [(1, "points at them"), (2, "points where nobody sits")])
def test_where_the_ruins_corner_points_is_told_as_it_is(
    app: Flask, client: FlaskClient, seat: int, told: str
) -> None:
    form = {"color0": "red", f"color{seat}": "blue", "first": "0", "rounds": "2"}
    game_id = client.post("/games", data=form).headers["Location"].split("/")[2]
    table = table_of(app).tables
    table.act(game_id, HOST, Recorded(reading=reading_to_json(reading())))
    for kind in (Ready, Finished):
        for color in ("red", "blue"):
            table.act(game_id, color, kind(color=color))
    table.act(game_id, HOST, NextRound())
    page = html.unescape(words(client.get(f"/games/{game_id}/table").text))
    assert f"Blue begins. Turn the board a quarter clockwise: the Ruins' corner {told}." in page


def test_every_seat_has_a_code_that_a_phone_can_read(
    app: Flask, client: FlaskClient, game_id: str
) -> None:
    page = client.get(f"/games/{game_id}/codes").text
    for color in ("red", "blue"):
        link = f"http://localhost/join/{code_of(app, game_id, color)}"
        assert link in page
        svg = client.get(f"/games/{game_id}/seats/{color}.svg")
        assert svg.mimetype == "image/svg+xml"
        drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg.text))
        pixels = cv2.imdecode(np.frombuffer(drawn, np.uint8), cv2.IMREAD_COLOR)
        assert cv2.QRCodeDetectorAruco().detectAndDecode(pixels)[0] == link


def test_renewed_codes_let_the_old_phones_in_no_more(
    client: FlaskClient, game_id: str, red: FlaskClient
) -> None:
    assert red.get(f"/games/{game_id}/me").status_code == 200
    client.post(f"/games/{game_id}/act", data={"kind": "codes_renewed", "back": "join"})
    assert red.get(f"/games/{game_id}/me").status_code == 403


def test_the_language_is_the_visitors_choice_and_else_their_browsers(
    red: FlaskClient, game_id: str
) -> None:
    page = f"/games/{game_id}/me"
    assert "Flick your discs" in red.get(page).text
    spanish = red.get(page, headers={"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}).text
    assert "Muevan sus discos" in spanish
    assert '<html lang="es">' in spanish
    answer = red.post("/language", data={"language": "es", "next": page})
    assert answer.headers["Location"] == page
    assert "Muevan sus discos" in red.get(page).text
    answer = act(red, game_id, "bullseye", color="blue", number=2, section="creek")
    assert "eso le toca al azul; tú juegas con el rojo" in alert(answer)


@pytest.mark.parametrize("way", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
def test_the_language_leads_nowhere_else(client: FlaskClient, way: str) -> None:
    answer = client.post("/language", data={"language": "en", "next": way})
    assert answer.headers["Location"] == "/"


def test_a_game_goes_out_as_a_file_and_comes_back(app: Flask, client: FlaskClient) -> None:
    game_id = read_game(app)
    sent = client.get(f"/games/{game_id}/export")
    assert "filename=Friday.sonora.zip" in sent.headers["Content-Disposition"]
    form = {"file": (io.BytesIO(sent.data), "Friday.sonora.zip")}
    answer = client.post("/games/import", data=form)
    copied = answer.headers["Location"].split("/")[2]
    assert copied != game_id
    assert game_of(app, copied).now.table == game_of(app, game_id).now.table
    form = {"file": (io.BytesIO(b"no game"), "x.zip")}
    assert alert(client.post("/games/import", data=form, follow_redirects=True))
    client.post(f"/games/{copied}/delete")
    assert [entry.id for entry in table_of(app).tables.games()] == [game_id]


def test_every_form_bears_an_action_id_of_its_own(app: Flask, client: FlaskClient) -> None:
    game_id = read_game(app)
    page = client.get(f"/games/{game_id}/me?color=red").text
    ids = re.findall(r'name="action_id" value="([^"]+)"', page)
    assert len(ids) == 2
    assert len(ids) == len(set(ids))
