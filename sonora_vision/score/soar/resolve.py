"""Resolving a full quest: modifiers, totals, places, ties and rewards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sonora_vision.errors import RuleError
from sonora_vision.score.soar.cards import REWARDS, Quest, Token
from sonora_vision.score.soar.rules import Places, rules

SKYBORNE = "sky"


@dataclass(frozen=True, kw_only=True)
class Bid:
    """A token on a quest and whose bid it is: a player's or the Skyborne's."""

    token: str
    owner: str


@dataclass(frozen=True, kw_only=True)
class Award:
    """What one bidder gets from a quest."""

    total: int
    """Sum of the bidder's tokens after modifiers."""
    points: int
    specials: int
    """Special tokens to draw."""
    why: tuple[str, ...]
    """Which tokens, which rewards, which rule; a sentence a line."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Every bidder's award, best place first."""

    awards: Mapping[str, Award]


def bid_values(tokens: Sequence[Token]) -> list[int]:
    """Return what each token of a quest bids, its neighbors' modifiers applied.

    A modifier that points before the first or past the last token has no effect.
    """
    values = [token.value for token in tokens]
    for slot, token in enumerate(tokens):
        if slot > 0:
            values[slot - 1] += token.previous
        if slot + 1 < len(tokens):
            values[slot + 1] += token.next
    return values


def reward_points(quest: Quest, tokens: Sequence[Token]) -> dict[str, int]:
    """Return the quest's rewards, modified in the order in which the tokens were placed."""
    points = {name: quest.rewards[name].points for name in REWARDS}
    for token in tokens:
        points = {name: value * token.times + token.all for name, value in points.items()}
    return points


def resolve(quest: Quest, bids: Sequence[Bid], tokens: Mapping[str, Token]) -> Outcome:
    """Resolve a full quest.

    Parameters
    ----------
    quest
        The quest card.
    bids
        One on each slot, in order.
    tokens
        What each token of the bids is, by id.

    Raises
    ------
    RuleError
        If the quest is not full, or a token on it is not known.
    """
    if len(bids) != len(quest.slots):
        raise RuleError(
            f"{quest.id}: {len(bids)} of {len(quest.slots)} slots are filled; a quest is resolved "
            "when it is full (Resolving a Quest)"
        )
    for slot, bid in enumerate(bids, start=1):
        if bid.token not in tokens:
            raise RuleError(
                f"{quest.id}: the token on slot {slot} is not known; turn it face up first "
                "(Resolving a Quest)"
            )
    placed = [tokens[bid.token] for bid in bids]
    values = bid_values(placed)
    totals: dict[str, int] = {}
    for bid, value in zip(bids, values, strict=True):
        totals[bid.owner] = totals.get(bid.owner, 0) + value
    rewards = reward_points(quest, placed)
    awards: dict[str, Award] = {}
    places = _places(len(totals))
    for total in sorted(set(totals.values()), reverse=True):
        tied = [owner for owner in totals if totals[owner] == total]
        won = [name for place in places[len(awards) :][: len(tied)] for name in place]
        points = _toward_zero(sum(rewards[name] for name in won), len(tied))
        specials = sum(quest.rewards[name].special for name in won)
        named = [_reward_in_words(quest, name, rewards[name]) for name in won]
        reason = _reason(named, len(tied), points, specials)
        for owner in tied:
            why = (_bids_in_words(owner, bids, values), *reason)
            awards[owner] = Award(total=total, points=points, specials=specials, why=why)
    return Outcome(awards=MappingProxyType(awards))


def _places(bidders: int) -> Places:
    """Return the rewards of each place, best first."""
    if bidders == 1:
        return rules().alone
    if bidders == 2:
        return rules().two
    first, second, last = rules().more
    return (first, second, *[()] * (bidders - 3), last)


def _toward_zero(pot: int, shares: int) -> int:
    """Divide and drop the fraction: -3 between two is -1."""
    share = abs(pot) // shares
    return share if pot >= 0 else -share


def _bids_in_words(owner: str, bids: Sequence[Bid], values: Sequence[int]) -> str:
    """Say what an owner's tokens add up to, naming those that bid another number than theirs."""
    words = [
        bid.token if bid.token == str(value) else f"{bid.token} as {value}"
        for bid, value in zip(bids, values, strict=True)
        if bid.owner == owner
    ]
    total = sum(value for bid, value in zip(bids, values, strict=True) if bid.owner == owner)
    return f"bids {' + '.join(words)}" + (f" = {total}" if len(words) > 1 else "")


def _reward_in_words(quest: Quest, name: str, points: int) -> str:
    printed = quest.rewards[name].points
    return f"{name} {points}" + (f" (printed {printed})" if printed != points else "")


def _reason(won: Sequence[str], tied: int, points: int, specials: int) -> tuple[str, ...]:
    """Say what the place gets, and by which rule."""
    text = " + ".join(won) or "no reward for its place"
    if won and tied > 1:
        text += f", split between {tied} = {points}"
    elif len(won) > 1:
        text += f" = {points}"
    if specials:
        text += f", and {specials} special token{'s' if specials > 1 else ''} to draw"
    if tied > 1:
        return text, "rule: Ties: the tied share the rewards of their places, fractions dropped"
    return text, "rule: Resolving a Quest: rewards go by rank; of two, the second takes two"
