"""The course of a game: setup, two bids a turn, full quests resolved, tokens and quests drawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from sonora_vision.errors import RuleError
from sonora_vision.score.soar.cards import CardSet
from sonora_vision.score.soar.position import Holding, Open, Position
from sonora_vision.score.soar.resolve import SKYBORNE, Award, Bid, resolve
from sonora_vision.score.soar.rules import rules

Discard = Callable[[str, tuple[str, ...]], str]
"""A player's choice: given the name and the special tokens, one too many, which one to discard."""


@dataclass(frozen=True, kw_only=True)
class Placement:
    """One token of a turn, the quest it goes to, and whether a ship marks it."""

    token: str
    quest: str
    mine: bool = False


@dataclass(frozen=True, kw_only=True)
class Table:
    """A game between two turns. Nothing here is hidden; what a player may see is `Open.seen_by`."""

    cards: CardSet
    players: tuple[str, ...]
    """Clockwise, from the one who goes first."""
    row: tuple[Open, ...]
    deck: tuple[str, ...]
    bag: tuple[str, ...]
    pile: tuple[str, ...]
    """Special tokens, face down; the first is drawn next."""
    hands: Mapping[str, tuple[str, ...]]
    """Everybody's tokens; of the Skyborne, its special tokens."""
    points: Mapping[str, int]
    turns: int = 0
    """Turns taken so far by all players."""

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return self.players[self.turns % len(self.players)]

    @property
    def over(self) -> bool:
        """Whether all quests are resolved."""
        return not self.row

    def ships(self, name: str) -> int:
        """Return how many ships a player has left to place."""
        return rules().ships - sum(bid.owner == name for one in self.row for bid in one.bids)

    def position(self) -> Position:
        """Return the table as a position."""
        held = [
            Holding(name=name, points=self.points[name], tokens=self.hands[name])
            for name in (*self.players, SKYBORNE)
        ]
        return Position(row=self.row, players=tuple(held[:-1]), sky=held[-1], left=len(self.deck))


def set_up(players: Sequence[str], cards: CardSet, rng: random.Random) -> Table:
    """Set a game up; the first player is the one who last saw a shooting star.

    Raises
    ------
    RuleError
        If there are too few or too many players.
    """
    fewest, most = rules().players
    if not fewest <= len(players) <= most:
        raise RuleError(f"expected {fewest} to {most} players, got {len(players)} (Overview)")
    deck = rng.sample(list(cards.quests), rules().quests - rules().removed[len(players)])
    bag, pile = cards.supply(special=False), cards.supply(special=True)
    rng.shuffle(bag)
    rng.shuffle(pile)
    hands = {}
    for name in players:
        hands[name], bag = tuple(bag[: rules().hand]), bag[rules().hand :]
    if len(players) in rules().last_gets_special:
        hands[players[-1]] += (pile.pop(0),)
    shown = rules().revealed[len(players)]
    return Table(
        cards=cards,
        players=tuple(players),
        row=tuple(Open(quest=cards.quests[name]) for name in deck[:shown]),
        deck=tuple(deck[shown:]),
        bag=tuple(bag),
        pile=tuple(pile),
        hands=MappingProxyType({**hands, SKYBORNE: ()}),
        points=MappingProxyType(dict.fromkeys((*players, SKYBORNE), 0)),
    )


def check_turn(table: Table, placements: Sequence[Placement]) -> None:
    """Check the active player's bids.

    Raises
    ------
    RuleError
        If the rules do not allow them.
    """
    name = table.active if not table.over else table.players[0]
    room = {one.quest.id: len(one.quest.slots) - len(one.bids) for one in table.row}
    expected = min(rules().bids, sum(room.values()))
    if table.over:
        raise RuleError("the game is over; all quests are resolved (End of Game)")
    if len(placements) != expected:
        raise RuleError(f"{name}: expected {expected} bids, got {len(placements)} (Gameplay)")
    hand = Counter(table.hands[name])
    for bid in placements:
        hand[bid.token] -= 1
        if hand[bid.token] < 0:
            held = ", ".join(table.hands[name])
            raise RuleError(f"{name}: {bid.token} is not in hand; the hand is {held} (Gameplay)")
        if bid.quest not in room:
            raise RuleError(
                f"{name}: no quest {bid.quest!r} in the row; it has {', '.join(room)} (Gameplay)"
            )
        room[bid.quest] -= 1
        if room[bid.quest] < 0:
            raise RuleError(f"{name}: {bid.token}@{bid.quest}: the quest is full (Gameplay)")
    marked, ships = sum(bid.mine for bid in placements), table.ships(name)
    if marked != min(1, ships):
        raise RuleError(
            f"{name}: has {ships} ships to place and marks {marked} bids; expected "
            f"{'one marked, the other the Skyborne' if ships else 'both the Skyborne'}'s (Gameplay)"
        )


