"""What reaches over the board is noticed whatever its color; light and discs are no such thing."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from sonora_vision.calibrate.profile import Profile
from sonora_vision.detect.find_discs import FindParams, find_discs
from sonora_vision.detect.teach_discs import references_of
from sonora_vision.detect.trust import TrustParams
from tests.drawing import Rig, hand, random_light, random_position, set_stage
from tests.drawing.light import KINDS
from tests.drawing.solids import Solid
from tests.drawn import even_light, middle_mm, scene, small_rig, taught_profile

SEEDS = (3, 6)


@lru_cache(maxsize=len(SEEDS))
def rig_and_profile(seed: int) -> tuple[Rig, Profile]:
    rig = small_rig(seed)
    return rig, taught_profile(rig)


def reaching(seed: int, kind: str | None = None, hands: list[Solid] | None = None) -> float:
    """How much something reaches over a board with discs, in areas of a disc's face."""
    rig, profile = rig_and_profile(seed)
    rng = np.random.default_rng([seed, 5])
    light = random_light(rng, rig.board, rig.camera, kind) if kind else even_light(rig)
    stage = set_stage(rig.board, rig.look, rig.camera, light)
    discs = random_position(rig.board, rng, style="hard")
    pixels, _ = stage.draw(discs, rng, hands=hands or [])
    references = references_of(profile.discs, profile.board.discs.numbers)
    seen = scene(rig, pixels)
    return find_discs(seen, references, profile.board.discs.radius_mm, FindParams()).reaching


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_of_a_discs_paint_is_noticed(seed: int) -> None:
    rig, _ = rig_and_profile(seed)
    x, y = middle_mm(rig)
    over = hand(np.array([1.2 * x, y]), 0.0, np.random.default_rng(1))
    for _, paint in rig.look.colors_bgr[::3]:
        of_paint = [replace(part, side_bgr=paint) for part in over]
        assert reaching(seed, hands=of_paint) > TrustParams().reaching


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_light_and_discs_reach_over_nothing(seed: int, kind: str) -> None:
    assert reaching(seed, kind) < TrustParams().reaching
