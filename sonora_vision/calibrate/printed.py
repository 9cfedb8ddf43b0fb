"""Printed lines of a board: where the description says they are, and the pose that fits them.

Clicks place a board to about a millimetre. The borders of zones, multipliers, the hole and the
board's edge are printed or cut to a tenth of that, so the pose is refined until the lines of the
description lie on the lines of the picture. Method: one-dimensional searches along the normals,
Harris and Stennett's RAPID (BMVC 1990), with a robust loss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.optimize import least_squares

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.printed_points import PrintedPoints, printed_points
from sonora_vision.calibrate.rectify import rectify, view_around
from sonora_vision.errors import UnreadableError


@dataclass(frozen=True, kw_only=True)
class LensPrior:
    """What is known of a lens that nobody calibrated."""

    focal_px: float
    focal_sigma: float
    """Relative one-sigma uncertainty."""
    distortion_sigma: float
    """One-sigma spread of the first radial coefficient about 0."""


KNOWN_LENS = LensPrior(focal_px=1.0, focal_sigma=0.0, distortion_sigma=0.0)
"""A lens that stays as it is."""


def fit_to_print(
    pixels_bgr: Pixels, start: BoardPose, board: BoardSpec, reach_mm: float = 3.0
) -> tuple[BoardPose, float]:
    """Refine a pose until the description's lines lie on the picture's.

    Parameters
    ----------
    pixels_bgr
        Picture of the empty board.
    start
        Pose to about ``reach_mm``.
    reach_mm
        How far lines are searched at first; halved on each pass.

    Returns
    -------
    (BoardPose, float)
        The pose, and the root mean square distance of the lines in millimetres.
    """
    pose, rms, _ = fit_lens_to_print(pixels_bgr, start, board, reach_mm, KNOWN_LENS)
    return pose, rms


def fit_lens_to_print(
    pixels_bgr: Pixels, start: BoardPose, board: BoardSpec, reach_mm: float, prior: LensPrior
) -> tuple[BoardPose, float, float]:
    """Refine a pose as `fit_to_print` does, and with it a lens that nobody calibrated.

    Returns
    -------
    pose : BoardPose
        With the lens that was found.
    rms_mm : float
        Root mean square distance of the lines.
    focal_sigma : float
        Relative one-sigma uncertainty of the focal length that is left.
    """
    printed = printed_points(board)
    pose, rms, focal_sigma = start, float("nan"), prior.focal_sigma
    for reach in (reach_mm, reach_mm / 2, reach_mm / 3, reach_mm / 3):
        offsets, weights = line_offsets(pixels_bgr, pose, board, printed, reach)
        pose, rms, focal_sigma = _solve(pose, printed, offsets, weights, prior)
    return pose, rms, focal_sigma


def line_offsets(
    pixels_bgr: Pixels, pose: BoardPose, board: BoardSpec, printed: PrintedPoints, reach_mm: float
) -> tuple[FloatArray, FloatArray]:
    """Measure along the normal how far each point is from the printed line.

    Returns
    -------
    offsets_mm, weights : ndarray, shape (n,)
        Signed; weights are 0 where no line is seen.
    """
    view = view_around(np.array(board.outline_mm), 8.0, PROFILE_PX_PER_MM)
    flat = cv2.GaussianBlur(rectify(pixels_bgr, pose, view), (0, 0), 0.5)
    step = 1.0 / PROFILE_PX_PER_MM
    distances = np.arange(-reach_mm - 1.5, reach_mm + 1.5 + step / 2, step)
    places = printed.points_mm[:, None] + distances[None, :, None] * printed.normals[:, None]
    at = view.to_px(places).astype(np.float32)
    profiles = cv2.remap(flat.astype(np.float32), at, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
    offsets, weights = np.zeros(len(places)), np.zeros(len(places))
    for kind in np.unique(printed.kinds):
        rows = printed.kinds == kind
        offsets[rows], weights[rows] = _fit_profiles(
            profiles[rows].astype(np.float64),
            distances,
            reach_mm,
            LINE_MODELS[kind],
            LEAST_GAIN[kind],
        )
    return offsets, weights


PROFILE_PX_PER_MM = 4.0
_WIDTHS_MM = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
_STEP = ((0.0,),)
_OVER = tuple((-w / 2, w / 2) for w in _WIDTHS_MM)
LINE_MODELS: dict[int, tuple[tuple[float, ...], ...]] = {
    0: _STEP + tuple((0.0, w) for w in _WIDTHS_MM),
    1: _STEP + _OVER,
    2: _STEP + tuple((-w, 0.0) for w in _WIDTHS_MM) + _OVER,
    3: _STEP,
}
"""What may lie at a line of each kind: a step of color, or opaque ink from one place to another, in
mm along the normal. A zone's border is drawn over the boundary, a circle's may also be drawn inside
it, and a frame about the board is inside its edge, along the inward normal."""
LEAST_GAIN = {0: 1.1, 1: 1.0, 2: 1.0, 3: 1.0}
"""How many times more than a step a line must explain: what shows beside the board's edge, its side
or a shadow, is no frame. Frames of drawn boards explain 1.5 times more, shadows 1.05."""


def _fit_profiles(
    profiles: FloatArray,
    distances: FloatArray,
    reach_mm: float,
    models: tuple[tuple[float, ...], ...],
    least_gain: float,
) -> tuple[FloatArray, FloatArray]:
    """Fit the ground and what is printed at every place; the model is one for all profiles."""
    step = distances[1] - distances[0]
    tries = np.arange(-reach_mm, reach_mm + step / 2, step)
    squared = np.square(profiles).sum(axis=(1, 2))
    plain = np.square(profiles.sum(axis=1)).sum(axis=1) / len(distances)
    best: tuple[float, FloatArray] | None = None
    enough = 0.0
    for edges in models:
        by_ground_too = np.stack(
            [
                np.square(
                    np.swapaxes(profiles, 1, 2) @ ink_look(distances - at, edges, EDGE_MM)
                ).sum(axis=(1, 2))
                for at in tries
            ],
            axis=1,
        )
        explained = by_ground_too - plain[:, None]
        # What is left over tells the models apart: a step of color explains most of any line.
        left = float(np.median(squared - by_ground_too.max(axis=1)))
        gain = float(np.median(explained.max(axis=1)))
        if best is None:
            best, enough = (left, explained), least_gain * gain
        elif left < best[0] * 0.98 and gain >= enough:
            best = (left, explained)
    assert best is not None
    return _peaks(best[1], tries)


def ink_look(local: FloatArray, edges: tuple[float, ...], blur: float) -> FloatArray:
    """Return what a line across which ink lies can look like: ink covers what is under it.

    Parameters
    ----------
    local
        Places across the line, shape (n,).
    edges
        Where the color changes: at the two edges of ink, or at one step; in the same units.
    blur
        Half the width of a step, as lens and resampling show it.

    Returns
    -------
    ndarray of float64, shape (n, 1 + edges)
        Orthonormal: the ground on one side, and what changes at each edge.
    """
    columns = [np.ones_like(local), *(np.tanh((local - place) / blur) for place in edges)]
    return np.asarray(np.linalg.qr(np.column_stack(columns))[0], np.float64)


EDGE_MM = 0.35
"""Blur of lens and resampling."""


def _peaks(gain: FloatArray, tries: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Place of the best fit by a parabola, and a weight that is 0 where it is no peak."""
    best = gain.argmax(axis=1)
    inner = best.clip(1, gain.shape[1] - 2)
    rows = np.arange(len(best))
    left, top, right = (gain[rows, inner + shift] for shift in (-1, 0, 1))
    curve = left - 2 * top + right
    shift = 0.5 * (left - right) / np.where(curve < 0, curve, -1.0)
    offsets = tries[inner] + shift.clip(-1, 1) * (tries[1] - tries[0])
    strength = np.sqrt(np.maximum(top, 0.0))
    weights = np.clip(strength / (np.median(strength) + 1e-9), 0.0, 2.0)
    weights[(inner != best) | (curve >= 0)] = 0.0
    return offsets, weights


