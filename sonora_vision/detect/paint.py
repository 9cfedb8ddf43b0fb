"""What of a face can be seen, and what color it shows: the median of its visible paint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.taught import COARSE, DISC_PX
from sonora_vision.detect.faces import (
    FACE_RIM_PX,
    FACE_SIDE_PX,
    FaceCrop,
    Floats,
    Pixels,
    brightest,
    cut_face,
    disk,
)
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import COARSE_DISC_PX, Mask, Scene, disc_mask

FloatArray = NDArray[np.float64]

CLIPPED = 250
"""Grey level from which a channel says nothing: glare, or the sensor's end."""
COLOR_NATS = 7.0
"""Colors so much less likely than the best one are not compared by their faces."""


def crop_face(
    scene: Scene, center_px: FloatArray, hidden: Mask | None, near: Floats | None = None
) -> FaceCrop:
    """Cut a face out, with what of it is visible.

    Parameters
    ----------
    scene
        The scene.
    center_px
        The disc's center, shape (2,), pixels of the scene's view.
    hidden
        Coarse mask of what lies above it.
    near
        Where it is in the photograph, shape (2, 3), if that is known: see :meth:`Scene.near`.
    """
    pixels, inside = face_at(scene, center_px, near)
    visible = inside & disk(1.0) & (brightest(pixels) < CLIPPED)
    steps = (np.arange(FACE_SIDE_PX) - (FACE_SIDE_PX - 1) / 2) * (DISC_PX / FACE_RIM_PX)
    rows, columns = (
        np.round((steps + middle + 0.5) / COARSE - 0.5).astype(int)
        for middle in (center_px[1], center_px[0])
    )
    rows = rows.clip(0, scene.in_photo.shape[0] - 1)
    columns = columns.clip(0, scene.in_photo.shape[1] - 1)
    visible &= scene.in_photo[np.ix_(rows, columns)]
    if hidden is not None:
        visible &= ~hidden[np.ix_(rows, columns)]
    return FaceCrop(pixels_bgr=pixels, visible=visible)


def face_at(scene: Scene, center_px: FloatArray, near: Floats | None = None) -> tuple[Pixels, Mask]:
    """Cut the face about a place out of the photograph; see :func:`cut_face`."""
    affine = np.asarray(scene.near(center_px)[0] if near is None else near, np.float64)
    return cut_face(
        scene.pixels_bgr, (float(affine[0, 2]), float(affine[1, 2])), affine[:, :2] * DISC_PX
    )


@dataclass(frozen=True, kw_only=True)
class Paint:
    """What color a place shows."""

    rows: slice
    columns: slice
    seen: Mask
    """Visible pixels of the face, in the window of coarse arrays."""
    share: float
    """Share of the face that these are, 0 to 1."""
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
        likely = self.color_log > self.color_log.max() - COLOR_NATS
        return tuple(np.array(references.colors.names)[likely].tolist())


def paint_at(
    scene: Scene,
    references: References,
    center_px: FloatArray,
    crop: FaceCrop,
    hidden: Mask | None,
) -> Paint:
    """Say what color the face at a place has.

    Parameters
    ----------
    scene, references
        The scene, and the taught discs.
    center_px
        The disc's center, shape (2,), pixels of the scene's view.
    crop
        Its face, cut out there.
    hidden
        Coarse mask of what lies above it.
    """
    rows, columns, face = disc_mask(scene, center_px, 0.88)
    seen = face & scene.in_photo[rows, columns]
    if hidden is not None:
        seen = seen & ~hidden[rows, columns]
    share = min(1.0, float(seen.sum()) / (np.pi * (0.88 * COARSE_DISC_PX) ** 2))
    trouble = _trouble(scene, rows, columns, crop, share)
    veil = float(scene.veil[rows, columns].mean())
    typical = None
    color_log = np.zeros(len(references.colors.names))
    if seen.sum() >= LEAST_PIXELS:
        typical = np.median(scene.color[rows, columns][seen], axis=0).astype(np.float64)
        color_log = references.colors.face_log_likelihood(typical, trouble, veil)
    return Paint(
        rows=rows,
        columns=columns,
        seen=seen,
        share=share,
        color_log=color_log,
        trouble=trouble if typical is not None else 1.0,
        typical=typical,
        veil=veil,
    )


LEAST_PIXELS = 6
"""Pixels at the coarse scale, a fortieth of a face, that a color is told from."""


def _trouble(scene: Scene, rows: slice, columns: slice, crop: FaceCrop, share: float) -> float:
    """How much the light, or how little is visible, spoils a color."""
    face = disk(0.9)
    clipped = float(((brightest(crop.pixels_bgr) >= 235) & face).sum()) / float(face.sum())
    glare = float(scene.glare[rows, columns].max())
    return float(np.clip(2.0 * clipped + glare + max(0.0, 0.4 - share), 0.0, 1.0))
