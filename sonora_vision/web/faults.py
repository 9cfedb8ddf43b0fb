"""What went wrong, told as a page to people and as a document to programs."""

from __future__ import annotations

import logging

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException

from sonora_vision.errors import FileFormatError, RuleError, SonoraError, UnreadableError
from sonora_vision.table.permission import ForbiddenError
from sonora_vision.table.pictures import NoPictureError
from sonora_vision.table.store import TakenError
from sonora_vision.table.tables import NoGameError
from sonora_vision.table.words import StoreError
from sonora_vision.web.door.refusals import told
from sonora_vision.web.live.camera import NotReadError
from sonora_vision.web.photos.store import BusyError
from sonora_vision.web.table.recording import NoCameraError
from sonora_vision.web.table.repairs import ReadAgainError
from sonora_vision.web.wording.language import gettext

_LOG = logging.getLogger(__name__)
API = "/api/"
_STATUS: tuple[tuple[type[SonoraError], int], ...] = (
    (NoGameError, 404),
    (NoPictureError, 404),
    (ForbiddenError, 403),
    (RuleError, 409),
    (ReadAgainError, 409),
    (NoCameraError, 409),
    (NotReadError, 409),
    (UnreadableError, 415),
    (FileFormatError, 422),
    (BusyError, 503),
    (TakenError, 503),
    (StoreError, 503),
)
_AGAIN_S = 2
"""When it is worth asking again after 503."""


def tell_faults(app: Flask) -> None:
    """Let an application answer every fault in words, without a look inside."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(SonoraError, _sonora)


def status_of(error: SonoraError) -> int:
    """Return the status of an answer that tells of an error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 422)


def _sonora(error: SonoraError) -> Response:
    status = status_of(error)
    if isinstance(error, StoreError):
        _LOG.error("%s", error)
    return _told(status, told(error))


def _http(error: HTTPException) -> Response:
    status, words = error.code or 500, error.description or ""
    if error.response is not None:
        return make_response(error.response)
    if status == 413:
        limit = (request.max_content_length or 0) / 1_000_000
        words = gettext(
            "The file is too large: at most %(limit)s MB. Choose a smaller photograph.",
            limit=f"{limit:.3g}",
        )
    elif status == 404 and words.startswith("The requested URL"):
        words = gettext("There is no such page. It may have been a reading that is no longer kept.")
    elif status == 500:
        words = gettext("The program failed. Its log says more.")
    answer = _told(status, words)
    for name, value in error.get_headers(request.environ):
        if name in ("Retry-After", "Allow", "WWW-Authenticate"):
            answer.headers[name] = value
    return answer


def _told(status: int, words: str) -> Response:
    if request.path.startswith(API):
        answer = jsonify(error=words)
    elif request_ctx.url_adapter is None:  # asked under what is no name: no page can be linked
        answer = Response(words, mimetype="text/plain")
    else:
        answer = make_response(render_template("error.html", status=status, words=words))
    answer.status_code = status
    if status == 503:
        answer.headers["Retry-After"] = str(_AGAIN_S)
    return answer
