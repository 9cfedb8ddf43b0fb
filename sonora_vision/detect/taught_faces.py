"""What is learned from one picture of each disc: how a color's ink stands out, and its faces.

A color's five faces share their paint, so the mix of blue, green and red in which they vary most,
the light's slope taken off, is the one in which the ink stands out. Faces of one number look alike
in most sets whatever the color, up to which of ink and wood is lighter: such designs are averaged,
which takes grain and noise out and stands in for a face that was not taught.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sonora_vision.detect.faces import (
    FaceCrop,
    Floats,
    RingGrid,
    TaughtFace,
    blurred,
    disk,
    sample_rings,
    shift_pattern,
    unshaded,
)

_GRID = RingGrid(rings=14, angles=128, inner=0.06, outer=0.80)


@dataclass(frozen=True, kw_only=True)
class FaceParams:
    """How faces are compared; the figures were fitted over several unlike sets of discs."""

    grid: RingGrid = _GRID
    """Beyond 0.8 of the rim a slightly wrong center would let the edge in."""
    blur_px: float = 0.6
    """Smoothing before comparing, in pixels of the face picture."""
    compared: float = 0.82
    """Part of the rim's radius within which light and shading are measured."""
    shift_radii_px: tuple[float, ...] = (1.1, 2.2, 3.3)
    """Shifts of the center that are tried, six directions each; a pixel is about 0.4 mm."""
    shift_sigma_px: float = 1.5
    taught_shifts_px: tuple[float, ...] = (1.0, 2.0, 3.0, 4.0)
    """The same between taught faces, whose centers may come from a hasty click."""
    evidence: float = 85.0
    """How many independent observations a wholly visible face is worth against perfectly known
    faces; against the mean of k pictures it is worth k / (k + 1) of that."""
    noise: float = 0.10
    """Part of the taught face's variance that stays unexplained on a good match."""
    faint: float = 0.25
    """Ink variance, in parts of the taught one, below which a face is taken for no clearer."""
    gain_sigma: float = 0.35
    """How far the ink's contrast departs from the taught one, relative."""
    shading_ridge: float = 0.05
    """Keeps the light's slope from being fitted to the ink where little of a face is seen."""
    surprise: float = 5e-4
    """Chance that a face looks like another number for reasons that no comparison knows."""
    color_limit: float = 4.0
    """How much the ink may say about the color: under glare, dark wood's ink misleads."""
    alike: float = 0.85
    """Correlation above which two colors' faces of a number are taken for one design."""


DEFAULT = FaceParams()


@dataclass(frozen=True, kw_only=True)
class ColorFaces:
    """What was taught of one color."""

    axis_bgr: Floats
    level: float
    contrast: float
    numbers: tuple[int, ...]
    rings: Floats
    pictures: float
    """Mean number of pictures behind each face."""

    @property
    def mix(self) -> Floats:
        """What shows a flattened face as the ink in it, taught ink being of contrast 1."""
        return np.asarray(self.axis_bgr * np.float32(self.level / self.contrast), np.float32)


@dataclass(frozen=True, kw_only=True)
class FlatFaces:
    """Faces without their light's slope; what any color's mix makes of them is a sum."""

    pixels: Floats
    """Relative to the face's light, shape (n, 3, 64, 64), about 0; 0 where nothing is visible."""
    level: Floats
    """Mean of the channels' sum, shape (n,); 1 where nothing is visible."""


def flattened(crops: Sequence[FaceCrop | TaughtFace], params: FaceParams) -> FlatFaces:
    """Take the light and its slope off faces."""
    visible = np.array([crop.visible for crop in crops], np.bool_)
    seen = np.array([crop.pixels_bgr for crop in crops], np.uint8)
    pixels = blurred(np.moveaxis(seen, -1, 1).astype(np.float32), visible, params.blur_px)
    inside = disk(params.compared) & visible
    weight = inside.reshape(len(crops), -1, 1).astype(np.float32)
    sums = (pixels.reshape(*pixels.shape[:2], -1) @ weight).sum(axis=(1, 2))
    level = np.maximum(sums / np.maximum(weight.sum(axis=(1, 2)), 1), 1.0)
    flat = unshaded(pixels, inside, params.shading_ridge)
    flat *= (visible / level[:, None, None])[:, None]
    return FlatFaces(pixels=flat, level=level)


@dataclass(frozen=True, kw_only=True)
class InkedFace:
    """A taught face through its color's mix: 0 where hidden, and far from the middle."""

    number: int
    picture: Floats


def learn_color(
    faces: Sequence[TaughtFace], params: FaceParams
) -> tuple[ColorFaces, list[InkedFace]]:
    """Learn how one color's ink stands out, and show its faces so; no rings are made yet."""
    flats = flattened(faces, params)
    inside = np.array([disk(params.compared) & face.visible for face in faces], np.bool_)
    level = float(np.median(flats.level))
    samples = np.moveaxis(flats.pixels, 1, -1)[inside] * np.float32(level)
    axis = _ink_axis(samples)
    contrast = max(float((samples @ axis).std()), 1e-3)
    grid = params.grid
    none = np.empty((0, grid.rings, grid.angles), np.float32)
    color = ColorFaces(
        axis_bgr=axis, level=level, contrast=contrast, numbers=(), rings=none, pictures=0
    )
    shown = [
        InkedFace(number=face.number, picture=picture)
        for face, picture in zip(
            faces, np.einsum("nchw,c->nhw", flats.pixels, color.mix), strict=True
        )
    ]
    return color, shown


