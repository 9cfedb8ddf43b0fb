"""Teaching the discs: one picture of all of them, and where the owner clicked each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.answers import DiscAnswer
from sonora_vision.calibrate.profile import TaughtDiscs
from sonora_vision.calibrate.taught import DISC_PX
from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.digits import FaceLibrary
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
        Where at a click no disc can be made out.
    """
    colors, faces = _learned(scene, _centers(scene, answers, RimParams()), answers)
    if edge_colors(colors, faces) is not None:
        centers = _centers(scene, answers, INLAID_RIM)
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


def clicked_rims(
    scene: Scene, answers: Sequence[DiscAnswer], params: RimParams
) -> Iterator[tuple[DiscAnswer, FloatArray, Rim]]:
    """Fit every rim, from its click.

    Yields
    ------
    (DiscAnswer, ndarray of shape (2,), Rim)
        What was clicked, where, in pixels of the scene's view, and the rim that was found.
    """
    at_px = np.array([answer.px for answer in answers])
    clicks = scene.view.to_px(scene.pose.to_board(at_px, scene.height_mm))
    rims = fit_rims(scene, clicks, params, spans=CLICK_SPANS, start_sigma_px=CLICK_SIGMA_PX)
    yield from zip(answers, clicks, rims, strict=True)


def is_off(click_px: FloatArray, rim: Rim) -> bool:
    """Whether a rim lies so far from its click that it is another thing's."""
    return bool(np.hypot(*(rim.center_px - click_px)) > DISC_PX / 2)


def _centers(scene: Scene, answers: Sequence[DiscAnswer], params: RimParams) -> FloatArray:
    centers = []
    for answer, click_px, rim in clicked_rims(scene, answers, params):
        if is_off(click_px, rim):
            raise CalibrationError(
                f"no disc was found where {answer.color} {answer.number or ''} was clicked (pixel "
                f"{answer.px[0]:.0f}, {answer.px[1]:.0f}); click the middle of its top face"
            )
        centers.append(rim.center_px)
    return np.array(centers)
