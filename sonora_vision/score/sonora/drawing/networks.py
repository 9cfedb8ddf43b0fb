"""The Creek and the Mudcracks, drawn."""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.observation import Point
from sonora_vision.score.sonora.drawing.icons import CACTUS_OF_SIZE, INK, icon, text
from sonora_vision.score.sonora.sheet import Creek, Mudcracks, bits
from sonora_vision.score.sonora.state import SheetState

_SPACE_MM = 3.1
"""Radius of a creek space."""
_NODE_MM = 3.0
"""Radius of a mudcracks node."""
_COLUMNS_AT_MM = 71.0
"""Where the bonus columns begin, below the nodes."""


def draw_creek(creek: Creek, state: SheetState | None) -> Iterator[str]:
    """Yield water, spaces, numbers and bonuses."""
    at = [space.at_mm for space in creek.spaces]
    lines = _lines(at, creek.neighbors)
    yield f'<path d="{lines}" stroke="#a9cfd8" stroke-width="5.4" stroke-linecap="round"/>'
    yield f'<path d="{lines}" stroke="{INK}" stroke-width=".4"/>'
    for i, space in enumerate(creek.spaces):
        x, y = space.at_mm
        yield (
            f'<circle cx="{x}" cy="{y}" r="{_SPACE_MM}" fill="#f8fdff" stroke="{INK}" '
            f'stroke-width=".35"/>'
        )
        if i == creek.start:
            yield _cross(x, y, 1.9, "stroke-width='.8' stroke='#3a2a20'")
        elif space.bonus:
            yield icon(space.bonus, x, y, 4.5)
        elif space.points:
            yield text(x, y + 0.2, 3.4, space.points, font_weight="bold")
        if creek.rival >> i & 1:
            below = y + _SPACE_MM + 0.7
            yield f'<rect x="{x - 1}" y="{below:.2f}" width="2" height="2" fill="{INK}"/>'
        if state and state.crossed >> i & 1 and i != creek.start:
            yield _cross(x, y, 2.1, "class='mark'")
        if state and state.circled >> i & 1:
            yield f'<circle cx="{x}" cy="{y}" r="{_SPACE_MM + 0.8}" class="mark"/>'
        if state and state.rival_creek >> i & 1:
            yield f'<circle cx="{x}" cy="{y}" r="{_SPACE_MM}" fill="{INK}" opacity=".6"/>'


def draw_mudcracks(mud: Mudcracks, state: SheetState | None, width_mm: float) -> Iterator[str]:
    """Yield areas, nodes, the rival's circles and the bonus columns."""
    at = [node.at_mm for node in mud.nodes]
    for area in mud.areas:
        corners = [at[i] for i in bits(area.nodes)]
        points = " ".join(f"{x},{y}" for x, y in corners)
        done = state is not None and area.nodes & state.nodes == area.nodes
        fill = "#e3c49d" if done else "#f6ebdc"
        yield f'<polygon points="{points}" fill="{fill}"/>'
        x, y = (sum(c[k] for c in corners) / len(corners) for k in (0, 1))
        name = area.bonus or f"cactus{CACTUS_OF_SIZE[str(area.cactus)]}"
        yield icon(name, x, y, 4.6)
    yield f'<path d="{_lines(at, mud.neighbors)}" stroke="{INK}" stroke-width=".45"/>'
    if state:
        marked = tuple(n & state.nodes if state.nodes >> i & 1 else 0
                       for i, n in enumerate(mud.neighbors))  # fmt: skip
        yield f'<path d="{_lines(at, marked)}" class="mark"/>'
    middle = at[mud.start]
    for i, node in enumerate(mud.nodes):
        x, y = node.at_mm
        yield (
            f'<circle cx="{x}" cy="{y}" r="{_NODE_MM}" fill="#fffaf2" stroke="{INK}" '
            f'stroke-width=".4"/>'
        )
        if i == mud.start:
            yield _cross(x, y, 1.9, "stroke-width='.8' stroke='#3a2a20'")
        else:
            yield text(x, y + 0.2, 3.5, node.value, font_weight="bold")
        if node.outside:
            yield from _circles(node.at_mm, middle, state.circles[i] if state else 0)
        if state and state.nodes >> i & 1 and i != mud.start:
            yield _cross(x, y, 2.1, "class='mark'")
    yield from _columns(mud, state, width_mm)


def _circles(at: Point, middle: Point, filled: int) -> Iterator[str]:
    """Yield the three small circles on the outer side of a node."""
    x, y = at
    dx, dy = x - middle[0], y - middle[1]
    far = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = dx / far, dy / far
    for n, along in enumerate((-2.1, 0.0, 2.1)):
        out = 4.0 - abs(along) * 0.35
        cx, cy = x + dx * out - dy * along, y + dy * out + dx * along
        fill = INK if n < filled else "#fffaf2"
        yield (
            f'<circle cx="{cx:.2f}" cy="{cy:.2f}" r=".75" fill="{fill}" stroke="{INK}" '
            f'stroke-width=".25"/>'
        )


def _columns(mud: Mudcracks, state: SheetState | None, width_mm: float) -> Iterator[str]:
    """Yield the bonus columns: boxes to mark, the bonus below."""
    step = width_mm / (len(mud.columns) + 1)
    for i, column in enumerate(mud.columns):
        x = step * (i + 1)
        high = 15.5 / max(c.boxes for c in mud.columns)
        top = _COLUMNS_AT_MM + 16 - high * column.boxes
        for n in range(column.boxes):
            y = top + high * n
            yield (
                f'<rect x="{x - 2.6:.2f}" y="{y:.2f}" width="5.2" height="{high:.2f}" '
                f'fill="#fffaf2" stroke="{INK}" stroke-width=".3"/>'
            )
            if state and n < state.boxes[i]:
                yield _cross(x, y + high / 2, 1.0, "class='mark'")
        yield icon(column.bonus, x, _COLUMNS_AT_MM + 19.2, 5)


def _lines(at: list[Point], neighbors: tuple[int, ...]) -> str:
    """Return the path of all lines, each once."""
    return "".join(
        f"M{at[i][0]} {at[i][1]}L{at[j][0]} {at[j][1]}"
        for i, near in enumerate(neighbors)
        for j in bits(near)
        if i < j
    )


def _cross(x: float, y: float, d: float, look: str) -> str:
    """Draw a cross."""
    return (
        f"<path d='M{x - d:.2f} {y - d:.2f}l{2 * d:.2f} {2 * d:.2f}m0 {-2 * d:.2f}l{-2 * d:.2f} "
        f"{2 * d:.2f}' {look}/>"
    )
