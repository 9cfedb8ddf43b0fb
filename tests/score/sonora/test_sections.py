"""The four sections: every sentence of the rulebook that can be right or wrong on a sheet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sonora_vision.errors import RuleError
from sonora_vision.score.sonora.canyon import canyon_points, placements
from sonora_vision.score.sonora.creek import creek_points
from sonora_vision.score.sonora.final import points_now
from sonora_vision.score.sonora.marks import CrossHexes, MarkNode, mark_text, parse_mark
from sonora_vision.score.sonora.mudcracks import mudcracks_points
from sonora_vision.score.sonora.ruins import ruins_points
from sonora_vision.score.sonora.rules import rules
from sonora_vision.score.sonora.sheet import bits
from sonora_vision.score.sonora.sheet_file import parse_sheet
from sonora_vision.score.sonora.state import Due, Setting, Writing, new_sheet
from sonora_vision.score.sonora.state_text import parse_state
from sonora_vision.score.sonora.write import apply, finish, legal_marks, must_still

# Cliff-Dweller Ruins


def test_molly_marks_nine_of_thirteen_in_b_and_the_rest_in_c(write: Any, setting: Setting) -> None:
    """Building B has 9 hexes; its top reward is a Swap Bonus and 11 points."""
    after = write("ruins B 9", "ruins C 4", ruins=13)
    assert ruins_points(setting, after.state).value == 11
    assert after.state.kept("swap") == 2  # one from the start
    assert after.due.ruins == 0
    assert after.state.hexes[2] == 4


def test_ruins_buildings_are_eight_of_5_to_22_hexes(setting: Setting) -> None:
    sizes = [building.size for building in setting.sheet.ruins.buildings]
    assert (len(sizes), min(sizes), max(sizes)) == (8, 5, 22)


def test_ruins_value_goes_to_any_buildings_in_any_order(write: Any) -> None:
    after = write("ruins H 1", "ruins A 1", "ruins H 2", ruins=4)
    assert (after.state.hexes[7], after.state.hexes[0]) == (3, 1)


def test_ruins_second_to_complete_gets_the_bottom_reward_and_no_bonus(
    write: Any, setting: Setting
) -> None:
    after = write("ruins B 9", marks="ruins: B0x", ruins=9)
    assert (
        ruins_points(setting, after.state).value == setting.sheet.ruins.buildings[1].bottom.points
    )
    assert after.state.kept("swap") == 1


def test_ruins_incomplete_building_is_worth_nothing(write: Any, setting: Setting) -> None:
    assert ruins_points(setting, write("ruins B 8", ruins=8).state).value == 0


@pytest.mark.parametrize(
    ("mark", "due", "what"),
    [
        ("ruins B 5", 4, "Cliff-Dweller Ruins: 5 hexes, but the value left is 4"),
        ("ruins A 6", 9, "building A has 5 hexes left"),
        ("ruins rival 1", 9, "only 0 circled hexes"),
    ],
)
def test_ruins_mistakes(write: Any, mark: str, due: int, what: str) -> None:
    with pytest.raises(RuleError, match=what):
        write(mark, ruins=due)


def test_ruins_come_before_all_other_discs(write: Any) -> None:
    for mark in ("canyon 1 a8", "creek 1 a1", "mudcracks i1"):
        with pytest.raises(RuleError, match="Ruins discs are recorded before all other"):
            write(mark, ruins=1, canyon=(1,), creek=(1,), mudcracks=3)


def test_ruins_bonus_may_be_used_before_the_other_discs(write: Any) -> None:
    """A Fox Bonus of building C can be used at once: it is no disc."""
    after = write("ruins C 7", "canyon fox a9", ruins=9)
    assert (after.due.ruins, after.due.fox) == (2, 0)


def test_ruins_value_must_be_used_while_hexes_are_left(write: Any, setting: Setting) -> None:
    with pytest.raises(RuleError, match="1 hexes are still to be crossed off"):
        finish(setting, write("ruins B 1", ruins=2))


# Canyon


def test_william(write: Any, setting: Setting) -> None:
    """A 5 around two cacti, a 2 for a Swap Bonus, the 4 downgraded to a 3 around two more."""
    cacti = sum(setting.sheet.canyon.kinds)
    five = write("canyon 5 e11 f11 g11 f12 g12 h12", canyon=(5, 4, 2))
    assert (five.state.canyon & cacti).bit_count() == 2
    drawn = "canyon: e11+f11+g11+f12+g12+h12"
    two = write("canyon 2 h10 h11 i11", marks=drawn, canyon=(4, 2))
    assert two.state.kept("swap") == 2
    three = write("canyon 4 h13 i13 j13 i12", marks=f"{drawn} h10+h11+i11", canyon=(4,))
    assert (three.state.canyon & cacti & ~two.state.canyon).bit_count() == 2
    assert three.due.canyon == ()


def test_canyon_the_start_is_a_drawn_4_by_4_square_at_the_bottom(setting: Setting) -> None:
    canyon = setting.sheet.canyon
    squares = [divmod(square, canyon.width) for square in bits(canyon.start)]
    rows, columns = {row for row, _ in squares}, {column for _, column in squares}
    assert (len(squares), len(rows), len(columns)) == (16, 4, 4)
    assert max(rows) == canyon.height - 1


def test_canyon_there_are_two_shapes_of_1_and_one_of_each_other(setting: Setting) -> None:
    values = sorted(shape.value for shape in setting.sheet.canyon.shapes)
    assert values == [1, 1, 2, 3, 4, 5]


def test_canyon_a_disc_draws_its_number_or_any_lower(write: Any, setting: Setting) -> None:
    state = new_sheet(setting)
    values = {p.value for p in placements(setting, state, 3)}
    assert values == {1, 2, 3}
    with pytest.raises(RuleError, match="Canyon: a shape of 2 is higher than 1"):
        write("canyon 1 a8 b8 b7", canyon=(1,))


def test_canyon_shapes_turn_and_flip(setting: Setting) -> None:
    """The 3, a T, lies in four ways; the 5 in eight; all are among the placements."""
    canyon = setting.sheet.canyon
    for square in ("f11", "g11"):
        at = canyon.names[square]
        assert len({p.mask for p in canyon.placements if p.mask >> at & 1 and p.value == 3}) > 4


def test_canyon_corner_to_corner_is_not_adjacent(write: Any) -> None:
    with pytest.raises(RuleError, match="shares no side"):
        write("canyon 1 f11", marks="canyon: e10", canyon=(1,))


def test_canyon_next_to_a_drawn_shape_is_adjacent(write: Any) -> None:
    assert write("canyon 1 f10", marks="canyon: e10", canyon=(1,)).state.shapes


def test_canyon_shapes_may_not_overlap(write: Any) -> None:
    with pytest.raises(RuleError, match="overlaps one that is drawn"):
        write("canyon 1 e10 f10", marks="canyon: e10", canyon=(1,))


def test_canyon_shapes_stay_inside_the_squares(write: Any) -> None:
    with pytest.raises(RuleError, match="off the sheet: no square is called 'a1'"):
        write("canyon 1 a1", canyon=(1,))
    with pytest.raises(RuleError, match="not one of the shapes"):
        write("canyon 5 e10 e11 e12", canyon=(5,))


def test_canyon_a_disc_is_used_once(write: Any) -> None:
    with pytest.raises(RuleError, match="no disc of 1 is left"):
        write("canyon 1 e10", "canyon 1 e11", canyon=(1,))


def test_canyon_fox_circle_draws_two_shapes(write: Any) -> None:
    assert len(write("canyon 4 e10", "canyon 4 e11", canyon=(4, 4)).state.shapes) == 2


@pytest.mark.parametrize(("cacti", "points"), [(0, 0), (1, 1), (3, 3), (6, 9), (7, 14), (8, 19)])
def test_canyon_each_cactus_beyond_a_full_column_is_5(
    setting: Setting, cacti: int, points: int
) -> None:
    """The house sheet's saguaro column ends at 6 for 9 points."""
    kind = setting.sheet.canyon.kinds[0]
    some = sum(1 << square for square in list(bits(kind))[:cacti])
    state = new_sheet(setting)._replace(canyon=setting.sheet.canyon.start | some)
    assert canyon_points(setting, state).value == points


