"""What is proposed by itself, against what the sample rig's description says is there."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
import shapely

from sonora_vision.calibrate.lens import load_target
from sonora_vision.calibrate.photo import Pixels, load_photo
from sonora_vision.calibrate.printed_points import printed_points
from sonora_vision.calibrate.profile import Profile, load_profile
from sonora_vision.calibrate.target_pdf import TARGET, Paper, target_pdf
from sonora_vision.calibrate.usual_lens import usual_lens
from sonora_vision.calibrate.wizard.areas import areas
from sonora_vision.calibrate.wizard.assemble import circle_mm, place_draft
from sonora_vision.calibrate.wizard.draft import BoardDraft
from sonora_vision.calibrate.wizard.lens_views import check_new, lens_from, progress, see_target
from sonora_vision.calibrate.wizard.propose_board import propose_board, trace_in_photo
from sonora_vision.calibrate.wizard.readiness import judge_picture
from sonora_vision.errors import UnreadableError


@pytest.fixture(scope="module")
def pictures(sample_rig: Path) -> list[Pixels]:
    """Six views of the lens target."""
    return [load_photo(sample_rig / "lens" / f"{i:02d}.jpg") for i in range(6)]


@pytest.fixture(scope="module")
def profile(sample_profile: Path) -> Profile:
    return load_profile(sample_profile)


@pytest.fixture(scope="module")
def empty(sample_rig: Path) -> Pixels:
    return load_photo(sample_rig / "teach" / "empty.jpg")


@pytest.fixture(scope="module")
def proposed(profile: Profile, empty: Pixels) -> BoardDraft:
    """The board as proposed; its nominal length is the sample's true one."""
    return propose_board(empty, profile.lens, BoardDraft())


def test_the_outline_is_within_a_pixel(profile: Profile, proposed: BoardDraft) -> None:
    true = profile.pose.project(np.array(profile.board.outline_mm))
    assert np.linalg.norm(np.array(proposed.corners_px) - true, axis=1).max() < 1.0


def test_every_multiplier_and_the_hole_are_within_a_millimetre(
    profile: Profile, proposed: BoardDraft
) -> None:
    pose, _ = place_draft(proposed, profile.lens)
    found = [(c.role, *circle_mm(c, pose)) for c in proposed.circles]
    board = profile.board
    for circle in board.multipliers:
        near = [f for f in found if math.dist(f[1], circle.center_mm) < 1.0]
        assert len(near) == 1
        assert near[0][2] == pytest.approx(circle.radius_mm, abs=1.0)
    (hole,) = (f for f in found if f[0] == "hole")
    assert board.hole is not None
    assert math.dist(hole[1], board.hole.center_mm) < 1.0
    assert hole[2] == pytest.approx(board.hole.radius_mm, abs=1.0)
    assert len(found) - len(board.multipliers) - 1 <= 6


def test_borders_divide_the_board_as_it_is_printed(profile: Profile, proposed: BoardDraft) -> None:
    pose, outline = place_draft(proposed, profile.lens)
    board = profile.board
    assert len(areas(proposed, pose, outline)) == len(board.zones) + len(board.launch_corners)


def test_borders_lie_on_the_printed_ink(profile: Profile, proposed: BoardDraft) -> None:
    board = profile.board
    borders = shapely.unary_union([
        shapely.LineString(profile.pose.to_board(np.array(border))) for border in proposed.borders
    ])  # fmt: skip
    printed = printed_points(board, step_mm=4.0)
    on_borders = printed.points_mm[printed.kinds == 1]
    apart_mm = shapely.distance(borders, shapely.points(on_borders))
    assert len(apart_mm) > 100
    assert np.median(apart_mm) < 0.15
    assert np.percentile(apart_mm, 95) < 0.5


def test_a_hasty_border_is_snapped_to_the_printed_one(
    profile: Profile, proposed: BoardDraft, empty: Pixels
) -> None:
    rough = profile.pose.project(np.array([[203.0, 8.0], [197.5, 90.0], [202.0, 150.0]]))
    traced = trace_in_photo(empty, profile.lens, proposed, [(float(x), float(y)) for x, y in rough])
    at_mm = profile.pose.to_board(np.array(traced))
    assert np.abs(at_mm[:, 0] - 200.0).max() < 0.4
    assert at_mm[:, 1].min() < 0.0  # carried on over the edge


