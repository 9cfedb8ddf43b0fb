"""Worked cases of the contact rules. Areas come from the exact shapes, truth from the rulebook."""

from __future__ import annotations

import math

import pytest

from sonora_vision.errors import RuleError
from sonora_vision.geometry import CircleShape, PolygonShape, Shape, disc_shares, gap_mm
from sonora_vision.observation import Assignment, Contact, MultiplierGap, State, ZoneShare
from sonora_vision.score.sonora.assign import assign

RADIUS_MM = 12.0
WEST = PolygonShape(points_mm=((0, 0), (100, 0), (100, 200), (0, 200)))
EAST = PolygonShape(points_mm=((100, 0), (200, 0), (200, 200), (100, 200)))
HALVES: dict[str, Shape] = {"ruins": WEST, "creek": EAST}
EVERYWHERE = ("canyon", "creek", "mudcracks", "ruins")


def touching(
    center: tuple[float, float],
    zones: dict[str, Shape],
    circles: list[tuple[str, str, tuple[float, float], float]] | None = None,
    state: State = "flat",
    launch_share: float = 0.0,
) -> Contact:
    """Measure a disc at ``center`` on a board of these zones and multiplier circles."""
    shares = disc_shares(list(zones.values()), center, RADIUS_MM)
    return Contact(
        state=state,
        zones=tuple(
            ZoneShare(section=s, share=float(v)) for s, v in zip(zones, shares, strict=True)
        ),
        multipliers=tuple(
            MultiplierGap(
                section=section,
                animal=animal,
                gap_mm=float(
                    gap_mm(CircleShape(center_mm=at, radius_mm=radius), center, RADIUS_MM)
                ),
            )
            for section, animal, at, radius in circles or []
        ),
        launch_share=launch_share,
    )


def wedge(index: int) -> PolygonShape:
    """Return a third of the plane around (100, 100)."""
    corners = [(100.0, 100.0)]
    for turn in (index, index + 0.5, index + 1):
        angle = 2 * math.pi * turn / 3 + 0.3
        corners.append((100 + 500 * math.cos(angle), 100 + 500 * math.sin(angle)))
    return PolygonShape(points_mm=tuple(corners))


def test_lizard_in_mudcracks() -> None:
    contact = touching(
        (50, 50), {"mudcracks": WEST, "creek": EAST}, [("ruins", "lizard", (60, 50), 15)]
    )
    assert assign(contact) == Assignment(via="multiplier", sections=("ruins",))


def test_hairline_meets() -> None:
    contact = touching((50, 50), HALVES, [("canyon", "fox", (50 + 27, 50), 15)])
    assert assign(contact) == Assignment(via="multiplier", sections=("canyon",))


def test_hairline_meets_in_any_direction() -> None:
    for step in range(60):
        angle = math.radians(6 * step + 0.7)
        at = (50 + 27 * math.cos(angle), 50 + 27 * math.sin(angle))
        assert assign(touching((50, 50), HALVES, [("canyon", "fox", at, 15)])).via == "multiplier"


def test_hairline_short_of_it() -> None:
    contact = touching((50, 50), HALVES, [("canyon", "fox", (50 + 27.01, 50), 15)])
    assert assign(contact) == Assignment(via="zone", sections=("ruins",))


def test_half() -> None:
    assert assign(touching((100, 50), HALVES)) == Assignment(
        via="zone", sections=("creek", "ruins")
    )


def test_half_missed_by_a_hundredth() -> None:
    assert assign(touching((99.99, 50), HALVES)).sections == ("ruins",)


def test_half_three_equal_thirds() -> None:
    zones: dict[str, Shape] = {s: wedge(i) for i, s in enumerate(("ruins", "creek", "canyon"))}
    assert assign(touching((100, 100), zones)).sections == ("canyon", "creek", "ruins")


