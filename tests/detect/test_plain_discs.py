"""Discs without numbers: no face confirms them, so what is not plainly one is asked about."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sonora_vision.observation import Reading
from sonora_vision.pipeline import read_pixels
from tests.drawing import PlacedDisc, Rig, random_board, random_position, random_rig
from tests.drawn import SIZE_PX, drawn, taught_profile


def plain_rig(seed: int) -> Rig:
    """A small picture of a random board whose discs differ in color alone."""
    board = random_board(np.random.default_rng([seed, 0]), name=f"plain-{seed}")
    colors = board["discs"]["colors"][:2]
    board["discs"].update(numbers=[], each_once=False, colors=colors)
    return random_rig(seed, board=board, size_px=SIZE_PX)


@pytest.fixture(scope="module", params=[52, 54])
def read(request: pytest.FixtureRequest) -> tuple[Rig, Reading, list[dict[str, Any]]]:
    """A position with discs on edge over printed circles, where they look most like lying ones."""
    rig = plain_rig(request.param)
    rng = np.random.default_rng(request.param)
    lying = [d for d in random_position(rig.board, rng, style="easy") if d.state == "flat"]
    radius = rig.board["discs"]["radius"]
    spots = [(float(x), float(y)) for x, y in (m["center"] for m in rig.board["multipliers"])]
    colors = rig.board["discs"]["colors"]
    on_edge = [
        PlacedDisc(color=colors[k % 2], number=None, center_mm=spot, state="standing",
                   facing_deg=float(rng.uniform(0, 360)))
        for k, spot in enumerate(spots)
    ]  # fmt: skip
    clear = [d for d in lying if all(math.dist(d.center_mm, s) > 3 * radius for s in spots)]
    pixels, truth = drawn(rig, [*clear[:8], *on_edge])
    return rig, read_pixels(pixels, taught_profile(rig), "plain").reading, truth["discs"]


def test_every_disc_on_edge_is_asked_about(
    read: tuple[Rig, Reading, list[dict[str, Any]]],
) -> None:
    _, reading, _ = read
    on_edge = [disc for disc in reading.discs if disc.state == "standing"]
    assert all("state" in disc.doubts for disc in on_edge)


def test_what_is_promised_lies_there(read: tuple[Rig, Reading, list[dict[str, Any]]]) -> None:
    rig, reading, truth = read
    radius = rig.board["discs"]["radius"]
    lying = [each["center_mm"] for each in truth if each["state"] == "flat"]
    promised = [disc for disc in reading.discs if not disc.doubts]
    for disc in promised:
        assert min(math.dist(disc.center_mm, at) for at in lying) < 0.3 * radius
    assert len(promised) >= 0.6 * len(lying)
