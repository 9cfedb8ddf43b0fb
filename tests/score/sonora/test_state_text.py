"""The text of a sheet's marks: it comes back, and what cannot be is refused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonora_vision.errors import UsageError
from sonora_vision.score.sonora.game_state import new_game
from sonora_vision.score.sonora.marks import mark_text, parse_mark
from sonora_vision.score.sonora.playout import play
from sonora_vision.score.sonora.sheet_file import house_sheet
from sonora_vision.score.sonora.state import Due, Setting, SheetState, Writing, new_sheet
from sonora_vision.score.sonora.state_check import impossible
from sonora_vision.score.sonora.state_text import parse_state, state_text
from sonora_vision.score.sonora.write import apply, legal_kinds

SETTING = Setting(sheet=house_sheet())


@st.composite
def written(draw: st.DrawFn) -> Writing:
    """Make some random legal marks."""
    writing = Writing(
        state=new_sheet(SETTING),
        due=Due(
            ruins=draw(st.integers(0, 40)),
            canyon=tuple(draw(st.lists(st.integers(1, 5), max_size=4))),
            creek=tuple(draw(st.lists(st.integers(1, 5), max_size=4))),
            mudcracks=draw(st.integers(0, 25)),
            discoveries=draw(st.integers(0, 2)),
        ),
    )
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 12))):
        kinds = list(legal_kinds(SETTING, writing))
        rng.shuffle(kinds)
        marks = next(filter(None, map(list, kinds)), [])
        if marks:
            mark = rng.choice(marks)
            text = mark_text(SETTING.sheet, mark)
            assert parse_mark(SETTING.sheet, text) == mark
            writing = apply(SETTING, writing, mark)
    return writing


@settings(max_examples=60, deadline=None)
@given(written())
def test_round_trip(writing: Writing) -> None:
    assert impossible(SETTING, writing.state) is None
    assert parse_state(SETTING, state_text(SETTING, writing.state)) == writing.state


def test_round_trip_solo() -> None:
    """The rival's marks come back too."""
    start = new_game(house_sheet(), ("red", "blue", "green"), solo=True)
    for _, state in play(start, Random(3)):
        if state.phase == "flick" and not state.flicked:
            sheet: SheetState = state.sheets["solo"]
            assert parse_state(SETTING, state_text(SETTING, sheet)) == sheet
    assert sheet.rival_shapes
    assert sheet.rival_creek
    assert sum(sheet.circles)


def test_blank_sheet_is_an_empty_line() -> None:
    assert state_text(SETTING, new_sheet(SETTING)) == ""
    assert parse_state(SETTING, "") == new_sheet(SETTING)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("river: a1", "expected one each of ruins, canyon"),
        ("creek: a1 | creek: a2", "expected one each"),
        ("creek a1", "expected one each"),
        ("ruins: Z5", "no building is called 'Z'"),
        ("ruins: A", "expected a building, its hexes"),
        ("ruins: A6^", "building A has 5 hexes, not 6"),
        ("ruins: A5", "building A: one reward is circled if all hexes"),
        ("ruins: A4^", "building A: one reward is circled if all hexes"),
        ("ruins: rival 3", "expected circled and crossed off"),
        ("ruins: rival 3-4", "the rival's building"),
        ("canyon: a1", "no square is called 'a1'"),
        ("canyon: e10+e11+e12", "is none of the shapes"),
        ("canyon: g10", "not joined to the pre-drawn square"),
        ("canyon: e10+f10 f10", "two shapes overlap"),
        ("creek: a2", "space a2 is not joined to the start"),
        ("creek: a1 a1*", "carries two marks"),
        ("creek: zz", "no space is called 'zz'"),
        ("mudcracks: o1", "node o1 is not joined to the start"),
        ("mudcracks: box1-3", "column 1 has 2 boxes, not 3"),
        ("mudcracks: box9-1", "no column is called 'box9'"),
        ("mudcracks: i1+1", "node i1 has no room for 1 circles"),
        ("mudcracks: o1+x", "expected a number, got 'x'"),
        ("bonuses: swap 1", "expected circled and crossed off"),
        ("bonuses: swap", "expected circled and crossed off"),
        ("bonuses: swap 1-2", "swap: 1 circled and 2 crossed off"),
        ("bonuses: swap 9-0", "9 circled and 0 crossed off of 8"),
        ("bonuses: swap 0-0", "fewer circled than at the start"),
        ("bonuses: wolf 1-0", "no bonus is called 'wolf'"),
    ],
)
def test_mistakes(line: str, what: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_state(SETTING, line)
    assert what in str(caught.value)
