"""Light on solids and shadows on the backdrop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.drawing.backdrop import Backdrop, Window, meet, window_of
from tests.drawing.camera import Camera
from tests.drawing.light import Caster, Field, Light, dropped, lit, open_sky
from tests.drawing.looks import Pixels
from tests.drawing.sensor import linear
from tests.drawing.solids import Hit, Solid

_HIGH_MM = 12.0  # what hovers above this casts a shadow so soft that a coarse one will do
_STEP = 4


def shadowed(backdrop: Backdrop, light: Light, solids: Iterable[Solid]) -> list[Field]:
    """The backdrop's parts by sky and by lamp, dimmed by what stands and hovers over them."""
    camera, layers = backdrop.camera, [backdrop.sky_bgr.copy(), backdrop.lamp_bgr.copy()]
    hovering: list[Caster] = []
    for caster in (c for s in solids for c in s.casters):
        if caster.foot_mm - caster.radius_mm * 0.2 > _HIGH_MM:
            hovering.append(caster)
            continue
        window = _shadow_window(backdrop, light, caster)
        if window is None:
            continue
        for layer, dim in zip(layers, _dimmed(backdrop, light, caster, window), strict=True):
            layer[window] *= dim[..., None]
    if hovering:
        for layer, dim in zip(layers, _hovered(camera, light, hovering), strict=True):
            layer *= dim[..., None]
    return layers


def _dimmed(
    backdrop: Backdrop, light: Light, caster: Caster, window: Window
) -> tuple[Field, Field]:
    """Sky and lamp light (0 to 1) left by a caster, for each surface at its own height."""
    level = backdrop.level[window]
    sky, lamp = np.ones(level.shape, np.float32), np.ones(level.shape, np.float32)
    step = _STEP if level.size > 40000 else 1
    coarse = (slice(window[0].start, window[0].stop, step),
              slice(window[1].start, window[1].stop, step))  # fmt: skip
    for index in np.flatnonzero(np.bincount(level.ravel(), minlength=4)):
        height = backdrop.heights_mm[index]
        x, y = backdrop.points(coarse, height)
        here = level == index
        for field, shade in ((sky, open_sky(caster, x, y, height)),
                             (lamp, lit(caster, light, x, y, height))):  # fmt: skip
            if shade is not None:
                np.copyto(field, _enlarged(shade, step, level.shape), where=here)
    return sky, lamp


def _hovered(camera: Camera, light: Light, casters: list[Caster]) -> tuple[Field, Field]:
    """Sky and lamp light left by hovering casters on the plane of the board's face."""
    width, height = camera.lens.size_px
    x, y = meet(camera, (slice(0, height, _STEP), slice(0, width, _STEP)), 0.0)
    sky, lamp = np.ones(x.shape, np.float32), np.ones(x.shape, np.float32)
    for caster in casters:
        for field, shade in ((sky, open_sky(caster, x, y, 0.0)),
                             (lamp, lit(caster, light, x, y, 0.0))):  # fmt: skip
            if shade is not None:
                field *= shade
    shape = (height, width)
    return _enlarged(sky, _STEP, shape), _enlarged(lamp, _STEP, shape)


def _shadow_window(backdrop: Backdrop, light: Light, caster: Caster) -> Window | None:
    """The part of the picture that a caster's shadow and its own foot may darken."""
    low = backdrop.heights_mm[0]
    rise = caster.top_mm - low
    ends = np.vstack([dropped(caster, light, low),
                      np.array([caster.start_mm, caster.end_mm])[:, :2]])  # fmt: skip
    reach = caster.radius_mm + 0.6 * light.softness * rise + min(rise, 40.0) + 1
    (x0, y0), (x1, y1) = ends.min(axis=0) - reach, ends.max(axis=0) + reach
    box = np.array([[x, y, low] for x in (x0, x1) for y in (y0, y1)])
    return window_of(backdrop.camera.project(box), backdrop.camera.lens.size_px)


def _enlarged(field: Field, step: int, shape: tuple[int, ...]) -> Field:
    """A field of every ``step``-th pixel brought back to all pixels (rows, columns)."""
    if step == 1:
        return field
    scale = np.array([[step, 0, 0], [0, step, 0]], np.float64)
    return np.asarray(
        cv2.warpAffine(field, scale, (shape[1], shape[0]), flags=cv2.INTER_LINEAR,
                       borderMode=cv2.BORDER_REPLICATE)
    )  # fmt: skip


