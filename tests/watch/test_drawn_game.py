"""A whole drawn game under the watcher: every flick once, none invented, none under a hand."""

from __future__ import annotations

import pytest

from sonora_vision.watch.session import Event, ReadingMade, Session, StateChanged
from sonora_vision.watch.stills import AveragingReader
from tests.watch.drawn_game import Director, DrawnCamera, write_game


@pytest.fixture(scope="module")
def game() -> tuple[Director, DrawnCamera, list[Event]]:
    director = write_game()
    camera = DrawnCamera(director)
    return director, camera, list(Session(lambda: camera, AveragingReader(camera.read)).run())


Game = tuple[Director, DrawnCamera, list[Event]]


def test_every_flick_is_reported_once_and_none_invented(game: Game) -> None:
    director, _, events = game
    flicked = [h for e in events if isinstance(e, ReadingMade) for h in e.report.flicked]
    assert len(director.script.flicks) >= 40
    assert [(h.color, h.number) for h in flicked] == director.script.flicks


def test_nothing_is_read_while_a_hand_is_in_view(game: Game) -> None:
    _, camera, _ = game
    assert camera.read_under_hands == 0


def test_discs_that_are_knocked_off_are_reported_and_reflicked(game: Game) -> None:
    director, _, events = game
    left = [
        h
        for e in events
        if isinstance(e, ReadingMade)
        for h in e.report.happenings
        if h.kind == "left"
    ]
    assert [(h.color, h.number) for h in left] == director.script.knocked_off


def test_the_end_of_a_round_is_one_event(game: Game) -> None:
    director, _, events = game
    cleared = [e for e in events if isinstance(e, ReadingMade) and e.report.cleared]
    assert len(cleared) == director.script.cleared


def test_every_kind_of_state_was_seen(game: Game) -> None:
    _, _, events = game
    said = {(e.status.state, e.status.reason) for e in events if isinstance(e, StateChanged)}
    assert {"hand", "flicking", "still", "empty", "moving"} <= {state for state, _ in said}
    reasons = {reason for _, reason in said}
    assert "light changed" in reasons
    # the drawn table turns with the board: in the picture that is a camera that moved
    assert "camera moved" in reasons


def test_the_board_that_was_turned_is_reported(game: Game) -> None:
    _, _, events = game
    boards = [e.report.board for e in events if isinstance(e, ReadingMade) and e.report.board]
    assert "board turned by 90 degrees clockwise" in boards