def test_a_picture_of_nothing_proposes_nothing() -> None:
    blank = np.full((1232, 1640, 3), 120, np.uint8)
    assert propose_board(blank, usual_lens((1640, 1232)), BoardDraft()) == BoardDraft()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_printed_target_is_true_to_size(paper: Paper) -> None:
    page = pypdfium2.PdfDocument(target_pdf(paper))[0]
    width_mm, height_mm = (side * 25.4 / 72 for side in page.get_size())
    expected = {"A4": (297.0, 210.0), "Letter": (279.4, 215.9)}[paper]
    assert (width_mm, height_mm) == pytest.approx(expected, abs=0.1)
    picture = page.render(scale=150 / 72).to_numpy()[..., :3]
    view = see_target(np.ascontiguousarray(picture), "page", TARGET)
    columns, rows = TARGET.squares
    assert len(view.ids) == (columns - 1) * (rows - 1)
    span_mm = np.ptp(view.corners_px, axis=0) / 150 * 25.4
    inner = ((columns - 2) * TARGET.square_mm, (rows - 2) * TARGET.square_mm)
    assert span_mm == pytest.approx(inner, abs=0.3)
    below = np.asarray(picture)[round(190 / 25.4 * 150) : round(193 / 25.4 * 150)]
    row = max(below, key=lambda pixels: int((pixels[:, 0] < 128).sum()))
    dark = np.flatnonzero(row[:, 0] < 128)
    assert np.ptp(
        dark[: np.argmax(np.diff(dark, append=9e9) > 5) + 1]
    ) / 150 * 25.4 == pytest.approx(100.0, abs=0.6)


class TestLensViews:
    def test_views_add_up_to_the_lens(
        self, sample_rig: Path, pictures: list[Pixels], profile: Profile
    ) -> None:
        target = load_target(sample_rig / "lens" / "charuco.json")
        assert target == TARGET
        views = [see_target(p, f"{i}.jpg", target) for i, p in enumerate(pictures)]
        assert lens_from(views[:4], target) is None
        lens = lens_from(views, target)
        assert lens is not None
        assert lens.matrix[0, 0] == pytest.approx(profile.lens.matrix[0, 0], rel=0.01)
        shown = progress(views, lens, target)
        assert shown.views == 6
        assert shown.corner_error_mm is None  # half of six tells no lens of its own
        assert not shown.enough

    def test_the_expected_error_is_what_the_lens_is_off(
        self, sample_rig: Path, profile: Profile
    ) -> None:
        """Against the lens of all pictures; one sigma is rarely missed by a factor of four."""
        target = load_target(sample_rig / "lens" / "charuco.json")
        names = sorted((sample_rig / "lens").glob("*.jpg"))[:8]
        views = [see_target(load_photo(name), name.name, target) for name in names]
        lens = lens_from(views, target)
        assert lens is not None
        told = progress(views, lens, target).corner_error_mm
        assert told is not None
        grid = np.stack(np.meshgrid(np.linspace(0, 1639, 9), np.linspace(0, 1231, 7)), axis=-1)
        everywhere = grid.reshape(-1, 1, 2)
        ideal = [
            cv2.undistortPoints(everywhere, each.matrix, each.distortion)
            for each in (lens, profile.lens)
        ]
        warp, _ = cv2.findHomography(ideal[0], ideal[1], 0)
        moved = cv2.perspectiveTransform(ideal[0], warp) - ideal[1]
        true_mm = float(np.abs(moved).max()) * lens.matrix[0, 0] * 400.0 / 1232
        assert 0.25 * true_mm < told < 4 * max(true_mm, 0.02)

    def test_each_useless_picture_is_refused_with_its_reason(
        self, pictures: list[Pixels], empty: Pixels
    ) -> None:
        first = see_target(pictures[0], "first", TARGET)
        with pytest.raises(UnreadableError, match="again: nearly the same view as first"):
            check_new(see_target(pictures[0], "again", TARGET), [first])
        half = cv2.resize(pictures[1], (820, 616), interpolation=cv2.INTER_AREA)
        small = see_target(half, "small", TARGET)
        with pytest.raises(UnreadableError, match="small: is 820 x 616, the pictures before"):
            check_new(small, [first])
        with pytest.raises(UnreadableError, match=r"soft: blurred|soft: the printed target is"):
            see_target(cv2.GaussianBlur(pictures[0], (0, 0), 4), "soft", TARGET)
        with pytest.raises(UnreadableError, match="board: the printed target is not in it"):
            see_target(empty, "board", TARGET)


class TestReadiness:
    def lights(self, picture: Pixels) -> dict[str, str]:
        lens = usual_lens((picture.shape[1], picture.shape[0]))
        return {c.name: c.light for c in judge_picture(picture, lens).checks}

    def test_the_sample_is_ready(self, empty: Pixels) -> None:
        assert set(self.lights(empty).values()) == {"good"}

    def test_each_fault_is_told_apart(self, empty: Pixels) -> None:
        assert self.lights(cv2.GaussianBlur(empty, (0, 0), 4))["sharpness"] == "bad"
        assert self.lights(cv2.convertScaleAbs(empty, alpha=0.2))["exposure"] == "bad"
        assert self.lights(cv2.convertScaleAbs(empty, alpha=4.0))["glare"] == "bad"
        assert self.lights(cv2.resize(empty, (600, 450)))["size"] == "bad"
        assert self.lights(np.ascontiguousarray(empty[:, 500:]))["board"] != "good"
