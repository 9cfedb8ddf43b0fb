"""From the renderer's values to the program's: true lens, pose, taught board and scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from sonora_vision.calibrate.answers import DiscAnswer
from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json
from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.profile import Profile
from sonora_vision.calibrate.taught import TaughtBoard, teach_board
from sonora_vision.detect.scene import Scene, set_scene
from sonora_vision.detect.teach_discs import teach_discs
from tests.drawing import (
    Camera,
    Light,
    PlacedDisc,
    Rig,
    random_light,
    random_rig,
    set_stage,
    taught_rows,
)
from tests.drawing.truth import Record, size_mm

SIZE_PX = (820, 616)
"""A picture that is quick to draw: a quarter of a two-megapixel one."""


def true_lens(camera: Camera) -> Lens:
    """The lens that a picture is drawn with."""
    return Lens(
        matrix=camera.lens.matrix,
        distortion=np.array(camera.lens.distortion),
        size_px=camera.lens.size_px,
        rms_px=0.1,
        focal_sigma_px=1.0,
        center_sigma_px=1.0,
    )


def true_pose(camera: Camera) -> BoardPose:
    """Where the board lies in a picture that is drawn by a camera."""
    return BoardPose(
        lens=true_lens(camera),
        rotation=cv2.Rodrigues(camera.rotation)[0].ravel(),
        translation=np.asarray(camera.translation_mm, float),
    )


def spec(rig: Rig) -> BoardSpec:
    """The rig's board, as the program reads it."""
    return board_from_json(rig.board, "drawn")


def small_rig(seed: int, *, style: str = "easy", **changes: Any) -> Rig:
    """The rig of a seed with a small camera; ``changes`` are to the camera's lens."""
    rig = random_rig(seed, style=style, size_px=SIZE_PX)
    camera = replace(rig.camera, lens=replace(rig.camera.lens, **changes))
    return replace(rig, camera=camera)


def even_light(rig: Rig, seed: int = 0) -> Light:
    """Light from all sides."""
    return random_light(np.random.default_rng(seed), rig.board, rig.camera, "diffuse")


def drawn(
    rig: Rig, discs: list[PlacedDisc], *, camera: Camera | None = None, light: Light | None = None
) -> tuple[Pixels, Record]:
    """A picture of a rig's board with these discs, and its truth."""
    light = light or even_light(rig)
    stage = set_stage(rig.board, rig.look, camera or rig.camera, light)
    return stage.draw(discs, np.random.default_rng(0))


@lru_cache(maxsize=4)
def taught(rig: Rig) -> TaughtBoard:
    """The empty board, taught with its true pose."""
    return teach_board(drawn(rig, [])[0], true_pose(rig.camera), spec(rig))


def scene(rig: Rig, pixels_bgr: Pixels, camera: Camera | None = None) -> Scene:
    """The scene of a picture, with its true pose."""
    pose = true_pose(camera or rig.camera)
    return set_scene(pixels_bgr, pose, taught(rig), spec(rig).discs.height_mm)


def middle_mm(rig: Rig) -> tuple[float, float]:
    """The middle of a rig's board."""
    width, height = size_mm(rig.board)
    return width / 2, height / 2


def taught_profile(rig: Rig, spoil: Callable[[Pixels], Pixels] | None = None) -> Profile:
    """The profile of a rig: its lens and the teaching pictures' poses are true.

    ``spoil`` is done to both teaching pictures.
    """
    board, empty = spec(rig), taught(rig)
    rows = taught_rows(rig.board, np.random.default_rng(0))
    pixels, truth = drawn(rig, rows)
    if spoil is not None:
        pixels = spoil(pixels)
        empty = teach_board(spoil(drawn(rig, [])[0]), true_pose(rig.camera), board)
    answers = [
        DiscAnswer(color=d["color"], number=d["number"], px=(d["top_px"][0], d["top_px"][1]))
        for d in truth["discs"]
    ]
    pose = true_pose(rig.camera)
    discs = teach_discs(set_scene(pixels, pose, empty, board.discs.height_mm), answers)
    return Profile(
        board=board,
        lens=pose.lens,
        taught=empty,
        pose=pose,
        discs=discs,
        anchor_mm=0.05,
        report={"board": board.name},
    )
