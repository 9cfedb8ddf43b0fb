"""Many photographs at once: sent, read, packed, and used in a game."""

from __future__ import annotations

import csv
import io
import json
import re
import time
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from sonora_vision.reading_file import reading_from_json
from sonora_vision.web import WebParams, create_app
from tests.web.evening import read_game
from tests.web.served import begin_game, code_of, game_of, table_of
from tests.web.table import DrawnReader, drawn_reading, photo_bytes, png_that_claims
from tests.web.visit import PIN, host_of, read_page, visitor, words

GOOD = ("one.jpg", photo_bytes())
BOARDLESS = ("dark.jpg", photo_bytes(level=0))
NO_PICTURE = ("notes.txt", b"no photograph at all")
BOMB = ("bomb.png", png_that_claims(60_000, 60_000))


def send(client: FlaskClient, *files: tuple[str, bytes], **form: str) -> TestResponse:
    sent = [(io.BytesIO(raw), name) for name, raw in files]
    return client.post("/photos", data={"file": sent, **form}, follow_redirects=True)


def rows(client: FlaskClient) -> str:
    """The list once everything in it is read or refused."""
    for _ in range(400):
        text = client.get("/photos/rows").text
        if 'data-open="0"' in text:
            return text
        time.sleep(0.01)
    raise AssertionError("never read")


def unpacked(client: FlaskClient, query: str = "") -> zipfile.ZipFile:
    answer = client.get(f"/photos/all.zip{query}")
    assert answer.status_code == 200
    archive = zipfile.ZipFile(io.BytesIO(answer.data))
    assert archive.testzip() is None
    return archive


def test_bad_files_among_good_ones_hold_nobody_up(client: FlaskClient) -> None:
    page = send(client, GOOD, NO_PICTURE, BOARDLESS, BOMB, ("two.png", photo_bytes())).text
    assert "notes.txt: expected a JPEG or PNG photograph" in page
    listed = words(rows(client))
    assert listed.count("5 discs, ? 1 in doubt , 1 to choose, 1 not seen") == 2
    assert "dark.jpg Not read. dark.jpg: no board found" in listed
    assert "notes.txt Not read." in listed
    assert "bomb.png: expected at most 50 megapixels" in listed


def test_a_photograph_that_is_too_large_is_listed_with_the_limit(
    reader: DrawnReader, tmp_path: Path
) -> None:
    params = WebParams(upload_max_bytes=2_000_000)
    client = host_of(_app(reader, tmp_path, params))
    send(client, ("big.jpg", photo_bytes() + bytes(2_000_001)), GOOD)
    listed = words(rows(client))
    assert "big.jpg: expected at most 2 MB" in listed
    assert "5 discs" in listed


def test_more_than_may_wait_are_asked_to_come_back(reader: DrawnReader, tmp_path: Path) -> None:
    client = host_of(_app(reader, tmp_path, WebParams(waiting_max=2)))
    reader.may_read.clear()
    page = send(client, *[(f"{n}.jpg", photo_bytes()) for n in range(3)]).text
    assert "2.jpg: 2 photographs are waiting to be read" in page
    alone = {"file": (io.BytesIO(photo_bytes()), "3.jpg")}
    answer = client.post("/photos", data=alone, headers={"X-Requested-With": "fetch"})
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
    reader.may_read.set()
    assert words(rows(client)).count("5 discs") == 2


def test_a_refused_photograph_can_be_read_again(client: FlaskClient, reader: DrawnReader) -> None:
    send(client, BOARDLESS)
    at = re.search(r'action="(/readings/[^"]+/again)"', rows(client))
    assert at is not None
    reader.refuses_black = False
    client.post(at[1])
    assert "5 discs" in words(rows(client))


def test_what_is_no_picture_is_not_offered_to_be_read_again(client: FlaskClient) -> None:
    send(client, NO_PICTURE)
    assert "/again" not in rows(client)


