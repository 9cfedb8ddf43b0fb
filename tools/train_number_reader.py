"""Train the general number reader on drawn faces: ``python tools/train_number_reader.py``.

Needs the ``train`` extra (fonts, threadpoolctl). Takes about a quarter of an hour on two cores, and
writes the weights into the package; the same seed gives the same weights on the same machine.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from draw_number_faces import FONT_PACKAGES, HELD_OUT, draw, glyphs, stroked_glyphs
from numpy.typing import NDArray
from scipy import fft
from threadpoolctl import threadpool_limits

import sonora_vision.detect
from sonora_vision.detect.faces import Floats
from sonora_vision.detect.general_digits import (
    GRID,
    WEIGHTS_FILE,
    Network,
    around,
    both_inks,
    face_features,
    network_to_arrays,
    turned_scores,
)

SUPPORTS = (9, 9, GRID.angles)
"""Angles that each layer's kernels span."""
CHANNELS = (2 * GRID.rings, 40, 40, 10)
Labels = NDArray[np.int64]


def draw_many(job: tuple[tuple[str, ...], int, int]) -> tuple[NDArray[np.float16], Labels]:
    """Draw faces of these font packages, by a seed of their own."""
    packages, count, seed = job
    rng = np.random.default_rng(seed)
    fonts = glyphs(packages) + (stroked_glyphs() if len(packages) > len(HELD_OUT) else [])
    features = np.empty((count, CHANNELS[0], GRID.angles), np.float16)
    labels = np.empty(count, np.int64)
    for i in range(count):
        crop, labels[i] = draw(fonts, rng)
        features[i] = face_features(crop)
    return features, labels


