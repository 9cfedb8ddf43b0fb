"""A place that may be no disc is asked about, and decides nothing about others."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from sonora_vision.calibrate.profile import Profile
from sonora_vision.detect.find_discs import Findings
from sonora_vision.detect.identities import p_is_disc
from sonora_vision.detect.measure import MeasuredDisc, MeasureParams, measure_discs, missing_discs
from sonora_vision.detect.teach_discs import references_of
from sonora_vision.pipeline import Sight, read_pixels
from tests.drawing import PlacedDisc, Rig
from tests.drawn import drawn, middle_mm, small_rig, taught_profile


@lru_cache(maxsize=1)
def shot() -> tuple[Rig, Profile, Sight]:
    """Four discs of one color that lie apart, and the fifth on edge."""
    rig = small_rig(21)
    profile = taught_profile(rig)
    x, y = middle_mm(rig)
    color = rig.board["discs"]["colors"][1]
    spots = [(0.5 * x, 0.5 * y), (1.5 * x, 0.5 * y), (0.5 * x, 1.5 * y), (1.5 * x, 1.5 * y)]
    discs = [
        PlacedDisc(color=color, number=number, center_mm=spot)
        for number, spot in zip((1, 2, 4, 5), spots, strict=True)
    ]
    discs.append(PlacedDisc(color=color, number=3, center_mm=(x, 1.6 * y), state="standing"))
    return rig, profile, read_pixels(drawn(rig, discs)[0], profile, "shot.jpg")


def measured(findings: Findings) -> dict[str, MeasuredDisc]:
    """The discs by what they are told to be; the one on edge as ``standing``."""
    _, profile, sight = shot()
    references = references_of(profile.discs, profile.board.discs.numbers)
    discs = measure_discs(
        sight.scene, findings, references, profile.board, profile.anchor_mm, MeasureParams()
    )
    return {"standing" if d.state == "standing" else str(d.number): d for d in discs}


def test_the_number_that_the_others_leave_is_told() -> None:
    discs = measured(shot()[2].findings)
    assert set(discs) == {"1", "2", "4", "5", "standing"}
    assert discs["standing"].number == 3
    assert all(disc.doubts == () for disc in discs.values())


def test_where_one_of_the_others_may_be_no_disc_it_is_asked_and_both_stay_missing() -> None:
    _, profile, sight = shot()
    unsure = [
        replace(each, look=replace(each.look, match=replace(each.look.match, likeness=0.82)))
        if each.look.likely is not None and each.look.match is not None and each.look.likely[1] == 4
        else each
        for each in sight.findings.sightings
    ]
    discs = measured(replace(sight.findings, sightings=tuple(unsure)))
    assert "number" in discs["4"].doubts
    assert discs["4"].p_identity * discs["4"].p_state < 0.9
    assert "number" in discs["standing"].doubts
    assert discs["1"].doubts == discs["2"].doubts == discs["5"].doubts == ()
    color = discs["4"].color
    missing = {
        m.number for m in missing_discs(list(discs.values()), profile.board) if m.color == color
    }
    assert missing == {3, 4}


def test_a_sliver_of_a_disc_is_no_promise_however_like_it_is() -> None:
    sight = shot()[2]
    slivers = [
        replace(each, look=replace(each.look, visible_share=0.2))
        for each in sight.findings.sightings
    ]
    discs = measured(replace(sight.findings, sightings=tuple(slivers)))
    lying = [disc for key, disc in discs.items() if key != "standing"]
    assert all("hidden" in disc.doubts for disc in lying)
    assert np.max([disc.p_state for disc in lying]) < 0.9


def test_print_that_shows_in_part_and_has_no_taught_paint_is_no_promise() -> None:
    _, profile, sight = shot()
    references = references_of(profile.discs, profile.board.discs.numbers)
    look = sight.findings.sightings[0].look
    assert look.match is not None
    like = replace(look, match=replace(look.match, likeness=0.92), visible_share=0.35)
    assert p_is_disc(replace(like, paint=2.0), references) == 1.0
    assert p_is_disc(replace(like, paint=-0.5), references) < 1.0


def test_a_band_is_asked_about_where_something_large_reaches_to_the_board() -> None:
    findings = shot()[2].findings
    assert not findings.reached
    assert "state" not in measured(findings)["standing"].doubts
    assert "state" in measured(replace(findings, reached=True))["standing"].doubts
