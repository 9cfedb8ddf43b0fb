"""A position on the backdrop: solids with their shadows, then the picture and its truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.drawing.backdrop import Backdrop, Window, draw_backdrop, window_of
from tests.drawing.camera import Camera
from tests.drawing.light import Field, Light
from tests.drawing.looks import Look, Pixels
from tests.drawing.placement import PlacedDisc
from tests.drawing.sensor import develop
from tests.drawing.shading import shade, shadowed
from tests.drawing.solids import Solid, hit_solid
from tests.drawing.things import Paper, disc_solid
from tests.drawing.truth import Board, Record, Referee

_Seen = dict[int, tuple[Window, Field]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """A board before a camera in a light; frames with discs and hands are drawn on it.

    What does not move for many frames is made part of the backdrop by :meth:`settled`; the
    frames after it draw only what moves.
    """

    board: Board
    look: Look
    camera: Camera
    light: Light
    backdrop: Backdrop
    referee: Referee
    clutter: tuple[Solid, ...] = ()
    supersample: int = 3
    lying: tuple[PlacedDisc, ...] = ()
    """Discs that are part of the backdrop."""
    lying_faces: tuple[tuple[Window, Field] | None, ...] = ()

    def draw(
        self,
        discs: Sequence[PlacedDisc],
        rng: np.random.Generator,
        *,
        hands: Sequence[Solid] = (),
        extra_blur_px: float = 0.0,
    ) -> tuple[Pixels, Record]:
        """One picture (H, W, 3), blue first, and its truth, settled discs first."""
        layers, seen = self._drawn(discs, hands)
        picture = develop(
            layers[0] + layers[1], self.camera.lens, self.light, rng, extra_blur_px=extra_blur_px
        )
        return picture, self._truth((*self.lying, *discs), seen, bool(hands))

    def settled(self, discs: Sequence[PlacedDisc]) -> Stage:
        """The stage with these discs lying still."""
        layers, seen = self._drawn(discs, ())
        lying = (*self.lying, *discs)
        return replace(
            self,
            backdrop=replace(self.backdrop, sky_bgr=layers[0], lamp_bgr=layers[1]),
            lying=lying,
            lying_faces=tuple(seen.get(k) for k in range(len(lying))),
            clutter=(),
        )

    def _drawn(
        self, discs: Sequence[PlacedDisc], hands: Sequence[Solid]
    ) -> tuple[list[Field], _Seen]:
        """Radiance by sky and by lamp, and what is seen of each disc's face."""
        first = len(self.lying)
        solids = [disc_solid(self.board, self.look, d, first + k) for k, d in enumerate(discs)]
        solids += [*self.clutter, *hands]
        layers = shadowed(self.backdrop, self.light, solids)
        seen = {k: (f[0], f[1].copy()) for k, f in enumerate(self.lying_faces) if f is not None}
        for group in self._back_to_front(solids):
            self._draw_group(layers, group, solids, seen)
        return layers, seen

    def _back_to_front(self, solids: Sequence[Solid]) -> list[list[Solid]]:
        """Solids in painter's order, those of one kin together, hands last."""
        groups: dict[object, list[Solid]] = {}
        for k, solid in enumerate(solids):
            groups.setdefault(solid.kin or k, []).append(solid)
        eye = self.camera.position_mm

        def order(group: list[Solid]) -> tuple[bool, float]:
            middle = np.mean([s.middle_mm() for s in group], axis=0)
            return group[0].kin.startswith("hand"), -float(np.linalg.norm(middle - eye))

        return sorted(groups.values(), key=order)

    def _draw_group(
        self, layers: list[Field], group: list[Solid], solids: Sequence[Solid], seen: _Seen
    ) -> None:
        """Put solids that may run into each other over what is behind them."""
        size_px = self.camera.lens.size_px
        boxes = [self.camera.project(s.bounds_mm()) for s in group]
        window = window_of(np.vstack(boxes), size_px)
        if window is None:
            return
        size = (window[1].stop - window[1].start, window[0].stop - window[0].start)
        # Large things are far from any judgement: their edges need less care.
        s = max(1, min(self.supersample, round(self.supersample * 160 / max(size))))
        depth = np.full((size[1] * s, size[0] * s), np.inf, np.float32)
        parts = [np.zeros((*depth.shape, 3), np.float32) for _ in layers]
        on_face = np.zeros(depth.shape, np.float32)
        strangers = [o for o in solids if o not in group]
        for solid, box in zip(group, boxes, strict=True):
            own = window_of(box, size_px)
            if own is None:
                continue
            hit = hit_solid(solid, self.camera.position_mm, _fine_rays(self.camera.rays, own, s))
            inner = tuple(
                slice((p.start - w.start) * s, (p.stop - w.start) * s)
                for p, w in zip(own, window, strict=True)
            )
            nearer = hit.depth < depth[inner]
            if not nearer.any():
                continue
            depth[inner][nearer] = hit.depth[nearer]
            on_face[inner][nearer] = hit.on_face[nearer]
            colors = shade(solid, hit, self.camera, self.light, s, strangers)
            for part, color in zip(parts, colors, strict=True):
                part[inner][nearer] = color[nearer]
        area = cv2.INTER_AREA
        alpha = cv2.resize(np.isfinite(depth).astype(np.float32), size, interpolation=area)
        for layer, part in zip(layers, parts, strict=True):
            layer[window] *= 1 - alpha[..., None]
            layer[window] += cv2.resize(part, size, interpolation=area)
        _cover(seen, window, alpha)
        if group[0].disc is not None:
            seen[group[0].disc] = (window, cv2.resize(on_face, size, interpolation=area))

    def _truth(self, discs: Sequence[PlacedDisc], seen: _Seen, hand: bool) -> Record:
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
            "discs": [self._disc_truth(d, seen.get(k)) for k, d in enumerate(discs)],
        }

    def _disc_truth(self, disc: PlacedDisc, seen: tuple[Window, Field] | None) -> Record:
        """One disc of the truth file."""
        top = disc.top_mm(self.board, self.look.thickness_mm)
        flat = _ring(float(self.board["discs"]["radius"]), (*disc.center_mm, top))
        area = cv2.contourArea(self.camera.project(flat).astype(np.float32))
        visible = 0.0
        if seen is not None:  # what is outside the picture is not visible
            visible = min(1.0, float(seen[1].sum()) / self._face_area_px(disc, area))
        return {
            "color": disc.color,
            "number": disc.number,
            "state": disc.state,
            "center_mm": [round(float(c), 3) for c in disc.center_mm],
            "top_px": _rounded(self.camera.project([[*disc.center_mm, top]])),
            "radius_px": round(math.sqrt(area / math.pi), 2),
            "visible": round(visible, 3),
            **self.referee.judge(disc.center_mm, disc.state),
        }

    def _face_area_px(self, disc: PlacedDisc, flat_area_px: float) -> float:
        """Area that the whole face would fill in the picture."""
        if disc.state != "standing":
            return flat_area_px
        solid = disc_solid(self.board, self.look, disc, 0)
        ring = _ring(solid.radius_mm, (0, 0, solid.height_mm))
        px = self.camera.project(solid.foot_mm + ring @ solid.axes)
        return max(1.0, float(cv2.contourArea(px.astype(np.float32))))


