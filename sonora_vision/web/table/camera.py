"""The camera, as far as the host moves it: the next photo of a folder that plays a table."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, url_for
from werkzeug.wrappers import Response

from sonora_vision.web.door.access import require_host
from sonora_vision.web.server import server
from sonora_vision.web.wording.language import gettext

camera = Blueprint("camera", __name__)


@camera.post("/games/<game_id>/camera/next")
def next_photo(game_id: str) -> Response:
    """Show the next photo of the folder."""
    require_host()
    live = server().live
    if live is None or not live.can_step:
        abort(409, gettext("The camera shows what is there: it is no folder of photos."))
    live.next_photo()
    return redirect(url_for("screen.table", game_id=game_id), 303)
