"""A position on the backdrop: solids with their shadows, then the picture and its truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.drawing.backdrop import Backdrop, draw_backdrop, window_of
from tests.drawing.camera import Camera
from tests.drawing.light import Caster, Field, Light, dropped, lit, open_sky
from tests.drawing.looks import Look, Pixels
from tests.drawing.placement import PlacedDisc
from tests.drawing.sensor import develop, linear
from tests.drawing.solids import Hit, Solid, hit_solid
from tests.drawing.things import Paper, disc_solid
from tests.drawing.truth import Board, Record, judge

Window = tuple[slice, slice]


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """A board before a camera in a light; frames with discs and hands are drawn on it cheaply."""

    board: Board
    look: Look
    camera: Camera
    light: Light
    backdrop: Backdrop
    clutter: tuple[Solid, ...] = ()
    supersample: int = 3

    def draw(
        self,
        discs: Sequence[PlacedDisc],
        rng: np.random.Generator,
        *,
        hands: Sequence[Solid] = (),
        extra_blur_px: float = 0.0,
    ) -> tuple[Pixels, Record]:
        """One picture (H, W, 3), blue first, and its truth."""
        solids = [disc_solid(self.board, self.look, d, k) for k, d in enumerate(discs)]
        solids += [*self.clutter, *hands]
        image = self._shaded_backdrop(solids)
        faces = _Faces(self)
        eye = self.camera.position_mm
        # Painter's order: by height for what lies over another, else far from the eye first.
        solids.sort(key=lambda s: -float(np.linalg.norm(s.middle_mm() - eye)))
        for solid in solids:
            self._draw_solid(image, solid, solids, faces)
        picture = develop(image, self.camera.lens, self.light, rng, extra_blur_px=extra_blur_px)
        truth = self._truth(discs, faces, bool(hands))
        return picture, truth

    def _shaded_backdrop(self, solids: Sequence[Solid]) -> Field:
        """The backdrop under the shadows of all solids."""
        base = self.backdrop
        dims: dict[str, Field] = {}
        touched: list[Window] = []
        for caster in (c for s in solids for c in s.casters):
            window = self._shadow_window(caster)
            if window is None:
                continue
            if not dims:
                shape = base.level.shape
                dims = {k: np.ones(shape, np.float32) for k in ("lamp", "sky")}
            touched.append(window)
            level = base.level[window]
            # Wide shadows are soft: a part of the points is enough.
            step = 4 if level.size > 40000 else 1
            coarse = (slice(window[0].start, window[0].stop, step),
                      slice(window[1].start, window[1].stop, step))  # fmt: skip
            for index in np.flatnonzero(np.bincount(level.ravel(), minlength=4)):
                height = base.heights_mm[index]
                x, y = base.points(coarse, height)
                here = level == index
                for name, shade in (
                    ("lamp", lit(caster, self.light, x, y, height)),
                    ("sky", open_sky(caster, x, y, height)),
                ):
                    if shade is None:
                        continue
                    if step > 1:
                        shade = _enlarged(shade, step, level.shape)
                    dims[name][window] *= np.where(here, shade, np.float32(1))
        image = base.sky_bgr + base.lamp_bgr
        for window in touched:
            image[window] = (
                base.sky_bgr[window] * dims["sky"][window][..., None]
                + base.lamp_bgr[window] * dims["lamp"][window][..., None]
            )
        return image

    def _shadow_window(self, caster: Caster) -> Window | None:
        """The part of the picture that a caster's shadow and its own foot may darken."""
        low = self.backdrop.heights_mm[0]
        rise = caster.top_mm - low
        ends = np.vstack(
            [dropped(caster, self.light, low), np.array([caster.start_mm, caster.end_mm])[:, :2]]
        )
        reach = caster.radius_mm + 0.6 * self.light.softness * rise + min(rise, 40.0) + 1
        (x0, y0), (x1, y1) = ends.min(axis=0) - reach, ends.max(axis=0) + reach
        box = np.array([[x, y, low] for x in (x0, x1) for y in (y0, y1)])
        return window_of(self.camera.project(box), self.camera.lens.size_px)

    def _draw_solid(
        self, image: Field, solid: Solid, solids: Sequence[Solid], faces: _Faces
    ) -> None:
        """Put one solid over what is behind it."""
        window = window_of(self.camera.project(solid.bounds_mm()), self.camera.lens.size_px)
        if window is None:
            return
        rows, columns = window
        size = (columns.stop - columns.start, rows.stop - rows.start)
        # Large things are far from any judgement: their edges need less care.
        s = max(1, min(self.supersample, round(self.supersample * 160 / max(size))))
        hit = hit_solid(solid, self.camera.position_mm, _fine_rays(self.camera.rays, window, s))
        if not hit.mask.any():
            return
        color = self._shade(solid, hit, solids) * hit.mask[..., None]
        alpha = cv2.resize(hit.mask.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        part = image[window]
        part *= 1 - alpha[..., None]
        part += cv2.resize(color, size, interpolation=cv2.INTER_AREA)
        faces.cover(window, alpha)
        if solid.disc is not None:
            face = cv2.resize(hit.on_face.astype(np.float32), size, interpolation=cv2.INTER_AREA)
            faces.add(solid.disc, window, face)

    def _shade(self, solid: Solid, hit: Hit, solids: Sequence[Solid]) -> Field:
        """Linear radiance (h, w, 3) of a solid's visible points."""
        middle, light = solid.middle_mm(), self.light
        toward = light.toward(middle)
        nx, ny, nz = hit.normal
        facing = np.maximum(nx * toward[0] + ny * toward[1] + nz * toward[2], 0)
        x0, y0 = (np.array([[v]], np.float32) for v in middle[:2])
        lamp = facing * np.float32(light.strength(x0, y0, middle[2])[0, 0] / toward[2])
        sky = np.float32(light.ambient) * (0.6 + 0.4 * nz)
        if solid.kind == "cylinder" and solid.axes[2, 2] > 0.9:  # walls are darker at their foot
            rise = hit.local_mm[2] / np.float32(solid.height_mm)
            sky = np.where(hit.on_face, sky, sky * (0.5 + 0.5 * rise))
        height = float(solid.bounds_mm()[:, 2].max()) if solid.axes[2, 2] > 0.9 else middle[2]
        reach = float(np.abs(solid.bounds_mm()[:, :2] - middle[:2]).max()) * 1.42
        strangers = (o for o in solids if o is not solid and not (o.kin and o.kin == solid.kin))
        for caster in (c for other in strangers for c in other.casters):
            if not self._reaches(caster, middle, reach, height):
                continue
            x, y = hit.point_mm[0], hit.point_mm[1]
            shadow, dim = lit(caster, light, x, y, height), open_sky(caster, x, y, height)
            lamp = lamp if shadow is None else lamp * shadow
            sky = sky if dim is None else sky * dim
        eye = self.camera.position_mm - middle
        half = toward + eye / np.linalg.norm(eye)
        half /= np.linalg.norm(half)
        shine = np.maximum(nx * half[0] + ny * half[1] + nz * half[2], 0)
        mirror = np.float32(light.glare) * shine ** np.float32(light.glare_power)
        mirror += np.float32(0.25 * light.direct) * shine ** np.float32(60)
        color = self._paint(solid, hit) * (lamp + sky)[..., None]
        shadowed = lamp > 0.2 * light.direct
        return np.asarray(color + (np.float32(solid.gloss) * mirror * shadowed)[..., None])

    def _reaches(
        self, caster: Caster, middle: NDArray[np.float64], reach: float, height: float
    ) -> bool:
        """Whether a caster may darken points about a middle."""
        rise = caster.top_mm - height
        if rise <= 0.2:
            return False
        ends = np.vstack([dropped(caster, self.light, height),
                          np.array([caster.start_mm, caster.end_mm])[:, :2]])  # fmt: skip
        far = reach + caster.radius_mm + self.light.softness * rise + min(rise, 40.0)
        low, high = ends.min(axis=0) - far, ends.max(axis=0) + far
        return bool((low < middle[:2]).all() and (middle[:2] < high).all())

    def _paint(self, solid: Solid, hit: Hit) -> Field:
        """Albedo (h, w, 3) of a solid's visible points."""
        side = linear(np.array(solid.side_bgr, np.uint8).reshape(1, 1, 3))
        paint = np.tile(side * np.float32(0.9), (*hit.mask.shape, 1))
        if solid.back_bgr is not None and hit.on_back.any():
            paint[hit.on_back] = linear(np.array(solid.back_bgr, np.uint8).reshape(1, 1, 3))
        if solid.face is not None and hit.on_face.any():
            texture = _shrunk(solid.face, 2.2 * self.supersample * solid.radius_mm
                              * self.camera.lens.focal_px
                              / float(np.linalg.norm(self.camera.position_mm)))  # fmt: skip
            n = np.float32(texture.shape[0] / 2)
            k = n / np.float32(solid.radius_mm)
            u, v = hit.local_mm[0] * k + (n - 0.5), hit.local_mm[1] * k + (n - 0.5)
            seen = linear(cv2.remap(texture, u, v, cv2.INTER_LINEAR,
                                    borderMode=cv2.BORDER_REPLICATE))  # fmt: skip
            paint = np.where(hit.on_face[..., None], seen, paint)
        return paint

    def _truth(self, discs: Sequence[PlacedDisc], faces: _Faces, hand: bool) -> Record:
        """The truth file's content, the image's name left open."""
        outline = np.array(self.board["outline"], float)
        corners = self.camera.project(np.c_[outline, np.zeros(len(outline))])
        hole = self.board["hole"]
        flat = self.camera.to_camera[:2, :2]
        return {
            "image": "",
            "light": self.light.kind,
            "hand": hand,
            "board_deg": round(math.degrees(math.atan2(flat[1, 0], flat[0, 0])), 2),
            "corners_px": np.round(corners, 2).tolist(),
            "hole_px": None if not hole else _rounded(self.camera.project([[*hole["center"], 0]])),
            "discs": [self._disc_truth(d, k, faces) for k, d in enumerate(discs)],
        }

    def _disc_truth(self, disc: PlacedDisc, index: int, faces: _Faces) -> Record:
        """One disc of the truth file."""
        top = disc.top_mm(self.board, self.look.thickness_mm)
        radius = float(self.board["discs"]["radius"])
        a = np.linspace(0, 2 * np.pi, 64, endpoint=False)
        ring = np.c_[disc.center_mm[0] + radius * np.cos(a), disc.center_mm[1] + radius * np.sin(a),
                     np.full(64, top)]  # fmt: skip
        area = cv2.contourArea(self.camera.project(ring).astype(np.float32))
        return {
            "color": disc.color,
            "number": disc.number,
            "state": disc.state,
            "center_mm": [round(float(c), 3) for c in disc.center_mm],
            "top_px": _rounded(self.camera.project([[*disc.center_mm, top]])),
            "radius_px": round(math.sqrt(area / math.pi), 2),
            "visible": round(faces.visible(index, disc, area), 3),
            **judge(self.board, disc.center_mm, disc.state),
        }


class _Faces:
    """How much of every disc's top face the camera sees, kept up while solids are drawn."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.seen: dict[int, tuple[Window, Field]] = {}

    def add(self, index: int, window: Window, face: Field) -> None:
        """A disc's face as just drawn."""
        self.seen[index] = (window, face)

    def cover(self, window: Window, alpha: Field) -> None:
        """Something was drawn over a part of the picture."""
        for (rows, columns), face in self.seen.values():
            y0, y1 = max(rows.start, window[0].start), min(rows.stop, window[0].stop)
            x0, x1 = max(columns.start, window[1].start), min(columns.stop, window[1].stop)
            if y0 < y1 and x0 < x1:
                over = alpha[y0 - window[0].start : y1 - window[0].start,
                             x0 - window[1].start : x1 - window[1].start]  # fmt: skip
                face[y0 - rows.start : y1 - rows.start,
                     x0 - columns.start : x1 - columns.start] *= 1 - over  # fmt: skip

    def visible(self, index: int, disc: PlacedDisc, area_px: float) -> float:
        """Visible part of the face, 0 to 1; what is outside the picture is not visible."""
        if index not in self.seen:
            return 0.0
        if disc.state == "standing":
            board, look = self.stage.board, self.stage.look
            solid = disc_solid(board, look, disc, index)
            a = np.linspace(0, 2 * np.pi, 64, endpoint=False)
            local = np.c_[solid.radius_mm * np.cos(a), solid.radius_mm * np.sin(a),
                          np.full(64, solid.height_mm)]  # fmt: skip
            ring = self.stage.camera.project(solid.foot_mm + local @ solid.axes)
            area_px = max(cv2.contourArea(ring.astype(np.float32)), 1.0)
        return float(min(1.0, self.seen[index][1].sum() / area_px))


def _rounded(points_px: NDArray[np.float64]) -> list[float]:
    """One point to a hundredth of a pixel."""
    return [round(float(v), 2) for v in points_px[0]]


def _enlarged(field: Field, step: int, shape: tuple[int, ...]) -> Field:
    """A field of every ``step``-th pixel brought back to all pixels (rows, columns)."""
    h, w = field.shape
    big = cv2.warpAffine(
        field, np.array([[step, 0, 0], [0, step, 0]], np.float64), (shape[1], shape[0]),
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    assert h * step >= shape[0] and w * step >= shape[1]
    return np.asarray(big)


def _shrunk(texture: Pixels, wanted_px: float) -> Pixels:
    """A texture halved until it is less than twice as large as wanted."""
    size = texture.shape[0]
    while size > 2 * wanted_px and size > 24:
        size //= 2
    if size == texture.shape[0]:
        return texture
    return np.asarray(cv2.resize(texture, (size, size), interpolation=cv2.INTER_AREA))


def _fine_rays(rays: NDArray[np.float32], window: Window, factor: int) -> NDArray[np.float32]:
    """Rays of subpixels of a part of the picture, (h * factor, w * factor, 3)."""
    rows, columns = window
    padded = cv2.copyMakeBorder(
        rays[max(rows.start - 1, 0) : rows.stop + 1, max(columns.start - 1, 0) : columns.stop + 1],
        int(rows.start == 0), int(rows.stop >= rays.shape[0]),
        int(columns.start == 0), int(columns.stop >= rays.shape[1]), cv2.BORDER_REPLICATE,
    )  # fmt: skip
    h, w = padded.shape[:2]
    fine = cv2.resize(padded, (w * factor, h * factor), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(fine[factor:-factor, factor:-factor])


def set_stage(
    board: Board, look: Look, camera: Camera, light: Light, *,
    papers: Sequence[Paper] = (), clutter: Sequence[Solid] = (), supersample: int = 3,
) -> Stage:  # fmt: skip
    """Draw all that stands still once, ready for many frames."""
    return Stage(
        board=board, look=look, camera=camera, light=light, clutter=tuple(clutter),
        backdrop=draw_backdrop(board, look, camera, light, list(papers)), supersample=supersample,
    )  # fmt: skip


def draw_board_photo(
    board: Board, discs: Sequence[PlacedDisc], camera: Camera, light: Light,
    rng: np.random.Generator, *, look: Look, hands: Sequence[Solid] = (), **stage: Any,
) -> tuple[Pixels, Record]:  # fmt: skip
    """One photograph (H, W, 3), blue first, of any position, and its exact truth."""
    return set_stage(board, look, camera, light, **stage).draw(discs, rng, hands=hands)
