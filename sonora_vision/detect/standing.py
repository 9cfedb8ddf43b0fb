"""Discs that stand on edge: patches of a taught paint, of a standing disc's size, under no circle.

From above such a disc is a band, twice the radius long and its thickness wide, leaning away from
the point under the camera. Its number cannot be seen; the inventory may still tell it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.circles import Paints
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import COARSE_DISC_PX, Floats, Mask, Scene
from sonora_vision.detect.still_print import still_print

FloatArray = NDArray[np.float64]

DISC_AREA_PX = float(np.pi * COARSE_DISC_PX**2)


@dataclass(frozen=True, kw_only=True)
class StandingParams:
    """What a standing disc looks like; fitted on bands and stray patches of six unlike boards."""

    length: tuple[float, float] = (1.8, 2.75)
    """Of the band, in disc radii: two, more where it leans away, less where its ends are dark."""
    width: tuple[float, float] = (0.56, 1.66)
    """From the thickness of thin discs to a thick one whose face is half in view."""
    solidity: float = 0.8
    """Its area against its convex hull's: hands and half-explained discs are ragged."""
    most_around: float = 0.17
    """Share of the ring about it that may be anything but the board."""
    paint: float = 0.5
    """Log likelihood ratio against the board that makes a pixel painted."""
    most_context: float = 2.6
    """Area of all change that hangs together with it, its shadow included."""
    most_glare: float = 0.15
    agreed: float = 0.55
    """Share of the patch that must be of one paint; the rest is the face, the back or shade."""


@dataclass(frozen=True, kw_only=True)
class StandingDisc:
    """A disc on edge."""

    center_mm: FloatArray
    """Where it stands, board frame, shape (2,)."""
    color_log: FloatArray
    """Log likelihood of each taught color, shape (k,)."""


def find_standing(
    scene: Scene,
    paints: Paints,
    references: References,
    discs: Mask,
    covered: Mask,
    radius_mm: float,
    params: StandingParams,
) -> list[StandingDisc]:
    """Find discs on edge in what circles and covers do not explain.

    Parameters
    ----------
    discs, covered
        Coarse masks of the silhouettes of lying discs, and of hands and the like.
    radius_mm
        The discs' radius.

    Returns
    -------
    list of StandingDisc
        Centers in the board frame.
    """
    near_discs = cv2.dilate(discs.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    open_ = scene.on_board & scene.in_photo & ~near_discs & ~covered & ~scene.in_hole
    # A raised corner's flank is neither board nor disc: leave out what borders the flat part.
    open_ &= ~scene.edges
    # Nothing that hangs together with something large: a finger tip is not a disc.
    open_ &= ~_large((paints.foreign > 0.5) & ~near_discs & scene.on_board, params)
    open_ &= scene.glare < params.most_glare
    rest = ((paints.solid > 0.5) & open_).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    opened = cv2.morphologyEx(rest, cv2.MORPH_OPEN, kernel)
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, kernel)
    # OpenCV's own choice of algorithm takes three times as long.
    _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(
        closed, 8, cv2.CV_32S, cv2.CCL_GRANA
    )
    found = []
    for label, (left, top, width, height, area) in enumerate(stats[1:], start=1):
        if not LEAST_BAND * DISC_AREA_PX < area < params.most_context * DISC_AREA_PX:
            continue
        rows = slice(max(top - MARGIN_PX, 0), top + height + MARGIN_PX)
        columns = slice(max(left - MARGIN_PX, 0), left + width + MARGIN_PX)
        patch = (labels[rows, columns] == label).astype(np.uint8)
        if not _has_the_shape(patch, paints.solid[rows, columns], params):
            continue
        # With what lies about it: a band may lie within one printed area.
        about = cv2.dilate(patch, np.ones((5, 5), np.uint8)) > 0
        if still_print(scene, rows, columns, about):
            continue
        coords = np.argwhere(patch) + np.array([rows.start, columns.start])
        standing = _judge(scene, paints, references, coords, radius_mm, params)
        if standing is not None:
            found.append(standing)
    return found


LEAST_BAND = 0.1
"""Specks smaller than this part of a disc's face are no band."""
MARGIN_PX = 8