def _ring(radius_mm: float, center_mm: tuple[float, float, float]) -> NDArray[np.float64]:
    """Points (64, 3) of a level circle."""
    a = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    return np.asarray(center_mm + radius_mm * np.c_[np.cos(a), np.sin(a), np.zeros(64)])


def _cover(seen: _Seen, window: Window, alpha: Field) -> None:
    """Something was drawn over a part of the picture."""
    for (rows, columns), face in seen.values():
        y0, y1 = max(rows.start, window[0].start), min(rows.stop, window[0].stop)
        x0, x1 = max(columns.start, window[1].start), min(columns.stop, window[1].stop)
        if y0 < y1 and x0 < x1:
            over = alpha[y0 - window[0].start : y1 - window[0].start,
                         x0 - window[1].start : x1 - window[1].start]  # fmt: skip
            face[y0 - rows.start : y1 - rows.start,
                 x0 - columns.start : x1 - columns.start] *= 1 - over  # fmt: skip


def _rounded(points_px: NDArray[np.float64]) -> list[float]:
    """One point to a hundredth of a pixel."""
    return [round(float(v), 2) for v in points_px[0]]


def _fine_rays(rays: NDArray[np.float32], window: Window, factor: int) -> NDArray[np.float32]:
    """Rays of subpixels of a part of the picture, (h * factor, w * factor, 3)."""
    if factor == 1:
        return rays[window]
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
        backdrop=draw_backdrop(board, look, camera, light, list(papers)),
        referee=Referee(board), supersample=supersample,
    )  # fmt: skip


def draw_board_photo(
    board: Board, discs: Sequence[PlacedDisc], camera: Camera, light: Light,
    rng: np.random.Generator, *, look: Look, hands: Sequence[Solid] = (), **stage: Any,
) -> tuple[Pixels, Record]:  # fmt: skip
    """One photograph (H, W, 3), blue first, of any position, and its exact truth."""
    return set_stage(board, look, camera, light, **stage).draw(discs, rng, hands=hands)
