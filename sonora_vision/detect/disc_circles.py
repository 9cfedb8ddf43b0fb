"""Where discs lie that nobody has described yet, and how large they are: circles of one size."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.propose.circles import (
    CircleParams,
    FoundCircle,
    arc_radius,
    fit_circle,
    fit_circles,
)
from sonora_vision.calibrate.taught import COARSE, to_coarse
from sonora_vision.detect.circles import SHADOW_DEPTH, SHADOW_HUE
from sonora_vision.detect.scene import Mask, Scene

FloatArray = NDArray[np.float64]

_ONE_SIZE = 0.06
"""Radii that differ by less, relatively, are one size."""
_WITHIN = 0.14
"""A disc's rim may be seen this far, relatively, from the size of all: its side adds to it."""


def find_discs_of_one_size(scene: Scene) -> list[FoundCircle]:
    """Find circles of one size that are not the empty board.

    Parameters
    ----------
    scene
        The picture, rectified at the height of the top faces.

    Returns
    -------
    list of FoundCircle
        The likeliest first, pixels of the scene's view, none over another.
    """
    side = max(scene.top_bgr.shape[:2])
    params = CircleParams(smallest=12 / side, largest=44 / side, complete=0.55)
    solid, changed = _solid(scene), scene.foreign > 6.0
    circles = fit_circles(scene.top_bgr, params)
    sure = [c for c in circles if _share(solid, c.center_px, 0.9 * c.radius_px) > 0.6]
    if not sure:
        return []
    size = _commonest(sure)
    rim = _rim_size(sure, size, changed)
    if rim > size:
        inner = [c for c in sure if abs(c.radius_px / size - 1.0) < _ONE_SIZE]
        circles += [
            fit_circle(scene.top_bgr, c.center_px, rim, params, reach_px=2.5)
            or FoundCircle(center_px=c.center_px, radius_px=rim, strength=c.strength)
            for c in inner
        ]
        size = rim
    # Dark paint could be shadow; a shadow that is a disc of this very size could not.
    rated = []
    for circle in circles:
        share = _share(changed, circle.center_px, 0.9 * circle.radius_px)
        certain = _share(solid, circle.center_px, 0.9 * circle.radius_px) > 0.6
        if abs(circle.radius_px / size - 1.0) < _WITHIN and (certain or share > 0.75):
            rated.append((-circle.strength * share, circle))
    chosen: list[FoundCircle] = []
    for _, circle in sorted(rated, key=lambda each: each[0]):
        if all(np.hypot(*(circle.center_px - c.center_px)) > 1.5 * size for c in chosen):
            chosen.append(circle)
    return chosen


def _commonest(circles: Sequence[FoundCircle]) -> float:
    """Radius of the size that has the most strength."""
    radii = np.array([c.radius_px for c in circles])
    strengths = np.array([c.strength for c in circles])
    same = np.abs(radii[None] / radii[:, None] - 1.0) < _ONE_SIZE
    return float(radii[int((same * strengths).sum(axis=1).argmax())])


def _rim_size(circles: Sequence[FoundCircle], size: float, changed: Mask) -> float:
    """Radius of the rims, where circles of the commonest size are rings printed within them.

    Other discs, without a ring, are as large as that, and the board is changed about the rings.
    """
    inner = [c for c in circles if abs(c.radius_px / size - 1.0) < _ONE_SIZE]
    others = [
        c
        for c in circles
        if 1.1 < c.radius_px / size < 1.8
        and all(np.hypot(*(c.center_px - i.center_px)) > size for i in inner)
    ]
    around = [
        c
        for c in circles
        if 1.1 < c.radius_px / size < 1.8
        and any(np.hypot(*(c.center_px - i.center_px)) < 0.2 * size for i in inner)
    ]
    if not (others or around):
        return size
    larger = _commonest(others + around)
    filled = [_share(changed, c.center_px, 0.92 * larger) > _FILLED for c in inner]
    fits = sum(abs(c.radius_px / larger - 1.0) < _ONE_SIZE for c in others + around)
    return larger if np.mean(filled) > 0.6 and fits >= max(3, len(inner) / 4) else size


_FILLED = 0.85
"""Share of a disc's area in which the board is changed, where a disc lies."""


def top_radius_px(scene: Scene, found: Sequence[FoundCircle]) -> float:
    """Radius of the top faces: from their far rims, where the camera does not see the side."""
    radii = [
        radius
        for each in found
        if (radius := arc_radius(scene.top_bgr, each, each.center_px - scene.nadir_px)) is not None
    ]
    return float(np.median(radii or [f.radius_px for f in found]))


def _solid(scene: Scene) -> Mask:
    """Mark what is neither the board nor its shadow, coarse scale."""
    level = scene.change.mean(axis=2)
    hue = np.abs(scene.change - level[..., None]).max(axis=2)
    shadow = (level < 0) & (level > -SHADOW_DEPTH) & (hue < SHADOW_HUE - 0.1 * level)
    return np.asarray((scene.foreign > 6.0) & ~shadow & scene.in_photo, np.bool_)


def _share(mask: Mask, center_px: FloatArray, radius_px: float) -> float:
    disc = np.zeros(mask.shape, np.uint8)
    x, y = to_coarse(center_px)
    cv2.circle(disc, (round(float(x)), round(float(y))), round(radius_px / COARSE), 1, -1)
    inside = disc > 0
    return float(mask[inside].mean()) if inside.any() else 0.0
