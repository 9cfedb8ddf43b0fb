"""stub."""

from __future__ import annotations

from sonora_vision.score.soar.cards import CardSet
from sonora_vision.score.soar.position import Position


def draw(position: Position, cards: CardSet) -> str:
    """Draw."""
    return ""
