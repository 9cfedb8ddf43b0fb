"""Whether a disc lies on the board or on another disc that can hardly be seen.

A disc on another one is a thickness nearer to the camera, so that its footprint is not where it
would be for a lying one, by up to three millimetres at a board's edge. Where the lower disc was not
found itself, a crescent of paint beside the upper one gives it away. (The upper one's side looks
taller too, but so does a side with its shadow.)
"""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import to_coarse
from sonora_vision.detect.circles import Paints
from sonora_vision.detect.scene import Mask, Scene

FloatArray = NDArray[np.float64]
Rests = Literal["on the board", "perhaps on a disc", "on a disc"]

SURE_CRESCENT_PX = 13
"""Area of a crescent, pixels at the coarse scale, that leaves no question: 7% of a disc. Over six
unlike boards half of all stacks show more, and one lying disc in a hundred."""
SLIGHT_CRESCENT_PX = 5
MOST_GLARE = 0.15
MOST_AROUND = 0.5
"""A crescent lies on one side; change all around is shine, haze or a hand."""


def rests_on(
    scene: Scene,
    paints: Paints,
    silhouette: Mask,
    layers: NDArray[np.uint8],
    center_px: FloatArray,
) -> Rests:
    """Say what a disc rests on, whose lower neighbour was not found.

    Parameters
    ----------
    silhouette
        Coarse mask of the disc, top and side.
    layers
        How many discs' silhouettes, this one's too, and covers lie over each coarse pixel.
    center_px
        The disc's centre, shape (2,), pixels of the scene's view.
    """
    column, row = np.round(to_coarse(center_px)).astype(int)
    if scene.glare[row, column] > MOST_GLARE:
        return "on the board"
    crescent = _crescent(scene, paints, silhouette, layers)
    if crescent >= SURE_CRESCENT_PX:
        return "on a disc"
    return "perhaps on a disc" if crescent >= SLIGHT_CRESCENT_PX else "on the board"


def _crescent(scene: Scene, paints: Paints, silhouette: Mask, layers: NDArray[np.uint8]) -> int:
    """Largest painted patch that touches a silhouette and belongs to no other disc."""
    x, y, width, height = cv2.boundingRect(silhouette.view(np.uint8))
    near = (slice(max(y - 6, 0), y + height + 6), slice(max(x - 6, 0), x + width + 6))
    mask = silhouette[near].view(np.uint8)
    filled = (layers[near] > mask) | scene.in_hole[near]
    painted = ~(silhouette[near] | filled | scene.edges[near]) & (paints.solid[near] > 0.6)
    if painted.sum() < SLIGHT_CRESCENT_PX:
        return 0
    painted &= paints.likely[(..., *near)].max(axis=0) > 0.5
    wide, close = (
        cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))) > 0
        for size in (7, 3)
    )
    taken = cv2.dilate(filled.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
    ring = wide & ~close & ~taken & ~scene.edges[near]
    painted &= ring
    if not painted.any() or painted.sum() > MOST_AROUND * ring.sum():
        return 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(painted.astype(np.uint8))
    return int(stats[1:, cv2.CC_STAT_AREA].max())
