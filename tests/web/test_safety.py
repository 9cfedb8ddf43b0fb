"""What holds at every address: tokens, names, sizes, rates, headers, and no secret anywhere."""

from __future__ import annotations

import io
import json
import logging
import re
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from sonora_vision.table.events import HOST, CodesRenewed, Made, Player
from sonora_vision.table.words import StoreError
from sonora_vision.web import WebParams, create_app
from sonora_vision.web.door.access import Access
from sonora_vision.web.door.hosts import HostNames
from sonora_vision.web.door.safe_log import keep_codes_out_of_logs
from sonora_vision.web.params import Rate
from sonora_vision.web.wizard.app import create_wizard_app
from tests.web.addresses import addresses
from tests.web.evening import read_game
from tests.web.served import begin_game, code_of, table_of
from tests.web.table import DrawnReader, photo_bytes
from tests.web.visit import PIN, host_of, token, visitor

OFTEN = Rate(at_once=1e9, a_second=1e9)
LIMITS = WebParams(stranger_rate=OFTEN, read_rate=OFTEN, act_rate=OFTEN, upload_rate=OFTEN)


@pytest.fixture
def app(reader: DrawnReader, tmp_path: Path) -> Iterator[Flask]:
    folder = tmp_path / "table"
    app = create_app(Path("none"), reader=reader, folder=folder, pin=PIN, params=LIMITS)
    yield app
    wizard = app.extensions.get("sonora_vision_wizard")
    if wizard is not None:
        wizard.close()


@pytest.fixture
def game_id(app: Flask) -> str:
    return read_game(app)


def test_every_form_without_the_pages_token_is_refused(
    app: Flask, client: FlaskClient, game_id: str
) -> None:
    cookie = client.get_cookie(app.config["SESSION_COOKIE_NAME"])
    assert cookie is not None
    of_another = token(visitor(app))
    before = table_of(app).tables.log(game_id)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for endpoint, at in addresses(app, method, game_id):
            for headers in ({}, {"X-CSRFToken": "made up"}, {"X-CSRFToken": of_another}):
                bare = app.test_client()
                bare.set_cookie(app.config["SESSION_COOKIE_NAME"], cookie.value)
                answer = bare.open(at, method=method, headers=headers)
                assert answer.status_code == 403, (method, at, endpoint)
    assert table_of(app).tables.log(game_id) == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_site_is_refused_even_with_a_token(
    app: Flask, client: FlaskClient, game_id: str, headers: dict[str, str]
) -> None:
    for _, at in addresses(app, "POST", game_id):
        assert client.post(at, headers=headers).status_code == 403, at


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8000", 200),
        ("127.0.0.1:8000", 200),
        ("192.168.1.20:8000", 200),
        ("[fe80::1]:8000", 200),
        ("table.local", 200),
        ("Table.LOCAL.:8000", 200),
        ("elsewhere.example", 400),
        ("elsewhere.example:8000", 400),
        ("localhost.elsewhere.example", 400),
        ("local", 400),
        ("evillocal", 400),
        ("127.0.0.1.elsewhere.example", 400),
        ("localhost@elsewhere.example", 400),
        ("elsewhere.example#localhost", 400),
        ("localhost/elsewhere", 400),
        ("localhost:port", 400),
        (".local", 400),
        ("elsewhere..local", 400),
        (f"{'elsewhere' * 8}.local", 400),
        ("", 400),
    ],
)
def test_the_pages_answer_under_their_own_names_alone(app: Flask, host: str, status: int) -> None:
    answer = app.test_client().get("/", headers={"Host": host})
    assert answer.status_code == status
    if status == 400:
        assert "elsewhere" not in answer.text


