"""Pictures that are not as they were taught: read, warned of, or refused with the reason."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from sonora_vision.calibrate.photo import Pixels, decode_photo
from sonora_vision.calibrate.profile import Profile
from sonora_vision.errors import UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.pipeline import read_photo, read_pixels
from tests.drawing import PlacedDisc, Rig, hand, random_position, set_stage
from tests.drawing.truth import Record
from tests.drawn import drawn, even_light, middle_mm, small_rig, taught_profile
from tests.web.table import png_that_claims

SEED = 3


@lru_cache(maxsize=1)
def rig_and_profile() -> tuple[Rig, Profile]:
    rig = small_rig(SEED)
    return rig, taught_profile(rig)


def position() -> list[PlacedDisc]:
    return random_position(rig_and_profile()[0].board, np.random.default_rng(5), style="easy")


@lru_cache(maxsize=1)
def shot() -> tuple[Pixels, Record]:
    return drawn(rig_and_profile()[0], position())


def read(pixels_bgr: Pixels) -> Reading:
    return read_pixels(pixels_bgr, rig_and_profile()[1], "shot.jpg").reading


def read_file(path: Path) -> Reading:
    return read_photo(path, rig_and_profile()[1]).reading


def stored(folder: Path, pixels: np.ndarray, name: str = "shot.jpg") -> Path:
    path = folder / name
    assert cv2.imwrite(str(path), pixels)
    return path


def assert_right(reading: Reading, times: float = 1.0) -> None:
    """Every disc of the position is called, and shown where it is in the picture."""
    truth = [d for d in shot()[1]["discs"] if d["state"] == "flat"]
    assert len(truth) > 10
    for disc in truth:
        x, y = ((each + 0.5) * times - 0.5 for each in disc["top_px"])
        (near,) = [d for d in reading.discs if math.dist(d.top_px, (x, y)) < 2 * times]
        assert (near.color, near.number) == (disc["color"], disc["number"])


def test_a_picture_as_it_was_taught_has_no_warnings() -> None:
    reading = read(shot()[0])
    assert_right(reading)
    assert reading.warnings == ()


def test_an_empty_board_has_no_warnings() -> None:
    reading = read(drawn(rig_and_profile()[0], [])[0])
    assert (reading.discs, reading.warnings) == ((), ())


@pytest.mark.parametrize("times", [0.8, 2, 4])
def test_another_resolution_is_read_and_reported_in_its_own_pixels(
    tmp_path: Path, times: float
) -> None:
    height, width = shot()[0].shape[:2]
    size = (round(width * times), round(height * times))
    larger = cv2.resize(shot()[0], size, interpolation=cv2.INTER_CUBIC)
    assert_right(read_file(stored(tmp_path, larger)), times)


def test_an_odd_size_is_decoded_whole(tmp_path: Path) -> None:
    height, width = shot()[0].shape[:2]
    odd = cv2.resize(shot()[0], (4 * width + 1, 4 * height + 1), interpolation=cv2.INTER_CUBIC)
    assert_right(read_file(stored(tmp_path, odd)), 4.0)


@pytest.mark.parametrize("spoil", [lambda p: p[:, 80:], lambda p: np.rot90(p)])
def test_another_aspect_is_refused(tmp_path: Path, spoil: object) -> None:
    assert callable(spoil)
    path = stored(tmp_path, np.ascontiguousarray(spoil(shot()[0])))
    with pytest.raises(UnreadableError, match=r"shot\.jpg: .*aspect differs"):
        read_file(path)


@pytest.mark.parametrize("times", [1, 4])
def test_a_turn_by_exif_is_followed(tmp_path: Path, times: int) -> None:
    height, width = shot()[0].shape[:2]
    large = cv2.resize(shot()[0], (times * width, times * height), interpolation=cv2.INTER_CUBIC)
    turned = Image.fromarray(np.rot90(large[..., ::-1]).copy())  # a quarter counterclockwise
    exif = Image.Exif()
    exif[0x0112] = 6  # to be shown a quarter clockwise
    turned.save(tmp_path / "turned.jpg", quality=95, exif=exif)
    assert_right(read_file(tmp_path / "turned.jpg"), times)


def test_a_16_bit_png_is_read(tmp_path: Path) -> None:
    deep = shot()[0].astype(np.uint16) * 257
    assert_right(read_file(stored(tmp_path, deep, "deep.png")))


def test_a_grey_picture_is_refused(tmp_path: Path) -> None:
    gray = cv2.cvtColor(shot()[0], cv2.COLOR_BGR2GRAY)
    with pytest.raises(UnreadableError, match="grey-scale"):
        read_file(stored(tmp_path, gray))


@pytest.mark.parametrize("size", [(40, 3000), (1000, 20000), (1640, 1), (1, 1), (15, 15)])
def test_a_strip_is_refused_before_it_is_decoded(size: tuple[int, int]) -> None:
    with pytest.raises(UnreadableError, match=r"strip\.png: .* is no photograph of a board"):
        decode_photo(png_that_claims(*size), "strip.png")


def test_the_narrowest_photograph_is_decoded() -> None:
    raw = cv2.imencode(".png", np.zeros((16, 64, 3), np.uint8))[1].tobytes()
    assert decode_photo(raw, "panorama.png").shape == (16, 64, 3)


@pytest.mark.parametrize("brand", [b"heic", b"avif"])
def test_heic_is_refused_with_what_to_do(tmp_path: Path, brand: bytes) -> None:
    path = tmp_path / "shot.heic"
    path.write_bytes(b"\x00\x00\x00\x18ftyp" + brand + bytes(64))
    with pytest.raises(UnreadableError, match=r"HEIC.*export it as JPEG"):
        read_file(path)


def test_more_discs_than_there_are_and_one_twice() -> None:
    rig, _ = rig_and_profile()
    radius = float(rig.board["discs"]["radius"])
    discs = [d for d in position() if d.state == "flat"]
    owned = len(rig.board["discs"]["colors"]) * len(rig.board["discs"]["numbers"])
    rng = np.random.default_rng(0)
    twins = []
    while len(discs) + len(twins) <= owned:
        x, y = rng.uniform(0.15, 0.85, 2) * 2 * np.array(middle_mm(rig))
        if all(math.dist((x, y), d.center_mm) > 2.5 * radius for d in [*discs, *twins]):
            twins.append(PlacedDisc(color=discs[0].color, number=discs[0].number, center_mm=(x, y)))
    reading = read(drawn(rig, [*discs, *twins])[0])
    assert any(f"{owned + 1} discs were found" in each for each in reading.warnings)
    alike = [d for d in reading.discs if (d.color, d.number) == (discs[0].color, discs[0].number)]
    assert all(d.doubts for d in alike)


def _moved(pixels: Pixels, dx: float) -> Pixels:
    shift = np.array([[1.0, 0.0, dx], [0.0, 1.0, 0.0]])
    return np.asarray(cv2.warpAffine(pixels, shift, pixels.shape[1::-1]), np.uint8)


def _lit(pixels: Pixels, gain: float) -> Pixels:
    return np.clip(pixels * gain, 0, 255).astype(np.uint8)


def test_a_blurred_picture_is_named_and_its_centers_are_less_sure() -> None:
    sharp, blurred = read(shot()[0]), read(np.asarray(cv2.GaussianBlur(shot()[0], (0, 0), 1.6)))
    assert any("blurred" in each for each in blurred.warnings)
    usual, now = (np.median([d.sigma_mm for d in r.discs]) for r in (sharp, blurred))
    assert now > 1.1 * usual


def test_a_dark_and_an_overexposed_picture_are_named() -> None:
    assert any("is dark" in each for each in read(_lit(shot()[0], 0.12)).warnings)
    assert any("overexposed" in each for each in read(_lit(shot()[0], 2.0)).warnings)


def test_a_part_of_the_board_out_of_the_picture_is_named() -> None:
    corners = read(shot()[0]).pose.corners_px
    beside = min(x for x, _ in corners)
    reading = read(_moved(shot()[0], -beside - 0.1 * (shot()[0].shape[1] - 2 * beside)))
    assert any("out of the picture" in each for each in reading.warnings)


def test_a_hand_over_the_board_is_named() -> None:
    rig, _ = rig_and_profile()
    x, y = middle_mm(rig)
    rng = np.random.default_rng(0)
    stage = set_stage(rig.board, rig.look, rig.camera, even_light(rig))
    pixels, _ = stage.draw(position(), rng, hands=hand(np.array([1.2 * x, y]), 0.0, rng))
    assert any("something lies over the board" in each for each in read(pixels).warnings)
