"""Whether what was clicked are discs, each once, of the size that the board's description says.

Else a picture is taught that shows something else, and readings find nothing, or promise wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonora_vision.calibrate.answers import DiscAnswer
from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.disc_radius import measure_radius
from sonora_vision.detect.rays import RimParams
from sonora_vision.detect.rim import FloatArray, Rim
from sonora_vision.detect.scene import Scene, disc_mask
from sonora_vision.detect.teach_discs import clicked_rims, is_off
from sonora_vision.errors import CalibrationError

LEAST_SUPPORT = 0.8
"""Of a disc's rim: 0.93 or more on thirty boards, between discs 0.6 and hardly ever 0.9."""
LEAST_CHANGE = 0.15
"""What the board must have changed by on a quarter of a face, as a log ratio: 0.33 or more on these
boards, 0.1 where nothing lies."""
RADIUS_OFF, RADIUS_OFF_ONE = 0.04, 0.06
"""How far a radius may be off, and how much farther for one disc alone, less with the root of more:
of twenty it was measured within 0.015, of two within 0.06."""


def check_answers(scene: Scene, answers: Sequence[DiscAnswer]) -> None:
    """Check the clicks on a picture of all discs against what it shows.

    Parameters
    ----------
    scene
        The picture, found and rectified.
    answers
        Clicks in the picture's pixels.

    Raises
    ------
    CalibrationError
        Where a click is beside the picture or on another's disc, where no disc of this size is
        seen at it, or where the discs measure otherwise than was said.
    """
    _check_clicks(scene, answers)
    centers = []
    for answer, click_px, rim in clicked_rims(scene, answers, RimParams()):
        if is_off(click_px, rim) or not _is_disc(scene, rim):
            raise CalibrationError(
                f"no disc of this size is to be seen where {_named(answer)} was clicked; click the "
                "middle of its top face, and check the discs' radius and height"
            )
        centers.append(rim.center_px)
    _check_radius(scene, np.array(centers))


def _check_clicks(scene: Scene, answers: Sequence[DiscAnswer]) -> None:
    """Refuse clicks beside the picture, and two on one disc."""
    size = np.array([scene.pixels_bgr.shape[1], scene.pixels_bgr.shape[0]])
    at_px = np.array([answer.px for answer in answers])
    for answer, place in zip(answers, at_px, strict=True):
        if (place < 0).any() or (place >= size).any():
            raise CalibrationError(
                f"{_named(answer)} was clicked beside the picture, which is {size[0]} x {size[1]}"
            )
    at_mm = scene.pose.to_board(at_px, scene.height_mm)
    apart_mm = np.linalg.norm(at_mm[:, None] - at_mm, axis=2) + np.diag([np.inf] * len(answers))
    one, other = divmod(int(apart_mm.argmin()), len(answers))
    if apart_mm[one, other] < DISC_PX / scene.view.px_per_mm:
        raise CalibrationError(
            f"{_named(answers[one])} and {_named(answers[other])} were clicked nearer to each "
            "other than a disc's radius; click each disc once, and check the radius"
        )


def _is_disc(scene: Scene, rim: Rim) -> bool:
    """Whether a rim was found all round, and the board does not show within."""
    rows, columns, face = disc_mask(scene, rim.center_px, 0.9)
    if not face.any():
        return False
    change = np.linalg.norm(scene.change[rows, columns][face], axis=1)
    return rim.support > LEAST_SUPPORT and float(np.quantile(change, 0.75)) > LEAST_CHANGE


def _check_radius(scene: Scene, centers: FloatArray) -> None:
    """Refuse discs that are larger or smaller than the board's description says."""
    said_mm = DISC_PX / scene.view.px_per_mm
    seen_mm = measure_radius(scene, centers, said_mm)
    if abs(seen_mm / said_mm - 1.0) > RADIUS_OFF + RADIUS_OFF_ONE / np.sqrt(len(centers)):
        raise CalibrationError(
            f"the discs measure {seen_mm:.1f} mm in radius; the board's description says "
            f"{said_mm:.1f}: measure one across, and halve it"
        )


def _named(answer: DiscAnswer) -> str:
    name = answer.color if answer.number is None else f"{answer.color} {answer.number}"
    return f"{name} (pixel {answer.px[0]:.0f}, {answer.px[1]:.0f})"
