"""The Pi camera's adapter on the real Picamera2, its event loop and its requests.

Run by `make test-camera` in a Debian 13 root; two virtual cameras show one picture each, whose
left half is blue and right half red. Formats are NV12 whatever is asked for, and there is no
exposure or focus to lock: those are tried on a stand-in elsewhere.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from picamera2.request import CompletedRequest

from sonora_vision.camera import CameraBusyError, CameraLostError, NoCameraError
from sonora_vision.camera.bracket import photograph
from sonora_vision.camera.pi import PiCamera, PiLimits
from sonora_vision.camera.pi_preset import PiPreset
from sonora_vision.observation import Pose, Reading
from sonora_vision.watch.session import ReadingMade, Session
from sonora_vision.watch.stills import AveragingReader
from tests.camera.virtual.shims import install

PICAMERA2 = install()
PRESET = PiPreset(
    title="a virtual camera",
    sensor="overhead",
    still_px=(1920, 1080),
    watch_px=(640, 360),
    rate_hz=30.0,
    buffers=3,
    flicker_hz=50,
    field_deg=(66.0, 41.0),
    nearest_mm=100.0,
)
LIMITS = PiLimits(capture_s=2.0, settle_s=1.0)


def open_camera(preset: PiPreset = PRESET, *, camera_id: str | None = None) -> PiCamera:
    return PiCamera(preset, camera_id=camera_id, limits=LIMITS, find_picamera2=lambda: PICAMERA2)


@pytest.fixture
def camera() -> Iterator[PiCamera]:
    opened = open_camera()
    yield opened
    opened.close()


def assert_blue_left_red_right(pixels_bgr: np.ndarray) -> None:
    height, width = pixels_bgr.shape[:2]
    left = pixels_bgr[height // 2, width // 4].astype(int)
    right = pixels_bgr[height // 2, 3 * width // 4].astype(int)
    assert left[0] > left[2] + 100, f"left must be blue, is {left}"
    assert right[2] > right[0] + 100, f"right must be red, is {right}"


def test_stills_have_the_asked_size_and_the_right_colors(camera: PiCamera) -> None:
    still = camera.still()
    assert still.pixels_bgr.shape == (1080, 1920, 3)
    assert_blue_left_red_right(still.pixels_bgr)


def test_small_frames_come_beside_the_stills(camera: PiCamera) -> None:
    for frame in itertools.islice(camera.frames(), 5):
        assert frame.pixels_bgr.shape == (360, 640, 3)
        assert_blue_left_red_right(frame.pixels_bgr)
        assert camera.still().pixels_bgr.shape == (1080, 1920, 3)


def test_a_hundred_frames_in_order(camera: PiCamera) -> None:
    frames = list(itertools.islice(camera.frames(), 100))
    assert [frame.number for frame in frames] == list(range(100))
    assert (np.diff([frame.at_s for frame in frames]) >= 0).all()


def test_captures_that_raise_never_use_up_the_requests(
    camera: PiCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_array = CompletedRequest.make_array
    calls = itertools.count()

    def every_other_one_fails(self: CompletedRequest, name: str) -> np.ndarray:
        if next(calls) % 2 == 0:
            raise ValueError("a bad buffer")
        return make_array(self, name)

    monkeypatch.setattr(CompletedRequest, "make_array", every_other_one_fails)
    for _ in range(8):  # far more often than there are buffers
        assert camera.still().pixels_bgr.size


def test_jobs_that_raise_inside_the_event_loop_are_recovered_from(camera: PiCamera) -> None:
    """As picamera2's own captures do: their requests stay with the failed job."""
    for _ in range(20):
        with pytest.raises((RuntimeError, TimeoutError)) as failure:
            camera._camera.capture_array("no such stream", wait=1.0)
        if failure.type is TimeoutError:
            break
    assert failure.type is TimeoutError, "the requests must have run out for this to be a test"
    assert camera.still().pixels_bgr.size
    assert any("restarted" in note for note in camera.notes)


def test_a_camera_that_stops_is_lost_within_the_limits(
    camera: PiCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera, "_limits", replace(LIMITS, capture_s=0.3))
    monkeypatch.setattr(camera, "_start", lambda: None)  # a camera that does not start again
    camera._camera.stop()
    with pytest.raises(CameraLostError, match="stopped giving pictures"):
        camera.still()


def test_closing_gives_the_camera_back() -> None:
    for _ in range(3):
        camera = open_camera()
        assert camera.still().pixels_bgr.size
        camera.close()


def test_a_camera_that_is_held_is_busy(camera: PiCamera) -> None:
    with pytest.raises(CameraBusyError, match="close the other"):
        open_camera()
    assert camera.still().pixels_bgr.size


def test_two_cameras_at_once_each_chosen_by_its_model(camera: PiCamera) -> None:
    side = open_camera(replace(PRESET, sensor="side", still_px=(800, 600), watch_px=(400, 300)))
    try:
        assert camera.still().pixels_bgr.shape == (1080, 1920, 3)
        assert side.still().pixels_bgr.shape == (600, 800, 3)
    finally:
        side.close()


def test_a_camera_can_be_chosen_by_its_id() -> None:
    camera = open_camera(replace(PRESET, sensor="any"), camera_id="Virtual1")
    assert camera.name == "Pi camera side"
    camera.close()


def test_a_size_that_the_camera_has_not_is_noted_and_the_given_one_used() -> None:
    camera = open_camera(replace(PRESET, still_px=(1000, 700)))
    height, width = camera.still().pixels_bgr.shape[:2]
    assert any(f"({width}, {height})" in note for note in camera.notes)
    camera.close()


def test_a_model_that_is_not_there_is_named_beside_those_that_are() -> None:
    with pytest.raises(NoCameraError, match=r"'imx708'; found .*overhead"):
        open_camera(replace(PRESET, sensor="imx708"))


def test_stills_may_be_asked_for_from_another_thread(camera: PiCamera) -> None:
    sizes: list[tuple[int, ...]] = []
    thread = threading.Thread(target=lambda: sizes.append(camera.still().pixels_bgr.shape))
    frames = camera.frames()
    next(frames)
    thread.start()
    list(itertools.islice(frames, 20))
    thread.join(5)
    assert sizes == [(1080, 1920, 3)]


def test_a_whole_session_from_the_camera_to_a_reading() -> None:
    pose = Pose(
        corners_px=((400.0, 200.0), (1500.0, 200.0), (1500.0, 900.0), (400.0, 900.0)),
        turn_deg=0.0,
        fit_px=0.3,
    )

    def read(pixels_bgr: np.ndarray, name: str) -> Reading:
        assert pixels_bgr.shape == (1080, 1920, 3)
        assert_blue_left_red_right(pixels_bgr)
        return Reading(image=name, board="virtual", pose=pose, discs=())

    session = Session(open_camera, AveragingReader(read))
    events = []
    for event in session.run():
        events.append(event)
        if isinstance(event, ReadingMade) and event.confirms:
            session.stop()
    assert session.latest.status.state == "empty"
    assert [e.confirms for e in events if isinstance(e, ReadingMade)] == [False, True]


def test_a_camera_without_exposure_says_that_it_cannot_bracket(camera: PiCamera) -> None:
    assert camera.expose(0.5) is False
    taken = photograph(camera, stills=2, brackets="always")
    assert "does not expose shorter" in taken.note
    assert taken.pixels_bgr.shape == (1080, 1920, 3)
