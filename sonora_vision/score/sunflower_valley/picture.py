"""stub."""

from __future__ import annotations

from sonora_vision.score.sunflower_valley.position import Position


def draw(position: Position) -> str:
    """Draw."""
    return ""
