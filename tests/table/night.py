"""Games to be played in tests: two to four players, and readings written as position lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sonora_vision.observation import Disc, Reading
from sonora_vision.reading_file import disc_to_json, reading_to_json
from sonora_vision.score.sonora.position import parse_position
from sonora_vision.table.events import (
    HOST,
    Finished,
    Made,
    Player,
    Ready,
    Recorded,
    Section,
    Ticked,
)
from sonora_vision.table.tables import Tables
from tests.builders import reading

COLORS = ("red", "blue", "green", "yellow")


def made(*colors: str, first: str | None = None, rounds: int = 5, name: str = "Friday") -> Made:
    """A game of these colors, in the order of their seats."""
    colors = colors or ("red", "blue")
    players = tuple(
        Player(color=color, name=color.title(), seat=seat) for seat, color in enumerate(colors)
    )
    return Made(
        name=name, board="tiny", colors=COLORS, numbers=(1, 2, 3, 4, 5),
        players=players, first=first or colors[0], rounds=rounds,
    )  # fmt: skip


def read(line: str) -> Reading:
    """A reading of the discs in a position line, far apart from each other."""
    position = parse_position(line)
    discs = tuple(
        Disc(
            color=spot.color, number=spot.number, state=spot.state, via=spot.via,
            sections=spot.sections, doubts=spot.doubts, center_mm=(10.0 * at, 5.0),
            sigma_mm=0.2, top_px=(100.0 * at, 50.0), margin_mm=5.0, p=0.6 if spot.doubts else 0.99,
        )
        for at, spot in enumerate(position.discs)
    )  # fmt: skip
    return replace(reading(*discs), missing=position.missing)


def recorded(line: str, *, picture: str | None = None) -> Recorded:
    """A round's reading, as an event."""
    return Recorded(reading=reading_to_json(read(line)), picture=picture)


def disc_json(disc: Disc, **changes: Any) -> dict[str, Any]:
    """A disc of a reading, changed, as a repair sends it."""
    return disc_to_json(replace(disc, **changes))


def write_down(tables: Tables, game_id: str) -> None:
    """Let everyone be ready, tick what is due and finish."""
    for color in tables.game(game_id).playing:
        if color not in tables.game(game_id).now.ready:
            tables.act(game_id, color, Ready(color=color))
    while (turn := tables.game(game_id).ruins_turn) is not None:
        tables.act(game_id, turn, Ticked(color=turn, section="ruins"))
    for color in tables.game(game_id).playing:
        others: list[Section] = [s for s in tables.game(game_id).due(color) if s != "ruins"]
        for section in others:
            tables.act(game_id, color, Ticked(color=color, section=section))
        tables.act(game_id, color, Finished(color=color))


def begun(tables: Tables, line: str, *colors: str, first: str | None = None) -> str:
    """A game whose first round was read."""
    game_id = tables.make(made(*colors, first=first))
    tables.act(game_id, HOST, recorded(line))
    return game_id
