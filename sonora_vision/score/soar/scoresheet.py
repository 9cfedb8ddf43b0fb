"""The score of a position: points so far, full quests and, once all are resolved, the end."""

from __future__ import annotations

from collections import defaultdict

from sonora_vision.score.game import PlayerScore, ScoreRow, ScoreSheet
from sonora_vision.score.soar.cards import CardSet
from sonora_vision.score.soar.final import lowest, stars, winners
from sonora_vision.score.soar.position import Holding, Position
from sonora_vision.score.soar.resolve import SKYBORNE, resolve

_Rows = dict[str, list[ScoreRow]]


def score(position: Position, cards: CardSet, game: str) -> ScoreSheet:
    """Score a position; full quests of the row are resolved in their order."""
    everybody = (*position.players, position.sky)
    rows: _Rows = {
        one.name: [ScoreRow(label="Points so far", value=one.points)] for one in everybody
    }
    warnings = _quest_rows(position, cards, rows)
    waiting = sum(not one.full for one in position.row) + position.left
    if waiting:
        warnings.append(
            f"the game is not over: {waiting} quests are to be resolved; stars and the "
            "Skyborne's points for the lowest come at its end"
        )
    won: tuple[str, ...] = ()
    if not warnings:
        _end_rows(everybody, cards, rows)
        won = winners(_totals(rows))
    return ScoreSheet(
        game=game,
        position=position.line(),
        players=tuple(
            PlayerScore(player=name, rows=tuple(entries)) for name, entries in rows.items()
        ),
        winners=won,
        warnings=tuple(warnings),
    )


def _quest_rows(position: Position, cards: CardSet, rows: _Rows) -> list[str]:
    """Add a row for each full quest; return what a position cannot tell: tokens to be drawn."""
    draws: dict[str, int] = defaultdict(int)
    for one in position.row:
        if not one.full:
            continue
        for name, award in resolve(one.quest, one.bids, cards.tokens).awards.items():
            draws[name] += award.specials
            rows[name].append(ScoreRow(label=one.quest.id, value=award.points, why=award.why))
    return [
        f"{name} draws {count} special token{'s' if count > 1 else ''}; write the position anew "
        "with them before the end is scored"
        for name, count in draws.items()
        if count
    ]


def _end_rows(everybody: tuple[Holding, ...], cards: CardSet, rows: _Rows) -> None:
    """Add stars, then the Skyborne's points for the lowest."""
    for one in everybody:
        counted = stars(one.name, one.tokens, cards)
        value = sum(cards.tokens[token].stars for token in counted)
        rule = "rule: End of Game: stars of special tokens kept; the Skyborne's best three"
        why = (", ".join(counted) or "none", rule)
        rows[one.name].append(ScoreRow(label="Stars", value=value, why=why))
    totals = _totals(rows)
    sky = totals[SKYBORNE]
    for name in lowest(totals):
        rule = "rule: End of Game: the lowest scores the Skyborne's points instead"
        why = (f"{totals[name]} is the lowest, the Skyborne has {sky}", rule)
        value = sky - totals[name]
        rows[name].append(ScoreRow(label="Takes the Skyborne's score", value=value, why=why))


def _totals(rows: _Rows) -> dict[str, int]:
    return {name: sum(row.value for row in entries) for name, entries in rows.items()}
