"""Final scoring: four sections, a total, and who wins."""

from __future__ import annotations

from collections.abc import Mapping

from sonora_vision.score.game import PlayerScore, ScoreSheet
from sonora_vision.score.sonora.canyon import canyon_points, canyon_total
from sonora_vision.score.sonora.creek import creek_points, creek_total
from sonora_vision.score.sonora.mudcracks import mudcracks_points, mudcracks_total
from sonora_vision.score.sonora.ruins import ruins_points, ruins_total
from sonora_vision.score.sonora.state import Setting, SheetState


def score_sheet(setting: Setting, player: str, state: SheetState) -> PlayerScore:
    """Score one sheet as it stands; bonuses are worth no points, used or not."""
    return PlayerScore(
        player=player,
        rows=tuple(
            points(setting, state)
            for points in (ruins_points, creek_points, canyon_points, mudcracks_points)
        ),
    )


def points_now(setting: Setting, state: SheetState) -> int:
    """Return the total of one sheet, without the reasons."""
    return (
        ruins_total(setting, state)
        + creek_total(setting, state.circled)
        + canyon_total(setting, state.canyon)
        + mudcracks_total(setting, state.nodes)
    )


def final_scores(
    setting: Setting, sheets: Mapping[str, SheetState], position: str = ""
) -> ScoreSheet:
    """Score every sheet and say who wins.

    The highest total wins; a tie goes to who circled the most Discovery Bonuses; what is tied
    then is shared. Playing alone, there is nobody to win against.

    References
    ----------
    English rulebook: Game End & Final Scoring, Ties.
    """
    players = tuple(score_sheet(setting, player, state) for player, state in sheets.items())
    rank = {p.player: (p.total, sheets[p.player].discoveries) for p in players}
    best = max(rank.values())
    return ScoreSheet(
        game="sonora",
        position=position,
        players=players,
        winners=tuple(p for p in rank if rank[p] == best) if not setting.solo else (),
    )
