"""The turn order as a page changes it: one place up or down, in or out of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Place:
    """One player's place and the orders that its buttons lead to; None where there is none."""

    color: str
    up: str | None
    down: str | None
    out: str | None


def parse_order(text: str, colors: Sequence[str]) -> tuple[str, ...]:
    """Return the colors that a comma-separated text names, all of the board's for an empty one.

    Raises
    ------
    ValueError
        If a color is unknown or named twice.
    """
    if not text:
        return tuple(colors)
    order = tuple(text.split(","))
    for color in order:
        if color not in colors:
            raise ValueError(f"order: expected colors of {', '.join(colors)}; got {color[:40]!r}.")
    if len(set(order)) < len(order):
        raise ValueError("order: expected each color once.")
    return order


def places(order: Sequence[str]) -> list[Place]:
    """Return every player's place."""
    last = len(order) - 1
    return [
        Place(
            color=color,
            up=_swapped(order, at - 1) if at > 0 else None,
            down=_swapped(order, at) if at < last else None,
            out=",".join(c for c in order if c != color) if last > 0 else None,
        )
        for at, color in enumerate(order)
    ]


def spectators(order: Sequence[str], colors: Sequence[str]) -> list[tuple[str, str]]:
    """Return the colors that do not play, each with the order that lets it in."""
    return [(color, ",".join([*order, color])) for color in colors if color not in order]


def _swapped(order: Sequence[str], at: int) -> str:
    changed = list(order)
    changed[at], changed[at + 1] = changed[at + 1], changed[at]
    return ",".join(changed)
