"""The Canyon, drawn."""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.score.sonora.drawing.icons import INK, icon, text
from sonora_vision.score.sonora.sheet import Canyon, bits
from sonora_vision.score.sonora.state import SheetState

_LEGEND_MM = 15.0
"""Height kept below the squares for the shapes."""


def draw_canyon(
    canyon: Canyon, state: SheetState | None, width_mm: float, height_mm: float
) -> Iterator[str]:
    """Yield squares, icons, cactus table and the shapes of each value."""
    side = min(width_mm / canyon.width, (height_mm - _LEGEND_MM) / canyon.height)
    for square in bits(canyon.open):
        x, y = _corner(canyon, square, side)
        fill = "#f2d9b0" if canyon.start >> square & 1 else "#fffaf0"
        yield (
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{side:.2f}" height="{side:.2f}" fill="{fill}" '
            f'stroke="#b89a72" stroke-width=".25"/>'
        )
        middle = (x + side / 2, y + side / 2)
        if square in canyon.icons:
            yield icon(canyon.icons[square], *middle, side * 0.8)
        elif square in canyon.cacti:
            yield icon(f"cactus{canyon.cacti[square]}", *middle, side * 0.82)
        elif canyon.rival >> square & 1:
            yield (
                f'<rect x="{middle[0] - 1:.2f}" y="{middle[1] - 1:.2f}" width="2" height="2" '
                f'fill="{INK}"/>'
            )
    for mask, line in ((canyon.open, 0.6), (canyon.start, 0.9)):
        outline = _outline(canyon, mask, side)
        yield f'<path d="{outline}" fill="none" stroke="{INK}" stroke-width="{line}"/>'
    if state:
        for mask in state.rival_shapes:
            yield f'<path d="{_cells(canyon, mask, side)}" fill="{INK}" opacity=".55"/>'
        for mask in state.shapes:
            yield f'<path d="{_outline(canyon, mask, side)}" class="mark"/>'
    yield from _table(canyon, state)
    yield from _legend(canyon, height_mm - _LEGEND_MM + 2, width_mm)


def _corner(canyon: Canyon, square: int, side: float) -> tuple[float, float]:
    """Return a square's top left corner, mm."""
    return square % canyon.width * side, square // canyon.width * side


def _outline(canyon: Canyon, mask: int, side: float) -> str:
    """Return the path around a set of squares."""
    path = []
    for square in bits(mask):
        x, y = _corner(canyon, square, side)
        column = square % canyon.width
        if column == 0 or not mask >> (square - 1) & 1:
            path.append(f"M{x:.2f} {y:.2f}v{side:.2f}")
        if column == canyon.width - 1 or not mask >> (square + 1) & 1:
            path.append(f"M{x + side:.2f} {y:.2f}v{side:.2f}")
        if square < canyon.width or not mask >> (square - canyon.width) & 1:
            path.append(f"M{x:.2f} {y:.2f}h{side:.2f}")
        if not mask >> (square + canyon.width) & 1:
            path.append(f"M{x:.2f} {y + side:.2f}h{side:.2f}")
    return "".join(path)


def _cells(canyon: Canyon, mask: int, side: float) -> str:
    """Return a path that fills a set of squares."""
    return "".join(
        f"M{x:.2f} {y:.2f}h{side:.2f}v{side:.2f}h{-side:.2f}z"
        for x, y in (_corner(canyon, square, side) for square in bits(mask))
    )


def _table(canyon: Canyon, state: SheetState | None) -> Iterator[str]:
    """Yield the cactus table in the top left corner: a column a kind, points for 1, 2, 3, ..."""
    for kind, column in enumerate(canyon.table):
        x = 5 + 11.5 * kind
        count = (state.canyon & canyon.kinds[kind]).bit_count() if state else 0
        for n, points in enumerate(column.points):
            y = 2.6 + 4.6 * n
            yield icon(f"cactus{kind}", x, y, 4.1)
            yield text(x + 5, y + 0.2, 3, points)
            if n < count:
                cross = f"M{x - 1.8:.2f} {y - 1.8:.2f}l3.6 3.6m0 -3.6l-3.6 3.6"
                yield f'<path d="{cross}" class="mark"/>'
        yield text(x + 2.4, 2.6 + 4.6 * len(column.points), 2.3, "then +5")


def _legend(canyon: Canyon, top: float, width_mm: float) -> Iterator[str]:
    """Yield the shapes of each value along the bottom."""
    cell, gap = 2.5, 4.0
    wide = [max(x for x, _ in shape.cells) + 1 for shape in canyon.shapes]
    x = (width_mm - sum(w * cell for w in wide) - (gap + 3) * len(wide)) / 2
    for shape, w in zip(canyon.shapes, wide, strict=True):
        yield text(x + 1.2, top + 5, 3.6, shape.value, font_weight="bold")
        for cx, cy in shape.cells:
            yield (
                f'<rect x="{x + 3 + cx * cell:.2f}" y="{top + 2.5 + cy * cell:.2f}" width="{cell}" '
                f'height="{cell}" fill="#f2d9b0" stroke="{INK}" stroke-width=".3"/>'
            )
        x += w * cell + gap + 3
