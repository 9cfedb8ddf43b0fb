"""How large discs are: where their paint gives way to the board, where no side is seen.

An edge alone does not tell: discs are turned round at the rim, which makes a step of its own
within, and their shadow makes another one without. But the rounding is the disc's paint, lighter
or darker, and the shadow is the board's print, darker; so each ray is taken apart into paint and
print (linear in the picture's values), and what is looked for is where the one gives way to the
other. All discs have one radius, and each a center of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from sonora_vision.calibrate.taught import DISC_PX, to_coarse
from sonora_vision.detect.scene import LOG_FLOOR, Mask, Scene

FloatArray = NDArray[np.float64]

_SECTORS = 48
_RAYS_EACH = 3
"""Neighbouring rays are averaged: print and noise are, too."""
_SAMPLED = np.arange(19.0, 28.01, 0.5) / 24.0
"""Where rays are sampled, in radii."""
_PAINTED = 0.90
"""So far out, in radii, a disc's paint is taken as it is seen, rings that are printed or inlaid
too; what is farther out is painted like its last part."""
_LAST = 0.07
"""How wide that part is, in radii."""
_TRIED = np.arange(0.9, 1.1, 0.00625)
"""Radii that are tried, in the one that was said."""
_MANY_BEYOND = 0.2
"""Share of the rays that would have discs larger than was tried: next time"""
_LARGER = 1.06
"""discs are looked for that are so much larger."""
_PASSES = 3
"""A better radius and better centers put the samples where they belong."""
_BLURS_PX = (0.6, 0.8, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4)
"""How blurred the picture may be, one sigma; the one that explains most is taken."""
_ROUNDED = 0.125
"""How far a rounding reaches in from the rim, and a shadow's darkest part out, in radii."""
_SHADED = 0.01
"""How little is expected of roundings and shadows: the share of its fit that each must be worth."""
_SEEN_FROM = -0.25
"""Cosine between a ray and the way from the camera's foot: nearer to the camera the side shows."""
_UNLIKE = 0.12
"""Sine of the angle between paint and print, as colors, from which they can be told apart."""
_LEAST_UNLIKE = 0.1
"""Share of the rays that must tell them apart; else all are asked where the step is."""
_NOISE = 200.0
"""Squared grey levels on a ray that are nobody's fault."""
_STRAY_PX = 0.4
"""Rays that are off by more meet something else: ink, another disc, a line of the print."""


@dataclass(frozen=True, kw_only=True)
class _Rays:
    """What is seen along n rays."""

    radius_px: float
    """What the discs' radius is about, pixels of the scene's view."""
    of_disc: NDArray[np.intp]
    direction: FloatArray
    """Shape (n, 2)."""
    seen: FloatArray
    """Blue, green, red along each, shape (n, radii, 3)."""
    paint: FloatArray
    """Of the disc, shape (n, radii, 3)."""
    print_: FloatArray
    """What the empty board shows there, shape (n, radii, 3)."""
    unlike: FloatArray
    """Sine of the angle between the two, shape (n,)."""


@dataclass(frozen=True, kw_only=True)
class _Fit:
    """One radius for all discs."""

    radius_px: float
    shifts_px: FloatArray
    """Of the centers, shape (discs, 2)."""
    badness: float
    beyond: float
    """Share of the rays to which the largest radius that was tried is the best."""


def measure_radius(scene: Scene, centers_px: FloatArray, radius_mm: float) -> float:
    """Measure the radius of discs that lie in a scene.

    Parameters
    ----------
    scene
        The picture, rectified for discs of ``radius_mm``.
    centers_px
        Roughly the discs' centers, pixels of the scene's view, shape (n, 2).
    radius_mm
        The radius to a few percent.

    Returns
    -------
    float
        mm; ``radius_mm`` where nothing tells more.
    """
    centers = np.asarray(centers_px, np.float64).reshape(-1, 2)
    radius_px = float(DISC_PX)
    for _ in range(_PASSES):
        rays = _look(scene, centers, radius_px)
        told = rays.unlike > _UNLIKE
        if told.mean() < _LEAST_UNLIKE:
            told[:] = True
        fits = [_common_radius(rays, _misses(rays, blur), told) for blur in _BLURS_PX]
        best = min(fits, key=lambda fit: fit.badness)
        if best.beyond > _MANY_BEYOND:
            radius_px *= _LARGER
        else:
            radius_px, centers = best.radius_px, centers + best.shifts_px
    return radius_mm * radius_px / DISC_PX


