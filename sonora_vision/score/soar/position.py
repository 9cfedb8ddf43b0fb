"""A position as one line of text, in and out.

``cloud-gate: 5@blue 7@sky ?@red | storm-eye: | blue: 12 holds 3 star2 | red: 0 | sky: 4``

First the row of quests, each with its tokens in slot order and whose bids they are (``?`` is a
face-down token that is not known); then the players clockwise with their points and, after
``holds``, the tokens in hand as far as they are known; then the Skyborne, and how many quests are
left in the pile (none where it does not say).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sonora_vision.errors import RuleError, UsageError
from sonora_vision.score.soar.cards import WORD, CardSet, Quest
from sonora_vision.score.soar.resolve import SKYBORNE, Bid
from sonora_vision.score.soar.rules import rules

UNKNOWN = "?"
HOLDS = "holds"
LEFT = "left"
_NUMBER = r"-?\d{1,4}"


@dataclass(frozen=True, kw_only=True)
class Open:
    """A quest in the row, with the bids on it in slot order."""

    quest: Quest
    bids: tuple[Bid, ...] = ()

    @property
    def full(self) -> bool:
        """Whether every slot has its token."""
        return len(self.bids) == len(self.quest.slots)

    def seen_by(self, viewer: str) -> tuple[str, ...]:
        """Return the tokens as a player may see them; ``?`` for those face down to them.

        Tokens on open eyes lie face up. Of the others one may look at one's own, not at anybody
        else's and not at the Skyborne's.
        """
        return tuple(
            bid.token if self.quest.face_up(slot) or bid.owner == viewer else UNKNOWN
            for slot, bid in enumerate(self.bids)
        )


@dataclass(frozen=True, kw_only=True)
class Holding:
    """Points and tokens in hand of a player or the Skyborne."""

    name: str
    points: int
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Position:
    """All that lies on the table."""

    row: tuple[Open, ...]
    players: tuple[Holding, ...]
    sky: Holding
    left: int = 0

    def line(self) -> str:
        """Return the position as text."""
        parts = []
        for one in self.row:
            words = " ".join(f"{bid.token}@{bid.owner}" for bid in one.bids)
            parts.append(f"{one.quest.id}: {words}".rstrip())
        for holding in (*self.players, self.sky):
            held = f" {HOLDS} {' '.join(holding.tokens)}" if holding.tokens else ""
            parts.append(f"{holding.name}: {holding.points}{held}")
        if self.left:
            parts.append(f"{LEFT}: {self.left}")
        return " | ".join(parts)


@dataclass(frozen=True, kw_only=True)
class _Word:
    """A word of the line and the column of its first letter, from 1."""

    text: str
    column: int

    @property
    def place(self) -> str:
        """Where it stands, as messages give it."""
        return f"column {self.column} ({self.text!r})"


_Segment = tuple[_Word, list[_Word]]


def parse(line: str, cards: CardSet) -> Position:
    """Read a position and check that it can have come about.

    Raises
    ------
    UsageError
        If the text cannot be understood.
    RuleError
        If the rules do not allow what it says. Both name the place in the line.
    """
    segments = _segments(line)
    quests = [part for part in segments if part[0].text in cards.quests]
    holdings = [part for part in segments if part not in quests and part[0].text != LEFT]
    sequence = [*quests, *holdings, *(part for part in segments if part[0].text == LEFT)]
    names = [label.text for label, _ in segments]
    for (label, _), expected in zip(segments, sequence, strict=True):
        if names.count(label.text) > 1:
            raise UsageError(f"{label.place}: stands twice; give each quest and player one part")
        if label != expected[0]:
            raise UsageError(
                f"{label.place}: expected {expected[0].text} here; quests come first, then the "
                f"players, then {SKYBORNE}, then {LEFT}"
            )
    held = [_holding(label, words, cards) for label, words in holdings]
    if not held or held[-1].name != SKYBORNE:
        raise UsageError(
            f"position: expected the Skyborne's points after the players, as '{SKYBORNE}: 4'"
        )
    players, sky = tuple(held[:-1]), held[-1]
    fewest, most = rules().players
    if not fewest <= len(players) <= most:
        raise RuleError(
            f"position: expected {fewest} to {most} players, got {len(players)} (Overview)"
        )
    owners = [holding.name for holding in held]
    position = Position(
        row=tuple(_open(label, words, cards, owners) for label, words in quests),
        players=players,
        sky=sky,
        left=_left(sequence[-1]),
    )
    _check_tokens(segments, cards)
    _check_ships(quests, owners)
    _check_quests(position)
    return position


def _segments(line: str) -> list[_Segment]:
    """Cut the line at ``|`` into a label and its words."""
    found = []
    column = 1
    for segment in line.split("|"):
        label = re.match(rf"\s*({WORD}):", segment)
        if not label:
            raise UsageError(
                f"column {column} ({segment.strip()!r}): expected a name and a colon, as "
                "'blue: 12' or 'cloud-gate: 5@blue'"
            )
        words = [
            _Word(text=word[0], column=column + word.start())
            for word in re.finditer(r"\S+", segment)
            if word.start() >= label.end()
        ]
        found.append((_Word(text=label[1], column=column + label.start(1)), words))
        column += len(segment) + 1
    return found


def _open(label: _Word, words: list[_Word], cards: CardSet, owners: list[str]) -> Open:
    quest = cards.quests[label.text]
    bids = []
    for slot, word in enumerate(words):
        token, at, owner = word.text.partition("@")
        if not at:
            raise UsageError(f"{word.place}: expected token@owner, as 5@blue or x2@{SKYBORNE}")
        if owner not in owners:
            raise UsageError(
                f"{word.place}: nobody is called {owner!r}; it is one of {', '.join(owners)}"
            )
        if slot >= len(quest.slots):
            raise RuleError(
                f"{word.place}: a bid on a full quest; {quest.id} has {len(quest.slots)} slots "
                "(Gameplay)"
            )
        if token == UNKNOWN and quest.face_up(slot):
            raise RuleError(
                f"{word.place}: slot {slot + 1} of {quest.id} is an open eye; its token lies face "
                "up, so say which it is (Gameplay)"
            )
        if token == UNKNOWN and len(words) >= len(quest.slots):
            raise RuleError(
                f"{word.place}: {quest.id} is full, so its tokens are turned face up; say which "
                "this is (Resolving a Quest)"
            )
        if token != UNKNOWN:
            _known(word, token, cards)
        bids.append(Bid(token=token, owner=owner))
    return Open(quest=quest, bids=tuple(bids))


def _holding(label: _Word, words: list[_Word], cards: CardSet) -> Holding:
    if not words or not re.fullmatch(_NUMBER, words[0].text):
        raise UsageError(
            f"{label.place}: expected points, as '{label.text}: 12 {HOLDS} 3 5'; if this is a "
            f"quest, the {cards.name} has {', '.join(cards.quests)}"
        )
    if len(words) > 1 and words[1].text != HOLDS:
        raise UsageError(f"{words[1].place}: expected {HOLDS!r} between points and tokens")
    limits = {
        True: len(cards.supply(special=True)) if label.text == SKYBORNE else rules().special_hand,
        False: 0 if label.text == SKYBORNE else rules().hand,
    }
    for word in words[2:]:
        special = cards.tokens[_known(word, word.text, cards)].special
        limits[special] -= 1
        if limits[special] < 0:
            kind = "special" if special else "regular"
            raise RuleError(
                f"{word.place}: one {kind} token too many for {label.text}'s hand "
                f"({'Special Token Limits' if special else 'Gameplay'})"
            )
    return Holding(
        name=label.text,
        points=int(words[0].text),
        tokens=tuple(word.text for word in words[2:]),
    )


def _left(segment: _Segment) -> int:
    label, words = segment
    if label.text != LEFT:
        return 0
    if len(words) != 1 or not re.fullmatch(r"\d{1,2}", words[0].text):
        raise UsageError(f"{label.place}: expected how many quests are in the pile, as '{LEFT}: 5'")
    return int(words[0].text)


def _known(word: _Word, token: str, cards: CardSet) -> str:
    if token not in cards.tokens:
        raise RuleError(
            f"{word.place}: the {cards.name} has no token {token!r}; its tokens are "
            f"{', '.join(cards.tokens)} (Components)"
        )
    return token


def _check_tokens(segments: Sequence[_Segment], cards: CardSet) -> None:
    """Refuse a token more often than it exists."""
    seen: Counter[str] = Counter()
    for label, words in segments:
        for word in words if label.text in cards.quests else words[2:]:
            token = word.text.partition("@")[0]
            seen[token] += 1
            if token in cards.tokens and seen[token] > cards.tokens[token].copies:
                heading = "Components" if cards.tokens[token].special else "Bid Token Distribution"
                raise RuleError(
                    f"{word.place}: one {token} too many; there are {cards.tokens[token].copies} "
                    f"({heading})"
                )


def _check_ships(quests: Sequence[_Segment], owners: Sequence[str]) -> None:
    """Refuse more bids of a player in the row than there are ships."""
    ships = Counter({owner: rules().ships for owner in owners if owner != SKYBORNE})
    for _, words in quests:
        for word in words:
            owner = word.text.partition("@")[2]
            if owner == SKYBORNE:
                continue
            ships[owner] -= 1
            if ships[owner] < 0:
                raise RuleError(
                    f"{word.place}: {owner} has {rules().ships} ships, each marks one bid; without "
                    "a ship the bid is the Skyborne's (Gameplay)"
                )


def _check_quests(position: Position) -> None:
    """Refuse a row of another length than the number of players and the pile say."""
    players = len(position.players)
    longest = rules().revealed[players]
    if len(position.row) > longest or (position.left and len(position.row) < longest):
        raise RuleError(
            f"position: {players} players have {longest} quests in the row while there is a pile, "
            f"got {len(position.row)} (Setup)"
        )
    in_game = rules().quests - rules().removed[players]
    if len(position.row) + position.left > in_game:
        raise RuleError(
            f"{LEFT}: {players} players play {in_game} quests; {len(position.row)} in the row and "
            f"{position.left} in the pile are more (Setup)"
        )
