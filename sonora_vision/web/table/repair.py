"""Repair: discs put right on the picture, and every disc's close-up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, cast

import cv2
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.errors import RuleError, SonoraError, UsageError
from sonora_vision.observation import STATES, State
from sonora_vision.table.discs import Place
from sonora_vision.table.events import Undone
from sonora_vision.table.game import Game, Round
from sonora_vision.table.judge import Put
from sonora_vision.table.permission import ForbiddenError
from sonora_vision.table.pictures import NoPictureError
from sonora_vision.table.tables import NoGameError
from sonora_vision.web.door.access import Who, require_seat
from sonora_vision.web.door.refusals import told
from sonora_vision.web.drawn import Drawn
from sonora_vision.web.forms import sent_object, whole
from sonora_vision.web.server import server
from sonora_vision.web.table import repair_view
from sonora_vision.web.table.evidence import close_up, rectified
from sonora_vision.web.table.repairs import ReadAgainError, judged, put_right, repairs, twins
from sonora_vision.web.wording.language import gettext

repair = Blueprint("repair", __name__)

_FOREVER = "private, max-age=86400, immutable"
_NEW = "new"
_BOARD_BYTES = 170_000
"""What the board's picture may weigh, so that the page comes quickly over a slow connection."""
_QUALITIES = (88, 80, 72, 64, 56)


@repair.get("/games/<game_id>/repair")
def page(game_id: str) -> str:
    """Show the board's picture with every disc on it, to be put right."""
    who, game = require_seat(game_id), _game(game_id)
    log, board = server().tables.log(game_id), server().board
    places = () if game.now.table is None else game.now.table.places
    shown = [(i, place) for i, place in enumerate(places) if place is not None]
    values = repair_view.state(game_id, game, log, who)
    return render_template(
        "table/repair.html",
        game_id=game_id,
        game=game,
        values=values,
        discs=[each for each in values["discs"] if each["mine"]],
        chosen=_chosen(shown, who, request.args.get("disc", "")),
        colors=board.discs.colors if who.host else [who.actor],
        numbers=board.discs.numbers,
        states=_ways_to_lie(),
        repairs=repairs(game, log, who.actor),
        twins=twins(game),
        outlines=[] if values["view"] is None else repair_view.outlines(board),
        ground="" if values["view"] is None else repair_view.ground(rectified(game.now)),
        calibrate_again=who.host and _calibrate_again(),
    )


@repair.get("/games/<game_id>/repair/state")
def state(game_id: str) -> Response:
    """Return what the page's script draws."""
    who, game = require_seat(game_id), _game(game_id)
    return jsonify(repair_view.state(game_id, game, server().tables.log(game_id), who))


@repair.post("/games/<game_id>/judge")
def judge(game_id: str) -> Response | tuple[Response, int]:
    """Say what a disc would count for, if it were put so; nothing is written down."""
    require_seat(game_id)
    values = sent_object()
    try:
        if values is None:
            raise UsageError("judge: expected a JSON object")
        fields = {key: "" if value is None else str(value) for key, value in values.items()}
        disc = judged(_game(game_id), _index(fields), _put(fields), line=_said(fields, "line"))
    except SonoraError as error:
        return jsonify(words=told(error)), 422
    return jsonify(repair_view.disc_values(server().board, disc))


@repair.post("/games/<game_id>/repair")
def save(game_id: str) -> BaseResponse | tuple[Response, int]:
    """Write a repair down; answers a form by going back to the page, a script by the new state."""
    who, form = require_seat(game_id), request.form
    _game(game_id)

    def act() -> Game:
        gone = form.get("do") == "remove"
        return put_right(
            game_id,
            who.actor,
            _index(form),
            None if gone else _put(form),
            of=whole(form.get("of", "")) or 0,
            line=form.get("do") == "line",
            action_id=form.get("action_id", "")[:64],
        )

    return _answer(game_id, who, act)


@repair.post("/games/<game_id>/repair/undo")
def undo(game_id: str) -> BaseResponse | tuple[Response, int]:
    """Take a repair back."""
    who = require_seat(game_id)
    game, seq = _game(game_id), request.form.get("seq", "")
    offered = {str(each.seq) for each in repairs(game, server().tables.log(game_id), who.actor)}

    def act() -> Game:
        if seq not in offered:
            raise RuleError(gettext("This repair is undone already."))
        return server().tables.act(
            game_id,
            who.actor,
            Undone(seq=int(seq)),
            action_id=request.form.get("action_id", "")[:64],
        )

    return _answer(game_id, who, act)


@repair.get("/games/<game_id>/repair/board.jpg")
def board_picture(game_id: str) -> Response:
    """Send the board from straight above, as the camera saw it."""
    require_seat(game_id)
    game = _game(game_id)

    def draw() -> bytes:
        shown = repair_view.shown_bgr(rectified(game.now), game, server().board)
        for quality in _QUALITIES:
            _, encoded = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if len(encoded) <= _BOARD_BYTES:
                break
        return encoded.tobytes()

    try:
        rectified(game.now)
        return picture(_drawn().get(("repair", game.now.picture), draw))
    except NoPictureError as error:
        abort(404, told(error))


