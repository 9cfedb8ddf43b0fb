"""A thousand whole games, scored by the program and by a second scorer that shares no code."""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from importlib.resources import files

from sonora_vision.score.sunflower_valley.cards import CardSet, read_cards
from sonora_vision.score.sunflower_valley.position import Position, parse
from sonora_vision.score.sunflower_valley.rounds import Table, deal, legal_plays, turn
from sonora_vision.score.sunflower_valley.rules import rules
from sonora_vision.score.sunflower_valley.scoresheet import score
from tests.score.sunflower_valley import naive

HOUSE = tomllib.loads(
    files("sonora_vision.score.sunflower_valley").joinpath("house_cards.toml").read_text("utf-8")
)
RAILWAYS = {
    **HOUSE,
    "name": "railways",
    "card": [
        {"id": "halt", "type": "town", "tracks": ["we"], "copies": 4, "villagers": 1},
        {"id": "city", "type": "town", "needs": ["field"], "points": 1, "copies": 2},
        {"id": "field", "type": "field", "copies": 3},
        {"id": "cross", "type": "railroad", "tracks": ["ns", "we"], "copies": 3},
        {"id": "bends", "type": "railroad", "tracks": ["ne", "sw"], "copies": 2},
        {"id": "fork", "type": "railroad", "tracks": ["nes"], "copies": 2},
        {"id": "yard", "type": "railroad", "tracks": ["nesw"], "copies": 2},
        {"id": "straight", "type": "railroad", "tracks": ["we"], "copies": 2},
    ],
}
"""Crossings, forks and towns with two sides only, which the house set does not have."""


def played_game(document: dict[str, object], seed: int) -> Position:
    """Play a game at random, with a liking for railroads that meet."""
    rng = random.Random(seed)
    cards = read_cards(document, str(document["name"]))
    names = [f"player{seat}" for seat in range(rng.randint(2, 4))]
    starts = [f"start{n}{rng.choice('ab')}" for n in rng.sample(range(1, 7), len(names))]
    goals = rng.sample(list(rules().goals), 3) if seed % 10 else []
    table = deal(dict(zip(names, starts, strict=True)), cards, rng, goals)
    while not table.over:
        table = turn(table, {name: liked_play(table, name, rng) for name in names})
    return table.position()


def liked_play(table: Table, name: str, rng: random.Random) -> tuple[str, tuple[int, int]]:
    grid = next(seat.valley.grid for seat in table.seats if seat.name == name)

    def meets(play: tuple[str, tuple[int, int]]) -> int:
        sides = "".join("".join(track) for track in table.cards.cards[play[0]].tracks)
        return sum(
            naive.BACK[side] in "".join("".join(track) for track in grid[there].tracks)
            for side in sides
            if (there := (play[1][0] + naive.SIDES[side][0], play[1][1] + naive.SIDES[side][1]))
            in grid
        )

    plays = list(legal_plays(table, name))
    return max(rng.sample(plays, min(8, len(plays))), key=meets)


def as_picture(position: Position, rng: random.Random) -> str:
    """Write the position as a picture shows it: without the order of play."""
    parts = position.line().replace(" > ", " ").split(" | ")
    for index, part in enumerate(parts):
        label, start, *cards = part.split(" ")
        if label != "goals:":
            rng.shuffle(cards)
            parts[index] = " ".join([label, start, *cards])
    return " | ".join(parts)


def naive_valley(line: str, document: dict[str, object]) -> list[tuple[naive.Grid, object]]:
    """Read the line's valleys without the program's parser."""
    by_id = naive.cards_by_id(document)
    valleys = []
    for part in line.split(" | "):
        label, start, *words = part.split(" ")
        if label == "goals:":
            continue
        grid, order = {(0, 0): by_id[start]}, []
        for word in words:
            if word == ">":
                continue
            name, place = word.split("@")
            x = y = 0
            for side, steps in re.findall(r"([nesw])(\d+)", place):
                x += naive.SIDES[side][0] * int(steps)
                y += naive.SIDES[side][1] * int(steps)
            grid[x, y] = by_id[name]
            order.append((x, y))
        valleys.append((grid, order if ">" in words else None))
    return valleys


def test_a_thousand_games_score_alike() -> None:
    seen: Counter[str] = Counter()
    for seed in range(1000):
        document = RAILWAYS if seed % 3 == 0 else HOUSE
        cards: CardSet = read_cards(document, "cards")
        position = played_game(document, seed)
        line = position.line()
        if seed % 2:
            line = as_picture(position, random.Random(seed))
        again = parse(line, cards)
        assert again.line() == line
        sheet = score(again, "sunflower-valley")
        columns, winners = naive.table(naive_valley(line, document), list(again.goals))
        found = [[row.value for row in player.rows] for player in sheet.players]
        assert found == columns, line
        assert sheet.winners == tuple(sheet.players[seat].player for seat in winners), line
        seen.update(row.label for player in sheet.players for row in player.rows if row.value)
    titles = {"Valley Express", *(goal.title for goal in rules().goals.values())}
    assert titles <= set(seen), "a column that never scores proves nothing"
