"""The numbers of rules.toml as one frozen value."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

Places = tuple[tuple[str, ...], ...]
"""The names of the rewards that each place gets, best place first."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Numbers of the rulebook; the headings stand in rules.toml."""

    players: tuple[int, int]
    quests: int
    ships: int
    regular_tokens: int
    special_tokens: int
    removed: Mapping[int, int]
    revealed: Mapping[int, int]
    last_gets_special: tuple[int, ...]
    hand: int
    bids: int
    tokens: Mapping[int, int]
    """How many regular tokens there are of each value."""
    alone: Places
    two: Places
    more: Places
    special_hand: int
    skyborne_best: int


@cache
def rules() -> Rules:
    """Read rules.toml once."""
    text = files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    book = tomllib.loads(text)
    parts, setup, quest = book["Components"], book["Setup"], book["Resolving a Quest"]
    strip, limits = book["Bid Token Distribution"], book["Special Token Limits"]
    return Rules(
        players=(book["Overview"]["players"][0], book["Overview"]["players"][1]),
        **parts,
        removed=_by_players(setup["removed"]),
        revealed=_by_players(setup["revealed"]),
        last_gets_special=tuple(setup["last_gets_special"]),
        hand=book["Gameplay"]["hand"],
        bids=book["Gameplay"]["bids"],
        tokens=MappingProxyType(dict(zip(strip["values"], strip["counts"], strict=True))),
        alone=_places(quest["alone"]),
        two=_places(quest["two"]),
        more=_places(quest["more"]),
        special_hand=limits["hand"],
        skyborne_best=limits["skyborne_best"],
    )


def _by_players(table: Mapping[str, int]) -> Mapping[int, int]:
    return MappingProxyType({int(players): count for players, count in table.items()})


def _places(lists: list[list[Any]]) -> Places:
    return tuple(tuple(rewards) for rewards in lists)
