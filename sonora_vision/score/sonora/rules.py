"""The numbers of rules.toml as one frozen value."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Numbers of the rulebook; the headings stand in rules.toml."""

    sections: tuple[str, ...]
    animals: Mapping[str, str]
    """Section that each animal's circle counts for."""
    value_factor: int
    disc_count: int
    rounds: Mapping[str, int]
    discs_a_turn: tuple[int, ...]
    solo_colors: int


@cache
def rules() -> Rules:
    """Read rules.toml once."""
    text = files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    book = tomllib.loads(text)
    circles, flick = book["Multiplier Circles"], book["The Flick Phase"]
    return Rules(
        sections=tuple(sorted(book["Desert Zones"]["sections"])),
        animals=MappingProxyType(circles["animals"]),
        value_factor=circles["value_factor"],
        disc_count=circles["disc_count"],
        rounds=MappingProxyType(book["Gameplay"]["rounds"]),
        discs_a_turn=tuple(flick["discs_a_turn"]),
        solo_colors=book["Solo Mode"]["colors"],
    )
