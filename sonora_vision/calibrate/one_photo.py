"""Pose and lens from one photograph: clicked points of the board, then its printed lines.

One picture of a plane says little about a focal length (nothing, seen from straight above), so
what is known beforehand is a prior: the camera's own word in EXIF, or what cameras usually are.
The lens matters here by its distortion, which printed lines show, and by how far thickness shifts
a disc, which is small: what stays unknown of it widens the uncertainty.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import ExifTags, Image
from scipy.optimize import least_squares

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.clicks import Clicks
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.lines_found import lines_found
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose, pose_from_points
from sonora_vision.calibrate.printed import LensPrior, fit_lens_to_print
from sonora_vision.errors import UnreadableError

USUAL_FOCAL = 0.8
"""Focal length of telephones, Pi cameras and webcams, in parts of the picture's longer side."""
USUAL_SIGMA = 0.25
"""Relative one-sigma spread of those."""
EXIF_SIGMA = 0.06
"""The same where EXIF gives it: rounded to a millimetre, at another focus."""
DISTORTION_SIGMA = 0.06
"""Spread of the first radial coefficient over cameras whose makers correct it or not."""
CLICK_PX = 2.5
"""One-sigma error of a click at 1640 pixels of width."""
WORST_CLICK = 5.0
"""Landmarks that miss by more sigmas are another point of the board than was said."""
FULL_FRAME_DIAGONAL_MM = 43.27
"""Of 24 x 36 mm, by whose diagonal cameras state their equivalent focal length."""


@dataclass(frozen=True, kw_only=True)
class Placed:
    """Where the board lies in one photograph, and how well that is known."""

    pose: BoardPose
    line_sigma_mm: float
    """Root mean square distance of the printed lines from the description."""
    focal_sigma: float
    """Relative one-sigma uncertainty of the focal length."""


def exif_focal(raw: bytes) -> float | None:
    """Focal length in parts of the picture's diagonal, or None where EXIF does not tell.

    Parameters
    ----------
    raw
        A picture file's bytes.
    """
    try:
        with Image.open(io.BytesIO(raw)) as picture:
            tags = picture.getexif().get_ifd(ExifTags.IFD.Exif)
    except (OSError, ValueError, SyntaxError):
        return None  # damaged metadata say nothing; the picture itself was judged before
    value = tags.get(ExifTags.Base.FocalLengthIn35mmFilm)
    if not isinstance(value, int | float) or not 5 <= value <= 400:
        return None
    return float(value) / FULL_FRAME_DIAGONAL_MM


def place_board(
    pixels_bgr: Pixels, clicks: Clicks, board: BoardSpec, focal: float | None = None
) -> Placed:
    """Find the board in a photograph by clicked landmarks.

    Parameters
    ----------
    pixels_bgr
        The photograph.
    clicks, board
        Clicks, checked; the board that was clicked on.
    focal
        Focal length in parts of the picture's diagonal, where it is known.

    Raises
    ------
    UnreadableError
        Where clicks lie outside the picture, or fit no board.
    """
    height, width = pixels_bgr.shape[:2]
    _check_within(clicks, width, height)
    prior = LensPrior(
        focal_px=USUAL_FOCAL * max(width, height)
        if focal is None
        else focal * np.hypot(width, height),
        focal_sigma=USUAL_SIGMA if focal is None else EXIF_SIGMA,
        distortion_sigma=DISTORTION_SIGMA,
    )
    points_mm = np.array([each.mm for each in clicks.landmarks])
    points_px = np.array([each.px for each in clicks.landmarks])
    sigma_px = CLICK_PX * max(width, height) / 1640
    start = _clicked_pose(points_mm, points_px, prior, sigma_px, (width, height))
    _check_fit(clicks, points_px - start.project(points_mm), sigma_px)
    pose, rms_mm, focal_sigma = fit_lens_to_print(pixels_bgr, start, board, FIRST_REACH_MM, prior)
    _check_lines(pixels_bgr, pose, board, rms_mm)
    return Placed(pose=pose, line_sigma_mm=rms_mm, focal_sigma=focal_sigma)


