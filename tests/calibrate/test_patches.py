"""Patches of the board are found to a fraction of a pixel, and what lies over one is no patch."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from sonora_vision.calibrate.patches import aligned
from tests.drawn import drawn, small_rig, taught, true_pose

RIG = small_rig(2)


@pytest.mark.parametrize("enlarged", [1, 4])
def test_patches_are_found_from_a_pose_that_is_a_pixel_off(enlarged: int) -> None:
    patches = taught(RIG).features.patches
    true = true_pose(RIG.camera)
    width, height = true.lens.size_px
    size = (width * enlarged, height * enlarged)
    true = replace(true, lens=true.lens.scaled_to(size))
    picture = cv2.resize(drawn(RIG, [])[0], size, interpolation=cv2.INTER_CUBIC)
    off = replace(true, translation=true.translation + np.array([1.2, -0.9, 0.0]))
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    places, moved, likeness = aligned(gray, off, patches)
    apart = np.linalg.norm(places - true.project(patches.places_mm), axis=1) / enlarged
    first = np.linalg.norm(off.project(patches.places_mm) - true.project(patches.places_mm), axis=1)
    assert first.min() / enlarged > 1.0
    assert np.median(apart) < 0.1
    assert moved.max() > 1.0
    assert np.median(likeness) > 0.6


def test_what_lies_over_a_patch_is_unlike_it() -> None:
    patches = taught(RIG).features.patches
    true = true_pose(RIG.camera)
    gray = np.asarray(cv2.cvtColor(drawn(RIG, [])[0], cv2.COLOR_BGR2GRAY), np.uint8)
    noise = np.random.default_rng(1).normal(120, 30, gray.shape)
    across = true.project(patches.places_mm)[:, 0]
    border = float(np.median(across))
    covered = np.where(np.arange(gray.shape[1]) < border, noise.clip(0, 255), gray)
    _, _, likeness = aligned(covered.astype(np.uint8), true, patches)
    assert likeness[across < border - 10].max() < 0.6
    assert np.median(likeness[across > border + 10]) > 0.7
