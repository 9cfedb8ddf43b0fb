"""Solo Mode: the rival's rules in all four sections, and what they change for the player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sonora_vision.errors import RuleError
from sonora_vision.score.sonora.events import parse_event
from sonora_vision.score.sonora.final import final_scores
from sonora_vision.score.sonora.flick_phase import next_flick
from sonora_vision.score.sonora.game_state import GameState
from sonora_vision.score.sonora.marks import DrawShape, MakePath, parse_mark
from sonora_vision.score.sonora.mudcracks import node_cost
from sonora_vision.score.sonora.rounds import step
from sonora_vision.score.sonora.solo import (
    apply_rival,
    finish_rival,
    legal_rival_marks,
    rival_placements,
)
from sonora_vision.score.sonora.state import Due, Setting, Writing, new_sheet
from sonora_vision.score.sonora.state_text import parse_state

Play = Callable[..., GameState]
THREE = ["red", "blue", "green"]


def rival(setting: Setting, *texts: str, marks: str = "", **due: Any) -> Writing:
    """Make the rival's marks on a sheet."""
    writing = Writing(state=parse_state(setting, marks), due=Due()._replace(**due))
    for text in texts:
        writing = apply_rival(setting, writing, parse_mark(setting.sheet, text))
    return writing


def refused(state: GameState, text: str) -> str:
    with pytest.raises(RuleError) as caught:
        step(state, parse_event(text))
    return str(caught.value)


def read_board(game: Play, *more: str) -> GameState:
    """Flick 15 discs; red lies in the Ruins, blue all over, green in the Creek."""
    flicks = [f"flick {color} {n} on" for color in THREE for n in range(1, 6)]
    reading = (
        "read red: 1@ruins 2@ruins 3@canyon 4@off 5@off | "
        "blue: 1@ruins 2@canyon 3@creek 4@mudcracks 5@off | "
        "green: 1@creek 2@creek 3@creek 4@creek 5@creek"
    )
    return game(THREE, *flicks, reading, *more, solo=True)


# Solo Game Round


def test_solo_flicks_15_discs_of_three_colors_in_any_order(game: Play) -> None:
    state = game(THREE, "flick green 5 on", "flick red 1 on", "flick green 1 on", solo=True)
    assert set(next_flick(state)) == set(THREE)
    assert read_board(game).phase == "choose"


def test_solo_reflick_may_be_used_on_any_disc(game: Play) -> None:
    state = game(THREE, "flick green 5 off", "reflick green", "flick green 5 on", solo=True)
    assert state.sheets["solo"].kept("reflick") == 0


def test_solo_choose_two_colors_and_discard_the_third(game: Play) -> None:
    state = read_board(game, "choose red blue")
    assert {spot.color for spot in state.table} == {"red", "blue"}
    assert "another than yours" in refused(read_board(game), "choose red red")
    assert "none of the three colors" in refused(read_board(game), "choose red pink")


def test_solo_swaps_only_discs_of_the_players_color(game: Play) -> None:
    state = read_board(game, "choose red blue")
    assert "only discs of your color, red" in refused(state, "swap blue 1 2")
    assert step(state, parse_event("swap red 1 3")).sheets["solo"].kept("swap") == 0


def test_solo_rival_marks_before_the_player(game: Play) -> None:
    state = read_board(game, "choose red blue", "ready solo")
    assert state.phase == "rival"
    assert "the rival marks before you do" in refused(state, "write solo ruins A 1")
    assert "uses every disc" in refused(state, "done rival")
    state = step(state, parse_event("write rival ruins rival 1"))
    state = step(state, parse_event("write rival canyon 2 k9 l9 l10"))
    state = step(state, parse_event("write rival creek 3 s7 s6 s5"))
    state = step(state, parse_event("write rival mudcracks add o1 3"))
    state = step(state, parse_event("write rival mudcracks add o7 1"))
    state = step(state, parse_event("done rival"))
    assert state.phase == "write"
    assert "cross the rival's 1 circled hexes first" in refused(state, "write solo ruins A 1")
    state = step(state, parse_event("write solo ruins rival 1"))
    state = step(state, parse_event("write solo ruins A 2"))
    state = step(state, parse_event("write solo canyon 3 a9"))
    state = step(state, parse_event("done solo"))
    assert (state.round, state.turn_deg, state.launch_corner("red")) == (2, 90, 3)


