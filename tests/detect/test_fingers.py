"""A finger on a disc's edge hides a part of its face, and leaves no doubt about the rest."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.profile import Profile
from sonora_vision.detect.identities import HIDDEN_P, SURE_IN_PART, p_is_disc
from sonora_vision.detect.teach_discs import references_of
from sonora_vision.pipeline import read_pixels
from tests.drawing import random_position
from tests.drawing.truth import Record
from tests.drawn import drawn, small_rig, taught_profile

SKIN_BGR = (70, 98, 150)
RIG = small_rig(2)


@lru_cache(maxsize=1)
def profile() -> Profile:
    return taught_profile(RIG)


def shot() -> tuple[Pixels, Record]:
    discs = random_position(RIG.board, np.random.default_rng(2), style="easy")
    return drawn(RIG, [disc for disc in discs if disc.state == "flat"])


def pointed_at(pixels: Pixels, disc: Record, angle: float) -> Pixels:
    """A picture with a finger that hides a sixth of a disc's face."""
    middle, radius = np.array(disc["top_px"]), disc["radius_px"]
    toward = radius * np.array([math.cos(angle), math.sin(angle)])
    start, end = (tuple(np.round(middle + far * toward).astype(int).tolist()) for far in (0.95, 7))
    pointed = pixels.copy()
    cv2.line(pointed, start, end, SKIN_BGR, round(0.9 * radius), cv2.LINE_AA)
    return pointed


def test_a_disc_that_a_finger_points_at_is_promised() -> None:
    pixels, truth = shot()
    for number, disc in enumerate(truth["discs"]):
        seen = pointed_at(pixels, disc, 2.4 * number)
        reading = read_pixels(seen, profile(), "shot.jpg").reading
        (near,) = [d for d in reading.discs if math.dist(d.top_px, disc["top_px"]) < 4]
        assert (near.color, near.number) == (disc["color"], disc["number"])
        assert {"color", "number", "state", "hidden"}.isdisjoint(near.doubts)


def test_what_is_left_of_a_face_must_be_more_like_it_than_a_whole_one() -> None:
    references = references_of(profile().discs, profile().board.discs.numbers)
    looks = [s.look for s in read_pixels(shot()[0], profile(), "shot.jpg").findings.sightings]
    for look in looks:
        assert look.match is not None
        assert not look.in_part
        almost = replace(look, match=replace(look.match, likeness=SURE_IN_PART - 0.01))
        assert p_is_disc(almost, references) == 1.0
        assert p_is_disc(replace(almost, in_part=True), references) == HIDDEN_P
