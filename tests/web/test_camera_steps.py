"""A folder that plays the camera shows its next photo when the host asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.camera.folder import PhotoFolder
from sonora_vision.table.events import Made, Player
from sonora_vision.web import Seen, create_app
from sonora_vision.web.live.watched import CameraLive
from sonora_vision.web.table.light import Light
from tests.web.shown import ONE, TWO
from tests.web.table import DrawnReader
from tests.web.test_camera_live import eventually
from tests.web.visit import PIN, host_of, visitor


class KnowsBoth(DrawnReader):
    """Tells the two photos apart by their pixels."""

    def read(self, pixels_bgr: Pixels, image_name: str) -> Seen:
        table = min((ONE, TWO), key=lambda t: int(np.abs(t.draw().astype(int) - pixels_bgr).sum()))
        seen = super().read(pixels_bgr, image_name)
        return replace(seen, reading=replace(table.read(), image=image_name))


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Flask]:
    """A table whose camera is a folder of two photos that waits for the host."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for index, table in enumerate((ONE, TWO)):
        cv2.imwrite(str(folder / f"{index}.png"), table.draw())

    def open_folder() -> PhotoFolder:
        return PhotoFolder(folder, hold_s=float("inf"), rate_hz=30.0, real_time=True)

    app = create_app(
        tmp_path / "none",
        folder=tmp_path / "table",
        pin=PIN,
        reader=KnowsBoth(),
        open_camera=lambda reader, tell: CameraLive(open_folder, reader.read_first, tell),
    )
    yield app
    app.extensions["sonora_table"].live.close()


def new_game(app: Flask) -> str:
    board = app.extensions["sonora_table"].board
    made = Made(
        name="night",
        board=board.name,
        colors=board.discs.colors,
        numbers=board.discs.numbers,
        players=(Player(color="red", name="Ana", seat=0), Player(color="blue", name="Ben", seat=1)),
        first="red",
        rounds=1,
    )
    game_id: str = app.extensions["sonora_table"].tables.make(made)
    return game_id


def test_a_game_begins_with_its_codes_where_the_camera_takes_their_place(playing: Flask) -> None:
    host = host_of(playing)
    begun = host.post("/games", data={"color0": "red", "color1": "blue", "rounds": "1"})
    assert begun.location is not None
    assert begun.location.endswith("/codes")
    page = host.get(begun.location).text
    assert "seats/red.svg" in page
    assert "seats/blue.svg" in page


def test_a_board_that_cannot_be_read_now_is_not_said_to_lie_so(
    playing: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = f"/games/{new_game(playing)}/table"
    live = playing.extensions["sonora_table"].live
    eventually(lambda: live.latest is not None)
    host = host_of(playing)
    for color, told in (("green", "As it lies now"), ("red", "As it lay when it was last read")):
        shown = Light(color=color, words="", reason="")  # type: ignore[arg-type]
        monkeypatch.setattr("sonora_vision.web.table.screen.light", lambda _, it=shown: it)
        assert told in host.get(at).text


def test_the_host_steps_on_and_the_table_is_read_anew(playing: Flask) -> None:
    game_id = new_game(playing)
    live = playing.extensions["sonora_table"].live
    eventually(lambda: live.latest is not None)
    assert live.latest.reading.image == "0.png"
    answer = host_of(playing).post(f"/games/{game_id}/camera/next")
    assert (answer.status_code, answer.location) == (303, f"/games/{game_id}/table")
    eventually(lambda: live.latest.reading.image == "1.png")
    assert len(live.latest.reading.discs) == 2


def test_a_player_does_not(playing: Flask) -> None:
    game_id = new_game(playing)
    game = playing.extensions["sonora_table"].tables.game(game_id)
    code = playing.extensions["sonora_access"].seat_code(game_id, game, "red")
    player = visitor(playing)
    assert player.get(f"/join/{code}").status_code == 303
    assert player.post(f"/games/{game_id}/camera/next").status_code == 403


def test_a_table_without_a_folder_has_no_next_photo(app: Flask) -> None:
    game_id = new_game(app)
    answer = host_of(app).post(f"/games/{game_id}/camera/next")
    assert answer.status_code == 409
    assert "no folder of photos" in answer.text