def test_canyon_kinds_score_apart(write: Any, setting: Setting) -> None:
    after = write(marks="canyon: e11+f11 f10 g10+h10")  # saguaro, barrel, saguaro
    assert canyon_points(setting, after.state).why == ("2 saguaro: 2", "1 barrel: 1")


def test_canyon_bonus_inside_a_shape_is_earned_at_once(write: Any) -> None:
    after = write("canyon 2 c7 c8 d8", marks="canyon: c9", canyon=(2,))
    assert after.state.kept("reflick") == 2


def test_canyon_disc_that_fits_nowhere_is_said(setting: Setting) -> None:
    state = new_sheet(setting)._replace(canyon=setting.sheet.canyon.open)
    ended = finish(setting, Writing(state=state, due=Due(canyon=(5, 2))))
    assert ended.notes == ("Canyon discs 5, 2 unused: no shape fits",)


# Creek Bed


def test_maudie(write: Any, setting: Setting) -> None:
    """Two paths of 4: left at the fork to a Swap Bonus, then right to a 2."""
    after = write("creek 4 a1 a2 b1 b2", "creek 4 c1 c2 c3 c4", creek=(4, 4))
    assert after.state.kept("swap") == 2
    assert creek_points(setting, after.state).value == 2
    names = [setting.sheet.creek.spaces[i].name for i in bits(after.state.circled)]
    assert names == ["b2", "c4"]


