"""The figures count what their definitions say, on photographs small enough to count by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sonora_vision.errors import FileFormatError
from sonora_vision.evaluate import (
    PhotoResult,
    calls_of,
    centers_by_state,
    figures,
    judge_photo,
    remarks,
)
from sonora_vision.observation import Disc, Missing
from sonora_vision.reliability import draw_reliability, reliability
from sonora_vision.truth_file import TrueDisc, Truth, load_truth
from tests.builders import disc, reading


def true_disc(**changes: Any) -> TrueDisc:
    """Return the truth of `builders.disc`: a red 1 in the Ruins, 5 mm from any border."""
    values: dict[str, Any] = {
        "color": "red",
        "number": 1,
        "state": "flat",
        "center_mm": (30.0, 70.0),
        "top_px": (300.0, 700.0),
        "radius_px": 30.0,
        "visible": 1.0,
        "via": "zone",
        "sections": ("ruins",),
        "margin_mm": 5.0,
    }
    return TrueDisc(**values | changes)


def judged(truth: TrueDisc, *read: Disc, **changes: Any) -> PhotoResult:
    return judge_photo(Truth(discs=(truth,)), reading(*read, **changes), stem="shot")


def test_a_right_promise_is_exact_and_safe() -> None:
    run = figures([judged(true_disc(), disc())])
    assert (run.photos, run.unread, run.exact, run.safe) == (1, 0, 1, 1)
    assert (run.seen, run.found, run.color, run.number, run.section) == (1, 1, 1, 1, 1)
    assert (run.wrong, run.clear, run.doubted) == (0, 1, 0)
    assert (run.sure, run.sure_right) == (1, 1)
    assert run.brier == pytest.approx(0.0001)
    assert run.center_median_mm == 0


@pytest.mark.parametrize(
    "change", [{"color": "blue"}, {"number": 2}, {"sections": ("creek",)}, {"via": "multiplier"}]
)
def test_a_wrong_promise_is_a_silent_error(change: dict[str, Any]) -> None:
    photo = judged(true_disc(), disc(**change))
    assert photo.silent_errors == 1
    assert not photo.exact
    assert remarks(photo)[0].startswith("wrong: red 1 (flat, 100% visible) is zone ruins")


def test_a_wrong_call_in_doubt_is_no_silent_error_but_not_exact() -> None:
    photo = judged(true_disc(), disc(color="blue", doubts=("color",)))
    assert photo.safe
    assert not photo.exact
    assert figures([photo]).doubted == 1


def test_a_section_within_half_a_millimetre_of_the_border_is_right_either_way() -> None:
    near = judged(true_disc(margin_mm=0.49), disc(sections=("creek",)))
    far = judged(true_disc(margin_mm=0.51), disc(sections=("creek",)))
    assert near.exact
    assert not far.safe


def test_a_hairline_disc_may_be_in_doubt_and_the_photo_still_exact() -> None:
    photo = judged(true_disc(margin_mm=0.3), disc(doubts=("zone",)))
    assert photo.exact
    assert figures([photo]).clear == 0


def test_a_match_lies_within_four_fifths_of_the_radius() -> None:
    assert figures([judged(true_disc(), disc(top_px=(324.0, 700.0)))]).found == 1
    beyond = judged(true_disc(), disc(top_px=(324.1, 700.0)))
    assert figures([beyond]).found == 0
    assert beyond.silent_errors == 2  # one lost without a word, one that is not there


def test_each_disc_is_matched_once_nearest_first() -> None:
    truth = Truth(discs=(true_disc(), true_disc(number=2, top_px=(320.0, 700.0))))
    between = reading(disc(number=2, top_px=(316.0, 700.0)), disc(top_px=(296.0, 700.0)))
    photo = judge_photo(truth, between, stem="shot")
    assert photo.exact
    assert [each.read and each.read.number for each in photo.discs] == [1, 2]


def test_a_disc_listed_as_missing_is_safe_but_a_seen_one_is_not_exact() -> None:
    photo = judged(true_disc(), missing=(Missing(color="red", number=1),))
    assert photo.safe
    assert not photo.exact
    assert remarks(photo) == ["reported missing: red 1 (flat, 100% visible)"]


@pytest.mark.parametrize(
    "hidden",
    [{"state": "standing"}, {"visible": 0.34}, {"visible": None}, {"state": "off_board"}],
)
def test_what_cannot_be_seen_is_asked_of_nobody(hidden: dict[str, Any]) -> None:
    photo = judged(true_disc(**hidden), missing=(Missing(color="red", number=1),))
    assert photo.exact
    assert figures([photo]).seen == 0


def test_a_promised_disc_that_is_not_there_is_a_silent_error_and_a_doubted_one_is_not() -> None:
    here = disc()
    promised = judged(true_disc(), here, disc(number=2, top_px=(9.0, 9.0)))
    doubted = judged(true_disc(), here, disc(number=2, top_px=(9.0, 9.0), doubts=("state",)))
    assert promised.silent_errors == 1
    assert remarks(promised) == ["not there: red 2 at 9, 9 px"]
    assert doubted.safe
    assert not doubted.exact


def test_a_disc_in_the_hole_is_clear_whatever_its_margin() -> None:
    truth = true_disc(state="in_hole", via="hole", sections=("creek", "ruins"), margin_mm=None)
    read = disc(state="in_hole", via="hole", sections=("ruins", "creek"))
    photo = judged(truth, read)
    assert photo.exact
    assert figures([photo]).clear == 1


def test_an_unread_photo_is_safe_and_found_nothing() -> None:
    photo = judge_photo(Truth(discs=(true_disc(),)), None, stem="shot")
    run = figures([photo])
    assert (run.unread, run.safe, run.exact, run.seen, run.found) == (1, 1, 0, 1, 0)
    assert run.center_median_mm is None
    assert run.brier is None
    assert remarks(photo) == ["not read"]


def test_center_errors_are_distances_in_millimetres_by_state() -> None:
    flat = judged(true_disc(), disc(center_mm=(33.0, 74.0)))
    stacked = judged(true_disc(state="stacked"), disc(center_mm=(30.0, 71.0)))
    by_state = centers_by_state([flat, stacked])
    assert {s: (c.found, c.mean_mm) for s, c in by_state.items()} == {
        "flat": (1, 5.0),
        "stacked": (1, 1.0),
    }
    assert figures([flat, stacked]).center_median_mm == 3.0


def test_errors_as_large_as_their_sigma_along_each_axis_have_a_z_of_one() -> None:
    off = [(30.3, 70.4), (29.6, 70.3), (30.3, 69.6)]  # half a millimetre each
    results = [judged(true_disc(), disc(center_mm=at, sigma_mm=0.5 / math.sqrt(2))) for at in off]
    assert centers_by_state(results)["flat"].z_rms == pytest.approx(1.0)
    too_sure = [judged(true_disc(), disc(center_mm=at, sigma_mm=0.1)) for at in off]
    assert centers_by_state(too_sure)["flat"].z_rms == pytest.approx(5 / math.sqrt(2))


def test_reliability_counts_what_came_true_by_stated_probability() -> None:
    calls = [(0.75, True), (0.75, False), (0.9, True), (1.0, True), (1.0, False)]
    low, middle, high = reliability(calls, edges=(0.0, 0.8, 0.95, 1.0))
    assert (low.calls, low.mean_p, low.right_share) == (2, 0.75, 0.5)
    assert (middle.calls, middle.right_share) == (1, 1.0)
    assert (high.calls, high.mean_p, high.right_share) == (2, 1.0, 0.5)


def test_the_interval_of_a_share_is_wilsons() -> None:
    # 8 of 10: 0.490 to 0.943 in any table of Wilson intervals.
    (only,) = reliability([(0.8, True)] * 8 + [(0.8, False)] * 2, edges=(0.0, 1.0))
    assert only.interval == pytest.approx((0.490, 0.943), abs=5e-4)


def test_the_curve_is_drawn_where_the_figures_are() -> None:
    picture = draw_reliability(reliability([(0.5, True)] * 2, edges=(0.0, 1.0)))
    assert picture.shape == (600, 600, 3)
    marked = np.argwhere((picture == (160, 80, 20)).all(axis=2))
    assert [60, 300] in marked.tolist()  # share 1 lies at the top, p 0.5 in the middle


def test_calls_are_those_of_matched_discs() -> None:
    photo = judged(true_disc(), disc(p=0.7), disc(number=2, top_px=(9.0, 9.0)))
    assert calls_of([photo]) == [(0.7, True)]


def test_the_sample_truth_loads(sample_rig: Path) -> None:
    files = sorted((sample_rig / "truth").glob("*.json"))
    assert len(files) == 4
    for file in files:
        assert len(load_truth(file).discs) == 20


def test_a_wrong_truth_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "000.json"
    path.write_text(json.dumps({"discs": [{"color": "red"}]}))
    with pytest.raises(FileFormatError, match=r"discs\[0\]\.number: missing"):
        load_truth(path)
