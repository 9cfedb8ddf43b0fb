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
from scipy.optimize import linear_sum_assignment

from sonora_vision.calibrate.taught import COARSE, to_coarse
from sonora_vision.detect.annotate.palette import disc_color
from sonora_vision.detect.disc_circles import find_discs_of_one_size, top_radius_px
from sonora_vision.detect.faces import FaceCrop, cut_face
from sonora_vision.detect.general_digits import NumberReader
from sonora_vision.detect.scene import Scene

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
    found = find_discs_of_one_size(scene)
    if not found:
        return None
    radius_px = top_radius_px(scene, found)
    centers = np.array([f.center_px for f in found])
    logs = np.array([_face_color(scene, center, radius_px) for center in centers])
    groups = group_by_color(logs, len(numbers))
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


def _face_color(scene: Scene, center: FloatArray, radius_px: float) -> FloatArray:
    """Log color of the bare face: what most of its pixels agree on."""
    disc = np.zeros(scene.in_photo.shape, np.uint8)
    x, y = to_coarse(center)
    cv2.circle(disc, (round(float(x)), round(float(y))), round(radius_px * 0.75 / COARSE), 1, -1)
    pixels = scene.color[disc > 0].astype(np.float64)
    middle = np.median(pixels, axis=0)
    bare = pixels[np.abs(pixels - middle).max(axis=1) < 0.4]
    return np.median(bare if len(bare) else pixels, axis=0)


def group_by_color(logs: FloatArray, each: int) -> NDArray[np.int_]:
    """Group discs by color.

    Parameters
    ----------
    logs
        Log color of each disc, shape (n, 3).
    each
        The most discs that a color has; 0 where nobody knows.

    Returns
    -------
    ndarray of int, shape (n,)
        The group of each disc, from 0.

    Notes
    -----
    The nearest two groups are joined, by the mean distance of their members, again and again. The
    division that is kept has a wide gap before the next joining, and colors of equally many discs.
    """
    # Brightness strays with the lamp, hue does not.
    level = logs.mean(axis=1, keepdims=True)
    features = np.hstack([0.5 * level, logs - level])
    apart = np.linalg.norm(features[:, None] - features[None], axis=2)
    labels, below = np.arange(len(logs)), 0.0
    best, best_rating = labels, -np.inf
    while True:
        pair, above = _nearest(apart, labels, each or len(logs))
        sizes = np.unique(labels, return_counts=True)[1]
        rating = float(np.log((above + 0.02) / (below + 0.02))) if len(sizes) > 1 else 0.0
        # What was not found, or found wrongly, is a disc or two; plain colors are often as many.
        usual = each or float(np.median(sizes))
        rating -= (1.0 if each else 0.4) * float(np.abs(sizes - usual).sum()) / usual
        if rating > best_rating and len(sizes) <= _MOST_COLORS:
            best, best_rating = labels, rating
        if pair is None:
            return np.asarray(np.unique(best, return_inverse=True)[1], int)
        labels, below = np.where(labels == pair[1], pair[0], labels), max(above, below)


_MOST_COLORS = 9


def _nearest(
    apart: FloatArray, labels: NDArray[np.int_], most: int
) -> tuple[tuple[int, int] | None, float]:
    """Return the two nearest groups that together have at most ``most`` members, how far apart."""
    names = np.unique(labels)
    members = (labels == names[:, None]).astype(np.float64)
    sizes = members.sum(axis=1)
    mean = members @ apart @ members.T / np.outer(sizes, sizes)
    mean[(sizes[:, None] + sizes[None] > most) | np.eye(len(names), dtype=bool)] = np.inf
    first, second = np.unravel_index(int(mean.argmin()), mean.shape)
    if not np.isfinite(mean[first, second]):
        return None, _NO_MORE
    return (int(names[first]), int(names[second])), float(mean[first, second])


_NO_MORE = 1.0
"""How far apart groups count that must not be joined: as black and white."""


def _names(logs: FloatArray) -> list[str]:
    """Suggest a name of its own for every color."""
    seen = np.exp(logs)
    brightest = seen[int(seen.sum(axis=1).argmax())]
    # The brightest disc is paint of full brightness, and white if nearly so: the lamp is unknown.
    white = brightest if brightest.max() < _NEARLY_WHITE * brightest.min() else seen.max()
    seen = seen / np.maximum(white, 1e-6) * 240.0
    names = list(PAINT_NAMES)
    rgb = np.array([disc_color(name) for name in names], np.float32)
    known = _lab(rgb[:, ::-1])
    shown = _lab(seen.astype(np.float32)) * [1.0, _FADED, _FADED]
    costs = np.linalg.norm((shown[:, None] - known[None]) * [0.6, 1, 1], axis=2)
    rows, columns = linear_sum_assignment(costs)
    chosen = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    return [names[chosen[i]] if i in chosen else f"color {i + 1}" for i in range(len(logs))]


_NEARLY_WHITE = 1.3
"""Channels of a white disc differ by no more, as a factor, in the light of a room."""
_FADED = 1.5
"""How much purer paint is than a picture shows it, under the shine of a lacquered face."""


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