@dataclass
class Adam:
    """Kingma and Ba's optimizer over a list of arrays."""

    weights: list[Floats]
    step: int = 0

    def __post_init__(self) -> None:
        """Start without momentum."""
        self._mean = [np.zeros_like(w) for w in self.weights]
        self._square = [np.zeros_like(w) for w in self.weights]

    def update(self, slopes: list[Floats], rate: float, decay: float) -> None:
        """Go one step down."""
        self.step += 1
        fix = np.sqrt(1 - 0.999**self.step) / (1 - 0.9**self.step)
        for weight, slope, mean, square in zip(
            self.weights, slopes, self._mean, self._square, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= rate * (fix * mean / (np.sqrt(square) + 1e-8) + decay * weight)


def number_logs(scores: Floats) -> tuple[Floats, Floats]:
    """Sum over angles and inks: log-likelihoods (faces, numbers), and each term's part of it."""
    joined = np.concatenate(np.split(scores, 2), axis=2)
    top = joined.max(axis=2, keepdims=True)
    each = np.exp(joined - top)
    total = each.sum(axis=2, keepdims=True)
    return (top + np.log(total))[..., 0], each / total


def slopes_of(
    network: Network, features: Floats, labels: Labels
) -> tuple[float, list[Floats], list[Floats]]:
    """Mean loss, and its slopes in kernels and offsets."""
    inputs, channels = [], both_inks(features)
    for layer, (kernel, offset) in enumerate(zip(network.kernels, network.offsets, strict=True)):
        inputs.append(channels)
        channels = around(channels, kernel) + offset[:, None]
        if layer < len(network.kernels) - 1:
            channels = np.maximum(channels, 0)
    logs, parts = number_logs(channels)
    logs = logs - logs.max(axis=1, keepdims=True)
    chance = np.exp(logs)
    chance /= chance.sum(axis=1, keepdims=True)
    rows = np.arange(len(labels))
    loss = float(-np.log(chance[rows, labels] + 1e-12).mean())
    chance[rows, labels] -= 1
    back = np.concatenate(np.split(parts * (chance / len(labels))[..., None], 2, axis=2))
    kernel_slopes: list[Floats] = []
    offset_slopes: list[Floats] = []
    for layer in reversed(range(len(network.kernels))):
        given, kernel = inputs[layer], network.kernels[layer]
        back_f = np.moveaxis(fft.rfft(back, axis=-1), -1, 0)
        given_f = np.moveaxis(fft.rfft(given, axis=-1), -1, 0)
        weights_f = np.moveaxis(fft.rfft(kernel, n=GRID.angles, axis=-1), -1, 0)
        slope_f = np.moveaxis(back_f.swapaxes(1, 2) @ given_f.conj(), 0, -1)
        slope = fft.irfft(slope_f, n=GRID.angles, axis=-1)[..., : kernel.shape[-1]]
        kernel_slopes.insert(0, slope.astype(np.float32))
        offset_slopes.insert(0, back.sum(axis=(0, 2)).astype(np.float32))
        if layer:
            back = fft.irfft(np.moveaxis(back_f @ weights_f.conj(), 0, -1), n=GRID.angles, axis=-1)
            back = np.asarray(back * (given > 0), np.float32)
    return loss, kernel_slopes, offset_slopes


def fresh_network(rng: np.random.Generator) -> Network:
    """Random weights, of a size that keeps signals alive."""
    kernels, offsets = [], []
    for inside, outside, support in zip(CHANNELS[:-1], CHANNELS[1:], SUPPORTS, strict=True):
        size = np.sqrt(2 / (inside * support))
        kernels.append(rng.normal(0, size, (outside, inside, support)).astype(np.float32))
        offsets.append(np.zeros(outside, np.float32))
    return Network(kernels=tuple(kernels), offsets=tuple(offsets), sharpness=1.0, surprise=1e-3)


def logs_of(network: Network, features: NDArray[np.float16]) -> Floats:
    """Log-likelihoods of many faces, a few at a time."""
    parts = np.array_split(features, max(len(features) // 500, 1))
    scores = (turned_scores(network, both_inks(part.astype(np.float32))) for part in parts)
    return np.concatenate([number_logs(score)[0] for score in scores])


def loss_at(logs: Floats, labels: Labels, sharpness: float, surprise: float) -> float:
    """Mean loss of log-likelihoods made this sharp."""
    scaled = np.logaddexp((logs - logs.max(axis=1, keepdims=True)) * sharpness, np.log(surprise))
    chance = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
    return float(-chance[np.arange(len(labels)), labels].mean())


def calibrated(network: Network, features: NDArray[np.float16], labels: Labels) -> Network:
    """Choose how sharp the answers are by fonts that were not trained on."""
    logs = logs_of(network, features)
    choices = [
        (loss_at(logs, labels, sharp, surprise), sharp, surprise)
        for sharp in np.arange(0.4, 1.3, 0.05)
        for surprise in (1e-3, 3e-3)
    ]
    _, sharp, surprise = min(choices)
    return replace(network, sharpness=float(sharp), surprise=surprise)


def train(count: int, rounds: int, seed: int) -> Network:
    """Draw, train, and calibrate."""
    trained_on = tuple(p for p in FONT_PACKAGES if p not in HELD_OUT)
    jobs = [(trained_on, count // 20, seed * 1000 + i) for i in range(20)]
    jobs += [(HELD_OUT, 2000, seed * 1000 + 500 + i) for i in range(2)]
    with Pool(os.cpu_count()) as pool:
        drawn = list(pool.imap(draw_many, jobs))
    features = np.concatenate([f for f, _ in drawn[:-2]])
    labels = np.concatenate([n for _, n in drawn[:-2]])
    unseen = np.concatenate([f for f, _ in drawn[-2:]])
    unseen_labels = np.concatenate([n for _, n in drawn[-2:]])
    rng = np.random.default_rng(seed)
    network = fresh_network(rng)
    adam = Adam([*network.kernels, *network.offsets])
    batch, done, total = 256, 0, rounds * (len(labels) // 256)
    for round_ in range(rounds):
        losses, began = [], time.monotonic()
        order = rng.permutation(len(labels))
        for start in range(0, len(order) - batch + 1, batch):
            rows = order[start : start + batch]
            loss, kernels, offsets = slopes_of(
                network, features[rows].astype(np.float32), labels[rows]
            )
            rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * done / total))
            adam.update(kernels + offsets, rate, decay=1e-3)
            losses.append(loss)
            done += 1
        logs = logs_of(network, unseen)
        right = float((logs.argmax(axis=1) == unseen_labels).mean())
        print(
            f"round {round_ + 1} of {rounds}: loss {np.mean(losses):.4f}, unseen fonts: "
            f"{right:.4f} right, loss {loss_at(logs, unseen_labels, 1.0, 1e-3):.4f}, "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )
    return calibrated(network, unseen, unseen_labels)


def main() -> None:
    """Train, and write the weights into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faces", type=int, default=60_000, help="how many faces to draw")
    parser.add_argument("--rounds", type=int, default=10, help="passes over the drawn faces")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    out = given.out or Path(next(iter(sonora_vision.detect.__path__))) / WEIGHTS_FILE
    with threadpool_limits(1):  # many small products: threads would only wait for each other
        network = train(given.faces, given.rounds, given.seed)
    part = out.with_suffix(".part.npz")
    np.savez_compressed(part, **network_to_arrays(network))
    part.replace(out)
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB, sharpness {network.sharpness:.2f}")


if __name__ == "__main__":
    main()