def test_creek_path_starts_next_to_any_visited_space(write: Any) -> None:
    """Crossed off or circled, both will do."""
    assert write("creek 1 c1", marks="creek: a1 a2 b1*", creek=(1,)).state.circled
    assert write("creek 1 b2", marks="creek: a1 a2 b1*", creek=(1,)).state.circled


@pytest.mark.parametrize(
    ("mark", "marks", "what"),
    [
        ("creek 2 a1", "", "travels its full distance, not 1"),
        ("creek 2 a2 b1", "", "does not start next to a visited space"),
        ("creek 2 a2 a1", "creek: a1*", "through a space that is visited already"),
        ("creek 2 a1 b1", "", "do not follow on each other"),
        ("creek 2 a1 a1", "", "names a place twice"),
        ("creek 3 a1 a2 b1", "", "no disc of 3 is left"),
        ("creek 2 a1 zz", "", "off the sheet: no space is called 'zz'"),
    ],
)
def test_creek_mistakes(write: Any, mark: str, marks: str, what: str) -> None:
    with pytest.raises(RuleError, match=what):
        write(mark, marks=marks, creek=(2,))


def test_creek_bonus_is_earned_only_where_a_path_ends(write: Any) -> None:
    assert write("creek 5 a1 a2 b1 b2 b3", creek=(5,)).state.kept("swap") == 1


def test_creek_bonus_is_worth_no_points(write: Any, setting: Setting) -> None:
    assert creek_points(setting, write("creek 4 a1 a2 b1 b2", creek=(4,)).state).value == 0


def test_creek_beyond_the_end_of_a_branch_is_no_path(write: Any, setting: Setting) -> None:
    """Two spaces before the end of the branch, a 3 cannot go that way."""
    marks = "creek: a1 a2 b1 b2 b3 b4 l1 l2 l3 l4 l5*"
    writing = write(marks=marks, creek=(3,))
    ends = {m.spaces[-1] for m in legal_marks(setting, writing) if hasattr(m, "spaces")}
    assert setting.sheet.creek.by_name["l7"] not in ends
    assert setting.sheet.creek.by_name["m3"] in ends


