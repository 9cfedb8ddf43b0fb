"""The wizard's steps as pure functions: what a perfect owner answers gives the true board."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.propose.plane import board_plane
from sonora_vision.calibrate.wizard.areas import areas
from sonora_vision.calibrate.wizard.assemble import board_of, place_draft, rig_documents
from sonora_vision.calibrate.wizard.board_edits import edit_board
from sonora_vision.calibrate.wizard.disc_edits import check_discs, edit_discs
from sonora_vision.calibrate.wizard.draft import BoardDraft, DraftCircle, DraftDisc
from sonora_vision.calibrate.wizard.placements import choose_placements, measure_placements
from sonora_vision.errors import FileFormatError, UsageError
from sonora_vision.geometry import PolygonShape, RingShape
from tests.builders import disc, reading
from tests.calibrate.drafted import (
    CORNER_MM,
    HEIGHT_MM,
    LENS,
    POSE,
    RAISED_MM,
    WIDTH_MM,
    line,
    perfect_board,
    perfect_draft,
    px,
)


def _never(_points: object) -> tuple[tuple[float, float], ...]:
    raise AssertionError("nothing is to be traced here")


def edited(draft: BoardDraft, **edit: Any) -> BoardDraft:
    return edit_board(draft, edit, _never)


@pytest.fixture(scope="module")
def board() -> BoardSpec:
    return board_of(perfect_draft(), LENS)


def test_one_real_length_gives_the_other_side(board: BoardSpec) -> None:
    expected = [(0, 0), (WIDTH_MM, 0), (WIDTH_MM, HEIGHT_MM), (0, HEIGHT_MM)]
    assert np.abs(np.subtract(board.outline_mm, expected)).max() < 0.05


def test_the_pose_is_the_camera_s() -> None:
    pose, _ = place_draft(perfect_board(), LENS)
    assert np.abs(pose.camera_mm - POSE.camera_mm).max() < 0.2


def test_circles_and_hole_have_their_true_place_and_size(board: BoardSpec) -> None:
    assert board.hole is not None
    (fox,) = board.multipliers
    assert math.dist(board.hole.center_mm, (200, 150)) < 0.05
    assert board.hole.radius_mm == pytest.approx(16, abs=0.05)
    assert math.dist(fox.center_mm, (100, 200)) < 0.05
    assert fox.radius_mm == pytest.approx(14, abs=0.05)
    assert (fox.section, fox.animal) == ("canyon", "fox")


def test_zones_are_what_lies_between_borders(board: BoardSpec) -> None:
    shapes = {zone.section: zone.shape for zone in board.zones}
    assert all(isinstance(shape, PolygonShape) for shape in shapes.values())
    ruins = shapely.Polygon(shapes["ruins"].points_mm)  # type: ignore[union-attr]
    assert ruins.symmetric_difference(shapely.box(200, 0, WIDTH_MM, HEIGHT_MM)).area < 40.0


def test_a_raised_corner_ends_where_it_stands_not_where_it_is_seen(board: BoardSpec) -> None:
    (corner,) = board.launch_corners
    true = shapely.Polygon([(0, 0), (CORNER_MM, 0), (0, CORNER_MM)])
    found = shapely.Polygon(corner.points_mm)
    assert corner.height_mm == RAISED_MM
    assert found.hausdorff_distance(true) < 0.2


def test_the_answers_are_the_pixels_that_were_given() -> None:
    _, answers = rig_documents(perfect_draft(), LENS)
    assert np.abs(np.subtract(answers["empty"]["hole_px"], px(200, 150))).max() < 0.1
    assert len(answers["discs"]["discs"]) == 4


def test_circular_zones_about_one_middle_are_rings() -> None:
    rounds = tuple(
        DraftCircle(
            center_px=px(200, 150), rim_px=px(200 + r, 150), role="zone", section=name, value=v
        )
        for r, name, v in ((40, "ten", 10), (100, "five", 5))
    )
    draft = replace(perfect_board(), circles=rounds, rule="lowest", labels=())
    zones = board_of(replace(perfect_draft(), board=draft), LENS).zones
    assert [(z.section, z.value) for z in zones] == [("ten", 10), ("five", 5)]
    outer = zones[1].shape
    assert isinstance(outer, RingShape)
    assert (outer.inner_mm, outer.outer_mm) == pytest.approx((40, 100), abs=0.1)


def test_a_border_that_stops_short_divides_nothing() -> None:
    draft = perfect_board()
    half = tuple(p for p in draft.borders[0] if p[1] < 600)
    pose, outline = place_draft(draft, LENS)
    assert len(areas(draft, pose, outline)) == 3
    assert len(areas(replace(draft, borders=(half, draft.borders[1])), pose, outline)) == 2


@pytest.mark.parametrize("seed", range(8))
def test_an_area_between_ragged_borders_never_crosses_itself(seed: int) -> None:
    """Borders as a bad picture gives them: on each other, but for noise under a tenth of a mm."""
    noise = np.random.default_rng(seed)
    xs = np.linspace(50.0, 350.0, 60)
    first, second = 150.0 + noise.normal(0.0, 0.02, (2, 60))
    first[:5], first[-5:] = 100.0, 200.0
    second[20:30] += 60.0
    ragged = [tuple(px(x, y) for x, y in zip(xs, ys, strict=True)) for ys in (first, second)]
    draft = replace(perfect_board(), borders=(*ragged, line((-8, 150), (408, 150))))
    pose, outline = place_draft(draft, LENS)
    found = [shapely.Polygon(area.points_mm) for area in areas(draft, pose, outline)]
    assert len(found) >= 2
    assert all(each.is_valid for each in found)


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([(400, 300)] * 4, "lie on each other"),
        ([(100, 100), (900, 100), (100, 900), (900, 900)], "cross each other"),
        ([(100, 100), (900, 100), (1700, 100), (500, 100)], "cross each other"),
        ([(100, 100), (100, 900), (900, 900), (900, 100)], "anticlockwise"),
        (
            [(11095, -4972), (23187, -18794), (35739, -62522), (49359, 33186), (41505, 44802)],
            "no board seen from above",
        ),
    ],
)
def test_corners_that_no_board_has_are_refused(
    corners: list[tuple[float, float]], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        place_draft(replace(perfect_board(), corners_px=tuple(corners)), LENS)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"first_side_mm": None}, "length: type the real length"),
        ({"corners_px": ()}, "outline: expected three corners"),
        ({"corners_px": perfect_board().corners_px[::-1]}, "anticlockwise"),
        ({"labels": ()}, "areas: none is labelled as a zone"),
        ({"circles": (DraftCircle(center_px=px(9, 9), rim_px=px(9, 20)),)}, "no section"),
    ],
)
def test_what_is_still_missing_is_named(change: dict[str, Any], words: str) -> None:
    draft = replace(perfect_draft(), board=replace(perfect_board(), **change))
    with pytest.raises(UsageError, match=words):
        board_of(draft, LENS)


def test_a_shape_beyond_the_outline_is_a_named_mistake() -> None:
    far = DraftCircle(center_px=px(2, 150), rim_px=px(30, 150), section="a", animal="owl")
    draft = replace(perfect_draft(), board=replace(perfect_board(), circles=(far,)))
    with pytest.raises(FileFormatError, match=r"multipliers\[0\].*within the outline"):
        board_of(draft, LENS)


class TestEdits:
    def test_a_circle_is_moved_as_a_whole_and_by_its_rim(self) -> None:
        draft = BoardDraft(circles=(DraftCircle(center_px=(10, 10), rim_px=(20, 10)),))
        moved = edited(draft, do="move_circle", index=0, to=[30, 40])
        assert moved.circles[0].rim_px == (40, 40)
        larger = edited(moved, do="move_circle", index=0, part="rim", to=[30, 55])
        assert larger.circles[0].center_px == (30, 40)
        assert larger.circles[0].rim_px == (30, 55)

    def test_there_is_one_hole(self) -> None:
        two = edited(perfect_board(), do="label_circle", index=1, role="hole")
        assert [c.role for c in two.circles] == ["none", "hole"]

    def test_a_label_takes_the_place_of_the_one_before(self) -> None:
        again = edited(perfect_board(), do="label_area", at=[5, 5], section="creek", instead=0)
        assert [label.section for label in again.labels] == ["creek", "ruins", ""]

    def test_two_quick_labels_of_one_area_leave_the_others_alone(self) -> None:
        """The second was made before the page knew of the first."""
        label = {"do": "label_area", "at": [5, 5], "section": "creek", "instead": 0}
        twice = edited(edited(perfect_board(), **label), **label)
        assert [label.section for label in twice.labels] == ["creek", "ruins", ""]

    def test_two_quick_deletes_delete_one_circle_or_border(self) -> None:
        board = perfect_board()
        for what, at in (("circle", board.circles[0].center_px), ("border", board.borders[0][0])):
            delete = {"do": f"delete_{what}", "index": 0, "was": list(at)}
            once = edited(board, **delete)
            assert once != board
            with pytest.raises(UsageError, match="that is gone already"):
                edited(once, **delete)

    def test_turning_forgets_the_length_which_was_another_side_s(self) -> None:
        turned = edited(perfect_board(), do="turn_corners")
        assert turned.corners_px[-1] == perfect_board().corners_px[0]
        assert turned.first_side_mm is None

    def test_a_new_border_is_traced(self) -> None:
        traced = edit_board(
            BoardDraft(),
            {"do": "add_border", "points": [[1, 2], [3, 4]]},
            lambda points: ((9, 9), *points),
        )
        assert traced.borders == (((9, 9), (1.0, 2.0), (3.0, 4.0)),)

    def test_a_comma_in_a_length_is_a_decimal_point(self) -> None:
        assert edited(BoardDraft(), do="set_length", mm="399,5").first_side_mm == 399.5

    @pytest.mark.parametrize(
        ("edit", "words"),
        [
            ({"do": "fly"}, "do: expected one of"),
            ({"do": ["x"]}, "do: expected one of"),
            ({"do": "set_length", "mm": "long"}, "expected 50 to 3000 mm"),
            ({"do": "set_length", "mm": float("nan")}, "expected 50 to 3000 mm"),
            ({"do": "set_length", "mm": True}, "expected 50 to 3000 mm"),
            ({"do": "move_corner", "index": 9, "to": [1, 1]}, "index: expected 0 to 3"),
            ({"do": "move_corner", "index": 0, "to": [1, "2"]}, "to: expected two numbers"),
            ({"do": "add_circle", "center": [1, 1], "rim": [2, 1]}, "drag the rim outwards"),
            ({"do": "label_area", "at": [1, 1], "role": "zone"}, "section: expected the name"),
            ({"do": "label_area", "at": [1, 1], "role": "sea"}, "role: expected one of"),
            ({"do": "label_circle", "index": 0, "animal": "x" * 41}, "at most 40 letters"),
            ({"do": "set_corners", "points": [[0, 0]]}, "expected 3 to"),
            ({"do": "set_rule", "rule": "best"}, "rule: expected majority or lowest"),
        ],
    )
    def test_a_wrong_edit_is_refused_by_name(self, edit: dict[str, Any], words: str) -> None:
        with pytest.raises(UsageError, match=words):
            edited(perfect_board(), **edit)


class TestDiscs:
    def test_a_color_is_renamed_for_all_its_discs(self) -> None:
        discs = edit_discs(
            perfect_draft().discs, {"do": "rename_color", "from": "red", "to": "Coral"}
        )
        assert [d.color for d in discs.discs] == ["coral", "coral", "blue", "blue"]

    def test_what_is_missing_or_double_is_told(self) -> None:
        discs = perfect_draft().discs
        assert check_discs(discs) == []
        wrong = edit_discs(discs, {"do": "set_disc", "index": 0, "color": "red", "number": 2})
        assert check_discs(wrong) == [
            "red: no 1 yet; tap it on the picture",
            "red: 2 is there twice; correct its number",
        ]

    def test_two_quick_deletes_delete_one_disc(self) -> None:
        discs = perfect_draft().discs
        delete = {"do": "delete_disc", "index": 0, "was": list(discs.discs[0].px)}
        once = edit_discs(discs, delete)
        assert once.discs == discs.discs[1:]
        with pytest.raises(UsageError, match="that is gone already"):
            edit_discs(once, delete)

    def test_a_disc_is_added_and_taken_away(self) -> None:
        discs = perfect_draft().discs
        more = edit_discs(discs, {"do": "add_disc", "to": [1, 2], "color": "red", "number": "1"})
        assert more.discs[-1] == DraftDisc(px=(1.0, 2.0), color="red", number=1)
        assert edit_discs(more, {"do": "delete_disc", "index": 4}) == discs

    @pytest.mark.parametrize(
        ("edit", "words"),
        [
            ({"do": "set_sizes", "height": 6, "diameter": 2}, "diameter: expected 8 to 80 mm"),
            (
                {"do": "set_disc", "index": 0, "color": "red", "number": 7},
                "number: expected one of",
            ),
            ({"do": "set_disc", "index": 0, "color": "a,b", "number": 1}, "without commas"),
            ({"do": "delete_disc", "index": 4}, "index: expected 0 to 3"),
        ],
    )
    def test_a_wrong_edit_is_refused_by_name(self, edit: dict[str, Any], words: str) -> None:
        with pytest.raises(UsageError, match=words):
            edit_discs(perfect_draft().discs, edit)


RADIUS_MM = 12.0


class TestPlacements:
    def test_without_circles_enough_discs_go_flush_with_the_edges(self, board: BoardSpec) -> None:
        places = choose_placements(board)
        assert len(places) == 3
        assert len({(p.color, p.number) for p in places}) == 3
        assert places[0].at_mm == pytest.approx((12.0, HEIGHT_MM / 2), abs=0.1)

    @pytest.mark.parametrize(("off_mm", "verdict"), [(0.4, "good"), (1.5, "usable"), (4.0, "poor")])
    def test_the_worst_error_decides(self, board: BoardSpec, off_mm: float, verdict: str) -> None:
        places = choose_placements(board)
        seen = [
            disc(
                color=p.color,
                number=p.number,
                center_mm=(p.at_mm[0] + off_mm * (i == 1), p.at_mm[1]),
            )
            for i, p in enumerate(places)
        ]
        result = measure_placements(places, reading(*seen), RADIUS_MM)
        assert result.verdict == verdict
        assert [m.error_mm for m in result.measured] == pytest.approx([0, off_mm, 0])

    def test_a_disc_that_was_not_seen_is_no_pass(self, board: BoardSpec) -> None:
        result = measure_placements(choose_placements(board), reading(), RADIUS_MM)
        assert result.verdict == "poor"
        assert [m.error_mm for m in result.measured] == [None] * 3

    def test_a_disc_put_elsewhere_is_not_held_against_the_rig(self, board: BoardSpec) -> None:
        places = choose_placements(board)
        far = [
            disc(color=p.color, number=p.number, center_mm=(p.at_mm[0] + 80, p.at_mm[1]))
            for p in places
        ]
        result = measure_placements(places, reading(*far), RADIUS_MM)
        assert result.verdict == "poor"
        assert "put all three there" in result.words
        assert "length" not in result.words


class TestPlane:
    """Boards of more than four corners, seen askew."""

    OCTAGON = np.array([
        [120.0, 0], [280, 0], [400, 120], [400, 280], [280, 400], [120, 400], [0, 280], [0, 120],
    ])  # fmt: skip

    def test_opposite_sides_tell_the_tilt(self) -> None:
        corners = POSE.project(self.OCTAGON)
        _, outline = board_plane(LENS, corners, 160.0)
        spans = [math.dist(outline[i], outline[i + 4]) for i in range(4)]
        true = [math.dist(self.OCTAGON[i], self.OCTAGON[i + 4]) for i in range(4)]
        assert spans == pytest.approx(true, abs=0.5)

    def test_a_shape_without_such_sides_is_left_as_it_is_seen(self) -> None:
        shape = np.array([[0.0, 0], [400, 0], [400, 150], [180, 210], [140, 300], [0, 300]])
        above = replace(POSE, rotation=np.zeros(3), translation=np.array([-200.0, -150.0, 640.0]))
        _, outline = board_plane(LENS, above.project(shape), 400.0)
        assert outline == pytest.approx(shape, abs=2.0)