def test_the_zip_has_everything_under_names_of_its_own(client: FlaskClient) -> None:
    names = ["one.jpg", "one.jpg", "../../etc/pass wd.jpg", "ñandú.jpg", "=1+1.jpg"]
    send(client, *[(name, photo_bytes()) for name in names], BOARDLESS)
    rows(client)
    archive = unpacked(client, "?order=white,red")
    stems = ["one", "one-2", "pass_wd", "and", "1_1"]
    folders = {"readings": "json", "allocations": "json", "annotated": "png"}
    expected = {f"{folder}/{stem}.{end}" for folder, end in folders.items() for stem in stems}
    assert set(archive.namelist()) == expected | {"index.html", "allocations.csv"}
    found = reading_from_json(json.loads(archive.read("readings/one.json")), "zip")
    assert len(found.discs) == len(drawn_reading("one.jpg").discs)
    assert json.loads(archive.read("allocations/one.json"))["order"] == ["white", "red"]
    annotated = np.frombuffer(archive.read("annotated/one-2.png"), np.uint8)
    assert cv2.imdecode(annotated, cv2.IMREAD_COLOR).shape[1] >= 1000
    table = list(csv.DictReader(io.StringIO(archive.read("allocations.csv").decode())))
    assert [line["player"] for line in table[:2]] == ["white", "red"]
    assert table[1]["ruins"] == "2"
    assert "'=1+1.jpg" in {line["photograph"] for line in table}
    assert "no board found" in table[-1]["refused"]
    index = archive.read("index.html").decode()
    links = set(re.findall(r'(?:href|src)="([^"]+)"', index))
    assert links <= set(archive.namelist())
    assert "dark.jpg" in index


def test_the_zip_is_sent_piece_by_piece(client: FlaskClient) -> None:
    send(client, *[(f"{n}.jpg", photo_bytes()) for n in range(3)])
    rows(client)
    answer = client.get("/photos/all.zip", buffered=False)
    pieces = [len(piece) for piece in answer.response]
    answer.close()
    assert len(pieces) == 4
    assert max(pieces) < 0.5 * sum(pieces)


def test_there_is_no_zip_of_nothing(client: FlaskClient) -> None:
    assert client.get("/photos/all.zip").status_code == 404


def test_players_look_and_the_host_sends(app: Flask, client: FlaskClient) -> None:
    at, _ = read_page(client)
    game_id = begin_game(app)
    player = visitor(app)
    player.get(f"/join/{code_of(app, game_id, 'red')}")
    assert player.get(at).status_code == 200
    assert 'type="file"' not in player.get("/photos").text
    assert send(player, GOOD).status_code == 403
    assert player.get("/photos/all.zip").status_code == 403
    assert player.post(f"{at}/record", data={"game": game_id}).status_code == 403
    assert player.post(f"{at}/again").status_code == 403


def test_a_photograph_becomes_the_reading_of_a_round(client: FlaskClient, app: Flask) -> None:
    game_id = begin_game(app)
    at, page = read_page(client)
    assert "Friday, round 1" in page
    for _ in range(2):
        answer = client.post(f"{at}/record", data={"game": game_id, "action_id": "use-it-now"})
        assert answer.headers["Location"].endswith(f"/games/{game_id}/table")
    now = game_of(app, game_id).now
    assert now.reading is not None
    assert len(now.reading.discs) == 5
    assert now.picture is not None
    assert len(list(table_of(app).pictures.folder.glob("*.json"))) == 1
    assert client.get(f"/games/{game_id}/discs/0.jpg").status_code == 200


@pytest.mark.parametrize("game", ["", "nowhere"])
def test_a_game_that_is_not_there_takes_no_reading(
    client: FlaskClient, app: Flask, game: str
) -> None:
    at, _ = read_page(client)
    answer = client.post(f"{at}/record", data={"game": game}, follow_redirects=True)
    assert "there is no such game" in answer.text
    assert list(table_of(app).pictures.folder.glob("*.json")) == []


def test_photographs_of_an_earlier_run_are_removed_and_games_keep_theirs(
    client: FlaskClient, app: Flask, reader: DrawnReader, tmp_path: Path
) -> None:
    game_id = read_game(app)
    send(client, GOOD)
    rows(client)
    folder = tmp_path / "table"
    assert list((folder / "photos" / "originals").iterdir())
    again = host_of(_app(reader, folder, WebParams()))
    assert list((folder / "photos" / "originals").iterdir()) == []
    assert "one.jpg" not in again.get("/photos").text
    assert again.get(f"/games/{game_id}/discs/0.jpg").status_code == 200


def test_the_oldest_go_when_the_disk_s_share_is_full(reader: DrawnReader, tmp_path: Path) -> None:
    client = host_of(_app(reader, tmp_path, WebParams(photos_max_bytes=40_000)))
    for n in range(3):
        send(client, (f"{n}.jpg", photo_bytes() + bytes(15_000)))
        rows(client)
    assert "0.jpg" not in rows(client)
    assert "2.jpg" in rows(client)


def _app(reader: DrawnReader, folder: Path, params: WebParams) -> Flask:
    return create_app(Path("none"), reader=reader, params=params, folder=folder, pin=PIN)
