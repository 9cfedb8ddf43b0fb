"""A second scorer, written from the rulebook alone: slow, plain, and sharing no code.

It reads the card file itself and is given what was placed, as ``(token, owner)`` in slot order.
"""

from __future__ import annotations

from math import trunc
from typing import Any

Bids = list[tuple[str, str]]


def bid(token: str, specials: dict[str, dict[str, Any]]) -> int:
    return int(specials[token]["value"]) if token in specials else int(token)


def totals(bids: Bids, specials: dict[str, dict[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for place, (token, owner) in enumerate(bids):
        value = bid(token, specials)
        if place > 0:
            before = specials.get(bids[place - 1][0], {})
            value += before.get("next", 0)
        if place < len(bids) - 1:
            behind = specials.get(bids[place + 1][0], {})
            value += behind.get("previous", 0)
        found[owner] = found.get(owner, 0) + value
    return found


def rewards(
    quest: dict[str, Any], bids: Bids, specials: dict[str, dict[str, Any]]
) -> tuple[int, int, int]:
    first, second, last = (quest[name]["points"] for name in ("first", "second", "last"))
    for token, _ in bids:
        special = specials.get(token, {})
        if "times" in special:
            first, second, last = (value * special["times"] for value in (first, second, last))
        if "all" in special:
            first, second, last = (value + special["all"] for value in (first, second, last))
    return first, second, last


def payout(
    quest: dict[str, Any], bids: Bids, specials: dict[str, dict[str, Any]]
) -> dict[str, tuple[int, int]]:
    """Points and special tokens of every bidder."""
    sums = totals(bids, specials)
    first, second, last = rewards(quest, bids, specials)
    icons = [quest[name].get("special", False) for name in ("first", "second", "last")]
    order = sorted(sums, key=lambda owner: -sums[owner])
    if len(order) == 1:
        return {order[0]: (first + last, icons[0] + icons[2])}
    if len(order) == 2:
        best, worst = order
        if sums[best] == sums[worst]:
            half = trunc((first + second + last) / 2)
            return {best: (half, sum(icons)), worst: (half, sum(icons))}
        return {best: (first, int(icons[0])), worst: (second + last, icons[1] + icons[2])}
    by_place = [(first, icons[0]), (second, icons[1])]
    by_place += [(0, False)] * (len(order) - 3)
    by_place += [(last, icons[2])]
    found = {}
    for owner in order:
        tied = [place for place, other in enumerate(order) if sums[other] == sums[owner]]
        points = trunc(sum(by_place[place][0] for place in tied) / len(tied))
        found[owner] = (points, sum(by_place[place][1] for place in tied))
    return found


def final(
    points: dict[str, int], kept: dict[str, list[str]], specials: dict[str, dict[str, Any]]
) -> tuple[dict[str, int], list[str]]:
    """Everybody's points at the end, and who wins."""
    scores = {}
    for owner, value in points.items():
        stars = sorted((specials[t].get("stars", 0) for t in kept[owner]), reverse=True)
        scores[owner] = value + sum(stars[:3] if owner == "sky" else stars)
    players = [owner for owner in scores if owner != "sky"]
    low = min(scores[owner] for owner in players)
    for owner in players:
        if scores[owner] == low:
            scores[owner] = scores["sky"]
    high = max(scores[owner] for owner in players)
    return scores, [owner for owner in players if scores[owner] == high]
