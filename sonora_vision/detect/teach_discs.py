"""Teaching the discs: one picture of all of them, and where the owner clicked each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.answers import DiscAnswer
from sonora_vision.calibrate.profile import TaughtDiscs
from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.digits import FaceLibrary
from sonora_vision.detect.disc_radius import measure_radius
from sonora_vision.detect.faces import TaughtFace, disk
from sonora_vision.detect.general_digits import MAX_DIGIT, NumberReader
from sonora_vision.detect.inlaid import INLAID_RIM, edge_colors
from sonora_vision.detect.paint import faces_at
from sonora_vision.detect.rays import RimParams
from sonora_vision.detect.references import FaceReader, References
from sonora_vision.detect.rim import Rim, fit_rims
from sonora_vision.detect.scene import Scene, disc_mask
from sonora_vision.detect.shared_centers import shared_corrections
from sonora_vision.detect.untaught_faces import UntaughtFaces
from sonora_vision.errors import CalibrationError

FloatArray = NDArray[np.float64]

CLICK_SPANS = ((5.0, 1.0), (1.5, 0.5), (0.5, 0.25))
"""Clicks are good to a few pixels; from there the search narrows."""
CLICK_SIGMA_PX = 2.0
LEAST_SUPPORT = 0.8
"""Of a disc's rim: 0.93 or more on thirty boards, between discs 0.6 and hardly ever 0.9."""
LEAST_CHANGE = 0.15
"""What the board must have changed by on a quarter of a face, as a log ratio: 0.33 or more on these
boards, 0.1 where nothing lies."""
RADIUS_OFF, RADIUS_OFF_ONE = 0.04, 0.06
"""How far a radius may be off, and how much farther for one disc alone, less with the root of more:
of twenty it was measured within 0.015, of two within 0.06."""
PLAIN_RIM = RimParams(area_cap=2.0, edge_gain=12.0)
"""Plain discs are placed by their rim alone, so edges have more say: a dark disc's paint cannot be
told from its shadow, which would draw it towards the point under the camera."""
CLICKED_WIDER = 1.5
"""How much less sure a color is that was clicked on one disc, in whatever light lay there."""


def teach_discs(scene: Scene, answers: Sequence[DiscAnswer]) -> TaughtDiscs:
    """Learn paints and faces from a picture of all discs.

    Parameters
    ----------
    scene
        The picture, found and rectified.
    answers
        Clicks in the picture's pixels.

    Raises
    ------
    CalibrationError
        Where at a click no disc of this size is to be seen.
    """
    _check_clicks(scene, answers)
    clicks = scene.view.to_px(
        scene.pose.to_board(np.array([a.px for a in answers]), scene.height_mm)
    )
    rims = _rims(scene, clicks, RimParams())
    for answer, click, rim in zip(answers, clicks, rims, strict=True):
        if not _is_disc(scene, click, rim):
            raise CalibrationError(
                f"no disc of this size is to be seen where {_named(answer)} was clicked; click the "
                "middle of its top face, and check the discs' radius and height"
            )
    centers = np.array([rim.center_px for rim in rims])
    _check_radius(scene, centers)
    colors, faces = _learned(scene, centers, answers)
    if edge_colors(colors, faces) is not None:
        centers = np.array([rim.center_px for rim in _rims(scene, clicks, INLAID_RIM)])
        colors, faces = _learned(scene, centers, answers)
    return TaughtDiscs(colors=colors.names, means=colors.means, spreads=colors.spreads, faces=faces)


def _learned(
    scene: Scene, centers: FloatArray, answers: Sequence[DiscAnswer]
) -> tuple[DiscColors, dict[tuple[str, int], NDArray[np.uint8]]]:
    """Paints and faces of discs whose centers are known."""
    paints: dict[str, list[NDArray[np.float32]]] = {}
    for answer, center in zip(answers, centers, strict=True):
        rows, columns, face = disc_mask(scene, center, 0.8)
        paints.setdefault(answer.color, []).append(scene.color[rows, columns][face])
    colors = DiscColors.learn(paints)
    faces: dict[tuple[str, int], NDArray[np.uint8]] = {}
    if all(answer.number is not None for answer in answers):
        centers = centers + shared_corrections(scene, centers, _faces(scene, centers, answers))
        faces = {
            (face.color, face.number): face.pixels_bgr for face in _faces(scene, centers, answers)
        }
    return colors, faces


