"""What people do on the pages: a form names an event; it happens, or the page says why not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, abort, current_app, flash, redirect, request, url_for
from pydantic import ValidationError
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.errors import SonoraError
from sonora_vision.table.events import (
    Bullseye,
    CodesRenewed,
    Event,
    Finished,
    NextRound,
    Ready,
    Settled,
    Swapped,
    Ticked,
    Undone,
)
from sonora_vision.web.door.access import require_seat
from sonora_vision.web.door.refusals import told
from sonora_vision.web.server import server
from sonora_vision.web.wording.language import gettext

act = Blueprint("act", __name__)

Form = Mapping[str, str]
_ACTION_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BACK = {"me": "phone.me", "table": "screen.table", "join": "join.codes"}
"""The pages that a form may come from."""
NOT_SCORED = "none"
"""What a form says of a disc that counts for no section."""


@act.post("/games/<game_id>/act")
def do(game_id: str) -> BaseResponse:
    """Let what a form asks for happen, and go back to the page that it came from."""
    found = require_seat(game_id)
    try:
        event = _event(request.form)
    except (ValidationError, KeyError, ValueError):
        abort(400, gettext("This form is not one of this table's. Load the page again."))
    try:
        server().tables.act(game_id, found.actor, event, action_id=action_id(request.form))
    except SonoraError as error:
        flash(told(error), "bad")
    return back(game_id)


def action_id(form: Form) -> str:
    """Return the id under which a form's act happens once, however often it is sent."""
    given = form.get("action_id", "")
    return given if _ACTION_ID.fullmatch(given) else ""


def back(game_id: str) -> BaseResponse:
    """Lead back to the page that a form came from."""
    name = _BACK.get(request.form.get("back", ""), "screen.table")
    if name not in current_app.view_functions:
        name = "screen.table"
    color = request.form.get("as") if name == "phone.me" else None
    return redirect(url_for(name, game_id=game_id, color=color or None), 303)


def _event(form: Form) -> Event:
    made: Callable[[Form], Event] = _EVENTS[form["kind"]]
    return made(form)


def _settled(form: Form) -> Settled:
    said, _, circle = form["said"].partition("*")
    section: Any = None if said == NOT_SCORED else said
    return Settled(
        disc=int(form["disc"]),
        color=form["color"],
        number=int(form["number"]),
        section=section,
        on_multiplier=circle == "circle",
    )


def _bullseye(form: Form) -> Bullseye:
    section: Any = form["section"]
    return Bullseye(color=form["color"], number=int(form["number"]), section=section)


def _ticked(form: Form) -> Ticked:
    section: Any = form["section"]
    return Ticked(color=form["color"], section=section, done=form.get("done") != "no")


_EVENTS: dict[str, Callable[[Form], Event]] = {
    "bullseye": _bullseye,
    "settled": _settled,
    "swapped": lambda form: Swapped(
        color=form["color"], number=int(form["number"]), other=int(form["other"])
    ),
    "ready": lambda form: Ready(color=form["color"]),
    "ticked": _ticked,
    "finished": lambda form: Finished(color=form["color"]),
    "undone": lambda form: Undone(seq=int(form["seq"])),
    "next_round": lambda form: NextRound(),
    "codes_renewed": lambda form: CodesRenewed(),
}
