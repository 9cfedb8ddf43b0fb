"""Controls, pixels and presets of Pi cameras."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonora_vision.camera.pi_controls import controls_for, locked_controls, running_controls
from sonora_vision.camera.pi_pixels import to_bgr
from sonora_vision.camera.pi_preset import find_preset, load_presets
from sonora_vision.errors import FileFormatError, UsageError
from tests.camera.pi_stack import MODULE3_CONTROLS


@given(st.floats(30.0, 1e8) | st.integers(30, 10**8).map(np.int64))
def test_an_exposure_time_is_a_plain_int_whatever_it_was(value: float) -> None:
    exposure = controls_for({"ExposureTime": value}, MODULE3_CONTROLS)["ExposureTime"]
    assert type(exposure) is int


def test_values_are_brought_into_the_cameras_limits() -> None:
    controls = controls_for({"AnalogueGain": 1, "ExposureTime": 2.0}, MODULE3_CONTROLS)
    assert controls == {"AnalogueGain": 1.12, "ExposureTime": 26}


def test_numpy_values_become_plain_ones() -> None:
    controls = controls_for({"ColourGains": np.array([1.5, 2.5], np.float32)}, MODULE3_CONTROLS)
    assert [float, float] == [type(v) for v in controls["ColourGains"]]  # type: ignore[union-attr]


def test_a_control_that_the_camera_lacks_is_left_out() -> None:
    assert controls_for({"AfMode": 0}, {}) == {}


def test_at_60_hz_the_period_is_8333_us() -> None:
    controls = controls_for(running_controls(10.0, 60), MODULE3_CONTROLS)
    assert controls["AeFlickerPeriod"] == 8333
    assert controls["FrameDurationLimits"] == (100_000, 100_000)


def test_what_the_metadata_do_not_tell_is_not_locked() -> None:
    assert locked_controls({"SensorTimestamp": 1}) == {}


COLOR_BGR = (40, 90, 220)


@pytest.mark.parametrize(
    ("pixel_format", "code"),
    [
        ("RGB888", None),
        ("BGR888", cv2.COLOR_BGR2RGB),
        ("XRGB8888", cv2.COLOR_BGR2BGRA),
        ("XBGR8888", cv2.COLOR_BGR2RGBA),
        ("YUV420", cv2.COLOR_BGR2YUV_I420),
    ],
)
def test_every_format_comes_out_in_the_order_blue_green_red(
    pixel_format: str, code: int | None
) -> None:
    picture = np.full((48, 64, 3), COLOR_BGR, np.uint8)
    buffer = picture if code is None else cv2.cvtColor(picture, code)
    seen = to_bgr(np.asarray(buffer, np.uint8), pixel_format=pixel_format, size_px=(64, 48))
    assert seen.shape == (48, 64, 3)
    assert np.abs(seen.astype(int) - COLOR_BGR).max() <= 3


def test_presets_say_how_large_a_pixel_is_on_the_board() -> None:
    preset = find_preset("module3")
    # by hand: 2 * 600 * tan(33 deg) = 779.3 mm over 4608 px
    assert pytest.approx(preset.field_mm(600.0)[0], abs=0.1) == 779.3
    assert pytest.approx(preset.mm_per_px(600.0), abs=1e-4) == 0.1691


def test_the_distance_for_a_board_shows_it_whole_both_ways() -> None:
    for preset in load_presets().values():
        distance_mm = preset.distance_for(450.0, 450.0)
        across, down = preset.field_mm(distance_mm)
        assert pytest.approx(min(across, down)) == 450.0


def test_a_preset_of_ones_own_is_a_file(tmp_path: Path) -> None:
    text = Path("sonora_vision/camera/presets.toml").read_text("utf-8")
    head, _, rest = text.partition("[module3]")
    path = tmp_path / "mine.toml"
    path.write_text(head + "[mine]" + rest.partition("[module3wide]")[0], "utf-8")
    assert find_preset(str(path)).sensor == "imx708"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("schema = 1", "schema = 2"), "schema = 1"),
        (("buffers = 3", "buffers = 0"), "buffers from 1 to 8, got 0"),
        (("flicker_hz = 50", "flicker_hz = 55"), "flicker_hz 50 or 60"),
        (("rate_hz = 10.0", "rate = 10.0"), "expected the keys"),
        (("still_px = [4608, 2592]", "still_px = [4608]"), "wrong type"),
        (('kind = "', "kind = "), "cannot be read as TOML"),
    ],
)
def test_a_bad_preset_file_names_the_place(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    path = tmp_path / "presets.toml"
    text = Path("sonora_vision/camera/presets.toml").read_text("utf-8")
    path.write_text(text.replace(*change, 1), "utf-8")
    with pytest.raises(FileFormatError, match=message) as caught:
        load_presets(path)
    assert str(path) in str(caught.value)


def test_a_preset_that_is_not_there_lists_those_that_are() -> None:
    with pytest.raises(UsageError, match="module3, module3wide, hq"):
        find_preset("module9")
