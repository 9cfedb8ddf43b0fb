"""A game looked at again, round by round."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, abort, render_template

from sonora_vision.table.game import Game, Round
from sonora_vision.web.door.access import require_seat
from sonora_vision.web.server import server
from sonora_vision.web.table import drawings
from sonora_vision.web.table.people import people
from sonora_vision.web.table.screen import round_picture
from sonora_vision.web.wording import words
from sonora_vision.web.wording.language import gettext

replay = Blueprint("replay", __name__)


@replay.get("/games/<game_id>/rounds/<int:number>")
def round_page(game_id: str, number: int) -> str:
    """Show a round again: the board as it was read and what everyone recorded."""
    found = require_seat(game_id)
    game = server().tables.game(game_id)
    shown = _round(game, number)

    past = replace(game, now=shown)
    allocation = game.allocation(shown)
    return render_template(
        "table/round.html",
        game_id=game_id,
        game=game,
        found=found,
        round=shown,
        people=people(past, server().board),
        ruins=[] if allocation is None else words.ruins_turns(allocation),
        picture=None if shown.picture is None else drawings.version(shown),
        numbers=[past_round.number for past_round in _rounds_read(game)],
    )


@replay.get("/games/<game_id>/rounds/<int:number>/board-<any(phone,screen):size>.jpg")
def past_picture(game_id: str, number: int, size: str) -> Response:
    """Send a round's board."""
    require_seat(game_id)
    return round_picture(_round(server().tables.game(game_id), number), size)


def _rounds_read(game: Game) -> list[Round]:
    now = () if game.over or game.now.table is None else (game.now,)
    return [*game.past, *now]


def _round(game: Game, number: int) -> Round:
    found = next((r for r in _rounds_read(game) if r.number == number), None)
    if found is None:
        abort(404, gettext("This round was not read yet."))
    return found