def test_more_names_can_be_given() -> None:
    names = HostNames(["Club.example", ".tables.example"])
    assert "club.example:443" in names
    assert "one.tables.example" in names
    assert "tables.example.elsewhere.example" not in names
    assert "xtables.example" not in names
    assert "xn--a.tables.example" not in names  # no such name can be written


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_every_answer_says_what_a_browser_may_do_with_it(
    app: Flask, client: FlaskClient, game_id: str
) -> None:
    kinds = set()
    for _, at in addresses(app, "GET", game_id):
        if at.endswith("/stream"):
            continue
        answer = client.get(at, buffered=True)
        kinds.add(answer.mimetype)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, at
        assert "unsafe" not in policy, at
        assert "frame-ancestors 'none'" in policy, at
        assert answer.headers["X-Content-Type-Options"] == "nosniff", at
        assert answer.headers["Referrer-Policy"] == "same-origin", at
        assert "Access-Control-Allow-Origin" not in answer.headers, at
        if answer.mimetype == "text/html":
            assert answer.headers["Cache-Control"] == "no-store", at
            _nothing_inline(at, answer.text)
    assert {"text/html", "application/json", "image/jpeg", "application/zip"} <= kinds


def _nothing_inline(at: str, page: str) -> None:
    for tag, attributes in _Tags(page).tags:
        assert tag not in ("style", "base", "iframe", "object"), at
        assert tag != "script" or attributes.get("src"), at
        assert not [n for n in attributes if n.startswith("on") or n == "style"], (at, attributes)
        for name in ("src", "href", "srcset", "action", "formaction"):
            target = attributes.get(name) or ""
            if not at.endswith("/codes"):  # phones need the whole address of their seat
                assert not target.startswith("http"), (at, target)
            assert not target.startswith(("//", "javascript:")), (at, target)


def test_every_form_of_every_page_bears_its_token(
    app: Flask, client: FlaskClient, game_id: str
) -> None:
    forms = 0
    for _, at in addresses(app, "GET", game_id):
        if at.endswith("/stream"):
            continue
        answer = client.get(at, buffered=True)
        if answer.mimetype != "text/html":
            continue
        for form in re.findall(r"<form.*?</form>", answer.text, re.DOTALL):
            if re.search(r'method="?post', form.partition(">")[0], re.IGNORECASE):
                forms += 1
                assert 'name="csrf_token"' in form, (at, form[:200])
    assert forms > 10


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(app: Flask) -> None:
    client = visitor(app)
    answers = [
        client.post("/host", data={"pin": PIN}),
        client.post("/language", data={"language": "es"}),
    ]
    cookies = [c for answer in answers for c in answer.headers.getlist("Set-Cookie")]
    assert len(cookies) == 2
    for cookie in cookies:
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Path=/" in cookie


def test_two_tables_of_one_machine_have_cookies_of_different_names(
    app: Flask, reader: DrawnReader, tmp_path: Path
) -> None:
    other = create_app(Path("none"), reader=reader, folder=tmp_path / "other", pin=PIN)
    assert other.config["SESSION_COOKIE_NAME"] != app.config["SESSION_COOKIE_NAME"]


def secrets_of(app: Flask, game_id: str) -> list[str]:
    """All that nobody else may see."""
    access: Access = app.extensions["sonora_access"]
    codes = [code_of(app, game_id, color) for color in ("red", "blue")]
    pin_hash = access._pin_hash
    return [access.secret_key, pin_hash, PIN, access.host_mark, access.host_token(), *codes]


def test_no_file_that_is_given_away_has_a_secret(
    app: Flask, client: FlaskClient, game_id: str
) -> None:
    table_of(app).tables.act(game_id, HOST, CodesRenewed())
    exported = client.get(f"/games/{game_id}/export").data
    with zipfile.ZipFile(io.BytesIO(exported)) as archive:
        contents = b"".join(archive.read(name) for name in archive.namelist())
    for secret in secrets_of(app, game_id):
        if secret != PIN:  # six digits can be anywhere in a picture
            assert secret.encode() not in contents
    assert b"pbkdf2" not in contents
    assert b"scrypt" not in contents


