"""The renderer's own claims: its truth is where its pixels are, and a seed is a picture."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.drawing import (
    Lens,
    Light,
    PlacedDisc,
    Referee,
    hand,
    overhead_camera,
    random_board,
    random_look,
    random_position,
    random_rig,
    set_stage,
    write_rig,
)
from tests.drawing.camera import normalized_rays
from tests.drawing.rig import CHARUCO, charuco_photo
from tests.drawing.scene import Stage

SIZE_PX = (820, 616)


def plain_stage(seed: int = 3, ring: float = 0.85) -> Stage:
    """A grey unprinted board of red discs with a ring, in even light, without noise or blur."""
    rng = np.random.default_rng(seed)
    board = random_board(rng, name="plain")
    board["multipliers"], board["launch_corners"] = [], []
    board["outline"] = [[0, 0], [400, 0], [400, 400], [0, 400]]
    board["hole"] = {"center": [200, 200], "radius": 18.0, "depth": 3.0}
    board["zones"] = [
        {"section": s, "shape": "polygon", "points": [[x, y], [x + 200, y], [x + 200, y + 200],
                                                      [x, y + 200]]}
        for s, x, y in (("ruins", 0, 0), ("canyon", 200, 0), ("creek", 0, 200),
                        ("mudcracks", 200, 200))
    ]  # fmt: skip
    board["discs"] = {"radius": 12.0, "height": 6.0, "colors": ["red"], "numbers": []}
    look = replace(
        random_look(rng, board), grounds_bgr=((150, 150, 150),) * 4,
        colors_bgr=(("red", (40, 40, 190)),), edge_line=False,
        ring=ring, inlay=0.0, grain=0.0, decorations=0.0, gloss=0.0, thickness_mm=6.0,
        light_ink_bgr=(235, 235, 235), table_bgr=(60, 60, 60), border_mm=0.6,
    )  # fmt: skip
    lens = Lens(
        size_px=SIZE_PX, focal_px=700.0, center_px=(405.0, 312.0),
        distortion=(-0.12, 0.03, 0.0005, -0.0004, 0.0), blur_px=0.0, vignette=0.0,
    )  # fmt: skip
    camera = overhead_camera(
        lens, looks_at_mm=(190, 205), distance_mm=660, tilt_deg=(9, -7), turn_deg=20
    )
    light = Light(kind="diffuse", lamp_mm=(0, 0, 2000), direct=0.0, ambient=0.9, softness=1.0,
                  glare=0.0, glare_power=10.0, noise=0.01)  # fmt: skip
    return set_stage(board, look, camera, light)


def ring_center(pixels: NDArray[np.uint8], near_px: list[float]) -> NDArray[np.float64]:
    """Centre of the ellipse of pale ring pixels within a red disc about a point."""
    x0, y0 = (round(v) - 24 for v in near_px)
    part = pixels[y0 : y0 + 49, x0 : x0 + 49].astype(float)
    pale = part[..., 0] - 50  # red paint and its walls have little blue
    redness = part[..., 2] - part[..., 0]
    inside = cv2.morphologyEx(
        (redness > 60).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)
    )
    ring = (pale > 25) & (cv2.erode(inside, np.ones((3, 3), np.uint8)) > 0)
    (x, y), _, _ = cv2.fitEllipse(np.argwhere(ring)[:, ::-1].astype(np.float32))
    return np.array([x + x0, y + y0])


@pytest.mark.parametrize(
    ("state", "spot", "top_mm"),
    [("flat", (90.0, 80.0), 6.0), ("flat", (330.0, 300.0), 6.0), ("off_board", (440.0, 250.0), 0.0),
     ("in_hole", (198.0, 203.0), 3.0)],
)  # fmt: skip
def test_a_discs_face_is_drawn_where_its_truth_says(
    state: str, spot: tuple[float, float], top_mm: float
) -> None:
    stage = plain_stage()
    disc = PlacedDisc(color="red", number=None, center_mm=spot, state=state)
    pixels, truth = stage.draw([disc], np.random.default_rng(0))
    top_px = truth["discs"][0]["top_px"]
    a = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    rim = np.c_[spot + 0.85 * 12 * np.stack([np.cos(a), np.sin(a)], axis=-1), np.full(60, top_mm)]
    # The middle of a slanted circle's image is not quite the image of its middle.
    slant = stage.camera.project(rim).mean(axis=0) - stage.camera.project([[*spot, top_mm]])[0]
    assert math.dist(ring_center(pixels, top_px) - slant, top_px) < 0.2


def test_height_moves_a_face_as_far_as_the_pinhole_says() -> None:
    stage = plain_stage()
    spot = (60.0, 330.0)
    discs = [PlacedDisc(color="red", number=None, center_mm=spot, level=k,
                        state="stacked" if k else "flat") for k in (0, 1)]  # fmt: skip
    truth = stage.draw(discs, np.random.default_rng(0))[1]["discs"]
    camera, lens = stage.camera, stage.camera.lens
    for record, height in zip(truth, (6.0, 12.0), strict=True):
        point = camera.rotation @ np.array([*spot, -height]) + camera.translation_mm
        u, v = point[:2] / point[2]
        k1, k2, p1, p2, _ = lens.distortion
        r2 = u * u + v * v
        radial = 1 + k1 * r2 + k2 * r2 * r2
        x = u * radial + 2 * p1 * u * v + p2 * (r2 + 2 * u * u)
        y = v * radial + p1 * (r2 + 2 * v * v) + 2 * p2 * u * v
        expected = lens.focal_px * np.array([x, y]) + lens.center_px
        assert record["top_px"] == pytest.approx(expected, abs=0.01)
    assert truth[0]["visible"] < 0.25
    assert truth[1]["visible"] == pytest.approx(1.0, abs=0.01)


def test_the_boards_corners_are_drawn_where_the_truth_says() -> None:
    stage = plain_stage()
    pixels, truth = stage.draw([], np.random.default_rng(0))
    blue = pixels[..., 0].astype(np.float32)
    center = np.mean(truth["corners_px"], axis=0)
    for corner in np.array(truth["corners_px"]):
        inward = (center - corner) / np.linalg.norm(center - corner)
        for away, on_board in ((4.0, True), (-4.0, False)):
            x, y = np.round(corner + away * inward).astype(int)
            assert (blue[y - 1 : y + 2, x - 1 : x + 2].mean() > 100) == on_board


def test_rays_lead_back_to_their_pixels() -> None:
    camera = plain_stage().camera
    lens = camera.lens
    uv = normalized_rays(lens)[::37, ::41]
    points = np.c_[uv.reshape(-1, 2), np.ones(uv.size // 2)].astype(float)
    px, _ = cv2.projectPoints(
        points, np.zeros(3), np.zeros(3), lens.matrix, np.array(lens.distortion)
    )
    y, x = np.mgrid[: SIZE_PX[1] : 37, : SIZE_PX[0] : 41]
    assert np.abs(px.reshape(*x.shape, 2) - np.stack([x, y], axis=-1)).max() < 0.03


def test_opencv_finds_the_lens_that_the_targets_were_drawn_with() -> None:
    lens = replace(plain_stage().camera.lens, blur_px=0.8)
    rng = np.random.default_rng(4)
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, CHARUCO["dictionary"]))
    target = cv2.aruco.CharucoBoard(CHARUCO["squares"], 25.0, 18.0, family)
    detector = cv2.aruco.CharucoDetector(target)
    found: list[Any] = []
    for index in range(12):
        grey = cv2.cvtColor(charuco_photo(lens, index, rng), cv2.COLOR_BGR2GRAY)
        corners, ids, _, _ = detector.detectBoard(grey)
        if ids is not None and len(ids) > 8:
            found.append(target.matchImagePoints(corners, ids))
    assert len(found) >= 8
    objects, images = zip(*found, strict=True)
    rms, matrix, _, _, _ = cv2.calibrateCamera(objects, images, lens.size_px, None, None)
    assert rms < 0.25
    assert matrix[0, 0] == pytest.approx(lens.focal_px, rel=0.006)


def test_a_seed_is_a_picture() -> None:
    first, truth, quality = random_rig(5, size_px=(410, 308)).photo(1)
    again, same, _ = random_rig(5, size_px=(410, 308)).photo(1)
    assert np.array_equal(first, again)
    assert truth == same
    assert 0 < quality <= 100
    assert random_rig(6, size_px=(410, 308)).board != random_rig(5, size_px=(410, 308)).board


def test_settled_discs_look_as_drawn_ones() -> None:
    stage = plain_stage()
    still = [PlacedDisc(color="red", number=None, center_mm=(100.0, 90.0))]
    moving = [PlacedDisc(color="red", number=None, center_mm=(300.0, 300.0))]
    once, truth = stage.draw([*still, *moving], np.random.default_rng(1))
    twice, same = stage.settled(still).draw(moving, np.random.default_rng(1))
    assert np.abs(once.astype(int) - twice).max() <= 2
    assert truth == same


def test_a_hand_hides_what_is_under_it() -> None:
    stage = plain_stage()
    under = PlacedDisc(color="red", number=None, center_mm=(200.0, 110.0))
    beside = PlacedDisc(color="red", number=None, center_mm=(60.0, 330.0))
    over = hand(np.array([200.0, 40.0]), 90.0, np.random.default_rng(2))
    truth = stage.draw([under, beside], np.random.default_rng(1), hands=over)[1]
    assert truth["hand"]
    assert truth["discs"][0]["visible"] < 0.3
    assert truth["discs"][1]["visible"] > 0.98


def test_easy_positions_hold_every_disc_once_flat_and_apart() -> None:
    board = random_board(np.random.default_rng(8), name="b")
    discs = random_position(board, np.random.default_rng(1), style="easy")
    assert len({(d.color, d.number) for d in discs}) == len(discs) == 20
    flat = [d for d in discs if d.state == "flat"]
    assert len(flat) >= 18
    least = min(math.dist(a.center_mm, b.center_mm) for a in flat for b in flat if a is not b)
    assert least >= 2 * board["discs"]["radius"]


@pytest.mark.parametrize("seed", range(4))
def test_hard_positions_never_push_lying_discs_into_each_other(seed: int) -> None:
    board = random_board(np.random.default_rng(seed), name="b")
    discs = random_position(board, np.random.default_rng(seed), style="hard")
    ground = [d for d in discs if d.level == 0 and d.state != "off_board"]
    least = min(math.dist(a.center_mm, b.center_mm) for a in ground for b in ground if a is not b)
    assert least >= 2 * board["discs"]["radius"] - 1e-6


class TestReferee:
    """Truth by hand on a board of four squares with one circle."""

    @pytest.fixture
    def referee(self) -> Referee:
        board = plain_stage().board
        circle = {"section": "creek", "animal": "owl", "center": [300.0, 100.0], "radius": 15.0}
        return Referee({**board, "multipliers": [circle]})

    def test_half_and_half_is_a_choice(self, referee: Referee) -> None:
        record = referee.judge((200.0, 60.0), "flat")
        assert record["assignment"] == {"via": "zone", "sections": ["canyon", "ruins"]}
        assert record["margin_mm"] == 0.0

    def test_a_hairline_is_on_the_circle(self, referee: Referee) -> None:
        on, off = (referee.judge((300.0, 127.0 + d), "flat") for d in (0.0, 0.01))
        assert on["assignment"] == {"via": "multiplier", "sections": ["creek"]}
        assert off["assignment"] == {"via": "zone", "sections": ["canyon"]}

    def test_the_margin_of_a_zone_is_half_its_lead(self, referee: Referee) -> None:
        record = referee.judge((203.0, 60.0), "flat")
        lead = record["zone_share"]["canyon"] - record["zone_share"]["ruins"]
        assert record["margin_mm"] == pytest.approx(lead * math.pi * 12 / 4, abs=0.01)

    @pytest.mark.parametrize("state", ["off_board", "launch_corner"])
    def test_what_does_not_lie_on_the_field_counts_nowhere(
        self, referee: Referee, state: str
    ) -> None:
        assert referee.judge((20.0, 20.0), state)["assignment"]["sections"] == []


def test_a_rig_folder_is_whole(tmp_path: Path) -> None:
    write_rig(random_rig(2, size_px=(328, 246)), tmp_path, photos=2)
    assert sorted(p.name for p in (tmp_path / "photos").iterdir()) == ["000.jpg", "001.jpg"]
    assert len(list((tmp_path / "lens").glob("*.jpg"))) == 14
    answers = json.loads((tmp_path / "teach" / "answers.json").read_text())
    assert len(answers["discs"]["discs"]) == 20
    assert len(answers["empty"]["corners_px"]) == 4
    truth = json.loads((tmp_path / "truth" / "001.json").read_text())
    assert truth["image"] == "001.jpg"
    assert {"color", "number", "state", "center_mm", "top_px", "radius_px", "visible",
            "assignment", "zone_share", "margin_mm"} == set(truth["discs"][0])  # fmt: skip
