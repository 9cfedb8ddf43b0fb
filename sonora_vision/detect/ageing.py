"""Whether a profile still fits what its camera sees: the camera, the light, and the board.

A board is pushed about and turned, but it stays on its table: seen from the camera, the table's
plane is what the teaching picture showed, or the camera has moved. The light may change and is
taken out of every picture; when it has changed much, colors are less sure, and the owner may know
why. A board that mostly looks unlike the taught one is another one, or is covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.profile import Profile
from sonora_vision.calibrate.taught import TaughtBoard
from sonora_vision.detect.find_discs import Findings
from sonora_vision.detect.scene import LOG_FLOOR, Scene

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class AgeingParams:
    """From where on a change is worth a word."""

    tilt_deg: float = 1.0
    """A plane fitted to a picture's printed details strays by a few tenths of a degree."""
    height: float = 0.015
    """Relative change of the camera's height, of which a fit strays by a tenth of a percent."""
    poor_fit_px: float = 1.5
    """Printed details fit to a few tenths of a pixel at 1640 pixels of width."""
    level: float = 0.9
    """Log units of brightness: two and a half times as bright, or as dark."""
    hue: float = 0.35
    """Log units of tint: from daylight to a warm lamp is about 0.5."""
    unlike: float = 0.4
    """Share of the open board that looks unlike the taught one."""


def ageing_warnings(
    profile: Profile,
    pose: BoardPose,
    fit_px: float,
    scene: Scene,
    findings: Findings,
    params: AgeingParams | None = None,
) -> tuple[str, ...]:
    """Say what has changed since the profile was made.

    Parameters
    ----------
    profile
        What the picture was read with.
    pose, fit_px
        Where its board lies, and how well printed details fit.
    scene, findings
        The picture in the board's frame, and the discs that lie there.
    params
        From where on to speak.

    Returns
    -------
    tuple of str
        Nothing where all is as it was taught.
    """
    params = params or AgeingParams()
    said = (
        _camera(profile.pose, pose, params),
        _fit(fit_px * 1640 / pose.lens.size_px[0], params),
        _light(profile, scene, params),
        _board(scene, findings, params),
    )
    return tuple(words for words in said if words is not None)


def _camera(taught: BoardPose, seen: BoardPose, params: AgeingParams) -> str | None:
    """Compare the table's plane: its slope in the camera's view, and its distance."""
    cosine = float(taught.matrix[:, 2] @ seen.matrix[:, 2])
    tilt_deg = float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
    was_mm, is_mm = float(taught.camera_mm[2]), float(seen.camera_mm[2])
    if tilt_deg < params.tilt_deg and abs(is_mm / was_mm - 1.0) < params.height:
        return None
    return (
        f"the camera has moved since teaching (tilted by {tilt_deg:.1f} degrees, {is_mm:.0f} mm "
        f"above the board instead of {was_mm:.0f}): readings still hold, but check its mount, or "
        "teach again"
    )


def _fit(fit_px: float, params: AgeingParams) -> str | None:
    if fit_px < params.poor_fit_px:
        return None
    return (
        f"printed details fit to {fit_px:.1f} pixels only: the focus or the zoom has changed since "
        "teaching, or the board is bent; calibrate the lens again"
    )


def _light(profile: Profile, scene: Scene, params: AgeingParams) -> str | None:
    board = (scene.on_board & scene.in_photo)[_SOME]
    if np.count_nonzero(board) < LEAST_SEEN:
        return None
    shift = np.median(scene.expected[_SOME][board], axis=0) - _taught_light(profile.taught)
    level = float(shift.mean())
    hue = float(np.abs(shift - level).max())
    if abs(level) < params.level and hue < params.hue:
        return None
    how = []
    if abs(level) >= params.level:
        how.append(f"{np.exp(abs(level)):.1f} times as {'bright' if level > 0 else 'dark'}")
    if hue >= params.hue:
        how.append("of another tint")
    return (
        f"the light has changed since teaching ({', '.join(how)}): colors are less sure; bring the "
        "lamp back, or teach again in this light"
    )


def _board(scene: Scene, findings: Findings, params: AgeingParams) -> str | None:
    hidden = findings.discs[_SOME] | findings.covered[_SOME]
    open_ = (scene.on_board & scene.in_photo)[_SOME] & ~hidden
    if np.count_nonzero(open_) < LEAST_SEEN:
        return None
    share = float((scene.foreign[_SOME][open_] > 16.0).mean())
    if share < params.unlike:
        return None
    return (
        f"this is another board, or a worn or covered one ({100 * share:.0f} % of it looks unlike "
        "the taught one): read it with its own profile"
    )


@lru_cache(maxsize=4)
def _taught_light(taught: TaughtBoard) -> FloatArray:
    """Median log color of the taught board, shape (3,)."""
    known = taught.coarse_bgr[_SOME][taught.coarse_inside[_SOME] > 0]
    return np.asarray(np.median(np.log(known + LOG_FLOOR), axis=0), np.float64)


_SOME = (slice(None, None, 4), slice(None, None, 4))
"""Pixels that are looked at: every fourth, down and across, tells as much."""
LEAST_SEEN = 60
"""With fewer of them nothing is said."""
