"""Discs put right through the pages' addresses, with and without scripts; close-ups."""

from __future__ import annotations

import re
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from sonora_vision.table.events import HOST, Bullseye, Ready, Settled
from tests.web.evening import read_game, record
from tests.web.served import code_of, game_of, table_of
from tests.web.visit import visitor, words

RED_2, RED_1, BLUE_1 = 0, 1, 3
"""Places of the drawn reading's discs."""
FETCH = {"X-Requested-With": "fetch"}


@pytest.fixture
def game_id(app: Flask) -> str:
    return read_game(app)


@pytest.fixture
def red(app: Flask, game_id: str) -> FlaskClient:
    client = visitor(app)
    assert client.get(f"/join/{code_of(app, game_id, 'red')}").status_code in (302, 303)
    return client


def state(client: FlaskClient, game_id: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/games/{game_id}/repair/state").get_json()
    return found


def fields(client: FlaskClient, game_id: str, index: int | str, **changes: Any) -> dict[str, Any]:
    """The form as the page fills it, with changes."""
    page = client.get(f"/games/{game_id}/repair?disc={index}").text
    edit = page[page.index('id="edit"') :]
    values = dict(re.findall(r'<input[^>]*name="(\w+)"[^>]*?value="([^"]*)"', edit))
    for name, options in re.findall(r'<select[^>]*name="(\w+)"[^>]*>(.*?)</select>', edit):
        chosen = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
        values[name] = "" if chosen is None else (chosen[1] or chosen[2])
    values.pop("checked", None)
    return values | {"do": "save"} | changes


def repair(client: FlaskClient, game_id: str, index: int | str, **changes: Any) -> None:
    answer = client.post(f"/games/{game_id}/repair", data=fields(client, game_id, index, **changes))
    assert answer.status_code == 303
    assert 'class="notice bad" role="alert">' not in client.get(answer.headers["Location"]).text


def disc(client: FlaskClient, game_id: str, index: int) -> dict[str, Any]:
    return next(d for d in state(client, game_id)["discs"] if d["index"] == index)


def test_a_move_counts_at_once_and_is_told(client: FlaskClient, app: Flask, game_id: str) -> None:
    repair(client, game_id, RED_2, x=65.0)
    moved = disc(client, game_id, RED_2)
    assert (moved["headline"], moved["repaired"]) == ("Canyon", True)
    allocation = game_of(app, game_id).allocation()
    assert allocation is not None
    assert [each.number for each in allocation.player("red").canyon] == [2]
    assert "red 2: moved by 30.0 mm The host" in words(client.get(f"/games/{game_id}/repair").text)


def test_judging_writes_nothing(client: FlaskClient, app: Flask, game_id: str) -> None:
    before = game_of(app, game_id)
    put = {"disc": RED_2, "color": "red", "number": 2, "x": 25, "y": 64.4, "state": "flat"}
    told = client.post(f"/games/{game_id}/judge", json=put).get_json()
    assert told["headline"] == "Ruins" or told["headline"] == "Creek"
    assert told["gap"].startswith("0.4 mm short of the fox")
    on = client.post(f"/games/{game_id}/judge", json=put | {"line": True}).get_json()
    assert (on["headline"], on["y"]) == ("Canyon", pytest.approx(64.0))
    assert game_of(app, game_id) == before


def test_lists_in_lists_without_end_are_no_place(client: FlaskClient, game_id: str) -> None:
    endless = '{"x": ' + "[" * 100_000 + "]" * 100_000 + "}"
    answer = client.post(f"/games/{game_id}/judge", data=endless, content_type="application/json")
    assert answer.status_code == 422
    assert "expected a JSON object" in answer.get_json()["words"]


def test_only_another_color_or_number_leaves_the_place_to_the_camera(
    client: FlaskClient, app: Flask, game_id: str
) -> None:
    repair(client, game_id, RED_1, color="blue")
    found = game_of(app, game_id).now.table
    assert found is not None
    place = found.place(RED_1)
    assert (place.disc.color, place.disc.doubts) == ("blue", ("zone",))
    assert "blue 1: was red 1" in words(client.get(f"/games/{game_id}/repair").text)
    repair(client, game_id, RED_1, checked="yes")
    assert disc(client, game_id, RED_1)["kind"] == "settled"


def test_added_taken_away_and_undone(client: FlaskClient, game_id: str) -> None:
    repair(client, game_id, "new", color="white", number=1, x=70, y=30)
    added = disc(client, game_id, 5)
    assert (added["name"], added["headline"]) == ("white 1", "Canyon")
    assert state(client, game_id)["missing"] == []
    repair(client, game_id, added["index"], do="remove")
    assert len(state(client, game_id)["discs"]) == 5
    told = [each["words"] for each in state(client, game_id)["repairs"]]
    assert told == ["white 1 taken away", "white 1 added"]
    for _ in told:
        seq = state(client, game_id)["repairs"][0]["seq"]
        client.post(f"/games/{game_id}/repair/undo", data={"seq": seq})
    assert state(client, game_id)["repairs"] == []
    assert [each["index"] for each in state(client, game_id)["discs"] if each["index"] > 4] == []


def test_later_additions_keep_their_place_when_an_earlier_one_is_undone(
    client: FlaskClient, game_id: str
) -> None:
    repair(client, game_id, "new", color="white", number=1, x=70, y=30)
    repair(client, game_id, "new", color="red", number=1, x=30, y=30)
    first = state(client, game_id)["repairs"][1]["seq"]
    client.post(f"/games/{game_id}/repair/undo", data={"seq": first})
    repair(client, game_id, 6, x=30.5)
    told = [each["words"] for each in state(client, game_id)["repairs"]]
    assert told == ["red 1: moved by 0.5 mm", "red 1 added"]


def test_a_disc_that_lies_there_twice_is_named(client: FlaskClient, game_id: str) -> None:
    repair(client, game_id, BLUE_1, color="red", number=2)
    assert state(client, game_id)["twins"] == ["red 2"]
    assert "On the table twice: red 2" in words(client.get(f"/games/{game_id}/repair").text)


def test_a_player_repairs_their_own_discs_alone(red: FlaskClient, app: Flask, game_id: str) -> None:
    repair(red, game_id, RED_2, x=36)
    listed = [each["name"] for each in state(red, game_id)["discs"] if each["mine"]]
    assert sorted(listed) == ["red 1", "red 2"]
    before = game_of(app, game_id)
    own = fields(red, game_id, RED_2)
    for wrong in ({"disc": BLUE_1}, {"color": "blue"}, {"disc": BLUE_1, "do": "remove"}):
        answer = red.post(f"/games/{game_id}/repair", data=own | wrong, headers=FETCH)
        assert answer.status_code == 403, wrong
    assert game_of(app, game_id) == before


def test_nobody_repairs_without_a_seat(app: Flask, game_id: str) -> None:
    stranger = visitor(app)
    for at in ("repair", "repair/state", "repair/board.jpg", "discs/0.jpg"):
        assert stranger.get(f"/games/{game_id}/{at}").status_code == 403
    assert stranger.post(f"/games/{game_id}/repair", data={"disc": 0}).status_code == 403


def test_what_was_sent_cannot_say_what_it_counts_for(client: FlaskClient, game_id: str) -> None:
    data = fields(client, game_id, RED_2, sections="canyon", via="multiplier", p=1)
    client.post(f"/games/{game_id}/repair", data=data)
    assert disc(client, game_id, RED_2)["headline"] == "Ruins"


def test_what_cannot_be_is_refused_in_words(client: FlaskClient, app: Flask, game_id: str) -> None:
    before = game_of(app, game_id)
    refused: list[tuple[dict[str, Any], str]] = [
        ({"x": "left"}, "x: expected a number of mm"),
        ({"x": "nan"}, "expected two numbers"),
        ({"x": 9000}, "at most 60 mm beside"),
        ({"number": 7}, "expected one of 1, 2"),
        ({"number": ""}, "say which number"),
        ({"color": "<b>"}, "expected one of red, blue, white"),
        ({"state": "flying"}, "expected one of flat"),
        ({"disc": 77}, "no such disc"),
        ({"disc": "-1"}, "expected its place"),
        ({"disc": "7" * 5000}, "expected its place"),
        ({"number": "7" * 5000}, "expected a number"),
        ({"do": "line", "x": 15, "y": 85}, "no line is near enough"),
    ]
    good = fields(client, game_id, RED_2)
    for changes, said in refused:
        data = good | changes
        answer = client.post(f"/games/{game_id}/repair", data=data, headers=FETCH)
        assert answer.status_code == 422, changes
        assert said in answer.get_json()["words"]
        by_form = client.post(f"/games/{game_id}/repair", data=data, follow_redirects=True)
        assert said in by_form.text
    assert game_of(app, game_id) == before


def test_a_repair_of_the_reading_before_is_refused(
    client: FlaskClient, app: Flask, game_id: str
) -> None:
    data = fields(client, game_id, RED_2, x=65)
    record(app, game_id)
    answer = client.post(f"/games/{game_id}/repair", data=data, headers=FETCH)
    assert answer.status_code == 409
    assert not disc(client, game_id, RED_2)["repaired"]


def test_a_repair_that_is_sent_again_happens_once(client: FlaskClient, game_id: str) -> None:
    new = fields(client, game_id, "new", color="white", number=1, action_id="the-same-action")
    for _ in range(2):
        answer = client.post(f"/games/{game_id}/repair", data=new, headers=FETCH)
        assert answer.status_code == 200
    assert len(state(client, game_id)["discs"]) == 6


def test_nothing_is_repaired_before_a_reading_or_while_it_is_written_down(
    client: FlaskClient, app: Flask, game_id: str
) -> None:
    tables = table_of(app).tables
    fresh = read_game(app)
    data = fields(client, fresh, RED_2, x=65)
    section: Any = "creek"
    tables.act(fresh, HOST, Settled(disc=RED_1, color="red", number=1, section=section))
    tables.act(fresh, HOST, Bullseye(color="blue", number=2, section=section))
    for color in ("red", "blue"):
        tables.act(fresh, HOST, Ready(color=color))
    answer = client.post(f"/games/{fresh}/repair", data=data, headers=FETCH)
    assert answer.status_code == 422
    assert "being written down" in answer.get_json()["words"]
    assert "being written down" in client.get(f"/games/{fresh}/repair").text


def test_a_close_up_shows_the_disc_and_the_boundary(client: FlaskClient, game_id: str) -> None:
    answer = client.get(f"/games/{game_id}/discs/{BLUE_1}.jpg")
    pixels = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert pixels.shape == (560, 560, 3)
    yellow = (pixels[..., 2] > 200) & (pixels[..., 1] > 180) & (pixels[..., 0] < 140)
    assert yellow.sum() > 1000


def test_a_close_up_is_kept_by_the_browser_until_it_is_another(
    client: FlaskClient, game_id: str
) -> None:
    at = f"/games/{game_id}/discs/{RED_2}.jpg"
    first = client.get(at)
    again = client.get(at, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert "immutable" in client.get(f"{at}?v=7").headers["Cache-Control"]
    repair(client, game_id, RED_2, x=60)
    moved = client.get(at, headers={"If-None-Match": first.headers["ETag"]})
    assert moved.status_code == 200


def test_close_ups_outlive_the_program(client: FlaskClient, app: Flask, game_id: str) -> None:
    before = client.get(f"/games/{game_id}/discs/{RED_2}.jpg").data
    table_of(app).pictures.rectified.cache_clear()
    app.extensions.pop("sonora_drawn")
    assert client.get(f"/games/{game_id}/discs/{RED_2}.jpg").data == before


@pytest.mark.parametrize("at", ["discs/99.jpg", "discs/4.jpg", "discs/0.jpg?round=9"])
def test_no_picture_is_said_plainly(client: FlaskClient, game_id: str, at: str) -> None:
    assert client.get(f"/games/{game_id}/{at}").status_code == 404


def test_without_its_picture_a_round_is_repaired_by_numbers(
    client: FlaskClient, app: Flask, game_id: str
) -> None:
    pictures = table_of(app).pictures
    for path in pictures.folder.iterdir():
        path.unlink()
    pictures.rectified.cache_clear()
    page = client.get(f"/games/{game_id}/repair").text
    assert "not kept any more" in page
    repair(client, game_id, RED_2, x=65)
    assert disc(client, game_id, RED_2)["headline"] == "Canyon"


def test_the_host_is_told_to_calibrate_again(client: FlaskClient, app: Flask) -> None:
    game_id = ""
    for _ in range(2):
        game_id = read_game(app)
        assert "Calibrate again" not in client.get(f"/games/{game_id}/repair").text
        for index, x in ((RED_2, 60), (BLUE_1, 80)):
            repair(client, game_id, index, x=x)
    assert "Calibrate again" in client.get(f"/games/{game_id}/repair").text


def test_the_page_is_small(client: FlaskClient, game_id: str) -> None:
    page = client.get(f"/games/{game_id}/repair")
    size = len(page.data)
    for name in re.findall(r"/static/([\w./]+)", page.text):
        with client.get(f"/static/{name}") as answer:
            size += len(answer.data)
    size += len(client.get(f"/games/{game_id}/repair/board.jpg").data)
    assert size < 300_000
