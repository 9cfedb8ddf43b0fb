"""The pages of photographs: choose some, wait for them to be read, look at what was seen."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.errors import SonoraError, UnreadableError
from sonora_vision.reading_file import reading_to_json
from sonora_vision.score.allocation import Allocation
from sonora_vision.score.sonora.allocate import allocate
from sonora_vision.table.events import HOST, Recorded
from sonora_vision.table.picture_files import ENDINGS
from sonora_vision.web.door.access import require_host
from sonora_vision.web.door.refusals import told
from sonora_vision.web.forms import whole
from sonora_vision.web.photos import many as photos
from sonora_vision.web.photos import pictures
from sonora_vision.web.photos.many import Pages, order, picture, shared, upload
from sonora_vision.web.photos.store import BusyError, Entry, Seen
from sonora_vision.web.photos.turn_order import places, spectators
from sonora_vision.web.server import server
from sonora_vision.web.wording import terms, words
from sonora_vision.web.wording.language import gettext

__all__ = ["Pages", "pages"]
_GAMES_OFFERED = 8

pages = Blueprint("pages", __name__)
pages.add_url_rule("/photos", view_func=photos.home)
pages.add_url_rule("/photos", view_func=photos.start_many, methods=["POST"])
pages.add_url_rule("/photos/rows", view_func=photos.rows)
pages.add_url_rule("/photos/all.zip", view_func=photos.pack)
pages.add_url_rule("/photos/<int:index>/thumbnail.jpg", view_func=photos.thumbnail)
pages.add_url_rule("/readings/<key>/again", view_func=photos.again, methods=["POST"])


@pages.app_context_processor
def _terms() -> dict[str, Callable[[str], str]]:
    """Let every page name colors and sections in the visitor's language."""
    return {"color_name": terms.color, "section_name": terms.section}


@pages.post("/readings")
def start() -> BaseResponse:
    """Begin to read an uploaded photograph, or one of those offered, and lead to its page."""
    require_host()
    turns = ",".join(order(request.form.get("order", "")))
    chosen = request.form.get("photo", "")
    try:
        key = _start_offered(chosen) if chosen else _start_upload()
    except UnreadableError as error:
        abort(415, told(error))
    except BusyError as error:
        abort(503, told(error))
    default = ",".join(shared().board.discs.colors)
    return redirect(
        url_for("pages.reading", key=key, order=None if turns == default else turns), 303
    )


@pages.get("/readings/<key>")
def reading(key: str) -> str | tuple[str, int]:
    """Show a reading, or how far it is."""
    entry, here = _entry(key), shared()
    turns = order()
    seen = here.store.seen(entry)
    if seen is None:
        template = "waiting.html" if not entry.settled else "refused.html"
        return render_template(
            template,
            key=key,
            entry=entry,
            refusal=told(entry.refusal or ""),
            order=",".join(turns),
        )
    allocation = allocate(seen.reading, turns)
    discs = words.evidence(seen, here.board)
    return render_template(
        "reading.html",
        key=key,
        name=entry.name,
        version=entry.picture,
        board=here.board.name,
        order=",".join(turns),
        places=places(turns),
        spectators=spectators(turns, here.board.discs.colors),
        chip=words.chip,
        ruins=words.ruins_turns(allocation),
        cards=words.player_cards(allocation, here.board),
        groups=[
            (title, [disc for disc in discs if disc.kind == kind])
            for kind, title in (
                ("doubt", gettext("In doubt")),
                ("choice", gettext("For the owner to choose")),
                ("settled", gettext("Settled")),
            )
        ],
        warnings=[told(each) for each in allocation.warnings],
        missing=[words.chip(disc.color, disc.number) for disc in seen.reading.missing],
        games=_games(seen),
        action=secrets.token_urlsafe(9),
    )


