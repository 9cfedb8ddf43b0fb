"""What of a face can be seen, and what its place shows: paint, change, and what light spoils."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import DISC_PX, to_coarse
from sonora_vision.detect.circles import Paints
from sonora_vision.detect.faces import (
    FACE_RIM_PX,
    FACE_SIDE_PX,
    FaceCrop,
    Pixels,
    brightest,
    cut_faces,
    disk,
    share_within,
)
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import COARSE_DISC_PX, Mask, Scene, disc_pixels

FloatArray = NDArray[np.float64]

CLIPPED = 250
"""Grey level from which a channel says nothing: glare, or the sensor's end."""
COLOR_NATS = 7.0
"""Colors so much less likely than the best one are not compared by their faces."""


def crop_faces(scene: Scene, centers_px: FloatArray, hidden: Mask | None) -> list[FaceCrop]:
    """Cut faces out, with what of them is visible.

    Parameters
    ----------
    scene
        The scene.
    centers_px
        The discs' centers, shape (n, 2), pixels of the scene's view.
    hidden
        Coarse mask of what lies above them.
    """
    pixels, visible = faces_at(scene, centers_px)
    visible &= disk(1.0) & (brightest(pixels) < CLIPPED)
    if hidden is not None or not scene.in_photo.all():
        visible &= _open_at(
            scene.in_photo if hidden is None else scene.in_photo & ~hidden, centers_px
        )
    return [FaceCrop(pixels_bgr=p, visible=v) for p, v in zip(pixels, visible, strict=True)]


def _open_at(open_: Mask, centers_px: FloatArray) -> Mask:
    """Return what of faces is open where a coarse mask says so, shape (n, 64, 64).

    The mask's steps are cut off: they are three times as wide as the picture's pixels, and a few
    pixels of ink can be all that is seen of a number.
    """
    steps = (np.arange(FACE_SIDE_PX) - (FACE_SIDE_PX - 1) / 2) * (DISC_PX / FACE_RIM_PX)
    x, y = np.moveaxis(to_coarse(centers_px[:, None] + steps[:, None]), 2, 0).astype(np.float32)
    shape = (len(centers_px), FACE_SIDE_PX, FACE_SIDE_PX)
    at = (np.broadcast_to(each, shape) for each in (x[:, None], y[:, :, None]))
    soft = cv2.GaussianBlur(open_.astype(np.float32), (0, 0), STEPS_COARSE_PX)
    # OpenCV's remap makes pictures of up to 32,767 rows.
    columns, rows = (each.reshape(-1, 16 * FACE_SIDE_PX) for each in at)
    share = cv2.remap(soft, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(share.reshape(shape) > 0.5, np.bool_)


STEPS_COARSE_PX = 0.8
"""Blur that makes a line of a mask's steps."""


def faces_at(scene: Scene, centers_px: FloatArray) -> tuple[Pixels, Mask]:
    """Cut the faces about some places out of the photograph; see :func:`cut_faces`."""
    rims = scene.near(centers_px) * np.array([DISC_PX, DISC_PX, 1], np.float32)
    return cut_faces(scene.pixels_bgr, rims)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a place shows."""

    on_board: bool
    """Whether its middle lies on the board."""
    share: float
    """Share of the face that is visible, 0 to 1."""
    foreign: float
    """Share of that which is surely not the empty board."""
    solid: float
    """The same without what could be a shadow."""
    paint: float
    """Mean log likelihood ratio of its best paint against the board."""
    color_log: FloatArray
    """Log likelihood of every taught color, shape (k,)."""
    trouble: float
    """0 in plain view, towards 1 where the light spoils the color."""
    typical: FloatArray | None
    """Median log color of the visible face, shape (3,); None where too little is visible."""
    veil: float
    """Haze there, grey levels."""

    def likely(self, references: References) -> tuple[str, ...]:
        """Colors that are worth a look at their faces."""
        least = float(self.color_log.max()) - COLOR_NATS
        told = zip(references.colors.names, self.color_log.tolist(), strict=True)
        return tuple(name for name, log in told if log > least)


def shown_at(
    scene: Scene,
    paints: Paints,
    references: References,
    centers_px: FloatArray,
    crops: Sequence[FaceCrop],
    hidden: Mask | None,
) -> list[Shown]:
    """Say what the places of faces show.

    Parameters
    ----------
    scene, paints, references
        The scene, what its pixels look like, and the taught discs.
    centers_px
        The discs' centers, shape (n, 2), pixels of the scene's view.
    crops
        Their faces, cut out there.
    hidden
        Coarse mask of what lies above them.
    """
    pixels, faces = disc_pixels(scene, centers_px, 0.88)
    middle = pixels.shape[1] // 2
    on_board = faces[:, middle] & scene.on_board.ravel()[pixels[:, middle]]
    seen = faces & (scene.in_photo if hidden is None else scene.in_photo & ~hidden).ravel()[pixels]
    count = seen.sum(axis=1)
    share = np.minimum(1.0, count / (np.pi * (0.88 * COARSE_DISC_PX) ** 2))
    parts = (seen / np.maximum(count, 1)[:, None]).astype(np.float32)
    foreign, solid, *likely = (
        (each.ravel()[pixels] * parts).sum(axis=1)
        for each in (paints.foreign, paints.solid, *paints.likely)
    )
    paint = np.where(count > 0, np.max(likely, axis=0), -4.0)
    veil = scene.veil.ravel()[pixels].mean(axis=1, dtype=np.float64)
    glare = scene.glare.ravel()[pixels].max(axis=1)
    trouble = np.clip(2.0 * _clipped(crops) + glare + np.maximum(0.0, 0.4 - share), 0.0, 1.0)
    typical = _typical(scene, pixels, seen)
    logs = references.colors.face_log_likelihood(typical, trouble, veil)
    told = count >= LEAST_PIXELS
    logs[~told], trouble[~told] = 0.0, 1.0
    return [
        Shown(
            on_board=bool(on_board[i]),
            share=float(share[i]),
            foreign=float(foreign[i]),
            solid=float(solid[i]),
            paint=float(paint[i]),
            color_log=logs[i],
            trouble=float(trouble[i]),
            typical=typical[i] if told[i] else None,
            veil=float(veil[i]),
        )
        for i in range(len(crops))
    ]


LEAST_PIXELS = 6
"""Pixels at the coarse scale, a fortieth of a face, that a color is told from."""


def _typical(scene: Scene, pixels: NDArray[np.int_], seen: Mask) -> FloatArray:
    """Median log color of what is seen of each face, shape (n, 3); 0 where nothing is."""
    colors = scene.color.reshape(-1, 3)[pixels].transpose(2, 0, 1)
    ordered = np.sort(np.where(seen, colors, np.float32(np.inf)), axis=2)
    count, rows = seen.sum(axis=1), np.arange(len(pixels))
    upper, lower = ordered[:, rows, count // 2], ordered[:, rows, np.maximum(count - 1, 0) // 2]
    return np.where(count > 0, (upper + lower) / 2, 0.0).T.astype(np.float64)


def _clipped(crops: Sequence[FaceCrop]) -> FloatArray:
    """Share of each face that is at the end of the sensor, or near it."""
    pixels = np.array([crop.pixels_bgr for crop in crops], np.uint8)
    near_end = brightest(pixels.reshape(-1, FACE_SIDE_PX, FACE_SIDE_PX, 3)) >= 235
    return share_within(near_end, 0.9)
