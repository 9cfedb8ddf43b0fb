"""Games: begin, seat, resume."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from flask import (
    Blueprint,
    redirect,
    render_template,
    request,
    url_for,
)
from pydantic import ValidationError
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from sonora_vision.errors import RuleError, SonoraError
from sonora_vision.table.events import HOST, SEATS, Made, Player, Seated
from sonora_vision.table.game import Game
from sonora_vision.web.door.access import require_host
from sonora_vision.web.door.refusals import told
from sonora_vision.web.server import server
from sonora_vision.web.table.act import action_id
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import day, gettext, upfirst
from sonora_vision.web.wording.words import Chip, chip

games = Blueprint("games", __name__)

ROUNDS_MAX = 7
ROUNDS_USUAL = 6
_PLAYERS_USUAL = 2


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A game in the list."""

    id: str
    name: str
    made_at: datetime
    game: Game | None
    """None where its log cannot be understood."""
    chips: tuple[Chip, ...]
    words: str


@games.get("/games")
def index() -> str:
    """List all games."""
    require_host()
    return render_template(
        "table/games.html",
        games=[_listed(entry.id, entry.name, entry.made_at) for entry in server().tables.games()],
    )


@games.get("/games/new")
def new() -> str:
    """Ask who plays."""
    require_host()
    return _form(_empty(), game=None)


@games.post("/games")
def make() -> BaseResponse | tuple[str, int]:
    """Begin a game."""
    require_host()
    spec = server().board
    try:
        made = Made(
            name=request.form.get("name", "").strip() or _usual_name(),
            board=spec.name,
            colors=spec.discs.colors,
            numbers=spec.discs.numbers,
            players=_players(request.form),
            first=_first(request.form),
            rounds=_rounds(request.form),
        )
        game_id = server().tables.make(made)
    except (ValidationError, RuleError, ValueError) as error:
        return _form(request.form, game=None, mistake=_mistake(error)), 422
    # without a camera the table's screen shows the codes where the board will be
    first = "screen.table" if server().live is None else "join.codes"
    return redirect(url_for(first, game_id=game_id), 303)


@games.get("/games/<game_id>/setup")
def setup(game_id: str) -> str:
    """Show who plays, to be changed."""
    require_host()
    game = server().tables.game(game_id)
    return _form(_filled(game), game=game, game_id=game_id)


@games.post("/games/<game_id>/setup")
def change(game_id: str) -> BaseResponse | tuple[str, int]:
    """Change who plays."""
    require_host()
    game = server().tables.game(game_id)
    try:
        seated = Seated(
            players=_players(request.form),
            first=_first(request.form),
            rounds=_rounds(request.form),
        )
        server().tables.act(game_id, HOST, seated, action_id=action_id(request.form))
    except (ValidationError, SonoraError, ValueError) as error:
        return _form(request.form, game=game, game_id=game_id, mistake=_mistake(error)), 422
    return redirect(url_for("screen.table", game_id=game_id), 303)


def _listed(game_id: str, name: str, made_at: datetime) -> Listed:
    try:
        game = server().tables.game(game_id)
    except SonoraError as error:
        return Listed(
            id=game_id, name=name, made_at=made_at, game=None, chips=(), words=told(error)
        )
    where = (
        gettext("over, %(rounds)s rounds", rounds=len(game.past))
        if game.over
        else gettext("round %(number)s of %(rounds)s", number=game.now.number, rounds=game.rounds)
    )
    return Listed(
        id=game_id,
        name=name,
        made_at=made_at,
        game=game,
        chips=tuple(chip(color) for color in game.playing),
        words=f"{where}; " + ", ".join(player.name for player in game.players),
    )


def _form(
    values: MultiDict[str, str], *, game: Game | None, game_id: str = "", mistake: str = ""
) -> str:
    colors = server().board.discs.colors if game is None else game.colors
    return render_template(
        "table/setup.html",
        values=values,
        game=game,
        game_id=game_id,
        mistake=mistake,
        colors=colors,
        fixed=game is not None and bool(game.past or game.phase != "play" or game.now.bullseyes),
        seats=range(SEATS),
        rounds=range(1, ROUNDS_MAX + 1),
        usual=_usual_name(),
        action=secrets.token_urlsafe(9),
    )


def _empty() -> MultiDict[str, str]:
    """Return a form for two players who face each other."""
    colors = server().board.discs.colors
    values = MultiDict({"rounds": str(ROUNDS_USUAL), "first": "0"})
    step = SEATS // _PLAYERS_USUAL
    for place, color in enumerate(colors[:_PLAYERS_USUAL]):
        values[f"color{place * step}"] = color
    return values


def _filled(game: Game) -> MultiDict[str, str]:
    values = MultiDict({"rounds": str(game.rounds)})
    for player in game.players:
        values[f"color{player.seat}"] = player.color
        values[f"name{player.seat}"] = player.name
        if player.color == game.first:
            values["first"] = str(player.seat)
    return values


def _players(form: MultiDict[str, str]) -> tuple[Player, ...]:
    return tuple(
        Player(
            color=color,
            name=form.get(f"name{seat}", "").strip() or upfirst(terms.color(color)),
            seat=seat,
        )
        for seat in range(SEATS)
        if (color := form.get(f"color{seat}", ""))
    )


def _first(form: MultiDict[str, str]) -> str:
    """Return the color of whoever begins: the chosen seat, else the first that is taken."""
    chosen = form.get(f"color{form.get('first', '')}", "")
    taken = [color for seat in range(SEATS) if (color := form.get(f"color{seat}", ""))]
    return chosen or (taken[0] if taken else "")


def _rounds(form: MultiDict[str, str]) -> int:
    return int(form.get("rounds", ""))


def _mistake(error: Exception) -> str:
    """Say what is wrong with a form, to whoever filled it in."""
    if isinstance(error, SonoraError):
        return told(error)
    return gettext(
        "One to four players, a name of at most 40 letters each, and a number of rounds."
    )


def _usual_name() -> str:
    return gettext("Game of %(date)s", date=day(datetime.now().astimezone()))[:40]
