"""A game whose first round was read from the drawn table."""

from __future__ import annotations

import cv2
import numpy as np
from flask import Flask

from sonora_vision.reading_file import reading_to_json
from sonora_vision.table.events import HOST, Recorded
from tests.web.served import begin_game, table_of
from tests.web.table import photo_bytes


def read_game(app: Flask, *colors: str) -> str:
    """A game that is being settled: red and blue play, if nothing else is said."""
    game_id = begin_game(app, *colors)
    record(app, game_id)
    return game_id


def record(app: Flask, game_id: str) -> None:
    """Let the host read the round."""
    table = table_of(app)
    raw = np.frombuffer(photo_bytes(size=(400, 400)), np.uint8)
    pixels = np.asarray(cv2.imdecode(raw, cv2.IMREAD_COLOR), np.uint8)
    seen = table.reader.read(pixels, "round.jpg")
    key = table.pictures.keep(pixels, seen.rectified, seen.reading)
    reading = reading_to_json(seen.reading)
    table.tables.act(game_id, HOST, Recorded(picture=key, reading=reading))