def _ink_axis(samples: Floats) -> Floats:
    """Find the mix of channels that varies most, towards the ink (which covers less than wood)."""
    _, axes = np.linalg.eigh(np.cov(samples.T) + 1e-6 * np.eye(3))
    axis = axes[:, -1]
    along = samples @ axis
    skewed = float(((along - along.mean()) ** 3).mean())
    return np.asarray(axis if skewed >= 0 else -axis, np.float32)


def pool_designs(
    colors: Mapping[str, ColorFaces], shown: Mapping[str, Sequence[InkedFace]], params: FaceParams
) -> dict[str, ColorFaces]:
    """Average faces of one number where they are alike, and lend those that were not taught."""
    numbers = sorted({face.number for faces in shown.values() for face in faces})
    chosen: dict[str, list[_Design]] = {color: [] for color in colors}
    for number in numbers:
        owners = [(c, f.picture) for c, faces in shown.items() for f in faces if f.number == number]
        designs = _aligned([picture for _, picture in owners], params)
        for color in colors:
            mine = [d for (owner, _), d in zip(owners, designs, strict=True) if owner == color]
            chosen[color].append(max(mine or designs, key=lambda design: design.pictures))
    return {
        color: replace(
            faces,
            numbers=tuple(numbers),
            rings=np.array([design.rings for design in chosen[color]], np.float32),
            pictures=float(np.mean([design.pictures for design in chosen[color]])),
        )
        for color, faces in colors.items()
    }


@dataclass(frozen=True, kw_only=True)
class _Design:
    """A face at one picture's turn, and how many pictures it is the mean of."""

    rings: Floats
    pictures: int


@dataclass(frozen=True, kw_only=True)
class _Fit:
    """How one picture lies on another: shift of its center, turn, correlation, contrast."""

    shift_px: tuple[float, float]
    turn: int
    correlation: float
    gain: float


def _aligned(pictures: Sequence[Floats], params: FaceParams) -> list[_Design]:
    """Sample each picture, or the design that it shares with others, at its own turn."""
    fits = [[_fit(a, b, params) for b in pictures] for a in pictures]
    likeness = [sum(fit.correlation for fit in row) for row in fits]
    model = fits[int(np.argmax(likeness))]
    alike = [fit.correlation >= params.alike for fit in model]
    turns = [fit.turn * 2 * np.pi / params.grid.angles for fit in model]
    # Each picture's own center, seen from the model: their mean is nearer to the truth.
    own = [_turned(fit.shift_px, turn) for fit, turn in zip(model, turns, strict=True)]
    center = -np.mean([o for o, same in zip(own, alike, strict=True) if same], axis=0)
    sampled = []
    for picture, fit, turn in zip(pictures, model, turns, strict=True):
        dx, dy = np.add(fit.shift_px, _turned(center, -turn))
        rings = sample_rings(picture[None], params.grid, ((float(dx), float(dy)),))[0, 0]
        sampled.append(np.roll(rings, fit.turn, axis=1) * np.float32(fit.gain))
    shared = np.mean([s for s, same in zip(sampled, alike, strict=True) if same], axis=0)
    return [
        _Design(rings=np.roll(shared, -fit.turn, axis=1), pictures=sum(alike))
        if same
        else _Design(rings=sample_rings(picture[None], params.grid)[0, 0], pictures=1)
        for picture, fit, same in zip(pictures, model, alike, strict=True)
    ]


def _turned(vector: Sequence[float] | Floats, angle: float) -> tuple[float, float]:
    """Turn clockwise, as seen in the image."""
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return cos * vector[0] - sin * vector[1], sin * vector[0] + cos * vector[1]


def _fit(model: Floats, other: Floats, params: FaceParams) -> _Fit:
    """Lay ``other`` on ``model``, over all turns and over shifts of its center."""
    shifts = shift_pattern(params.taught_shifts_px)
    area = params.grid.radii[:, None] / (params.grid.radii.sum() * params.grid.angles)
    fixed = sample_rings(model[None], params.grid)[0, 0]
    moved = sample_rings(other[None], params.grid, shifts)[0]
    fixed = fixed - (fixed * area).sum()
    moved = moved - (moved * area).sum(axis=(1, 2), keepdims=True)
    fixed_f, moved_f = np.fft.rfft(fixed * area, axis=1), np.fft.rfft(moved, axis=2)
    cross = np.fft.irfft((fixed_f * moved_f.conj()).sum(axis=1), n=params.grid.angles, axis=1)
    size = (moved**2 * area).sum(axis=(1, 2))[:, None]
    correlation = cross / np.sqrt(np.maximum((fixed**2 * area).sum() * size, 1e-12))
    best, turn = np.unravel_index(int(correlation.argmax()), correlation.shape)
    return _Fit(
        shift_px=shifts[int(best)],
        turn=int(turn),
        correlation=float(correlation[best, turn]),
        gain=float(cross[best, turn] / max(size[best, 0], 1e-12)),
    )
