"""Whether a picture can be trusted: what is wrong with it, in words, and how much less sure it is.

Whether the profile still fits the camera is another question (see :mod:`ageing`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import is_gray
from sonora_vision.calibrate.taught import TaughtBoard
from sonora_vision.detect.details import Details, see_details
from sonora_vision.detect.find_discs import Findings
from sonora_vision.detect.measure import MeasuredDisc
from sonora_vision.detect.scene import Scene
from sonora_vision.errors import UnreadableError


@dataclass(frozen=True, kw_only=True)
class TrustParams:
    """From where on a fault is worth a word."""

    sharpness: float = 0.3
    """Fine structure against the teaching's. Good pictures reach 0.5 and more, being resampled
    twice; a blur of two pixels leaves a third of that."""
    overexposed: float = 0.06
    """Share of the board with a channel at its end."""
    shine: float = 0.03
    """Share of the board on which a lamp shines."""
    dark: float = 30.0
    """Grey level of the board's median, of which a sensor's noise is a tenth."""
    covered: int = 5
    """Neighbouring details that something hides."""
    reaching: float = 1.5
    """What comes in over the board's edge, in areas of a disc's face: on 30 boards shadows, shine
    and discs that were not found stay below."""
    outside: float = 0.002
    """Share of the board that the picture does not show: a corner's tip."""
    usual_fit_px: float = 0.6
    """Printed details fit this well at 1640 pixels of width; worse fits widen all centers."""


def weigh_trust(
    scene: Scene,
    findings: Findings,
    discs: Sequence[MeasuredDisc],
    taught: TaughtBoard,
    board: BoardSpec,
    fit_px: float,
    params: TrustParams | None = None,
) -> tuple[list[MeasuredDisc], tuple[str, ...]]:
    """Say what is wrong with a picture, and widen what it makes less sure.

    Parameters
    ----------
    scene, findings
        The picture in the board's frame, and what lies there.
    discs
        Measured as in a good picture.
    taught, board
        The empty board, and its description.
    fit_px
        Root mean square residual of the pose, photograph pixels.
    params
        From where on to speak.

    Returns
    -------
    (list of MeasuredDisc, tuple of str)
        The discs with their uncertainty as the picture deserves it, and the warnings.
    """
    params = params or TrustParams()
    details = see_details(scene, findings, taught)
    said = (
        _blur(details.sharpness, params),
        *_light(scene, params),
        _covered(details, findings.reaching, params),
        _outside(scene, params),
        *_inventory(discs, board),
    )
    wider = max(1.0, fit_px * 1640 / scene.pose.lens.size_px[0] / params.usual_fit_px)
    widened = [replace(disc, sigma_mm=disc.sigma_mm * wider) for disc in discs]
    return widened, tuple(words for words in said if words is not None)


def require_color(scene: Scene, taught: TaughtBoard) -> None:
    """Refuse a picture without colors, where the board was taught with them.

    Raises
    ------
    UnreadableError
        Where blue, green and red are alike: discs would be told apart by brightness only.
    """
    if is_gray(scene.coarse_bgr) and not is_gray(taught.bgr):
        raise UnreadableError(
            "the picture is grey-scale, but discs are told apart by their color; switch the "
            "camera's night mode or black-and-white effect off"
        )


def _blur(sharpness: float, params: TrustParams) -> str | None:
    if sharpness >= params.sharpness:
        return None
    return (
        "the picture is blurred: centers and numbers are less sure; focus, hold still, or give "
        "more light"
    )


def _light(scene: Scene, params: TrustParams) -> list[str]:
    said = []
    board = (scene.on_board & scene.in_photo)[::2, ::2]
    blue, green, red = cv2.split(scene.coarse_bgr)
    brightest = cv2.max(cv2.max(blue, green), red)[::2, ::2][board]
    if not brightest.size:
        return []
    white = float((brightest >= CLIPPED).mean())
    shine = float((scene.glare[::2, ::2][board] > 0.5).mean())
    if white > params.overexposed:
        said.append(
            f"{100 * white:.0f} % of the board is overexposed: colors and numbers are lost there; "
            "give less light, or a shorter exposure"
        )
    elif shine > params.shine:
        said.append(
            f"a light shines on {100 * shine:.0f} % of the board: colors are less sure there; move "
            "the lamp, or shade the window"
        )
    level = float(np.median(brightest))
    if level < params.dark:
        said.append(
            f"the picture is dark (half of the board under grey level {level:.0f} of 255): colors "
            "are less sure; give more light, or a longer exposure"
        )
    return said


CLIPPED = 252
"""Grey level from which a channel is at its end, JPEG's rounding included."""


def _covered(details: Details, reaching: float, params: TrustParams) -> str | None:
    blurred = details.sharpness < params.sharpness  # then details go without being covered
    if details.covered >= params.covered and not blurred:
        return (
            f"something lies over the board ({details.covered} of its {details.taught} taught "
            "details are hidden, not by discs): discs under it are not seen; take it away, "
            "photograph again"
        )
    if reaching < params.reaching:
        return None
    return (
        "something reaches over the board from its edge: discs under it are not seen; take it "
        "away, photograph again"
    )


def _outside(scene: Scene, params: TrustParams) -> str | None:
    board = int(np.count_nonzero(scene.on_board))
    outside = int(np.count_nonzero(scene.on_board & ~scene.in_photo)) / max(board, 1)
    if outside < params.outside:
        return None
    return (
        f"{max(100 * outside, 1):.0f} % of the board is out of the picture: discs there are not "
        "seen; move the board or the camera"
    )


def _inventory(discs: Sequence[MeasuredDisc], board: BoardSpec) -> list[str]:
    owned = len(board.discs.colors) * len(board.discs.numbers)
    if not board.discs.each_once or not owned:
        return []
    said = []
    if len(discs) > owned:
        said.append(
            f"{len(discs)} discs were found where there are {owned}: some are none, or belong to "
            "another game; look at those in doubt"
        )
    told = Counter((disc.color, disc.number) for disc in discs if disc.number is not None)
    twice = [f"{color} {number}" for (color, number), times in told.items() if times > 1]
    if twice:
        said.append(f"found more than once, though each exists once: {', '.join(twice)}")
    return said
