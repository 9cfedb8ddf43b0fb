"""What two readings say that a flick did."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonora_vision.observation import Disc, Pose, Reading
from sonora_vision.watch.agree import confirmed
from sonora_vision.watch.flicks import FlickTracker, compare_readings
from sonora_vision.watch.words import report_lines
from tests.watch.table import disc, reading

RED_1 = disc("red", 1, (100.0, 100.0))
BLUE_2 = disc("blue", 2, (300.0, 100.0))
WHITE_3 = disc("white", 3, (200.0, 300.0))


def moved(one: Disc, dx_mm: float, dy_mm: float = 0.0) -> Disc:
    return replace(one, center_mm=(one.center_mm[0] + dx_mm, one.center_mm[1] + dy_mm))


def kinds(before: Reading, after: Reading) -> list[tuple[str, str, int | None]]:
    return [(h.kind, h.color, h.number) for h in compare_readings(before, after).happenings]


def test_the_disc_that_is_new_was_flicked() -> None:
    assert kinds(reading(RED_1), reading(RED_1, BLUE_2)) == [("flicked", "blue", 2)]


def test_the_same_reading_twice_says_nothing() -> None:
    assert kinds(reading(RED_1, BLUE_2), reading(RED_1, BLUE_2)) == []


def test_a_shift_within_the_noise_is_no_move() -> None:
    assert kinds(reading(RED_1), reading(moved(RED_1, 1.5))) == []


def test_a_larger_uncertainty_needs_a_larger_shift() -> None:
    vague = replace(RED_1, sigma_mm=2.0)
    assert kinds(reading(vague), reading(moved(vague, 8.0))) == []
    assert kinds(reading(vague), reading(moved(vague, 14.0))) == [("moved", "red", 1)]


def test_a_disc_that_was_pushed_moved_by_so_many_mm() -> None:
    report = compare_readings(reading(RED_1), reading(moved(RED_1, 30.0, 40.0), BLUE_2))
    by_kind = {h.kind: h for h in report.happenings}
    assert by_kind["moved"].by_mm == pytest.approx(50.0)
    assert [h.color for h in report.flicked] == ["blue"]


def test_a_bullseye_asks_its_owner_for_a_section() -> None:
    in_hole = disc("blue", 2, (200.0, 200.0), state="in_hole")
    report = compare_readings(reading(RED_1), reading(RED_1, in_hole))
    (happening,) = report.happenings
    assert happening.kind == "in_hole"
    assert "blue takes it off and puts it on a section" in happening.ask
    assert report.flicked == (happening,)


def test_a_disc_knocked_into_the_hole_was_not_flicked() -> None:
    in_hole = disc("red", 1, (200.0, 200.0), state="in_hole")
    report = compare_readings(reading(RED_1), reading(in_hole, BLUE_2))
    assert [(h.color, h.number) for h in report.flicked] == [("blue", 2)]


def test_a_bullseye_that_is_taken_off_is_no_knock() -> None:
    in_hole = disc("blue", 2, (200.0, 200.0), state="in_hole")
    assert kinds(reading(RED_1, in_hole), reading(RED_1)) == [("taken", "blue", 2)]


def test_someone_elses_disc_knocked_off_asks_for_a_reflick() -> None:
    report = compare_readings(reading(RED_1), reading(BLUE_2, WHITE_3))
    asks = {h.color: h.ask for h in report.happenings if h.kind == "left"}
    assert asks == {"red": "knocked off by another: red reflicks it now"}


def test_an_own_disc_knocked_off_is_not_scored() -> None:
    red_4 = disc("red", 4, (250.0, 250.0))
    report = compare_readings(reading(RED_1), reading(red_4))
    (left,) = [h for h in report.happenings if h.kind == "left"]
    assert "by its owner: not scored" in left.ask


def test_a_disc_beside_the_board_has_left_it() -> None:
    beside = disc("red", 1, (450.0, 100.0), state="off_board")
    assert ("left", "red", 1) in kinds(reading(RED_1, BLUE_2), reading(beside, BLUE_2))


def test_a_disc_on_its_corner_may_be_flicked_again() -> None:
    waiting = disc("red", 1, (20.0, 20.0), state="launch_corner")
    report = compare_readings(reading(BLUE_2), reading(BLUE_2, waiting))
    assert report.flicked == ()
    assert "may be flicked again" in report.happenings[0].ask
    nudged = moved(waiting, 10.0)
    again = compare_readings(reading(BLUE_2, waiting), reading(BLUE_2, nudged))
    assert again.flicked == ()
    assert "may be flicked again" in again.happenings[0].ask


def test_a_disc_that_leaves_its_corner_was_flicked() -> None:
    waiting = disc("red", 1, (20.0, 20.0), state="launch_corner")
    assert kinds(reading(waiting), reading(RED_1)) == [("flicked", "red", 1)]


def test_two_flicks_between_readings_are_two() -> None:
    report = compare_readings(reading(WHITE_3), reading(WHITE_3, RED_1, BLUE_2))
    assert {h.color for h in report.flicked} == {"red", "blue"}


def test_a_number_read_otherwise_in_one_place_is_no_flick() -> None:
    as_4 = replace(RED_1, number=4)
    report = compare_readings(reading(RED_1), reading(as_4))
    assert report.flicked == ()
    assert [(h.kind, h.ask) for h in report.happenings] == [
        ("unclear", "was read as red 1 before: which is it?")
    ]


def test_a_number_that_cannot_be_read_any_more_is_no_flick() -> None:
    unknown = replace(RED_1, number=None, doubts=("number",))
    assert kinds(reading(RED_1, BLUE_2), reading(unknown, BLUE_2)) == [("unclear", "red", None)]


def test_a_pushed_disc_whose_number_is_lost_is_unclear_not_new() -> None:
    unknown = moved(replace(RED_1, number=None, doubts=("number",)), 40.0)
    assert ("flicked", "red", None) not in kinds(reading(RED_1), reading(unknown))


def test_a_disc_that_one_reading_missed_is_found_not_flicked() -> None:
    tracker = FlickTracker()
    tracker.report(reading(RED_1, BLUE_2))
    tracker.report(reading(BLUE_2))
    report = tracker.report(reading(RED_1, BLUE_2))
    assert report.flicked == ()
    assert [h.kind for h in report.happenings] == ["found"]


def test_a_disc_that_comes_back_elsewhere_was_flicked_again() -> None:
    tracker = FlickTracker()
    tracker.report(reading(RED_1, BLUE_2))
    tracker.report(reading(BLUE_2))
    report = tracker.report(reading(moved(RED_1, 60.0), BLUE_2))
    assert [(h.color, h.number) for h in report.flicked] == [("red", 1)]


def test_a_board_that_is_cleared_is_no_row_of_knocks() -> None:
    report = compare_readings(reading(RED_1, BLUE_2, WHITE_3), reading())
    assert report.cleared
    assert report.happenings == ()


def test_the_first_reading_of_a_session_invents_no_flicks() -> None:
    assert FlickTracker().report(reading(RED_1, BLUE_2)).happenings == ()


def test_a_pushed_or_turned_board_is_said_in_words() -> None:
    square = ((0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0))
    at_rest = Pose(corners_px=square, turn_deg=2.0, fit_px=0.3)
    pushed = replace(at_rest, corners_px=tuple((x + 40.0, y) for x, y in square))
    turned = replace(at_rest, corners_px=(*square[1:], square[0]), turn_deg=92.0)
    same = compare_readings(reading(RED_1, pose=at_rest), reading(RED_1, pose=at_rest))
    assert same.board == ""
    said = compare_readings(reading(RED_1, pose=at_rest), reading(RED_1, pose=pushed)).board
    assert said == "board pushed by 10% of its side, turned +0 degrees"
    said = compare_readings(reading(RED_1, pose=at_rest), reading(RED_1, pose=turned)).board
    assert said == "board turned by 90 degrees clockwise"


def test_reports_are_said_in_words() -> None:
    report = compare_readings(reading(RED_1), reading(moved(RED_1, 30.0), BLUE_2))
    assert report_lines(report) == ["blue 2 flicked", "red 1 moved by 30 mm"]


class TestTwoReadingsOfAnUntouchedBoard:
    def test_that_agree_change_nothing(self) -> None:
        first = reading(RED_1, BLUE_2)
        assert confirmed(first, reading(RED_1, moved(BLUE_2, 0.4))) == first

    @pytest.mark.parametrize(
        ("other", "reason"),
        [
            (replace(RED_1, number=2), "number"),
            (replace(RED_1, color="white"), "color"),
            (replace(RED_1, sections=("creek",)), "zone"),
            (replace(RED_1, sections=("creek",), via="multiplier"), "multiplier"),
            (replace(RED_1, state="standing"), "state"),
        ],
    )
    def test_that_differ_put_the_difference_in_doubt(self, other: Disc, reason: str) -> None:
        (seen,) = confirmed(reading(RED_1), reading(other)).discs
        assert reason in seen.doubts
        assert seen.p <= 0.5

    def test_a_disc_that_only_one_of_them_has_is_doubted(self) -> None:
        for first, second in ((reading(RED_1), reading()), (reading(), reading(RED_1))):
            both = confirmed(first, second)
            assert [d.doubts for d in both.discs] == [("hidden",)]
            assert ("red", 1) not in {(m.color, m.number) for m in both.missing}

    def test_doubts_of_either_stay(self) -> None:
        doubted = replace(RED_1, doubts=("zone",))
        assert confirmed(reading(RED_1), reading(doubted)).discs[0].doubts == ("zone",)
        assert confirmed(reading(doubted), reading(RED_1)).discs[0].doubts == ("zone",)