def test_creek_disc_without_any_path_is_disqualified_and_said(setting: Setting) -> None:
    creek = setting.sheet.creek
    every = (1 << len(creek.spaces)) - 1
    state = new_sheet(setting)._replace(crossed=every & ~(1 << creek.by_name["l7"]))
    ended = finish(setting, Writing(state=state, due=Due(creek=(2,))))
    assert ended.notes == ("Creek discs 2 disqualified: no path is that long",)


def test_creek_disc_that_can_make_a_path_must(write: Any, setting: Setting) -> None:
    with pytest.raises(RuleError, match="the disc of 2 still makes a path"):
        finish(setting, write(creek=(2,)))


# Mudcracks


def test_lincoln(write: Any, setting: Setting) -> None:
    """Of 12: 3, then 2 closes a triangle with a cactus of 2 points, then 5, then two boxes."""
    after = write("mudcracks i1", "mudcracks i2", mudcracks=12)
    assert after.due.mudcracks == 7
    assert mudcracks_points(setting, after.state).why == ("1 small cacti of 2: 2",)
    after = write("mudcracks o4", "mudcracks box 1 2", marks="mudcracks: i1 i2", mudcracks=7)
    assert after.due.mudcracks + after.due.leftover == 0
    assert after.state.kept("swap") == 2
    assert MarkNode(setting.sheet.mudcracks.by_name["i3"]) in legal_marks(
        setting, write("mudcracks o4", marks="mudcracks: i1 i2", mudcracks=7)
    )


def test_mudcracks_any_part_of_the_value_may_be_used(write: Any, setting: Setting) -> None:
    ended = finish(setting, write("mudcracks i2", mudcracks=9))
    assert ended.notes == ("7 Mudcracks value unused",)


@pytest.mark.parametrize(
    ("mark", "marks", "what"),
    [
        ("mudcracks o1", "", "joined to no marked node"),
        ("mudcracks i1", "mudcracks: i1", "marked already"),
        ("mudcracks i1", "", "needs 3, the value left is 2"),
        ("mudcracks box 1 3", "", "3 boxes, but the value left is 2"),
        ("mudcracks box 1 2", "mudcracks: box1-1", "column 1 has 1 boxes left"),
        ("mudcracks box 9 1", "", "no column is called '9'"),
        ("mudcracks add o1 1", "", "only the rival"),
    ],
)
def test_mudcracks_mistakes(write: Any, mark: str, marks: str, what: str) -> None:
    with pytest.raises(RuleError, match=what):
        write(mark, marks=marks, mudcracks=2)


def test_mudcracks_columns_take_what_is_left_after_the_nodes(write: Any) -> None:
    with pytest.raises(RuleError, match="the bonus columns are begun"):
        write("mudcracks box 1 1", "mudcracks i2", mudcracks=9)


def test_mudcracks_columns_any_time_by_the_spanish_book(write: Any, setting: Setting) -> None:
    spanish = replace(setting, rules=rules(frozenset({"columns_any_time"})))
    assert write("mudcracks box 1 1", "mudcracks i2", on=spanish, mudcracks=3).due.mudcracks == 0


def test_mudcracks_area_needs_all_three_nodes(write: Any, setting: Setting) -> None:
    two = write("mudcracks i3", marks="", mudcracks=2)
    assert two.state.kept("reflick") == 1
    three = write("mudcracks i3", "mudcracks i4", mudcracks=5)
    assert three.state.kept("reflick") == 2