def _has_the_shape(patch: NDArray[np.uint8], solid: Floats, params: StandingParams) -> bool:
    """Whether a patch is a band of the right size with plain board about it."""
    length, width = (each / COARSE_DISC_PX for each in _axes_px(patch))
    if not (
        params.length[0] < length < params.length[1]
        and params.width[0] < width < params.width[1]
        and _solidity(patch) > params.solidity
    ):
        return False
    grown, close = (cv2.dilate(patch, np.ones((size, size), np.uint8)) > 0 for size in (5, 3))
    around = grown & ~close
    return float((solid[around] > 0.5).mean()) < params.most_around


def _solidity(patch: NDArray[np.uint8]) -> float:
    """Area of a patch against that of its convex hull, both in pixels whose middle is in it."""
    places = np.argwhere(patch)[:, ::-1]
    sides = np.array([[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]])
    hull = cv2.convexHull((places[:, None] + sides).reshape(-1, 2).astype(np.float32))[:, 0]
    across, along = (np.roll(hull, -1, axis=0) - hull).T[..., None]
    low, high = places.min(axis=0), places.max(axis=0) + 1
    x, y = (each.ravel() for each in np.mgrid[low[0] : high[0], low[1] : high[1]])
    beside = across * (y - hull[:, 1:]) - along * (x - hull[:, :1])
    inside = (beside > -1e-4).all(axis=0) | (beside < 1e-4).all(axis=0)
    return len(places) / float(inside.sum())


def large_parts(mask: NDArray[np.uint8], least_px: float) -> Mask:
    """Return what of a mask hangs together in more than so many pixels."""
    if cv2.countNonZero(mask) <= least_px:
        return np.zeros(mask.shape, np.bool_)
    _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(
        mask, 8, cv2.CV_32S, cv2.CCL_GRANA
    )
    large = stats[:, cv2.CC_STAT_AREA] > least_px
    large[0] = False
    if not large.any():
        return np.zeros(mask.shape, np.bool_)
    return np.asarray(large[labels], np.bool_)


def _axes_px(patch: NDArray[np.uint8]) -> tuple[float, float]:
    """Length and width of the ellipse with a patch's second moments."""
    moments = cv2.moments(patch, binaryImage=True)
    xx, xy, yy = (moments[each] / moments["m00"] for each in ("mu20", "mu11", "mu02"))
    middle, apart = (xx + yy) / 2 + 1 / 12, float(np.hypot((xx - yy) / 2, xy))
    return 4 * float(np.sqrt(middle + apart)), 4 * float(np.sqrt(max(middle - apart, 0.0)))


def _large(changed: Mask, params: StandingParams) -> Mask:
    """Parts of the change that are larger than a disc on edge and its shadow."""
    return large_parts(changed.view(np.uint8), params.most_context * DISC_AREA_PX)


def _judge(
    scene: Scene,
    paints: Paints,
    references: References,
    coords: NDArray[np.intp],
    radius_mm: float,
    params: StandingParams,
) -> StandingDisc | None:
    rows, columns = coords.T
    likely = paints.likely[:, rows, columns]
    shares = (likely > params.paint).mean(axis=1)
    best = int(likely.mean(axis=1).argmax())
    if shares[best] < params.agreed:
        return None
    painted = likely[best] > params.paint
    typical = np.median(scene.color[rows, columns][painted], axis=0).astype(np.float64)
    veil = float(scene.veil[rows, columns].mean())
    # The side is shaded: its brightness says little, its hue as much as a face's in poor light.
    color_log = references.colors.face_log_likelihood(typical, 0.4, veil)
    center = np.array([columns.mean(), rows.mean()])
    seen_mm = scene.coarse.to_mm(center[None])[0]
    camera = scene.pose.camera_mm
    # The middle of the patch is about the middle of the disc, a radius above the board.
    stretch = (camera[2] - radius_mm) / (camera[2] - scene.height_mm)
    return StandingDisc(
        center_mm=np.asarray(camera[:2] + (seen_mm - camera[:2]) * stretch, np.float64),
        color_log=color_log,
    )