def shade(
    solid: Solid, hit: Hit, camera: Camera, light: Light, supersample: int,
    strangers: Sequence[Solid],
) -> tuple[Field, Field]:  # fmt: skip
    """Radiance (h, w, 3) of a solid's points by sky and by lamp, blue first."""
    middle = solid.middle_mm()
    toward = light.toward(middle)
    nx, ny, nz = hit.normal
    facing = np.maximum(nx * toward[0] + ny * toward[1] + nz * toward[2], 0)
    x0, y0 = (np.array([[v]], np.float32) for v in middle[:2])
    lamp = facing * np.float32(light.strength(x0, y0, middle[2])[0, 0] / toward[2])
    sky = np.float32(light.ambient) * (0.6 + 0.4 * nz)
    standing = solid.kind == "cylinder" and solid.axes[2, 2] > 0.9
    if standing:  # walls are darker at their foot
        rise = hit.local_mm[2] / np.float32(solid.height_mm)
        sky = np.where(hit.on_face, sky, sky * (0.5 + 0.5 * rise))
    height = float(middle[2]) + (solid.height_mm / 2 if standing else 0.0)
    spread = np.abs(solid.bounds_mm()[:, :2] - middle[:2]).max()
    open_to_lamp = np.ones_like(lamp)
    for caster in (c for other in strangers for c in other.casters):
        if not _reaches(caster, light, middle, float(spread) * 1.42, height):
            continue
        x, y = hit.point_mm[0], hit.point_mm[1]
        shadow, dim = lit(caster, light, x, y, height), open_sky(caster, x, y, height)
        open_to_lamp = open_to_lamp if shadow is None else open_to_lamp * shadow
        sky = sky if dim is None else sky * dim
    eye = camera.position_mm - middle
    half = toward + eye / np.linalg.norm(eye)
    half /= np.linalg.norm(half)
    shine = np.maximum(nx * half[0] + ny * half[1] + nz * half[2], 0)
    mirror = np.float32(light.glare) * shine ** np.float32(light.glare_power)
    mirror += np.float32(0.25 * light.direct) * shine ** np.float32(60)
    paint = _paint(solid, hit, camera, supersample)
    by_lamp = paint * lamp[..., None] + (np.float32(solid.gloss) * mirror)[..., None]
    return paint * sky[..., None], by_lamp * open_to_lamp[..., None]


def _reaches(
    caster: Caster, light: Light, middle: NDArray[np.float64], reach: float, height: float
) -> bool:
    """Whether a caster may darken points about a middle."""
    rise = caster.top_mm - height
    if rise <= 0.2:
        return False
    far = reach + caster.radius_mm + light.softness * rise + min(rise, 40.0)
    own = np.hypot(caster.start_mm[0] - middle[0], caster.start_mm[1] - middle[1])
    length = np.hypot(caster.end_mm[0] - caster.start_mm[0], caster.end_mm[1] - caster.start_mm[1])
    if own > far + length + 3 * rise + 60:
        return False
    ends = np.vstack([dropped(caster, light, height),
                      np.array([caster.start_mm, caster.end_mm])[:, :2]])  # fmt: skip
    low, high = ends.min(axis=0) - far, ends.max(axis=0) + far
    return bool((low < middle[:2]).all() and (middle[:2] < high).all())


def _paint(solid: Solid, hit: Hit, camera: Camera, supersample: int) -> Field:
    """Albedo (h, w, 3) of a solid's visible points."""
    side = linear(np.array(solid.side_bgr, np.uint8).reshape(1, 1, 3))
    paint = np.tile(side * np.float32(0.9), (*hit.mask.shape, 1))
    if solid.back_bgr is not None and hit.on_back.any():
        paint[hit.on_back] = linear(np.array(solid.back_bgr, np.uint8).reshape(1, 1, 3))
    if solid.face is not None and hit.on_face.any():
        distance = float(np.linalg.norm(camera.position_mm))
        wanted = 2.2 * supersample * solid.radius_mm * camera.lens.focal_px / distance
        texture = _shrunk(solid.face, wanted)
        n = np.float32(texture.shape[0] / 2)
        k = n / np.float32(solid.radius_mm)
        u, v = hit.local_mm[0] * k + (n - 0.5), hit.local_mm[1] * k + (n - 0.5)
        seen = cv2.remap(texture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        paint = np.where(hit.on_face[..., None], linear(seen), paint)
    return paint


def _shrunk(texture: Pixels, wanted_px: float) -> Pixels:
    """A texture halved until it is less than twice as large as wanted."""
    size = texture.shape[0]
    while size > 2 * wanted_px and size > 24:
        size //= 2
    if size == texture.shape[0]:
        return texture
    return np.asarray(cv2.resize(texture, (size, size), interpolation=cv2.INTER_AREA))
