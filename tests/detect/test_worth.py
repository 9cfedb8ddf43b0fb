"""Where something seems to lie is tried; where only print is, nothing is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sonora_vision.calibrate.taught import COARSE
from sonora_vision.detect.circles import Paints
from sonora_vision.detect.scene import COARSE_DISC_PX, Scene
from sonora_vision.detect.worth import WorthParams, worth_a_look
from tests.drawn import drawn, middle_mm, scene, small_rig

RIG = small_rig(21)


def quiet() -> tuple[Scene, Paints, np.ndarray]:
    """An empty board, no paint, and a place near its middle."""
    empty = scene(RIG, drawn(RIG, [])[0])
    shape = empty.in_photo.shape
    nothing = np.zeros(shape, np.float32)
    paints = Paints(foreign=nothing, solid=nothing, likely=np.full((4, *shape), -4, np.float32))
    x, y = middle_mm(RIG)
    place = empty.view.to_px(np.array([[1.4 * x, 1.2 * y]]))
    return replace(empty, change=np.zeros_like(empty.change), glare=nothing), paints, place


@pytest.mark.parametrize("jump", [0.0, 0.02, -0.02])
def test_an_edge_in_which_nothing_changed_is_print(jump: float) -> None:
    board, paints, place = quiet()
    board = replace(board, change=board.change + np.float32(jump))
    assert not len(worth_a_look(board, paints, place, WorthParams(), edged=np.array([True])))


@pytest.mark.parametrize("jump", [0.1, -0.1])
def test_a_disc_as_bright_as_the_board_is_tried_for_the_jump_at_its_rim(jump: float) -> None:
    board, paints, place = quiet()
    rows, columns = np.mgrid[: board.in_photo.shape[0], : board.in_photo.shape[1]]
    column, row = (place[0] + 0.5) / COARSE - 0.5
    face = np.hypot(columns - column, rows - row) < COARSE_DISC_PX
    lifted = replace(board, change=board.change + np.float32(jump) * face[..., None])
    assert len(worth_a_look(lifted, paints, place, WorthParams(), edged=np.array([True]))) == 1
    assert not len(worth_a_look(lifted, paints, place, WorthParams(), edged=np.array([False])))


def test_what_has_edges_all_around_comes_before_what_only_seems_to_change() -> None:
    board, paints, place = quiet()
    changed = replace(paints, foreign=np.ones_like(paints.foreign))
    places = np.concatenate([place + np.array([8.0, 0.0]), place])
    edged = np.array([False, True])
    few = WorthParams(most_places=1)
    assert worth_a_look(board, changed, places, few, edged=edged) == pytest.approx(place)