def test_mudcracks_cacti_are_worth_2_4_and_6(setting: Setting) -> None:
    every = new_sheet(setting)._replace(nodes=(1 << len(setting.sheet.mudcracks.nodes)) - 1)
    sizes = [area.cactus for area in setting.sheet.mudcracks.areas]
    worth = {"small": 2, "medium": 4, "large": 6}
    total = sum(sizes.count(size) * points for size, points in worth.items())
    assert mudcracks_points(setting, every).value == total


def test_mudcracks_large_cacti_are_worth_12_by_the_spanish_book(setting: Setting) -> None:
    spanish = replace(setting, rules=rules(frozenset({"mudcracks_cacti"})))
    every = new_sheet(setting)._replace(nodes=(1 << len(setting.sheet.mudcracks.nodes)) - 1)
    large = sum(area.cactus == "large" for area in setting.sheet.mudcracks.areas)
    assert (
        mudcracks_points(spanish, every).value - mudcracks_points(setting, every).value == 6 * large
    )


def test_mudcracks_outside_nodes_have_small_circles(setting: Setting) -> None:
    outside = {node.name for node in setting.sheet.mudcracks.nodes if node.outside}
    assert len(outside) == 12
    assert rules().circles_a_node == 3


# Scoresheet Bonuses


def test_bonuses_each_player_starts_with_one_reflick_and_one_swap(setting: Setting) -> None:
    state = new_sheet(setting)
    assert (state.kept("reflick"), state.kept("swap")) == (1, 1)
    assert state.discoveries == 0


def test_bonuses_fox_draws_a_shape_of_4_or_lower(write: Any) -> None:
    with pytest.raises(RuleError, match="a shape of 5 is higher than 4"):
        write("canyon fox e11 f11 g11 f12 g12 h12", fox=1)
    assert write("canyon fox e11 f11 g11 e10 f10", fox=1).due.fox == 0


def test_bonuses_owl_makes_a_path_of_1_to_5(write: Any) -> None:
    for path in ("a1", "a1 a2", "a1 a2 b1", "a1 a2 b1 b2", "a1 a2 b1 b2 b3"):
        assert write(f"creek owl {path}", owl=1).due.owl == 0
    with pytest.raises(RuleError, match="Owl Bonus: a path of 1 to 5 spaces, not 6"):
        write("creek owl a1 a2 b1 b2 b3 b4", owl=1)


def test_bonuses_rabbit_adds_5_and_one_saved_adds_6(write: Any) -> None:
    assert write("mudcracks rabbit", mudcracks=3, rabbit=1).due.mudcracks == 8
    saved = write("mudcracks rabbit*", marks="bonuses: rabbit 1-0", mudcracks=3)
    assert saved.due.mudcracks == 9
    assert saved.state.kept("rabbit") == 0


def test_bonuses_rabbit_brings_nodes_again_after_the_columns(write: Any) -> None:
    """Earned after boxes were begun, it is new value: for nodes too."""
    after = write("mudcracks box 1 1", "mudcracks rabbit", "mudcracks i2", mudcracks=3, rabbit=1)
    assert (after.due.mudcracks, after.due.leftover) == (3, 2)


def test_bonuses_chain(write: Any) -> None:
    """A Rabbit from the creek marks nodes that earn a Fox that draws a shape."""
    after = write(
        "creek 1 m2", "mudcracks rabbit", "mudcracks i1", "canyon fox e10",
        marks="creek: a1 a2 b1 b2 b3 b4 m1* | mudcracks: i6", creek=(1,),
    )  # fmt: skip
    assert (after.due.rabbit, after.due.fox, after.due.mudcracks) == (0, 0, 2)


def test_bonuses_animal_must_be_used_in_this_write_phase(write: Any, setting: Setting) -> None:
    for due, what in (({"fox": 1}, "Fox"), ({"owl": 1}, "Owl"), ({"rabbit": 1}, "Rabbit")):
        with pytest.raises(RuleError, match=f"the {what} Bonus is still to be used"):
            finish(setting, write(**due))


