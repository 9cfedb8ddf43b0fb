"""From a reading to each color's total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sonora_vision.errors import UsageError
from sonora_vision.score.allocation import Placed, Table
from sonora_vision.score.crokinole.assign import points_of
from sonora_vision.score.crokinole.rules import rules
from sonora_vision.score.game import PlayerScore, ScoreRow, ScoreSheet


def score_table(table: Table, order: Sequence[str]) -> ScoreSheet:
    """Add up each color's discs.

    Parameters
    ----------
    table
        A reading, as read or with its doubts settled.
    order
        Colors that play. Discs of other colors are left out, with a warning.

    Returns
    -------
    ScoreSheet
        A row for each ring. A disc in doubt counts nowhere and is named in a warning; while there
        is one, nobody has won.

    Raises
    ------
    UsageError
        If the order is empty or names a color twice.
    RuleError
        If the reading was made by another game's rules.
    """
    if not order or len(set(order)) < len(order):
        raise UsageError(
            f"order: expected each color that plays once, got {', '.join(order) or 'none'}"
        )
    players = tuple(_player(color, table.discs) for color in order)
    in_doubt = [disc for disc in table.discs if disc.doubts and disc.color in order]
    left_out = Counter(disc.color for disc in table.discs if disc.color not in order)
    best = max(player.total for player in players)
    return ScoreSheet(
        game="crokinole",
        position=table.board,
        players=players,
        winners=() if in_doubt else tuple(p.player for p in players if p.total == best),
        warnings=(
            *table.warnings,
            *(_doubt(disc) for disc in in_doubt),
            *(
                f"{color} is not in the order: {count} of its discs left out"
                for color, count in sorted(left_out.items())
            ),
        ),
    )


def _player(color: str, discs: Sequence[Placed]) -> PlayerScore:
    """Count one color's settled discs, the best ring first."""
    settled = [disc for disc in discs if disc.color == color and not disc.doubts]
    count = Counter(section for disc in settled for section in disc.sections)
    for section in count:
        points_of(section)  # says what is wrong with a reading by other rules
    scoring = [(section, points) for section, points in rules().points.items() if points]
    return PlayerScore(
        player=color,
        rows=tuple(
            ScoreRow(
                label=section,
                value=points * count[section],
                why=(f"{count[section]} {'disc' if count[section] == 1 else 'discs'}",),
            )
            for section, points in scoring
        ),
    )


def _doubt(disc: Placed) -> str:
    call = " or ".join(disc.sections) or "nothing"
    return f"{disc.color}: a disc that may count {call} is in doubt ({', '.join(disc.doubts)})"
