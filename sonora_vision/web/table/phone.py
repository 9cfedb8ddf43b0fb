"""My phone: my discs, my choices, my Write phase step by step."""

from __future__ import annotations

import secrets

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.errors import RuleError
from sonora_vision.table.events import SECTIONS
from sonora_vision.table.game import Game
from sonora_vision.web.door.access import Who, require_seat
from sonora_vision.web.door.refusals import told
from sonora_vision.web.forms import whole
from sonora_vision.web.server import server
from sonora_vision.web.table.banner import my_banner
from sonora_vision.web.table.people import next_section, people
from sonora_vision.web.table.screen import picture_of, so_far
from sonora_vision.web.table.settling import Mine, my_discs, open_cards
from sonora_vision.web.table.swapping import Trial, try_swap
from sonora_vision.web.table.undoing import undoable
from sonora_vision.web.wording import words
from sonora_vision.web.wording.words import Line, PlayerCard

phone = Blueprint("phone", __name__)


@phone.get("/games/<game_id>/me")
def me(game_id: str) -> str | BaseResponse:
    """Show what one player has to do and may record."""
    found = require_seat(game_id)
    here = server()
    game = here.tables.game(game_id)
    color = _plays(game, game_id, found)
    if color is None:
        return redirect(url_for("screen.table", game_id=game_id), 303)
    live = so_far(game)
    shown = live or game
    allocation = game.allocation()
    everyone = people(shown, here.board)
    me_ = next(person for person in everyone if person.color == color)
    discs = my_discs(game_id, shown, here.board, color)
    trial, refused = _trial(game, color)
    return render_template(
        "table/me.html",
        game_id=game_id,
        game=game,
        found=found,
        me=me_,
        people=everyone,
        banner=my_banner(game, color),
        discs=discs,
        unseen=_unseen(me_.card, discs),
        ruins=[] if allocation is None else words.ruins_turns(allocation),
        done_ruins=[color for color, section in game.now.ticked if section == "ruins"],
        cards=open_cards(game_id, game, color),
        announced=[b for b in game.now.bullseyes if b.color == color],
        sections=SECTIONS,
        due=game.due(color),
        current=_current(game, color),
        picture=picture_of(game),
        so_far=live is not None,
        trial=trial,
        refused=refused,
        chip=words.chip,
        undo=undoable(game, here.tables.log(game_id), found.actor),
        action=secrets.token_urlsafe(9),
    )


def _plays(game: Game, game_id: str, found: Who) -> str | None:
    """Return whose page is shown: the player's own; the host may look over any shoulder."""
    if not found.host:
        return found.actor
    asked = request.args.get("color", "")
    if asked in game.playing:
        return asked
    return found.color if found.game_id == game_id and found.color in game.playing else None


def _unseen(card: PlayerCard | None, discs: list[Mine]) -> list[Line]:
    """Return the discs that do not score and are not listed as lying somewhere."""
    listed = {disc.chip.number for disc in discs}
    return [line for line in (card.unscored if card else ()) if line.chip.number not in listed]


def _current(game: Game, color: str) -> str | None:
    """Return the section that may be recorded now."""
    if game.phase != "write" or color in game.now.finished:
        return None
    turn, section = game.ruins_turn, next_section(game, color)
    return section if turn in (None, color) else None


def _trial(game: Game, color: str) -> tuple[Trial | None, str]:
    """Try out the swap that the address names."""
    number, other = (whole(request.args.get(name, "")) for name in ("swap0", "swap1"))
    if number is None or other is None or game.phase != "settle":
        return None, ""
    try:
        return try_swap(game, color, number, other), ""
    except RuleError as error:
        return None, told(error)