@pages.post("/readings/<key>/record")
def record(key: str) -> BaseResponse:
    """Make a photograph's reading the reading of a game's round."""
    require_host()
    entry, here, table = _entry(key), shared(), server()
    seen, kept = _seen(entry), entry.picture or ""
    game_id, act = request.form.get("game", ""), request.form.get("action_id", "")[:64]
    if not act or table.tables.store.done(game_id, act) is None:  # else it was sent twice
        files = {ending: here.store.pictures.file(kept, ending) for ending in ENDINGS}
        taken = table.pictures.write(files)
        recorded = Recorded(picture=taken, reading=reading_to_json(seen.reading))
        try:
            table.tables.act(game_id, HOST, recorded, action_id=act)
        except SonoraError as error:
            table.pictures.remove(taken)
            flash(told(error), "bad")
            return redirect(url_for("pages.reading", key=key), 303)
    return redirect(url_for("screen.table", game_id=game_id), 303)


@pages.get("/readings/<key>/status")
def status(key: str) -> Response:
    """Say how far a reading is."""
    return jsonify(state=_entry(key).state)


@pages.get("/readings/<key>/board-<any(full, brief, small):size>.jpg")
def board_picture(key: str, size: str) -> Response:
    """Send the annotated board."""
    entry, here = _entry(key), shared()
    seen = _seen(entry)
    return picture(
        here.drawn.get(
            (entry.picture, size), lambda: pictures.board_jpeg(seen, here.board, here.params, size)
        )
    )


@pages.get("/readings/<key>/discs/<int:index>.jpg")
def disc_picture(key: str, index: int) -> Response:
    """Send the close-up of one disc."""
    entry, here = _entry(key), shared()
    seen = _seen(entry)
    if index >= len(seen.reading.discs):
        abort(404, gettext("There is no such disc."))
    return picture(
        here.drawn.get(
            (entry.picture, index),
            lambda: pictures.disc_jpeg(seen, here.board, here.params, index),
        )
    )


@pages.get("/readings/<key>/annotated.png")
def annotated(key: str) -> Response:
    """Send the annotated board with its legend, to keep."""
    seen = _seen(_entry(key))
    return picture(pictures.whole_png(seen, shared().board), "image/png")


@pages.get("/readings/<key>/reading.json")
def reading_json(key: str) -> Response:
    """Send the reading as a file."""
    return _document(reading_to_json(_seen(_entry(key)).reading))


@pages.get("/readings/<key>/allocation.json")
def allocation_json(key: str) -> Response:
    """Send the allocation as a file."""
    allocation: Allocation = allocate(_seen(_entry(key)).reading, order())
    return _document(allocation.to_json())


def _start_offered(chosen: str) -> str:
    here = shared()
    index = whole(chosen)
    if index is None or index >= len(here.photos):
        abort(400, gettext("There is no such photograph. Go back and choose one of those shown."))
    path = here.photos[index]
    return here.store.submit(path.name, path)


def _start_upload() -> str:
    file = request.files.get("file")
    if file is None or not file.filename:
        abort(400, gettext("No photograph came with the form. Go back and choose one."))
    raw, name = upload(file)
    return shared().store.submit(name, raw)


def _games(seen: Seen) -> list[tuple[str, str]]:
    """Return the newest games whose round may go by this reading."""
    tables = server().tables
    found = []
    for entry in tables.games()[:_GAMES_OFFERED]:
        game = tables.game(entry.id)
        if game.board == seen.reading.board and game.phase in ("play", "settle"):
            words_of = gettext("%(game)s, round %(number)s", game=game.name, number=game.now.number)
            found.append((entry.id, words_of))
    return found


def _entry(key: str) -> Entry:
    entry = shared().store.get(key)
    if entry is None:
        abort(404, gettext("This reading is not kept any more. Read the photograph again."))
    return entry


def _seen(entry: Entry) -> Seen:
    seen = shared().store.seen(entry)
    if seen is None:
        abort(404, gettext("This photograph is not read yet, or could not be read."))
    return seen


def _document(values: object) -> Response:
    return Response(json.dumps(values, indent=1) + "\n", mimetype="application/json")
