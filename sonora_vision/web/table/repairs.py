"""Repairs of a round: a disc put right by hand, what was put right so far, and by whom."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.errors import RuleError, SonoraError
from sonora_vision.observation import Disc
from sonora_vision.reading_file import disc_from_json, disc_to_json
from sonora_vision.table.events import HOST, Logged, Repaired
from sonora_vision.table.game import Game
from sonora_vision.table.judge import Put, judge, onto_the_line, top_px
from sonora_vision.table.pictures import NoPictureError
from sonora_vision.table.undo import undone_in
from sonora_vision.web.server import server
from sonora_vision.web.table.evidence import disc_words, rectified
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext

_MOVED_MM = 0.05
"""A shorter way is not told as a move: it is less than one step of a key."""


class ReadAgainError(SonoraError):
    """The round was read again since the page was opened; its discs are others now."""


@dataclass(frozen=True, kw_only=True)
class Repair:
    """One repair of this round that still holds."""

    seq: int
    words: str
    who: str
    mine: bool
    """Whether who is asking may undo it."""


def judged(game: Game, index: int | None, put: Put, *, line: bool = False) -> Disc:
    """Rule on a disc of this round's reading where somebody puts it.

    Parameters
    ----------
    index : int or None
        Its place; None for one that is added.
    line : bool
        Put it exactly on the line that decides about it, where one is near.

    Raises
    ------
    RuleError
        If there is no such disc, or it cannot be put there.
    """
    board = server().board
    before = None if index is None or game.now.table is None else game.now.table.place(index).disc
    disc = judge(put, board, before)
    if line:
        place = onto_the_line(disc, board)
        if place is None:
            raise RuleError(gettext("no line is near enough to put the disc on"))
        disc = judge(replace(put, center_mm=place, checked=True), board, before)
    return replace(disc, top_px=_face_px(game, board, disc))


def put_right(
    game_id: str,
    actor: str,
    index: int | None,
    put: Put | None,
    *,
    of: int,
    line: bool = False,
    action_id: str = "",
) -> Game:
    """Put a disc right, add one (no index) or take one away (nothing put), and write it down.

    Parameters
    ----------
    of : int
        The reading that was looked at: the number of the event that recorded it.
    action_id : str
        The same for a repair that is sent again; it then happens once.

    Raises
    ------
    ReadAgainError
        If the round goes by another reading now.
    RuleError, ForbiddenError, NoGameError
        If it cannot be, or is not the actor's to do.
    """
    tables = server().tables
    game = tables.game(game_id)
    if action_id and tables.store.done(game_id, action_id) is not None:
        return game  # the answer was lost; what is judged anew now may differ by a hair
    if of != (game.now.recorded or 0):
        raise ReadAgainError(gettext("The board was read again. Look at the new picture."))
    now = None if put is None else disc_to_json(judged(game, index, put, line=line))
    return tables.act(game_id, actor, Repaired(disc=index, now=now), action_id=action_id)


def repairs(game: Game, log: list[Logged], actor: str) -> list[Repair]:
    """Return this round's repairs that hold, newest first."""
    names = {player.color: player.name for player in game.players}
    told = [
        Repair(
            seq=entry.seq,
            words=words,
            who=names.get(entry.actor, "") or gettext("The host"),
            mine=actor in (HOST, entry.actor),
        )
        for entry, words in _told(game, log)
    ]
    return told[::-1]


def twins(game: Game) -> list[str]:
    """Name the discs that are on the table twice, of which a box holds one."""
    if game.now.table is None or not server().board.discs.each_once:
        return []
    twice = [(color, number) for color, number in game.now.table.twice if number is not None]
    return [terms.disc(color, number) for color, number in sorted(twice)]


def _told(game: Game, log: list[Logged]) -> Iterator[tuple[Logged, str]]:
    """Go through this round's repairs, and say of each that holds what it changed."""
    if game.now.reading is None or game.now.recorded is None:
        return
    undone = undone_in(log)
    discs: list[Disc | None] = list(game.now.reading.discs)
    for entry in log[game.now.recorded :]:
        if not isinstance(entry.event, Repaired):
            continue
        index, said, holds = entry.event.disc, entry.event.now, entry.seq not in undone
        now = disc_from_json(said, "disc") if holds and said is not None else None
        before = None if index is None else discs[index]
        if index is None:
            discs.append(now)
        elif holds:
            discs[index] = now
        if holds:
            yield entry, _words(before, now)


def _words(before: Disc | None, now: Disc | None) -> str:
    board = server().board
    if now is None:
        return gettext(
            "%(disc)s taken away", disc="" if before is None else disc_words(board, before)
        )
    name = disc_words(board, now)
    if before is None:
        return gettext("%(disc)s added", disc=name)
    changes = []
    if (before.color, before.number) != (now.color, now.number):
        changes.append(gettext("was %(disc)s", disc=disc_words(board, before)))
    moved = math.dist(before.center_mm, now.center_mm)
    if moved >= _MOVED_MM:
        changes.append(gettext("moved by %(mm)s mm", mm=f"{moved:.1f}"))
    if before.state != now.state:
        changes.append(terms.lies(now) or gettext("flat"))
    return f"{name}: {', '.join(changes) or gettext('its place was checked')}"


def _face_px(game: Game, board: BoardSpec, disc: Disc) -> tuple[float, float]:
    if game.now.reading is None:
        return disc.top_px
    try:
        camera_mm = rectified(game.now).camera_mm
    except NoPictureError:
        camera_mm = None
    return top_px(game.now.reading, board, disc, camera_mm)
