"""Discs that nobody has described yet: found, measured, grouped by color, their numbers read.

For the calibration by hand: one picture of all discs on the known empty board, from which their
diameter, their colors and their numbers are proposed to the owner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.optimize import linear_sum_assignment

from sonora_vision.calibrate.propose.circles import (
    CircleParams,
    FoundCircle,
    arc_radius,
    fit_circles,
)
from sonora_vision.detect.annotate.palette import disc_color
from sonora_vision.detect.circles import SHADOW_DEPTH, SHADOW_HUE
from sonora_vision.detect.faces import FaceCrop, cut_face
from sonora_vision.detect.general_digits import NumberReader
from sonora_vision.detect.scene import Mask, Scene

FloatArray = NDArray[np.float64]

PAINT_NAMES = (
    "black", "blue", "brown", "gray", "green", "natural", "orange", "pink", "purple", "red", "teal",
    "white", "yellow",
)  # fmt: skip
"""Names that are suggested for colors; what they look like is in the pictures' palette."""


@dataclass(frozen=True, kw_only=True)
class ProposedDisc:
    """A disc that was found."""

    px: tuple[float, float]
    """Middle of the top face, pixels of the photograph."""
    color: str
    number: int | None
    p_number: float
    """Probability of the number, 0 where there is none."""


@dataclass(frozen=True, kw_only=True)
class ProposedDiscs:
    """What a picture of all discs offers."""

    discs: tuple[ProposedDisc, ...]
    radius_mm: float


def propose_discs(
    scene: Scene, numbers: Sequence[int], reader: NumberReader
) -> ProposedDiscs | None:
    """Propose all discs of a picture.

    Parameters
    ----------
    scene
        The picture with its pose, rectified at the height of the top faces.
    numbers
        The numbers that each color has; empty for plain discs.
    reader
        Reads numbers that nobody has taught.

    Returns
    -------
    ProposedDiscs or None
        None where no disc was found.
    """
    found = _discs(scene)
    if not found:
        return None
    radius_px = _radius_px(scene, found)
    centers = np.array([f.center_px for f in found])
    logs = np.array([_face_color(scene, center, radius_px) for center in centers])
    groups = _groups(logs, len(numbers))
    names = _names(np.array([np.median(logs[groups == g], axis=0) for g in np.unique(groups)]))
    chances = _chances(scene, centers, radius_px, numbers, reader)
    told = _numbers(chances, groups, numbers)
    at_mm = scene.view.to_mm(centers)
    at_px = scene.pose.project(at_mm, scene.height_mm)
    return ProposedDiscs(
        discs=tuple(
            ProposedDisc(
                px=(float(px[0]), float(px[1])), color=names[group], number=number, p_number=p
            )
            for px, group, (number, p) in zip(at_px, groups, told, strict=True)
        ),
        radius_mm=radius_px / scene.view.px_per_mm,
    )


def _discs(scene: Scene) -> list[FoundCircle]:
    """Circles of one size that are not the empty board."""
    side = max(scene.top_bgr.shape[:2])
    params = CircleParams(smallest=12 / side, largest=44 / side, complete=0.55)
    solid, changed = _solid(scene), scene.foreign > 6.0
    circles = fit_circles(scene.top_bgr, params)
    shares = np.array([(_share(solid, c, 0.9), _share(changed, c, 0.9)) for c in circles])
    strengths = np.array([c.strength for c in circles])
    sure = shares.reshape(-1, 2)[:, 0] > 0.6
    if not sure.any():
        return []
    radii = np.array([c.radius_px for c in circles])
    same = np.abs(radii[None] / radii[:, None] - 1.0) < 0.06
    size = radii[sure][int((same[sure][:, sure] * strengths[sure]).sum(axis=1).argmax())]
    # Dark paint could be shadow; a shadow that is a disc of this very size could not.
    disc = (np.abs(radii / size - 1.0) < 0.14) & (sure | (shares.reshape(-1, 2)[:, 1] > 0.75))
    order = np.argsort(-strengths * shares.reshape(-1, 2)[:, 1])
    chosen: list[FoundCircle] = []
    for circle in (circles[i] for i in order if disc[i]):
        if all(np.hypot(*(circle.center_px - c.center_px)) > 1.5 * size for c in chosen):
            chosen.append(circle)
    return chosen


def _radius_px(scene: Scene, found: Sequence[FoundCircle]) -> float:
    """Radius of the top faces: from their far rims, where the camera does not see the side."""
    radii = [
        radius
        for each in found
        if (radius := arc_radius(scene.top_bgr, each, each.center_px - scene.nadir_px)) is not None
    ]
    return float(np.median(radii or [f.radius_px for f in found]))


