"""A position as a picture: each valley a grid of cards, with what scores on it."""

from __future__ import annotations

import math

from sonora_vision.score.game import PlayerScore
from sonora_vision.score.sunflower_valley import pictograms
from sonora_vision.score.sunflower_valley.combinations import is_complete
from sonora_vision.score.sunflower_valley.express import Walk, express
from sonora_vision.score.sunflower_valley.position import Position
from sonora_vision.score.sunflower_valley.railroads import joined
from sonora_vision.score.sunflower_valley.rules import rules
from sonora_vision.score.sunflower_valley.scoresheet import score
from sonora_vision.score.sunflower_valley.valley import STEP, Cell, Valley, beside

_PITCH = pictograms.CARD + 6
_MARGIN, _HEAD, _FOOT = 34.0, 50.0, 34.0
_ASPECT = 1.4
"""Width by height that the whole picture comes near to."""

_OWN_ROWS = 5
"""Rows of a score that are not goals."""
_PAPER, _INK, _FAINT = "#fbf4e2", "#4a3b2a", "#8d7a5f"
_FONT = "Aileron, Helvetica, Arial, sans-serif"


def draw(position: Position) -> str:
    """Draw all valleys of a position as one SVG document."""
    sheet = score(position, "picture")
    panels = [
        _panel(player.valley, scored, wins=scored.player in sheet.winners)
        for player, scored in zip(position.players, sheet.players, strict=True)
    ]
    width = max(own_width for _, own_width, _ in panels)
    height = max(own_height for _, _, own_height in panels)
    columns = min(
        range(1, len(panels) + 1),
        key=lambda n: abs(math.log(n * width / (math.ceil(len(panels) / n) * height) / _ASPECT)),
    )
    columns = math.ceil(len(panels) / math.ceil(len(panels) / columns))  # rows alike
    title = 74.0
    body = []
    for index, (content, own_width, _) in enumerate(panels):
        x = (index % columns) * width + (width - own_width) / 2
        y = title + (index // columns) * height
        body.append(f'<g transform="translate({x:g} {y:g})">{content}</g>')
    whole = width * columns
    goals = " / ".join(rules().goals[name].title for name in position.goals) or "without goals"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole:g} '
        f'{title + height * math.ceil(len(panels) / columns):g}" font-family="{_FONT}">'
        f"<defs>{pictograms.DEFS}<clipPath id='card'><rect width='100' height='100' rx='10'/>"
        f'</clipPath></defs><rect width="100%" height="100%" fill="{_PAPER}"/>'
        + pictograms.use("flower", _MARGIN + 14, 40, 1.5)
        + _text(_MARGIN + 42, 42, "Sunflower Valley", 26, _INK)
        + _text(_MARGIN + 42, 62, goals, 13, _FAINT)
        + "".join(body)
        + "</svg>\n"
    )


def _panel(valley: Valley, scored: PlayerScore, *, wins: bool) -> tuple[str, float, float]:
    """Draw one valley with its name and points; return it with its width and height."""
    left, right = min(x for x, _ in valley.grid), max(x for x, _ in valley.grid)
    top, bottom = min(y for _, y in valley.grid), max(y for _, y in valley.grid)
    width = max((right - left + 1) * _PITCH, 330) + 2 * _MARGIN
    height = (bottom - top + 1) * _PITCH + _HEAD + _FOOT + _MARGIN
    inset = (width - (right - left + 1) * _PITCH) / 2
    walk = express(valley).walks[0]
    cards = [
        f'<g transform="translate({inset + (x - left) * _PITCH:g} {_HEAD + (y - top) * _PITCH:g})">'
        f"{_card(valley, (x, y), walk)}</g>"
        for x, y in sorted(valley.grid, key=lambda cell: (cell[1], cell[0]))
    ]
    sums = [
        "   ".join(f"{row.label} {row.value}" for row in rows if row.value)
        for rows in (scored.rows[:_OWN_ROWS], scored.rows[_OWN_ROWS:])
    ]
    name = scored.player + (" wins" if wins else "")
    return (
        _text(_MARGIN, 32, name, 20, "#b5482f" if wins else _INK)
        + _text(width - _MARGIN, 32, str(scored.total), 24, _INK, "end")
        + f'<path d="M{_MARGIN} 40 H{width - _MARGIN:g}" stroke="#e0cfa8" stroke-width="1.5"/>'
        + "".join(cards)
        + _text(width / 2, height - _MARGIN - 6, sums[0], 11.5, _FAINT, "middle")
        + _text(width / 2, height - _MARGIN + 11, sums[1], 11.5, _FAINT, "middle"),
        width,
        height,
    )


