"""Repairs of a round: a disc put right by hand, what was put right so far, and by whom."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.errors import RuleError, SonoraError
from sonora_vision.observation import Disc
from sonora_vision.reading_file import disc_from_json, disc_to_json
from sonora_vision.table.events import HOST, Logged, Recorded, Repaired, Undone
from sonora_vision.table.fold import after, fold
from sonora_vision.table.game import Game
from sonora_vision.table.judge import Put, judge, onto_the_line, top_px
from sonora_vision.table.pictures import NoPictureError
from sonora_vision.web import terms
from sonora_vision.web.language import gettext
from sonora_vision.web.server import server
from sonora_vision.web.table.evidence import disc_words, rectified

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


def recorded_seq(game: Game, log: list[Logged]) -> int:
    """Return the number of the reading that this round goes by; 0 before there is one."""
    return max((e.seq for e in _holding(log) if isinstance(e.event, Recorded)), default=0) * (
        game.now.table is not None
    )


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
        The reading that was looked at, as `recorded_seq` names it.
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
    game, log = tables.game(game_id), tables.log(game_id)
    if of != recorded_seq(game, log):
        raise ReadAgainError(gettext("The board was read again. Look at the new picture."))
    now = None if put is None else disc_to_json(judged(game, index, put, line=line))
    return tables.act(game_id, actor, Repaired(disc=index, now=now), action_id=action_id)


def repairs(game: Game, log: list[Logged], actor: str) -> list[Repair]:
    """Return this round's repairs that hold, newest first."""
    began = recorded_seq(game, log)
    if not began:
        return []
    names = {player.color: player.name for player in game.players}
    told = [
        Repair(
            seq=entry.seq,
            words=words,
            who=names.get(entry.actor, "") or gettext("The host"),
            mine=actor in (HOST, entry.actor),
        )
        for entry, words in _told(log, began)
    ]
    return told[::-1]


def twins(game: Game) -> list[str]:
    """Name the discs that are on the table twice, of which a box holds one."""
    board = server().board
    if game.now.table is None or not board.discs.each_once or not board.discs.numbers:
        return []
    there = [(disc.color, disc.number) for disc in game.now.table.discs if disc.number is not None]
    return [terms.disc(c, n) for c, n in dict.fromkeys(there) if there.count((c, n)) > 1]


def _told(log: list[Logged], began: int) -> Iterator[tuple[Logged, str]]:
    """Go through a round's events, and say of each repair what it changed."""
    holding = _holding(log)
    game = fold([entry for entry in log if entry.seq <= began])
    for entry in holding:
        if entry.seq <= began:
            continue
        if isinstance(entry.event, Repaired) and game.now.table is not None:
            index = entry.event.disc
            before = None if index is None else game.now.table.place(index).disc
            now = None if entry.event.now is None else disc_from_json(entry.event.now, "disc")
            yield entry, _words(before, now)
        game = after(game, entry.event, entry.seq)


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


def _holding(log: list[Logged]) -> list[Logged]:
    gone = {entry.event.seq for entry in log if isinstance(entry.event, Undone)}
    return [e for e in log if e.seq not in gone and not isinstance(e.event, Undone)]


def _face_px(game: Game, board: BoardSpec, disc: Disc) -> tuple[float, float]:
    if game.now.reading is None:
        return disc.top_px
    try:
        camera_mm = rectified(game.now).camera_mm
    except NoPictureError:
        camera_mm = None
    return top_px(game.now.reading, board, disc, camera_mm)
