"""What people might tap in a game's present state: mostly sensible, now and then anything."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from sonora_vision.reading_file import disc_to_json
from sonora_vision.table.events import (
    HOST,
    SECTIONS,
    Bullseye,
    CodesRenewed,
    Event,
    Finished,
    NextRound,
    Player,
    Ready,
    Repaired,
    Seated,
    Settled,
    Swapped,
    Ticked,
    Undone,
)
from sonora_vision.table.game import Game
from tests.builders import disc
from tests.table.night import recorded

_LINES = (
    "red: 1@ruins 2@fox | blue: 3@creek 4@mudcracks",
    "red: 1@ruins/creek 5@hole 2@owl?number | blue: 1@lizard 3@fox/owl 4@off",
    "red: 1@ruins?zone 4@canyon 5@creek | blue: ?@creek 2@rabbit | green: 3@creek?color",
)


def tap(game: Game, random: Random) -> tuple[str, Event]:
    """Choose who does what next."""
    if random.random() < 0.2:
        return random.choice((HOST, *game.colors)), _anything(game, random)
    color = random.choice(game.playing)
    if game.phase == "play":
        event = (
            _anything(game, random) if random.random() < 0.4 else recorded(random.choice(_LINES))
        )
        return HOST, event
    if game.phase == "settle":
        return random.choice((HOST, color)), _settling(game, color, random)
    if game.phase == "write":
        return color if random.random() < 0.6 else HOST, _writing(game, color)
    return HOST, Undone(seq=game.seq)


def _settling(game: Game, color: str, random: Random) -> Event:
    table = game.now.table
    assert table is not None
    waiting = game.open_discs(color)
    if waiting and random.random() < 0.7:
        index = random.choice(waiting)
        there = table.place(index).disc
        return Settled(
            disc=index, color=color, number=there.number or random.randint(1, 5),
            section=random.choice(there.sections or (None,)),  # type: ignore[arg-type]
            on_multiplier=random.random() < 0.3,
        )  # fmt: skip
    mine = [each.number for each in table.discs if each.color == color and each.number]
    if len(mine) > 1 and random.random() < 0.4:
        number, other = random.sample(mine, 2)
        return Swapped(color=color, number=number, other=other)
    there_are = [at for at, place in enumerate(table.places) if place is not None]
    if there_are and random.random() < 0.2:
        index = random.choice(there_are)
        put = replace(table.place(index).now, number=random.randint(1, 5), doubts=())
        return Repaired(disc=index, now=disc_to_json(put))
    if not waiting and random.random() < 0.6:
        return Ready(color=color)
    return _anything(game, random)


def _writing(game: Game, color: str) -> Event:
    left = [each for each in game.due(color) if (color, each) not in game.now.ticked]
    if left:
        return Ticked(color=color, section=left[0])
    if color not in game.now.finished:
        return Finished(color=color)
    return NextRound()


def _anything(game: Game, random: Random) -> Event:
    color, number = random.choice(game.playing), random.randint(1, 5)
    section = random.choice(SECTIONS)
    index = random.choice((None, *range(8)))
    put = disc(color=random.choice(game.colors), number=number, sections=(section,))
    players = tuple(
        Player(color=each, name="Any", seat=seat)
        for seat, each in enumerate(random.sample(game.playing, len(game.playing)))
    )
    events: list[Event] = [
        recorded(random.choice(_LINES)),
        Bullseye(color=color, number=number, section=section),
        Repaired(disc=index, now=disc_to_json(put)),
        Repaired(disc=None, now=disc_to_json(put)),
        Repaired(disc=index, now=None),
        Settled(disc=index or 0, color=color, number=number, section=section),
        Swapped(color=color, number=number, other=random.randint(1, 5)),
        Ready(color=color),
        Ticked(color=color, section=section, done=random.random() < 0.5),
        Finished(color=color),
        Seated(players=players, first=color, rounds=random.randint(1, 3)),
        NextRound(),
        CodesRenewed(),
        Undone(seq=random.randint(1, game.seq + 1)),
        Undone(seq=game.seq),
    ]
    return random.choice(events)
