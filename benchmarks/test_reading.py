"""Reading the sample photographs, against the floor, on one core: ``pytest benchmarks``."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sonora_vision.calibrate.find_board import find_board
from sonora_vision.calibrate.photo import load_photo
from sonora_vision.calibrate.profile import Profile
from sonora_vision.calibrate.rectify import rectify
from sonora_vision.calibrate.taught import photo_scale
from sonora_vision.detect.scene import set_scene
from sonora_vision.pipeline import read_photo
from sonora_vision.teaching import calibrate_rig

RIG = Path(__file__).parent.parent / "sample_images" / "mesa"
PHOTOS = sorted((RIG / "photos").glob("*.jpg"))


@pytest.fixture(autouse=True, scope="module")
def one_core() -> None:
    cv2.setNumThreads(1)


@pytest.fixture(scope="module")
def profile() -> Profile:
    return calibrate_rig(RIG)


@pytest.fixture(scope="module")
def twelve_megapixels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample photograph at the size of a larger camera."""
    path = tmp_path_factory.mktemp("large") / "large.jpg"
    large = cv2.resize(load_photo(PHOTOS[0]), (4100, 3080), interpolation=cv2.INTER_CUBIC)
    cv2.imwrite(str(path), large, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return path


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem)
def test_read(benchmark: BenchmarkFixture, profile: Profile, photo: Path) -> None:
    benchmark(read_photo, photo, profile)


def test_read_twelve_megapixels(
    benchmark: BenchmarkFixture, profile: Profile, twelve_megapixels: Path
) -> None:
    benchmark(read_photo, twelve_megapixels, profile)


@pytest.mark.parametrize("size", ["two", "twelve"])
def test_floor(
    benchmark: BenchmarkFixture, profile: Profile, twelve_megapixels: Path, size: str
) -> None:
    photo = PHOTOS[0] if size == "two" else twelve_megapixels
    pixels = load_photo(photo)
    lens = profile.lens.scaled_to((pixels.shape[1], pixels.shape[0]))
    times = pixels.shape[1] / profile.lens.size_px[0]
    scale = photo_scale(profile.pose, profile.taught) * times
    pose, _ = find_board(pixels, lens, profile.taught.features, scale)
    view = set_scene(pixels, pose, profile.taught, profile.board.discs.height_mm).view
    benchmark(lambda: rectify(np.asarray(cv2.imread(str(photo)), np.uint8), pose, view))


def test_find_board(benchmark: BenchmarkFixture, profile: Profile) -> None:
    pixels = load_photo(PHOTOS[0])
    scale = photo_scale(profile.pose, profile.taught)
    benchmark(find_board, pixels, profile.lens, profile.taught.features, scale)
