"""What the watcher says while things happen on the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from sonora_vision.errors import UnreadableError
from sonora_vision.observation import Reading
from sonora_vision.watch.session import (
    Event,
    Notice,
    ReadingMade,
    Session,
    StateChanged,
)
from sonora_vision.watch.stills import AveragingReader
from tests.watch.table import BOARD_MM, Film, Table, hand_in_and_out, slide

EMPTY = Table()
ONE = Table(discs={("red", 1): (120.0, 130.0)})
TWO = Table(discs={("red", 1): (120.0, 130.0), ("blue", 2): (300.0, 250.0)})


def watch(film: Film) -> list[Event]:
    return list(Session(lambda: film, AveragingReader(film.read)).run())


def states(events: Iterable[Event]) -> list[tuple[str, str]]:
    return [(e.status.state, e.status.reason) for e in events if isinstance(e, StateChanged)]


def readings(events: Iterable[Event]) -> list[ReadingMade]:
    return [e for e in events if isinstance(e, ReadingMade) and not e.confirms]


def test_an_empty_board_is_read_once_and_called_empty() -> None:
    events = watch(Film([(EMPTY, 5.0)]))
    assert states(events) == [("empty", "")]
    assert len(readings(events)) == 1


def test_a_board_with_discs_is_still_and_its_reading_confirmed_once() -> None:
    film = Film([(TWO, 6.0)])
    events = watch(film)
    assert states(events) == [("still", "")]
    assert [e.confirms for e in events if isinstance(e, ReadingMade)] == [False, True]


def test_a_flick_is_seen_and_reported_once() -> None:
    film = Film(
        [
            (ONE, 2.0),
            *hand_in_and_out(ONE, (300.0, 380.0)),
            *slide(ONE, ("blue", 2), (300.0, 380.0), (300.0, 250.0)),
            (TWO, 3.0),
        ]
    )
    events = watch(film)
    said = states(events)
    assert ("hand", "hand") in said
    assert ("flicking", "motion") in said
    assert said[-1] == ("still", "")
    flicked = [h for e in events if isinstance(e, ReadingMade) for h in e.report.flicked]
    assert [(h.color, h.number) for h in flicked] == [("blue", 2)]


def test_no_reading_while_a_hand_is_over_the_board() -> None:
    resting = replace(ONE, hand_mm=(200.0, 260.0))
    film = Film([(ONE, 2.0), *hand_in_and_out(ONE, (200.0, 260.0)), (resting, 8.0), (ONE, 2.0)])
    watch(film)
    tips_mm = [table.hand_mm for table in film.read_tables if table.hand_mm is not None]
    assert all(y > BOARD_MM for _, y in tips_mm), "read while a hand was over the board"


def test_a_hand_that_rests_very_long_is_never_taken_for_the_board() -> None:
    """The program may look, but it uses nothing that it saw under the hand."""
    resting = replace(ONE, hand_mm=(200.0, 260.0))
    film = Film([(ONE, 2.0), (resting, 40.0), (TWO, 3.0)])
    events = watch(film)
    made = [e for e in events if isinstance(e, ReadingMade)]
    assert not [e for e in made if 2.1 < e.at_s < 42.0]
    assert made[-1].at_s > 42.0


def test_a_hand_in_the_first_picture_is_not_read() -> None:
    resting = replace(ONE, hand_mm=(200.0, 260.0))
    events = watch(Film([(resting, 6.0), (ONE, 4.0)]))
    assert ("unreadable", "hand") in states(events)
    assert all(e.at_s > 6.0 for e in events if isinstance(e, ReadingMade))


def test_a_hand_beside_the_board_does_not_matter() -> None:
    beside = replace(ONE, hand_mm=(480.0, 300.0))
    film = Film([(ONE, 2.0), *[(beside, 0.1), (ONE, 0.1)] * 5, (ONE, 2.0)])
    assert states(watch(film)) == [("still", "")]


@pytest.mark.parametrize("change", [{"light": 1.3}, {"light": 0.7}, {"lamp": 0.5}])
def test_a_lamp_is_named_and_invents_nothing(change: dict[str, float]) -> None:
    events = watch(Film([(TWO, 3.0), (replace(TWO, **change), 4.0)]))
    assert ("moving", "light changed") in states(events)
    assert states(events)[-1] == ("still", "")
    assert not [h for e in events if isinstance(e, ReadingMade) for h in e.report.happenings]


def test_daylight_that_drifts_changes_nothing() -> None:
    scenes = [(replace(TWO, light=v), 0.2) for v in np.linspace(1.0, 0.8, 50)]
    events = watch(Film([(TWO, 2.0), *scenes]))
    assert states(events) == [("still", "")]


@pytest.mark.parametrize("noise", [6.0, 14.0])
def test_a_dim_room_makes_noise_and_no_flicks(noise: float) -> None:
    moved = replace(TWO, discs={**TWO.discs, ("blue", 2): (250.0, 250.0)})
    events = watch(Film([(TWO, 3.0), (moved, 3.0)], noise=noise))
    assert [h.kind for e in readings(events) for h in e.report.happenings] == ["moved"]
    assert states(events)[-1] == ("still", "")


def test_a_board_that_is_pushed_moves_no_disc() -> None:
    steps = [replace(TWO, board_px=(320.0 + v, 240.0)) for v in (4.0, 12.0, 20.0, 25.0)]
    events = watch(Film([(TWO, 2.0), *[(s, 0.1) for s in steps], (steps[-1], 3.0)]))
    made = readings(events)
    assert len(made) == 2
    assert made[-1].report.happenings == ()
    assert "board pushed" in made[-1].report.board


def test_a_board_that_is_turned_is_named() -> None:
    turned = [replace(TWO, board_deg=v) for v in (20.0, 50.0, 80.0, 90.0)]
    events = watch(Film([(TWO, 2.0), *[(t, 0.1) for t in turned], (turned[-1], 4.0)]))
    assert ("moving", "board moved") in states(events)
    assert readings(events)[-1].report.board == "board turned by 90 degrees clockwise"


def test_a_camera_that_is_knocked_is_named_and_recovered_from() -> None:
    moved = replace(TWO, camera_shift_px=(25.0, 12.0))
    events = watch(Film([(TWO, 3.0), (moved, 20.0)]))
    assert ("moving", "camera moved") in states(events)
    assert states(events)[-1] == ("still", "")
    assert not [h for e in events if isinstance(e, ReadingMade) for h in e.report.happenings]


def test_a_picture_out_of_focus_is_not_read_until_it_is_sharp() -> None:
    blurred = replace(TWO, blur_px=8.0)
    film = Film([(ONE, 2.0), *[(replace(ONE, light=1.1), 0.1)], (blurred, 5.0), (TWO, 3.0)])
    events = watch(film)
    assert ("unreadable", "blur") in states(events)
    assert states(events)[-1] == ("still", "")


def test_too_much_light_is_named() -> None:
    events = watch(Film([(TWO, 2.0), (replace(TWO, light=3.0), 5.0), (TWO, 3.0)]))
    assert ("unreadable", "clipping") in states(events)
    assert states(events)[-1] == ("still", "")


def test_what_cannot_be_read_says_why_and_is_tried_again() -> None:
    film = Film([(TWO, 8.0)])
    refusals = iter([UnreadableError("photo: the board was not found")])

    def read(pixels: object, name: str) -> Reading:
        for error in refusals:
            raise error
        return film.read(pixels, name)  # type: ignore[arg-type]

    events = list(Session(lambda: film, AveragingReader(read)).run())
    assert states(events) == [("unreadable", "not read"), ("still", "")]
    assert readings(events)[0].at_s > 3.0, "the second try comes after a while"


def test_a_thing_laid_at_the_boards_side_is_not_a_hand_for_ever() -> None:
    """A sheet of paper reaches in from the edge and over the margin, but covers no outline."""

    class Paper(Table):
        def draw(self, rng: np.random.Generator | None = None) -> np.ndarray:
            picture = super().draw(rng)
            picture[100:400, 524:] = 240
            return picture

    paper = Paper(discs=TWO.discs)
    events = watch(Film([(TWO, 2.0), (paper, 30.0)]))
    assert states(events)[-1] == ("still", "")


def test_a_changed_light_under_a_stuck_hand_recovers_and_says_so() -> None:
    """Half the picture changes for good, from the edge in: looked into, and used."""

    class Strip(Table):
        def draw(self, rng: np.random.Generator | None = None) -> np.ndarray:
            picture = super().draw(rng).astype(np.float32)
            picture[200:300, :260] *= 1.35
            return np.clip(picture, 0, 255).astype(np.uint8)

    strip = Strip(discs=TWO.discs)
    events = watch(Film([(TWO, 2.0), (strip, 20.0)]))
    assert ("hand", "hand") in states(events)
    assert any(isinstance(e, Notice) and "read anew" in e.text for e in events)
    assert states(events)[-1] == ("still", "")


def test_reading_on_demand_reads_an_unchanged_board() -> None:
    film = Film([(TWO, 6.0)])
    session = Session(lambda: film, AveragingReader(film.read))
    made = []
    for event in session.run():
        if isinstance(event, ReadingMade):
            made.append(event)
            if event.confirms:
                session.read_now()
    assert len(made) >= 3


def test_a_reading_that_changes_on_an_untouched_board_is_a_doubt() -> None:
    film = Film([(TWO, 6.0)])
    count = iter(range(10))

    def flickering(pixels: object, name: str) -> Reading:
        reading = film.read(pixels, name)  # type: ignore[arg-type]
        if next(count) == 0:
            return reading
        first, second = reading.discs
        return replace(reading, discs=(first, replace(second, number=3)))

    events = list(Session(lambda: film, AveragingReader(flickering)).run())
    last = [e for e in events if isinstance(e, ReadingMade)][-1]
    assert [d.doubts for d in last.reading.discs] == [(), ("number",)]
    assert last.report.flicked == ()
