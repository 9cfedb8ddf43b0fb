"""How well taught rings explain seen ones, at all turns at once.

A turned face is its rings shifted along one axis, so that one Fourier transform compares all turns
(see `faces`). Faces are seen in three channels; what a color's mix makes of them is a sum, so that
faces of all colors are compared in one product. Where the ink is hidden, all faces explain what is
left equally well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from sonora_vision.detect.faces import Floats, Mask, RingGrid, Shifts, sample_rings
from sonora_vision.detect.taught_faces import ColorFaces, FaceParams

Spectra = NDArray[np.complex64]
Indices = NDArray[np.intp]

FREQUENCIES = 40
"""Of the turns of a face, so many are told apart: a stroke is a fifteenth of a turn wide."""


@dataclass(frozen=True, kw_only=True)
class TaughtRings:
    """All taught faces, color by color, ready to be compared; n is their number."""

    who: tuple[tuple[str, int], ...]
    """Color and number of each face."""
    color: Indices
    """Place of each face's color among the colors, shape (n,)."""
    mix: Floats
    """What shows a seen face as ink of each face's color, shape (3, n)."""
    seen_by: Spectra
    """What is multiplied with a seen face's spectra, shape (frequencies, 3 * rings, n)."""
    rings: Spectra
    """The same for the spectra of what is visible, shape (frequencies, rings, n)."""
    squared: Spectra
    """The same for the rings' squares."""
    mean: Floats
    """Mean of each face's ink, shape (n,)."""
    spread: Floats
    """Its variance."""
    evidence: Floats
    """How many independent observations a wholly visible face is worth against each."""


def taught_rings(faces: Mapping[str, ColorFaces], params: FaceParams) -> TaughtRings:
    """Prepare taught faces for comparing."""
    grid = params.grid
    who = tuple((color, number) for color, each in faces.items() for number in each.numbers)
    count = [len(each.numbers) for each in faces.values()]
    none = np.zeros((0, grid.rings, grid.angles), np.float32)
    rings = np.concatenate([none, *(each.rings for each in faces.values())])
    mix = np.array([each.mix for each in faces.values()], np.float32).reshape(-1, 3)
    mix = mix.repeat(count, axis=0).T
    area = ring_area(grid)
    mean, square = ((each * area).sum(axis=(1, 2)) for each in (rings, rings**2))
    worth = [params.evidence * each.pictures / (each.pictures + 1) for each in faces.values()]
    spectra, squared = (
        _spectra(each * area).conj().transpose(2, 1, 0) for each in (rings, rings**2)
    )
    seen_by = spectra[:, None] * mix[:, None]
    return TaughtRings(
        who=who,
        color=np.arange(len(count)).repeat(count),
        mix=mix,
        seen_by=seen_by.reshape(FREQUENCIES, 3 * grid.rings, len(who)),
        rings=np.ascontiguousarray(spectra),
        squared=np.ascontiguousarray(squared),
        mean=mean,
        spread=np.maximum(square - mean**2, 0),
        evidence=np.array(worth, np.float32).repeat(count),
    )


@cache
def ring_area(grid: RingGrid) -> Floats:
    """Return the part of all samples' area that one of each ring stands for, shape (rings, 1)."""
    return np.asarray(grid.radii / (grid.radii.sum() * grid.angles), np.float32)[:, None]


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """Which seen face is compared with which taught one; each array of shape (pairs,).

    Pairs of one seen face lie next to each other, and of them those of one color.
    """

    seen: Indices
    taught: Indices
    color: Indices
    """Place of the taught face's color."""

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.seen)

    def only(self, some: Mask) -> Pairs:
        """Return some of the pairs: all or none of a seen face."""
        return Pairs(seen=self.seen[some], taught=self.taught[some], color=self.color[some])

    def best_of_seen(self, values: Floats) -> Floats:
        """Greatest of the values, shape (pairs,), of the same seen face, for each."""
        return _best_within(values, *self._seen_groups)

    def best_of_color(self, values: Floats) -> Floats:
        """Greatest of the values of the same seen face and color, for each."""
        return _best_within(values, *self._color_groups)

    @cached_property
    def _seen_groups(self) -> tuple[Indices, Indices]:
        return _groups(np.diff(self.seen) != 0)

    @cached_property
    def _color_groups(self) -> tuple[Indices, Indices]:
        return _groups((np.diff(self.seen) != 0) | (np.diff(self.color) != 0))


def _groups(change: Mask) -> tuple[Indices, Indices]:
    """Where groups start, and the group of each."""
    starts = np.concatenate([[True], change])
    return np.flatnonzero(starts), np.cumsum(starts) - 1


def _best_within(values: Floats, starts: Indices, group: Indices) -> Floats:
    if not len(values):
        return values
    return np.asarray(np.maximum.reduceat(values, starts)[group], np.float32)


@dataclass(frozen=True, kw_only=True)
class _Visible:
    """What of each pair's taught face is seen, (pairs, shifts, angles); 1 where it is one value."""

    share: Floats
    """Part of the area that is visible."""
    mean: Floats
    """Sum of the taught ink there."""
    spread: Floats
    """Its sum of squares about the mean."""


