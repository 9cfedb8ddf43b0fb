"""What the printed details of the board show: how sharp they are, and where something hides them.

Small patches of the taught board are looked up in the picture. Their fine structure against their
coarse one, each compared with the taught picture's, is how sharp it is: light cancels, and noise
has no say. Where neighbouring details do not show at all, something lies over the board, whatever
its color; a shadow or a lamp leaves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.taught import TaughtBoard, to_coarse
from sonora_vision.detect.find_discs import Findings
from sonora_vision.detect.scene import COARSE_DISC_PX, Floats, Scene

FloatArray = NDArray[np.float64]

ALIKE = 0.35
"""Correlation with the taught picture that a detail in view reaches even where it is blurred."""
NEIGHBORS = 6
MOST_SHOWN = 1
"""Of a detail and its five neighbours so many may still show where something lies over them."""
FEW = 12
"""With fewer details in view nothing is said."""
DARK, CLIPPED = 15, 250
"""Grey levels between which the light leaves details to be seen."""
_REACH = np.arange(-6, 7, dtype=np.float32)
_PATCH = np.stack([axis.ravel() for axis in np.meshgrid(_REACH, _REACH)])


@dataclass(frozen=True, kw_only=True)
class Details:
    """What the details of the board show that no disc hides."""

    sharpness: float
    """Fine structure against the teaching's: about 0.7 as sharp, towards 0 blurred."""
    covered: int
    """How many lie under something that is neither board nor disc."""
    taught: int
    """How many there are on the empty board."""


def see_details(scene: Scene, findings: Findings, taught: TaughtBoard) -> Details:
    """Look the board's taught details up in a picture.

    Parameters
    ----------
    scene, findings
        The picture in the board's frame, and what was found in it.
    taught
        The empty board.
    """
    known = _known(taught)
    camera_mm = scene.pose.camera_mm
    shrink = 1.0 - scene.height_mm / float(camera_mm[2])
    places = scene.view.to_px(camera_mm[:2] + (known.places_mm - camera_mm[:2]) * shrink)
    open_ = _in_view(scene, findings, places)
    if open_.sum() < FEW:
        return Details(sharpness=1.0, covered=0, taught=len(open_))
    places = places[open_]
    coarse, fine = _structure(scene.pixels_bgr, scene.near(places, float(_REACH[-1])), shrink)
    known_coarse, known_fine = known.coarse[open_], known.fine[open_]
    both, size = np.vecdot(coarse, known_coarse), np.vecdot(known_coarse, known_coarse)
    alike = both > ALIKE * np.sqrt(np.vecdot(coarse, coarse) * size)
    fine_gain = np.vecdot(fine, known_fine) / (np.vecdot(known_fine, known_fine) + 1.0)
    gain = both / (size + 1.0)
    _, near = cKDTree(places).query(places, k=NEIGHBORS)
    hidden = alike[near].sum(axis=1) <= MOST_SHOWN
    sharpness = np.median(fine_gain[alike] / gain[alike]) if alike.sum() >= FEW else 0.0
    return Details(
        sharpness=float(max(sharpness, 0.0)),
        covered=int((hidden & ~alike).sum()),
        taught=len(open_),
    )


@dataclass(frozen=True, kw_only=True)
class _Known:
    """The details as they were taught."""

    places_mm: FloatArray
    coarse: Floats
    fine: Floats


@lru_cache(maxsize=4)
def _known(taught: TaughtBoard) -> _Known:
    places_mm = taught.features.patches.places_mm
    places = taught.view.to_px(places_mm)
    upright = np.broadcast_to(np.eye(2), (len(places), 2, 2))
    coarse, fine = _structure(taught.bgr, np.concatenate([upright, places[:, :, None]], axis=2), 1)
    return _Known(places_mm=places_mm, coarse=coarse, fine=fine)


def _structure(picture: Pixels, near: Floats | FloatArray, stretch: float) -> tuple[Floats, Floats]:
    """Cut patches out and part them in coarse and fine structure, each of shape (n, pixels).

    ``near`` are affine maps from shifts to the picture's pixels, shape (n, 2, 3).
    """
    x, y = np.moveaxis(near[..., :2] @ (_PATCH * stretch) + near[..., 2:], 1, 0)
    side = len(_REACH)
    patches = cv2.remap(picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    whole = cv2.cvtColor(patches, cv2.COLOR_BGR2GRAY)
    # One below the other; where two meet, at their borders, what is smoothed is cut off.
    smooth = cv2.blur(whole.reshape(-1, side), (3, 3))
    whole, coarse = (
        each.reshape(-1, side, side)[:, 1:-1, 1:-1].reshape(len(near), -1).astype(np.float32)
        for each in (whole, smooth)
    )
    fine = whole - coarse
    return coarse - coarse.mean(axis=1, keepdims=True), fine - fine.mean(axis=1, keepdims=True)


def _in_view(scene: Scene, findings: Findings, places: FloatArray) -> NDArray[np.bool_]:
    """Which places neither a disc nor the light hides."""
    column, row = np.round(to_coarse(places).T).astype(int)
    height, width = scene.in_photo.shape
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    reach = 2 * round(COARSE_DISC_PX / 3) + 1
    discs = cv2.dilate(findings.discs.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
    column, row = column.clip(0, width - 1), row.clip(0, height - 1)
    level = scene.coarse_bgr[row, column].max(axis=1)
    lit = (level > DARK) & (level < CLIPPED)
    return np.asarray(inside & lit & scene.in_photo[row, column] & ~discs[row, column], np.bool_)