def test_solo_turns_to_a_new_launch_corner_starting_with_ruins(game: Play) -> None:
    assert game(THREE, solo=True).launch_corner("red") == 0


def test_solo_has_no_winner(setting: Setting) -> None:
    alone = replace(setting, solo=True)
    assert final_scores(alone, {"solo": new_sheet(alone)}).winners == ()


# Ruins


def test_rival_ruins_circles_its_full_value_in_its_building(setting: Setting) -> None:
    assert rival(setting, "ruins rival 7", ruins=7).state.rival_hexes == 7
    with pytest.raises(RuleError, match="its full value"):
        rival(setting, "ruins rival 6", ruins=7)
    with pytest.raises(RuleError, match="hexes of its own building"):
        rival(setting, "ruins A 5", ruins=5)


def test_rival_ruins_full_building_is_said(setting: Setting) -> None:
    after = rival(setting, "ruins rival 2", marks="ruins: rival 18-0", ruins=5)
    assert finish_rival(setting, after).notes == ("3 Ruins value unused: no hex is left",)


def test_player_crosses_only_circled_hexes_of_the_rivals_building(write: Any) -> None:
    after = write("ruins rival 2", "ruins A 3", marks="ruins: rival 2-0", ruins=5)
    assert (after.state.rival_hexes_crossed, after.state.hexes[0]) == (2, 3)
    with pytest.raises(RuleError, match="only 2 circled hexes"):
        write("ruins rival 3", marks="ruins: rival 2-0", ruins=5)


# Canyon


def test_rival_canyon_starts_on_its_squares(setting: Setting) -> None:
    canyon = setting.sheet.canyon
    assert canyon.rival.bit_count() == 2
    for placement in rival_placements(setting, new_sheet(setting), 4):
        assert placement.mask & canyon.rival


def test_rival_canyon_draws_the_largest_shape_that_fits(setting: Setting) -> None:
    state = new_sheet(setting)
    assert {p.value for p in rival_placements(setting, state, 4)} == {4}
    with pytest.raises(RuleError, match="largest shape"):
        rival(setting, "canyon 4 l9", canyon=(4,))
    corner = setting.sheet.canyon.names["l9"]
    crowded = state._replace(canyon=setting.sheet.canyon.open & ~(1 << corner))
    assert {p.value for p in rival_placements(setting, crowded, 4)} == {1}


def test_rival_canyon_goes_on_from_its_own_shapes(setting: Setting) -> None:
    after = rival(setting, "canyon 1 l9 k9", "canyon 2 k10 k11 l11", canyon=(1, 2))
    assert len(after.state.rival_shapes) == 2


def test_rival_canyon_leaps_over_a_drawn_shape_beside_its_own(setting: Setting) -> None:
    """The rival's d8 is beside the player's c8+c9, so the far side of that shape is open to it."""
    marks = "canyon: c9+c8 !d8"
    state = parse_state(setting, marks)
    beyond = 1 << setting.sheet.canyon.names["b8"]
    assert any(p.mask & beyond for p in rival_placements(setting, state, 1))
    apart = parse_state(setting, "canyon: a9+a8 !l9")
    beside = 1 << setting.sheet.canyon.names["b8"]
    assert not any(p.mask & beside for p in rival_placements(setting, apart, 1))


def test_player_does_not_leap_and_does_not_overlap_the_rival(write: Any) -> None:
    with pytest.raises(RuleError, match="overlaps one of the rival's"):
        write("canyon 1 c9", marks="canyon: !d8+c8 !c9", canyon=(1,))
    with pytest.raises(RuleError, match="shares no side with a drawn shape"):
        write("canyon 1 c7", marks="canyon: c9 !d8+c8", canyon=(1,))


def test_player_may_draw_beside_the_rival(write: Any) -> None:
    assert write("canyon 1 c9", marks="canyon: !d8+c8", canyon=(1,)).state.shapes


