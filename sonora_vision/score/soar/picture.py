"""A position as a picture: the row of quests with its tokens, and everybody's tray below."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from types import MappingProxyType

from sonora_vision.score.game import PlayerScore
from sonora_vision.score.soar.cards import CardSet, Quest, Token
from sonora_vision.score.soar.position import UNKNOWN, Holding, Open, Position
from sonora_vision.score.soar.resolve import SKYBORNE, Bid, resolve
from sonora_vision.score.soar.rules import rules
from sonora_vision.score.soar.scoresheet import score

_NAMED: Mapping[str, str] = MappingProxyType(
    {
        "red": "#e0564a",
        "blue": "#4f8fe0",
        "green": "#4fae6a",
        "yellow": "#e8b93c",
        "purple": "#a571d6",
        "orange": "#ea8a3c",
        "white": "#e9e4d8",
        "black": "#4a4a55",
        "pink": "#e583ab",
    }
)
"""Ships of players who are called by their color; others take these in seat order."""

_CARD_WIDTH, _GAP, _MARGIN = 214.0, 26.0, 44.0
_ROW_TOP, _SLOTS_TOP, _SLOT = 100.0, 122.0, 52.0
_TRAY_HEIGHT = 122.0
_IVORY, _INK, _GOLD, _PALE, _SKY_COLOR = "#f7efdc", "#2a2440", "#e9c46a", "#b9b4d6", "#cfd6ff"
_FONT = "Aileron, Helvetica, Arial, sans-serif"

_DEFS = """
<linearGradient id="night" x2="0" y2="1"><stop stop-color="#101a3c"/><stop offset="0.55"
 stop-color="#33306b"/><stop offset="1" stop-color="#8a5a86"/></linearGradient>
<linearGradient id="card" x2="0" y2="1"><stop stop-color="#2a3468"/><stop offset="1"
 stop-color="#1c2148"/></linearGradient>
<radialGradient id="ivory" cx="0.38" cy="0.32" r="0.8"><stop stop-color="#fffaf0"/><stop
 offset="1" stop-color="#e3d5b4"/></radialGradient>
<radialGradient id="violet" cx="0.38" cy="0.32" r="0.8"><stop stop-color="#8a63c4"/><stop
 offset="1" stop-color="#4b2f83"/></radialGradient>
<radialGradient id="back" cx="0.38" cy="0.32" r="0.8"><stop stop-color="#59648f"/><stop
 offset="1" stop-color="#333c63"/></radialGradient>
<path id="ship" d="M-13 3 H13 L8 10 H-8Z M-1.2 1 V-13 M1 -12 L11 0 H1Z M-2 -10 L-10 0 H-2Z"/>
<g id="eye"><path d="M-12 0 Q0 -11 12 0 Q0 11 -12 0Z" fill="none" stroke="#e9c46a"
 stroke-width="2"/><circle r="4.2" fill="#e9c46a"/></g>
