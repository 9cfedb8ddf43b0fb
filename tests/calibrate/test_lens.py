"""The lens: one picture size to another, and what a set of target views makes of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from sonora_vision.calibrate.lens import fit_lens, load_target
from sonora_vision.errors import FileFormatError, UnreadableError
from tests.drawn import small_rig, true_lens

LENS = true_lens(small_rig(5).camera)


@pytest.mark.parametrize("times", [0.5, 2.0, 2.5])
def test_a_scaled_lens_sees_the_same_ray_at_the_same_part_of_a_larger_picture(times: float) -> None:
    width, height = LENS.size_px
    size = (round(width * times), round(height * times))
    rays = np.random.default_rng(0).uniform(-0.4, 0.4, (50, 3)) * [1, 1, 0] + [0, 0, 1]
    small, large = (
        cv2.projectPoints(rays, np.zeros(3), np.zeros(3), lens.matrix, lens.distortion)[0]
        for lens in (LENS, LENS.scaled_to(size))
    )
    # A pixel's number is that of its centre: edges, half a pixel away, scale about 0.
    assert (large + 0.5) / times == pytest.approx(small + 0.5, abs=1e-9)


def test_a_picture_of_another_aspect_is_refused_with_both_sizes() -> None:
    with pytest.raises(UnreadableError, match=r"1000 x 1000.*820 x 616"):
        LENS.scaled_to((1000, 1000))


def test_a_lens_is_found_from_views_of_a_flat_target() -> None:
    rng = np.random.default_rng(3)
    target = np.stack(np.meshgrid(np.arange(8.0), np.arange(6.0), [0.0]), axis=-1).reshape(-1, 3)
    target = (target - [3.5, 2.5, 0.0]) * 25.0
    on_target, in_image = [], []
    for _ in range(14):
        turn = rng.uniform(-0.5, 0.5, 3)
        away = np.array([*rng.uniform(-60, 60, 2), rng.uniform(300, 420)])
        points, _ = cv2.projectPoints(target, turn, away, LENS.matrix, LENS.distortion)
        on_target.append(target.reshape(-1, 1, 3).astype(np.float32))
        in_image.append((points + rng.normal(0, 0.1, points.shape)).astype(np.float32))
    found = fit_lens(on_target, in_image, LENS.size_px)
    assert found.rms_px == pytest.approx(0.1 * np.sqrt(2), rel=0.1)
    for at in ((0, 0), (1, 1)):
        assert abs(found.matrix[at] - LENS.matrix[at]) < 4 * found.focal_sigma_px < 4.0
    for at in ((0, 2), (1, 2)):
        assert abs(found.matrix[at] - LENS.matrix[at]) < 4 * found.center_sigma_px < 4.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"squares": [10**6, 10**6]}, "squares: expected at most 501, for DICT_5X5_250"),
        ({"squares": [9, True]}, "squares: expected two whole numbers of 3 or more"),
        ({"square_mm": float("inf")}, "square_mm: expected a number above 0"),
        ({"marker_mm": 40}, "marker_mm: expected less than square_mm"),
        ({"dictionary": "imread"}, "dictionary: expected the name"),
        ({"hello": 1}, "hello: unknown key"),
    ],
)
def test_a_target_that_cannot_be_printed_is_refused(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    target = {"squares": [9, 7], "square_mm": 20, "marker_mm": 15, "dictionary": "DICT_5X5_250"}
    path = tmp_path / "charuco.json"
    path.write_text(json.dumps(target | change))
    with pytest.raises(FileFormatError, match=re.escape(said)):
        load_target(path)