INDEPENDENT_POINTS = 60
"""How many independent measurements the printed lines are worth: neighbours err alike."""
LINE_SIGMA_MM = 0.15


def _solve(
    pose: BoardPose,
    printed: PrintedPoints,
    offsets: FloatArray,
    weights: FloatArray,
    prior: LensPrior,
) -> tuple[BoardPose, float, float]:
    """Solve for the six of the pose and a common offset of each kind of line but zone borders.

    And for the lens's logarithm of focal length and first radial coefficient, if they are free.
    """
    seen = pose.project(printed.points_mm + offsets[:, None] * printed.normals)
    ahead = pose.project(printed.points_mm + printed.normals * 0.5)
    toward = ahead - pose.project(printed.points_mm)
    px_per_mm = np.linalg.norm(toward, axis=1) / 0.5
    toward /= np.linalg.norm(toward, axis=1, keepdims=True)
    free = prior.focal_sigma > 0
    # Beliefs count as much as the lines' residuals would, were those independent.
    belief = LINE_SIGMA_MM * np.sqrt(max(weights.sum(), 1.0) / INDEPENDENT_POINTS)

    def moved(step: FloatArray) -> BoardPose:
        return BoardPose(
            lens=_changed(pose.lens, *step[9:]) if free else pose.lens,
            rotation=pose.rotation + step[:3] * 1e-3,
            translation=pose.translation + step[3:6],
        )

    def common_to(step: FloatArray) -> FloatArray:
        # The board's edge (its side, a shadow), multipliers (a border ring) and the hole (its
        # wall) are seen a little off, all around alike; that must not move the pose.
        return np.array([step[6], 0.0, step[7], step[8]])

    def residual(step: FloatArray) -> FloatArray:
        moved_pose = moved(step)
        error = seen - moved_pose.project(printed.points_mm)
        along = (error * toward).sum(axis=1) / px_per_mm
        along -= common_to(step)[printed.kinds]
        parts = [along * np.sqrt(weights), 0.1 * step[6:9]]
        if free:
            focal = np.log(moved_pose.lens.matrix[0, 0] / prior.focal_px) / prior.focal_sigma
            bend = moved_pose.lens.distortion[0] / prior.distortion_sigma
            parts.append(belief * np.array([focal, bend]))
        return np.concatenate(parts)

    unknowns = np.zeros(11 if free else 9)
    fit = least_squares(
        residual, unknowns, loss=_robust_but_for(2 if free else 0), f_scale=LINE_SIGMA_MM
    )
    errors = residual(fit.x)[: len(weights)]
    good = np.abs(errors) < 0.6 * np.sqrt(np.maximum(weights, 1e-9))
    rms = float(np.sqrt((errors[good] ** 2).sum() / max(weights[good].sum(), 1e-9)))
    focal_sigma = 0.0
    if free:
        focal_sigma = belief * _sigmas(fit.jac)[9]
    return moved(fit.x), rms, focal_sigma


