"""Players join: one code a seat, to be scanned from the table's screen."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, abort, render_template, url_for

from sonora_vision.table.game import Game
from sonora_vision.web.door.access import access, require_host
from sonora_vision.web.server import server
from sonora_vision.web.serving.addresses import phone_url
from sonora_vision.web.table.people import people

join = Blueprint("join", __name__)

_SCALE = 8


@join.get("/games/<game_id>/codes")
def codes(game_id: str) -> str:
    """Show every seat's code."""
    require_host()
    game = server().tables.game(game_id)
    return render_template(
        "table/codes.html",
        game_id=game_id,
        game=game,
        people=people(game, server().board),
        links={color: seat_address(game_id, game, color) for color in game.playing},
        near=_is_here(phone_url()),
    )


@join.get("/games/<game_id>/seats/<color>.svg")
def seat_code(game_id: str, color: str) -> Response:
    """Send a seat's code as a picture; whoever scans it sits there, so the host alone shows it."""
    require_host()
    game = server().tables.game(game_id)
    if color not in game.playing:
        abort(404)
    out = io.BytesIO()
    segno.make(seat_address(game_id, game, color), error="m").save(
        out, kind="svg", scale=_SCALE, border=4, light="#ffffff", dark="#000000", xmldecl=False
    )
    return Response(out.getvalue(), mimetype="image/svg+xml")


def seat_address(game_id: str, game: Game, color: str) -> str:
    """Return the address that lets a phone sit down."""
    code = access().seat_code(game_id, game, color)
    return phone_url().rstrip("/") + url_for("welcome.join", code=code)


def _is_here(address: str) -> bool:
    """Whether an address leads no further than this machine."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")
