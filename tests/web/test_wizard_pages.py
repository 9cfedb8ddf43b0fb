"""The wizard's pages without a browser: wrong pictures are named, and nothing is lost by them."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from sonora_vision.calibrate.board_spec import load_board
from sonora_vision.calibrate.profile import load_profile
from sonora_vision.calibrate.wizard.draft import Draft
from sonora_vision.camera.folder import PhotoFolder
from sonora_vision.web.params import WebParams
from sonora_vision.web.wizard.app import create_wizard_app
from sonora_vision.web.wizard.history import MAX_PICTURES, History, Moment, Picture
from sonora_vision.web.wizard.session import WizardSession
from tests.calibrate.drafted import perfect_draft
from tests.web.table import photo_bytes, png_that_claims
from tests.web.visit import words

STEPS = ("camera", "lens", "board", "discs", "check")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the profile goes; an old one is there."""
    path = tmp_path / "table.profile"
    path.write_bytes(b"the old profile")
    return path


@pytest.fixture
def app(out: Path) -> Iterator[Flask]:
    app = create_wizard_app(out, params=WebParams(upload_max_bytes=5_000_000))
    yield app
    app.extensions["sonora_vision_wizard"].close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def session(app: Flask) -> WizardSession:
    found = app.extensions["sonora_vision_wizard"]
    assert isinstance(found, WizardSession)
    return found


def send(client: FlaskClient, step: str, raw: bytes, name: str, **form: str) -> str:
    """Post a picture and return the words of the page that follows."""
    answer: TestResponse = client.post(
        f"/calibrate/{step}", data={"file": (io.BytesIO(raw), name), **form}, follow_redirects=True
    )
    assert answer.status_code == 200
    _close_inputs(answer)
    return words(answer.text)


def _close_inputs(answer: TestResponse) -> None:
    """Close the files in which the test's client keeps large forms."""
    for each in (*answer.history, answer):
        each.request.environ["wsgi.input"].close()


@pytest.fixture
def board_taken(client: FlaskClient, sample_rig: Path) -> FlaskClient:
    send(client, "board", (sample_rig / "teach" / "empty.jpg").read_bytes(), "empty.jpg")
    client.post("/calibrate/board/edit", json={"do": "set_length", "mm": 400})
    return client


@pytest.mark.parametrize("step", STEPS)
def test_every_step_opens_at_any_time(client: FlaskClient, step: str) -> None:
    answer = client.get(f"/calibrate/{step}")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert 'aria-current="step"' in answer.text


def test_the_target_comes_as_a_pdf(client: FlaskClient) -> None:
    answer = client.get("/calibrate/target-A4.pdf")
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "the file is empty"),
        (b"\0\0\0\x18ftypheic" + bytes(64), "export it as JPEG"),
        (b"GIF89a", "expected a JPEG or PNG photograph"),
        (photo_bytes(size=(900, 1200))[:-200], "the JPEG is cut short"),
        (png_that_claims(30000, 30000), "expected at most 50 megapixels"),
        (png_that_claims(40, 3000), "is no photograph of a board"),
    ],
)
@pytest.mark.parametrize("step", ["camera", "lens", "board"])
def test_what_is_no_picture_is_named(
    client: FlaskClient, session: WizardSession, step: str, raw: bytes, reason: str
) -> None:
    shown = send(client, step, raw, "../odd.jpg")
    assert "odd.jpg: " in shown
    assert reason in shown
    assert session.draft.empty_picture is None
    assert session.views == []


def test_wrong_pictures_of_the_target_do_not_disturb_good_ones(
    client: FlaskClient, session: WizardSession, sample_rig: Path
) -> None:
    good = [(sample_rig / "lens" / f"0{i}.jpg").read_bytes() for i in (0, 1)]
    files = [
        (io.BytesIO(good[0]), "a.jpg"),
        (io.BytesIO(good[0]), "again.jpg"),
        (io.BytesIO((sample_rig / "teach" / "empty.jpg").read_bytes()), "board.jpg"),
        (io.BytesIO(good[1]), "b.jpg"),
    ]
    answer = client.post("/calibrate/lens", data={"file": files}, follow_redirects=True)
    _close_inputs(answer)
    shown = words(answer.text)
    assert "again.jpg: nearly the same view as a.jpg" in shown
    assert "board.jpg: the printed target is not in it" in shown
    assert "2 new views taken." in shown
    assert [view.name for view in session.views] == ["a.jpg", "b.jpg"]
    assert sorted(p.name for p in (session.folder / "lens").iterdir()) == ["00.jpg", "01.jpg"]


def turned(path: Path) -> bytes:
    """The same picture, upright instead of across."""
    pixels = cv2.rotate(cv2.imread(str(path)), cv2.ROTATE_90_CLOCKWISE)
    return cv2.imencode(".jpg", pixels)[1].tobytes()


