"""The course of a game: three rounds of drawing seven cards, playing one and passing the rest."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sonora_vision.errors import RuleError
from sonora_vision.score.sunflower_valley.cards import CardSet
from sonora_vision.score.sunflower_valley.position import Player, Position
from sonora_vision.score.sunflower_valley.rules import rules
from sonora_vision.score.sunflower_valley.valley import Cell, Valley, spot

Play = tuple[str, Cell]
"""A card's id and the cell it goes to."""


@dataclass(frozen=True, kw_only=True)
class Seat:
    """One player's pile (its top first), hand and valley."""

    name: str
    pile: tuple[str, ...]
    valley: Valley
    hand: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Table:
    """A game between two turns; the next seat is the player on the left."""

    cards: CardSet
    seats: tuple[Seat, ...]
    round: int = 1
    """From 1; one past the last round when the game is over."""
    goals: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the last round is done."""
        return self.round > rules().rounds

    def position(self) -> Position:
        """Return what lies on the table, as played."""
        return Position(
            players=tuple(Player(name=seat.name, valley=seat.valley) for seat in self.seats),
            goals=self.goals,
        )


def deal(
    starts: Mapping[str, str], cards: CardSet, rng: random.Random, goals: Sequence[str] = ()
) -> Table:
    """Set the table up and draw the first hands.

    Parameters
    ----------
    starts
        Each player's Starting Town by name, clockwise.
    cards
        The edition; every player gets one set of its Valley cards.
    rng
        Shuffles the piles.
    goals
        Three goals' names, or none.
    """
    seats = []
    for name, start in starts.items():
        pile = cards.deck()
        rng.shuffle(pile)
        valley = Valley(start=cards.cards[start], played=True)
        seats.append(Seat(name=name, pile=tuple(pile), valley=valley))
    return Table(cards=cards, seats=_draw(seats), goals=tuple(goals))


def legal_plays(table: Table, name: str) -> Iterator[Play]:
    """Yield every card of a hand with every cell that it may go to."""
    if not table.over:
        seat = _seat(table, name)
        cells = seat.valley.free_cells()
        for card in sorted(set(seat.hand)):
            for cell in cells:
                yield card, cell


def check_play(table: Table, name: str, play: Play) -> Valley:
    """Return a player's valley after a play.

    Raises
    ------
    RuleError
        If the game is over, the card is not in the hand, or it may not be played there.
    """
    seat = _seat(table, name)
    card, cell = play
    if table.over:
        raise RuleError(f"{name}: the game is over; no card is played after it (Gameplay)")
    if card not in seat.hand:
        raise RuleError(
            f"{name}: {card}@{spot(cell)}: not in hand; the hand is {', '.join(seat.hand)} "
            "(Gameplay)"
        )
    return seat.valley.plus(cell, table.cards.cards[card])


def turn(table: Table, plays: Mapping[str, Play]) -> Table:
    """Play one card each at the same time and pass the rest to the left.

    After the round's last turn the card that is passed on goes to the bottom of its new owner's
    pile, and the next hands are drawn.

    Raises
    ------
    RuleError
        If a player is missing, or a play is not allowed; nobody's card is played then.
    """
    missing = {seat.name for seat in table.seats} ^ set(plays)
    if missing:
        raise RuleError(
            f"{', '.join(sorted(missing))}: every player plays one card at once (Gameplay)"
        )
    after = []
    for seat in table.seats:
        valley = check_play(table, seat.name, plays[seat.name])
        hand = list(seat.hand)
        hand.remove(plays[seat.name][0])
        after.append(replace(seat, valley=valley, hand=tuple(hand)))
    passed = [replace(seat, hand=after[index - 1].hand) for index, seat in enumerate(after)]
    if len(passed[0].hand) > rules().hand - rules().plays_a_round:
        return replace(table, seats=tuple(passed))
    ended = [replace(seat, pile=(*seat.pile, *seat.hand), hand=()) for seat in passed]
    if table.round < rules().rounds:
        return replace(table, seats=_draw(ended), round=table.round + 1)
    return replace(table, seats=tuple(ended), round=table.round + 1)


def _draw(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    count = rules().hand
    return tuple(replace(seat, hand=seat.pile[:count], pile=seat.pile[count:]) for seat in seats)


def _seat(table: Table, name: str) -> Seat:
    for seat in table.seats:
        if seat.name == name:
            return seat
    raise RuleError(f"{name}: not at the table ({', '.join(s.name for s in table.seats)})")
