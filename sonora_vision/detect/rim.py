"""Where exactly a disc lies: its silhouette fitted to a fraction of a pixel.

In the plane of the top faces the rim is a circle of known radius. The camera also sees the side,
on the flank towards the point under it, as a band of the disc's own paint; its foot is the same
circle on the board, so that the whole silhouette is known once the centre is. Rays from a rough
centre tell for every radius how well the paint ends there (hue against the board, in light or
shadow) and how sharp an edge lies there; the centre is where the silhouette collects most of both.
Paint tells roughly and from afar; in the end edges decide, since a rim that is turned round, and
a side in its own shadow, look as if the paint had ended before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import DISC_PX, to_coarse
from sonora_vision.detect.rays import (
    DIRECTIONS,
    RayEvidence,
    RimParams,
    look_up,
    ray_evidence,
)
from sonora_vision.detect.scene import Floats, Mask, Scene

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Rim:
    """A fitted rim."""

    center_px: FloatArray
    """Shape (2,), pixels of the scene's view, plane of the top faces."""
    support: float
    """Share of the visible rays whose edge lies on the silhouette, 0 to 1."""
    paint: float
    """Mean agreement of the paint's end with the silhouette over visible rays, 0 (best) down."""
    score: float
    """What the fit maximised; comparable between radii at one place."""
    sigma_px: float
    """One-sigma uncertainty of the centre along its worst direction."""
    visible: Mask
    """Rays on which the rim is not hidden by something else, shape (rays,)."""

    @property
    def quality(self) -> float:
        """Score per visible ray, less where few are: a short arc fits many circles."""
        return self.score / (float(self.visible.mean()) + 0.125)


KEPT_RAYS_PX = 2.0
"""Rays from a better middle tell more, but not where the first one was as near as this."""
START_SAY = 0.15
"""What one sigma from a rough centre costs, against a rim's whole score of about 5."""


def circle_on_rays(offsets: FloatArray, radius: float, every: int = 1) -> Floats:
    """Radius along every ray at which circles about shifted centres are met.

    Parameters
    ----------
    offsets
        Shifts of the centre, shape (..., 2), each shorter than the radius.
    radius
        Of the circles.
    every
        Only every so many rays are looked at.

    Returns
    -------
    ndarray of float32, shape (..., rays)
    """
    shifts = offsets.astype(np.float32).reshape(-1, 2)
    x, y = toward = DIRECTIONS[::every].T.astype(np.float32)
    met = shifts @ np.stack([y, -x])  # how far beside the ray the center is
    np.square(met, out=met)
    np.subtract(np.float32(radius**2), met, out=met)
    np.sqrt(np.maximum(met, np.float32(1.0), out=met), out=met)
    met += shifts @ toward
    return np.asarray(met.reshape(*offsets.shape[:-1], -1), np.float32)


FAR_FOOT_PX = 6.0
"""Circles that lie less apart leave a fifth of a pixel of the silhouette out."""


def outlines(
    scene: Scene, centers: FloatArray, offsets: FloatArray, params: RimParams, every: int = 1
) -> tuple[Floats, Floats]:
    """Silhouettes on the rays: how far they reach, and where the top's rim is.

    Parameters
    ----------
    centers
        Shape (n, 2): what the rays run from.
    offsets
        Shape (n, k, 2), or (1, k, 2) for the same everywhere: shifts of the disc from there.

    Returns
    -------
    outline : ndarray, shape (n, k, rays)
        Farthest of the top's rim, the foot's, and where these lie far apart some between them.
    top : ndarray, shape (n or 1, k, rays)
    """
    drop = scene.height_mm / scene.camera_height_mm
    foot_shift = (scene.nadir_px - centers)[:, None] * drop
    top = circle_on_rays(offsets, params.rim_px, every)
    outline = top
    # Between the top's rim and the foot's, which lie so near that both are nearly all of it.
    between = int(np.abs(foot_shift).max(initial=0.0) / FAR_FOOT_PX)
    for part in np.linspace(1.0, 0.0, 1 + between, endpoint=False):
        radius = (params.rim_px + params.foot_px) * (1.0 - part * drop)
        outline = np.maximum(outline, circle_on_rays(offsets + part * foot_shift, radius, every))
    return outline, top


