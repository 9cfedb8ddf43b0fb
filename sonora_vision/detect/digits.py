"""Numbers on discs whose faces were taught: every angle is compared with every taught face.

A taught face is kept as rings (see `faces`), as seen through the one mix of blue, green and red in
which its color's ink stands out most. A seen face is brought to the same light, and for every
number, angle and small shift of the center the part of it that the taught face leaves unexplained
becomes a likelihood; summing over angles and shifts gives the number's. Where the ink is hidden,
all numbers explain what is left equally well, so that the answer is flat by itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.faces import (
    FaceCrop,
    FaceEvidence,
    Floats,
    RingGrid,
    Shifts,
    TaughtFace,
    sample_rings,
    share_within,
    shift_pattern,
)
from sonora_vision.detect.ring_match import Indices, Pairs, log_likelihoods, taught_rings
from sonora_vision.detect.taught_faces import (
    DEFAULT,
    ColorFaces,
    FaceParams,
    flattened,
    learn_color,
    pool_designs,
)
from sonora_vision.errors import FileFormatError

FloatArray = NDArray[np.float64]
Arrays = Mapping[str, NDArray[np.generic]]

_WHOLE = 0.98
"""Part of a face, that far out, that is all of it: a few specks of shine hide nothing."""
_SAMPLED = 0.92
"""Part of the rim's radius that the rings reach at the largest shift."""


