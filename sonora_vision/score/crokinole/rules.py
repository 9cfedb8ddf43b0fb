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
    """Numbers of the rules; the headings stand in rules.toml."""

    points: Mapping[str, int]
    """What a disc counts, by section; the hole's section is among them."""
    hole: str
    """Section of a disc in the hole."""


@cache
def rules() -> Rules:
    """Read rules.toml once."""
    text = files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    scoring = tomllib.loads(text)["Scoring"]
    hole = str(scoring["hole"])
    return Rules(points=MappingProxyType({hole: scoring["hole"], **scoring["points"]}), hole=hole)
