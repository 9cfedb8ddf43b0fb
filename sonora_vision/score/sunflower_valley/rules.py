"""The numbers of rules.toml as one frozen value."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True, kw_only=True)
class Goal:
    """A goal card's numbers; what it counts is in goals.py."""

    name: str
    title: str
    competitive: bool
    points: int
    counts: str
    """What it counts, in a few words."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Numbers of the rulebook; the headings stand in rules.toml."""

    sets: int
    starting_towns: int
    set_cards: int
    goal_counts: tuple[int, ...]
    players: tuple[int, int]
    rounds: int
    hand: int
    plays_a_round: int
    valley: int
    combination: tuple[int, int]
    needs: Mapping[str, tuple[str, ...]]
    """Card types that a combination may ask for, by the type of the card that asks."""
    fields: tuple[str, ...]
    mountain: tuple[int, ...]
    lake: int
    stop: int
    zero_scores: bool
    goals: Mapping[str, Goal]


@cache
def rules() -> Rules:
    """Read rules.toml once."""
    text = files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    book = tomllib.loads(text)
    parts, setup, play = book["Components"], book["Setup"], book["Gameplay"]
    cards = book["Valley Cards and Combinations"]
    return Rules(
        sets=parts["sets"],
        starting_towns=parts["starting_towns"],
        set_cards=parts["set_cards"],
        goal_counts=tuple(setup["goals"]),
        players=(setup["players"][0], setup["players"][1]),
        rounds=play["rounds"],
        hand=play["hand"],
        plays_a_round=play["plays_a_round"],
        valley=play["valley"],
        combination=(cards["combination"][0], cards["combination"][1]),
        needs=MappingProxyType(
            {"town": tuple(cards["town_needs"]), "farmer": tuple(cards["farmer_needs"])}
        ),
        fields=tuple(cards["fields"]),
        mountain=tuple(cards["mountain"]),
        lake=cards["lake"],
        stop=book["The Valley Express"]["stop"],
        zero_scores=book["Goal Cards"]["zero_scores"],
        goals=MappingProxyType(
            {
                name: Goal(name=name, **goal)
                for name, goal in book["Goal Cards Clarification"].items()
            }
        ),
    )
