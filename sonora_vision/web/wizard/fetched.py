"""What the wizard's pages fetch: the target to print, pictures, the live camera, the rig."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import cv2
from flask import Blueprint, Response, abort, flash, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.calibrate.target_pdf import target_pdf
from sonora_vision.errors import SonoraError
from sonora_vision.web.door.refusals import told
from sonora_vision.web.wizard.current import live, session
from sonora_vision.web.wording.language import gettext


def add_fetched(wizard: Blueprint) -> None:
    """Add the addresses of what the pages fetch."""
    for rule, function in (
        ("/target-<any(A4, Letter):paper>.pdf", target),
        ("/picture/read", read_picture),
        ("/rig.zip", rig),
        ("/picture/<any(empty, discs):which>", picture),
        ("/saved.profile", saved_profile),
        ("/live.jpg", live_picture),
        ("/live.json", live_status),
    ):
        wizard.add_url_rule(rule, view_func=function)


def target(paper: Any) -> Response:
    """Send the lens target to print."""
    return Response(target_pdf(paper), mimetype="application/pdf")


def read_picture() -> Response:
    """Send the photograph that was read, with what was seen drawn in."""
    trial = session().trial
    if trial is None:
        abort(404, gettext("Nothing has been read yet."))
    return Response(trial.picture_jpeg, mimetype="image/jpeg")


def rig() -> BaseResponse:
    """Send pictures and answers as a rig's folder."""
    now = session()
    packed = io.BytesIO()
    try:
        with now.lock, zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            now.write_rig()
            for path in sorted(p for p in now.folder.rglob("*") if p.is_file()):
                archive.write(path, f"rig/{path.relative_to(now.folder)}")
    except SonoraError as error:
        flash(told(error), "bad")
        return redirect(url_for("wizard.check"), 303)
    response = Response(packed.getvalue(), mimetype="application/zip")
    response.headers["Content-Disposition"] = "attachment; filename=rig.zip"
    return response


def picture(which: str) -> Response:
    """Send a picture as it came, turned as its EXIF says."""
    now = session()
    shown = now.picture(which)
    if shown is None:
        abort(404, gettext("There is no such picture yet."))
    _, encoded = cv2.imencode(".jpg", shown.pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return Response(encoded.tobytes(), mimetype="image/jpeg")


def saved_profile() -> Response:
    """Send the profile that is saved: one file, which another computer takes as it is."""
    path = session().profile_path
    if not path.is_file():
        abort(404, gettext("No profile is saved yet."))
    response = Response(path.read_bytes(), mimetype="application/zip")
    response.headers["Content-Disposition"] = "attachment; filename=table.profile"
    return response


def live_picture() -> Response:
    """Send the newest live frame."""
    source = live()
    frame = None if source is None else source.newest_jpeg()
    if frame is None:
        abort(404, gettext("There is no live picture."))
    return Response(frame, mimetype="image/jpeg")


def live_status() -> Response:
    """Say whether the live picture is fit, and take a lens view by itself where one is due."""
    source = live()
    if source is None:
        abort(404, gettext("There is no live camera."))
    collect = request.args.get("collect") == "lens"
    return jsonify(source.status(session(), collect=collect))
