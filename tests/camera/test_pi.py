"""The Pi camera's adapter against a stack that fails as the real one does."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from sonora_vision.camera import CameraBusyError, CameraError, CameraLostError, NoCameraError
from sonora_vision.camera.pi import PiCamera, PiLimits
from sonora_vision.camera.pi_preset import PiPreset
from tests.camera.pi_stack import HQ_CONTROLS, USB_CONTROLS, PiStack

PRESET = PiPreset(
    title="a test",
    sensor="imx708",
    still_px=(320, 180),
    watch_px=(64, 36),
    rate_hz=10.0,
    buffers=3,
    flicker_hz=50,
    field_deg=(66.0, 41.0),
    nearest_mm=100.0,
)
LIMITS = PiLimits(open_s=0.5, configure_s=0.3, capture_s=0.2, settle_s=1.0, focus_s=0.2)


def open_camera(stack: PiStack, **more: Any) -> PiCamera:
    return PiCamera(PRESET, limits=LIMITS, find_picamera2=lambda: stack.picamera2, **more)


def test_stills_are_bgr_at_the_size_that_the_preset_asks_for() -> None:
    camera = open_camera(PiStack())
    still = camera.still()
    assert still.pixels_bgr.shape == (180, 320, 3)
    assert still.pixels_bgr[0, 0].tolist() == [200, 0, 0]


def test_padded_rows_of_the_small_stream_are_cut_off() -> None:
    stack = PiStack()
    stack.row_padding = 32
    frame = next(open_camera(stack).frames())
    assert frame.pixels_bgr.shape == (36, 64, 3)
    assert np.ptp(frame.pixels_bgr) == 0


def test_frames_are_numbered_and_timed_by_the_sensor() -> None:
    frames = list(itertools.islice(open_camera(PiStack()).frames(), 3))
    assert [frame.number for frame in frames] == [0, 1, 2]
    steps = np.diff([frame.at_s for frame in frames])
    assert np.allclose(0.1, steps)


def test_exposure_gain_white_balance_and_focus_are_locked_where_they_settled() -> None:
    stack = PiStack()
    open_camera(stack).still()
    held = stack.in_force
    assert (
        held["ExposureTime"],
        held["AnalogueGain"],
        held["ColourGains"],
        held["LensPosition"],
    ) == (20_000, 2.0, (1.9, 1.6), 2.25)
    assert (held["AeEnable"], held["AwbEnable"], held["AfMode"]) == (False, False, 0)


def test_the_flicker_period_is_half_the_mains_period() -> None:
    stack = PiStack()
    open_camera(stack)
    assert (stack.in_force["AeFlickerMode"], stack.in_force["AeFlickerPeriod"]) == (1, 10_000)


def test_a_module_with_fixed_focus_is_asked_nothing_about_focus() -> None:
    stack = PiStack(HQ_CONTROLS)
    open_camera(stack).still()
    assert "AfMode" not in stack.in_force


def test_stills_are_newer_than_the_request_only_where_the_sensor_can_tell() -> None:
    with_sensor, without = PiStack(), PiStack(USB_CONTROLS)
    open_camera(with_sensor).still()
    open_camera(without).still()
    assert with_sensor.flushes[-1] is True
    assert without.flushes[-1] is None


def test_a_job_that_raises_keeps_its_request_and_restarting_gets_it_back() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    for _ in range(10):  # far more often than there are buffers
        stack.failing_jobs = 1
        assert camera.still().pixels_bgr.size
    assert stack.kept_requests == 0


def test_a_bad_buffer_is_tried_again() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    stack.failing_arrays = 1
    assert camera.still().pixels_bgr.size
    assert any("restarted" in note for note in camera.notes)


def test_a_restart_keeps_the_locks() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    stack.in_force = {}
    stack.failing_jobs = 1
    camera.still()
    assert stack.in_force["ExposureTime"] == 20_000
    assert stack.in_force["AeEnable"] is False


def test_a_camera_that_stops_is_reported_within_the_limits() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    stack.unplugged = True
    with pytest.raises(CameraLostError, match="stopped giving pictures"):
        camera.still()


def test_a_dead_event_loop_does_not_hang_the_program() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    stack.loop_dead = True
    with pytest.raises(CameraLostError, match="no answer within"):
        next(camera.frames())
    camera.close()  # comes back too


def test_a_busy_camera_says_so_and_what_to_do() -> None:
    stack = PiStack()
    stack.busy = True
    with pytest.raises(CameraBusyError, match=r"busy.*close the other"):
        open_camera(stack)


def test_no_camera_at_all() -> None:
    stack = PiStack()
    stack.cameras = []
    with pytest.raises(NoCameraError, match="found none; check the cable"):
        open_camera(stack)


def test_the_camera_is_chosen_by_model_not_by_position() -> None:
    stack = PiStack()
    stack.cameras = [{"Model": "imx477", "Id": "/base/b/imx477@1a", "Num": 1}, *stack.cameras]
    open_camera(stack)
    assert stack.picamera2.call_args.kwargs["camera_num"] == 1


def test_the_camera_can_be_chosen_by_its_id() -> None:
    stack = PiStack()
    stack.cameras = [*stack.cameras, {"Model": "imx708", "Id": "/base/second", "Num": 1}]
    open_camera(stack, camera_id="second")
    assert stack.picamera2.call_args.kwargs["camera_num"] == 1


def test_another_module_than_the_presets_is_named() -> None:
    stack = PiStack()
    stack.cameras[0]["Model"] = "imx219"
    with pytest.raises(NoCameraError, match=r"'imx708'; found imx219"):
        open_camera(stack)


def test_a_size_that_was_adjusted_silently_is_noted_and_used() -> None:
    stack = PiStack()
    stack.main_given = (160, 90)
    camera = open_camera(stack)
    assert camera.still().pixels_bgr.shape == (90, 160, 3)
    assert any("asked for main of (320, 180), got (160, 90)" in note for note in camera.notes)


def test_a_format_that_is_not_known_is_an_error_not_a_wrong_picture() -> None:
    stack = PiStack()
    stack.format_given = "SRGGB10"
    with pytest.raises(CameraError, match="'SRGGB10' pictures; expected one of"):
        open_camera(stack).still()


def test_focus_that_is_not_found_is_noted() -> None:
    stack = PiStack()
    stack.focus_found = False
    assert any("focus not found" in note for note in open_camera(stack).notes)


def test_closing_twice_is_harmless_and_ends_the_frames() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    frames = camera.frames()
    next(frames)
    camera.close()
    camera.close()
    assert stack.closed
    assert list(frames) == []


def test_every_capture_has_a_time_limit() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    camera.still()
    next(camera.frames())
    assert all(0 < wait <= 10 for wait in stack.waits)


def test_without_picamera2_the_error_says_how_to_get_it() -> None:
    with pytest.raises(NoCameraError, match="apt install python3-picamera2"):
        PiCamera(PRESET)


def test_a_shorter_exposure_is_set_followed_and_taken_back() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    assert camera.expose(0.25)
    assert stack.in_force["ExposureTime"] == 5_000
    assert camera.expose(1.0)
    assert stack.in_force["ExposureTime"] == 20_000


def test_a_camera_that_does_not_follow_an_exposure_says_so() -> None:
    stack = PiStack()
    camera = open_camera(stack)
    stack.ranges["ExposureTime"] = (15_000, 220_000_000, 20_000)
    camera.expose(1.0)
    stack._take_over = lambda: None  # type: ignore[method-assign]  # controls are lost on their way
    assert not camera.expose(4.0)
    assert any("does not follow" in note for note in camera.notes)


def test_without_an_exposure_there_is_none_to_change() -> None:
    assert not open_camera(PiStack(USB_CONTROLS)).expose(0.5)
