"""The scorepad: every column for every player, goals across the table, and who wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sonora_vision.score.game import PlayerScore, ScoreRow, ScoreSheet
from sonora_vision.score.sunflower_valley.combinations import (
    combination_row,
    lakes_row,
    mountains_row,
)
from sonora_vision.score.sunflower_valley.express import Express, Walk, express
from sonora_vision.score.sunflower_valley.goals import COUNTERS, Count
from sonora_vision.score.sunflower_valley.position import Player, Position
from sonora_vision.score.sunflower_valley.rules import Goal, rules
from sonora_vision.score.sunflower_valley.valley import Valley

GOALS_HEADING = "Goal Cards Clarification"


@dataclass(frozen=True, kw_only=True)
class _Scored:
    """One player's valley, the express's walk that counts, and what each goal counts."""

    player: Player
    express: Express
    walk: Walk
    counts: tuple[Count, ...]


def score(position: Position, game: str) -> ScoreSheet:
    """Score a position as it stands; an unfinished valley as if the game ended now."""
    goals = [rules().goals[name] for name in position.goals]
    table = [_scored(player, position.goals) for player in position.players]
    columns = [
        _goal_column(goal, [one.counts[i] for one in table], table) for i, goal in enumerate(goals)
    ]
    sheet = [
        PlayerScore(
            player=one.player.name,
            rows=(*_own_rows(one), *(column[seat] for column in columns)),
        )
        for seat, one in enumerate(table)
    ]
    return ScoreSheet(
        game=game,
        position=position.line(),
        players=tuple(sheet),
        winners=_winners(sheet, table),
        warnings=tuple(_warnings(table)),
    )


def _scored(player: Player, goals: Sequence[str]) -> _Scored:
    """Count each goal on that one of the longest walks which the goals favor most."""
    ride = express(player.valley)

    def counts(walk: Walk) -> tuple[Count, ...]:
        return tuple(COUNTERS[goal](player.valley, walk) for goal in goals)

    walks = ride.walks if "suburban-trains" in goals else ride.walks[:1]
    walk = max(walks, key=lambda walk: sum(count.number for count in counts(walk)))
    return _Scored(player=player, express=ride, walk=walk, counts=counts(walk))


def _own_rows(one: _Scored) -> tuple[ScoreRow, ...]:
    valley = one.player.valley
    return (
        _express_row(valley, one),
        combination_row(valley, "Towns", "town"),
        combination_row(valley, "Farmers", "farmer"),
        mountains_row(valley),
        lakes_row(valley),
    )


def _express_row(valley: Valley, one: _Scored) -> ScoreRow:
    stops, fewest, each = one.walk.stops, one.express.fewest_stops, rules().stop
    route = " > ".join(valley.name(cell) for cell in one.walk.towns)
    why = [f"{stops} x {each}: {route}"]
    if fewest < stops and valley.played:
        why.append(f"the token had a choice of towns: the longest walk counts, not {fewest * each}")
    elif fewest < stops:
        why.append(f"at most: the order of play may have made it as little as {fewest * each}")
    rule = f"rule: The Valley Express: {each} for each town reached, none twice, the first not"
    return ScoreRow(label="Valley Express", value=stops * each, why=(*why, rule))


def _goal_column(
    goal: Goal, counts: Sequence[Count], table: Sequence[_Scored]
) -> tuple[ScoreRow, ...]:
    """Score one goal for every player."""
    best = max(count.number for count in counts)
    tied = sum(count.number == best for count in counts)
    rows = []
    for count, one in zip(counts, table, strict=True):
        cards = one.player.valley.names(count.cards)
        which = f" ({cards})" if cards else ""
        if not goal.competitive:
            value = goal.points * count.number
            why = f"{count.number} x {goal.points}{which}"
        elif count.number < best or (best == 0 and not rules().zero_scores):
            value = 0
            why = f"{count.number}{which}; the most is {best}" if best else "nobody has any"
        else:
            value = -(-goal.points // tied)  # rounded up
            split = f", {goal.points} split between {tied} and rounded up" if tied > 1 else ""
            why = f"{count.number}{which}: the most{split}"
        rows.append(
            ScoreRow(
                label=goal.title,
                value=value,
                why=(why, f"rule: {GOALS_HEADING}, {goal.title}: {goal.counts}"),
            )
        )
    return tuple(rows)


def _winners(sheet: Sequence[PlayerScore], table: Sequence[_Scored]) -> tuple[str, ...]:
    """Most points; then most towns in the Valley Express; then the victory is shared."""
    ranks = [(score.total, one.walk.stops) for score, one in zip(sheet, table, strict=True)]
    return tuple(
        score.player for score, rank in zip(sheet, ranks, strict=True) if rank == max(ranks)
    )


def _warnings(table: Sequence[_Scored]) -> list[str]:
    found = []
    for one in table:
        name, valley = one.player.name, one.player.valley
        if one.express.fewest_stops < one.walk.stops and not valley.played:
            found.append(
                f"{name}: the Valley Express is an upper bound; the order of play, which a "
                "picture does not show, may have led it to fewer towns"
            )
        if len(valley.cards) < rules().valley:
            found.append(
                f"{name}: {len(valley.cards)} of {rules().valley} cards played; scored as if the "
                "game ended now"
            )
    return found
