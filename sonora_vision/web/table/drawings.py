"""The board's pictures: drawn when they are first asked for, kept while they are looked at."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field, replace
from typing import cast

import cv2
from flask import Response, current_app
from flask.blueprints import BlueprintSetupState

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate import Rectified, draw_board
from sonora_vision.observation import Disc, Reading
from sonora_vision.table.discs import Tabletop
from sonora_vision.table.game import Round
from sonora_vision.web.drawn import Drawn
from sonora_vision.web.table.remembered import remembered
from sonora_vision.web.wording import terms

WIDTHS_PX = {"phone": 720, "screen": 1080}
"""Twice 360 px for a phone; half of a TV's width."""
_QUALITY = 78
_BOARDS_BYTES = 6_000_000
"""Some forty pictures: the last rounds, in two sizes."""
FOREVER = "private, max-age=86400, immutable"
"""A picture never changes under its version."""


@dataclass(frozen=True, kw_only=True)
class Drawings:
    """What the screens of one application share."""

    boards: Drawn
    reading: threading.Lock = field(default_factory=threading.Lock)
    """Held while a round's photograph is read, so that two taps do not read it twice."""


def keep_drawings(state: BlueprintSetupState) -> None:
    """Give an application its drawings."""
    made = Drawings(boards=Drawn(max_bytes=_BOARDS_BYTES))
    state.app.extensions.setdefault("sonora_drawings", made)


def drawings() -> Drawings:
    """Return the application's drawings."""
    return cast(Drawings, current_app.extensions["sonora_drawings"])


def as_it_counts(round_: Round) -> Reading | None:
    """Return a round's reading with every disc as it counts now; None before it is read."""
    if round_.reading is None or round_.table is None:
        return None
    return replace(round_.reading, discs=_lying(round_.table))


def version(round_: Round) -> str:
    """Return what a round's picture shows, as a short mark that changes with it."""
    return _version(round_.picture, round_.table)


@remembered
def _version(picture: str | None, table: Tabletop | None) -> str:
    shown = repr((picture, None if table is None else _lying(table)))
    return hashlib.blake2b(shown.encode(), digest_size=6).hexdigest()


def board_jpeg(rectified: Rectified, board: BoardSpec, reading: Reading, width_px: int) -> bytes:
    """Return the annotated board, its words in the visitor's language."""
    names = terms.picture_names(board)
    drawn = draw_board(rectified, board, reading, brief=True, names=names)
    height_px = round(drawn.shape[0] * width_px / drawn.shape[1])
    small = cv2.resize(drawn, (width_px, height_px), interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return encoded.tobytes()


def jpeg(encoded: bytes, *, forever: bool) -> Response:
    """Send a picture."""
    response = Response(encoded, mimetype="image/jpeg")
    response.headers["Cache-Control"] = FOREVER if forever else "no-store"
    return response


def _lying(table: Tabletop) -> tuple[Disc, ...]:
    return tuple(place.now for place in table.places if place is not None)
