"""Games as the API tells of them."""

from __future__ import annotations

from flask import url_for

from sonora_vision.reading_file import disc_to_json, reading_to_json
from sonora_vision.table.game import Game, Round
from sonora_vision.web.api.formats import AllocationFormat, DiscFormat, ReadingFormat
from sonora_vision.web.api.models import GameState, PlaceState, RoundState, SectionTick


def game_state(game_id: str, game: Game) -> GameState:
    """Return a game as it is now."""
    return GameState(
        id=game_id,
        name=game.name,
        board=game.board,
        seq=game.seq,
        phase=game.phase,
        rounds=game.rounds,
        first=game.first,
        players=list(game.players),
        open={color: list(game.open_discs(color)) for color in game.playing},
        due={color: list(game.due(color)) for color in game.playing},
        ruins_turn=game.ruins_turn,
        round=round_state(game_id, game, game.now),
    )


def round_state(game_id: str, game: Game, round_: Round) -> RoundState:
    """Return one round of a game."""
    table = round_.table
    allocation = game.allocation(round_)
    return RoundState(
        number=round_.number,
        order=list(game.order(round_.number)),
        recorded=round_.recorded,
        reading=None
        if round_.reading is None
        else ReadingFormat.model_validate(reading_to_json(round_.reading)),
        discs=[
            PlaceState(
                index=index,
                disc=DiscFormat.model_validate(disc_to_json(place.disc)),
                open=place.open,
                repaired=place.repaired,
                settled=place.settled,
            )
            for index, place in enumerate(() if table is None else table.places)
            if place is not None
        ],
        bullseyes=list(round_.bullseyes),
        swaps=list(round_.swaps),
        ready=sorted(round_.ready),
        ticked=[SectionTick(color=c, section=s) for c, s in sorted(round_.ticked)],
        finished=sorted(round_.finished),
        allocation=None
        if allocation is None
        else AllocationFormat.model_validate(allocation.to_json()),
        board_image=None if round_.picture is None else _image(game_id, game, round_),
    )


def _image(game_id: str, game: Game, round_: Round) -> str:
    if round_.number == game.now.number:
        return url_for("screen.board_picture", game_id=game_id, size="screen")
    return url_for("replay.past_picture", game_id=game_id, number=round_.number, size="screen")