def _solid(scene: Scene) -> Mask:
    """Mark what is neither the board nor its shadow, half scale."""
    level = scene.change.mean(axis=2)
    hue = np.abs(scene.change - level[..., None]).max(axis=2)
    shadow = (level < 0) & (level > -SHADOW_DEPTH) & (hue < SHADOW_HUE - 0.1 * level)
    return np.asarray((scene.foreign > 6.0) & ~shadow & scene.in_photo, np.bool_)


def _share(mask: Mask, circle: FoundCircle, part: float) -> float:
    disc = np.zeros(mask.shape, np.uint8)
    x, y = (circle.center_px - 0.5) / 2
    cv2.circle(disc, (round(float(x)), round(float(y))), round(circle.radius_px * part / 2), 1, -1)
    inside = disc > 0
    return float(mask[inside].mean()) if inside.any() else 0.0


def _face_color(scene: Scene, center: FloatArray, radius_px: float) -> FloatArray:
    """Log color of the bare face: what most of its pixels agree on."""
    disc = np.zeros(scene.in_photo.shape, np.uint8)
    x, y = (center - 0.5) / 2
    cv2.circle(disc, (round(float(x)), round(float(y))), round(radius_px * 0.75 / 2), 1, -1)
    pixels = scene.color[disc > 0].astype(np.float64)
    middle = np.median(pixels, axis=0)
    bare = pixels[np.abs(pixels - middle).max(axis=1) < 0.4]
    return np.median(bare if len(bare) else pixels, axis=0)


def _groups(logs: FloatArray, each: int) -> NDArray[np.int_]:
    """Group discs by color, from 0; colors of ``each`` discs are preferred."""
    count = len(logs)
    if count == 1:
        return np.zeros(1, int)
    # Brightness strays with the lamp, hue does not.
    level = logs.mean(axis=1, keepdims=True)
    features = np.hstack([0.5 * level, logs - level])
    tree = linkage(features, "average")
    best, best_rating = np.zeros(count, int), -np.inf
    for k in range(1, min(9, count) + 1):
        labels = fcluster(tree, k, "maxclust") - 1
        if labels.max() + 1 != k:
            continue
        below = tree[count - k - 1, 2] if k < count else 0.0
        above = tree[count - k, 2] if k > 1 else tree[-1, 2]
        sizes = np.bincount(labels)
        even = bool(each) and bool((sizes == each).all())
        rating = float(np.log((above + 0.02) / (below + 0.02))) + 4.0 * even
        if rating > best_rating:
            best, best_rating = labels, rating
    return np.asarray(best, int)


def _names(logs: FloatArray) -> list[str]:
    """Suggest a name of its own for every color."""
    seen = np.exp(logs)
    # The brightest disc is taken for paint of full brightness: what the lamp is like is unknown.
    seen = seen / max(float(seen.max()), 1e-6) * 240.0
    names = list(PAINT_NAMES)
    rgb = np.array([disc_color(name) for name in names], np.float32)
    known = _lab(rgb[:, ::-1])
    costs = np.linalg.norm(
        (_lab(seen.astype(np.float32))[:, None] - known[None]) * [0.6, 1, 1], axis=2
    )
    rows, columns = linear_sum_assignment(costs)
    chosen = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    return [names[chosen[i]] if i in chosen else f"color {i + 1}" for i in range(len(logs))]


def _lab(bgr: NDArray[np.float32]) -> FloatArray:
    picture = np.clip(bgr, 0, 255).reshape(-1, 1, 3) / np.float32(255)
    return (
        cv2.cvtColor(picture.astype(np.float32), cv2.COLOR_BGR2LAB)
        .reshape(-1, 3)
        .astype(np.float64)
    )


def _chances(
    scene: Scene,
    centers: FloatArray,
    radius_px: float,
    numbers: Sequence[int],
    reader: NumberReader,
) -> FloatArray:
    """Log likelihood of every number for every disc, shape (discs, numbers)."""
    if not numbers:
        return np.zeros((len(centers), 0))
    crops = []
    for center in centers:
        pixels, visible = cut_face(scene.top_bgr, (float(center[0]), float(center[1])), radius_px)
        crops.append(FaceCrop(pixels_bgr=pixels, visible=visible))
    evidence = reader.read(crops, numbers)
    return np.array([[e.log_likelihood["", n] for n in numbers] for e in evidence])


def _numbers(
    chances: FloatArray, groups: NDArray[np.int_], numbers: Sequence[int]
) -> list[tuple[int | None, float]]:
    """Give each color's discs different numbers, the likeliest way."""
    told: list[tuple[int | None, float]] = [(None, 0.0)] * len(chances)
    if not numbers:
        return told
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        rows, columns = linear_sum_assignment(-chances[members])
        for row, column in zip(rows, columns, strict=True):
            logs = chances[members[row]]
            p = float(1.0 / np.exp(logs - logs[column]).sum())
            told[int(members[row])] = (int(numbers[column]), p)
    return told