"""


def draw(position: Position, cards: CardSet) -> str:
    """Draw a position as one SVG document.

    Tokens on blank slots lie face down: what they are stands on their back as far as the position
    says it.
    """
    sheet = score(position, cards, "picture")
    colors = _colors(position)
    longest = max((len(one.quest.slots) for one in position.row), default=0)
    card_height = _SLOTS_TOP + longest * _SLOT + 44 if position.row else 0.0
    trays = len(sheet.players)
    width = max(
        2 * _MARGIN + len(position.row) * (_CARD_WIDTH + _GAP) - _GAP,
        2 * _MARGIN + min(trays, 3) * (280 + 20) - 20,
    )
    trays_top = _ROW_TOP + card_height + (34 if position.row else 0)
    columns = max(1, int((width - 2 * _MARGIN + 20) // 300))
    tray_width = (width - 2 * _MARGIN + 20) / columns - 20
    height = trays_top + math.ceil(trays / columns) * (_TRAY_HEIGHT + 18) + _MARGIN - 18
    inset = (width - len(position.row) * (_CARD_WIDTH + _GAP) + _GAP) / 2
    body = [
        _at(inset + i * (_CARD_WIDTH + _GAP), _ROW_TOP, _quest(one, cards, colors, card_height))
        for i, one in enumerate(position.row)
    ]
    for i, (holding, scored) in enumerate(
        zip((*position.players, position.sky), sheet.players, strict=True)
    ):
        x = _MARGIN + (i % columns) * (tray_width + 20)
        y = trays_top + (i // columns) * (_TRAY_HEIGHT + 18)
        wins = scored.player in sheet.winners
        content = _tray(holding, scored, position, cards, colors, tray_width, wins=wins)
        body.append(_at(x, y, content))
    left = f"{position.left} quests in the pile" if position.left else "no quests in the pile"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="{_FONT}"><defs>{_DEFS}</defs>'
        f'<rect width="{width:g}" height="{height:g}" fill="url(#night)"/>'
        + _starry(width, height)
        + _ship(_MARGIN + 16, 50, _GOLD, 1.5)
        + _text(_MARGIN + 46, 50, "Soar", 30, _IVORY)
        + _text(_MARGIN + 46, 72, left, 14, _PALE)
        + "".join(body)
        + "</svg>\n"
    )


def _quest(one: Open, cards: CardSet, colors: Mapping[str, str], height: float) -> str:
    """Draw one quest with its slots, and who gets what once it is full."""
    parts = [
        f'<rect width="{_CARD_WIDTH:g}" height="{height:g}" rx="16" fill="url(#card)" '
        f'stroke="{_GOLD}" stroke-width="{2.6 if one.full else 1.2}"/>',
        _text(_CARD_WIDTH / 2, 34, one.quest.id.replace("-", " "), 19, _IVORY, "middle"),
        _rewards(one.quest),
    ]
    for slot in range(len(one.quest.slots)):
        y = _SLOTS_TOP + slot * _SLOT + _SLOT / 2
        bid = one.bids[slot] if slot < len(one.bids) else None
        parts.append(_slot(one.quest, slot, bid, cards, colors, y))
    if one.full:
        awards = resolve(one.quest, one.bids, cards.tokens).awards
        words = "   ".join(f"{name} {award.points:+d}" for name, award in awards.items())
        parts.append(_text(_CARD_WIDTH / 2, height - 18, words, 13.5, _GOLD, "middle"))
    else:
        free = len(one.quest.slots) - len(one.bids)
        parts.append(_text(_CARD_WIDTH / 2, height - 18, f"{free} free", 13, _PALE, "middle"))
    return "".join(parts)


def _rewards(quest: Quest) -> str:
    """Draw the three rewards as pennants, a star where one draws a special token."""
    parts = []
    pitch = _CARD_WIDTH / 3
    for i, (name, short) in enumerate((("first", "1st"), ("second", "2nd"), ("last", "last"))):
        reward, x = quest.rewards[name], pitch * (i + 0.5)
        fill = "#f0d694" if reward.points >= 0 else "#d48a8a"
        parts.append(
            f'<path d="M{x - 26:g} 50 H{x + 26:g} V92 L{x:g} 104 L{x - 26:g} 92Z" fill="{fill}"/>'
            + _text(x, 64, short, 11.5, "#5c4a63", "middle")
            + _text(x, 86, str(reward.points), 21, _INK, "middle")
        )
        if reward.special:
            parts.append(f'<circle cx="{x + 25:g}" cy="53" r="11" fill="url(#violet)"/>')
            parts.append(_star(x + 25, 53, 7.5, _GOLD))
    return "".join(parts)


def _slot(
    quest: Quest, slot: int, bid: Bid | None, cards: CardSet, colors: Mapping[str, str], y: float
) -> str:
    """Draw a slot: its eye or blank, or the token on it with whose bid it is."""
    x = 44.0
    up = quest.face_up(slot)
    if bid is None:
        ring = _GOLD if up else _PALE
        hole = f'<circle cx="{x:g}" cy="{y:g}" r="21" fill="#141838" stroke="{ring}" '
        mark = f'<use href="#eye" transform="translate({x:g} {y:g})"/>' if up else ""
        return hole + f'stroke-width="1.4" stroke-dasharray="4 4"/>{mark}'
    owner = (
        _star(x + 44, y, 11, _SKY_COLOR)
        if bid.owner == SKYBORNE
        else _ship(x + 44, y + 1, colors[bid.owner], 0.95)
    )
    name = "Skyborne" if bid.owner == SKYBORNE else bid.owner
    token = cards.tokens.get(bid.token)
    return (
        _token(token, x, y, 21, colors[bid.owner], face_up=up)
        + owner
        + _text(x + 64, y + 5, name, 15, _IVORY)
    )


def _token(
    token: Token | None, x: float, y: float, radius: float, ring: str, *, face_up: bool
) -> str:
    """Draw a token; None is one that is not known."""
    fill = "back" if not face_up or token is None else "violet" if token.special else "ivory"
    ink = _INK if fill == "ivory" else _IVORY
    disc = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="url(#{fill})" stroke="{ring}" '
        f'stroke-width="{radius / 7:g}"/>'
    )
    if token is None:
        return disc + _text(x, y + radius * 0.35, UNKNOWN, radius, _PALE, "middle")
    if not token.special:
        return disc + _text(x, y + radius * 0.4, token.id, radius * 1.15, ink, "middle")
    return disc + _special(token, x, y, radius, ink)


def _special(token: Token, x: float, y: float, radius: float, ink: str) -> str:
    """Letter a special token: its modifier or stars, and what it bids in the corner."""
    amount = token.all or token.previous or token.next
    large = f"{amount:+d}" if amount else f"x{token.times}"
    parts = []
    if token.stars:
        size = radius * (0.52 if token.stars > 1 else 0.7)
        for i in range(token.stars):
            angle = 2 * math.pi * i / token.stars - math.pi / 2
            away = 0.0 if token.stars == 1 else radius * 0.44
            where = x + away * math.cos(angle), y + away * math.sin(angle)
            parts.append(_star(*where, size, _GOLD))
    elif amount or token.times != 1:
        parts.append(_text(x, y + radius * 0.22, large, radius * 0.85, ink, "middle"))
        if token.all:
            parts.append(_text(x, y + radius * 0.72, "all", radius * 0.5, _GOLD, "middle"))
        for points, up in ((token.previous, True), (token.next, False)):
            if points:
                tip, base = (-0.82, -0.5) if up else (0.82, 0.5)
                parts.append(
                    f'<path d="M{x:g} {y + tip * radius:g} l{radius * 0.26:g} '
                    f'{(base - tip) * radius:g} h{-radius * 0.52:g}Z" fill="{_GOLD}"/>'
                )
    corner = x + radius * 0.8, y + radius * 0.72
    parts.append(
        f'<circle cx="{corner[0]:g}" cy="{corner[1]:g}" r="{radius * 0.46:g}" fill="{_IVORY}"/>'
        + _text(
            corner[0], corner[1] + radius * 0.19, str(token.value), radius * 0.55, _INK, "middle"
        )
    )
    return "".join(parts)


def _tray(
    holding: Holding,
    scored: PlayerScore,
    position: Position,
    cards: CardSet,
    colors: Mapping[str, str],
    width: float,
    *,
    wins: bool,
) -> str:
    """Draw a player's points, ships left and tokens in hand."""
    sky = holding.name == SKYBORNE
    color = colors[holding.name]
    edge = _GOLD if wins else color
    parts = [
        f'<rect width="{width:g}" height="{_TRAY_HEIGHT:g}" rx="14" fill="#141838" '
        f'fill-opacity="0.72" stroke="{edge}" stroke-width="{3 if wins else 1.6}"/>',
        _star(28, 30, 12, color) if sky else _ship(28, 31, color, 1.05),
        _text(
            52, 32, ("Skyborne" if sky else holding.name) + (" wins" if wins else ""), 19, _IVORY
        ),
        _text(width - 20, 40, str(scored.total), 30, _GOLD if wins else _IVORY, "end"),
    ]
    if not sky:
        placed = sum(bid.owner == holding.name for one in position.row for bid in one.bids)
        free = rules().ships - placed
        for i in range(rules().ships):
            shade = color if i < free else "#3b4270"
            parts.append(_ship(60 + 20 * i, 50, shade, 0.5))
    pitch = min(44.0, (width - 68) / max(1, len(holding.tokens) - 1))
    for i, token in enumerate(holding.tokens):
        ring = _SKY_COLOR if sky else color
        parts.append(_token(cards.tokens[token], 34 + pitch * i, 89, 17, ring, face_up=True))
    return "".join(parts)


