"""Games: list, begin, keep, carry; who is in them."""

from __future__ import annotations

from flask import Response, abort, url_for

from sonora_vision.table.events import Made
from sonora_vision.web.api.models import (
    GameEntry,
    GameList,
    MadeGame,
    Me,
    NewGame,
    SeatCode,
    SeatCodes,
    Token,
)
from sonora_vision.web.api.operation import operation
from sonora_vision.web.door.access import access, require_somebody
from sonora_vision.web.server import server


@operation("GET", "/me", answer=Me)
def who_am_i() -> Me:
    """Say who the program acts for."""
    found = require_somebody()
    return Me(actor=found.actor, game_id=found.game_id, color=found.color)


@operation("POST", "/tokens", answer=Token, status=201, host=True)
def make_token() -> Token:
    """Make a token with which a program acts as the host; the host alone may."""
    return Token(token=access().host_token())


@operation("GET", "/games", answer=GameList)
def list_games() -> GameList:
    """List the games, newest first: all to the host, their own to a player."""
    asking = require_somebody()
    return GameList(
        games=[
            GameEntry(id=each.id, name=each.name, made_at=each.made_at)
            for each in server().tables.games()
            if asking.host or each.id == asking.game_id
        ]
    )


@operation("POST", "/games", answer=MadeGame, status=201, body=NewGame, faults=(409,), host=True)
def make_game(body: NewGame) -> MadeGame:
    """Begin a game at this table's board; the host alone may."""
    board = server().board
    made = Made(
        name=body.name,
        board=board.name,
        colors=board.discs.colors,
        numbers=board.discs.numbers,
        players=body.players,
        first=body.first,
        rounds=body.rounds,
    )
    return MadeGame(id=server().tables.make(made))


@operation("DELETE", "/games/<game_id>", answer=None, status=204, host=True)
def delete_game(game_id: str) -> None:
    """Delete a game and its pictures for good; the host alone may."""
    server().tables.game(game_id)
    server().tables.delete(game_id)


@operation("GET", "/games/<game_id>/codes", answer=SeatCodes, host=True)
def seat_codes(game_id: str) -> SeatCodes:
    """Tell the codes of all seats; the host alone may know them."""
    game = server().tables.game(game_id)
    codes = {color: access().seat_code(game_id, game, color) for color in game.playing}
    return SeatCodes(
        codes=[
            SeatCode(color=color, code=code, path=url_for("welcome.join", code=code))
            for color, code in codes.items()
        ]
    )


@operation("GET", "/games/<game_id>/export", answer="application/zip", host=True)
def export_game(game_id: str) -> Response:
    """Send a game as one file; the host alone may."""
    return Response(server().tables.export(game_id), mimetype="application/zip")


@operation(
    "POST", "/games/import", answer=MadeGame, status=201, body=("application/zip",), host=True
)
def import_game(body: bytes) -> MadeGame:
    """Take in a game's file; the host alone may."""
    if not body:
        abort(422, "the file is empty")
    return MadeGame(id=server().tables.import_(body))
