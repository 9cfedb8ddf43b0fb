"""What color a disc is: taught log colors, and how far light may carry a seen one from them.

Colors are compared as logarithms in the light of the teaching (see :mod:`scene`): there a change
of brightness is a shift along (1, 1, 1) and a change of the lamp's tint a shift across it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.detect.light import Floats, channel_sum

FloatArray = NDArray[np.float64]

LEVEL_SIGMA = 0.13
"""How far brightness still strays after the light is taken out, log units: shade beside hands and
other discs, and the tilt of a surface."""
HUE_SIGMA = 0.07
"""The same for each channel's share: lamps of two tints in one picture."""
VEIL_SIGMA = 4.0
"""Grey levels of haze that go unnoticed: dark paints move most."""


LEARNED = 0.75
"""Part of the light's freedom that is left once a picture's own discs have told its light."""


@dataclass(frozen=True, eq=False)
class DiscColors:
    """The taught colors of the discs."""

    names: tuple[str, ...]
    means: FloatArray
    """Log color of the bare face, shape (k, 3), in the light of the teaching."""
    spreads: FloatArray
    """Covariance over a face's pixels (grain, brush), shape (k, 3, 3)."""
    wider: float = 1.0
    """How much farther than usual light may carry a color: more than 1 where it was not taught in
    light that is known."""

    @classmethod
    def learn(cls, faces: Mapping[str, Sequence[Floats]]) -> DiscColors:
        """Learn from the pixels of taught faces.

        Parameters
        ----------
        faces
            For every color the log colors of its faces' pixels, each of shape (n, 3). Ink is
            there too; the bare face is what most of the pixels agree on.
        """
        means, spreads = [], []
        for pieces in faces.values():
            pixels = np.concatenate([np.asarray(p, np.float64) for p in pieces])
            middle = np.median(pixels, axis=0)
            bare = pixels[np.abs(pixels - middle).max(axis=1) < 0.35]
            means.append(np.median(bare, axis=0))
            spreads.append(np.cov(bare.T))
        return cls(names=tuple(faces), means=np.array(means), spreads=np.array(spreads))

    def pixel_log_likelihood(self, colors: Floats, where: int) -> Floats:
        """Log density of pixels under one color, shape of ``colors`` without its last axis."""
        whiten, scale = self._whitening[where]
        white = cv2.transform(colors, whiten)
        squared = channel_sum(np.asarray(white * white, np.float32))
        return np.asarray(-0.5 * np.minimum(squared, 40.0) - scale, np.float32)

    @cached_property
    def _whitening(self) -> list[tuple[Floats, float]]:
        """For every color what whitens distances to it, shape (3, 4), and its density's scale."""
        found = []
        for mean, spread in zip(self.means, self.spreads, strict=True):
            covariance = spread + light_covariance(LEVEL_SIGMA, HUE_SIGMA)
            whiten = np.linalg.cholesky(np.linalg.inv(covariance)).T
            shifted = np.column_stack([whiten, -whiten @ mean]).astype(np.float32)
            scale = 0.5 * float(np.log(np.linalg.det(2 * np.pi * covariance)))
            found.append((np.asarray(shifted, np.float32), scale))
        return found

    def face_log_likelihood(
        self,
        color: FloatArray,
        trouble: float | FloatArray,
        veil: float | FloatArray,
        shifts: FloatArray | None = None,
    ) -> FloatArray:
        """Log likelihood of faces' typical colors under each taught color.

        Parameters
        ----------
        color
            Median log color of the visible bare face, shape (..., 3).
        trouble
            Shape (...): 0 for a face in plain view, towards 1 where glare, clipping or little
            visible area make its color uncertain: widens what is allowed.
        veil
            Shape (...): haze at the face, grey levels, of which half was taken off.
        shifts
            How far this picture's discs of each color lie from the taught ones, shape (k, 3), where
            that was learned from discs beyond question: then less is allowed beyond it.

        Returns
        -------
        ndarray of float64, shape (..., k)
        """
        apart, covariance = self._paint_apart(color, trouble, veil, shifts)
        white = np.linalg.solve(covariance, apart[..., None])[..., 0]
        squared = (apart * white).sum(axis=-1)
        return np.asarray(_student(squared, 3), np.float64)

    def least_apart(self) -> float:
        """Return how far the two most alike colors are apart, in sigmas of the usual light."""
        light = np.linalg.inv(light_covariance(LEVEL_SIGMA * self.wider, HUE_SIGMA * self.wider))
        apart = self.means[:, None] - self.means[None]
        squared = np.einsum("abi,ij,abj->ab", apart, light, apart)
        pairs = squared[np.triu_indices(len(self.means), 1)]
        return float(np.sqrt(pairs.min())) if len(pairs) else float("inf")

    def ink_log_likelihood(
        self,
        which: Sequence[int],
        color: FloatArray,
        contrasts: FloatArray,
        variances: FloatArray,
        trouble: float,
        veil: float,
        shifts: FloatArray | None,
    ) -> FloatArray:
        """Log likelihood of a face's contrasts under taught colors, its paint being given.

        The lamp's tint is common to paint and contrast, so that it is held against a color once;
        haze, glare and shade are in the paint alone.

        Parameters
        ----------
        which
            Which colors; m of them.
        color, trouble, veil, shifts
            As for the paint of one face, see :meth:`face_log_likelihood`.
        contrasts
            Log of the seen contrasts of ink and paint to each taught one, in the light of the
            teaching, shape (m, 3); only the channels' differences count.
        variances
            Of these, the lamp's tint left out, shape (m, 3).

        Returns
        -------
        ndarray of float64, shape (m,)
        """
        apart, covariance = (
            each[list(which)] for each in self._paint_apart(color, trouble, veil, shifts)
        )
        free = self.wider * (1.0 if shifts is None else LEARNED)
        tint = light_covariance(0.0, HUE_SIGMA * free)
        both = np.empty((len(apart), 6, 6))
        both[:, :3, :3], both[:, :3, 3:], both[:, 3:, :3] = covariance, tint, tint
        both[:, 3:, 3:] = tint + ANY_CONTRAST**2 + variances[:, :, None] * np.eye(3)
        common = 0.0 if shifts is None else shifts.mean(axis=0)
        rest = contrasts - contrasts.mean(axis=1, keepdims=True) - common
        paint, all_six = (
            (each * np.linalg.solve(matrix, each[..., None])[..., 0]).sum(axis=1)
            for each, matrix in ((apart, covariance), (np.hstack([apart, rest]), both))
        )
        return np.asarray(_student(all_six, 5) - _student(paint, 3), np.float64)

    def _paint_apart(
        self,
        color: FloatArray,
        trouble: float | FloatArray,
        veil: float | FloatArray,
        shifts: FloatArray | None,
    ) -> tuple[FloatArray, FloatArray]:
        """How far faces' paint is from each taught one, (..., k, 3), and that's covariance."""
        wider = self.wider * (1 + 2.5 * np.asarray(trouble, np.float64))
        expected = self.means
        if shifts is not None:
            wider, expected = wider * LEARNED, self.means + shifts
        light = light_covariance(LEVEL_SIGMA, HUE_SIGMA) * np.square(wider)[..., None, None, None]
        lift = np.exp(-self.means) * ((VEIL_SIGMA + 0.5 * veil) * wider)[..., None, None]
        return color[..., None, :] - expected, light + lift[..., None] * lift[..., None, :]


ANY_CONTRAST = 3.0
"""Log units by which light may strengthen or weaken all contrasts of a face: any."""


def _student(squared: FloatArray | float, dimensions: int) -> FloatArray | float:
    """Log density of Student's t with 4 degrees of freedom: what is far from all says little."""
    return -0.5 * (4 + dimensions) * np.log1p(squared / 4)


def light_covariance(level: float, hue: float) -> FloatArray:
    """Covariance of log colors of which the level and the hue stray so far, shape (3, 3)."""
    ones = np.ones((3, 3)) / 3.0
    return np.asarray(ones * 3.0 * level**2 + (np.eye(3) - ones) * 1.5 * hue**2, np.float64)
