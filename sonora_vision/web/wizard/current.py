"""What the wizard's pages work on: the application's session, camera and uploads."""

from __future__ import annotations

from typing import cast

from flask import abort, current_app
from werkzeug.datastructures import FileStorage

from sonora_vision.web.door.uploads import check_upload, shown_name
from sonora_vision.web.params import WebParams
from sonora_vision.web.wizard.live import LiveCamera
from sonora_vision.web.wizard.session import WizardSession


def session() -> WizardSession:
    """Return the session that the pages change."""
    return cast(WizardSession, current_app.extensions["sonora_vision_wizard"])


def live() -> LiveCamera | None:
    """Return the camera that shows live pictures, where there is one."""
    return cast("LiveCamera | None", current_app.extensions["sonora_vision_live"])


def params() -> WebParams:
    """Return the limits of the pages."""
    return cast(WebParams, current_app.extensions["sonora_vision_wizard_params"])


def all_pictures(files: list[FileStorage]) -> list[tuple[bytes, str]]:
    """Return the form's pictures and their names; the live picture where none came."""
    source = live()
    if not files and source is not None:
        return [source.still_png()]
    return [(f.read(), shown_name(f.filename)) for f in files]


def checked_picture(raw: bytes, name: str) -> bytes:
    """Return a picture that may be decoded; aborts or raises where it is too large."""
    if len(raw) > params().upload_max_bytes:
        abort(413)
    check_upload(raw, name, max_pixels=params().upload_max_pixels)
    return raw
