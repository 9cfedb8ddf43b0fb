"""The calibration wizard as an application of its own."""

from __future__ import annotations

import secrets
from pathlib import Path

from flask import Flask, render_template
from werkzeug.exceptions import HTTPException

from sonora_vision.camera.source import FrameSource
from sonora_vision.web.door.guard import guard_alone
from sonora_vision.web.params import WebParams
from sonora_vision.web.wizard.live import LiveCamera
from sonora_vision.web.wizard.session import WizardSession
from sonora_vision.web.wizard.views import wizard
from sonora_vision.web.wording.language import gettext
from sonora_vision.web.wording.language import init as speak

_FORM_BYTES = 64_000
_PICTURES = 20
"""Lens pictures that may be sent at once."""


def create_wizard_app(
    profile_path: Path,
    rig_path: Path | None = None,
    camera: FrameSource | None = None,
    params: WebParams | None = None,
    key: str | None = None,
) -> Flask:
    """Make the application that calibrates a rig in the browser.

    Parameters
    ----------
    profile_path : Path
        Where the profile is saved when the owner presses Use.
    rig_path : Path, optional
        A folder in which pictures and answers are then kept too.
    camera : FrameSource, optional
        Shows live pictures; without it pictures are uploaded.
    params : WebParams, optional
        Limits.
    key : str, optional
        Opens the pages to whoever has it in the address; None where only this computer can come.

    Returns
    -------
    Flask
        A WSGI application for one owner at a time: all who open it see the same session.
    """
    limits = params or WebParams()
    app = Flask("sonora_vision.web")
    app.secret_key = secrets.token_bytes(32)  # signs the messages between two pages
    app.config["MAX_CONTENT_LENGTH"] = _PICTURES * limits.upload_max_bytes + _FORM_BYTES
    app.extensions["sonora_vision_wizard"] = WizardSession(profile_path, rig_path)
    app.extensions["sonora_vision_wizard_params"] = limits
    app.extensions["sonora_vision_live"] = None if camera is None else LiveCamera(camera)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    speak(app)
    app.register_blueprint(wizard)
    app.add_url_rule("/", "root", lambda: app.redirect("/calibrate/camera"))
    guard_alone(app, key)
    app.register_error_handler(HTTPException, _show_error)
    return app


def _show_error(error: HTTPException) -> tuple[str, int]:
    status, words = error.code or 500, error.description or ""
    if status == 413:
        words = gettext("The files are too large. Choose smaller pictures, or fewer at once.")
    elif status == 404 and words.startswith("The requested URL"):
        words = gettext("There is no such page.")
    elif status == 500:
        words = gettext("The program failed. Its log says more; your answers are still there.")
    return render_template("wizard_error.html", step=None, status=status, words=words), status
