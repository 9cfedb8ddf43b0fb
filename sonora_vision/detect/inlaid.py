"""Discs whose color is on their edge alone, about an inlay that is the same on all of them.

The edge is compared with the middle of its own face, so that the lamp does not matter. Where faces
tell the colors apart as well as edges do, edges are not asked; where they do not, faces are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, FaceEvidence, Mask, Pixels
from sonora_vision.detect.find_discs import Sighting
from sonora_vision.detect.paint import crop_face
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import LOG_FLOOR, Scene

FloatArray = NDArray[np.float64]

LEAST_PIXELS = 60
"""Pixels of a face picture's edge that a color is told from: a sixth of it."""

_AXIS = (np.arange(FACE_SIDE_PX) - (FACE_SIDE_PX - 1) / 2) / FACE_RIM_PX
_RADIUS = np.hypot(_AXIS[:, None], _AXIS)
_EDGE = (_RADIUS > 0.85) & (_RADIUS < 0.94)
"""Inside the rounding, outside the usual inlay."""
_MIDDLE = _RADIUS < 0.70


def edge_logs(
    scene: Scene, references: References, sightings: Sequence[Sighting]
) -> list[FloatArray] | None:
    """Log likelihood of every color by the edges of discs, instead of what their faces say.

    Parameters
    ----------
    scene, references
        The scene, and the taught discs.
    sightings
        The discs.

    Returns
    -------
    list of ndarray of float64, shape (k,), or None
        All 0 for a disc whose edge is not seen; None where edges are not asked.
    """
    colors = references.colors
    if not references.faces:
        return None
    middle = colors.means.mean(axis=0)
    edges = DiscColors(
        names=colors.names,
        means=middle + _taught(references),
        spreads=colors.spreads,
        wider=colors.wider,
    )
    if colors.least_apart() > edges.least_apart() or colors.least_apart() > ALIKE:
        return None
    found = []
    for sighting in sightings:
        look, logs = sighting.look, np.zeros(len(colors.names))
        seen = None
        if look.shows_face and not sighting.above:
            crop = crop_face(scene, look.center_px, None)
            seen = _edge_against_middle(crop.pixels_bgr, crop.visible)
        if seen is not None:
            # Put on the same inlay, an edge is a color like any other.
            logs = edges.face_log_likelihood(middle + seen, look.trouble, look.veil)
        found.append(logs)
    return found


def numbers_alike(evidence: FaceEvidence) -> FaceEvidence:
    """Let a face's number be told by all colors' taught faces: one inlay bears one number.

    Parameters
    ----------
    evidence
        What the face says, color by color.
    """
    best: dict[int, float] = {}
    for (_, number), log in evidence.log_likelihood.items():
        best[number] = max(log, best.get(number, log))
    logs = {who: best[who[1]] for who in evidence.log_likelihood}
    return replace(evidence, log_likelihood=logs)


ALIKE = 2.0
"""Sigmas that light may carry a color: faces nearer than this are alike."""


def _taught(references: References) -> FloatArray:
    """Edges of the taught discs against their middles, shape (k, 3)."""
    whole = np.ones((FACE_SIDE_PX, FACE_SIDE_PX), np.bool_)
    of_color = [
        [
            _edge_against_middle(pixels, whole)
            for (color, _), pixels in references.faces.items()
            if color == name
        ]
        for name in references.colors.names
    ]
    return np.array([np.median([e for e in each if e is not None], axis=0) for each in of_color])


def _edge_against_middle(pixels: Pixels, visible: Mask) -> FloatArray | None:
    """Log ratio of a face's edge and its middle, shape (3,)."""
    edge, middle = _EDGE & visible, _MIDDLE & visible
    if edge.sum() < LEAST_PIXELS or middle.sum() < LEAST_PIXELS:
        return None
    logs = np.log(pixels.astype(np.float64) + LOG_FLOOR)
    return np.asarray(np.median(logs[edge], axis=0) - np.median(logs[middle], axis=0))
