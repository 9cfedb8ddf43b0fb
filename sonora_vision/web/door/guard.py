"""What holds for every request and every answer, of all applications of this program."""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from flask import Flask, Response, abort, redirect, request, session
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.web.door.hosts import HostNames
from sonora_vision.web.door.safe_log import keep_codes_out_of_logs
from sonora_vision.web.wording.language import gettext

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "img-src 'self'",
        "style-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def guard(app: Flask) -> CSRFProtect:
    """Guard an application: its cookies, its forms, and what its answers allow a browser.

    A form bears ``csrf_token()``, a script sends it as ``X-CSRFToken``; both are good for as long
    as the session, because a phone may lie on the table for an evening.
    """
    app.config.update(
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",  # a code that is scanned comes from elsewhere
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # the Origin is checked below, with or without TLS
        WTF_CSRF_CHECK_DEFAULT=False,  # checked here, after what is cheaper to check
    )
    keep_codes_out_of_logs(app.logger)
    app.after_request(secure)
    return CSRFProtect(app)


def guard_alone(app: Flask, key: str | None = None) -> None:
    """Guard an application of one page or one owner, which knows nobody by PIN or code.

    Parameters
    ----------
    key : str, optional
        Opens it to whoever comes with it in the address (``?key=``); None where only this
        computer can come.
    """
    names = HostNames()

    def admit() -> BaseResponse | None:
        if request.host not in names:
            abort(400, gettext("This is not this computer's name. Open the page by its address."))
        if key is None or session.get("key") == key:
            return None
        if hmac.compare_digest(request.args.get("key", "").encode(), key.encode()):
            session["key"] = key
            return redirect(request.path)
        return abort(403, gettext("Open the page with the whole address that the program printed."))

    app.config.update(SESSION_COOKIE_HTTPONLY=True, SESSION_COOKIE_SAMESITE="Strict")
    app.before_request(admit)
    app.before_request(refuse_foreign_posts)
    app.after_request(secure)


def refuse_foreign_posts() -> None:
    """Refuse a form that another site sends from a visitor's browser."""
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    foreign = request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
    if foreign or (origin is not None and urlsplit(origin).netloc != request.host):
        abort(403, gettext("This form was sent by another site. Open the page here and try again."))


def check_token(protect: CSRFProtect) -> None:
    """Refuse a form that bears no token of this browser's session."""
    if request.method in SAFE_METHODS:
        return
    try:
        protect.protect()
    except CSRFError:
        abort(
            403, gettext("This page is from an earlier session. Load it again, then try once more.")
        )


def secure(response: Response) -> Response:
    """Let the browser run and show nothing that this application did not send."""
    headers = response.headers
    headers["Content-Security-Policy"] = _POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    if request.is_secure:  # browsers complain of it, and pass it over, where nothing is encrypted
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
    headers.setdefault("Cache-Control", "no-store")
    return response