def _colors(position: Position) -> dict[str, str]:
    """Give every player a ship's color, their own where they are called by it."""
    names = [holding.name for holding in position.players]
    free = [color for name, color in _NAMED.items() if name not in names]
    return {
        **{name: _NAMED[name] if name in _NAMED else free.pop(0) for name in names},
        SKYBORNE: _SKY_COLOR,
    }


def _starry(width: float, height: float) -> str:
    """Scatter small stars over the sky, the same for every picture of a size."""
    rng = random.Random(8)
    return "".join(
        f'<circle cx="{rng.random() * width:.0f}" cy="{rng.random() ** 1.6 * height:.0f}" '
        f'r="{0.5 + rng.random():.1f}" fill="#fff" fill-opacity="{0.2 + rng.random() * 0.6:.2f}"/>'
        for _ in range(int(width * height / 6000))
    )


def _star(x: float, y: float, radius: float, color: str) -> str:
    points = " ".join(
        f"{x + r * math.sin(math.pi * i / 5):.1f},{y - r * math.cos(math.pi * i / 5):.1f}"
        for i, r in enumerate([radius, radius * 0.45] * 5)
    )
    return f'<polygon points="{points}" fill="{color}" stroke-linejoin="round"/>'


def _ship(x: float, y: float, color: str, scale: float) -> str:
    return (
        f'<use href="#ship" transform="translate({x:g} {y:g}) scale({scale:g})" fill="{color}" '
        f'stroke="{color}" stroke-width="1.4" stroke-linejoin="round"/>'
    )


def _at(x: float, y: float, content: str) -> str:
    return f'<g transform="translate({x:g} {y:g})">{content}</g>'


def _text(x: float, y: float, words: str, size: float, color: str, anchor: str = "start") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{color}" text-anchor="{anchor}" '
        f'xml:space="preserve">{words}</text>'
    )