def test_bonuses_none_means_none(write: Any) -> None:
    with pytest.raises(RuleError, match="no Fox Bonus was earned"):
        write("canyon fox e10")
    with pytest.raises(RuleError, match=r"no owl is circled and still unused"):
        write("creek owl* a1", marks="bonuses: owl 1-1")


def test_discovery_circles_an_animal_of_choice(write: Any, setting: Setting) -> None:
    after = write("discovery owl", discoveries=1)
    assert (after.state.kept("owl"), after.due.discoveries) == (1, 0)
    assert must_still(setting, after) is None  # it may be kept for a later round


def test_discovery_may_be_used_at_once(write: Any) -> None:
    assert write("discovery owl", "creek owl* a1", discoveries=1).state.kept("owl") == 0


def test_discovery_is_limited_by_the_icons(write: Any) -> None:
    with pytest.raises(RuleError, match="every owl icon is circled; choose another"):
        write("discovery owl", marks="bonuses: owl 2-0", discoveries=1)
    with pytest.raises(RuleError, match="none was earned"):
        write("discovery owl")


def test_discovery_must_be_chosen_and_is_said_where_no_icon_is_left(
    write: Any, setting: Setting
) -> None:
    with pytest.raises(RuleError, match="choose the animal"):
        finish(setting, write(discoveries=1))
    full = write(marks="bonuses: fox 2-2 owl 2-2 rabbit 2-2", discoveries=1)
    assert finish(setting, full).notes == ("1 Discovery Bonus lost: every animal is circled",)


def test_flick_bonus_without_an_icon_left_is_said(write: Any) -> None:
    after = write("creek 4 a1 a2 b1 b2", marks="bonuses: swap 8-0", creek=(4,))
    assert after.notes == ("Swap Bonus lost: every icon in the bonus area is circled",)


def test_bonuses_are_worth_no_points(write: Any, setting: Setting) -> None:
    assert points_now(setting, write(marks="bonuses: swap 3-0 reflick 5-0 fox 2-0").state) == 0


# Every legal mark is one, and says so in text


def test_legal_marks_come_back_from_their_text(write: Any, setting: Setting) -> None:
    writing = write(canyon=(5, 2), creek=(3,), mudcracks=7, fox=1, owl=1, rabbit=1, discoveries=1)
    texts = [mark_text(setting.sheet, mark) for mark in legal_marks(setting, writing)]
    assert [parse_mark(setting.sheet, text) for text in texts] == list(
        legal_marks(setting, writing)
    )
    assert len(set(texts)) == len(texts) > 100


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "expected ruins, canyon"),
        ("ruins B", "expected ruins, canyon"),
        ("ruins Q 1", "no building is called 'Q'"),
        ("ruins B x", "expected a number from 1, got 'x'"),
        ("ruins B -1", "expected a number from 1"),
        ("canyon owl a8", "expected a number from 1, got 'owl'"),
        ("mudcracks zz", "no node is called 'zz'"),
        ("discovery wolf", "no animal is called 'wolf'"),
    ],
)
def test_marks_that_are_none(setting: Setting, text: str, what: str) -> None:
    with pytest.raises(RuleError, match=what):
        parse_mark(setting.sheet, text)


def test_bottom_reward_bonus_by_the_spanish_book(setting: Setting) -> None:
    """A bonus printed on a bottom reward is earned only if the table says so."""
    text = setting.sheet.toml.replace(
        "bottom = { points = 6 }", 'bottom = { points = 6, bonus = "swap" }'
    )
    sheet = parse_sheet(text, "test")
    for spanish, swaps in ((frozenset[str](), 1), (frozenset({"bottom_reward_bonus"}), 2)):
        table = Setting(sheet=sheet, rules=rules(spanish))
        writing = Writing(state=parse_state(table, "ruins: B8x"), due=Due(ruins=1))
        assert apply(table, writing, CrossHexes(1, 1)).state.kept("swap") == swaps
