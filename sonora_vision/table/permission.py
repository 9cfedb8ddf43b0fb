"""Who may do what: the host everything, a player what concerns their own discs."""

from __future__ import annotations

from sonora_vision.errors import SonoraError
from sonora_vision.table.events import (
    HOST,
    Bullseye,
    Event,
    Finished,
    Logged,
    Ready,
    Repaired,
    Settled,
    Swapped,
    Ticked,
    Undone,
)
from sonora_vision.table.game import Game


class ForbiddenError(SonoraError):
    """The actor may not do that."""


def check(game: Game, log: list[Logged], actor: str, event: Event) -> None:
    """Refuse an event that is not the actor's to make happen.

    Raises
    ------
    ForbiddenError
        Saying whose it is.
    """
    if actor == HOST:
        return
    if actor not in game.playing:
        raise ForbiddenError(f"nobody plays {actor} in this game")
    match event:
        case Settled():
            _own_disc(game, actor, event.disc)
            if event.color != actor and event.color in game.playing:
                raise ForbiddenError(f"that is for {event.color} to do; you play {actor}")
        case Bullseye() | Swapped() | Ready() | Ticked() | Finished():
            if event.color != actor:
                raise ForbiddenError(f"that is for {event.color} to do; you play {actor}")
        case Repaired():
            _own_disc(game, actor, event.disc)
            if event.now is not None and event.now.get("color") != actor:
                raise ForbiddenError(f"you play {actor}; the host repairs other discs")
        case Undone():
            made = next((entry for entry in log if entry.seq == event.seq), None)
            if made is None or made.actor != actor:
                raise ForbiddenError("you may undo what you did yourself")
        case _:
            raise ForbiddenError("that is for the table's host to do")


def _own_disc(game: Game, actor: str, index: int | None) -> None:
    """Refuse to touch a disc that is another player's for certain, or by their own word."""
    table = game.now.table
    if index is None or table is None:
        return
    place = table.place(index)
    if place.disc.color != actor and "color" not in place.disc.doubts:
        raise ForbiddenError(f"that disc is {place.disc.color}'s; you play {actor}")
    said = place.settled
    if said is not None and said.color != actor and said.color in game.playing:
        raise ForbiddenError(f"that disc is {said.color}'s; you play {actor}")