def test_pictures_are_taken_like_those_before_them(
    client: FlaskClient, session: WizardSession, sample_rig: Path
) -> None:
    view, empty, discs = (
        sample_rig / name for name in ("lens/00.jpg", "teach/empty.jpg", "teach/discs.jpg")
    )
    send(client, "lens", view.read_bytes(), "view.jpg")
    for step in ("camera", "board"):
        shown = send(client, step, turned(empty), "upright.jpg")
        assert "upright.jpg: is 1232 x 1640, but a picture of the target is 1640 x 1232" in shown
    session.skip_lens()
    send(client, "board", empty.read_bytes(), "empty.jpg")
    client.post("/calibrate/board/edit", json={"do": "set_length", "mm": 400})
    told = "upright.jpg: is 1232 x 1640, but the picture of the empty board is 1640 x 1232"
    assert told in send(client, "discs", turned(discs), "upright.jpg", height="6")
    assert told in send(client, "lens", turned(view), "upright.jpg")
    assert session.views == []
    assert opened(client) == [200] * len(STEPS)


def test_a_dark_picture_of_the_board_is_refused(
    client: FlaskClient, session: WizardSession
) -> None:
    dark = cv2.imencode(".png", np.full((900, 1200, 3), 9, np.uint8))[1].tobytes()
    assert "night.png: blurred" in send(client, "board", dark, "night.png")
    assert session.draft.empty_picture is None


def gray(path: Path) -> bytes:
    return cv2.imencode(".jpg", cv2.imread(str(path), cv2.IMREAD_GRAYSCALE))[1].tobytes()


def test_pictures_without_colors_are_refused_as_they_are_in_play(
    board_taken: FlaskClient, session: WizardSession, sample_rig: Path
) -> None:
    before = session.draft
    for step, name in (("board", "empty"), ("discs", "discs")):
        raw = gray(sample_rig / "teach" / f"{name}.jpg")
        shown = send(board_taken, step, raw, "night.jpg", height="6")
        assert "night.jpg: grey-scale: switch the camera" in shown
    assert session.draft == before


def test_the_board_comes_before_the_discs(client: FlaskClient) -> None:
    shown = send(client, "discs", photo_bytes(), "discs.jpg", height="6")
    assert "board: send the picture of the empty board first" in shown


def test_after_the_board_a_wrong_picture_loses_no_answer(
    board_taken: FlaskClient, session: WizardSession, sample_rig: Path
) -> None:
    before = session.draft
    view = (sample_rig / "lens" / "00.jpg").read_bytes()
    assert "target.jpg: " in send(board_taken, "discs", view, "target.jpg", height="6")
    assert "a disc's height: expected 1 to 40 mm" in words(
        send(board_taken, "discs", view, "target.jpg", height="tall").replace("&#39;", "'")
    )
    empty = (sample_rig / "teach" / "empty.jpg").read_bytes()
    assert "no disc was found" in send(board_taken, "discs", empty, "empty.jpg", height="6")
    assert "profile: make it first" in send(board_taken, "check", view, "target.jpg")
    assert session.draft == before


def test_a_wrong_edit_is_refused_and_an_edit_can_be_undone(
    board_taken: FlaskClient, session: WizardSession
) -> None:
    before = session.draft
    for edit, reason in (
        ({"do": "fly"}, "do: expected one of"),
        ({"do": "set_length", "mm": -1}, "expected 50 to 3000 mm"),
        (["do"], "expected a JSON object"),
    ):
        answer = board_taken.post("/calibrate/board/edit", json=edit)
        assert answer.status_code == 422
        assert reason in answer.get_json()["error"]
        assert session.draft == before
    board_taken.post("/calibrate/board/edit", json={"do": "delete_circle", "index": 0})
    assert session.draft != before
    shown = board_taken.post("/calibrate/board/edit", json={"do": "undo"}).get_json()
    assert session.draft == before
    assert shown["sides_mm"][1] == pytest.approx(400, abs=0.5)


def test_whatever_is_drawn_every_page_opens(
    board_taken: FlaskClient, session: WizardSession
) -> None:
    before = session.draft
    corners = {"do": "set_corners", "points": [[400, 300]] * 4}
    answer = board_taken.post("/calibrate/board/edit", json=corners)
    assert answer.status_code == 422
    assert "two corners lie on each other" in answer.get_json()["error"]
    assert session.draft == before
    crossing = [[100, 100], [900, 900], [900, 100], [100, 900]]
    border = {"do": "add_border", "points": crossing, "snap": True}
    assert board_taken.post("/calibrate/board/edit", json=border).status_code == 200
    assert opened(board_taken) == [200] * len(STEPS)
    no_outline = replace(session.draft.board, corners_px=())
    session.draft = replace(session.draft, board=no_outline, discs_picture="discs.jpg")
    assert opened(board_taken) == [200] * len(STEPS)


