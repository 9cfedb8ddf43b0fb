"""Where the labels of an annotated picture go: beside their discs, covering nothing that counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Box = tuple[float, float, float, float]
FloatArray = NDArray[np.float64]

_ANGLES = 32
_REACHES = (0.25, 0.5, 1.0, 1.7, 2.6)
"""Distances between a disc and its label that are tried, in radii of a disc."""
_ROUNDS = 3
_OUTSIDE, _LABEL, _DISC, _CIRCLE = 40.0, 6.0, 5.0, 1.5
"""What a pixel of a label costs outside the picture, on a label, on a disc, on a multiplier."""
_LEADER = 0.25
"""What a pixel of a line between disc and label costs, in parts of the label's width."""


@dataclass(frozen=True, kw_only=True)
class Anchor:
    """A disc that wants a label, in px."""

    center_px: Point
    radius_px: float
    size_px: tuple[float, float]


def place_labels(
    anchors: Sequence[Anchor], circles: Sequence[tuple[Point, float]], picture_px: tuple[int, int]
) -> list[Box]:
    """Choose a place for each label.

    Parameters
    ----------
    anchors : sequence of Anchor
        The discs and the sizes of their labels.
    circles : sequence of (center, radius)
        What labels should rather not cover, in px.
    picture_px : tuple of int
        Width and height of the picture.

    Returns
    -------
    list of tuple
        Left, top, right, bottom of each label, in px, in the order of ``anchors``.
    """
    candidates = [_candidates(anchor) for anchor in anchors]
    fixed = [
        _standing_cost(anchor, boxes, anchors, circles, picture_px)
        for anchor, boxes in zip(anchors, candidates, strict=True)
    ]
    chosen: list[int | None] = [None] * len(anchors)
    crowded = sorted(range(len(anchors)), key=lambda i: -float(fixed[i].min()))
    for _ in range(_ROUNDS):
        for i in crowded:
            cost = fixed[i].copy()
            for j, at in enumerate(chosen):
                if j != i and at is not None:
                    cost += _LABEL * _overlap_px2(candidates[i], _padded(candidates[j][at]))
            chosen[i] = int(cost.argmin())
    return [
        (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
        for box in (candidates[i][at or 0] for i, at in enumerate(chosen))
    ]


def _candidates(anchor: Anchor) -> FloatArray:
    """Return boxes around a disc, shape (angles * reaches, 4)."""
    angle = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    reach = np.array(_REACHES) * anchor.radius_px + anchor.radius_px
    ux, uy = np.cos(angle)[:, None], np.sin(angle)[:, None]
    width, height = anchor.size_px
    # The box slides outward along the ray until its nearest side or corner is at the reach.
    with np.errstate(divide="ignore"):
        slide = np.minimum(width / 2 / np.abs(ux), height / 2 / np.abs(uy))
    x = anchor.center_px[0] + ux * (reach + slide)
    y = anchor.center_px[1] + uy * (reach + slide)
    boxes = np.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], axis=-1)
    return boxes.reshape(-1, 4)


def _standing_cost(
    anchor: Anchor,
    boxes: FloatArray,
    anchors: Sequence[Anchor],
    circles: Sequence[tuple[Point, float]],
    picture_px: tuple[int, int],
) -> FloatArray:
    """Return what each candidate costs whatever the other labels do."""
    area = anchor.size_px[0] * anchor.size_px[1]
    inside = _overlap_px2(boxes, (0.0, 0.0, float(picture_px[0]), float(picture_px[1])))
    cost = _OUTSIDE * (area - inside)
    for other in anchors:
        cost = cost + _DISC * _overlap_px2(boxes, _around(other.center_px, other.radius_px))
    for center, radius in circles:
        cost = cost + _CIRCLE * _overlap_px2(boxes, _around(center, radius))
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    far = np.hypot(*(middle - np.array(anchor.center_px)).T)
    return np.asarray(cost + _LEADER * anchor.size_px[0] * far)


def _around(center: Point, radius: float) -> Box:
    return center[0] - radius, center[1] - radius, center[0] + radius, center[1] + radius


def _padded(box: FloatArray) -> Box:
    return float(box[0]) - 6, float(box[1]) - 6, float(box[2]) + 6, float(box[3]) + 6


def _overlap_px2(boxes: FloatArray, other: Box) -> FloatArray:
    width = np.minimum(boxes[:, 2], other[2]) - np.maximum(boxes[:, 0], other[0])
    height = np.minimum(boxes[:, 3], other[3]) - np.maximum(boxes[:, 1], other[1])
    return np.asarray(np.clip(width, 0, None) * np.clip(height, 0, None))
