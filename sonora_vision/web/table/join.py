"""Players join: one code a seat, to be scanned from the table's screen."""

from __future__ import annotations

import io
import socket
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, abort, current_app, render_template, request, url_for

from sonora_vision.table.game import Game
from sonora_vision.web.access import access, require_host
from sonora_vision.web.server import server
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
        near=_is_here(base_address()),
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
    return base_address() + url_for("welcome.join", code=code)


def base_address() -> str:
    """Return the address of this server as phones reach it."""
    here = request.host_url.rstrip("/")
    if not _is_here(here):
        return here
    public = current_app.config.get("PUBLIC_URL")
    if public:
        return str(public).rstrip("/")
    address, port = _own_address(), urlsplit(here).port
    return here if address is None else f"http://{address}" + (f":{port}" if port else "")


def _is_here(address: str) -> bool:
    """Whether an address leads no further than this machine."""
    host = urlsplit(address).hostname or ""
    return host == "localhost" or host == "::1" or host.startswith("127.")


def _own_address() -> str | None:
    """Return the address that this machine has in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # kept for documents (RFC 5737): it is nobody's
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address
