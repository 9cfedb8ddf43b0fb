"""Numbers on discs whose faces nobody taught: a small network that turning does not disturb.

The face's rings (see `faces`) are convolved around the circle, three layers deep, so that a turned
face gives the same answer turned; each of the last layer's outputs says how well the face fits a
number at one angle, and summing over angles gives the number. Light ink and dark ink are both
tried. The weights were trained on faces drawn by ``tools/train_number_reader.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from sonora_vision.detect.faces import (
    FaceCrop,
    FaceEvidence,
    Floats,
    RingGrid,
    blurred,
    disk,
    sample_rings,
    unshaded,
)

GRID = RingGrid(rings=12, angles=64, inner=0.06, outer=0.80)
MAX_DIGIT = 9
"""The largest number that the network was shown."""
WEIGHTS_FILE = "number_reader.npz"
_BLUR_PX = 0.6
_COMPARED = 0.82
_RIDGE = 0.05
_FAINT = 0.03
"""Ink that departs from the wood by less than this part of its light is not amplified further."""


@dataclass(frozen=True, kw_only=True)
class Network:
    """Kernels around the circle, and what makes outputs probabilities.

    Attributes
    ----------
    kernels : tuple of ndarray
        One a layer, of shape (channels out, channels in, angles).
    offsets : tuple of ndarray
        One a layer, of shape (channels out,).
    sharpness : float
        What log-likelihoods are multiplied with, so that they come true on unseen fonts.
    surprise : float
        Chance that a face looks like another number for reasons that were not drawn.
    """

    kernels: tuple[Floats, ...]
    offsets: tuple[Floats, ...]
    sharpness: float
    surprise: float


def face_features(crop: FaceCrop) -> Floats:
    """Rings of the face's ink, and of what is visible of it: shape (2 * rings, angles)."""
    inside = disk(_COMPARED) & crop.visible
    weight = crop.visible.astype(np.float32)
    if not inside.any():
        return np.zeros((2 * GRID.rings, GRID.angles), np.float32)
    seen = np.moveaxis(crop.pixels_bgr, -1, 0)[None].astype(np.float32)
    pixels = blurred(seen, crop.visible[None], _BLUR_PX)
    level = max(float(pixels[0, :, inside].mean()), 1.0)
    flat = unshaded(pixels, inside[None], _RIDGE)[0] / np.float32(level)
    compared = inside & disk(0.7)
    samples = flat[:, compared if compared.any() else inside]
    _, axes = np.linalg.eigh(np.atleast_2d(samples @ samples.T))
    ink = np.tensordot(axes[:, -1], flat, 1).astype(np.float32)
    ink = (ink - ink[inside].mean()) / np.float32(max(float(ink[inside].std()), _FAINT))
    rings = sample_rings(np.stack([np.clip(ink, -4, 4) * weight, weight]), GRID)
    return rings.reshape(2 * GRID.rings, GRID.angles)


def turned_scores(network: Network, features: Floats) -> Floats:
    """How well each face fits each number at each angle, of shape (faces, numbers, angles)."""
    channels = features
    last = len(network.kernels) - 1
    for layer, (kernel, offset) in enumerate(zip(network.kernels, network.offsets, strict=True)):
        channels = around(channels, kernel) + offset[:, None]
        if layer < last:
            channels = np.maximum(channels, 0)
    return channels


def around(channels: Floats, kernel: Floats) -> Floats:
    """Convolve (faces, channels in, angles) around the circle to (faces, channels out, angles)."""
    seen = np.moveaxis(fft.rfft(channels, axis=-1), -1, 0)
    weights = np.moveaxis(fft.rfft(kernel, n=channels.shape[-1], axis=-1), -1, 0)
    joined = np.moveaxis(seen @ weights.swapaxes(1, 2), 0, -1)
    return np.asarray(fft.irfft(joined, n=channels.shape[-1], axis=-1), np.float32)


def both_inks(features: Floats) -> Floats:
    """Append the same faces with light and dark exchanged: (2 * faces, channels, angles)."""
    sign = np.repeat(np.array([-1, 1], np.float32), GRID.rings)[:, None]
    return np.concatenate([features, features * sign])


class NumberReader:
    """Reads numbers of any font at any angle, without having been shown the faces.

    Parameters
    ----------
    network : Network
    """

    def __init__(self, network: Network) -> None:
        self.network = network

    @classmethod
    def load(cls) -> NumberReader:
        """Load the reader that comes with the package."""
        with resources.files(__package__).joinpath(WEIGHTS_FILE).open("rb") as file:
            return cls(network_from_arrays(dict(np.load(file, allow_pickle=False))))

    def read(
        self, crops: Sequence[FaceCrop], numbers: Sequence[int] = (1, 2, 3, 4, 5)
    ) -> list[FaceEvidence]:
        """Read the numbers of all faces of a photograph.

        Parameters
        ----------
        crops : sequence of FaceCrop
        numbers : sequence of int
            The numbers that there are, each 0 to 9. Turned, a 6 and a 9 are one face.

        Returns
        -------
        list of FaceEvidence
            One for each crop, alike for each of its colors (for the color "" if it has none);
            no angles.
        """
        if not crops or not numbers:
            return [FaceEvidence() for _ in crops]
        features = np.stack([face_features(crop) for crop in crops])
        scores = turned_scores(self.network, both_inks(features))[:, list(numbers)]
        scores = np.concatenate(np.split(scores, 2), axis=2)
        top = scores.max(axis=2, keepdims=True)
        logs = top[..., 0] + np.log(np.exp(scores - top).mean(axis=2))
        logs = (logs - logs.max(axis=1, keepdims=True)) * self.network.sharpness
        logs = np.logaddexp(logs, np.log(self.network.surprise))
        area = GRID.radii / GRID.radii.sum()
        seen = (features[:, GRID.rings :].mean(axis=2) * area).sum(axis=1)
        return [
            FaceEvidence(
                log_likelihood={
                    (color, number): float(logs[row, column])
                    for color in crop.colors or ("",)
                    for column, number in enumerate(numbers)
                },
                seen_share=float(seen[row]),
            )
            for row, crop in enumerate(crops)
        ]


def network_to_arrays(network: Network) -> dict[str, NDArray[np.generic]]:
    """Return the network as arrays for one npz file, halves as precise as when trained."""
    arrays: dict[str, NDArray[np.generic]] = {
        "sharpness": np.array([network.sharpness], np.float32),
        "surprise": np.array([network.surprise], np.float32),
    }
    for layer, (kernel, offset) in enumerate(zip(network.kernels, network.offsets, strict=True)):
        arrays[f"kernel_{layer}"] = kernel.astype(np.float16)
        arrays[f"offset_{layer}"] = offset.astype(np.float32)
    return arrays


def network_from_arrays(arrays: Mapping[str, NDArray[np.generic]]) -> Network:
    """Make the network that `network_to_arrays` described."""
    layers = range(sum(name.startswith("kernel_") for name in arrays))
    return Network(
        kernels=tuple(np.asarray(arrays[f"kernel_{i}"], np.float32) for i in layers),
        offsets=tuple(np.asarray(arrays[f"offset_{i}"], np.float32) for i in layers),
        sharpness=float(np.asarray(arrays["sharpness"], np.float64)[0]),
        surprise=float(np.asarray(arrays["surprise"], np.float64)[0]),
    )
