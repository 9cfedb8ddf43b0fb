"""Score sheets of typed positions, for the tests of rules."""

from __future__ import annotations

from sonora_vision.score.game import ScoreSheet
from sonora_vision.score.sunflower_valley import GAME


def sheet(line: str) -> ScoreSheet:
    return GAME.score_position(line)


def column(line: str, label: str) -> list[int]:
    """Every player's value in one column."""
    return [
        row.value for player in sheet(line).players for row in player.rows if row.label == label
    ]


def goal(name: str, *valleys: str) -> list[int]:
    """Every player's value for one goal; two goals that nobody watches stand beside it."""
    others = [other for other in ("vast-land", "ski-resort", "lake-land") if other != name][:2]
    players = " | ".join(f"player{seat}: {valley}" for seat, valley in enumerate(valleys))
    found = sheet(f"{players} | goals: {name} {' '.join(others)}")
    return [player.rows[5].value for player in found.players]
