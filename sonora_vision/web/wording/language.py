"""The language of the pages: the visitor's choice, else what their browser asks for."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import flask_babel
from babel.dates import format_skeleton
from flask import Blueprint, Flask, abort, make_response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

LANGUAGES = {"en": "English", "es": "Español"}
"""Code and own name of every language that the pages speak; the first is their mother tongue."""
COOKIE = "language"
_TRANSLATIONS = Path(__file__).parents[1] / "translations"


_YEAR_S = 365 * 24 * 3600

language = Blueprint("language", __name__)


def init(app: Flask) -> None:
    """Let an application's pages speak the visitor's language."""
    flask_babel.Babel(
        app,
        default_locale=next(iter(LANGUAGES)),
        default_translation_directories=str(_TRANSLATIONS),
        locale_selector=_chosen,
    )
    app.register_blueprint(language)
    app.jinja_env.globals["languages"] = LANGUAGES
    app.jinja_env.globals["language"] = spoken
    app.jinja_env.globals["day"] = day
    app.jinja_env.filters["upfirst"] = upfirst


@language.post("/language")
def choose() -> BaseResponse:
    """Remember the language that the visitor wants, and go on where they were."""
    chosen, way = request.form.get("language", ""), request.form.get("next", "/")
    if chosen not in LANGUAGES:
        abort(400)
    if not way.startswith("/") or way.startswith("//") or not way.isprintable() or "\\" in way:
        way = "/"
    response = make_response(redirect(way, 303))
    response.set_cookie(COOKIE, chosen, max_age=_YEAR_S, samesite="Lax", httponly=True)
    return response


def spoken() -> str:
    """Return the code of the language in which the present page is written."""
    locale = flask_babel.get_locale()
    return next(iter(LANGUAGES)) if locale is None else str(locale.language)


def gettext(text: str, **values: object) -> str:
    """Return a text in the visitor's language, with the named values put in."""
    return str(flask_babel.gettext(text, **values))


def ngettext(one: str, more: str, num: int, **values: object) -> str:
    """Return the text for one or for more things; ``%(num)d`` in it is their number."""
    return str(flask_babel.ngettext(one, more, num, **values))


def lazy_gettext(text: str) -> object:
    """Return what becomes a text in the visitor's language when it is made a string."""
    translated: object = flask_babel.lazy_gettext(text)
    return translated


def phrase(text: str) -> str:
    """Mark a text for translation; it is returned as it is."""
    return text


def day(at: datetime) -> str:
    """Write a date without its year, as the visitor's language does."""
    return str(format_skeleton("MMMMd", at, locale=flask_babel.get_locale()))


def upfirst(text: str) -> str:
    """Return a text that begins with a capital; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def _chosen() -> str:
    cookie = request.cookies.get(COOKIE, "")
    if cookie in LANGUAGES:
        return cookie
    return request.accept_languages.best_match(LANGUAGES) or next(iter(LANGUAGES))
