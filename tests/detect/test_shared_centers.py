"""Faces of one number lie at the same place of their discs, and say where their centers are."""

from __future__ import annotations

import numpy as np

from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.faces import TaughtFace, cut_face, disk
from sonora_vision.detect.scene import Scene
from sonora_vision.detect.shared_centers import shared_corrections
from tests.drawing import Rig, taught_rows
from tests.drawn import drawn, scene, small_rig


def taught_scene(rig: Rig) -> tuple[Scene, np.ndarray, list[tuple[str, int]]]:
    """A teaching picture, its discs' true centers in pixels of the view, and who they are."""
    discs = taught_rows(rig.board, np.random.default_rng(0))
    picture = scene(rig, drawn(rig, discs)[0])
    centers = picture.view.to_px(np.array([disc.center_mm for disc in discs]))
    return picture, centers, [(disc.color, int(disc.number or 0)) for disc in discs]


def cut(picture: Scene, centers: np.ndarray, who: list[tuple[str, int]]) -> list[TaughtFace]:
    return [
        TaughtFace(
            color=color,
            number=number,
            pixels_bgr=cut_face(picture.top_bgr, (float(x), float(y)), DISC_PX)[0],
            visible=disk(1.0),
        )
        for (x, y), (color, number) in zip(centers, who, strict=True)
    ]


def test_rims_that_stray_each_by_itself_and_all_outward_are_put_right() -> None:
    picture, true, who = taught_scene(small_rig(21))
    assert len({color for color, _ in who}) == 4
    rng = np.random.default_rng(3)
    drop = picture.height_mm / picture.camera_height_mm
    outward = 0.3 * (true - picture.nadir_px) * drop
    rough = true + outward + rng.normal(0, 0.4, true.shape)
    before = rough - true
    after = before + shared_corrections(picture, rough, cut(picture, rough, who))
    assert np.sqrt((after**2).mean()) < 0.5 * np.sqrt((before**2).mean())
    assert np.abs(after.mean(axis=0)).max() < 0.2


def test_faces_with_nothing_in_common_stay_where_they_are() -> None:
    picture, true, who = taught_scene(small_rig(21))
    alone = [i for i, (color, _) in enumerate(who) if color == who[0][0]]
    faces = cut(picture, true[alone], [who[i] for i in alone])
    assert shared_corrections(picture, true[alone], faces).tolist() == [[0.0, 0.0]] * len(alone)
