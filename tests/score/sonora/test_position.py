"""The one-line notation of positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonora_vision.errors import UsageError
from sonora_vision.observation import DOUBT_REASONS, Missing
from sonora_vision.score.sonora.position import (
    Position,
    Spot,
    parse_position,
    position_line,
)

SECTIONS = ("canyon", "creek", "mudcracks", "ruins")
NAMES = ("red", "blue", "molly", "the green one")


def test_the_documented_line() -> None:
    line = "red: 2@ruins 3@ruins 4@lizard | blue: 5@canyon 1@hole>creek | first: red"
    position = parse_position(line)
    assert position.order == ("red", "blue")
    assert [(d.number, d.via, d.sections) for d in position.discs if d.color == "blue"] == [
        (5, "zone", ("canyon",)),
        (1, "hole", ("creek",)),
    ]
    assert position_line(position, position.players, position.first) == line


some_sections = st.lists(st.sampled_from(SECTIONS), min_size=1, unique=True)


@st.composite
def spots(draw: st.DrawFn, color: str) -> Spot:
    number = draw(st.one_of(st.none(), st.integers(1, 5)))
    reasons = draw(st.lists(st.sampled_from([r for r in DOUBT_REASONS if r != "number"]),
                            unique=True))  # fmt: skip
    doubts = (*reasons, "number") if number is None else tuple(reasons)
    via = draw(st.sampled_from(["zone", "multiplier", "hole", "none"]))
    sections = tuple(sorted(draw(some_sections)))
    if via == "hole":
        sections = draw(st.sampled_from([SECTIONS, *((s,) for s in SECTIONS)]))
    state = {"hole": "in_hole", "none": draw(st.sampled_from(["off_board", "launch_corner"]))}
    return Spot(
        color=color,
        number=number,
        via=via,
        sections=() if via == "none" else sections,
        state=state.get(via, "flat"),
        doubts=doubts,
    )


@st.composite
def positions(draw: st.DrawFn) -> Position:
    players = tuple(draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True)))
    discs = [spot for player in players for spot in draw(st.lists(spots(player), max_size=5))]
    missing = [
        Missing(color=player, number=number)
        for player in players
        for number in draw(st.lists(st.one_of(st.none(), st.integers(1, 5)), max_size=2))
    ]
    return Position(
        players=players,
        first=draw(st.sampled_from(players)),
        discs=tuple(discs),
        missing=tuple(missing),
    )


@given(positions())
def test_round_trip(position: Position) -> None:
    line = position_line(position, position.players, position.first)
    assert parse_position(line) == position


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "expected 'player: discs'"),
        ("first: red", "no player in it"),
        ("red: 4", "'4': expected number@place"),
        ("red: 4@", "expected number@place"),
        ("red: x@ruins", "expected a number from 1"),
        ("red: 0@ruins", "expected a number from 1"),
        ("red: 4@moon", "no such place; places are canyon, creek"),
        ("red: 4@ruins/owl", "no such place"),
        ("red: 4@ruins/ruins", "no such place"),
        ("red: 4@hole>moon", "a bullseye goes to one of"),
        ("red: 4@ruins?fog", "a doubt's reasons are of"),
        ("red: 4@ruins?", "a doubt's reasons are of"),
        ("red: 4@missing?zone", "a missing disc has no doubts"),
        ("red: 4@ruins | red: 3@ruins", "'red' has a part already"),
        ("red: 4@ruins | first: blue", "no such player; they are red"),
        ("red: | first: red | first: red", "named twice"),
    ],
)
def test_mistakes_are_quoted(line: str, what: str) -> None:
    with pytest.raises(UsageError, match=what.replace("?", r"\?")):
        parse_position(line)