def log_likelihoods(
    faces: Floats,
    weights: Sequence[Floats | None],
    pairs: Pairs,
    shifts: Shifts,
    taught: TaughtRings,
    params: FaceParams,
) -> Floats:
    """Compare seen faces with taught ones at all angles.

    Parameters
    ----------
    faces
        Flattened faces, shape (n, 3, 64, 64), 0 where hidden.
    weights
        What of each is visible, shape (64, 64); None for all of it.
    pairs
        Which are compared.
    shifts
        Of the faces' centers, pixels.

    Returns
    -------
    ndarray of float32, (pairs, shifts, angles)
    """
    grid = params.grid
    logs = np.empty((len(pairs), len(shifts), grid.angles), np.float32)
    partly = np.array([each is not None for each in weights], np.bool_)[pairs.seen]
    for rows in (np.flatnonzero(~partly), np.flatnonzero(partly)):
        if not len(rows):
            continue
        chosen, place = np.unique(pairs.seen[rows], return_inverse=True)
        some = Pairs(seen=place, taught=pairs.taught[rows], color=pairs.color[rows])
        seen = np.stack([sample_rings(faces[i], grid, shifts) for i in chosen])
        hiding = [each for i in chosen if (each := weights[i]) is not None]
        if hiding:
            shown = np.stack([sample_rings(each[None], grid, shifts) for each in hiding])
            visible = _visible_part(shown, some, taught, grid)
        else:
            visible = _whole(some, taught)
        logs[rows] = _compared(seen, visible, some, taught, params)
    return logs


def _whole(pairs: Pairs, taught: TaughtRings) -> _Visible:
    mean, spread = (each[pairs.taught, None, None] for each in (taught.mean, taught.spread))
    return _Visible(share=np.ones((1, 1, 1), np.float32), mean=mean, spread=spread)


def _visible_part(shown: Floats, pairs: Pairs, taught: TaughtRings, grid: RingGrid) -> _Visible:
    """Say what would be seen through weights of shape (seen, 1, shifts, rings, angles)."""
    share = (shown * ring_area(grid)).sum(axis=(1, 3, 4))[pairs.seen, :, None]
    share = np.maximum(share, 1e-6)
    spectra = _by_frequency(shown)
    mean = _at_all_turns(spectra, taught.rings, pairs, grid.angles)
    square = _at_all_turns(spectra, taught.squared, pairs, grid.angles)
    return _Visible(share=share, mean=mean, spread=np.maximum(square - mean**2 / share, 0))


def _compared(
    seen: Floats, visible: _Visible, pairs: Pairs, taught: TaughtRings, params: FaceParams
) -> Floats:
    """Compare rings of shape (seen, 3, shifts, rings, angles) with those of the pairs."""
    share, evidence = visible.share, taught.evidence[pairs.taught, None, None]
    mean, total = (
        each[pairs.seen, :, pairs.taught, None] for each in _moments(seen, taught, params)
    )
    total = np.maximum(total - mean**2 / share, 0)
    cross = _at_all_turns(_by_frequency(seen), taught.seen_by, pairs, params.grid.angles)
    cross -= mean * visible.mean / share
    # The ink's contrast is fitted, but held near the taught one: a face that should show ink in
    # what is seen and shows none is not explained by ink of no contrast.
    hold = np.float32(params.noise / params.gain_sigma**2) / evidence
    cross += hold
    fitted = np.maximum(cross, 0, out=cross)
    fitted *= fitted
    fitted /= visible.spread + hold
    left_over = np.maximum(total + hold - fitted, 0)
    # What stays unexplained grows with the contrast at which the ink is seen.
    noise = params.noise * np.maximum(total / share, params.faint)
    explained = (noise + total / share) / (noise + left_over / share)
    return np.asarray(0.5 * evidence * share * np.log(explained), np.float32)


def _moments(seen: Floats, taught: TaughtRings, params: FaceParams) -> tuple[Floats, Floats]:
    """Mean and mean square of seen faces through each color's mix, shape (seen, shifts, n)."""
    flat = seen.reshape(*seen.shape[:3], -1)
    area = ring_area(params.grid).repeat(params.grid.angles)
    means = np.einsum("nask,k->nsa", flat, area)
    squares = np.einsum("nask,nbsk->nsab", flat * area, flat)
    both = (taught.mix[:, None] * taught.mix).reshape(9, -1)
    return means @ taught.mix, squares.reshape(*means.shape[:2], 9) @ both


def _spectra(rings: Floats) -> Spectra:
    """Transform rings along their angle; ink is smooth there, the highest are the sampling's."""
    return np.asarray(fft.rfft(rings, axis=-1)[..., :FREQUENCIES], np.complex64)


def _by_frequency(rings: Floats) -> Spectra:
    """Spectra of (seen, channels, shifts, rings, angles): (frequencies, seen, shifts, the rest)."""
    spectra = _spectra(rings).transpose(4, 0, 2, 1, 3)
    return np.ascontiguousarray(spectra).reshape(*spectra.shape[:3], -1)


def _at_all_turns(seen: Spectra, taught: Spectra, pairs: Pairs, angles: int) -> Floats:
    """Sum of products of seen faces with taught ones (conjugate) at every clockwise turn."""
    frequencies, count, shifts, rings = seen.shape
    joined = seen.reshape(frequencies, -1, rings) @ taught
    joined = joined.reshape(frequencies, count, shifts, -1)[:, pairs.seen, :, pairs.taught]
    return np.asarray(fft.irfft(joined.swapaxes(1, 2), n=angles, axis=-1), np.float32)
