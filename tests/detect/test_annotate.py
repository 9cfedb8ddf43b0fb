"""Annotated pictures: what is drawn lies where the reading says, and what is said is true."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json
from sonora_vision.detect.annotate import Rectified, draw_board, draw_evidence, draw_reading
from sonora_vision.detect.annotate.board_picture import MARGIN_RADII, picture_px_per_mm
from sonora_vision.detect.annotate.canvas import Pixels, text_width_px, wrap
from sonora_vision.detect.annotate.captions import details, disc_name, headline, is_choice
from sonora_vision.detect.annotate.labels import Anchor, Box, place_labels
from sonora_vision.detect.annotate.palette import DOUBT, Rgb, disc_color, readable_on
from sonora_vision.detect.annotate.regions import deciding_boundary
from sonora_vision.observation import Contact, Disc, Missing, ZoneShare
from tests.builders import board_json, disc, reading


def tiny(**changes: Any) -> BoardSpec:
    return board_from_json(board_json(**changes), "tiny.json")


def plain_table(px_per_mm: float = 2.0, origin_mm: float = -15.0) -> Rectified:
    """A rectified picture of nothing, 130 mm wide."""
    side = round(130 * px_per_mm)
    bgr = np.full((side, side, 3), 90, np.uint8)
    return Rectified(bgr=bgr, px_per_mm=px_per_mm, origin_mm=(origin_mm, origin_mm))


def pixel_at(picture: Pixels, board: BoardSpec, point_mm: tuple[float, float]) -> Rgb:
    """The RGB color that a board picture has at a point of the board."""
    margin_mm = MARGIN_RADII * board.discs.radius_mm
    x, y = (round((value + margin_mm) * picture_px_per_mm(board)) for value in point_mm)
    blue, green, red = (int(value) for value in picture[y, x])
    return red, green, blue


def around(center_mm: tuple[float, float], radius_mm: float) -> list[tuple[float, float]]:
    angles = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    return [
        (center_mm[0] + radius_mm * np.cos(a), center_mm[1] + radius_mm * np.sin(a)) for a in angles
    ]


def likeness(color: Rgb, other: Rgb) -> float:
    return max(abs(a - b) for a, b in zip(color, other, strict=True))


@pytest.mark.parametrize(("px_per_mm", "origin_mm"), [(2.0, -15.0), (3.7, -8.5)])
def test_a_point_of_the_table_stays_at_its_place_whatever_the_rectified_frame(
    px_per_mm: float, origin_mm: float
) -> None:
    rectified = plain_table(px_per_mm, origin_mm)
    x, y = (round((value - origin_mm) * px_per_mm) for value in (80.0, 30.0))
    rectified.bgr[y - 6 : y + 7, x - 6 : x + 7] = (0, 255, 0)
    picture = draw_board(rectified, tiny(), reading())
    assert pixel_at(picture, tiny(), (80.0, 30.0)) == (0, 255, 0)
    assert pixel_at(picture, tiny(), (86.0, 30.0)) == (90, 90, 90)


def test_print_and_faces_come_to_their_own_places_from_a_picture_at_the_faces_height() -> None:
    # A camera 500 mm above (50, 50); print at (80, 30) is seen where the ray to it meets the plane
    # of the faces, 5 mm up: one hundredth nearer to the point below the camera.
    plain = plain_table(10.0)
    for place, color in (((79.7, 30.2), (0, 255, 0)), ((30.0, 70.0), (255, 0, 0))):
        x, y = (round((value + 15.0) * 10.0) for value in place)
        plain.bgr[y - 15 : y + 16, x - 15 : x + 16] = color
    rectified = replace(plain, camera_mm=(50.0, 50.0, 500.0), height_mm=5.0)
    picture = draw_board(rectified, tiny(), reading(disc(center_mm=(30.0, 70.0))))
    for center, color in (((80.0, 30.0), (0, 255, 0)), ((30.0, 70.0), (0, 0, 255))):
        patch = [(center[0] + dx, center[1] + dy) for dx in (-1.35, 1.35) for dy in (-1.35, 1.35)]
        assert all(likeness(pixel_at(picture, tiny(), spot), color) < 40 for spot in patch)


def test_the_rectified_picture_is_not_written_to() -> None:
    rectified = plain_table()
    rectified.bgr.flags.writeable = False
    draw_reading(rectified, tiny(), reading(disc()))
    draw_evidence(rectified, tiny(), reading(disc()), 0)


def test_a_settled_footprint_is_a_whole_ring_and_a_doubted_one_is_dashed_and_pink() -> None:
    rectified = plain_table()
    for seen, color, whole in (
        (disc(), (255, 255, 255), True),
        (disc(doubts=("zone",)), DOUBT, False),
    ):
        picture = draw_board(rectified, tiny(), reading(seen))
        ring = [pixel_at(picture, tiny(), p) for p in around(seen.center_mm, 6.0)]
        share = sum(likeness(found, color) < 60 for found in ring) / len(ring)
        # A label's line may cross the ring; dashes leave about half of it open.
        assert share > 0.9 if whole else 0.3 < share < 0.7


def test_a_doubt_and_a_choice_look_different_without_their_colors() -> None:
    rectified = plain_table()
    grey = [
        draw_board(rectified, tiny(), reading(seen)).mean(axis=2)
        for seen in (
            disc(),
            disc(doubts=("zone",)),
            disc(sections=("ruins", "creek")),
        )
    ]
    for one, other in itertools.combinations(grey, 2):
        assert np.count_nonzero(np.abs(one - other) > 60) > 300


def test_missing_discs_and_warnings_lengthen_the_legend() -> None:
    rectified = plain_table()
    bare = draw_reading(rectified, tiny(), reading(disc()))
    gone = draw_reading(rectified, tiny(), reading(missing=(Missing(color="blue", number=2),)))
    warned = draw_reading(rectified, tiny(), reading(disc(), warnings=("a hand " * 30,)))
    assert bare.shape[1] == gone.shape[1] == warned.shape[1]
    assert bare.shape[0] < gone.shape[0] < warned.shape[0]


@pytest.mark.parametrize(
    "seen",
    [
        disc(center_mm=(-200.0, 40.0), state="off_board", via="none", sections=(), margin_mm=None),
        disc(number=None, doubts=("number", "hidden")),
        disc(sections=("a section that the board does not have",)),
        disc(color="chartreuse-ish"),
        disc(center_mm=(50.0, 50.0), state="in_hole", via="hole", sections=("ruins", "creek")),
        disc(center_mm=(25.0, 50.0), via="multiplier", sections=("canyon",)),
    ],
    ids=["far off", "no number", "odd section", "odd color", "hole", "on a circle's center"],
)
def test_every_kind_of_disc_can_be_drawn(seen: Disc) -> None:
    rectified = plain_table()
    assert draw_reading(rectified, tiny(), reading(seen)).dtype == np.uint8
    close_up = draw_evidence(rectified, tiny(), reading(seen), 0, size_px=300)
    assert close_up.shape == (300, 300, 3)


def test_a_board_without_multipliers_hole_or_corners_can_be_drawn() -> None:
    bare = tiny(multipliers=[], hole=None, launch_corners=[])
    rectified = plain_table()
    draw_reading(rectified, bare, reading(disc()))


# The tiny board: ruins left of x = 50, creek right of it; a fox of 8 at (25, 50); discs of 6.
@pytest.mark.parametrize(
    ("seen", "words", "gap_mm"),
    [
        (disc(center_mm=(47.0, 90.0)), "center 3.0 mm from creek", 3.0),
        (disc(center_mm=(25.0, 66.5)), "2.5 mm short of the fox", 2.5),
        (
            disc(center_mm=(25.0, 60.0), via="multiplier", sections=("canyon",)),
            "4.0 mm onto the fox",
            -4.0,
        ),
        (
            disc(center_mm=(51.0, 50.0), state="in_hole", via="hole", sections=("creek",)),
            "2.0 mm within the hole",
            2.0,
        ),
        (disc(center_mm=(12.0, 12.0)), "center 2.8 mm off a corner", 2.8284),
    ],
    ids=["border", "short of a circle", "on a circle", "hole", "corner"],
)
def test_the_deciding_boundary_is_the_nearest_and_measured_as_the_rule_does(
    seen: Disc, words: str, gap_mm: float
) -> None:
    boundary = deciding_boundary(tiny(), seen)
    assert boundary is not None
    assert boundary.words == words
    assert boundary.gap_mm == pytest.approx(gap_mm, abs=0.001)
    ends = np.array([boundary.near_mm, boundary.far_mm])
    assert np.hypot(*(ends[0] - ends[1])) == pytest.approx(abs(gap_mm), abs=0.01)


def test_where_the_lowest_zone_touched_decides_the_gap_is_the_edges() -> None:
    zones = [
        dict(zone, value=value) for zone, value in zip(board_json()["zones"], (1, 2), strict=True)
    ]
    board = tiny(rule="lowest", zones=zones, multipliers=[], launch_corners=[])
    boundary = deciding_boundary(board, disc(center_mm=(42.0, 90.0)))
    assert boundary is not None
    assert boundary.words == "2.0 mm short of the creek line"
    assert boundary.gap_mm == pytest.approx(2.0, abs=0.001)


def test_a_choice_of_two_multipliers_shows_the_weaker_touch() -> None:
    circles = [
        {"section": "canyon", "animal": "fox", "center": [25, 50], "radius": 8},
        {"section": "creek", "animal": "owl", "center": [45, 50], "radius": 8},
    ]
    seen = disc(center_mm=(33.0, 50.0), via="multiplier", sections=("canyon", "creek"))
    boundary = deciding_boundary(tiny(multipliers=circles), seen)
    assert boundary is not None
    assert boundary.words == "2.0 mm onto the owl"


def test_nothing_decides_about_a_disc_off_the_board() -> None:
    seen = disc(center_mm=(-20.0, 50.0), state="off_board", via="none", sections=())
    assert deciding_boundary(tiny(), seen) is None


def boxes_overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_labels_cover_neither_each_other_nor_a_disc_where_there_is_room() -> None:
    spots = [(x, y) for x in (250.0, 600.0, 950.0) for y in (250.0, 600.0, 950.0)]
    spots += [(330.0, 250.0), (600.0, 680.0)]
    anchors = [Anchor(center_px=spot, radius_px=40.0, size_px=(150.0, 60.0)) for spot in spots]
    boxes = place_labels(anchors, [], (1200, 1200))
    for one, other in itertools.combinations(boxes, 2):
        assert not boxes_overlap(one, other)
    for box, (x, y) in itertools.product(boxes, spots):
        assert not boxes_overlap(box, (x - 39, y - 39, x + 39, y + 39))


def test_labels_stay_within_the_picture() -> None:
    corners = [(20.0, 20.0), (580.0, 20.0), (20.0, 580.0), (580.0, 580.0)]
    anchors = [Anchor(center_px=spot, radius_px=30.0, size_px=(150.0, 60.0)) for spot in corners]
    for left, top, right, bottom in place_labels(anchors, [], (600, 600)):
        assert left >= 0
        assert top >= 0
        assert right <= 600
        assert bottom <= 600


def test_a_near_half_is_never_written_as_a_half() -> None:
    shares = (ZoneShare(section="ruins", share=0.502), ZoneShare(section="creek", share=0.498))
    seen = disc(contact=Contact(state="flat", zones=shares, multipliers=()))
    assert details(seen) == ["50.2% of its area"]


def test_a_sliver_is_not_written_as_a_share_of_all() -> None:
    shares = (ZoneShare(section="ruins", share=0.998), ZoneShare(section="creek", share=0.002))
    assert details(disc(contact=Contact(state="flat", zones=shares, multipliers=()))) == []


def test_names_and_headlines() -> None:
    assert disc_name(disc()) == "red 1"
    assert disc_name(disc(number=None, doubts=("number",))) == "red ?"
    assert disc_name(disc(number=None)) == "red"
    assert headline(disc(sections=("ruins", "creek"))) == "Ruins or Creek"
    assert headline(disc(sections=(), via="none", state="off_board")) == "Not scored"
    assert is_choice(disc(sections=("ruins", "creek")))
    assert not is_choice(disc(sections=("ruins", "creek"), doubts=("zone",)))


def luminance(color: Rgb) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [v / 255 for v in color]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


@pytest.mark.parametrize(
    "name",
    ["red", "blue", "teal", "orange", "natural", "gray", "hotpink", "olive", "no such color"],
)
def test_a_number_can_be_read_on_its_disc(name: str) -> None:
    fill = disc_color(name)
    light, dark = sorted((luminance(fill), luminance(readable_on(fill))), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3.0  # WCAG AA, large bold text


def test_text_is_wrapped_to_its_width() -> None:
    lines = wrap("a warning of many words that no strip is wide enough for", 20.0, 160.0)
    assert len(lines) > 2
    assert all(text_width_px(line, 20.0) <= 160.0 for line in lines)