def opened(client: FlaskClient) -> list[int]:
    """The status of every step's page."""
    return [client.get(f"/calibrate/{step}").status_code for step in STEPS]


def test_a_wrong_picture_is_taken_back_with_all_answers(
    board_taken: FlaskClient, session: WizardSession, sample_rig: Path
) -> None:
    def undo(step: str) -> None:
        answer = board_taken.post(f"/calibrate/{step}/edit", json={"do": "undo"})
        assert answer.status_code == 200

    label = {"do": "label_area", "at": [800, 300], "section": "ruins"}
    assert board_taken.post("/calibrate/board/edit", json=label).status_code == 200
    named, right = session.draft, (sample_rig / "teach" / "empty.jpg").read_bytes()
    wrong = (sample_rig / "photos" / "002.jpg").read_bytes()
    shown = send(board_taken, "board", wrong, "oops.jpg")
    assert "Undo brings the picture before back" in shown
    assert session.draft.board.labels == ()
    undo("board")
    assert session.draft == named
    assert (session.folder / "teach" / "empty.jpg").read_bytes() == right

    discs = (sample_rig / "teach" / "discs.jpg").read_bytes()
    assert "Undo brings" not in send(board_taken, "discs", discs, "discs.jpg", height="6")
    given = session.draft
    assert "Undo brings" in send(board_taken, "discs", wrong, "oops.jpg", height="5")
    picture = board_taken.get("/calibrate/picture/discs").data
    undo("discs")
    assert session.draft == given
    assert board_taken.get("/calibrate/picture/discs").data != picture
    assert (session.folder / "teach" / "discs.jpg").read_bytes() == discs
    assert len(list((session.folder / "teach").iterdir())) == 2


def test_pictures_that_can_be_brought_back_are_few() -> None:
    """Each is tens of megabytes: a board that is sent again and again must not fill the memory."""
    history = History()
    for name in range(20):
        picture = Picture(raw=bytes([name]), pixels=np.zeros((2, 2, 3), np.uint8))
        for _ in range(3):
            history.add(Moment(draft=Draft(), pictures={"empty": picture}))
    assert len(history) == 3 * MAX_PICTURES
    assert history.last().pictures["empty"].raw == bytes([19])


def test_a_corrected_length_corrects_the_discs_diameter_unless_it_was_typed(
    board_taken: FlaskClient, session: WizardSession, sample_rig: Path
) -> None:
    def edit(step: str, **values: object) -> dict[str, Any]:
        answer = board_taken.post(f"/calibrate/{step}/edit", json=values)
        assert answer.status_code == 200
        shown = answer.get_json()
        assert isinstance(shown, dict)
        return shown

    edit("board", do="set_length", mm=200)
    raw = (sample_rig / "teach" / "discs.jpg").read_bytes()
    send(board_taken, "discs", raw, "discs.jpg", height="6")
    shown = edit("discs", do="set_sizes", height=6)
    edit("board", do="set_length", mm=400)
    again = edit("discs", do="set_sizes", height=6)
    true_mm = 2 * load_board(sample_rig / "board.json").discs.radius_mm
    assert again["diameter_mm"] == pytest.approx(true_mm, abs=0.3)
    assert again["radius_px"] == pytest.approx(shown["radius_px"], abs=0.2)
    edit("discs", do="set_sizes", height=6, diameter=25)
    edit("board", do="set_length", mm=300)
    assert edit("discs", do="set_sizes", height=6)["diameter_mm"] == 25


def test_making_the_profile_too_early_says_what_is_missing(
    client: FlaskClient, session: WizardSession, out: Path
) -> None:
    for use in ("/calibrate/check/make", "/calibrate/use"):
        shown = words(client.post(use, follow_redirects=True).text)
        assert "discs: type how high a disc is" in shown or "profile: make it first" in shown
    assert out.read_bytes() == b"the old profile"


def test_what_is_missing_is_listed_with_where_to_give_it(board_taken: FlaskClient) -> None:
    page = board_taken.get("/calibrate/check").text
    assert "Make the profile" not in page
    for step, missing in (("lens", "lens: show the target"), ("discs", "discs: type how high")):
        assert f'<a href="/calibrate/{step}">{missing}' in page
    assert '<a href="/calibrate/board">circles: a circle has no section' in page


