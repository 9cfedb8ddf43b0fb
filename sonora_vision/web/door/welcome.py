"""The way in and out: the first page, the host's PIN, a player's code."""

from __future__ import annotations

import math
from urllib.parse import urlsplit

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, session
from werkzeug.exceptions import HTTPException, TooManyRequests
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.errors import UsageError
from sonora_vision.web.door.access import (
    PIN_DIGITS_MAX,
    PIN_DIGITS_MIN,
    access,
    require_host,
    sign_in_host,
    sit_down,
    who,
)
from sonora_vision.web.door.attempts import PinAttempts
from sonora_vision.web.live.hub import ALL
from sonora_vision.web.server import server
from sonora_vision.web.wording.language import gettext

welcome = Blueprint("welcome", __name__)


@welcome.get("/")
def home() -> BaseResponse | str:
    """Send everyone to where they belong, and ask who is there where nobody is known."""
    found = who()
    if found is None:
        return _ask(request.args.get("next"))
    if not found.host:
        return redirect(f"/games/{found.game_id}/me", 303)
    newest = server().tables.games()
    return redirect(f"/games/{newest[0].id}/table" if newest else "/games", 303)


@welcome.post("/host")
def sign_in() -> BaseResponse | tuple[str, int]:
    """Let the host in, if the PIN is right and not too many were wrong before."""
    if not _pin_is_right(request.form.get("pin", "")):
        mistake = gettext("That is not the table's PIN. Try again.")
        return _ask(request.form.get("next"), mistake), 403
    sign_in_host()
    return redirect(_way_on(request.form.get("next")) or "/", 303)


@welcome.get("/host")
def host() -> str:
    """Show the host what is theirs alone: another PIN, a program's token, the way out."""
    require_host()
    return render_template("host.html", digits_min=PIN_DIGITS_MIN, digits_max=PIN_DIGITS_MAX)


@welcome.post("/host/pin")
def change_pin() -> BaseResponse:
    """Take another PIN: every other browser and program of the host is signed out."""
    require_host()
    if not _pin_is_right(request.form.get("pin", "")):
        abort(403, gettext("That is not the PIN of before. Go back and try again."))
    try:
        access().change_pin(request.form.get("new_pin", "").strip())
    except UsageError as error:
        abort(422, str(error))
    sign_in_host()
    server().hub.tell(ALL, "access")
    flash(gettext("The PIN is changed. All other browsers of the host are signed out."), "good")
    return redirect("/host", 303)


@welcome.post("/host/token")
def make_token() -> str:
    """Show a token with which a program may act as the host; it is kept nowhere."""
    require_host()
    return render_template(
        "host.html",
        token=access().host_token(),
        digits_min=PIN_DIGITS_MIN,
        digits_max=PIN_DIGITS_MAX,
    )


@welcome.post("/leave")
def leave() -> BaseResponse:
    """Forget who this browser was."""
    session.clear()
    return redirect("/", 303)


@welcome.get("/join/<code>")
def join(code: str) -> BaseResponse:
    """Let a player sit down; the code goes no further than this address."""
    found = sit_down(code)
    if found is None:
        abort(
            403,
            gettext("This code opens no seat any more. Scan the one on the table's screen now."),
        )
    return redirect(f"/games/{found.game_id}/me", 303)


def _ask(next_page: str | None, mistake: str = "") -> str:
    """Ask who is there."""
    return render_template(
        "welcome.html",
        next=_way_on(next_page),
        digits_max=PIN_DIGITS_MAX,
        mistake=mistake,
        was_in="seat" in session or "host" in session,
    )


def _pin_is_right(given: str) -> bool:
    """Check a PIN; answers 429 while there are too many wrong ones."""
    attempts: PinAttempts = current_app.extensions["sonora_pin_attempts"]
    address = request.remote_addr or ""
    wait_s = math.ceil(attempts.wait_s(address))
    if wait_s:
        raise TooManyRequests(
            gettext("There were too many wrong PINs. Try again in %(wait)d s.", wait=wait_s),
            retry_after=wait_s,
        )
    right = access().is_pin(given.strip())
    attempts.note(address, right=right)
    return right


def _way_on(given: str | None) -> str | None:
    """Return a page of this application to go on to; never another site, nor what is no page."""
    parts = urlsplit(given or "")
    path = parts.path
    if parts.scheme or parts.netloc or not path.startswith("/") or path.startswith("//"):
        return None
    if not path.isprintable() or "\\" in path:
        return None
    try:
        current_app.create_url_adapter(request).match(path, "GET")  # type: ignore[union-attr]
    except (HTTPException, RequestRedirect):
        return None
    return path
