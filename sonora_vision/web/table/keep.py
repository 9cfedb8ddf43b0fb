"""A game as one file, to be kept or carried to another table; and gone for good."""

from __future__ import annotations

from flask import Blueprint, Response, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.errors import SonoraError
from sonora_vision.web.door.access import require_host
from sonora_vision.web.door.refusals import told
from sonora_vision.web.server import server
from sonora_vision.web.wording.language import gettext

keep = Blueprint("keep", __name__)


@keep.get("/games/<game_id>/export")
def export(game_id: str) -> Response:
    """Send a game as one file."""
    require_host()
    response = Response(server().tables.export(game_id), mimetype="application/zip")
    response.headers.set(
        "Content-Disposition", "attachment", filename=f"{_file_name(game_id)}.sonora.zip"
    )
    return response


@keep.post("/games/import")
def bring() -> BaseResponse:
    """Take a game from a file."""
    require_host()
    upload = request.files.get("file")
    if upload is None or not upload.filename:
        abort(400, gettext("No file came with the form. Choose one."))
    try:
        game_id = server().tables.import_(upload.read())
    except SonoraError as error:
        flash(told(error), "bad")
        return redirect(url_for("games.index"), 303)
    return redirect(url_for("screen.table", game_id=game_id), 303)


@keep.post("/games/<game_id>/delete")
def delete(game_id: str) -> BaseResponse:
    """Delete a game for good."""
    require_host()
    server().tables.delete(game_id)
    return redirect(url_for("games.index"), 303)


def _file_name(game_id: str) -> str:
    """Return a game's name as far as it may stand in a file's name anywhere."""
    letters = (
        c if c.isascii() and c.isalnum() else "-" for c in server().tables.game(game_id).name
    )
    return "-".join(part for part in "".join(letters).split("-") if part) or "game"