def references_of(discs: TaughtDiscs, numbers: tuple[int, ...] = ()) -> References:
    """Make of a profile's plain arrays what detection compares with.

    Parameters
    ----------
    discs
        Paints, and faces where they were taught.
    numbers
        The numbers that there are, for faces that were not.
    """
    faces = [
        TaughtFace(color=color, number=number, pixels_bgr=pixels, visible=disk(1.0))
        for (color, number), pixels in discs.faces.items()
    ]
    reader = _reader(faces, discs.colors, numbers)
    colors = DiscColors(
        names=discs.colors,
        means=discs.means,
        spreads=discs.spreads,
        wider=CLICKED_WIDER if isinstance(reader, UntaughtFaces) else 1.0,
    )
    rim = RimParams() if faces else PLAIN_RIM
    if edge_colors(colors, discs.faces) is not None:
        rim = INLAID_RIM
    return References(colors=colors, library=reader, faces=dict(discs.faces), rim=rim)


def _reader(
    faces: Sequence[TaughtFace], colors: tuple[str, ...], numbers: tuple[int, ...]
) -> FaceReader:
    if faces or not numbers or max(numbers) > MAX_DIGIT:
        return FaceLibrary.teach(faces)
    return UntaughtFaces(colors=colors, numbers=numbers, reader=NumberReader.load())


def _faces(scene: Scene, centers: FloatArray, answers: Sequence[DiscAnswer]) -> list[TaughtFace]:
    """Cut the faces out."""
    return [
        TaughtFace(
            color=answer.color,
            number=int(answer.number or 0),
            pixels_bgr=pixels,
            visible=disk(1.0),
        )
        for answer, pixels in zip(answers, faces_at(scene, centers)[0], strict=True)
    ]


def _rims(scene: Scene, clicks: FloatArray, params: RimParams) -> list[Rim]:
    """Fit every rim, from its click."""
    return fit_rims(scene, clicks, params, spans=CLICK_SPANS, start_sigma_px=CLICK_SIGMA_PX)


def _check_clicks(scene: Scene, answers: Sequence[DiscAnswer]) -> None:
    """Refuse clicks beside the picture, and two on one disc."""
    size = np.array([scene.pixels_bgr.shape[1], scene.pixels_bgr.shape[0]])
    at_px = np.array([answer.px for answer in answers])
    for answer, place in zip(answers, at_px, strict=True):
        if (place < 0).any() or (place >= size).any():
            raise CalibrationError(
                f"{_named(answer)} was clicked beside the picture, which is {size[0]} x {size[1]}"
            )
    at_mm = scene.pose.to_board(at_px, scene.height_mm)
    apart_mm = np.linalg.norm(at_mm[:, None] - at_mm, axis=2) + np.diag([np.inf] * len(answers))
    one, other = divmod(int(apart_mm.argmin()), len(answers))
    if apart_mm[one, other] < DISC_PX / scene.view.px_per_mm:
        raise CalibrationError(
            f"{_named(answers[one])} and {_named(answers[other])} were clicked on one disc"
        )


def _is_disc(scene: Scene, click_px: FloatArray, rim: Rim) -> bool:
    """Whether a rim was found near its click, all round, and the board does not show within."""
    rows, columns, face = disc_mask(scene, rim.center_px, 0.9)
    if not face.any() or np.hypot(*(rim.center_px - click_px)) > DISC_PX / 2:
        return False
    change = np.linalg.norm(scene.change[rows, columns][face], axis=1)
    return rim.support > LEAST_SUPPORT and float(np.quantile(change, 0.75)) > LEAST_CHANGE


def _check_radius(scene: Scene, centers: FloatArray) -> None:
    """Refuse discs that are larger or smaller than the board's description says."""
    said_mm = DISC_PX / scene.view.px_per_mm
    seen_mm = measure_radius(scene, centers, said_mm)
    if abs(seen_mm / said_mm - 1.0) > RADIUS_OFF + RADIUS_OFF_ONE / np.sqrt(len(centers)):
        raise CalibrationError(
            f"the discs measure {seen_mm:.1f} mm in radius; the board's description says "
            f"{said_mm:.1f}: measure one across, and halve it"
        )


def _named(answer: DiscAnswer) -> str:
    name = answer.color if answer.number is None else f"{answer.color} {answer.number}"
    return f"{name} (pixel {answer.px[0]:.0f}, {answer.px[1]:.0f})"