def _look(scene: Scene, centers: FloatArray, radius_px: float) -> _Rays:
    """Sample the rays that run away from the camera or across."""
    middle = _directions(_SECTORS, 1)
    away = centers - scene.nadir_px
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    of_disc, sector = np.nonzero(away @ middle.T > _SEEN_FROM)
    bundle = _directions(_SECTORS, _RAYS_EACH)
    seen = _sampled(scene, centers, bundle, _SAMPLED * radius_px)
    paint = _painted(seen)[of_disc]
    seen = seen.reshape(len(centers), _SECTORS, _RAYS_EACH, -1, 3).mean(axis=2)
    print_ = _expected(scene, centers, middle, _SAMPLED * radius_px)[of_disc, sector]
    across = np.linalg.norm(np.cross(paint[:, -1], print_[:, -6]), axis=1)
    lengths = np.linalg.norm(paint[:, -1], axis=1) * np.linalg.norm(print_[:, -6], axis=1)
    return _Rays(
        radius_px=radius_px,
        of_disc=of_disc,
        direction=middle[sector],
        seen=seen[of_disc, sector],
        paint=paint,
        print_=print_,
        unlike=across / np.maximum(lengths, 1e-9),
    )


def _painted(seen: FloatArray) -> FloatArray:
    """Return what discs are painted with from the inside out, shape (discs, radii, 3).

    ``seen`` along all rays is of shape (discs, rays, radii, 3).
    """
    within = _SAMPLED <= _PAINTED
    last = seen[:, :, within & (_SAMPLED > _PAINTED - _LAST)].reshape(len(seen), -1, 3)
    paint = np.repeat(np.median(last, axis=1)[:, None], len(_SAMPLED), axis=1)
    paint[:, within] = np.median(seen[:, :, within], axis=1)
    return paint


def _directions(sectors: int, each: int) -> FloatArray:
    angles = (np.arange(sectors * each) - (each - 1) / 2) * 2 * np.pi / (sectors * each)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _sampled(
    scene: Scene, centers: FloatArray, directions: FloatArray, radii: FloatArray
) -> FloatArray:
    """Pixels of the photograph along rays, shape (n, rays, radii, 3)."""
    shifts = (directions[:, None] * radii[:, None]).reshape(-1, 2)
    near = scene.near(centers).astype(np.float64)
    at = np.einsum("nij,kj->nki", near[:, :, :2], shifts) + near[:, None, :, 2]
    return _remapped(scene.pixels_bgr, at).reshape(len(centers), len(directions), len(radii), 3)


def _expected(
    scene: Scene, centers: FloatArray, directions: FloatArray, radii: FloatArray
) -> FloatArray:
    """Sample what the empty board shows in this light along rays, shape (n, rays, radii, 3)."""
    at = centers[:, None, None] + directions[:, None] * radii[:, None]
    logs = _remapped(scene.expected, to_coarse(at).reshape(len(centers), -1, 2))
    pixels = np.maximum(np.exp(logs) - LOG_FLOOR, 1.0)
    return pixels.reshape(len(centers), len(directions), len(radii), 3)


def _remapped(picture: NDArray[np.uint8] | NDArray[np.float32], at: FloatArray) -> FloatArray:
    x, y = np.moveaxis(at.astype(np.float32), -1, 0)
    samples = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(samples, np.float64)