def take_turn(
    table: Table, placements: Sequence[Placement], rng: random.Random, discard: Discard
) -> Table:
    """Play the active player's turn to its end.

    Parameters
    ----------
    table
        The game before the turn.
    placements
        The bids in the order in which they are placed.
    rng
        Draws from the bag and shuffles the special tokens.
    discard
        Asked when a player would hold a special token too many.

    Raises
    ------
    RuleError
        If `check_turn` refuses the bids, or a discard is not one of the tokens offered.
    """
    check_turn(table, placements)
    name = table.active
    row, hand, filled = list(table.row), list(table.hands[name]), []
    for placed in placements:
        hand.remove(placed.token)
        index = next(i for i, one in enumerate(row) if one.quest.id == placed.quest)
        bid = Bid(token=placed.token, owner=name if placed.mine else SKYBORNE)
        row[index] = replace(row[index], bids=(*row[index].bids, bid))
        filled += [row[index]] if row[index].full else []
    hands = MappingProxyType({**table.hands, name: tuple(hand)})
    table = replace(table, row=tuple(row), hands=hands)
    for quest in filled:
        table = _resolve(table, quest, rng, discard)
    table = _draw_up(table, name, rng)
    return replace(
        table, row=_refilled(table), deck=table.deck[len(filled) :], turns=table.turns + 1
    )


def _resolve(table: Table, full: Open, rng: random.Random, discard: Discard) -> Table:
    """Give a full quest's rewards, then put its tokens back."""
    awards = resolve(full.quest, full.bids, table.cards.tokens).awards
    points = {
        name: old + awards[name].points if name in awards else old
        for name, old in table.points.items()
    }
    table = replace(table, points=MappingProxyType(points))
    for name in _drawing_order(table, awards):
        table = _draw_special(table, name, awards[name].specials, discard)
    tokens = tuple(bid.token for bid in full.bids)
    specials = table.cards.specials(tokens)
    regular = tuple(token for token in tokens if token not in specials)
    pile = [*table.pile, *specials]
    rng.shuffle(pile)
    return replace(
        table,
        row=tuple(one for one in table.row if one != full),
        bag=(*table.bag, *regular),
        pile=tuple(pile),
    )


def _drawing_order(table: Table, awards: Mapping[str, Award]) -> list[str]:
    """Order by rank, then clockwise from the active player, the Skyborne last."""
    turn = table.players.index(table.active)
    seats = (*table.players[turn:], *table.players[:turn], SKYBORNE)
    return sorted(awards, key=lambda name: (-awards[name].total, seats.index(name)))


def _draw_special(table: Table, name: str, count: int, discard: Discard) -> Table:
    """Draw special tokens; a player with one too many discards one of their choice."""
    for _ in range(min(count, len(table.pile))):
        hand, pile = (*table.hands[name], table.pile[0]), table.pile[1:]
        specials = table.cards.specials(hand)
        if name != SKYBORNE and len(specials) > rules().special_hand:
            gone = discard(name, specials)
            if gone not in specials:
                raise RuleError(
                    f"{name}: {gone} cannot be discarded; choose one of {', '.join(specials)} "
                    "(Special Token Limits)"
                )
            kept = list(hand)
            kept.remove(gone)
            hand, pile = tuple(kept), (*pile, gone)
        table = replace(table, hands=MappingProxyType({**table.hands, name: hand}), pile=pile)
    return table


def _draw_up(table: Table, name: str, rng: random.Random) -> Table:
    """Draw from the bag up to three regular tokens; special tokens do not count."""
    hand = table.hands[name]
    bag = list(table.bag)
    while len(hand) - len(table.cards.specials(hand)) < rules().hand and bag:
        hand = (*hand, bag.pop(rng.randrange(len(bag))))
    return replace(table, hands=MappingProxyType({**table.hands, name: hand}), bag=tuple(bag))


def _refilled(table: Table) -> tuple[Open, ...]:
    """Replace resolved quests from the deck while it lasts."""
    gone = rules().revealed[len(table.players)] - len(table.row)
    new = tuple(Open(quest=table.cards.quests[name]) for name in table.deck[:gone])
    return table.row + new
