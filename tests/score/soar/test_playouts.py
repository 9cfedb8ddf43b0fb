"""A thousand whole games, scored by the program and by a second scorer that shares no code."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from importlib.resources import files

from sonora_vision.score.soar.cards import house_set
from sonora_vision.score.soar.position import parse
from sonora_vision.score.soar.resolve import SKYBORNE
from sonora_vision.score.soar.scoresheet import score
from sonora_vision.score.soar.turns import Placement, Table, set_up, take_turn
from tests.score.soar import naive

HOUSE = tomllib.loads(
    files("sonora_vision.score.soar").joinpath("house_cards.toml").read_text("utf-8")
)
SPECIALS = {special["id"]: special for special in HOUSE["special"]}
QUESTS = {quest["id"]: quest for quest in HOUSE["quest"]}
SUPPLY = Counter(house_set().supply(special=True) + house_set().supply(special=False))
TURNS = {2: 18, 3: 20, 4: 23, 5: 25}
"""Turns of a whole game with five slots a quest: the last of 3 or 4 players takes one fewer."""


def random_turn(table: Table, rng: random.Random) -> list[Placement]:
    """Choose any turn that the rules allow; special tokens more willingly than others."""
    name = table.active
    free = [one.quest.id for one in table.row for _ in one.quest.slots[len(one.bids) :]]
    count = min(2, len(free))
    hand = sorted(table.hands[name], key=lambda t: (t not in SPECIALS) + rng.random() * 1.5)
    quests = rng.sample(free, count)
    mine = rng.randrange(count) if table.ships(name) else None
    return [
        Placement(token=token, quest=quest, mine=place == mine)
        for place, (token, quest) in enumerate(zip(hand, quests, strict=False))
    ]


def first_or_last(name: str, tokens: tuple[str, ...]) -> str:
    """Discard a token; which one differs from player to player."""
    return tokens[0 if name.endswith("0") else -1]


def check_invariants(table: Table) -> None:
    """No token is lost or doubled, and every limit of the rulebook holds."""
    placed = [bid.token for one in table.row for bid in one.bids]
    held = [token for hand in table.hands.values() for token in hand]
    assert Counter([*placed, *held, *table.bag, *table.pile]) == SUPPLY
    for name in table.players:
        specials = [token for token in table.hands[name] if token in SPECIALS]
        assert len(specials) <= 3
        assert len(table.hands[name]) - len(specials) == 3
        assert 0 <= table.ships(name) <= 3
    assert not any(one.full for one in table.row)


def test_a_thousand_games_score_alike() -> None:
    ties = alone = 0
    for seed in range(1000):
        rng = random.Random(seed)
        names = [f"player{seat}" for seat in range(2 + seed % 4)]
        table = set_up(names, house_set(), rng)
        points = dict.fromkeys([*names, SKYBORNE], 0)
        row: dict[str, naive.Bids] = {one.quest.id: [] for one in table.row}
        while not table.over:
            bids = random_turn(table, rng)
            full = []
            for bid in bids:
                row[bid.quest].append((bid.token, table.active if bid.mine else SKYBORNE))
                if len(row[bid.quest]) == len(QUESTS[bid.quest]["slots"]):
                    full.append(bid.quest)
            table = take_turn(table, bids, rng, first_or_last)
            for quest in full:
                won = naive.payout(QUESTS[quest], row.pop(quest), SPECIALS)
                for owner, (reward, _) in won.items():
                    points[owner] += reward
                sums = list(won.values())
                ties += len(sums) > len(set(sums))
                alone += len(sums) == 1
            row |= {one.quest.id: [] for one in table.row if one.quest.id not in row}
            assert dict(table.points) == points
            check_invariants(table)
            if table.turns % 5 == 0:
                line = table.position().line()
                assert parse(line, house_set()).line() == line
        assert table.turns == TURNS[len(names)]
        sheet = score(table.position(), house_set(), "soar")
        kept = {
            name: [token for token in hand if token in SPECIALS]
            for name, hand in table.hands.items()
        }
        finals, winners = naive.final(points, kept, SPECIALS)
        assert {player.player: player.total for player in sheet.players} == finals
        assert list(sheet.winners) == winners
    assert ties > 100
    assert alone > 10
