"""What a page weighs with all that belongs to it, over a board that looks like a photograph."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate import Rectified
from sonora_vision.web import Seen, WebParams, create_app
from sonora_vision.web.params import Rate
from tests.web.evening import read_game
from tests.web.served import code_of
from tests.web.table import DrawnReader, drawn_reading
from tests.web.visit import PIN, host_of, visitor

LIMIT_BYTES = 300_000
PHOTO = Path(__file__).parents[2] / "sample_images/mesa/photos/003.jpg"
OFTEN = Rate(at_once=1e9, a_second=1e9)
_LINK = re.compile(r'<(?:img|image|source|script|link)[^>]*?\s(?:src|srcset|href)="(/[^"]+)"')


class PhotographedReader(DrawnReader):
    """Sees the drawn discs on a board of wood, print and light, as large as a real one's."""

    def read(self, pixels_bgr: Pixels, image_name: str) -> Seen:
        photo = cv2.imread(str(PHOTO))
        assert photo is not None
        side = min(photo.shape[:2])
        square = cv2.resize(photo[:side, :side], (1240, 1240), interpolation=cv2.INTER_AREA)
        rectified = Rectified(
            bgr=np.asarray(square, np.uint8), px_per_mm=10.0, origin_mm=(-12.0, -12.0)
        )
        return Seen(reading=drawn_reading(image_name), rectified=rectified)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    params = WebParams(stranger_rate=OFTEN, read_rate=OFTEN)
    return create_app(
        Path("none"), reader=PhotographedReader(), folder=tmp_path, pin=PIN, params=params
    )


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/host",
        "/games",
        "/games/new",
        "/games/{}/setup",
        "/games/{}/codes",
        "/games/{}/table",
        "/games/{}/repair",
        "/games/{}/rounds/1",
        "/photos",
        "/nowhere",
    ],
)
def test_a_page_of_the_host_is_light(app: Flask, path: str) -> None:
    client = visitor(app) if path == "/" else host_of(app)
    assert weight(client, path.format(read_game(app))) < LIMIT_BYTES


@pytest.mark.parametrize("name", ["me", "table", "repair", "rounds/1"])
def test_a_page_of_a_phone_is_light(app: Flask, name: str) -> None:
    game_id = read_game(app)
    client = visitor(app)
    client.get(f"/join/{code_of(app, game_id, 'red')}")
    total = weight(client, f"/games/{game_id}/{name}")
    assert total < LIMIT_BYTES
    if name == "me":
        assert total > 20_000  # its pictures were counted


def weight(client: FlaskClient, path: str) -> int:
    """Bytes of a page and of everything that it names; of pictures in two sizes, the larger."""
    page = client.get(path, follow_redirects=True)
    total, seen = len(page.data), set()
    for found in _LINK.findall(page.text):
        link = html.unescape(found)
        if link in seen or urlsplit(link).path.endswith(("board-phone.jpg", "board-brief.jpg")):
            continue  # in place of it a wide screen loads the larger one, which is counted
        seen.add(link)
        answer = client.get(link, buffered=True)
        assert answer.status_code == 200, link
        total += len(answer.data)
    return total
