"""The table for programs: what it tells, what it lets happen, and that its document says so."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import integers
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance
from werkzeug.test import TestResponse

from sonora_vision.reading_file import reading_from_json, reading_to_json
from sonora_vision.score.allocation import Allocation
from sonora_vision.table.events import HOST, CodesRenewed
from sonora_vision.web import WebParams, create_app
from sonora_vision.web.api.operation import OPERATIONS, Operation
from sonora_vision.web.params import Rate
from tests.web.evening import read_game
from tests.web.served import begin_game, code_of, table_of
from tests.web.table import DrawnReader, drawn_reading, photo_bytes, png_that_claims
from tests.web.visit import PIN, host_of, visitor

OFTEN = Rate(at_once=1e9, a_second=1e9)
LIMITS = WebParams(stranger_rate=OFTEN, read_rate=OFTEN, act_rate=OFTEN, upload_rate=OFTEN)
ROOT = "/api/v1"


class Program:
    """A program with a token, or none."""

    def __init__(self, app: Flask, token: str | None) -> None:
        self.client = app.test_client()
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def ask(self, method: str, path: str, **kwargs: Any) -> TestResponse:
        return self.client.open(ROOT + path, method=method, headers=self.headers, **kwargs)

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def act(self, game_id: str, kind: str, action_id: str | None = None, **said: Any) -> int:
        body = {"event": {"kind": kind, **said}, "action_id": action_id}
        return self.ask("POST", f"/games/{game_id}/acts", json=body).status_code


@pytest.fixture
def app(reader: DrawnReader, tmp_path: Path) -> Flask:
    folder = tmp_path / "table"
    return create_app(Path("none"), reader=reader, folder=folder, pin=PIN, params=LIMITS)


@pytest.fixture
def game_id(app: Flask) -> str:
    return read_game(app)


def host_token(app: Flask) -> str:
    return str(app.extensions["sonora_access"].host_token())


@pytest.fixture
def host(app: Flask) -> Program:
    return Program(app, host_token(app))


@pytest.fixture
def red(app: Flask, game_id: str) -> Program:
    return Program(app, code_of(app, game_id, "red"))


def test_a_game_is_begun_and_listed(host: Program) -> None:
    players = [
        {"color": "red", "name": "Ana", "seat": 0},
        {"color": "white", "name": "Bo", "seat": 2},
    ]
    made = host.ask(
        "POST", "/games", json={"name": "Night", "players": players, "first": "white", "rounds": 4}
    )
    assert made.status_code == 201
    game = host.get(f"/games/{made.get_json()['id']}")
    assert (game["name"], game["phase"], game["rounds"]) == ("Night", "play", 4)
    assert game["round"]["order"] == ["white", "red"]
    assert [each["name"] for each in host.get("/games")["games"]] == ["Night"]


def test_a_whole_round_is_played_by_programs(app: Flask, host: Program, game_id: str) -> None:
    players = {color: Program(app, code_of(app, game_id, color)) for color in ("red", "blue")}
    red, blue = players.values()
    game = red.get(f"/games/{game_id}")
    assert game["phase"] == "settle"
    assert game["open"] == {"red": [1], "blue": [2]}
    assert red.act(game_id, "ready", color="red") == 409
    said = {"disc": 1, "color": "red", "number": 1, "section": "mudcracks"}
    assert red.act(game_id, "settled", **said) == 200
    assert blue.act(game_id, "bullseye", color="blue", number=2, section="creek") == 200
    for color, program in players.items():
        assert program.act(game_id, "ready", color=color) == 200
    assert blue.act(game_id, "ticked", color="blue", section="canyon") == 409  # ruins first
    assert red.act(game_id, "ticked", color="red", section="ruins") == 200
    assert red.act(game_id, "ticked", color="red", section="mudcracks") == 200
    for section in ("canyon", "creek"):
        assert blue.act(game_id, "ticked", color="blue", section=section) == 200
    for color, program in players.items():
        assert program.act(game_id, "finished", color=color) == 200
    assert red.act(game_id, "next_round") == 403
    assert host.act(game_id, "next_round") == 200
    assert host.get(f"/games/{game_id}")["round"]["number"] == 2
    first = host.get(f"/games/{game_id}/rounds")["rounds"][0]
    assert first["finished"] == ["blue", "red"]
    totals = {p["color"]: p["mudcracks"]["total"] for p in first["allocation"]["players"]}
    assert totals == {"red": 1, "blue": 0}


def test_reading_and_allocation_are_those_of_the_files(red: Program, game_id: str) -> None:
    reading = red.get(f"/games/{game_id}/rounds/1/reading")
    assert reading == reading_to_json(drawn_reading("round.jpg"))
    assert reading_from_json(reading, "answer").board == "tiny"
    allocation = red.get(f"/games/{game_id}/rounds/1/allocation")
    assert Allocation.from_json(allocation).player("red").ruins.total == 2
    state = red.get(f"/games/{game_id}")
    assert state["round"]["reading"] == reading
    assert state["round"]["allocation"] == allocation


def test_what_is_not_read_yet_is_not_there(app: Flask, host: Program) -> None:
    game_id = begin_game(app)
    for name in ("reading", "allocation"):
        assert host.ask("GET", f"/games/{game_id}/rounds/1/{name}").status_code == 404
        assert host.ask("GET", f"/games/{game_id}/rounds/2/{name}").status_code == 404


def test_an_act_that_is_sent_twice_happens_once(app: Flask, red: Program, game_id: str) -> None:
    act = {"color": "red", "number": 1, "section": "mudcracks", "disc": 1}
    assert red.act(game_id, "settled", "tap-1", **act) == 200
    seq = table_of(app).tables.game(game_id).seq
    assert red.act(game_id, "settled", "tap-1", **act) == 200
    assert table_of(app).tables.game(game_id).seq == seq


def test_who_may_do_what_is_the_same_as_on_the_pages(
    app: Flask, red: Program, host: Program, game_id: str
) -> None:
    blue = {"color": "blue", "number": 2, "section": "creek"}
    assert red.act(game_id, "bullseye", **blue) == 403
    assert red.act(game_id, "codes_renewed") == 403
    for method, path in (
        ("POST", "/tokens"),
        ("POST", "/games/import"),
        ("DELETE", f"/games/{game_id}"),
        ("GET", f"/games/{game_id}/codes"),
        ("GET", f"/games/{game_id}/export"),
    ):
        assert red.ask(method, path).status_code == 403, path
    other = begin_game(app)
    assert red.ask("GET", f"/games/{other}").status_code == 403
    assert [each["id"] for each in red.get("/games")["games"]] == [game_id]
    assert len(host.get("/games")["games"]) == 2
    assert red.get("/me") == {"actor": "red", "game_id": game_id, "color": "red"}


def test_nobody_is_asked_to_show_something(app: Flask, game_id: str) -> None:
    for token in (None, "made.up", "x" * 1000, code_of(app, game_id, "red")[:-1]):
        answer = Program(app, token).ask("GET", f"/games/{game_id}")
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert answer.mimetype == "application/json"


def test_renewed_codes_and_another_pin_end_tokens(
    app: Flask, red: Program, host: Program, game_id: str
) -> None:
    table_of(app).tables.act(game_id, HOST, CodesRenewed())
    assert red.ask("GET", "/me").status_code == 401
    assert host.ask("GET", "/me").status_code == 200
    app.extensions["sonora_access"].change_pin("8642")
    assert host.ask("GET", "/me").status_code == 401


def test_a_cookie_is_as_good_as_a_token_but_needs_the_pages_token_to_act(
    app: Flask, game_id: str
) -> None:
    page = visitor(app)
    page.get(f"/join/{code_of(app, game_id, 'red')}")
    assert page.get(f"{ROOT}/me").get_json()["actor"] == "red"
    body = {"event": {"kind": "bullseye", "color": "red", "number": 2, "section": "creek"}}
    at = f"{ROOT}/games/{game_id}/acts"
    assert FlaskClient.post(page, at, json=body).status_code == 403
    assert page.post(at, json=body).status_code == 409  # red 2 lies on the board


@pytest.mark.parametrize("shown", ["Basic aG9zdDo=", "Bearer", "bearer-not x", ""])
def test_what_is_no_bearers_token_does_not_stand_for_the_pages_token(
    app: Flask, game_id: str, shown: str
) -> None:
    client = host_of(app)
    answer = client.delete(f"/api/v1/games/{game_id}", headers={"Authorization": shown})
    assert answer.status_code in (401, 403)
    assert client.get(f"/games/{game_id}/table").status_code == 200


def test_the_host_makes_a_token_on_a_page_and_by_a_program(app: Flask, host: Program) -> None:
    page = host_of(app).post("/host/token").text
    token = page[page.index('class="token">') + len('class="token">') :].partition("<")[0]
    assert Program(app, token).get("/me")["actor"] == "host"
    made = host.ask("POST", "/tokens").get_json()["token"]
    assert Program(app, made).get("/me")["actor"] == "host"


def test_codes_let_players_in(app: Flask, host: Program, game_id: str) -> None:
    codes = host.get(f"/games/{game_id}/codes")["codes"]
    assert [each["color"] for each in codes] == ["red", "blue"]
    assert Program(app, codes[1]["code"]).get("/me")["actor"] == "blue"
    assert visitor(app).get(codes[1]["path"]).headers["Location"] == f"/games/{game_id}/me"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"event": {"kind": "made"}}, "event"),
        ({"event": {"kind": "recorded", "reading": {}}}, "event"),
        ({"event": {"kind": "repaired", "disc": 0, "now": None}}, "event"),
        ({"event": {"kind": "ready", "color": 3}}, "event.ready.color"),
        ({"event": {"kind": "ready", "color": "red"}, "action_id": "a b"}, "action_id"),
        ({"event": {"kind": "ready", "color": "red"}, "more": 1}, "more"),
        ({}, "event"),
        ([], "Input should be an object"),
    ],
)
def test_an_act_that_is_none_is_refused_with_its_mistakes(
    host: Program, game_id: str, body: Any, words: str
) -> None:
    answer = host.ask("POST", f"/games/{game_id}/acts", json=body)
    assert answer.status_code == 422
    assert words in " ".join(answer.get_json()["details"])


def test_what_is_no_document_is_refused(host: Program, game_id: str) -> None:
    at = f"/games/{game_id}/acts"
    raw = host.ask("POST", at, data=b"{", content_type="application/json")
    assert raw.status_code == 422
    assert host.ask("POST", at, data="x=1", content_type="text/plain").status_code == 415
    deep = b'{"event":' * 5000
    assert host.ask("POST", at, data=deep, content_type="application/json").status_code == 422
    long = b" " * (LIMITS.document_max_bytes + 1)
    assert host.ask("POST", at, data=long, content_type="application/json").status_code == 413


def test_a_photograph_becomes_the_round(app: Flask, host: Program) -> None:
    game_id = begin_game(app)
    at = f"/games/{game_id}/photo?action_id=first"
    for _ in range(2):
        answer = host.ask("POST", at, data=photo_bytes(), content_type="image/jpeg")
        assert answer.status_code == 200
    state = answer.get_json()
    assert (state["phase"], state["seq"]) == ("settle", 2)
    with host.client.get(state["round"]["board_image"], headers=host.headers) as picture:
        assert picture.mimetype == "image/jpeg"


def test_an_edited_reading_becomes_the_round(app: Flask, host: Program) -> None:
    game_id = begin_game(app)
    reading = reading_to_json(drawn_reading("by hand"))
    answer = host.ask("POST", f"/games/{game_id}/reading", json={"reading": reading})
    assert answer.get_json()["round"]["reading"] == reading
    assert answer.get_json()["round"]["board_image"] is None
    wrong = reading | {"board": "another"}
    answer = host.ask("POST", f"/games/{game_id}/reading", json={"reading": wrong})
    assert answer.status_code == 409
    answer = host.ask("POST", f"/games/{game_id}/reading", json={"reading": {"kind": "x"}})
    assert answer.status_code == 422


def test_without_a_camera_nothing_is_read_now(host: Program, game_id: str) -> None:
    assert host.get("/camera")["there"] is False
    answer = host.ask("POST", f"/games/{game_id}/read", json={"source": "camera"})
    assert answer.status_code == 409
    assert "there is no camera" in answer.get_json()["error"]


def test_a_disc_is_put_right(host: Program, red: Program, game_id: str) -> None:
    of = red.get(f"/games/{game_id}")["round"]["recorded"]
    put = {"color": "red", "number": 2, "x_mm": 70.0, "y_mm": 20.0}
    body = {"disc": 0, "put": put, "of": of}
    at = f"/games/{game_id}/repairs"
    answer = red.ask("POST", at, json=body)
    assert answer.status_code == 200
    place = answer.get_json()["round"]["discs"][0]
    assert place["repaired"]
    assert place["disc"]["sections"] == ["canyon"]
    assert (
        red.ask(
            "POST", f"/games/{game_id}/repairs", json=body | {"of": 1, "action_id": None}
        ).status_code
        == 409
    )
    other = body | {"disc": 3, "put": put | {"color": "blue"}, "action_id": None}
    assert red.ask("POST", f"/games/{game_id}/repairs", json=other).status_code == 403
    gone = {"disc": 0, "put": None, "of": of}
    assert host.ask("POST", f"/games/{game_id}/repairs", json=gone).status_code == 200


def test_a_photograph_alone_is_read_at_once(host: Program) -> None:
    answer = host.ask(
        "POST", "/readings?order=blue,red", data=photo_bytes(), content_type="image/jpeg"
    )
    assert answer.status_code == 201
    found = answer.get_json()
    assert reading_from_json(found["reading"], "answer").board == "tiny"
    assert Allocation.from_json(found["allocation"]).order == ("blue", "red")


@pytest.mark.parametrize(
    ("raw", "kind", "status"),
    [
        (photo_bytes(level=0), "image/jpeg", 415),
        (b"not a picture", "image/jpeg", 415),
        (png_that_claims(60_000, 60_000), "image/png", 415),
        (photo_bytes(), "image/gif", 415),
        (b"", "image/png", 415),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(
    host: Program, raw: bytes, kind: str, status: int
) -> None:
    answer = host.ask("POST", "/readings", data=raw, content_type=kind)
    assert answer.status_code == status
    assert answer.get_json()["error"]


def test_only_so_many_wait_for_a_photograph(app: Flask, reader: DrawnReader, host: Program) -> None:
    reader.may_read.clear()
    done: list[int] = []

    def send() -> None:
        program = Program(app, host_token(app))
        done.append(
            program.ask(
                "POST", "/readings", data=photo_bytes(), content_type="image/png"
            ).status_code
        )

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for _ in range(400):
        if len(done) == 2:
            break
        threading.Event().wait(0.02)
    assert done == [503, 503]
    reader.may_read.set()
    for thread in threads:
        thread.join()
    assert sorted(done) == [201] * 4 + [503] * 2


def test_a_game_is_carried_to_another_table(
    app: Flask, host: Program, game_id: str, reader: DrawnReader, tmp_path: Path
) -> None:
    raw = host.ask("GET", f"/games/{game_id}/export").data
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.testzip() is None
    folder = tmp_path / "other"
    other_app = create_app(Path("none"), reader=reader, folder=folder, pin=PIN, params=LIMITS)
    other = Program(other_app, host_token(other_app))
    made = other.ask("POST", "/games/import", data=raw, content_type="application/zip")
    assert made.status_code == 201
    there, here = other.get(f"/games/{made.get_json()['id']}"), host.get(f"/games/{game_id}")
    for each in (there, here):
        each.pop("id")
        each["round"].pop("board_image")
    assert there == here
    broken = other.ask("POST", "/games/import", data=raw[:-40], content_type="application/zip")
    assert broken.status_code == 422


def test_a_deleted_game_is_gone(host: Program, game_id: str) -> None:
    assert host.ask("DELETE", f"/games/{game_id}").status_code == 204
    assert host.ask("GET", f"/games/{game_id}").status_code == 404
    assert host.ask("DELETE", f"/games/{game_id}").status_code == 404


# What the document says, against generated requests.

load_all_checks()
CHECKED = [
    check for check in CHECKS.get_all() if check not in (positive_data_acceptance, ignored_auth)
]
"""All but two: what fits the document may still break a rule of the game (409, 422), and who is
asking is tested above, with tokens that are right and wrong."""


@schemathesis.serializer("application/zip")
def _as_it_is(_: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    folder = tmp_path_factory.mktemp("fuzzed")
    app = create_app(Path("none"), reader=DrawnReader(), folder=folder, pin=PIN, params=LIMITS)
    return app


@pytest.fixture(scope="module")
def document(fuzzed: Flask) -> Any:
    return schemathesis.openapi.from_wsgi(f"{ROOT}/openapi.json", fuzzed)


@pytest.mark.parametrize("each", OPERATIONS, ids=lambda each: each.view.__name__)
def test_every_answer_is_as_the_document_says(
    document: Any, fuzzed: Flask, each: Operation
) -> None:
    described = document[each.path.replace("<int:", "<").replace("<", "{").replace(">", "}")]
    token = {"Authorization": f"Bearer {host_token(fuzzed)}"}
    asked = described[each.method]
    right, wrong = (asked.as_strategy(generation_mode=mode) for mode in GenerationMode)

    @settings(
        max_examples=25,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=right | wrong, known=integers(0, 3))
    def ask(case: schemathesis.Case, known: int) -> None:
        if known and "game_id" in case.path_parameters:
            case.path_parameters["game_id"] = read_game(fuzzed)
        case.validate_response(case.call(headers=token), checks=CHECKED)

    ask()


def test_the_document_can_be_read_by_strangers_and_names_every_address(app: Flask) -> None:
    document = app.test_client().get(f"{ROOT}/openapi.json").get_json()
    assert document["openapi"] == "3.1.0"
    served = {
        (str(rule).removeprefix(ROOT).replace("<int:", "<").replace("<", "{").replace(">", "}"), m)
        for rule in app.url_map.iter_rules()
        if str(rule).startswith(ROOT) and rule.endpoint != "api.document"
        for m in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {(p, m.upper()) for p, ops in document["paths"].items() for m in ops}
    assert served == described
    assert "Bearer" not in json.dumps(document)
