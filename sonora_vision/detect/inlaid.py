"""Discs whose color is on their edge alone, about an inlay that is the same on all of them.

The edge is compared with the middle of its own face, so that the lamp does not matter. Where faces
tell the colors apart as well as edges do, edges are not asked; where they do not, faces are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.color import DiscColors
from sonora_vision.detect.faces import FACE_RIM_PX, FACE_SIDE_PX, FaceEvidence, Mask, Pixels
from sonora_vision.detect.find_discs import Sighting
from sonora_vision.detect.paint import crop_faces
from sonora_vision.detect.rays import RimParams
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


INLAID_RIM = RimParams(bare=(0.87, 0.94))
"""Where such a disc ends, the paint of its edge ends, and not its inlay's."""


def edge_colors(colors: DiscColors, faces: Mapping[tuple[str, int], Pixels]) -> DiscColors | None:
    """Return the colors of edges, each put on the mean face; None where edges are not asked.

    Parameters
    ----------
    colors
        Of the taught faces.
    faces
        Their pictures.
    """
    if not faces or colors.least_apart() > ALIKE:
        return None
    whole = np.ones((FACE_SIDE_PX, FACE_SIDE_PX), np.bool_)
    apart = []
    for name in colors.names:
        each = [
            _edge_against_middle(pixels, whole) for who, pixels in faces.items() if who[0] == name
        ]
        apart.append(np.median([edge for edge in each if edge is not None], axis=0))
    edges = DiscColors(
        names=colors.names,
        means=colors.means.mean(axis=0) + np.array(apart),
        spreads=colors.spreads,
        wider=colors.wider,
    )
    return edges if edges.least_apart() > colors.least_apart() else None


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
    edges = edge_colors(references.colors, references.faces)
    if edges is None:
        return None
    middle = references.colors.means.mean(axis=0)
    found = []
    for sighting in sightings:
        look, logs = sighting.look, np.zeros(len(edges.names))
        seen = None
        if look.shows_face and not sighting.above:
            crop = crop_faces(scene, look.center_px[None], None)[0]
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


def _edge_against_middle(pixels: Pixels, visible: Mask) -> FloatArray | None:
    """Log ratio of a face's edge and its middle, shape (3,)."""
    edge, middle = _EDGE & visible, _MIDDLE & visible
    if edge.sum() < LEAST_PIXELS or middle.sum() < LEAST_PIXELS:
        return None
    logs = np.log(pixels.astype(np.float64) + LOG_FLOOR)
    return np.asarray(np.median(logs[edge], axis=0) - np.median(logs[middle], axis=0))
