"""How well taught rings explain seen ones, at all turns at once.

A turned face is its rings shifted along one axis, so that one Fourier transform compares all turns
(see `faces`). Where the ink is hidden, all faces explain what is left equally well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from sonora_vision.detect.faces import Floats, RingGrid
from sonora_vision.detect.taught_faces import ColorFaces, FaceParams

Spectra = NDArray[np.complex64]


def ring_area(grid: RingGrid) -> Floats:
    """Return the part of all samples' area that one of each ring stands for, shape (rings, 1)."""
    return np.asarray(grid.radii / (grid.radii.sum() * grid.angles), np.float32)[:, None]


@dataclass(frozen=True, kw_only=True)
class Visible:
    """What of each taught face would be seen where a face is visible, at every turn.

    Shapes (crops, shifts, numbers, angles); 1 along all but numbers where all is visible.
    """

    share: Floats
    """Part of the area that is visible."""
    mean: Floats
    """Sum of the taught ink there."""
    spread: Floats
    """Its sum of squares about the mean."""


@dataclass(frozen=True, kw_only=True)
class TaughtRings:
    """A color's taught faces, ready to be compared: spectra of (frequencies, numbers, rings)."""

    rings: Spectra
    squared: Spectra
    whole: Visible
    """What is seen of them in plain view."""
    evidence: float
    """How many independent observations a wholly visible face is worth against them."""


def taught_rings(faces: ColorFaces, params: FaceParams) -> TaughtRings:
    """Prepare a color's faces, which takes as long as comparing some."""
    area = ring_area(params.grid)
    mean, square = (
        (each * area).sum(axis=(1, 2))[:, None] for each in (faces.rings, faces.rings**2)
    )
    return TaughtRings(
        rings=ring_spectra(faces.rings).conj(),
        squared=ring_spectra(faces.rings**2).conj(),
        whole=Visible(
            share=np.ones((1, 1, 1, 1), np.float32),
            mean=mean,
            spread=np.maximum(square - mean**2, 0),
        ),
        evidence=params.evidence * faces.pictures / (faces.pictures + 1),
    )


def visible_part(weights: Spectra, taught: TaughtRings, grid: RingGrid) -> Visible:
    """Say what would be seen through weights.

    Parameters
    ----------
    weights
        Spectra of what is visible of each ring times its area, (frequencies, crops, shifts, rings).
    """
    share = np.maximum(weights[0].real.sum(axis=2), 1e-6)[..., None, None]
    mean = _at_all_turns(weights, taught.rings, grid.angles)
    square = _at_all_turns(weights, taught.squared, grid.angles)
    return Visible(share=share, mean=mean, spread=np.maximum(square - mean**2 / share, 0))


def log_likelihoods(
    face: Floats, visible: Visible, taught: TaughtRings, params: FaceParams
) -> Floats:
    """Compare seen rings with taught ones at all angles.

    Parameters
    ----------
    face
        Seen rings, (crops, shifts, rings, angles), 0 where hidden.
    visible
        What of the taught ones would be seen there.

    Returns
    -------
    ndarray of float32, (crops, shifts, numbers, angles)
    """
    share, evidence = visible.share, taught.evidence
    weighted = face * ring_area(params.grid)
    mean = weighted.sum(axis=(2, 3))[..., None, None]
    total = np.einsum("csra,csra->cs", weighted, face)[..., None, None]
    total = np.maximum(total - mean**2 / share, 0)
    cross = _at_all_turns(ring_spectra(weighted), taught.rings, params.grid.angles)
    cross -= mean * visible.mean / share
    # The ink's contrast is fitted, but held near the taught one: a face that should show ink in
    # what is seen and shows none is not explained by ink of no contrast.
    hold = np.float32(params.noise / (evidence * params.gain_sigma**2))
    fitted = np.maximum(cross + hold, 0)
    left_over = np.maximum(total + hold - fitted * fitted / (visible.spread + hold), 0)
    # What stays unexplained grows with the contrast at which the ink is seen.
    noise = params.noise * np.maximum(total / share, params.faint)
    explained = (noise + total / share) / (noise + left_over / share)
    return np.asarray(0.5 * evidence * share * np.log(explained), np.float32)


def ring_spectra(rings: Floats) -> Spectra:
    """Transform rings along their angle, (..., rings, angles) to (frequencies, ..., rings).

    Ink is smooth along a ring: the highest frequencies are the sampling's.
    """
    spectra = fft.rfft(rings, axis=-1)[..., :FREQUENCIES]
    return np.ascontiguousarray(np.moveaxis(spectra, -1, 0), np.complex64)


FREQUENCIES = 40
"""Of the turns of a face, so many are told apart: a stroke is a fifteenth of a turn wide."""


def _at_all_turns(seen: Spectra, taught: Spectra, angles: int) -> Floats:
    """Sum of products of seen faces with taught ones (conjugate) at every clockwise turn."""
    frequencies, *many, rings = seen.shape
    joined = seen.reshape(frequencies, -1, rings) @ taught.swapaxes(1, 2)
    turned = fft.irfft(np.moveaxis(joined, 0, -1), n=angles, axis=-1)
    return np.asarray(turned, np.float32).reshape(*many, -1, angles)
