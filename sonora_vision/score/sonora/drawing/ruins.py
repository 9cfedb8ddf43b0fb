"""The Ruins, drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sonora_vision.score.sonora.drawing.icons import INK, icon, text
from sonora_vision.score.sonora.sheet import Building, Cell, Reward, Ruins
from sonora_vision.score.sonora.state import SheetState

_TINTS = ("#f3dcc3", "#eccfae", "#f6e3cf", "#e8c6a2")


def draw_ruins(ruins: Ruins, state: SheetState | None, width_mm: float) -> Iterator[str]:
    """Yield the buildings' hexes and rewards in a panel of a width."""
    every = [cell for building in ruins.buildings for cell in building.hexes] + list(ruins.rival)
    columns = max(x for x, _ in every) + 1.5
    pitch = width_mm / columns
    crossed = state.rival_hexes_crossed if state else 0
    circled = state.rival_hexes if state else 0
    for i, cell in enumerate(ruins.rival):
        yield _hex(cell, pitch, "#dcd6cf")
        if i < circled:
            x, y = _center(cell, pitch)
            yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{pitch * 0.3:.2f}" class="mark"/>'
        if i < crossed:
            yield _cross(cell, pitch)
    if ruins.rival:
        x = max(_center(cell, pitch)[0] for cell in ruins.rival) + 2.2 * pitch
        y = sum(_center(cell, pitch)[1] for cell in ruins.rival) / len(ruins.rival)
        yield f'<rect x="{x - 1:.2f}" y="{y - 1:.2f}" width="2" height="2" fill="{INK}"/>'
        yield text(x + 5, y, 2.4, "rival")
    for i, building in enumerate(ruins.buildings):
        yield from _building(building, pitch, _TINTS[i % len(_TINTS)], state, i)


def _building(
    building: Building, pitch: float, tint: str, state: SheetState | None, index: int
) -> Iterator[str]:
    """Yield one building with its name and rewards above it."""
    for n, cell in enumerate(building.hexes):
        yield _hex(cell, pitch, tint)
        if state and n < state.hexes[index]:
            yield _cross(cell, pitch)
    left = min(_center(cell, pitch)[0] for cell in building.hexes) - pitch / 2
    right = max(_center(cell, pitch)[0] for cell in building.hexes) + pitch / 2
    top = min(_center(cell, pitch)[1] for cell in building.hexes) - pitch * 0.62
    middle = (left + right) / 2
    y = top - pitch * 0.36
    top_is = bottom_is = ""
    if state:
        top_is = (
            "circled" if state.top >> index & 1 else "out" if state.top_out >> index & 1 else ""
        )
        bottom_is = "circled" if state.bottom >> index & 1 else ""
    yield text(middle - 9.2, y, 3.6, building.name, font_weight="bold")
    yield from _reward(building.top, middle - 1.6, y, 11.6, top_is)
    yield from _reward(building.bottom, middle + 8.6, y, 7, bottom_is)


def _reward(reward: Reward, x: float, y: float, width: float, mark: str) -> Iterator[str]:
    """Yield a reward's pill."""
    yield (
        f'<rect x="{x - width / 2:.2f}" y="{y - 2.2:.2f}" width="{width:.2f}" height="4.4" '
        f'rx="2.2" fill="#fffaf2" stroke="{INK}" stroke-width=".3"/>'
    )
    shift = 2 if reward.bonus else 0
    yield text(x - shift, y + 0.1, 3.1, reward.points)
    if reward.bonus:
        yield icon(reward.bonus, x + 2.8, y, 3.8)
    if mark == "circled":
        yield (
            f'<rect x="{x - width / 2 - 0.6:.2f}" y="{y - 2.8:.2f}" width="{width + 1.2:.2f}" '
            f'height="5.6" rx="2.8" class="mark"/>'
        )
    elif mark == "out":
        yield f'<path d="M{x - width / 2:.2f} {y:.2f}h{width:.2f}" class="mark"/>'


def _center(cell: Cell, pitch: float) -> tuple[float, float]:
    """Return a hex's center, mm; odd rows lie half a hex to the right."""
    column, row = cell
    return (column + 0.5 + row % 2 / 2) * pitch, (row * math.sqrt(3) / 2 + 0.6) * pitch


def _hex(cell: Cell, pitch: float, fill: str) -> str:
    """Draw a hex."""
    x, y = _center(cell, pitch)
    radius = pitch / math.sqrt(3)
    corners = " ".join(
        f"{x + radius * math.sin(math.radians(60 * k)):.2f},"
        f"{y + radius * math.cos(math.radians(60 * k)):.2f}"
        for k in range(6)
    )
    return f'<polygon points="{corners}" fill="{fill}" stroke="{INK}" stroke-width=".3"/>'


def _cross(cell: Cell, pitch: float) -> str:
    """Cross a hex off."""
    x, y = _center(cell, pitch)
    d = pitch * 0.24
    return (
        f'<path d="M{x - d:.2f} {y - d:.2f}l{2 * d:.2f} {2 * d:.2f}m0 {-2 * d:.2f}l{-2 * d:.2f} '
        f'{2 * d:.2f}" class="mark"/>'
    )
