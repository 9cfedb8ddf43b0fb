"""The camera in the background: what it keeps, what it says, what it survives."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from sonora_vision.camera.source import CameraLostError
from sonora_vision.observation import Reading
from sonora_vision.watch.states import Status
from sonora_vision.web.live.camera import NotReadError
from sonora_vision.web.live.watched import CameraLive
from tests.web.shown import ONE, PATIENCE_S, TWO, Shown, Watched

HAND = replace(ONE, hand_mm=(200.0, 300.0))


@pytest.fixture
def watched() -> Iterator[Watched]:
    made = Watched(Shown(ONE))
    yield made
    made.live.close()


def eventually(so: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not so():
        assert time.monotonic() < end_s, "never"
        time.sleep(0.005)


def colors(reading: Reading) -> set[str]:
    return {disc.color for disc in reading.discs}


def test_the_newest_reading_comes_with_the_pictures_that_it_was_read_from(
    watched: Watched,
) -> None:
    eventually(lambda: watched.live.latest is not None)
    watched.camera.table = TWO
    eventually(lambda: len(watched.live.latest.reading.discs) == 2)  # type: ignore[union-attr]
    latest = watched.live.latest
    assert latest is not None
    assert latest.version > 1
    assert np.abs(latest.pixels_bgr.astype(int) - TWO.draw()).max() <= 1
    assert (latest.seen.rectified.bgr == latest.pixels_bgr).all()
    watched.until("status", state="still")


def test_only_the_newest_still_is_kept(watched: Watched) -> None:
    eventually(lambda: watched.live.latest is not None)
    first = watched.live.latest
    assert first is not None
    still, rectified = weakref.ref(first.pixels_bgr), weakref.ref(first.seen.rectified.bgr)
    del first
    watched.camera.table = TWO
    eventually(lambda: len(watched.live.latest.reading.discs) == 2)  # type: ignore[union-attr]
    gc.collect()
    assert still() is None
    assert rectified() is None


def test_read_now_reads_a_board_anew_that_has_not_changed(watched: Watched) -> None:
    eventually(lambda: watched.live.latest is not None)
    before = watched.live.latest
    assert before is not None
    read = watched.live.read_now(timeout_s=PATIENCE_S)
    assert read.version > before.version
    assert read.reading.image != before.reading.image


def test_read_now_under_a_hand_says_to_take_it_away(watched: Watched) -> None:
    eventually(lambda: watched.live.latest is not None)
    watched.camera.table = HAND
    watched.until("status", state="hand")
    with pytest.raises(NotReadError, match="take it away") as refused:
        watched.live.read_now(timeout_s=0.02)
    assert refused.value.status.state == "hand"


def test_what_was_asked_for_under_a_hand_is_read_when_it_is_gone(watched: Watched) -> None:
    eventually(lambda: watched.live.latest is not None)
    watched.camera.table = HAND
    watched.until("status", state="hand")
    with pytest.raises(NotReadError):
        watched.live.read_now(timeout_s=0.02)
    watched.camera.table = TWO
    eventually(lambda: len(watched.live.latest.reading.discs) == 2)  # type: ignore[union-attr]


def test_read_now_says_why_the_reader_refused(watched: Watched) -> None:
    eventually(lambda: watched.live.latest is not None)
    watched.camera.refuses = "still: too dark; switch a lamp on"
    with pytest.raises(NotReadError, match="too dark; switch a lamp on") as refused:
        watched.live.read_now(timeout_s=PATIENCE_S)
    assert (refused.value.status.state, refused.value.status.reason) == ("unreadable", "not read")
    assert watched.live.latest is not None, "what was read before is still there"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Status(state="flicking", reason="motion", at_s=0.0), "until it lies still"),
        (Status(state="moving", reason="light changed", at_s=0.0), "light"),
        (Status(state="moving", reason="camera moved", at_s=0.0), "camera"),
        (Status(state="unreadable", reason="blur", at_s=0.0, detail="not sharp"), "not sharp"),
        (Status(state="still", reason="", at_s=0.0), "pictures"),
    ],
)
def test_every_state_has_words_for_why_it_was_not_read(status: Status, words: str) -> None:
    from sonora_vision.watch.words import why_not_read

    assert words in why_not_read(status)


def test_a_camera_that_is_lost_and_comes_back(watched: Watched) -> None:
    eventually(lambda: watched.live.latest is not None)
    watched.camera.plugged_in = False
    eventually(lambda: watched.live.fault is not None)
    assert "check its cable" in str(watched.live.fault)
    assert watched.live.status.reason == "camera stopped"
    with pytest.raises(NotReadError, match="check its cable"):
        watched.live.read_now(timeout_s=PATIENCE_S)
    watched.camera.table = TWO
    watched.camera.plugged_in = True
    eventually(lambda: watched.live.fault is None)
    eventually(lambda: len(watched.live.latest.reading.discs) == 2)  # type: ignore[union-attr]


def test_a_camera_that_is_plugged_in_later_is_found() -> None:
    camera = Shown(ONE)
    camera.plugged_in = False
    watched = Watched(camera)
    eventually(lambda: watched.live.fault is not None)
    assert watched.live.frame_jpeg() is None
    camera.plugged_in = True
    eventually(lambda: watched.live.latest is not None)
    watched.live.close()
    assert camera.closed == 1


def test_a_fault_of_the_program_is_said_and_watching_goes_on(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    eventually(lambda: watched.live.latest is not None)
    read, watched.live._read = watched.live._read, lambda _pixels, _name: 1 // 0  # type: ignore[assignment, return-value]
    with pytest.raises(NotReadError, match="the program failed"):
        watched.live.read_now(timeout_s=PATIENCE_S)
    watched.live._read = read
    watched.camera.table = TWO
    eventually(lambda: len(watched.live.latest.reading.discs) == 2)  # type: ignore[union-attr]
    assert "ZeroDivisionError" in caplog.text


def test_two_readings_of_one_board_that_disagree_put_the_first_in_doubt() -> None:
    camera = Shown(ONE)
    said = iter([ONE, TWO])

    def reading(name: str) -> Reading:
        return replace(next(said, TWO).read(), image=name)

    camera.reading = reading  # type: ignore[method-assign]
    watched = Watched(camera)
    eventually(lambda: watched.live.latest is not None and watched.live.latest.version == 2)
    latest = watched.live.latest
    assert latest is not None
    blue = next(d for d in latest.reading.discs if d.color == "blue")
    assert blue.doubts == ("hidden",)
    assert latest.reading.image == camera.names[0], "its pictures are the first reading's"
    watched.live.close()


def test_a_second_reading_that_agrees_is_no_news(watched: Watched) -> None:
    eventually(lambda: len(watched.camera.names) == 2)
    told = watched.told
    eventually(lambda: watched.live.status.at_s > 5.0)
    assert watched.live.latest is not None
    assert watched.live.latest.version == 1
    assert watched.told <= told + 1


def test_changes_of_state_are_told_a_few_times_a_second_and_the_last_is_not_lost() -> None:
    clock_s = [100.0]
    told: list[str] = []
    camera = Shown(ONE)
    live = CameraLive(
        camera.open,
        camera.read,
        lambda: told.append(live.status.state),
        now=lambda: clock_s[0],
        wait=lambda _s: time.sleep(0.01),
    )
    eventually(lambda: len(camera.names) == 2)
    told.clear()
    camera.table = HAND
    eventually(lambda: live.status.state == "hand")
    at_s = live.status.at_s
    eventually(lambda: live.status.at_s > at_s + 1.0)
    assert told == [], "not a moment has passed since it told of the reading"
    clock_s[0] += 1.0
    eventually(lambda: told == ["hand"])
    live.close()


def test_another_may_look_through_the_camera_while_it_is_watched(watched: Watched) -> None:
    eventually(lambda: watched.live.latest is not None)
    view = watched.live.looking()
    frames = view.frames()
    assert next(frames).number < next(frames).number
    assert view.still().pixels_bgr.shape == (480, 640, 3)
    view.close()
    assert list(frames) == []
    assert watched.camera.closed == 0
    version = watched.live.read_now(timeout_s=PATIENCE_S).version
    assert version > 1


def test_looking_through_a_closed_camera_is_an_error_not_a_wait(watched: Watched) -> None:
    view = watched.live.looking()
    watched.live.close()
    with pytest.raises(CameraLostError):
        list(view.frames())


def test_the_newest_frame_is_a_small_picture(watched: Watched) -> None:
    eventually(lambda: watched.live.frame_jpeg() is not None)
    raw = watched.live.frame_jpeg()
    assert raw is not None
    assert len(raw) < 200_000
    assert cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR).shape == (480, 640, 3)


def test_a_real_camera_has_no_next_photo(watched: Watched) -> None:
    eventually(lambda: watched.live.latest is not None)
    assert not watched.live.can_step
    watched.live.next_photo()