class FaceLibrary:
    """Taught faces, and the reader of faces like them.

    Parameters
    ----------
    faces : mapping of color to its taught faces
        Made by `teach` or `from_arrays`.
    params : FaceParams
    """

    def __init__(self, faces: Mapping[str, ColorFaces], params: FaceParams = DEFAULT) -> None:
        self._faces = dict(faces)
        self._params = params
        self._taught = taught_rings(faces, params)
        self._shifts = shift_pattern(params.shift_radii_px)
        self._telling = _telling_weights(list(self._faces.values()), params.grid)

    @property
    def colors(self) -> tuple[str, ...]:
        """The taught colors."""
        return tuple(self._faces)

    @classmethod
    def teach(cls, faces: Sequence[TaughtFace], params: FaceParams = DEFAULT) -> FaceLibrary:
        """Learn faces from one picture of each.

        Parameters
        ----------
        faces : sequence of TaughtFace
            Any rotation. Several of one color and number are averaged where they agree; none at
            all (plain discs) makes a library that reads nothing.

        Returns
        -------
        FaceLibrary
        """
        by_color: dict[str, list[TaughtFace]] = {}
        for face in faces:
            by_color.setdefault(face.color, []).append(face)
        learned = {color: learn_color(group, params) for color, group in by_color.items()}
        colors = {color: ink for color, (ink, _) in learned.items()}
        shown = {color: faces for color, (_, faces) in learned.items()}
        return cls(pool_designs(colors, shown, params), params)

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return all that was learned as arrays for one npz file, without pickles."""
        taught = self._faces.values()
        grid = self._params.grid
        rings = np.array([r for f in taught for r in f.rings], np.float16)
        return {
            "colors": np.array(list(self._faces), np.str_),
            "axis_bgr": np.array([f.axis_bgr for f in taught], np.float32).reshape(-1, 3),
            "level": np.array([f.level for f in taught], np.float32),
            "contrast": np.array([f.contrast for f in taught], np.float32),
            "pictures": np.array([f.pictures for f in taught], np.float32),
            "face_color": np.array([c for c, f in self._faces.items() for _ in f.numbers], np.str_),
            "face_number": np.array([n for f in taught for n in f.numbers], np.int64),
            "face_rings": rings.reshape(-1, grid.rings, grid.angles),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, params: FaceParams = DEFAULT) -> FaceLibrary:
        """Make the library that `to_arrays` described.

        Raises
        ------
        FileFormatError
            If an array is missing or of another shape.
        """
        missing = sorted(set(cls({}).to_arrays()) - set(arrays))
        if missing:
            raise FileFormatError(
                f"taught faces: {', '.join(missing)} missing; calibrate again to make them anew"
            )
        colors, of_face = arrays["colors"].tolist(), arrays["face_color"]
        rings = np.asarray(arrays["face_rings"], np.float32)
        grid = params.grid
        if rings.shape[1:] != (grid.rings, grid.angles) or len(of_face) != len(rings):
            raise FileFormatError(
                f"taught faces: rings are of shape {rings.shape}, expected (n, {grid.rings}, "
                f"{grid.angles}); calibrate again to make them anew"
            )
        faces = {}
        for i, color in enumerate(colors):
            mine = of_face == color
            faces[color] = ColorFaces(
                axis_bgr=np.asarray(arrays["axis_bgr"], np.float32)[i],
                level=float(np.asarray(arrays["level"], np.float64)[i]),
                contrast=float(np.asarray(arrays["contrast"], np.float64)[i]),
                pictures=float(np.asarray(arrays["pictures"], np.float64)[i]),
                numbers=tuple(int(n) for n in arrays["face_number"][mine].tolist()),
                rings=rings[mine],
            )
        return cls(faces, params)

    def read(self, crops: Sequence[FaceCrop]) -> list[FaceEvidence]:
        """Read the numbers of all faces of a photograph.

        Parameters
        ----------
        crops : sequence of FaceCrop

        Returns
        -------
        list of FaceEvidence
            One for each crop. Likelihoods of different colors are comparable: they say how well
            each color's faces explain the ink, within ``FaceParams.color_limit``.
        """
        if not crops:
            return []
        whole = share_within(np.array([crop.visible for crop in crops], np.bool_), _SAMPLED)
        shares = np.array(
            [self._seen_share(each, part) for each, part in zip(crops, whole, strict=True)]
        )
        pairs, told = self._compare(crops, whole, shares)
        logs, angles = self._held_together(pairs, told.logs).tolist(), told.angles_deg.tolist()
        ends = np.searchsorted(pairs.seen, np.arange(len(crops) + 1)).tolist()
        best, _ = _best_of_each(pairs, told, len(crops))
        bare = bool(self._taught.who) & (best < BARE_NATS * shares)
        found = []
        for i, (start, end) in enumerate(pairwise(ends)):
            who = [self._taught.who[face] for face in pairs.taught[start:end].tolist()]
            found.append(
                FaceEvidence(
                    log_likelihood=dict(zip(who, logs[start:end], strict=True)),
                    angle_deg=dict(zip(who, angles[start:end], strict=True)),
                    seen_share=float(shares[i]),
                    bare=bool(bare[i]),
                )
            )
        return found

    def _held_together(self, pairs: Pairs, logs: Floats) -> Floats:
        """Let no color fall farther behind the best than ink may speak about colors."""
        lowest = pairs.best_of_seen(logs) - self._params.color_limit
        behind = lowest - pairs.best_of_color(logs)
        return np.asarray(logs + np.maximum(behind, 0), np.float32)

    def _seen_share(self, crop: FaceCrop, whole: float) -> float:
        """Visible part of the telling area, whatever the angle; ``whole`` is that of the face."""
        if not self._faces:
            return 0.0
        if whole == 1.0:
            return 1.0
        seen = sample_rings(crop.visible[None].astype(np.float32), self._params.grid)[0, 0]
        return float((self._telling[:, None] * seen).sum() / (self._telling.sum() * seen.shape[1]))

    def _compare(
        self, crops: Sequence[FaceCrop], whole: FloatArray, shares: FloatArray
    ) -> tuple[Pairs, _Told]:
        """Compare faces with those of each color that they may have.

        At the middle first, and at shifts of it where they might tell more.
        """
        faces = flattened(crops, self._params).pixels
        # What is wholly seen is so at every shift, and what is taught of it is known before.
        weights = [
            None if part > _WHOLE else crop.visible.astype(np.float32)
            for crop, part in zip(crops, whole, strict=True)
        ]
        named = [[not c.colors or color in c.colors for color in self._faces] for c in crops]
        color = self._taught.color
        seen, taught = np.nonzero(np.array(named, np.bool_).reshape(len(crops), -1)[:, color])
        every = pairs = Pairs(seen=seen, taught=taught, color=color[taught])
        rows, so_far = np.arange(len(pairs)), 0
        logs = np.empty((len(pairs), 0, self._params.grid.angles), np.float32)
        told = _Told.nothing(len(pairs))
        for count, least in ((1, BARE_NATS), (NEAR, FACE_NATS), (len(self._shifts), None)):
            more = self._logs(faces, weights, pairs, self._shifts[so_far:count])
            logs, so_far = np.concatenate([logs, more], axis=1), count
            told.update(rows, pairs, logs, self._params)
            if least is None:
                break
            best, near = _best_of_each(every, told, len(crops))
            open_ = (best > least * shares) & ((near > 1) | (best < WELL_NATS))
            open_ &= shares > SLIVER
            still = open_[pairs.seen]
            if not still.any():
                break
            pairs, rows, logs = pairs.only(still), rows[still], logs[still]
        return every, told

    def _logs(
        self,
        faces: Floats,
        weights: Sequence[Floats | None],
        pairs: Pairs,
        shifts: Shifts,
    ) -> Floats:
        logs = log_likelihoods(faces, weights, pairs, shifts, self._taught, self._params)
        logs -= _shift_cost(shifts, self._params.shift_sigma_px)[:, None]
        return logs


NEAR = 7
"""Shifts that are tried where the middle alone leaves a doubt: it, and those nearest to it."""


@dataclass(frozen=True, kw_only=True)
class _Told:
    """What pairs of a seen and a taught face have told so far; each array of shape (pairs,)."""

    logs: Floats
    """Log likelihoods of the number."""
    angles_deg: Floats
    """Best angle."""
    tops: Floats
    """How well it fits there."""

    @classmethod
    def nothing(cls, count: int) -> _Told:
        """Before anything was compared."""
        logs, angles, tops = (np.zeros(count, np.float32) for _ in range(3))
        return cls(logs=logs, angles_deg=angles, tops=tops)

    def update(self, rows: Indices, pairs: Pairs, logs: Floats, params: FaceParams) -> None:
        """Sum over shifts and angles what (pairs, shifts, angles) say about these rows."""
        if not len(rows):
            return
        by_angle = logs.max(axis=1)
        tops = by_angle.max(axis=1)
        number = tops + np.log(np.exp(logs - tops[:, None, None]).mean(axis=(1, 2)))
        surprise = pairs.best_of_color(number) + np.float32(math.log(params.surprise))
        self.logs[rows] = np.logaddexp(number, surprise)
        self.angles_deg[rows] = by_angle.argmax(axis=1) * (360.0 / params.grid.angles)
        self.tops[rows] = tops


def _best_of_each(pairs: Pairs, told: _Told, count: int) -> tuple[Floats, NDArray[np.intp]]:
    """How well the best face fits each seen one, and how many of its color fit about as well."""
    top = pairs.best_of_seen(told.tops)
    best = np.full(count, -np.inf, np.float32)
    best[pairs.seen] = top
    alike = (pairs.best_of_color(told.tops) == top) & (told.tops >= top - SETTLED_NATS)
    return best, np.bincount(pairs.seen[alike], minlength=count)


SLIVER = 0.1
"""Of a face of which no more is seen, shifts tell nothing."""
SETTLED_NATS = 10.0
"""Lead of a number over the next one that no shift makes up for."""
WELL_NATS = 45.0
"""Explained so well, a face in plain view is laid on the middle well enough to find its turn."""
BARE_NATS = 4.0
"""Explained so badly at the middle, a place in view is no face: those are explained by 70,"""
FACE_NATS = 12.0
"""and so badly near by, it needs no shifts farther out: nine in ten bare places are."""


def _shift_cost(shifts: Shifts, sigma_px: float) -> Floats:
    """Minus the log of how likely each shift is before looking."""
    return np.array([(x * x + y * y) / (2 * sigma_px**2) for x, y in shifts], np.float32)


def _telling_weights(faces: list[ColorFaces], grid: RingGrid) -> Floats:
    """How much each ring helps to tell numbers apart: its area times its variance of ink."""
    area = grid.radii
    if not faces:
        return area
    ink = np.mean([f.rings.var(axis=2).mean(axis=0) for f in faces if len(f.rings)], axis=0)
    return np.asarray(area * ink, np.float32)
