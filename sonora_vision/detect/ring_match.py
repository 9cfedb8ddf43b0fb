"""How well taught rings explain seen ones, at all turns at once.

A turned face is its rings shifted along one axis, so that one Fourier transform compares all turns
(see `faces`). Faces are seen in three channels; what a color's mix makes of them is a sum, so that
faces of all colors are compared in one product. Where the ink is hidden, all faces explain what is
left equally well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from sonora_vision.detect.faces import Floats, Mask, RingGrid, sample_rings
from sonora_vision.detect.taught_faces import ColorFaces, FaceParams

Spectra = NDArray[np.complex64]
Indices = NDArray[np.intp]
Shifts = tuple[tuple[float, float], ...]

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
    """What shows a seen face as ink of each face's color, shape (n, 3)."""
    seen_by: Spectra
    """What is multiplied with a seen face's spectra, shape (frequencies, rings * 3, n)."""
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
    mix = mix.repeat(count, axis=0)
    area = ring_area(grid)
    mean, square = ((each * area).sum(axis=(1, 2)) for each in (rings, rings**2))
    worth = [params.evidence * each.pictures / (each.pictures + 1) for each in faces.values()]
    spectra, squared = (
        _spectra(each * area, axis=2).conj().transpose(2, 1, 0) for each in (rings, rings**2)
    )
    seen_by = spectra[:, :, None] * mix.T
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


def ring_area(grid: RingGrid) -> Floats:
    """Return the part of all samples' area that one of each ring stands for, shape (rings, 1)."""
    return np.asarray(grid.radii / (grid.radii.sum() * grid.angles), np.float32)[:, None]


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Which seen face is compared with which taught one; each array of shape (pairs,)."""

    seen: Indices
    taught: Indices

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.seen)

    def only(self, some: Mask | Indices) -> Pairs:
        """Return some of the pairs."""
        return Pairs(seen=self.seen[some], taught=self.taught[some])


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
        Flattened faces, shape (n, 64, 64, 3), 0 where hidden.
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
        some = Pairs(seen=place, taught=pairs.taught[rows])
        seen = np.stack([sample_rings(faces[i], grid, shifts) for i in chosen])
        hiding = [each for i in chosen if (each := weights[i]) is not None]
        if hiding:
            shown = np.stack([sample_rings(each, grid, shifts) for each in hiding])
            visible = _visible_part(shown, some, taught, grid)
        else:
            visible = _whole(some, taught)
        logs[rows] = _compared(seen, visible, some, taught, params)
    return logs


def _whole(pairs: Pairs, taught: TaughtRings) -> _Visible:
    mean, spread = (each[pairs.taught, None, None] for each in (taught.mean, taught.spread))
    return _Visible(share=np.ones((1, 1, 1), np.float32), mean=mean, spread=spread)


def _visible_part(shown: Floats, pairs: Pairs, taught: TaughtRings, grid: RingGrid) -> _Visible:
    """Say what would be seen through weights of shape (seen, shifts, rings, angles)."""
    share = (shown * ring_area(grid)).sum(axis=(2, 3))[pairs.seen, :, None]
    share = np.maximum(share, 1e-6)
    spectra = _frequencies_first(_spectra(shown, axis=3))
    mean = _at_all_turns(spectra, taught.rings, pairs, grid.angles)
    square = _at_all_turns(spectra, taught.squared, pairs, grid.angles)
    return _Visible(share=share, mean=mean, spread=np.maximum(square - mean**2 / share, 0))


def _compared(
    seen: Floats, visible: _Visible, pairs: Pairs, taught: TaughtRings, params: FaceParams
) -> Floats:
    """Compare rings of shape (seen, shifts, rings, angles, 3) with those of the pairs."""
    share, evidence = visible.share, taught.evidence[pairs.taught, None, None]
    means, squares = _moments(seen, params.grid)
    mix = taught.mix[pairs.taught]
    mean = np.einsum("psc,pc->ps", means[pairs.seen], mix)[..., None]
    total = np.einsum("pscd,pc,pd->ps", squares[pairs.seen], mix, mix, optimize=True)[..., None]
    total = np.maximum(total - mean**2 / share, 0)
    spectra = _frequencies_first(_spectra(seen, axis=3))
    cross = _at_all_turns(spectra, taught.seen_by, pairs, params.grid.angles)
    cross -= mean * visible.mean / share
    # The ink's contrast is fitted, but held near the taught one: a face that should show ink in
    # what is seen and shows none is not explained by ink of no contrast.
    hold = np.float32(params.noise / params.gain_sigma**2) / evidence
    fitted = np.maximum(cross + hold, 0)
    left_over = np.maximum(total + hold - fitted * fitted / (visible.spread + hold), 0)
    # What stays unexplained grows with the contrast at which the ink is seen.
    noise = params.noise * np.maximum(total / share, params.faint)
    explained = (noise + total / share) / (noise + left_over / share)
    return np.asarray(0.5 * evidence * share * np.log(explained), np.float32)


def _moments(seen: Floats, grid: RingGrid) -> tuple[Floats, Floats]:
    """Means of the channels and of their products over the area, (seen, shifts, 3) and (.., 3)."""
    flat = seen.reshape(*seen.shape[:2], -1, 3)
    area = ring_area(grid).repeat(grid.angles, axis=0)
    means = np.asarray(area.T @ flat, np.float32)[:, :, 0]
    return means, np.asarray((flat * area).swapaxes(2, 3) @ flat, np.float32)


def _spectra(rings: Floats, axis: int) -> Spectra:
    """Transform rings along their angle; ink is smooth there, the highest are the sampling's."""
    spectra = fft.rfft(rings, axis=axis)
    return np.asarray(spectra[(slice(None),) * axis + (slice(FREQUENCIES),)], np.complex64)


def _frequencies_first(spectra: Spectra) -> Spectra:
    """From (seen, shifts, rings, frequencies, ...) to (frequencies, seen, shifts, rings * ...)."""
    moved = np.moveaxis(spectra, 3, 0)
    return np.ascontiguousarray(moved).reshape(*moved.shape[:3], -1)


def _at_all_turns(seen: Spectra, taught: Spectra, pairs: Pairs, angles: int) -> Floats:
    """Sum of products of seen faces with taught ones (conjugate) at every clockwise turn."""
    frequencies, count, shifts, rings = seen.shape
    joined = seen.reshape(frequencies, -1, rings) @ taught
    joined = joined.reshape(frequencies, count, shifts, -1)[:, pairs.seen, :, pairs.taught]
    return np.asarray(fft.irfft(joined.swapaxes(1, 2), n=angles, axis=-1), np.float32)