def _card(valley: Valley, cell: Cell, walk: Walk) -> str:
    """Draw one card: its scene, its tracks, its combination, and the Valley Express on it."""
    card = valley.grid[cell]
    railroads = ""
    if card.type == "railroad":
        on_walk = cell in walk.rails
        railroads = "".join(pictograms.track(sides, express=on_walk) for sides in card.tracks)
    elif card.type == "town":
        railroads = _stubs(valley, cell, walk)
    inside = pictograms.scene(card.type, start=card.start, railroads=railroads)
    inside += _strip(valley, cell)
    frame = "#b5482f" if card.start else "#7c6a4c"
    return (
        '<rect x="1.5" y="3" width="100" height="100" rx="10" fill="#6b5636" fill-opacity="0.28"/>'
        f'<g clip-path="url(#card)">{inside}</g>'
        f'<rect width="100" height="100" rx="10" fill="none" stroke="{frame}" stroke-width="'
        f'{2.6 if card.start else 1.2}"/>' + _stop(cell, walk)
    )


def _stubs(valley: Valley, cell: Cell, walk: Walk) -> str:
    """Draw how the railroads beside a town come into it."""
    tracks = joined(valley)[cell, 0]
    neighbors = {neighbor for neighbor, _ in tracks}
    return "".join(
        pictograms.stub(side, express=cell in walk.towns and beside(cell, side) in walk.rails)
        for side in STEP
        if beside(cell, side) in neighbors
    )


def _strip(valley: Valley, cell: Cell) -> str:
    """Draw villagers, the combination and its points: golden where they score."""
    card = valley.grid[cell]
    parts = [pictograms.use("villager", 90.5 - 11 * i, 12.5) for i in range(card.villagers)]
    if card.villagers:
        back = f'<rect x="{84 - 11 * (card.villagers - 1)}" y="4" width="{2 + 11 * card.villagers}"'
        parts.insert(0, back + ' height="17" rx="5" fill="#fffaf0" fill-opacity="0.85"/>')
    points, scores = card.points, is_complete(valley, cell)
    if card.needs:
        length = 8 + 17 * len(card.needs)
        parts.append(
            f'<rect x="4" y="77" width="{length}" height="19" rx="9.5" fill="#fffaf0" '
            'fill-opacity="0.9"/>'
        )
        parts += [pictograms.icon(need, 16.5 + 17 * i, 86.5) for i, need in enumerate(card.needs)]
    elif card.type == "mountain":
        points = rules().mountain[sum(other.is_field for _, other in valley.around(cell))]
        scores = points > 0
    elif card.type == "lake":
        points, scores = rules().lake, True
    if card.needs or card.type in ("mountain", "lake"):
        fill = "#f9c22b" if scores else "#fffaf0"
        parts.append(
            f'<circle cx="87" cy="86" r="10" fill="{fill}" stroke="{_INK}" stroke-width="1.2"/>'
        )
        parts.append(_text(87, 91, str(points), 14, _INK if scores else "#a79a85", "middle"))
    return "".join(parts)


def _stop(cell: Cell, walk: Walk) -> str:
    """Mark a town of the Valley Express: its number, or the token at the last one."""
    if cell not in walk.towns:
        return ""
    number = walk.towns.index(cell)
    mark = pictograms.use("engine", 17, 17, 0.95) if cell == walk.towns[-1] else ""
    if not mark and number:
        mark = (
            '<circle cx="14" cy="14" r="10" fill="#c5402e" stroke="#fffaf0" stroke-width="1.6"/>'
            + _text(14, 19, str(number), 14, "#fffaf0", "middle")
        )
    return mark


def _text(x: float, y: float, words: str, size: float, color: str, anchor: str = "start") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{color}" text-anchor="{anchor}" '
        f'xml:space="preserve">{words}</text>'
    )