@repair.get("/games/<game_id>/discs/<int:index>.jpg")
def disc_picture(game_id: str, index: int) -> Response:
    """Send the close-up of one disc, the deciding boundary drawn in."""
    require_seat(game_id)
    shown = _round(_game(game_id), request.args.get("round", ""))
    try:
        return picture(close_up(shown, index, _drawn(), server().params))
    except (RuleError, NoPictureError) as error:
        abort(404, told(error))


def picture(encoded: bytes) -> Response:
    """Send a picture: for good where its address bears a version."""
    response = Response(encoded, mimetype="image/jpeg")
    response.headers["Cache-Control"] = _FOREVER if request.args.get("v") else "private, no-cache"
    response.add_etag()
    return cast(Response, response.make_conditional(request))


def _answer(game_id: str, who: Who, act: Callable[[], Game]) -> BaseResponse | tuple[Response, int]:
    """Act, and tell a script of it as JSON, a form by going back to the page."""
    by_script = request.headers.get("X-Requested-With") == "fetch"
    try:
        game: Game = act()
    except SonoraError as error:
        if by_script:
            status = {ReadAgainError: 409, ForbiddenError: 403}.get(type(error), 422)
            return jsonify(words=told(error)), status
        flash(told(error), "bad")
        game = _game(game_id)
    if by_script:
        return jsonify(repair_view.state(game_id, game, server().tables.log(game_id), who))
    index = request.form.get("disc", "")
    back = index if whole(index) is not None and request.form.get("do") != "remove" else None
    return redirect(url_for("repair.page", game_id=game_id, disc=back), 303)


def _game(game_id: str) -> Game:
    try:
        return server().tables.game(game_id)
    except NoGameError as error:
        abort(404, told(error))


def _round(game: Game, number: str) -> Round:
    """Return a round by its number, the present one by none."""
    found = [each for each in (*game.past, game.now) if str(each.number) == number]
    if number and not found:
        abort(404, gettext("There is no such round."))
    return found[0] if number else game.now


def _chosen(places: list[tuple[int, Place]], who: Who, given: str) -> dict[str, Any]:
    """Return what the form is filled with: the disc that was asked for, else one to add."""
    board = server().board
    for index, place in places:
        if str(index) == given and repair_view.may_touch(who, place):
            return repair_view.disc_values(board, place.disc) | {"disc": index}
    across, down = zip(*board.outline_mm, strict=True)
    return {
        "disc": _NEW,
        "x": (min(across) + max(across)) / 2,
        "y": (min(down) + max(down)) / 2,
        "color": board.discs.colors[0] if who.host else who.actor,
        "number": None,
        "state": "flat",
        "placed": True,
    }


def _ways_to_lie() -> list[tuple[State, str]]:
    """Return what a person may say of a disc; the hole and the corners follow from its place."""
    return [
        ("flat", gettext("flat")),
        ("standing", gettext("on edge")),
        ("stacked", gettext("on another disc")),
        ("off_board", gettext("off the board")),
    ]


def _index(fields: Mapping[str, str]) -> int | None:
    given = fields.get("disc", _NEW)
    if given == _NEW:
        return None
    index = whole(given)
    if index is None:
        raise UsageError("disc: expected its place in the reading, or new")
    return index


def _put(fields: Mapping[str, str]) -> Put:
    given = fields.get("number", "")
    number = whole(given)
    if given and number is None:
        raise UsageError("number: expected a number")
    lies = fields.get("state", "flat")
    if lies not in STATES:
        raise UsageError(f"state: expected one of {', '.join(STATES)}")
    return Put(
        color=fields.get("color", ""),
        number=number,
        center_mm=(_length(fields, "x"), _length(fields, "y")),
        state=lies,
        checked=_said(fields, "checked"),
    )


def _length(fields: Mapping[str, str], name: str) -> float:
    try:
        return float(fields.get(name, "").replace(",", "."))
    except ValueError:
        raise UsageError(gettext("%(axis)s: expected a number of mm", axis=name)) from None


def _said(fields: Mapping[str, str], name: str) -> bool:
    return fields.get(name, "").lower() in ("yes", "true", "on", "1")


def _calibrate_again() -> bool:
    """Whether too many discs had to be put right since the profile was made."""
    try:
        made = server().reader.profile_path.stat().st_mtime
    except OSError:
        since = None
    else:
        since = datetime.fromtimestamp(made, UTC)
    recent = server().tables.recent_repairs(server().board.name, since=since)
    return recent.calibrate_again


def _drawn() -> Drawn:
    return cast(
        Drawn,
        current_app.extensions.setdefault(
            "sonora_drawn", Drawn(max_bytes=server().params.drawn_max_bytes)
        ),
    )
