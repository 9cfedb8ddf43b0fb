"""Discs put by hand, against the worked cases of the rules on a board of 100 mm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json
from sonora_vision.errors import RuleError
from sonora_vision.observation import Disc
from sonora_vision.table.judge import Put, judge, onto_the_line, top_px
from tests.builders import board_json, disc, reading

RADIUS_MM = 6.0
FOX_MM, FOX_RADIUS_MM = (25.0, 50.0), 8.0


def board(**changes: Any) -> BoardSpec:
    """Ruins on the left, Creek on the right, a fox, a hole in the middle, a launch corner."""
    return board_from_json(board_json(**changes), "small.json")


def put(x: float, y: float, **changes: Any) -> Disc:
    changed: dict[str, Any] = {"on": board(), "before": None} | changes
    on, before = changed.pop("on"), changed.pop("before")
    said: dict[str, Any] = {"color": "red", "number": 1} | changed
    return judge(Put(center_mm=(x, y), **said), on, before)


def test_hairline() -> None:
    reach = FOX_RADIUS_MM + RADIUS_MM
    touching, short = put(25, 50 + reach), put(25, 50.01 + reach)
    assert (touching.via, touching.sections) == ("multiplier", ("canyon",))
    assert (short.via, short.sections) == ("zone", ("ruins",))
    assert short.margin_mm == pytest.approx(0.01)


def test_half() -> None:
    disc = put(50, 80)
    assert disc.sections == ("creek", "ruins")
    assert disc.doubts == ()
    assert put(49.9, 80).sections == ("ruins",)


def test_wavy() -> None:
    inner = {"section": "ruins", "shape": "circle", "center": [50, 50], "radius": 20}
    outer = {"section": "creek", "shape": "ring", "center": [50, 50], "inner": 20, "outer": 45}
    round_board = board(zones=[inner, outer], multipliers=[], hole=None, launch_corners=[])
    x = 50 + 19.9
    spots = np.stack(np.meshgrid(*[np.linspace(-RADIUS_MM, RADIUS_MM, 1201)] * 2), axis=-1)
    spots = spots[np.hypot(spots[..., 0], spots[..., 1]) <= RADIUS_MM] + (x, 50)
    within = np.hypot(spots[:, 0] - 50, spots[:, 1] - 50) <= 20
    assert within.mean() < 0.5, "drawn so that center and area disagree"
    assert put(x, 50, on=round_board).sections == ("creek",)


def test_hanging() -> None:
    hanging, inside = put(50 - 3.1, 50), put(50 - 2.9, 50)
    assert (hanging.state, hanging.via, hanging.sections) == ("flat", "zone", ("ruins",))
    assert (inside.state, inside.via) == ("in_hole", "hole")
    assert len(inside.sections) == 4


def test_two_circles() -> None:
    owl = {"section": "creek", "animal": "owl", "center": [50, 50], "radius": 8}
    both = board(multipliers=[*board_json()["multipliers"], owl], hole=None)
    disc = put(37.5, 50, on=both)
    assert (disc.via, disc.sections) == ("multiplier", ("canyon", "creek"))


def test_lizard_in_mudcracks() -> None:
    zones = [board_json()["zones"][0] | {"section": "mudcracks"}, board_json()["zones"][1]]
    lizard = {"section": "ruins", "animal": "lizard", "center": [25, 50], "radius": 8}
    disc = put(30, 55, on=board(zones=zones, multipliers=[lizard]))
    assert (disc.via, disc.sections) == ("multiplier", ("ruins",))


def test_a_disc_more_than_half_on_a_launch_corner_does_not_score() -> None:
    disc = put(5, 5)
    assert (disc.state, disc.via, disc.sections) == ("launch_corner", "none", ())
    assert put(9, 13).sections == ("ruins",)


def test_a_disc_beside_the_board_is_off_it_however_it_is_said_to_lie() -> None:
    disc = put(103, 50)
    assert (disc.state, disc.sections, disc.margin_mm) == ("off_board", (), None)


def test_discs_on_edge_or_on_a_disc_score_by_their_place() -> None:
    for state in ("standing", "stacked"):
        disc = put(30, 80, state=state)
        assert (disc.state, disc.sections) == (state, ("ruins",))


def test_a_disc_dragged_out_of_the_hole_lies_flat() -> None:
    assert put(60, 80, state="in_hole").state == "flat"


@pytest.mark.parametrize(
    ("x", "y", "changes", "words"),
    [
        (30, 70, {"color": "pink"}, "expected one of red, blue"),
        (30, 70, {"number": 7}, "expected one of 1, 2"),
        (30, 70, {"number": None}, "say which number"),
        (500, 70, {}, "at most 60 mm beside it"),
        (math.nan, 70, {}, "expected two numbers"),
    ],
)
def test_what_cannot_be_is_refused(x: float, y: float, changes: Any, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        put(x, y, **changes)


DOUBTED = disc(
    center_mm=(49.8, 80.0), sections=("ruins", "creek"), doubts=("number", "zone"), p=0.6
)


def test_another_number_leaves_the_camera_s_doubt_about_the_place() -> None:
    found = put(49.8, 80, number=2, before=DOUBTED)
    assert (found.number, found.doubts, found.sections) == (2, ("zone",), ("ruins", "creek"))
    assert found.p == 0.6


def test_a_place_that_was_checked_or_moved_is_not_doubted() -> None:
    for found in (
        put(49.8, 80, checked=True, before=DOUBTED),
        put(49.3, 80, before=DOUBTED),
    ):
        assert (found.doubts, found.sections, found.p) == ((), ("ruins",), 1.0)
        assert found.sigma_mm == 0


def test_another_way_to_lie_leaves_the_doubt_about_the_place() -> None:
    found = put(49.8, 80, state="standing", before=DOUBTED)
    assert (found.state, found.doubts) == ("standing", ("zone",))
    assert set(found.sections) == {"ruins", "creek"}
    gone = put(49.8, 80, state="off_board", before=DOUBTED)
    assert (gone.doubts, gone.sections) == ((), ())


@pytest.mark.parametrize("center_mm", [(49.2, 80.0), (50.9, 85.0), (50.0, 90.0), (47.0, 75.0)])
def test_a_disc_is_put_exactly_on_its_border(center_mm: tuple[float, float]) -> None:
    place = onto_the_line(put(*center_mm), board())
    assert place is not None
    assert math.dist(place, center_mm) == pytest.approx(abs(center_mm[0] - 50), abs=1e-6)
    assert put(*place).sections == ("creek", "ruins")


def test_a_disc_is_put_exactly_on_a_curved_border() -> None:
    inner = {"section": "ruins", "shape": "circle", "center": [50, 50], "radius": 20}
    outer = {"section": "creek", "shape": "ring", "center": [50, 50], "inner": 20, "outer": 45}
    round_board = board(zones=[inner, outer], multipliers=[], hole=None, launch_corners=[])
    place = onto_the_line(put(70.5, 50, on=round_board), round_board)
    assert place is not None
    assert place[0] < 70, "less than half of a disc is within a circle that runs through its middle"
    assert put(*place, on=round_board).sections == ("creek", "ruins")


def test_a_disc_is_put_so_that_it_just_touches_a_circle() -> None:
    for y in (64.3, 63.5, 66.0):
        place = onto_the_line(put(25, y), board())
        assert place == pytest.approx((25, 64))
        assert place is not None
        assert put(*place).via == "multiplier"


def test_no_line_within_reach_is_no_place() -> None:
    assert onto_the_line(put(80, 80), board()) is None


def test_the_face_is_pointed_at_in_the_photograph() -> None:
    seen = reading()
    on = board()
    there = disc(center_mm=(30.0, 70.0))
    assert top_px(seen, on, there, None) == pytest.approx((300, 700), abs=1e-6)
    high = top_px(seen, on, there, (50.0, 50.0, 1000.0))
    spread = 1000 / 995
    assert high == pytest.approx((500 - 200 * spread, 500 + 200 * spread), abs=1e-6)