def test_a_fault_shows_nothing_of_the_inside_and_logs_no_code(
    app: Flask,
    client: FlaskClient,
    game_id: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    code = code_of(app, game_id, "red")

    def fail(**_: object) -> object:
        raise RuntimeError("inside")

    monkeypatch.setitem(app.view_functions, "welcome.join", fail)
    monkeypatch.setitem(app.config, "PROPAGATE_EXCEPTIONS", False)
    answer = client.get(f"/join/{code}")
    assert answer.status_code == 500
    assert "The program failed. Its log says more." in answer.text
    assert "inside" not in answer.text
    assert "Traceback" not in answer.text
    said = "\n".join(logging.Formatter().format(record) for record in caplog.records)
    assert "/join/..." in said
    assert "RuntimeError: inside" in said
    assert code not in said


@pytest.mark.parametrize(
    ("said", "logged"),
    [
        ("GET /join/a.b-c HTTP/1.1", "GET /join/... HTTP/1.1"),
        (
            "Client disconnected while serving /join/abc",
            "Client disconnected while serving /join/...",
        ),
        ('"Authorization: Bearer abc.def"', '"Authorization: Bearer ..."'),
        ("GET /games/abc/table HTTP/1.1", "GET /games/abc/table HTTP/1.1"),
    ],
)
def test_logs_are_kept_clean_of_codes(
    caplog: pytest.LogCaptureFixture, said: str, logged: str
) -> None:
    keep_codes_out_of_logs()
    for name in ("waitress", "werkzeug"):
        logging.getLogger(name).warning("%s", said)
    assert [record.getMessage() for record in caplog.records] == [logged, logged]


def test_a_database_that_fails_is_told_as_a_page(
    app: Flask, client: FlaskClient, game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> object:
        raise StoreError("games: the disk is full; make room and try again")

    monkeypatch.setattr(table_of(app).tables, "game", fail)
    answer = client.get(f"/games/{game_id}/table")
    assert answer.status_code == 503
    assert "the disk is full; make room" in answer.text
    assert "Retry-After" in answer.headers


def test_there_is_no_such_game(client: FlaskClient) -> None:
    for at in ("table", "me", "repair", "setup", "export", "stream"):
        assert client.get(f"/games/none/{at}").status_code == 404, at


@pytest.mark.parametrize(
    "path",
    [
        "/static/../access.py",
        "/static/%2e%2e/access.py",
        "/static/..%2faccess.py",
        "/static//etc/passwd",
        "/static/%2fetc/passwd",
        "/static/..\\access.py",
        "/games/..%2f..%2fsecrets%2fpin/export",
        "/games/../../secrets/pin",
        "/games/{}/seats/..%2f..%2fsecrets%2fpin.svg",
        "/games/{}/rounds/../../../secrets/secret",
        "/games/{}/discs/..%2f1.jpg",
        "/readings/..%2f..%2fsecrets/reading.json",
        "/photos/..%2f0/thumbnail.jpg",
        "/calibrate/picture/..%2f..%2fsecret",
    ],
)
def test_no_address_leads_out_of_its_folder(client: FlaskClient, game_id: str, path: str) -> None:
    answer = client.get(path.format(game_id))
    assert answer.status_code in (308, 404)
    assert b"pbkdf2" not in answer.data
    assert b"scrypt" not in answer.data


NASTY = [
    'a"; filename=evil.exe',
    "../../x",
    "<script>alert(1)</script>",
    "名\u202e",
]


@pytest.mark.parametrize("name", NASTY)
def test_a_name_cannot_bring_headers_or_tags(client: FlaskClient, app: Flask, name: str) -> None:
    players = (Player(color="red", name=name, seat=0), Player(color="blue", name="B", seat=1))
    game_id = table_of(app).tables.make(
        Made(
            name=name,
            board="tiny",
            colors=("red", "blue", "white"),
            numbers=(1, 2),
            players=players,
            first="red",
            rounds=3,
        )
    )
    for at in ("table", "me", "setup", "codes"):
        page = client.get(f"/games/{game_id}/{at}").text
        assert "<script>alert" not in page
    answer = client.get(f"/games/{game_id}/export")
    assert "X-Bad" not in answer.headers
    given = answer.headers["Content-Disposition"]
    assert "\n" not in given
    assert not re.search(r'[/\\]|"[^"]*"[^"]*"', given)
    assert "<script>alert" not in client.get("/games").text


def test_who_acts_too_often_is_asked_to_wait(reader: DrawnReader, tmp_path: Path) -> None:
    slow = [Rate(at_once=count, a_second=0.1) for count in (3, 2, 6)]
    params = WebParams(act_rate=slow[0], upload_rate=slow[1], read_rate=slow[2])
    app = create_app(Path("none"), reader=reader, folder=tmp_path, pin=PIN, params=params)
    client = host_of(app)
    game_id = begin_game(app)
    red = visitor(app)
    red.get(f"/join/{code_of(app, game_id, 'red')}")
    key = {"X-CSRFToken": token(red)}
    act = [FlaskClient.post(red, f"/games/{game_id}/act", headers=key) for _ in range(4)]
    assert [answer.status_code for answer in act] == [400, 400, 400, 429]
    assert 0 < int(act[-1].headers["Retry-After"]) <= 10
    assert "too often" in act[-1].text
    large = photo_bytes() + bytes(200_000)
    file = [
        client.post("/readings", data={"file": (io.BytesIO(large), "a.jpg")}).status_code
        for _ in range(3)
    ]
    assert file == [303, 303, 429]
    looks = [red.get(f"/games/{game_id}/seq").status_code for _ in range(7)]
    assert looks[0] == 200
    assert looks[-1] == 429
    assert client.get(f"/games/{game_id}/seq").status_code == 200


def test_a_stranger_who_asks_too_often_is_asked_to_wait(
    reader: DrawnReader, tmp_path: Path
) -> None:
    params = WebParams(stranger_rate=Rate(at_once=5, a_second=0.1))
    app = create_app(Path("none"), reader=reader, folder=tmp_path, pin=PIN, params=params)
    client = app.test_client()
    assert [client.get("/").status_code for _ in range(6)] == [200] * 5 + [429]
    assert client.get("/static/page.css", buffered=True).status_code == 200
    other = client.get("/", environ_base={"REMOTE_ADDR": "10.0.0.2"})
    assert other.status_code == 200


def test_a_document_that_is_too_large_is_not_read(client: FlaskClient, game_id: str) -> None:
    big = json.dumps({"x": "y" * LIMITS.document_max_bytes})
    for at in (f"/games/{game_id}/repair", f"/games/{game_id}/judge", f"/games/{game_id}/act"):
        answer = client.post(at, data=big, content_type="application/json")
        assert answer.status_code in (400, 413, 422), at
        form = client.post(at, data={"x": "y" * LIMITS.document_max_bytes})
        assert form.status_code == 413, at


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PUT", "X"])
def test_methods_that_are_not_there_are_refused(client: FlaskClient, method: str) -> None:
    assert client.open("/games", method=method).status_code in (403, 405)


def test_a_wizard_that_others_could_open_asks_for_its_address(tmp_path: Path) -> None:
    app = create_wizard_app(tmp_path / "new.profile", key="the-key")
    try:
        client = app.test_client()
        assert client.get("/calibrate/camera").status_code == 403
        assert client.get("/calibrate/camera?key=another").status_code == 403
        answer = client.get("/?key=the-key")
        assert answer.headers["Location"] == "/"
        assert client.get("/calibrate/camera").status_code == 200
        strange = client.get("/calibrate/camera", headers={"Host": "elsewhere.example"})
        assert strange.status_code == 400
    finally:
        app.extensions["sonora_vision_wizard"].close()


def test_styles_and_scripts_are_kept_by_the_browser_until_they_change(client: FlaskClient) -> None:
    page = client.get("/host").text
    styles = re.findall(r'"(/static/[^"]+)"', page)
    assert styles
    for address in styles:
        answer = client.get(address, buffered=True)
        assert "v=" in address
        assert "immutable" in answer.headers["Cache-Control"]
    bare = client.get("/static/page.css", buffered=True)
    assert "immutable" not in bare.headers["Cache-Control"]
