"""The end of the game: stars, the lowest takes the Skyborne's points, and who wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sonora_vision.score.soar.cards import CardSet
from sonora_vision.score.soar.resolve import SKYBORNE
from sonora_vision.score.soar.rules import rules


def stars(owner: str, held: Sequence[str], cards: CardSet) -> tuple[str, ...]:
    """Return the tokens whose stars count: all of a player's, the best three of the Skyborne's."""
    starred = sorted(
        (token for token in held if cards.tokens[token].stars),
        key=lambda token: -cards.tokens[token].stars,
    )
    return tuple(starred[: rules().skyborne_best] if owner == SKYBORNE else starred)


def lowest(totals: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players with the fewest points, who take the Skyborne's points instead.

    Parameters
    ----------
    totals
        Everybody's points with stars, the Skyborne's under ``sky``.
    """
    players = {owner: total for owner, total in totals.items() if owner != SKYBORNE}
    return tuple(owner for owner, total in players.items() if total == min(players.values()))


def winners(finals: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players with the most points; they share the victory. The Skyborne never wins."""
    players = {owner: total for owner, total in finals.items() if owner != SKYBORNE}
    return tuple(owner for owner, total in players.items() if total == max(players.values()))
