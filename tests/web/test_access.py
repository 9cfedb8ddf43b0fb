"""Who gets in: the host by PIN, players by their codes, and nobody else anywhere."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from sonora_vision.errors import UsageError
from sonora_vision.table.events import HOST, CodesRenewed, Player, Seated
from sonora_vision.web import WebParams, create_app
from sonora_vision.web.door.access import Access, new_pin
from sonora_vision.web.door.attempts import AttemptParams, PinAttempts
from sonora_vision.web.params import Rate
from tests.web.addresses import OPEN, addresses
from tests.web.served import begin_game, code_of, table_of
from tests.web.table import DrawnReader
from tests.web.visit import PIN, host_of, visitor


@pytest.fixture
def app(reader: DrawnReader, tmp_path: Path) -> Flask:
    rate = Rate(at_once=1e9, a_second=1e9)
    often = WebParams(stranger_rate=rate, read_rate=rate)
    folder = tmp_path / "table"
    return create_app(Path("none"), reader=reader, folder=folder, pin=PIN, params=often)


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    return visitor(app)


@pytest.fixture
def game_id(app: Flask) -> str:
    return begin_game(app)


@pytest.fixture
def red(app: Flask, game_id: str) -> FlaskClient:
    client = visitor(app)
    assert client.get(f"/join/{code_of(app, game_id, 'red')}").status_code == 303
    return client


def test_every_address_is_closed_to_strangers(
    app: Flask, stranger: FlaskClient, game_id: str
) -> None:
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        for endpoint, at in addresses(app, method, game_id):
            if (at in OPEN and (method, at) != ("GET", "/host")) or endpoint == "api.document":
                continue
            answer = stranger.open(at, method=method)
            assert answer.status_code in (401, 403), (method, at)


def test_a_player_gets_no_further_than_their_own_game(
    app: Flask, red: FlaskClient, game_id: str
) -> None:
    other = begin_game(app)
    assert red.get(f"/games/{game_id}/me").status_code == 200
    for method in ("GET", "POST"):
        for _, at in addresses(app, method, other):
            if other in at:
                assert red.open(at, method=method).status_code == 403, (method, at)


@pytest.mark.parametrize(
    ("method", "at"),
    [
        ("GET", "/host"),
        ("POST", "/host/pin"),
        ("POST", "/host/token"),
        ("GET", "/games"),
        ("GET", "/games/new"),
        ("POST", "/games"),
        ("POST", "/games/import"),
        ("GET", "/games/{}/setup"),
        ("POST", "/games/{}/setup"),
        ("GET", "/games/{}/codes"),
        ("GET", "/games/{}/seats/blue.svg"),
        ("GET", "/games/{}/seats/red.svg"),
        ("GET", "/games/{}/export"),
        ("POST", "/games/{}/delete"),
        ("POST", "/games/{}/read"),
        ("POST", "/games/{}/camera/next"),
        ("GET", "/calibrate/camera"),
        ("POST", "/calibrate/use"),
        ("GET", "/calibrate/rig.zip"),
    ],
)
def test_what_is_the_hosts_is_refused_to_players(
    red: FlaskClient, game_id: str, method: str, at: str
) -> None:
    at = at.format(game_id)
    answer = red.post(at) if method == "POST" else red.get(at)
    assert answer.status_code == 403, at


def test_no_page_of_a_player_bears_a_code(app: Flask, red: FlaskClient, game_id: str) -> None:
    codes = [code_of(app, game_id, color) for color in ("red", "blue")]
    for _, at in addresses(app, "GET", game_id):
        if game_id in at and not at.endswith("/stream"):
            text = red.get(at).get_data(as_text=False)
            assert not any(code.encode() in text for code in codes), at


def test_everyone_is_sent_to_where_they_belong(
    app: Flask, stranger: FlaskClient, client: FlaskClient
) -> None:
    assert "PIN" in stranger.get("/").text
    assert client.get("/").headers["Location"] == "/games"
    game_id = begin_game(app)
    assert client.get("/").headers["Location"] == f"/games/{game_id}/table"
    code = code_of(app, game_id, "blue")
    assert stranger.get(f"/join/{code}").headers["Location"] == f"/games/{game_id}/me"
    assert stranger.get("/").headers["Location"] == f"/games/{game_id}/me"


def test_a_wrong_pin_lets_nobody_in(stranger: FlaskClient) -> None:
    answer = stranger.post("/host", data={"pin": "000000"})
    assert answer.status_code == 403
    assert "That is not the table" in answer.text
    assert 'name="pin"' in answer.text  # to try again at once
    assert stranger.get("/host").status_code == 403


def test_a_cookie_from_before_signing_in_opens_nothing_after(app: Flask) -> None:
    client = visitor(app)
    client.get("/")
    name = app.config["SESSION_COOKIE_NAME"]
    before = client.get_cookie(name)
    assert client.post("/host", data={"pin": PIN}).status_code == 303
    after = client.get_cookie(name)
    assert before is not None
    assert after is not None
    assert before.value != after.value
    thief = visitor(app)
    thief.set_cookie(name, before.value)
    assert thief.get("/host").status_code == 403


def test_a_cookie_that_was_written_by_hand_opens_nothing(app: Flask) -> None:
    client = visitor(app)
    for value in ("eyJob3N0Ijp0cnVlfQ.AAAA.BBBB", "{}", "a" * 3000, ""):
        client.set_cookie(app.config["SESSION_COOKIE_NAME"], value)
        assert client.get("/games").status_code == 403


def test_leaving_forgets_who_it_was(client: FlaskClient) -> None:
    assert client.post("/leave").status_code == 303
    assert client.get("/games").status_code == 403


@pytest.mark.parametrize("code", ["none", "a.b", "x" * 2000, "%00", "W10.AAAA", "é"])
def test_a_code_that_was_made_up_opens_no_seat(stranger: FlaskClient, code: str) -> None:
    assert stranger.get(f"/join/{code}").status_code == 403


def test_a_code_of_another_table_opens_no_seat(
    app: Flask, stranger: FlaskClient, game_id: str, tmp_path: Path
) -> None:
    other = Access(tmp_path / "other", PIN)
    code = other.seat_code(game_id, table_of(app).tables.game(game_id), "red")
    assert stranger.get(f"/join/{code}").status_code == 403


def test_renewed_codes_put_all_old_ones_out(app: Flask, red: FlaskClient, game_id: str) -> None:
    old = code_of(app, game_id, "red")
    table_of(app).tables.act(game_id, HOST, CodesRenewed())
    assert red.get(f"/games/{game_id}/me").status_code == 403
    assert red.get(f"/join/{old}").status_code == 403
    assert red.get(f"/join/{code_of(app, game_id, 'red')}").status_code == 303
    assert red.get(f"/games/{game_id}/me").status_code == 200


def test_who_was_put_out_is_told_why(app: Flask, red: FlaskClient, game_id: str) -> None:
    told = "opens this table no more"
    assert told not in visitor(app).get("/").text
    table_of(app).tables.act(game_id, HOST, CodesRenewed())
    assert told in red.get("/").text


def test_who_plays_no_more_is_out(app: Flask, red: FlaskClient, game_id: str) -> None:
    blue = (Player(color="blue", name="Blue", seat=0),)
    table_of(app).tables.act(game_id, HOST, Seated(players=blue, first="blue", rounds=3))
    assert red.get(f"/games/{game_id}/me").status_code == 403


def test_a_player_acts_for_themselves_alone(app: Flask, red: FlaskClient, game_id: str) -> None:
    act = {"kind": "bullseye", "number": "1", "section": "creek"}
    red.post(f"/games/{game_id}/act", data=act | {"color": "blue"})
    assert table_of(app).tables.game(game_id).now.bullseyes == ()
    red.post(f"/games/{game_id}/act", data=act | {"color": "red"})
    assert [b.color for b in table_of(app).tables.game(game_id).now.bullseyes] == ["red"]


def test_the_hosts_own_seat_leaves_them_the_host(app: Flask, client: FlaskClient) -> None:
    game_id = begin_game(app)
    assert client.get(f"/join/{code_of(app, game_id, 'red')}").status_code == 303
    assert client.get("/games").status_code == 200
    assert client.get(f"/games/{game_id}/me").status_code == 200


def test_another_pin_signs_out_all_other_browsers_of_the_host(
    app: Flask, client: FlaskClient, red: FlaskClient, game_id: str
) -> None:
    other = host_of(app)
    wrong = {"pin": "111111", "new_pin": "97531"}
    assert client.post("/host/pin", data=wrong).status_code == 403
    assert client.post("/host/pin", data={"pin": PIN, "new_pin": "12"}).status_code == 422
    assert other.get("/games").status_code == 200
    assert client.post("/host/pin", data={"pin": PIN, "new_pin": "97531"}).status_code == 303
    assert client.get("/games").status_code == 200
    assert other.get("/games").status_code == 403
    assert red.get(f"/games/{game_id}/me").status_code == 200
    assert other.post("/host", data={"pin": PIN}).status_code == 403
    assert other.post("/host", data={"pin": "97531"}).status_code == 303


def test_a_pin_that_another_process_made_holds_at_once(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    pin = new_pin(tmp_path / "table" / "secrets")
    assert client.get("/games").status_code == 403
    assert client.post("/host", data={"pin": pin}).status_code == 303


@pytest.mark.parametrize("pin", ["", "123", "1" * 13, "12a4", "²²²²", "12 34"])
def test_what_is_no_pin_is_refused(tmp_path: Path, pin: str) -> None:
    with pytest.raises(UsageError, match="PIN: expected 4 to 12 digits"):
        Access(tmp_path, pin)


def test_a_pin_that_cannot_be_kept_is_refused_and_the_old_one_holds(
    app: Flask, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    answer = client.post("/host/pin", data={"pin": PIN, "new_pin": "1357"})
    monkeypatch.undo()
    assert answer.status_code == 422
    assert "PIN: it cannot be kept (No space left on device)" in answer.text
    assert sorted(path.name for path in (tmp_path / "table" / "secrets").iterdir()) == [
        "pin",
        "secret",
    ]
    assert host_of(app).get("/host").status_code == 200


def test_a_pin_is_made_up_once_and_kept(tmp_path: Path) -> None:
    made = Access(tmp_path).new_pin
    assert made is not None
    assert len(made) == 6
    again = Access(tmp_path)
    assert again.new_pin is None
    assert again.is_pin(made)
    assert not again.is_pin(made[:-1])


def test_secrets_are_their_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    folder.mkdir(mode=0o755)
    (folder / "secret").write_text("0" * 64)
    (folder / "secret").chmod(0o644)
    pin = Access(folder).new_pin
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(path.name for path in folder.iterdir()) == ["pin", "secret"]
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert str(pin) not in path.read_text()


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path, reader: DrawnReader) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match=r"cannot be written to .*choose another folder"):
        create_app(Path("none"), reader=reader, folder=tmp_path / "file")


def test_pins_are_not_looked_at_after_too_many_wrong_ones(stranger: FlaskClient) -> None:
    wrong = AttemptParams().free + 1
    for _ in range(wrong):
        assert stranger.post("/host", data={"pin": "000000"}).status_code == 403
    answer = stranger.post("/host", data={"pin": PIN})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= AttemptParams().first_s
    assert "too many wrong PINs" in answer.text


class _Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def _wrong_until_stopped(attempts: PinAttempts, clock: _Clock, address: str, count: int) -> float:
    """Try wrong PINs as fast as it goes, and return how long that took."""
    began = clock.now_s
    for _ in range(count):
        clock.now_s += attempts.wait_s(address)
        attempts.note(address, right=False)
    return clock.now_s - began


def test_every_wrong_pin_costs_twice_as_long() -> None:
    clock = _Clock()
    attempts = PinAttempts(AttemptParams(free=3, first_s=2.0, longest_s=60.0), clock)
    waits = []
    for _ in range(10):
        attempts.note("10.0.0.1", right=False)
        waits.append(attempts.wait_s("10.0.0.1"))
    assert waits == [0, 0, 0, 2, 4, 8, 16, 32, 60, 60]
    assert attempts.wait_s("10.0.0.2") == 0


def test_many_addresses_are_slowed_down_together_but_not_the_machine_itself() -> None:
    clock = _Clock()
    attempts = PinAttempts(AttemptParams(), clock)
    for device in range(200):
        attempts.note(f"10.0.0.{device}", right=False)
    assert attempts.wait_s("10.0.1.1") == AttemptParams().longest_in_all_s
    assert attempts.wait_s("127.0.0.1") == 0


def test_a_device_with_many_addresses_of_one_network_is_one_visitor() -> None:
    attempts = PinAttempts(AttemptParams(free=2, free_in_all=1000), _Clock())
    for device in range(4):
        attempts.note(f"fd00::{device}", right=False)
    assert attempts.wait_s("fd00::99") > 0
    assert attempts.wait_s("fd01::1") == 0


def test_a_short_pin_holds_for_longer_than_an_evening() -> None:
    clock = _Clock()
    seconds = _wrong_until_stopped(PinAttempts(AttemptParams(), clock), clock, "10.0.0.1", 200)
    assert seconds > 24 * 3600


def test_a_right_pin_and_an_hour_forget_the_wrong_ones() -> None:
    clock = _Clock()
    attempts = PinAttempts(AttemptParams(), clock)
    _wrong_until_stopped(attempts, clock, "10.0.0.1", 8)
    attempts.note("10.0.0.1", right=True)
    assert attempts.wait_s("10.0.0.1") == 0
    _wrong_until_stopped(attempts, clock, "10.0.0.1", 8)
    clock.now_s += AttemptParams().forget_s + 1
    attempts.note("10.0.0.1", right=False)
    assert attempts.wait_s("10.0.0.1") == 0


@pytest.mark.parametrize(
    "way",
    [
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "/\\elsewhere.example",
        "/\t/elsewhere.example",
        "\\\\elsewhere.example",
        "javascript:alert(1)",
        "/nowhere",
        "/photos\r\nX-Bad: yes",
        "/join/../../photos",
        "https:photos",
        "/host/pin",
    ],
)
def test_signing_in_leads_to_no_other_site(app: Flask, way: str) -> None:
    client = visitor(app)
    answer = client.post("/host", data={"pin": PIN, "next": way})
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/"
    page = visitor(app).get("/", query_string={"next": way}).text
    sign_in = page[page.index('action="/host"') :]
    assert 'name="next"' not in sign_in[: sign_in.index("</form>")]


def test_signing_in_leads_on_to_the_page_that_was_asked_for(app: Flask, game_id: str) -> None:
    client = visitor(app)
    page = client.get(f"/games/{game_id}/table")
    assert page.status_code == 403
    assert f'href="/?next=/games/{game_id}/table"' in page.text
    form = client.get("/", query_string={"next": f"/games/{game_id}/table"})
    assert f'name="next" value="/games/{game_id}/table"' in form.text
    answer = client.post("/host", data={"pin": PIN, "next": f"/games/{game_id}/table"})
    assert answer.headers["Location"] == f"/games/{game_id}/table"