def test_half_largest_two_equal() -> None:
    contact = Contact(
        state="flat",
        zones=(
            ZoneShare(section="ruins", share=0.4),
            ZoneShare(section="creek", share=0.2),
            ZoneShare(section="canyon", share=0.4),
        ),
        multipliers=(),
    )
    assert assign(contact).sections == ("canyon", "ruins")


def test_wavy() -> None:
    """A tooth of one zone reaches under the center, and still the other has more of the disc."""
    tooth = PolygonShape(points_mm=((90, 98), (104, 98), (104, 102), (90, 102), (90, 150), (0, 150),
                                    (0, 50), (90, 50)))  # fmt: skip
    around = PolygonShape(points_mm=((90, 50), (200, 50), (200, 150), (90, 150), (90, 102),
                                     (104, 102), (104, 98), (90, 98)))  # fmt: skip
    contact = touching((100, 100), {"ruins": tooth, "creek": around})
    assert assign(contact).sections == ("creek",)
    assert contact.zones[0].share + contact.zones[1].share == pytest.approx(1)


def test_hanging() -> None:
    """Over the hole's edge the zones run on through the hole: its center may be in the hole."""
    contact = touching((97, 100), HALVES)  # a hole of 17 mm at (100, 100) lies under most of it
    assert assign(contact) == Assignment(via="zone", sections=("ruins",))


def test_bullseye_goes_anywhere() -> None:
    contact = touching((100, 100), HALVES, [("canyon", "fox", (100, 100), 15)], state="in_hole")
    assert assign(contact) == Assignment(via="hole", sections=EVERYWHERE)


def test_two_circles() -> None:
    contact = touching(
        (50, 50), HALVES, [("canyon", "fox", (70, 50), 15), ("creek", "owl", (30, 50), 15)]
    )
    assert assign(contact) == Assignment(via="multiplier", sections=("canyon", "creek"))


def test_two_circles_of_one_section_count_once() -> None:
    contact = touching(
        (50, 50), HALVES, [("canyon", "fox", (70, 50), 15), ("canyon", "fox", (30, 50), 15)]
    )
    assert assign(contact) == Assignment(via="multiplier", sections=("canyon",))


@pytest.mark.parametrize("state", ["standing", "stacked"])
def test_on_edge_or_on_top_scores_by_footprint(state: State) -> None:
    assert assign(touching((50, 50), HALVES, state=state)).sections == ("ruins",)


def test_off_the_board_is_not_scored() -> None:
    assert assign(touching((50, 50), HALVES, state="off_board")) == Assignment(
        via="none", sections=()
    )


def test_more_than_half_on_a_launch_corner_is_not_scored() -> None:
    assert assign(touching((50, 50), HALVES, launch_share=0.51)).sections == ()


def test_partly_on_a_launch_corner_is_judged_by_the_part_on_the_field() -> None:
    contact = Contact(
        state="flat",
        zones=(ZoneShare(section="ruins", share=0.2), ZoneShare(section="creek", share=0.35)),
        multipliers=(),
        launch_share=0.45,
    )
    assert assign(contact).sections == ("creek",)


def test_lowest_a_line_touched_counts_for_the_lower_zone() -> None:
    contact = Contact(
        state="flat",
        zones=(
            ZoneShare(section="rim", share=0.02, value=1),
            ZoneShare(section="heart", share=0.98, value=5),
            ZoneShare(section="far", share=0.0, value=0),
        ),
        multipliers=(),
    )
    assert assign(contact, "lowest").sections == ("rim",)
    assert assign(contact, "majority").sections == ("heart",)


def test_lowest_without_values_is_named() -> None:
    with pytest.raises(RuleError, match="'ruins' has no value"):
        assign(touching((50, 50), HALVES), "lowest")


def test_unknown_board_rule_is_named() -> None:
    with pytest.raises(RuleError, match="expected majority or lowest, got 'most'"):
        assign(touching((50, 50), HALVES), "most")