def fit_rims(
    scene: Scene,
    centers_px: FloatArray,
    params: RimParams,
    *,
    hidden: Mask | None = None,
    spans: tuple[tuple[float, float], ...] = ((1.5, 0.5), (0.5, 0.25)),
    start_sigma_px: float = 1e3,
    every: int = 1,
) -> list[Rim]:
    """Fit the centres of discs, all at once.

    Parameters
    ----------
    centers_px
        Rough centres, shape (n, 2), pixels of the scene's view.
    hidden
        Mask over the coarse picture of what lies above the discs; rays whose rim is in it
        have no say.
    spans
        For each pass, how far around the centres is searched and in what steps.
    start_sigma_px
        How well the rough centres are known: where the rim is faint they have a say.
    every
        Only every so many rays are looked at.
    """
    start = np.asarray(centers_px, np.float64).reshape(-1, 2)
    if not len(start):
        return []
    centers, reach = start, np.inf
    for number, (span, step) in enumerate(spans, start=1):
        if reach > KEPT_RAYS_PX:
            middles = centers
            rays = ray_evidence(scene, middles, params, every)
            visible = _rays_in_view(scene, middles, hidden, every)
        grid = _grid(span, step)
        tried = grid.reshape(1, -1, 2)  # the same for all, where the rays run from the centers
        if centers is not middles:
            tried = tried + (centers - middles)[:, None]
        # Every second ray tells where about it is, if there are many.
        thin = 2 if number < len(spans) and every == 1 else 1
        silhouettes = outlines(scene, middles, tried, params, every * thin)
        scores = _scores(rays.thinned(thin), *silhouettes, params, visible[:, ::thin])
        strayed = (middles - start)[:, None] + tried
        scores -= START_SAY / start_sigma_px**2 * (strayed**2).sum(axis=2)
        maps = scores.reshape(-1, *grid.shape[:2])
        centers, reach = centers + _peaks(maps, span, step), span
    visible = _rays_in_view(scene, centers, hidden, every)
    outline, top = outlines(scene, middles, (centers - middles)[:, None], params, every)
    support = _share(_support(rays.edge, outline, top), visible, 0.0)
    ends = _paint_ending_at(rays, outline, top, params)[:, 0]
    paint = _share(ends, visible[:, :: visible.shape[1] // ends.shape[1]], -params.area_cap)
    sigma, score = _sigma(maps, step), scores.max(axis=1)
    return [
        Rim(
            center_px=centers[i],
            support=float(support[i]),
            paint=float(paint[i]),
            score=float(score[i]),
            sigma_px=float(sigma[i]),
            visible=visible[i],
        )
        for i in range(len(centers))
    ]


def _share(values: FloatArray | Floats, visible: Mask, none: float) -> FloatArray:
    """Mean over the visible rays, shape (n,); ``none`` where there are none."""
    count = visible.sum(axis=1)
    return np.where(count > 0, (values * visible).sum(axis=1) / np.maximum(count, 1), none)


def find_rims(
    scene: Scene,
    params: RimParams,
    places: FloatArray,
    least_support: float,
    hidden: Mask | None = None,
) -> list[Rim]:
    """Fit a rim at every place; what is no circle, or the same circle again, is dropped early.

    Parameters
    ----------
    scene, params
        The scene, and how rims are judged in it.
    places
        Suggested centers, shape (n, 2), pixels of the scene's view.
    least_support
        Rims of less support are dropped.
    hidden
        Coarse mask of what lies above.

    Returns
    -------
    list of Rim
        Best first.
    """
    rough = fit_rims(
        scene,
        places,
        params,
        hidden=hidden,
        spans=((6.0, 1.5),),
        start_sigma_px=PLACE_SIGMA_PX if hidden is None else PART_SIGMA_PX,
        every=ROUGH_RAYS,
    )
    kept = _distinct([rim for rim in rough if rim.support > ROUGH_SUPPORT], DISC_PX / 4)[:MOST_RIMS]
    centers = np.array([rim.center_px for rim in kept]).reshape(-1, 2)
    fine = fit_rims(scene, centers, params, hidden=hidden)
    return _distinct([rim for rim in fine if rim.support > least_support], DISC_PX / 6)


PLACE_SIGMA_PX = 3.0
"""How well a suggested place is known,"""
PART_SIGMA_PX = 4.0
"""and that of a disc of which only a part shows."""
MOST_RIMS = 64
"""Rims that are fitted finely and looked at, best first: three times a full inventory."""
ROUGH_RAYS = 4
"""Every fourth ray is enough to see whether there is a rim."""
ROUGH_SUPPORT = 0.6
"""Share of the rim at which a rough fit must find edges to be fitted finely."""


def _distinct(rims: Sequence[Rim], distance: float) -> list[Rim]:
    """Of fits that run together keep the best."""
    quality = [rim.quality for rim in rims]
    best = [rims[i] for i in np.argsort(-np.array(quality), kind="stable")]
    centers = np.array([rim.center_px for rim in best]).reshape(-1, 2)
    apart = (np.square(centers[:, None] - centers).sum(axis=2) > distance**2).tolist()
    kept: list[int] = []
    for i in range(len(best)):
        if all(apart[i][other] for other in kept):
            kept.append(i)
    return [best[i] for i in kept]


def _scores(
    rays: RayEvidence, outline: Floats, top: Floats, params: RimParams, visible: Mask
) -> FloatArray:
    on_top, on_outline = look_up(rays.edge, top), look_up(rays.edge, outline)
    # Where the side shows there are two edges, the rim's and the foot's, each half as telling.
    edges = np.where(outline > top + 0.7, 0.5 * (on_top + on_outline), on_top)
    paint = _paint_ending_at(rays, outline, top, params)
    some = visible[:, :: visible.shape[1] // paint.shape[2]]
    return _mean_seen(paint, some) + params.edge_gain * _mean_seen(edges, visible)


def _paint_ending_at(rays: RayEvidence, outline: Floats, top: Floats, params: RimParams) -> Floats:
    """Say how well the paint ends on the silhouette, or as little before it as it may seem to."""
    early = np.float32(params.early_px) + np.float32(params.early_side) * (outline - top)
    found = look_up(rays.paint, outline)
    for share in (0.5, 1.0):
        np.maximum(found, look_up(rays.paint, outline - np.float32(share) * early), out=found)
    return found


def _mean_seen(values: Floats, visible: Mask) -> FloatArray:
    """Mean over all rays of what the visible ones say, (n, k, rays) to (n, k)."""
    seen = visible.astype(np.float32)[:, :, None] / visible.shape[1]
    return np.asarray((values @ seen)[..., 0], np.float64)


def _support(edge: Floats, outline: Floats, top: Floats) -> Floats:
    """Whether an edge lies within a pixel and a half of the silhouette, (n, rays), 0 to 1."""
    shifts = np.array([-1.5, -0.75, 0.0, 0.75, 1.5], np.float32)[None, :, None]
    best = np.maximum(
        look_up(edge, outline + shifts).max(axis=1), look_up(edge, top + shifts).max(axis=1)
    )
    return np.asarray(np.clip(best / 0.15, 0, 1), np.float32)


def _rays_in_view(scene: Scene, centers: FloatArray, hidden: Mask | None, every: int) -> Mask:
    points = to_coarse(centers[:, None] + DISC_PX * DIRECTIONS[::every])
    column, row = np.round(points[..., 0]).astype(int), np.round(points[..., 1]).astype(int)
    height, width = scene.in_photo.shape
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    column, row = column.clip(0, width - 1), row.clip(0, height - 1)
    visible = inside & scene.in_photo[row, column]
    if hidden is not None:
        visible &= ~hidden[row, column]
    return np.asarray(visible, np.bool_)


@lru_cache(maxsize=16)
def _grid(span: float, step: float) -> FloatArray:
    """Shifts in x and y, shape (k, k, 2)."""
    axis = np.arange(-span, span + 1e-6, step)
    return np.stack(np.meshgrid(axis, axis), axis=-1)


def _peaks(scores: FloatArray, span: float, step: float) -> FloatArray:
    """Shifts to the highest of scores (n, k, k), between steps by a parabola each way: (n, 2)."""
    each, last = np.arange(len(scores)), scores.shape[1] - 1
    rows, columns = np.divmod(scores.reshape(len(scores), -1).argmax(axis=1), last + 1)
    shifts = np.column_stack([columns, rows]) * step - span
    inner = (rows > 0) & (rows < last) & (columns > 0) & (columns < last)
    each, rows, columns = each[inner], rows[inner], columns[inner]
    top = scores[each, rows, columns]
    for axis, (down, right) in enumerate(((0, 1), (1, 0))):
        before, after = (scores[each, rows + way * down, columns + way * right] for way in (-1, 1))
        bend = np.minimum(before - 2 * top + after, -1e-9)
        shifts[inner, axis] += step * np.clip(0.5 * (before - after) / bend, -0.5, 0.5)
    return np.asarray(shifts, np.float64)


def _sigma(scores: FloatArray, step: float) -> FloatArray:
    """Uncertainty from how sharply scores (n, k, k) fall off: flat means it could be anywhere."""
    axis = (np.arange(scores.shape[1]) - (scores.shape[1] - 1) / 2) * step
    weight = np.exp((scores - scores.max(axis=(1, 2), keepdims=True)) / 0.02)
    weight /= weight.sum(axis=(1, 2), keepdims=True)
    spreads = [
        along @ axis**2 - (along @ axis) ** 2 for along in (weight.sum(axis=1), weight.sum(axis=2))
    ]
    return np.asarray(np.sqrt(np.maximum(np.maximum(*spreads), 0.0)), np.float64)