def _sigmas(slopes: FloatArray) -> list[float]:
    """One-sigma uncertainties of what was solved for.

    Raises
    ------
    UnreadableError
        Where the lines that are seen leave some of it open, as in a picture of nothing.
    """
    try:
        variances = np.diag(np.linalg.inv(slopes.T @ slopes))
    except np.linalg.LinAlgError:
        variances = np.full(slopes.shape[1], np.nan)
    if not (variances > 0).all():
        raise UnreadableError(
            "too few of the board's printed lines are seen where its corners were clicked; check "
            "the corners, and that the picture shows this board"
        )
    return [float(each) for each in np.sqrt(variances)]


def _robust_but_for(beliefs: int) -> Callable[[FloatArray], FloatArray]:
    """Scipy's soft L1 loss, but squares for the last residuals: what is believed is no outlier."""

    def loss(squares: FloatArray) -> FloatArray:
        root = np.sqrt(1.0 + squares)
        rho = np.stack([2.0 * (root - 1.0), 1.0 / root, -0.5 / root**3])
        if beliefs:
            last = squares[-beliefs:]
            rho[:, -beliefs:] = [last, np.ones(beliefs), np.zeros(beliefs)]
        return rho

    return loss


def _changed(lens: Lens, log_focal: float, bend: float) -> Lens:
    matrix, distortion = lens.matrix.copy(), lens.distortion.copy()
    matrix[0, 0] *= np.exp(log_focal)
    matrix[1, 1] *= np.exp(log_focal)
    distortion[0] += bend
    return replace(lens, matrix=matrix, distortion=distortion)
