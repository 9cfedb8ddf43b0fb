"""Rims are fitted to a third of a millimetre, far off the axis and on thick discs too."""

from __future__ import annotations

import numpy as np
import pytest

from sonora_vision.detect.rays import RAYS, RimParams
from sonora_vision.detect.rim import Rim, circle_on_rays, find_rims, fit_rims
from sonora_vision.detect.scene import Scene
from tests.drawing import random_position
from tests.drawn import drawn, scene, small_rig

SEEDS = (1, 3, 4, 7)  # discs of 7.5 x 11.5, 8.3 x 9, 6.7 x 14 and 6.7 x 12 mm: height by radius


def seen(seed: int) -> tuple[Scene, np.ndarray]:
    """A scene of discs that lie apart, and where they lie, shape (n, 2), mm."""
    rig = small_rig(seed)
    discs = random_position(rig.board, np.random.default_rng(seed), style="easy")
    centers = np.array([disc.center_mm for disc in discs if disc.state == "flat"])
    return scene(rig, drawn(rig, discs)[0]), centers


def strayed_mm(scene: Scene, rims: list[Rim], centers: np.ndarray) -> np.ndarray:
    found = scene.view.to_mm(np.array([rim.center_px for rim in rims]))
    return np.asarray(np.linalg.norm(found - centers, axis=1))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rim_is_where_the_disc_lies(seed: int) -> None:
    picture, centers = seen(seed)
    rough = picture.view.to_px(centers)
    rough = rough + np.random.default_rng(seed).uniform(-1.4, 1.4, rough.shape)
    rims = fit_rims(picture, rough, RimParams())
    off = strayed_mm(picture, rims, centers)
    away = np.linalg.norm(centers - picture.pose.camera_mm[:2], axis=1)
    far = away > 130.0
    assert far.any()
    assert off.mean() < 0.3
    assert off[far].mean() < 0.3
    # One picture's pixel is 0.6 mm; untreated, thickness alone would move these by up to 3 mm.
    assert off.max() < 0.6
    parallax = away[far] * picture.height_mm / picture.camera_height_mm
    assert parallax.max() > 1.5
    assert min(rim.support for rim in rims) > 0.9


@pytest.mark.parametrize("seed", SEEDS[:1])
def test_places_a_quarter_of_a_disc_off_come_to_one_rim_each(seed: int) -> None:
    picture, centers = seen(seed)
    rough = np.concatenate([picture.view.to_px(centers) + shift for shift in ((4, 3), (-3, 4))])
    rims = find_rims(picture, RimParams(), rough, least_support=0.8)
    found = picture.view.to_mm(np.array([rim.center_px for rim in rims]))
    apart = np.linalg.norm(found[:, None] - centers, axis=2)
    assert (apart.min(axis=0) < 0.6).mean() >= 0.95
    assert len(rims) <= len(centers)


def test_hidden_rays_have_no_say() -> None:
    picture, centers = seen(1)
    hidden = np.zeros(picture.in_photo.shape, np.bool_)
    column = round(float(picture.coarse.to_px(centers[:1])[0, 0]))
    hidden[:, column:] = True
    rim = fit_rims(picture, picture.view.to_px(centers[:1]), RimParams(), hidden=hidden)[0]
    assert rim.visible.sum() == pytest.approx(RAYS / 2, abs=3)
    assert strayed_mm(picture, [rim], centers[:1])[0] < 1.0


@pytest.mark.parametrize("side", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_half_a_rim_tells_the_center_to_a_pixel(side: tuple[int, int]) -> None:
    picture, centers = seen(7)
    rough, coarse = picture.view.to_px(centers), picture.coarse.to_px(centers)
    rows, columns = np.indices(picture.in_photo.shape)
    off = []
    for k, (x, y) in enumerate(coarse):
        hidden = (columns - x) * side[0] + (rows - y) * side[1] > 0
        rims = fit_rims(picture, rough[k : k + 1], RimParams(), hidden=hidden)
        off.append(strayed_mm(picture, rims, centers[k : k + 1])[0])
    assert max(off) < 0.9  # the picture's pixels are 0.6 mm
    assert np.mean(off) < 0.4


def test_no_places_give_no_rims() -> None:
    picture, _ = seen(1)
    assert fit_rims(picture, np.zeros((0, 2)), RimParams()) == []


def test_a_shifted_circle_is_met_where_geometry_says() -> None:
    angles = np.arange(RAYS) * 2 * np.pi / RAYS
    shift, radius = np.array([3.0, -1.5]), 20.0
    met = circle_on_rays(shift, radius)
    points = met[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    assert np.linalg.norm(points - shift, axis=1) == pytest.approx(radius, abs=1e-4)
