"""Numbers on discs whose faces were taught: every angle is compared with every taught face.

A taught face is kept as rings (see `faces`), as seen through the one mix of blue, green and red in
which its color's ink stands out most. A seen face is brought to the same light, and for every
number, angle and small shift of the center the part of it that the taught face leaves unexplained
becomes a likelihood; summing over angles and shifts gives the number's. Where the ink is hidden,
all numbers explain what is left equally well, so that the answer is flat by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.faces import (
    FaceCrop,
    FaceEvidence,
    Floats,
    RingGrid,
    TaughtFace,
    disk,
    sample_rings,
    shift_pattern,
)
from sonora_vision.detect.ring_match import (
    log_likelihoods,
    ring_area,
    ring_spectra,
    taught_rings,
    visible_part,
)
from sonora_vision.detect.taught_faces import (
    DEFAULT,
    ColorFaces,
    FaceParams,
    FlatFace,
    flattened,
    inked,
    learn_color,
    pool_designs,
)
from sonora_vision.errors import FileFormatError

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
        self._taught = {color: taught_rings(each, params) for color, each in faces.items()}
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
        flats = [flattened(crop, self._params) for crop in crops]
        shares = [self._seen_share(crop) for crop in crops]
        told = self._compare(flats, crops, self._shifts[:1])
        for shifts, least in ((self._shifts[:NEAR], BARE_NATS), (self._shifts, FACE_NATS)):
            far = [i for i, each in enumerate(told) if each.open(least * shares[i])]
            again = self._compare([flats[i] for i in far], [crops[i] for i in far], shifts)
            for i, each in zip(far, again, strict=True):
                told[i] = each
        return [
            FaceEvidence(
                log_likelihood={
                    (color, number): float(value)
                    for color, values in self._held_together(each.logs).items()
                    for number, value in zip(self._faces[color].numbers, values, strict=True)
                },
                angle_deg={
                    (color, number): float(angle)
                    for color, angles in each.angles_deg.items()
                    for number, angle in zip(self._faces[color].numbers, angles, strict=True)
                },
                seen_share=share,
                bare=bool(self._faces) and each.best < BARE_NATS * share,
            )
            for share, each in zip(shares, told, strict=True)
        ]

    def _held_together(self, logs: Mapping[str, Floats]) -> dict[str, Floats]:
        """Let no color fall farther behind the best than ink may speak about colors."""
        top = max((float(values.max()) for values in logs.values()), default=0.0)
        lowest = top - self._params.color_limit
        return {c: values + max(lowest - float(values.max()), 0) for c, values in logs.items()}

    def _seen_share(self, crop: FaceCrop) -> float:
        """Visible part of the telling area, whatever the angle."""
        if not self._faces:
            return 0.0
        if crop.visible[disk(_SAMPLED)].all():
            return 1.0
        seen = sample_rings(crop.visible.astype(np.float32), self._params.grid)[0]
        return float((self._telling[:, None] * seen).sum() / (self._telling.sum() * seen.shape[1]))

    def _compare(
        self, flats: Sequence[FlatFace], crops: Sequence[FaceCrop], shifts: Shifts
    ) -> list[_Told]:
        """Compare faces with those of each color that they may have, the center shifted so."""
        told = [_Told() for _ in crops]
        grid = self._params.grid
        whole = [float(crop.visible[disk(_SAMPLED)].mean()) > _WHOLE for crop in crops]
        # What is wholly seen is so at every shift, and what is taught of it is known before.
        area = ring_area(grid)
        weights = [
            None if each else ring_spectra(sample_rings(flat.weight, grid, shifts) * area)
            for flat, each in zip(flats, whole, strict=True)
        ]
        for color, faces in self._faces.items():
            named = [not crop.colors or color in crop.colors for crop in crops]
            for kind in (True, False):
                rows = [i for i, each in enumerate(whole) if each is kind and named[i]]
                if not rows or not faces.numbers:
                    continue
                rings = np.stack([sample_rings(inked(flats[i], faces), grid, shifts) for i in rows])
                parts = [each for i in rows if (each := weights[i]) is not None]
                taught = self._taught[color]
                seen = taught.whole
                if parts:
                    seen = visible_part(np.stack(parts, axis=1), taught, grid)
                logs = log_likelihoods(rings, seen, taught, self._params)
                logs -= _shift_cost(shifts, self._params.shift_sigma_px)[:, None, None]
                summed = _summed(logs, self._params)
                for i, numbers, angles_deg, tops in zip(rows, *summed, strict=True):
                    told[i].add(color, numbers, angles_deg, tops)
        return told


NEAR = 7
"""Shifts that are tried where the middle alone leaves a doubt: it, and those nearest to it."""
Shifts = tuple[tuple[float, float], ...]


class _Told:
    """What comparing a face with each color's has told so far."""

    def __init__(self) -> None:
        self.logs: dict[str, Floats] = {}
        self.angles_deg: dict[str, Floats] = {}
        self.best = -np.inf
        """How well the best of them fits."""
        self._near = 0
        """How many fit about as well."""

    def add(self, color: str, logs: Floats, angles_deg: Floats, tops: Floats) -> None:
        """Add what one color's faces told."""
        self.logs[color], self.angles_deg[color] = logs, angles_deg
        best = float(tops.max())
        if best > self.best:
            self.best = best
            self._near = int((tops >= best - SETTLED_NATS).sum())

    def open(self, least: float) -> bool:
        """Whether shifts of the center farther out might tell more of a face that fits so well."""
        return self.best > least and (self._near > 1 or self.best < WELL_NATS)


def _summed(logs: Floats, params: FaceParams) -> tuple[Floats, Floats, Floats]:
    """Sum over shifts and angles what (crops, shifts, numbers, angles) say about the numbers.

    Returns the numbers' log likelihoods, best angles and best fits, each (crops, numbers).
    """
    by_angle = logs.max(axis=1)
    tops = by_angle.max(axis=-1)
    top = tops.max(axis=1, keepdims=True)
    number = top + np.log(np.exp(logs - top[:, None, :, None]).mean(axis=(1, 3)))
    number = np.logaddexp(number, number.max(axis=1, keepdims=True) + np.log(params.surprise))
    return number, by_angle.argmax(axis=-1) * (360.0 / params.grid.angles), tops


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