def test_rival_earns_no_bonus_and_hides_it_from_the_player(setting: Setting, write: Any) -> None:
    after = rival(setting, "canyon 1 d8 d9", canyon=(1,))  # a Fox icon is on d9
    assert after.due == Due()
    with pytest.raises(RuleError, match="overlaps one of the rival's"):
        write("canyon 1 d9", marks="canyon: !d8+d9", canyon=(1,))


# Creek


def test_rival_creek_starts_at_its_squares_at_the_bottom(setting: Setting) -> None:
    writing = rival(setting, creek=(2,))
    firsts = {m.spaces[0] for m in legal_rival_marks(setting, writing) if isinstance(m, MakePath)}
    assert firsts == {setting.sheet.creek.by_name[n] for n in ("l7", "m7", "n7", "s7")}


def test_rival_creek_goes_on_from_its_own_path_and_circles_nothing(setting: Setting) -> None:
    after = rival(setting, "creek 2 l7 l6", "creek 1 l5", creek=(2, 1))
    assert after.state.circled == 0
    assert after.state.rival_creek.bit_count() == 3


def test_rival_creek_keeps_off_the_players_spaces(setting: Setting) -> None:
    marks = "creek: a1 a2 b1 b2 b3 b4 l1 l2 l3 l4 l5* "
    with pytest.raises(RuleError, match="over free spaces"):
        rival(setting, "creek 3 l7 l6 l5", marks=marks, creek=(3,))


def test_player_keeps_off_the_rivals_spaces_and_starts_from_none(write: Any) -> None:
    marks = "creek: a1* !a2"
    with pytest.raises(RuleError, match="through a space of the rival's"):
        write("creek 1 a2", marks=marks, creek=(1,))
    with pytest.raises(RuleError, match="does not start next to a visited space"):
        write("creek 1 b1", marks=marks, creek=(1,))


# Mudcracks


def test_rival_mudcracks_fills_circles_of_its_full_value(setting: Setting) -> None:
    after = rival(setting, "mudcracks add o1 3", "mudcracks add o2 1", mudcracks=4)
    assert sum(after.state.circles) == 4
    with pytest.raises(RuleError, match="uses every disc"):
        finish_rival(setting, rival(setting, "mudcracks add o1 3", mudcracks=4))


@pytest.mark.parametrize("mark", ["mudcracks add i1 1", "mudcracks add o1 4", "mudcracks add o3 1"])
def test_rival_mudcracks_only_three_around_outside_nodes_not_crossed_off(
    setting: Setting, mark: str
) -> None:
    with pytest.raises(RuleError, match="circles that are left, around outside nodes"):
        rival(setting, mark, marks="mudcracks: i2 o3", mudcracks=9)


def test_node_of_7_with_two_circles_needs_9(setting: Setting, write: Any) -> None:
    marks = "mudcracks: i4 o7+2"
    node = setting.sheet.mudcracks.by_name["o7"]
    assert node_cost(setting, parse_state(setting, marks), node) == 9
    assert write("mudcracks o7", marks=marks, mudcracks=9).due.mudcracks == 0
    with pytest.raises(RuleError, match="needs 9, the value left is 8"):
        write("mudcracks o7", marks=marks, mudcracks=8)


def test_rival_uses_no_bonus_and_marks_no_node(setting: Setting) -> None:
    for mark in ("mudcracks i1", "mudcracks rabbit", "discovery fox", "canyon fox l9"):
        with pytest.raises(RuleError, match="Solo Write Phase"):
            rival(setting, mark, mudcracks=9)


def test_rival_disc_that_fits_nowhere_is_said(setting: Setting) -> None:
    state = new_sheet(setting)._replace(canyon=setting.sheet.canyon.open)
    ended = finish_rival(setting, Writing(state=state, due=Due(canyon=(5,))))
    assert ended.notes == ("Canyon discs 5 unused: no shape fits",)


def test_rival_doubles_as_a_player_does(setting: Setting) -> None:
    """A rival's disc on a Fox circle counts as two discs: two shapes."""
    marks = list(legal_rival_marks(setting, rival(setting, canyon=(2, 2))))
    assert all(isinstance(mark, DrawShape) for mark in marks)
    two = rival(setting, "canyon 2 l9 k9 k10", "canyon 2 d8 d9 c9", canyon=(2, 2))
    assert finish_rival(setting, two).notes == ()
