"""How high a disc's face lies, and so where its footprint is and what state it is in.

What a disc rests on moves its footprint: by a thickness' parallax where it lies on another one, by
the hole's depth, by a raised corner's height. Whether it lies on a disc is told by two witnesses
who know nothing of each other: what shows of the lower one beside it, and the size of its face.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.contact import Surroundings, hole_slack_mm, surroundings
from sonora_vision.detect.face_height import Lift
from sonora_vision.detect.find_discs import Sighting
from sonora_vision.detect.scene import Scene
from sonora_vision.observation import DoubtReason, State

FloatArray = NDArray[np.float64]

HOLE_TOLERANCE_MM = 0.5
"""A disc that would fall in if it lay so much nearer to the middle may be in or hang: a doubt."""
ON_A_DISC = {"on the board": 0.015, "perhaps on a disc": 0.35, "on a disc": 0.65}
"""How often a disc lies on another one after what shows beside it; counted on twelve boards."""
ON_A_FOUND_DISC = 0.95
"""The same where the lower disc was found itself."""
PLAIN_VIEW = 0.8
"""Share of a face that must be visible for its size to be taken, if something lies over it."""
TABLE_MM, TABLE_SIGMA_MM = -6.0, 4.0
"""How much higher than the board the table is: boards are a few millimetres thick, or a slab."""
STRAY = 0.02
"""Part of all face sizes that are off by anything: a reflection on the ink, the wrong face."""


@dataclass(frozen=True, kw_only=True)
class Height:
    """State of a disc, and how high it lies."""

    state: State
    lift_mm: float
    """How much higher than a flat disc's its top lies."""
    sigma_mm: float = 0.0
    """Uncertainty of that, besides how well thicknesses are known."""
    p: float = 1.0
    """Probability of the state, where it decides what the disc counts for."""
    doubts: tuple[DoubtReason, ...] = ()


def footprint(scene: Scene, on_top: FloatArray, lift_mm: float) -> FloatArray:
    """Return the footprint of a disc whose top lies ``lift_mm`` above the plane of the top faces.

    Parameters
    ----------
    scene
        The scene.
    on_top
        The disc's center in the plane of the top faces, shape (2,), board frame.
    lift_mm
        Height above that plane.
    """
    camera = scene.pose.camera_mm
    stretch = (camera[2] - scene.height_mm - lift_mm) / (camera[2] - scene.height_mm)
    return np.asarray(camera[:2] + (on_top - camera[:2]) * stretch, np.float64)


def height_of(
    scene: Scene,
    lift: Lift | None,
    sighting: Sighting,
    on_top: FloatArray,
    here: Surroundings,
    board: BoardSpec,
) -> Height:
    """Say in what state a disc is and how high it lies.

    Parameters
    ----------
    scene
        The scene.
    lift
        How high the disc's face looks by its size; None where that cannot be told.
    sighting
        The disc, and what it was seen to rest on.
    on_top
        Its center in the plane of the top faces, shape (2,), board frame.
    here
        Where that lies.
    board
        The board.
    """
    if not here.on_board:
        return _on_table(lift, here.to_edge_mm > 1.0)
    if board.hole is not None:
        sunk = hole_slack_mm(footprint(scene, on_top, -board.hole.depth_mm), board)
        if sunk is not None and sunk > -HOLE_TOLERANCE_MM:
            return _doubtful("in_hole", -board.hole.depth_mm, sunk > 0.0)
    if here.launch_share > 0.5:
        lifted = _on_corner(scene, on_top, here, board)
        if lifted is not None:
            return lifted
    p = _p_on_disc(scene, lift, sighting)
    # The place half-way is told where it is in doubt, and its uncertainty covers both.
    return Height(
        state="stacked" if p > 0.5 else "flat",
        lift_mm=p * scene.height_mm,
        sigma_mm=scene.height_mm * float(np.sqrt(p * (1.0 - p))),
    )


def on_disc_odds(prior: float, lift: Lift | None, thickness_mm: float) -> float:
    """Return the odds that a disc lies on another one.

    Parameters
    ----------
    prior
        Its probability by what shows beside it.
    lift
        How high its face looks by its size; None where that cannot be told.
    thickness_mm
        How much higher it lies if it does.
    """
    odds = prior / (1.0 - prior)
    if lift is None:
        return odds
    return odds * _density(lift, thickness_mm, thickness_mm) / _density(lift, 0.0, thickness_mm)


def _p_on_disc(scene: Scene, lift: Lift | None, sighting: Sighting) -> float:
    """Probability that a disc lies on another one."""
    if sighting.above and sighting.look.visible_share < PLAIN_VIEW:
        return 0.0  # what lies under others is seen too badly to say more
    prior = ON_A_FOUND_DISC if sighting.below else ON_A_DISC[sighting.rests]
    odds = on_disc_odds(prior, lift, scene.height_mm)
    return odds / (1.0 + odds)


def _density(lift: Lift, at_mm: float, thickness_mm: float) -> float:
    """Density of a measured lift where the true one is ``at_mm``, per millimetre."""
    apart = (lift.mm - at_mm) / lift.sigma_mm
    normal = float(np.exp(-0.5 * apart**2)) / (lift.sigma_mm * float(np.sqrt(2 * np.pi)))
    return (1.0 - STRAY) * normal + STRAY / (4.0 * thickness_mm)


def _on_table(lift: Lift | None, sure: bool) -> Height:
    """Say how much lower than the board the table is, by what boards are and by the face's size."""
    mean, precision = TABLE_MM, 1 / TABLE_SIGMA_MM**2
    if lift is not None:
        by_size = 1 / lift.sigma_mm**2
        mean = (mean * precision + lift.mm * by_size) / (precision + by_size)
        precision += by_size
    sigma = 1 / float(np.sqrt(precision))
    return replace(_doubtful("off_board", mean, sure), sigma_mm=sigma)


def _on_corner(
    scene: Scene, on_top: FloatArray, here: Surroundings, board: BoardSpec
) -> Height | None:
    """Judge a disc on a raised corner again at the corner's height."""
    lifted = footprint(scene, on_top, here.corner_height_mm)
    share = surroundings(lifted, board).launch_share
    if share <= 0.5:
        return None
    return _doubtful("launch_corner", here.corner_height_mm, share > 0.55)


def _doubtful(state: State, lift_mm: float, sure: bool) -> Height:
    """Return a state that decides what the disc counts for, sure or not."""
    return Height(
        state=state, lift_mm=lift_mm, p=1.0 if sure else 0.7, doubts=() if sure else ("state",)
    )