MAX_LINES_MM = 0.6
"""Printed lines that miss the description by more belong to another board, or to wrong clicks."""
LEAST_FOUND = 0.45
"""Part of the borders and multipliers that must be in view where they should be: over the cases
tried in development 0.77 or more, and 0.33 or less with the clicks turned by a quarter."""
FIRST_REACH_MM = 5.0
"""How far lines are looked for about the clicked pose: clicks and an unknown lens add up."""


def plain_lens(focal_px: float, distortion: float, size_px: tuple[int, int]) -> Lens:
    """Return a lens of which only the focal length and the first radial coefficient are known."""
    width, height = size_px
    matrix = np.array(
        [[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]], np.float64
    )
    return Lens(
        matrix=matrix,
        distortion=np.array([distortion, 0, 0, 0, 0], np.float64),
        size_px=size_px,
        rms_px=0.0,
        focal_sigma_px=USUAL_SIGMA * focal_px,
        center_sigma_px=0.02 * width,
    )


def _clicked_pose(
    points_mm: FloatArray,
    points_px: FloatArray,
    prior: LensPrior,
    sigma_px: float,
    size_px: tuple[int, int],
) -> BoardPose:
    """Pose and focal length that fit the clicks best, the prior being a click among them."""
    start = pose_from_points(plain_lens(prior.focal_px, 0.0, size_px), points_mm, points_px)
    if start is None:
        raise UnreadableError(
            "the landmarks fit no board seen from above; is each pixel beside its own millimetres?"
        )

    def posed(unknowns: FloatArray) -> BoardPose:
        lens = plain_lens(prior.focal_px * float(np.exp(unknowns[6])), 0.0, size_px)
        return BoardPose(lens=lens, rotation=unknowns[:3], translation=unknowns[3:6])

    def residual(unknowns: FloatArray) -> FloatArray:
        apart = (posed(unknowns).project(points_mm) - points_px).ravel() / sigma_px
        return np.append(apart, unknowns[6] / prior.focal_sigma)

    first = np.concatenate([start.rotation, start.translation, [0.0]])
    return posed(least_squares(residual, first, x_scale="jac").x)


def _check_within(clicks: Clicks, width: int, height: int) -> None:
    for what, pixel in [
        *((f"landmarks[{i}]", each.px) for i, each in enumerate(clicks.landmarks)),
        *((f"colors[{i}]", each.px) for i, each in enumerate(clicks.colors)),
    ]:
        if not (-0.5 <= pixel[0] <= width - 0.5 and -0.5 <= pixel[1] <= height - 0.5):
            raise UnreadableError(
                f"{what}: pixel {pixel[0]:g}, {pixel[1]:g} lies outside the picture of "
                f"{width} x {height}; were the clicks made on this photograph?"
            )


def _check_fit(clicks: Clicks, apart_px: FloatArray, sigma_px: float) -> None:
    misses = np.linalg.norm(apart_px, axis=1)
    worst = int(misses.argmax())
    if misses[worst] > WORST_CLICK * sigma_px:
        x, y = clicks.landmarks[worst].mm
        raise UnreadableError(
            f"the landmarks do not fit the board: the one at {x:g}, {y:g} mm is off by "
            f"{misses[worst]:.0f} px (expected under {WORST_CLICK * sigma_px:.0f}); check the "
            "clicks and the board's measures"
        )


def _check_lines(pixels_bgr: Pixels, pose: BoardPose, board: BoardSpec, rms_mm: float) -> None:
    if not rms_mm < MAX_LINES_MM:
        raise UnreadableError(
            f"the printed lines miss the board description by {rms_mm:.2f} mm (expected under "
            f"{MAX_LINES_MM}); check the landmarks, and that this is the board"
        )
    for name, part in lines_found(pixels_bgr, pose, board).items():
        if part < LEAST_FOUND:
            raise UnreadableError(
                f"of the {name} only {part:.0%} is where the landmarks put it (expected "
                f"{LEAST_FOUND:.0%} or more): were the corners clicked as the description names "
                "them, from its own top left, however the board lies?"
            )