def _misses(rays: _Rays, blur_px: float) -> FloatArray:
    """Squared grey levels that each tried radius leaves unexplained on each ray."""
    seen = rays.seen.reshape(len(rays.seen), -1)
    missed = []
    for radius_px in _TRIED * rays.radius_px:
        within, rounding, without, shadow = _shapes(rays, radius_px, blur_px)[..., None]
        parts = (
            rays.paint * within, rays.paint * rounding,
            rays.print_ * without, rays.print_ * shadow,
        )  # fmt: skip
        terms = np.stack([part.reshape(len(seen), -1) for part in parts], axis=2)
        normal = terms.transpose(0, 2, 1) @ terms
        size = np.trace(normal, axis1=1, axis2=2)[:, None, None] / 4
        normal += np.diag([1e-9, _SHADED, 1e-9, _SHADED]) * size
        amounts = np.linalg.solve(normal, terms.transpose(0, 2, 1) @ seen[..., None])
        missed.append(np.square(seen - (terms @ amounts)[..., 0]).sum(axis=1))
    return np.column_stack(missed)


def _shapes(rays: _Rays, radius_px: float, blur_px: float) -> FloatArray:
    """Disc, its rounding, board and shadow along a ray, each blurred, shape (4, radii)."""
    at = _SAMPLED * rays.radius_px
    fine = np.arange(at[0] - 12.0, at[-1] + 12.0, 0.05)
    beyond = (fine - radius_px) / (_ROUNDED * rays.radius_px)
    inside = ndtr((radius_px - fine) / 0.02)
    rounding = inside * np.clip(beyond + 1.0, 0.0, 1.0)
    shadow = (1.0 - inside) * np.clip(1.0 - beyond, 0.0, 1.0)
    reach = np.arange(-4 * blur_px, 4 * blur_px + 0.01, 0.05)
    kernel = np.exp(-0.5 * np.square(reach / blur_px))
    kernel /= kernel.sum()
    curves = (inside, rounding, 1.0 - inside, shadow)
    return np.array([np.interp(at, fine, np.convolve(each, kernel, "same")) for each in curves])


def _common_radius(rays: _Rays, missed: FloatArray, told: Mask) -> _Fit:
    """Find the radius that all discs have in common, each about its own center."""
    each, last = np.arange(len(missed)), missed.shape[1] - 1
    lowest = missed.argmin(axis=1)
    inner = lowest.clip(1, last - 1)
    before, least, after = (missed[each, inner + shift] for shift in (-1, 0, 1))
    bend = np.maximum(before - 2 * least + after, 1e-9)
    tried = _TRIED * rays.radius_px
    step = tried[1] - tried[0]
    places = tried[inner] + step * np.clip(0.5 * (before - after) / bend, -1.0, 1.0)
    trusted = told & (lowest > 0) & (lowest < last)
    trust = trusted * np.minimum(bend / (least + _NOISE), 1.0)
    shifts = np.zeros((len(missed), rays.of_disc.max() + 1, 2))
    shifts[each, rays.of_disc] = rays.direction
    terms = np.column_stack([shifts.reshape(len(missed), -1), np.ones(len(missed))])
    # Where rays tell nothing, centers and radius stay what they were said to be.
    tied, start = np.full(terms.shape[1], 0.1), np.zeros(terms.shape[1])
    start[-1] = rays.radius_px
    weight, found = trust, start
    for _ in range(8):
        normal = terms.T @ (terms * weight[:, None]) + np.diag(tied)
        found = np.linalg.solve(normal, terms.T @ (places * weight) + tied * start)
        weight = trust / (1.0 + np.square((places - terms @ found) / _STRAY_PX))
    at = np.round((terms @ found - tried[0]) / step).astype(int).clip(0, last)
    return _Fit(
        radius_px=float(found[-1]),
        shifts_px=found[:-1].reshape(-1, 2),
        badness=float(np.log(missed[each, at] + _NOISE)[told].mean()),
        beyond=float((lowest == last)[told].mean()),
    )
