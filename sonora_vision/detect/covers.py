"""What lies over the board and is no disc: hands, sleeves, papers, mugs."""

from __future__ import annotations

import cv2
import numpy as np

from sonora_vision.detect.circles import Paints
from sonora_vision.detect.scene import COARSE_DISC_PX, Mask, Scene
from sonora_vision.detect.standing import large_parts
from sonora_vision.detect.still_print import print_shows

FACE_PX = float(np.pi * COARSE_DISC_PX**2)
LEAST_ARM = 4.0
"""Smaller things beside the board, in areas of a disc's face, are discs that touch."""
LEAST_COVER = 1.3
"""Smaller things, in areas of a disc's face, may be a disc that was not found."""
LEAST_FINGER = 0.8
"""The same of what reaches in from the board's edge, where discs are rare."""
PRINT_LOST = 0.4
"""Correlation with the taught board under which no print shows: over 30 boards most hands have 0.3
or less, light that was misjudged has 0.5 or more."""
CLIPPED = 245
"""Grey level over which a lamp's reflection leaves no print, and little of it about."""
_CROSS = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))


def reached(scene: Scene, paints: Paints) -> bool:
    """Whether something large that is no table reaches to the board, be it painted as discs are."""
    beside = (paints.foreign > 0.5) & ~scene.on_board & scene.in_photo
    large = large_parts(beside.view(np.uint8), LEAST_ARM * FACE_PX)
    return bool((large & _grown(scene.on_board, 9)).any())


def covers(scene: Scene, paints: Paints, discs: Mask) -> Mask:
    """Large things that are neither board nor of a disc's paint.

    Parameters
    ----------
    discs
        Coarse mask of the silhouettes of the discs that were found.
    """
    like_disc = paints.likely.max(axis=0) > 1.0
    rest = (paints.solid > 0.5) & ~discs & ~like_disc & (scene.glare < 0.3)
    rest = cv2.morphologyEx(rest.astype(np.uint8), cv2.MORPH_OPEN, _CROSS)
    return large_parts(np.asarray(rest, np.uint8), LEAST_COVER * FACE_PX)


def reaching_over(scene: Scene, paints: Paints, discs: Mask) -> float:
    """Say how much of the board something covers that reaches in from its edge.

    A hand may be of a disc's paint, and the board may be of a hand's: what tells it is that no
    print shows through, and that it comes from beside the board, where no disc hangs together with
    anything. What is raised bears no print and has a light of its own.

    Parameters
    ----------
    discs
        Coarse mask of the silhouettes of the discs that were found.

    Returns
    -------
    float
        In areas of a disc's face.
    """
    border = scene.edges | scene.raised
    blue, green, red = cv2.split(scene.coarse_bgr)
    dazzling = _grown(cv2.max(cv2.max(blue, green), red) > CLIPPED, 9)
    closed = _grown(discs | scene.raised, 3) | border | scene.in_hole | dazzling
    open_ = (paints.solid > 0.5) & scene.on_board & ~closed
    rest = cv2.morphologyEx(open_.view(np.uint8), cv2.MORPH_OPEN, _CROSS)
    _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(
        rest, 8, cv2.CV_32S, cv2.CCL_GRANA
    )
    rim, total = _grown(border, 5), 0
    for label in np.flatnonzero(stats[:, cv2.CC_STAT_AREA] > LEAST_FINGER * FACE_PX):
        left, top, width, height, area = stats[label]
        rows, columns = slice(top, top + height), slice(left, left + width)
        part = labels[rows, columns] == label
        comes_in = label > 0 and bool((rim[rows, columns] & part).any())
        if comes_in and print_shows(scene, rows, columns, part) < PRINT_LOST:
            total += int(area)
    return total / FACE_PX


def _grown(mask: Mask, side_px: int) -> Mask:
    return cv2.dilate(mask.view(np.uint8), np.ones((side_px, side_px), np.uint8)) > 0
