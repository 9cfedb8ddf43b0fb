"""The numbers of rules.toml as one frozen value."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from sonora_vision.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Numbers of the rulebook; their headings stand in rules.toml."""

    sections: tuple[str, ...]
    rounds: Mapping[str, int]
    max_players: int
    disc_numbers: tuple[int, ...]
    discs_a_turn: tuple[int, ...]
    animals: Mapping[str, str]
    """Section that each animal's circle counts for."""
    value_factor: int
    disc_count: int
    buildings: int
    start_bonuses: Mapping[str, int]
    fox_shape: int
    owl_path: tuple[int, int]
    rabbit_value: int
    discovery_rabbit_value: int
    beyond_full_column: int
    solo_colors: int
    circles_a_node: int
    circle_value: int
    mudcracks_cacti: Mapping[str, int]
    """Points by size of cactus."""
    bottom_reward_bonus: bool
    columns_any_time: bool


CACTUS_SIZES = ("small", "medium", "large")


@cache
def rules(spanish: frozenset[str] = frozenset()) -> Rules:
    """Read rules.toml once.

    Parameters
    ----------
    spanish
        Names of the lines under *Editions* for which the table plays by the Spanish book.

    Raises
    ------
    UsageError
        If there is no such line.
    """
    text = files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    book = tomllib.loads(text)
    edition = _edition(book["Editions"], spanish)
    return Rules(
        sections=tuple(sorted(book["Desert Zones"]["sections"])),
        rounds=MappingProxyType(book["Gameplay"]["rounds"]),
        max_players=book["Gameplay"]["players"],
        disc_numbers=tuple(book["Gameplay"]["disc_numbers"]),
        discs_a_turn=tuple(book["The Flick Phase"]["discs_a_turn"]),
        animals=MappingProxyType(book["Multiplier Circles"]["animals"]),
        value_factor=book["Multiplier Circles"]["value_factor"],
        disc_count=book["Multiplier Circles"]["disc_count"],
        buildings=book["Cliff-Dweller Ruins"]["buildings"],
        start_bonuses=MappingProxyType(book["Flick Bonuses"]["start"]),
        fox_shape=book["Animal Bonuses"]["fox_shape"],
        owl_path=tuple(book["Animal Bonuses"]["owl_path"]),
        rabbit_value=book["Animal Bonuses"]["rabbit_value"],
        discovery_rabbit_value=book["Discovery Bonuses"]["rabbit_value"],
        beyond_full_column=book["Scoring the Canyon"]["beyond_full_column"],
        solo_colors=book["Solo Mode"]["colors"],
        circles_a_node=book["Solo Mode"]["circles_a_node"],
        circle_value=book["Solo Mode"]["circle_value"],
        mudcracks_cacti=MappingProxyType(
            dict(zip(CACTUS_SIZES, edition["mudcracks_cacti"], strict=True))
        ),
        bottom_reward_bonus=edition["bottom_reward_bonus"],
        columns_any_time=edition["columns_any_time"],
    )


def _edition(lines: Mapping[str, Mapping[str, Any]], spanish: frozenset[str]) -> dict[str, Any]:
    """Choose each line's value by book."""
    if unknown := sorted(spanish - lines.keys()):
        raise UsageError(f"rules: no line {unknown[0]!r}; the lines are {', '.join(lines)}")
    return {name: line["es" if name in spanish else "en"] for name, line in lines.items()}
