"""Which suggested places are worth a close look: where something has changed, or is painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import to_coarse
from sonora_vision.detect.circles import Paints
from sonora_vision.detect.scene import COARSE_DISC_PX, Mask, Scene, disc_pixels, disc_reach

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class WorthParams:
    """What is worth a close look; shares are of what is visible."""

    least_foreign: float = 0.22
    """Places with less change than this, and no paint, are not looked at closely,"""
    least_edged: float = 0.03
    """or with less than this, where edges are all around,"""
    least_jump: float = 0.05
    """unless the change jumps there by so much, log units: most printed circles stay below."""
    least_paint: float = 0.3
    most_beside: int = 40
    """Of these, places beside the board, where papers and grain are."""
    most_places: int = 500
    """Places that are tried, strongest first: a bound on the time that a hand or paper costs."""
    near: float = 1.4
    """Discs that show in part have what hides them this near to their middle, in radii."""


def worth_a_look(
    scene: Scene,
    paints: Paints,
    places: FloatArray,
    params: WorthParams,
    hidden: Mask | None = None,
    edged: Mask | None = None,
) -> FloatArray:
    """Choose the places that are worth a close look.

    Parameters
    ----------
    places
        Suggested centers, strongest first, shape (n, 2), pixels of the scene's view.
    hidden
        Coarse mask of what is explained already; discs under it are judged by the rest.
    edged
        Which of them have edges all around, shape (n,).

    Returns
    -------
    ndarray of float64, shape (m, 2)
        In the same order.
    """
    if hidden is not None:
        # What was wholly in view was looked at before.
        places = places[_near(hidden, places, params.near)]
    beside = ~_at(scene.on_board, places)
    pixels, faces = disc_pixels(scene, places, 0.9)
    # An edge all around is worth a look in whatever light, where no papers and grain are; but for
    # a circle that is printed, where nothing at all has changed.
    sure = np.zeros(len(places), np.bool_) if edged is None else edged & ~beside
    if hidden is not None:
        faces &= ~hidden.ravel()[pixels]
    size = faces.sum(axis=1)
    share = (faces / np.maximum(size, 1)[:, None]).astype(np.float32)
    foreign = (paints.foreign.ravel()[pixels] * share).sum(axis=1)
    paint = np.max([(each.ravel()[pixels] * share).sum(axis=1) for each in paints.likely], axis=0)
    changed = (foreign > params.least_edged) | (_at(scene.glare, places) > DAZZLING)
    quiet = np.flatnonzero(sure & ~changed)
    if quiet.size:  # OpenCV samples nothing at no place
        changed[quiet] = _jump(scene, places[quiet]) > params.least_jump
    sure &= changed
    kept = (size >= 9) & (sure | (foreign > params.least_foreign) | (paint > params.least_paint))
    places, beside, sure = places[kept], beside[kept], sure[kept]
    few = ~beside | (np.cumsum(beside) <= params.most_beside)
    # Busy print and noise may suggest hundreds: what has edges all around is tried before them.
    first = np.argsort(~sure[few], kind="stable")[: params.most_places]
    return np.asarray(places[few][np.sort(first)], np.float64)


DAZZLING = 0.3
"""Shine in which nothing may seem to have changed."""


def _jump(scene: Scene, places: FloatArray) -> FloatArray:
    """How much the change differs within and without a disc's rim, the median around it."""
    turn = np.arange(RAYS) * (2 * np.pi / RAYS)
    rays = np.stack([np.cos(turn), np.sin(turn)], axis=1) * COARSE_DISC_PX
    middle = to_coarse(places)[:, None]
    within, without = (
        cv2.remap(scene.change, (middle + part * rays).astype(np.float32), None, cv2.INTER_LINEAR)  # type: ignore[call-overload]  # OpenCV's stubs know no None here
        for part in WITHIN_AND_WITHOUT
    )
    return np.asarray(np.median(np.abs((without - within).mean(axis=2)), axis=1), np.float64)


RAYS = 32
WITHIN_AND_WITHOUT = (0.75, 1.3)
"""Parts of a disc's radius, clear of the blur of its rim."""


def _near(mask: Mask, places: FloatArray, radii: float) -> Mask:
    """Say about which places a mask reaches into a square of so many discs' radii."""
    side = 2 * disc_reach(radii) + 1
    return _at(cv2.dilate(mask.view(np.uint8), np.ones((side, side), np.uint8)), places) > 0


def _at(picture: cv2.typing.MatLike | Mask, places: FloatArray) -> NDArray[Any]:
    """Values of a coarse picture at places, pixels of the scene's view."""
    column, row = np.round(to_coarse(places).T).astype(int)
    rows, columns = picture.shape[:2]
    return np.asarray(picture[row.clip(0, rows - 1), column.clip(0, columns - 1)])
