"""The table screen: the board, whose turn it is, what everyone records."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import cast

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    jsonify,
    render_template,
    request,
)
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.errors import SonoraError, UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.table.discs import tabletop
from sonora_vision.table.events import Recorded
from sonora_vision.table.game import Game, Round
from sonora_vision.table.pictures import NoPictureError
from sonora_vision.web.door.access import require_host, require_seat, who
from sonora_vision.web.door.refusals import told
from sonora_vision.web.door.uploads import shown_name
from sonora_vision.web.forms import whole
from sonora_vision.web.live.camera import LiveReading
from sonora_vision.web.server import server
from sonora_vision.web.table import drawings, recording
from sonora_vision.web.table.act import action_id, back
from sonora_vision.web.table.banner import banner
from sonora_vision.web.table.drawings import WIDTHS_PX
from sonora_vision.web.table.light import light, of_status
from sonora_vision.web.table.people import people, waiting_for
from sonora_vision.web.table.telling import history
from sonora_vision.web.table.undoing import undoable
from sonora_vision.web.wording import terms, words
from sonora_vision.web.wording.language import gettext, spoken

screen = Blueprint("screen", __name__)
screen.record(drawings.keep_drawings)

_HISTORY = 12


@screen.record
def _say_terms(state: BlueprintSetupState) -> None:
    """Let every template name colors and sections."""
    words_of = {"color_name": terms.color, "section_name": terms.section}
    state.app.jinja_env.globals.update(words_of)


@screen.app_context_processor
def _visitor() -> dict[str, object]:
    """Let every page know who looks at it."""
    return {"visitor": who()}


@screen.get("/games/<game_id>/table")
def table(game_id: str) -> str:
    """Show all that concerns everybody."""
    found = require_seat(game_id)
    here = server()
    game, log = here.tables.game(game_id), here.tables.log(game_id)
    live = so_far(game)
    allocation = game.allocation()
    return render_template(
        "table/table.html",
        game_id=game_id,
        game=game,
        found=found,
        banner=banner(game),
        people=people(live or game, here.board),
        so_far=live is not None,
        waiting=waiting_for(game),
        ruins=[] if allocation is None else words.ruins_turns(allocation),
        light=light(here.live),
        live=here.live is not None,
        can_step=bool(getattr(here.live, "can_step", False)),
        picture=picture_of(game),
        warnings=_warnings(live or game),
        photos=[path.name for path in _photos()],
        rounds=[past.number for past in game.past],
        done_ruins=[color for color, section in game.now.ticked if section == "ruins"],
        history=history(game, log, last=_HISTORY),
        undo=undoable(game, log, found.actor),
        action=secrets.token_urlsafe(9),
    )


@screen.get("/games/<game_id>/seq")
def seq(game_id: str) -> Response:
    """Say what is new, for a page whose stream is broken."""
    require_seat(game_id)
    here = server()
    latest = None if here.live is None else here.live.latest
    return jsonify(seq=here.tables.game(game_id).seq, live=0 if latest is None else latest.version)


@screen.post("/games/<game_id>/read")
def read(game_id: str) -> BaseResponse:
    """Make a reading that of the round: the camera's now, an offered photograph's, an upload's."""
    require_host()
    try:
        recording.record(game_id, _asked_for, action_id=action_id(request.form))
    except SonoraError as error:
        flash(_why_not_read(error), "bad")
    return back(game_id)


@screen.get("/games/<game_id>/board-<any(phone,screen):size>.jpg")
def board_picture(game_id: str, size: str) -> Response:
    """Send the board as it was read, in this round or, while that is played, as it lies now."""
    require_seat(game_id)
    game, wanted = server().tables.game(game_id), request.args.get("v")
    for past in reversed(game.past):
        if wanted == drawings.version(past):  # asked for just before the next round began
            return round_picture(past, size)
    if game.now.table is None:
        latest = _latest()
        if latest is None:
            abort(404)
        return _drawn(f"live{latest.version}", latest, size)
    return round_picture(game.now, size)


@screen.get("/games/<game_id>/live.jpg")
def live_picture(game_id: str) -> Response:
    """Send what the camera sees now."""
    require_seat(game_id)
    live = server().live
    frame = None if live is None else live.frame_jpeg()
    if frame is None:
        abort(404, gettext("The camera gives no picture now."))
    return drawings.jpeg(frame, forever=False)


def round_picture(round_: Round, size: str) -> Response:
    """Send a round's board; answers 404 where its photograph is not kept any more."""
    here, reading = server(), drawings.as_it_counts(round_)
    if reading is None or round_.picture is None:
        abort(404)
    try:
        rectified = here.pictures.rectified(round_.picture)
    except NoPictureError as error:
        abort(404, told(error))
    encoded = drawings.drawings().boards.get(
        f"{drawings.version(round_)} {size} {spoken()}",
        lambda: drawings.board_jpeg(rectified, here.board, reading, WIDTHS_PX[size]),
    )
    return drawings.jpeg(encoded, forever=request.args.get("v") == drawings.version(round_))


def picture_of(game: Game) -> str | None:
    """Return the version of the board's picture, None where there is none to show."""
    if game.now.table is not None:
        return None if game.now.picture is None else drawings.version(game.now)
    latest = _latest()
    return None if latest is None or game.over else f"live{latest.version}"


def so_far(game: Game) -> Game | None:
    """Return the game as if the newest live reading were the round's, while discs are flicked."""
    latest = _latest()
    if game.phase != "play" or latest is None:
        return None
    reading: Reading = latest.reading
    now = replace(game.now, reading=reading, table=tabletop(reading, game.now.bullseyes))
    return replace(game, now=now)


def _warnings(game: Game) -> list[str]:
    """Return what is wrong with a reading's picture, for everybody to know."""
    table = game.now.table
    return [] if table is None or game.phase == "write" else [told(w) for w in table.warnings]


def _latest() -> LiveReading | None:
    live = server().live
    return None if live is None else live.latest


def _drawn(key: str, latest: LiveReading, size: str) -> Response:
    here, seen = server(), latest.seen
    encoded = drawings.drawings().boards.get(
        f"{key} {size} {spoken()}",
        lambda: drawings.board_jpeg(seen.rectified, here.board, seen.reading, WIDTHS_PX[size]),
    )
    return drawings.jpeg(encoded, forever=request.args.get("v") == key)


def _photos() -> tuple[Path, ...]:
    return cast("tuple[Path, ...]", current_app.extensions["sonora_vision"].photos)


def _asked_for() -> Recorded:
    """Read what the form names."""
    source = request.form.get("source", "camera")
    if source == "camera":
        return recording.from_camera()
    if source != "upload":
        chosen = whole(source)
        return recording.from_offered(-1 if chosen is None else chosen)
    upload = request.files.get("file")
    if upload is None or not upload.filename:
        raise UnreadableError("no photograph came with the form; choose one")
    raw = upload.read()
    if len(raw) > server().params.upload_max_bytes:
        abort(413)
    return recording.from_upload(raw, shown_name(upload.filename))


def _why_not_read(error: SonoraError) -> str:
    """Say why there is no reading: by the light's words where the camera said it."""
    status = getattr(error, "status", None)
    if status is None:
        return told(error)
    shown = of_status(status)
    return gettext(
        "Not read. %(words)s", words=". ".join(w for w in (shown.words, shown.reason) if w)
    )
