"""The calibration wizard as pages of a table's server, for its host alone."""

from __future__ import annotations

import threading
from pathlib import Path

from flask import Flask, request, url_for

from sonora_vision.web.params import WebParams
from sonora_vision.web.server import server
from sonora_vision.web.wizard.live import LiveCamera
from sonora_vision.web.wizard.session import WizardSession
from sonora_vision.web.wizard.views import wizard

_SESSION, _LIVE = "sonora_vision_wizard", "sonora_vision_live"


def add_calibration(app: Flask, profile_path: Path, params: WebParams) -> None:
    """Add the wizard's pages; pressing Use there saves the profile that the table reads with.

    Parameters
    ----------
    profile_path : Path
        Where the profile is saved; whoever reads with it notices that it is another.
    params : WebParams
        Limits.
    """
    app.extensions["sonora_vision_wizard_params"] = params
    app.extensions[_LIVE] = None
    beginning = threading.Lock()

    def begin() -> None:
        """Begin a session when somebody comes to calibrate, and look through the camera."""
        if request.blueprint != wizard.name:
            return
        with beginning:
            if _SESSION not in app.extensions:
                app.extensions[_SESSION] = WizardSession(profile_path)
            live, looking = server().live, app.extensions[_LIVE]
            if live is not None and (looking is None or looking.ended):
                app.extensions[_LIVE] = LiveCamera(live.looking())

    app.register_blueprint(wizard)
    app.before_request(begin)
    app.context_processor(lambda: {"table_address": url_for("welcome.home")})
