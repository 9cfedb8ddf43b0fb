"""Where taught faces' centers are: what all discs of a picture say of them together.

Every taught disc was placed by its rim, once, and each rim errs by itself: by its shading, and by
its side, which draws it towards or away from the point under the camera, the more the farther out.
But the same ink lies at the same place of each face of a number, dark on light or light on dark, so
that faces laid on each other say how their centers differ, and how rims err far out against near.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.align_face import FaceMatch, align_face
from sonora_vision.detect.digits import FaceLibrary
from sonora_vision.detect.faces import FACE_RIM_PX, FaceCrop, TaughtFace
from sonora_vision.detect.scene import Scene

FloatArray = NDArray[np.float64]

ALIKE = 0.85
"""Likeness from which two faces of a number are one design."""
RIM_SIGMA_PX = 0.5
"""How far a rim in a teaching picture strays by itself."""
MATCH_SIGMA_PX = 0.1
"""How far two faces laid on each other stray."""
SIDE_SIGMA = 0.2
"""Part of the side's width in the picture by which all rims may be drawn alike."""


@dataclass(frozen=True, kw_only=True)
class _Pair:
    """One face laid on another."""

    model: int
    other: int
    rotation: FloatArray
    """Turns the model's face as the other lies, shape (2, 2)."""
    shift_px: FloatArray
    """From the other's center to where the model's would be, shape (2,)."""


def shared_corrections(
    scene: Scene, centers_px: FloatArray, faces: Sequence[TaughtFace]
) -> FloatArray:
    """Return what to add to the centers of taught faces.

    Parameters
    ----------
    scene
        The teaching picture.
    centers_px
        Centers by their rims, shape (n, 2), pixels of the scene's view.
    faces
        The faces, cut out there.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        0 where no two faces are of one design.
    """
    pairs = _pairs(faces)
    count = len(faces)
    corrections = np.zeros((count, 2))
    if not pairs:
        return corrections
    drop = scene.height_mm / scene.camera_height_mm
    sides = (np.asarray(centers_px) - scene.nadir_px) * drop
    rows = [np.zeros((1, 2 * count + 1))]
    rows[0][0, -1] = 1 / SIDE_SIGMA
    values = [np.zeros(1)]
    for i, side in enumerate(sides):
        row = np.zeros((2, 2 * count + 1))
        row[:, 2 * i : 2 * i + 2] = np.eye(2)
        row[:, -1] = -side
        rows.append(row / RIM_SIGMA_PX)
        values.append(np.zeros(2))
    for pair in pairs:
        row = np.zeros((2, 2 * count + 1))
        row[:, 2 * pair.model : 2 * pair.model + 2] = -pair.rotation
        row[:, 2 * pair.other : 2 * pair.other + 2] = np.eye(2)
        rows.append(row / MATCH_SIGMA_PX)
        values.append(pair.shift_px / MATCH_SIGMA_PX)
    solution = np.linalg.lstsq(np.vstack(rows), np.concatenate(values), rcond=None)[0]
    shared = sorted({i for pair in pairs for i in (pair.model, pair.other)})
    corrections[shared] = solution[:-1].reshape(count, 2)[shared]
    return corrections


def _pairs(faces: Sequence[TaughtFace]) -> list[_Pair]:
    """All pairs of faces that are of one number and design."""
    pairs = []
    for model, other in combinations(range(len(faces)), 2):
        if faces[model].number != faces[other].number:
            continue
        match = _lay(faces[model], faces[other])
        if match is None or match.likeness < ALIKE:
            continue
        turn = np.radians(match.turn_deg)
        cos, sin = np.cos(turn), np.sin(turn)
        pairs.append(
            _Pair(
                model=model,
                other=other,
                rotation=np.array([[cos, -sin], [sin, cos]]),
                shift_px=match.shift_px * (DISC_PX / FACE_RIM_PX),
            )
        )
    return pairs


def _lay(model: TaughtFace, other: TaughtFace) -> FaceMatch | None:
    """Lay one taught face on another, or on its negative: light ink on dark paint."""
    library = FaceLibrary.teach([model])
    found = []
    for pixels in (other.pixels_bgr, np.asarray(255 - other.pixels_bgr, np.uint8)):
        crop = FaceCrop(pixels_bgr=pixels, visible=other.visible)
        turn = library.read([crop])[0].angle_deg[model.color, model.number]
        match = align_face(model.pixels_bgr, pixels, other.visible, turn)
        if match is not None:
            found.append(match)
    return max(found, key=lambda match: match.likeness, default=None)
