"""A page on which somebody clicks points of the board and a disc of each color on a photograph."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import cv2
import shapely
from flask import Blueprint, Flask, Response, current_app, jsonify, render_template
from werkzeug.exceptions import HTTPException

from sonora_vision.calibrate.board_spec import BoardSpec, Zone, load_board
from sonora_vision.calibrate.clicks import LEAST_LANDMARKS, clicks_from_json, clicks_to_json
from sonora_vision.calibrate.file_format import json_text, write_text_atomically
from sonora_vision.calibrate.one_photo import exif_focal, place_board
from sonora_vision.calibrate.photo import Pixels, decode_photo
from sonora_vision.errors import SonoraError, UnreadableError
from sonora_vision.geometry import CircleShape, PolygonShape
from sonora_vision.observation import Point
from sonora_vision.web.door.guard import guard_alone
from sonora_vision.web.door.refusals import told
from sonora_vision.web.forms import sent_object
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext, lazy_gettext
from sonora_vision.web.wording.language import init as speak

clicks = Blueprint("clicks", __name__)

_REQUEST_BYTES = 64_000
_JPEG_QUALITY = 92
_SIDES = {
    (0, 0): lazy_gettext("the board's top left corner"),
    (1, 0): lazy_gettext("the board's top right corner"),
    (1, 1): lazy_gettext("the board's bottom right corner"),
    (0, 1): lazy_gettext("the board's bottom left corner"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Clicking:
    """What the page is about."""

    photo: Path
    pixels_bgr: Pixels
    focal: float | None
    board: BoardSpec
    out: Path


@dataclass(frozen=True, kw_only=True)
class Target:
    """One thing to click."""

    words: str
    mm: Point | None = None
    """Where it is on the board; None for a disc."""
    color: str | None = None


def create_clicks_app(photo: Path, board_path: Path, out: Path) -> Flask:
    """Make the application that clicks one photograph.

    Parameters
    ----------
    photo, board_path : Path
        The photograph, and the description of the board on it.
    out : Path
        Where the clicks are saved.

    Raises
    ------
    FileFormatError
        If the board description is wrong.
    UnreadableError
        If the photograph cannot be opened.
    """
    board = load_board(board_path)
    try:
        raw = photo.read_bytes()
    except OSError as error:
        raise UnreadableError(
            f"{photo}: cannot be opened ({error.strerror}); check the name"
        ) from None
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = _REQUEST_BYTES
    app.extensions["sonora_vision_clicks"] = Clicking(
        photo=photo,
        pixels_bgr=decode_photo(raw, str(photo)),
        focal=exif_focal(raw),
        board=board,
        out=out,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    speak(app)
    app.register_blueprint(clicks)
    guard_alone(app)
    app.register_error_handler(HTTPException, _say)
    return app


def targets(board: BoardSpec) -> list[Target]:
    """List what can be clicked: the outline's corners, the hole, multipliers, a disc a color."""
    found = [
        Target(words=_corner_words(board, index), mm=corner)
        for index, corner in enumerate(board.outline_mm)
    ]
    if board.hole is not None:
        found.append(Target(words=gettext("the hole's middle"), mm=board.hole.center_mm))
    found += [
        Target(
            words=gettext("the %(animal)s circle's middle", animal=terms.animal(each.animal)),
            mm=each.center_mm,
        )
        for each in board.multipliers
    ]
    return found + [
        Target(words=gettext("a %(color)s disc, lying flat", color=terms.color(color)), color=color)
        for color in board.discs.colors
    ]


def _corner_words(board: BoardSpec, index: int) -> str:
    count = len(board.outline_mm)
    if count == len(_SIDES):
        x, y = zip(*board.outline_mm, strict=True)
        corner = board.outline_mm[index]
        side = (
            int(corner[0] > (min(x) + max(x)) / 2),
            int(corner[1] > (min(y) + max(y)) / 2),
        )
        return str(_SIDES[side])
    return gettext("the board's corner %(number)s of %(count)s", number=index + 1, count=count)


def _shared() -> Clicking:
    return cast(Clicking, current_app.extensions["sonora_vision_clicks"])


@clicks.get("/")
def page() -> str:
    """Show the photograph and what to click."""
    shared = _shared()
    return render_template(
        "clicks.html",
        photo=shared.photo.name,
        size=shared.pixels_bgr.shape[1::-1],
        board=shared.board,
        zones=[_drawn(zone) for zone in shared.board.zones],
        words=_script_words(),
        box=_box(shared.board),
        targets=targets(shared.board),
        least=LEAST_LANDMARKS,
        out=shared.out.name,
    )


@clicks.get("/photo.jpg")
def picture() -> Response:
    """Send the photograph as it is clicked: turned as EXIF says, in full size."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
    _, encoded = cv2.imencode(".jpg", _shared().pixels_bgr, quality)
    return Response(encoded.tobytes(), mimetype="image/jpeg")


@clicks.post("/clicks")
def save() -> tuple[Response, int]:
    """Check the clicks, say how well they fit, and save them."""
    shared = _shared()
    values = sent_object()
    if values is None:
        return jsonify(words=gettext("expected the clicks as a JSON object")), 400
    try:
        made = clicks_from_json(values, shared.board, "clicks")
        placed = place_board(shared.pixels_bgr, made, shared.board, shared.focal)
        write_text_atomically(shared.out, json_text(clicks_to_json(made)))
    except SonoraError as error:
        return jsonify(words=told(error)), 422
    return jsonify(
        words=gettext(
            "Saved as %(file)s. The printed lines lie within %(mm)s mm of the description's.",
            file=shared.out.name,
            mm=f"{placed.line_sigma_mm:.2f}",
        )
    ), 200


def _script_words() -> dict[str, str]:
    """Return what the page's script says; values go where braces are."""
    return {
        "done": gettext("all is clicked; save"),
        "at": gettext("at {x}, {y}"),
        "passed": gettext("not in view"),
        "checking": gettext("Checking the clicks"),
        "silent": gettext("The program does not answer; is it still running?"),
    }


def _say(error: HTTPException) -> tuple[Response, int]:
    return jsonify(words=error.description or error.name), error.code or 500


def _drawn(zone: Zone) -> dict[str, object]:
    """Return a zone's outer edge for the little map, its name and where that is written."""
    shape = zone.shape
    if isinstance(shape, PolygonShape):
        x, y = shapely.Polygon(shape.points_mm).representative_point().coords[0]
        points = " ".join(f"{px:g},{py:g}" for px, py in shape.points_mm)
        return {"points": points, "name": terms.section(zone.section).lower(), "at": (x, y)}
    x, y = shape.center_mm
    if isinstance(shape, CircleShape):
        outer, up = shape.radius_mm, 0.5 * shape.radius_mm
    else:
        outer, up = shape.outer_mm, 0.5 * (shape.inner_mm + shape.outer_mm)
    return {
        "center": (x, y),
        "radius": outer,
        "name": terms.section(zone.section).lower(),
        "at": (x, y - up),
    }


def _box(board: BoardSpec) -> tuple[float, float, float, float]:
    """Left, top, width and height of the little map, with a margin for its marks."""
    x, y = zip(*board.outline_mm, strict=True)
    margin = 0.06 * max(max(x) - min(x), max(y) - min(y))
    left, top = min(x) - margin, min(y) - margin
    return left, top, max(x) + margin - left, max(y) + margin - top
