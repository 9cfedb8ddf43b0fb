"""What has changed since a profile was made is said, and nothing where nothing has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from sonora_vision.calibrate.photo import Pixels, load_photo
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.profile import Profile, load_profile
from sonora_vision.detect.ageing import ageing_warnings
from sonora_vision.pipeline import Sight, read_pixels


@pytest.fixture(scope="module")
def profile(sample_profile: Path) -> Profile:
    return load_profile(sample_profile)


@pytest.fixture(scope="module")
def photo(sample_rig: Path) -> Pixels:
    return load_photo(sample_rig / "photos" / "002.jpg")


@pytest.fixture(scope="module")
def sight(profile: Profile, photo: Pixels) -> Sight:
    return read_pixels(photo, profile, "002.jpg")


def said(profile: Profile, sight: Sight, fit_px: float = 0.2) -> tuple[str, ...]:
    return ageing_warnings(profile, sight.scene.pose, fit_px, sight.scene, sight.findings)


def test_a_board_that_was_only_pushed_and_turned_is_as_taught(
    profile: Profile, sight: Sight
) -> None:
    assert said(profile, sight) == ()


@pytest.mark.parametrize(
    ("gains", "words"),
    [((0.3, 0.3, 0.3), "times as dark"), ((0.5, 1.0, 1.2), "of another tint")],
)
def test_another_light_is_said_in_the_reading(
    profile: Profile, photo: Pixels, gains: tuple[float, float, float], words: str
) -> None:
    relit = np.clip(photo * np.array(gains), 0, 255).astype(np.uint8)
    (warning,) = (
        w for w in read_pixels(relit, profile, "relit").reading.warnings if "the light" in w
    )
    assert words in warning


def test_a_camera_that_was_tilted_or_lowered_is_said(profile: Profile, sight: Sight) -> None:
    pose = profile.pose
    turned = cv2.Rodrigues(np.array([np.radians(3.0), 0, 0]))[0] @ pose.matrix
    tilted = BoardPose(
        lens=pose.lens,
        rotation=np.asarray(cv2.Rodrigues(turned)[0], np.float64).ravel(),
        translation=pose.translation,
    )
    lowered = replace(pose, translation=pose.translation * np.array([1, 1, 0.95]))
    for taught in (tilted, lowered):
        (warning,) = said(replace(profile, pose=taught), sight)
        assert warning.startswith("the camera has moved since teaching")


def test_a_poor_fit_is_said(profile: Profile, sight: Sight) -> None:
    (warning,) = said(profile, sight, fit_px=3.0)
    assert "fit to 3.0 pixels only" in warning


def test_another_board_is_said(profile: Profile, sight: Sight) -> None:
    strange = replace(sight.scene, foreign=np.full_like(sight.scene.foreign, 100.0))
    (warning,) = said(profile, replace(sight, scene=strange))
    assert warning.startswith("this is another board")