def test_a_photo_of_play_is_read_and_shown_before_the_profile_is_used(
    client: FlaskClient, session: WizardSession, sample_rig: Path, sample_profile: Path, out: Path
) -> None:
    session.profile = load_profile(sample_profile)
    assert client.get("/calibrate/picture/read").status_code == 404
    photo = (sample_rig / "photos" / "002.jpg").read_bytes()
    shown = send(client, "check/read", photo, "play.jpg")
    assert "play.jpg: 19 discs seen" in shown
    picture = client.get("/calibrate/picture/read")
    assert picture.mimetype == "image/jpeg"
    assert picture.data[:2] == b"\xff\xd8"
    view = (sample_rig / "lens" / "00.jpg").read_bytes()
    assert "target.jpg" in send(client, "check/read", view, "target.jpg")
    assert out.read_bytes() == b"the old profile"


def test_a_profile_goes_from_one_computer_to_another_as_one_file(
    client: FlaskClient, session: WizardSession, sample_profile: Path, out: Path
) -> None:
    whole = sample_profile.read_bytes()
    for raw, reason in ((whole[:-900], "not a whole profile"), (b"", "not a whole profile")):
        answer = client.post(
            "/calibrate/import",
            data={"file": (io.BytesIO(raw), "theirs.profile")},
            follow_redirects=True,
        )
        _close_inputs(answer)
        assert f"theirs.profile: {reason}" in words(answer.text)
        assert str(session.folder) not in answer.text
        assert out.read_bytes() == b"the old profile"
    answer = client.post("/calibrate/import", data={"file": (io.BytesIO(whole), "theirs.profile")})
    _close_inputs(answer)
    assert "The profile is saved" in answer.text
    assert out.read_bytes() == whole
    assert client.get("/calibrate/saved.profile").data == whole


def test_sections_are_named_as_games_know_them(
    board_taken: FlaskClient, session: WizardSession
) -> None:
    edit = {"do": "label_area", "at": [800, 300], "section": " Mudcracks "}
    board_taken.post("/calibrate/board/edit", json=edit)
    assert session.draft.board.labels[0].section == "mudcracks"


def test_cancel_forgets_the_answers_and_keeps_the_old_profile(
    client: FlaskClient, session: WizardSession, out: Path
) -> None:
    session.draft = perfect_draft()
    folder = session.folder
    shown = words(client.post("/calibrate/cancel", follow_redirects=True).text)
    assert "A profile that was there before is as it was." in shown
    assert session.draft.empty_picture is None
    assert not folder.exists()
    assert out.read_bytes() == b"the old profile"


def test_another_site_cannot_post(client: FlaskClient, session: WizardSession) -> None:
    session.draft = perfect_draft()
    answer = client.post("/calibrate/cancel", headers={"Origin": "http://elsewhere.example"})
    assert answer.status_code == 403
    assert session.draft == perfect_draft()


def test_a_picture_that_is_too_large_is_refused(client: FlaskClient) -> None:
    answer = client.post(
        "/calibrate/camera", data={"file": (io.BytesIO(b"\xff\xd8" + bytes(6_000_000)), "big.jpg")}
    )
    _close_inputs(answer)
    assert answer.status_code == 413
    assert "too large" in answer.text


def test_a_camera_shows_its_picture_and_takes_the_target_by_itself(
    out: Path, tmp_path: Path, sample_rig: Path
) -> None:
    folder = tmp_path / "camera"
    folder.mkdir()
    (folder / "view.jpg").write_bytes((sample_rig / "lens" / "00.jpg").read_bytes())
    app = create_wizard_app(out, camera=PhotoFolder(folder))
    client = app.test_client()
    found: WizardSession = app.extensions["sonora_vision_wizard"]
    try:
        deadline = time.monotonic() + 20
        while client.get("/calibrate/live.jpg").status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        status = client.get("/calibrate/live.json").get_json()
        assert {check["name"] for check in status["checks"]} >= {"sharpness", "exposure", "board"}
        told = [client.get("/calibrate/live.json?collect=lens").get_json() for _ in range(3)]
        assert told[0]["words"] == "hold it still"
        assert told[1]["taken"]
        assert "nearly the same view" in told[2]["words"]
        assert len(found.views) == 1
        client.set_cookie("language", "es")
        status = client.get("/calibrate/live.json").get_json()
        assert {check["name"] for check in status["checks"]} >= {"nitidez", "exposición", "tablero"}
        told = client.get("/calibrate/live.json?collect=lens").get_json()
        assert "casi la misma vista que" in told["words"]
    finally:
        found.close()


def test_a_whole_session_is_a_rig_for_the_command_line(
    board_taken: FlaskClient, session: WizardSession
) -> None:
    """What is packed is what was answered: the folder that `calibrate` reads."""
    session.skip_lens()
    session.draft = perfect_draft()
    answer = board_taken.get("/calibrate/rig.zip")
    names = set(zipfile.ZipFile(io.BytesIO(answer.data)).namelist())
    assert {"rig/board.json", "rig/teach/answers.json", "rig/lens/skipped.json"} <= names
