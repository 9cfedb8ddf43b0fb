"""The wizard's pages: camera, lens, board, discs, check; each can be done again at any time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    flash,
    get_flashed_messages,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.calibrate.wizard.board_edits import length
from sonora_vision.calibrate.wizard.disc_edits import HEIGHT_MM
from sonora_vision.calibrate.wizard.draft import STEPS
from sonora_vision.errors import SonoraError, UsageError
from sonora_vision.web.door.refusals import told
from sonora_vision.web.door.uploads import shown_name
from sonora_vision.web.forms import sent_object
from sonora_vision.web.wizard import names
from sonora_vision.web.wizard.current import (
    all_pictures,
    checked_picture,
    live,
    params,
    session,
)
from sonora_vision.web.wizard.drafted import board_values, discs_values
from sonora_vision.web.wizard.fetched import add_fetched
from sonora_vision.web.wizard.script_words import script_words
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext, lazy_gettext, ngettext

wizard = Blueprint("wizard", __name__, url_prefix="/calibrate")
add_fetched(wizard)

TITLES = {
    "camera": lazy_gettext("Camera"),
    "lens": lazy_gettext("Lens"),
    "board": lazy_gettext("Board"),
    "discs": lazy_gettext("Discs"),
    "check": lazy_gettext("Check"),
}


@wizard.context_processor
def _steps() -> dict[str, Any]:
    if "sonora_vision_wizard" not in current_app.extensions:
        return {}  # a page that refuses to begin
    now = session()
    done = {
        "camera": now.readiness is not None,
        "lens": now.lens_settled,
        "board": now.draft.empty_picture is not None and now.draft.board.first_side_mm is not None,
        "discs": bool(now.draft.discs.discs),
        "check": now.result is not None,
    }
    return {
        "steps": [(step, TITLES[step], done[step]) for step in STEPS],
        "live": live() is not None,
        "megabytes": params().upload_max_bytes // 1_000_000,
        "script_words": script_words,
        "told": told,
        "color_name": terms.color,
        "messages": get_flashed_messages(with_categories=True),
    }


@wizard.get("/")
def start() -> BaseResponse:
    """Go to the first step."""
    return redirect(url_for("wizard.camera"))


@wizard.get("/camera")
def camera() -> str:
    """Show what the camera sees and whether it is fit."""
    return render_template("wizard_camera.html", step="camera", readiness=session().readiness)


@wizard.post("/camera")
def judge() -> BaseResponse:
    """Judge an uploaded picture."""
    return _with_picture("camera", lambda raw, name: session().judge(raw, name) and None)


@wizard.get("/lens")
def lens() -> str:
    """Show the lens target and how far its views have come."""
    now = session()
    return render_template(
        "wizard_lens.html",
        step="lens",
        progress=now.lens_progress,
        skipped=now.draft.lens_skipped,
        views=[view.name for view in now.views],
    )


@wizard.post("/lens")
def add_views() -> BaseResponse:
    """Take pictures of the target; each that is no use is named with the reason."""
    files = [f for f in request.files.getlist("file") if f.filename]
    if not files and live() is None:
        flash(gettext("No picture came with the form. Choose one or more."), "bad")
    taken = 0
    for raw, name in all_pictures(files):
        try:
            session().add_lens_picture(checked_picture(raw, name), name)
            taken += 1
        except SonoraError as error:
            flash(told(error), "bad")
    if taken:
        flash(ngettext("%(num)d new view taken.", "%(num)d new views taken.", taken), "good")
    return redirect(url_for("wizard.lens"), 303)


@wizard.post("/lens/<any(skip, clear):what>")
def change_lens(what: str) -> BaseResponse:
    """Do without lens pictures, or begin them again."""
    session().skip_lens() if what == "skip" else session().clear_lens()
    return redirect(url_for("wizard.board" if what == "skip" else "wizard.lens"), 303)


@wizard.get("/board")
def board() -> str:
    """Show the empty board with what was found on it."""
    now = session()
    there = now.draft.empty_picture is not None
    return render_template(
        "wizard_board.html",
        step="board",
        there=there,
        shown=board_values() if there else None,
        sections=names.sections(),
        animals=names.animals(),
    )


@wizard.post("/board")
def take_empty() -> BaseResponse:
    """Take the picture of the empty board."""
    return _with_picture("board", _retaken("empty", session().set_empty))


@wizard.post("/board/edit")
def edit_board() -> Response | tuple[Response, int]:
    """Apply one edit of the board and return what to draw."""
    now = session()
    return _edit(
        lambda edit: now.edit_board(names.board_meant(edit, now.draft.board)), board_values
    )


@wizard.post("/discs/edit")
def edit_discs() -> Response | tuple[Response, int]:
    """Apply one edit of the discs and return what to draw."""
    now = session()
    return _edit(
        lambda edit: now.edit_discs(names.discs_meant(edit, now.draft.discs)), discs_values
    )


@wizard.get("/discs")
def discs() -> str:
    """Show the picture of all discs with what was found on it."""
    now = session()
    there = now.draft.discs_picture is not None
    return render_template(
        "wizard_discs.html",
        step="discs",
        there=there,
        draft=now.draft.discs,
        ready=now.draft.board.first_side_mm is not None,
        shown=discs_values() if there else None,
    )


@wizard.post("/discs")
def take_discs() -> BaseResponse:
    """Take the picture of all discs."""

    def take(raw: bytes, name: str) -> None:
        height = length(request.form, "height", "a disc's height", *HEIGHT_MM)
        numbered = request.form.get("numbered", "yes") != "no"
        session().set_discs(raw, name, height, (1, 2, 3, 4, 5) if numbered else ())

    return _with_picture("discs", _retaken("discs", take))


@wizard.get("/check")
def check() -> str:
    """Show the made profile, where to put three discs, and how far they were read off."""
    now = session()
    return render_template(
        "wizard_check.html",
        step="check",
        profile=now.profile,
        missing=[(where, told(words)) for where, words in now.missing()],
        placements=now.placements,
        result=now.result,
        trial=now.trial,
        out=now.profile_path,
        rig=now.rig_path,
        exists=now.profile_path.exists(),
    )


@wizard.post("/check/make")
def make() -> BaseResponse:
    """Make the profile."""
    return _tried("check", session().make_profile)


@wizard.post("/check")
def measure() -> BaseResponse:
    """Read a picture of the three discs."""
    return _with_picture("check", session().check)


@wizard.post("/check/read")
def try_photo() -> BaseResponse:
    """Read a photograph of play, to see how the profile does."""
    return _with_picture("check", session().try_photo)


@wizard.post("/use")
def use() -> BaseResponse | str:
    """Save the profile in place of the old one."""
    try:
        session().use()
    except SonoraError as error:
        flash(told(error), "bad")
        return redirect(url_for("wizard.check"), 303)
    return render_template("wizard_done.html", step=None, out=session().profile_path)


@wizard.post("/import")
def import_profile() -> BaseResponse | str:
    """Use a profile that was made elsewhere."""
    file = request.files.get("file")
    try:
        if file is None or not file.filename:
            raise UsageError("No profile came with the form. Choose one.")
        session().import_profile(file.read(), shown_name(file.filename))
    except SonoraError as error:
        flash(told(error), "bad")
        return redirect(url_for("wizard.camera"), 303)
    return render_template("wizard_done.html", step=None, out=session().profile_path)


@wizard.post("/cancel")
def cancel() -> BaseResponse:
    """Forget all answers; the old profile stays."""
    session().cancel()
    flash(
        gettext("All answers are forgotten. A profile that was there before is as it was."), "good"
    )
    return redirect(url_for("wizard.camera"), 303)


def _edit(
    apply: Callable[[dict[str, Any]], None], values: Callable[[], dict[str, Any]]
) -> Response | tuple[Response, int]:
    edit = sent_object()
    try:
        if edit is None:
            raise UsageError("edit: expected a JSON object")
        if edit.get("do") == "undo":
            session().undo()
        elif edit.get("do") == "propose":
            session().propose_again()
        else:
            apply(edit)
    except SonoraError as error:
        return jsonify(error=told(error)), 422
    return jsonify(values())


def _with_picture(step: str, take: Callable[[bytes, str], object]) -> BaseResponse:
    """Hand the form's picture, or the live one, to a step."""

    def act() -> None:
        pictures = all_pictures([f for f in request.files.getlist("file") if f.filename])
        if not pictures:
            raise UsageError("No picture came with the form. Choose one.")
        raw, name = pictures[0]
        take(checked_picture(raw, name), name)

    return _tried(step, act)


def _retaken(which: str, take: Callable[[bytes, str], None]) -> Callable[[bytes, str], None]:
    """Tell an owner whose picture took another one's place how to get that one back."""

    def act(raw: bytes, name: str) -> None:
        before = session().picture(which)
        take(raw, name)
        if before is not None:
            flash(
                gettext(
                    "What was found on this picture took the place of your answers. Undo brings "
                    "the picture before back, with its answers."
                ),
                "good",
            )

    return act


def _tried(step: str, act: Callable[[], object]) -> BaseResponse:
    try:
        act()
    except SonoraError as error:
        flash(told(error), "bad")
    return redirect(url_for(f"wizard.{step}"), 303)
