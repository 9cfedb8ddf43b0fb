"""Draws photographs of any board and any position, with exact truth: a rig without a camera.

Everything follows from a seed. Discs, launch corners, hole, mugs and hands are solids before a
pinhole camera with lens distortion; shadows are found analytically, so that a photograph of
1640 x 1232 takes about a second. ``python -m tests.drawing OUT --seed 7`` writes a rig folder.

A test that needs one picture::

    rig = random_rig(7, size_px=(820, 616))
    pixels_bgr, truth, _ = rig.photo(0)

or builds its own from :func:`random_board`, :func:`random_look`, :func:`overhead_camera`,
:class:`Light` and a list of :class:`PlacedDisc`, with :func:`draw_board_photo`. A sequence sets
a stage once and draws frames on it::

    stage = set_stage(board, look, camera, light).settled(discs_at_rest)
    for spot in path:
        pixels_bgr, truth = stage.draw([moving_at(spot)], rng, hands=hand(spot, 90, rng))
"""

from __future__ import annotations

from tests.drawing.boards import random_board
from tests.drawing.camera import Camera, Lens, overhead_camera, random_lens
from tests.drawing.light import Light, random_light
from tests.drawing.looks import Look, random_look
from tests.drawing.placement import PlacedDisc, random_position, taught_rows
from tests.drawing.rig import Rig, random_rig, write_rig
from tests.drawing.scene import Stage, draw_board_photo, set_stage
from tests.drawing.things import hand
from tests.drawing.truth import Referee

__all__ = [
    "Camera",
    "Lens",
    "Light",
    "Look",
    "PlacedDisc",
    "Referee",
    "Rig",
    "Stage",
    "draw_board_photo",
    "hand",
    "overhead_camera",
    "random_board",
    "random_lens",
    "random_light",
    "random_look",
    "random_position",
    "random_rig",
    "set_stage",
    "taught_rows",
    "write_rig",
]
