"""The rules of a game night: which event may follow which state, and what it makes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sonora_vision.errors import RuleError, SonoraError
from sonora_vision.observation import Disc, Missing
from sonora_vision.reading_file import disc_from_json, reading_from_json
from sonora_vision.table.discs import Tabletop, tabletop
from sonora_vision.table.events import (
    SECTIONS,
    Bullseye,
    CodesRenewed,
    Event,
    Finished,
    Logged,
    Made,
    NextRound,
    Player,
    Ready,
    Recorded,
    Repaired,
    Seated,
    Settled,
    Swapped,
    Ticked,
    Undone,
)
from sonora_vision.table.game import Game, Round
from sonora_vision.table.undo import Standing, undone_in


def begin(made: Made, seq: int = 1) -> Game:
    """Return a game before its first flick; raises `RuleError` for one that cannot be played."""
    _check_seats(made.players, made.first, made.colors)
    return Game(
        name=made.name,
        board=made.board,
        colors=made.colors,
        numbers=made.numbers,
        players=made.players,
        first=made.first,
        rounds=made.rounds,
        now=Round(number=1, began=seq),
        seq=seq,
    )


def fold(log: Iterable[Logged]) -> Game:
    """Return the game that a log tells of.

    Raises
    ------
    RuleError
        If an event cannot happen, naming it; or the log is empty or begins otherwise.
    """
    entries = list(log)
    if not entries or not isinstance(entries[0].event, Made):
        raise RuleError("log: expected the making of a game as the first event")
    undone = undone_in(entries)
    game = begin(entries[0].event, entries[0].seq)
    standing = Standing(entries[:1])
    for entry in entries[1:]:
        try:
            if isinstance(entry.event, Undone):
                standing.check(entry.event.seq)
                game = replace(game, seq=entry.seq)
            elif entry.seq in undone:
                game = replace(_without(game, entry.event), seq=entry.seq)
            else:
                game = after(game, entry.event, entry.seq)
        except SonoraError as error:
            raise RuleError(f"event {entry.seq}: {error}") from None
        standing.add(entry)
    return game


def _without(game: Game, event: Event) -> Game:
    """Return the game after an event that is undone later on.

    A disc that was added keeps its place, empty, so that those added after it keep theirs.
    """
    table = game.now.table
    if not isinstance(event, Repaired) or event.disc is not None or table is None:
        return game
    return replace(game, now=replace(game.now, table=replace(table, places=(*table.places, None))))


def after(game: Game, event: Event, seq: int) -> Game:
    """Return the game after one event; undoing is done by `fold`.

    Raises
    ------
    RuleError
        If the event cannot happen now, in words for the player who tried.
    """
    changed = _after(game, event, seq)
    return replace(changed, seq=seq)


def _after(game: Game, event: Event, seq: int) -> Game:
    match event:
        case Made():
            raise RuleError("this game was begun already")
        case Seated():
            return _seated(game, event)
        case CodesRenewed():
            return replace(game, codes=game.codes + 1)
        case NextRound():
            return _next_round(game, seq)
        case Undone():
            raise RuleError("undoing is a matter of the whole log")
        case _:
            if game.over:
                raise RuleError("the game is over")
            return replace(game, now=_in_round(game, event, seq))


def _in_round(game: Game, event: Event, seq: int) -> Round:
    now = game.now
    match event:
        case Recorded():
            if game.phase == "write":
                raise RuleError("the round is being written down; undo that first")
            reading = reading_from_json(event.reading, "reading")
            if reading.board != game.board:
                raise RuleError(f"reading: expected the board {game.board}, got {reading.board}")
            _check_discs(game, (*reading.discs, *reading.missing))
            table = tabletop(reading, now.bullseyes)
            return Round(
                number=now.number, began=now.began, bullseyes=now.bullseyes,
                recorded=seq, picture=event.picture, reading=reading, table=table,
            )  # fmt: skip
        case Bullseye():
            return _bullseye(game, event)
        case Repaired():
            return _repaired(game, event)
        case Settled():
            table = _settling(game)
            if table.place(event.disc).disc.color != event.color or event.color in game.playing:
                _own(game, event.color)  # else: a disc that nobody plays, by somebody's word
            _check_number(game, event.number)
            return replace(now, table=table.settled(event))
        case Swapped():
            table = _settling(game)
            _own(game, event.color)
            swapped = table.swapped(event.color, event.number, event.other)
            return replace(now, table=swapped, swaps=(*now.swaps, event))
        case Ready():
            _settling(game)
            _own(game, event.color)
            if game.open_discs(event.color):
                raise RuleError("settle your open discs first; repair one that is there twice")
            return replace(now, ready=now.ready | {event.color})
        case Ticked():
            return _ticked(game, event)
        case Finished():
            _writing(game, event.color)
            left = [s for s in game.due(event.color) if (event.color, s) not in now.ticked]
            if left:
                raise RuleError(f"record {left[0]} first")
            return replace(now, finished=now.finished | {event.color})
        case _:
            raise RuleError(f"{event.kind}: not an event of a round")


def _seated(game: Game, event: Seated) -> Game:
    _check_seats(event.players, event.first, game.colors)
    colors = tuple(player.color for player in event.players)
    begun = game.past or game.phase != "play" or game.now.bullseyes
    if begun and (colors != game.playing or event.first != game.first):
        raise RuleError("colors and first player stay once a round was read; names may change")
    if game.over and event.rounds != game.rounds:
        raise RuleError("rounds: the game is over; undo its end to play on")
    if event.rounds < game.now.number:
        raise RuleError(f"rounds: this is round {game.now.number} already")
    return replace(game, players=event.players, first=event.first, rounds=event.rounds)


def _next_round(game: Game, seq: int) -> Game:
    if game.phase != "write" or not game.now.finished >= set(game.playing):
        raise RuleError("the round goes on until everyone has finished writing")
    past = (*game.past, game.now)
    if game.now.number >= game.rounds:
        return replace(game, past=past, over=True)
    return replace(game, past=past, now=Round(number=game.now.number + 1, began=seq))


def _repaired(game: Game, event: Repaired) -> Round:
    table = _settling(game)
    disc = None if event.now is None else disc_from_json(event.now, "disc")
    changed = table.repaired(event.disc, disc)
    concerned = set()
    if event.disc is not None:
        concerned.add(table.place(event.disc).now.color)
    if disc is not None:
        _check_discs(game, [disc])
        concerned.add(disc.color)
    now = replace(game.now, table=changed)
    seen = replace(game, now=now)
    ready = (c for c in now.ready if c not in concerned and not seen.open_discs(c))
    return replace(now, ready=frozenset(ready))


def _bullseye(game: Game, event: Bullseye) -> Round:
    now = game.now
    _own(game, event.color)
    _check_number(game, event.number)
    if event.color in now.ready:
        raise RuleError("you are ready already; undo that first")
    others = tuple(b for b in now.bullseyes if (b.color, b.number) != (event.color, event.number))
    bullseyes = (*others, event)
    if now.table is None:
        return replace(now, bullseyes=bullseyes)
    there = [
        (index, place.now)
        for index, place in enumerate(now.table.places)
        if place is not None and (place.now.color, place.now.number) == (event.color, event.number)
    ]
    if any(disc.state != "in_hole" for _, disc in there):
        raise RuleError(f"Bullseye!: {event.color} {event.number} lies on the board")
    table = now.table
    for index, _ in there:
        table = table.repaired(index, None)
    return replace(now, bullseyes=bullseyes, table=replace(table, bullseyes=bullseyes))


def _ticked(game: Game, event: Ticked) -> Round:
    _writing(game, event.color)
    now, key = game.now, (event.color, event.section)
    if event.section not in game.due(event.color):
        raise RuleError(f"there is nothing to record in {event.section}")
    if not event.done:
        return replace(now, ticked=now.ticked - {key}, finished=now.finished - {event.color})
    turn = game.ruins_turn
    if event.section == "ruins" and turn != event.color:
        raise RuleError(f"Cliff-Dweller Ruins: {turn} records first")
    if event.section != "ruins" and turn is not None:
        raise RuleError("Cliff-Dweller Ruins are recorded by all before any other section")
    return replace(now, ticked=now.ticked | {key})


def _settling(game: Game) -> Tabletop:
    """Return the table, where it may be changed now."""
    if game.now.table is None:
        raise RuleError("the board of this round is not read yet")
    if game.phase != "settle":
        raise RuleError("the round is being written down; undo a 'ready' first")
    return game.now.table


def _writing(game: Game, color: str) -> None:
    _own(game, color)
    if game.phase != "write":
        raise RuleError("writing begins when everyone is ready")


def _own(game: Game, color: str) -> None:
    game.player(color)
    if game.phase == "settle" and color in game.now.ready:
        raise RuleError("you are ready already; undo that first")


def _check_number(game: Game, number: int | None) -> None:
    if number is not None and number not in game.numbers:
        raise RuleError(f"there is no disc of {number}; they are {_listed(game.numbers)}")


def _check_discs(game: Game, discs: Iterable[Disc | Missing]) -> None:
    """Refuse discs that this game has none of."""
    for disc in discs:
        _check_number(game, disc.number)
        if disc.color not in game.colors:
            raise RuleError(f"no disc is {disc.color}; they are {_listed(game.colors)}")
        if isinstance(disc, Disc) and not set(disc.sections) <= set(SECTIONS):
            raise RuleError(
                f"{disc.color} {disc.number}: expected sections of {_listed(SECTIONS)}, "
                f"got {_listed(disc.sections)}"
            )


def _listed(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values)


def _check_seats(players: tuple[Player, ...], first: str, colors: tuple[str, ...]) -> None:
    mine = [player.color for player in players]
    seats = [player.seat for player in players]
    if len(set(mine)) < len(mine) or not set(mine) <= set(colors):
        raise RuleError(f"players: expected different colors of {', '.join(colors)}")
    if sorted(set(seats)) != seats:
        raise RuleError("players: expected each in a seat of their own, in the order of the seats")
    if first not in mine:
        raise RuleError(f"first: expected one of {', '.join(mine)}, got {first!r}")
