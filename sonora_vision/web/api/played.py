"""A game as it is played: its state, what happens in it, its rounds once more."""

from __future__ import annotations

from flask import Response, abort, jsonify

from sonora_vision.reading_file import reading_to_json
from sonora_vision.table.game import Game, Round
from sonora_vision.table.judge import Put as Placed
from sonora_vision.web.api.formats import AllocationFormat, ReadingFormat
from sonora_vision.web.api.models import Act, GameState, RepairAct, RoundList, RoundState
from sonora_vision.web.api.operation import operation
from sonora_vision.web.api.states import game_state, round_state
from sonora_vision.web.door.access import require_seat
from sonora_vision.web.server import server
from sonora_vision.web.table.repairs import put_right


@operation("GET", "/games/<game_id>", answer=GameState)
def get_game(game_id: str) -> GameState:
    """Tell how a game stands."""
    return game_state(game_id, _game(game_id))


@operation("POST", "/games/<game_id>/acts", answer=GameState, body=Act, faults=(409,))
def act(game_id: str, body: Act) -> GameState:
    """Let something happen: for the host anything, for a player what is their own.

    409 where the rules do not allow it now.
    """
    asking = require_seat(game_id)
    game = server().tables.act(game_id, asking.actor, body.event, action_id=body.action_id or "")
    return game_state(game_id, game)


@operation("POST", "/games/<game_id>/repairs", answer=GameState, body=RepairAct, faults=(409,))
def repair(game_id: str, body: RepairAct) -> GameState:
    """Put a disc right, add one or take one away.

    Where it lies is told in the board's frame; what it counts for there is ruled by the table.
    """
    asking = require_seat(game_id)
    put = body.put
    placed = (
        None
        if put is None
        else Placed(
            color=put.color,
            number=put.number,
            center_mm=(put.x_mm, put.y_mm),
            state=put.state,
            checked=False,
        )
    )
    game = put_right(
        game_id, asking.actor, body.disc, placed, of=body.of, action_id=body.action_id or ""
    )
    return game_state(game_id, game)


@operation("GET", "/games/<game_id>/rounds", answer=RoundList)
def list_rounds(game_id: str) -> RoundList:
    """Tell all rounds so far, the present one last."""
    game = _game(game_id)
    return RoundList(rounds=[round_state(game_id, game, each) for each in _rounds(game)])


@operation("GET", "/games/<game_id>/rounds/<int:number>", answer=RoundState)
def get_round(game_id: str, number: int) -> RoundState:
    """Tell one round."""
    game = _game(game_id)
    return round_state(game_id, game, _round(game, number))


@operation("GET", "/games/<game_id>/rounds/<int:number>/reading", answer=ReadingFormat)
def get_reading(game_id: str, number: int) -> Response:
    """Send a round's reading as its file."""
    reading = _round(_game(game_id), number).reading
    if reading is None:
        abort(404, "this round is not read yet")
    return jsonify(reading_to_json(reading))


@operation("GET", "/games/<game_id>/rounds/<int:number>/allocation", answer=AllocationFormat)
def get_allocation(game_id: str, number: int) -> Response:
    """Send what everyone records in a round, as its file."""
    game = _game(game_id)
    allocation = game.allocation(_round(game, number))
    if allocation is None:
        abort(404, "this round is not read yet")
    return jsonify(allocation.to_json())


def _game(game_id: str) -> Game:
    require_seat(game_id)
    return server().tables.game(game_id)


def _rounds(game: Game) -> tuple[Round, ...]:
    """Return all rounds; when the game is over, the last one is among those of the past."""
    return game.past if game.over else (*game.past, game.now)


def _round(game: Game, number: int) -> Round:
    for each in _rounds(game):
        if each.number == number:
            return each
    abort(404, "there is no such round yet")
