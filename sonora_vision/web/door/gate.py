"""What every request has to pass before a page sees it: closed unless it is said to be open."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask, abort, current_app, request
from flask_wtf.csrf import CSRFProtect
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from sonora_vision.web.door.access import (
    bearer_token,
    require_host,
    require_seat,
    require_somebody,
    who,
)
from sonora_vision.web.door.attempts import PinAttempts
from sonora_vision.web.door.guard import check_token, refuse_foreign_posts
from sonora_vision.web.door.hosts import HostNames
from sonora_vision.web.door.rates import Rates, limit_rate
from sonora_vision.web.faults import API
from sonora_vision.web.live.stream import OpenStreams
from sonora_vision.web.params import WebParams
from sonora_vision.web.wording.language import gettext

_OPEN = {
    "static",
    "welcome.home",
    "welcome.sign_in",
    "welcome.leave",
    "welcome.join",
    "language.choose",
    "api.document",
}
"""Where nobody is asked who they are; every other address is closed to strangers."""
_HOST_ONLY = {"wizard"}
_MANY_FILES = {"keep.bring", "pages.start_many", "api.import_game"}


def gate(app: Flask, csrf: CSRFProtect, params: WebParams, names: Iterable[str]) -> None:
    """Put the gate before an application's pages.

    Parameters
    ----------
    csrf : CSRFProtect
        Checks forms for their tokens.
    params : WebParams
        Limits.
    names : iterable of str
        Names under which the table is opened, besides this machine's own.
    """
    app.extensions["sonora_host_names"] = HostNames(names)
    app.extensions["sonora_pin_attempts"] = PinAttempts()
    app.extensions["sonora_streams"] = OpenStreams(params)
    app.extensions["sonora_rates"] = Rates(params)
    app.before_request(_only_our_names)
    app.before_request(refuse_foreign_posts)
    app.before_request(lambda: limit_rate(who()))
    app.before_request(_only_known)
    app.before_request(lambda: _only_small(params))
    app.before_request(lambda: None if _no_form() else check_token(csrf))


def _only_our_names() -> None:
    if request.host not in current_app.extensions["sonora_host_names"]:
        abort(
            400,
            gettext(
                "This is not one of the table's names. Open it by its address, or start the "
                "program with --trusted-host and this name."
            ),
        )


def _only_known() -> None:
    """Let nobody but the host and players further than the first page."""
    if request.endpoint is None or request.endpoint in _OPEN:
        return
    arguments = request.view_args or {}
    if request.path.startswith(API) and who() is None:
        raise Unauthorized(
            gettext("Show a seat's code or a host's token."),
            www_authenticate=WWWAuthenticate("bearer"),
        )
    if request.blueprint in _HOST_ONLY:
        require_host()
    elif "game_id" in arguments:
        require_seat(arguments["game_id"])
    else:
        require_somebody()


def _only_small(params: WebParams) -> None:
    """Take large bodies only where files are expected, and very large ones where many are."""
    if request.blueprint in _HOST_ONLY or request.endpoint in _MANY_FILES:
        request.max_content_length = params.request_max_bytes
    elif not request.mimetype.startswith(("multipart/form-data", "image/", "application/zip")):
        request.max_content_length = params.document_max_bytes


def _no_form() -> bool:
    """Whether a program shows a token, which no browser does by itself; or nothing is there."""
    token = bearer_token(request.headers.get("Authorization", ""))  # else the cookie counts
    return (token is not None and request.path.startswith(API)) or request.endpoint is None
