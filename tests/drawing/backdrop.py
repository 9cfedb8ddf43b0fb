"""Everything that stands still: table, paper and board, under full sky and full lamp."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tests.drawing.camera import Camera
from tests.drawing.light import Field, Light
from tests.drawing.looks import Look, table_texture
from tests.drawing.print_board import Sheet, coverage, printed_face
from tests.drawing.sensor import linear
from tests.drawing.things import Paper
from tests.drawing.truth import Board

Window = tuple[slice, slice]
TABLE, FACE, FLOOR, RAISED = range(4)


@dataclass(frozen=True, kw_only=True, eq=False)
class Backdrop:
    """The scene without solids; its picture is sky_bgr + lamp_bgr.

    Shadows of solids dim the one or the other.
    """

    camera: Camera
    sky_bgr: Field
    lamp_bgr: Field
    level: NDArray[np.uint8]
    """Which surface (TABLE, FACE, FLOOR, RAISED) each pixel shows."""
    heights_mm: tuple[float, float, float, float]
    """Height of each surface."""

    def points(self, window: Window, height_mm: float) -> tuple[Field, Field]:
        """Where the rays of some pixels meet a horizontal plane: x, y."""
        return meet(self.camera, window, height_mm)


def meet(camera: Camera, window: Window, height_mm: float) -> tuple[Field, Field]:
    """Where the rays of some pixels meet a horizontal plane: x, y in mm."""
    rays = camera.rays[window]
    eye = camera.position_mm.astype(np.float32)
    t = (np.float32(height_mm) - eye[2]) / rays[..., 2]
    return eye[0] + t * rays[..., 0], eye[1] + t * rays[..., 1]


def window_of(
    points_px: NDArray[np.float64], size_px: tuple[int, int], pad_px: float = 2
) -> Window | None:
    """Rows and columns that hold all the points, or None outside the picture."""
    x0, y0 = np.floor(points_px.min(axis=0) - pad_px).astype(int)
    x1, y1 = np.ceil(points_px.max(axis=0) + pad_px + 1).astype(int)
    x0, y0 = max(x0, 0), max(y0, 0)
    x1, y1 = min(x1, size_px[0]), min(y1, size_px[1])
    return (slice(y0, y1), slice(x0, x1)) if x1 > x0 and y1 > y0 else None


def _dense(polygon: ArrayLike, step_mm: float = 8.0) -> NDArray[np.float64]:
    """A polygon with points at most a step apart, so that a bent lens bends its sides."""
    points = np.asarray(polygon, float)
    parts = []
    for a, b in zip(points, np.roll(points, -1, axis=0), strict=True):
        n = max(1, round(float(np.linalg.norm(b - a)) / step_mm))
        parts.append(a + (b - a) * np.linspace(0, 1, n, endpoint=False)[:, None])
    return np.vstack(parts)


class _Painter:
    """Builds a backdrop surface by surface, from the table up."""

    def __init__(self, board: Board, look: Look, camera: Camera, light: Light) -> None:
        self.board, self.look, self.camera, self.light = board, look, camera, light
        self.size = camera.lens.size_px
        self.everywhere = (slice(0, self.size[1]), slice(0, self.size[0]))
        x, y = meet(camera, self.everywhere, -look.thickness_mm)
        tile = Sheet(pixels=table_texture(look), origin_mm=(-300.0, -300.0), scale_px_per_mm=2.0)
        self.albedo = linear(tile.at(x, y, cv2.BORDER_REFLECT))
        self.level = np.full(x.shape, TABLE, np.uint8)
        self.gloss = np.full(x.shape, 0.02 + 0.06 * look.gloss, np.float32)
        self.lamp, self.sky = np.ones(x.shape, np.float32), np.ones(x.shape, np.float32)
        outline = np.array(board["outline"], float)
        self._cast(x, y, outline, look.thickness_mm, self.everywhere)
        board_px = camera.project(np.c_[_dense(outline), np.zeros(len(_dense(outline)))])
        self.field = window_of(board_px, self.size, 12) or self.everywhere

    def _cast(self, x: Field, y: Field, polygon: NDArray[np.float64], rise_mm: float,
              window: Window) -> None:  # fmt: skip
        """Shadow of a raised slab on the surface below, and the sky that it hides."""
        toward = self.light.toward(np.append(polygon.mean(axis=0), 0.0))
        shift = -toward[:2] / toward[2] * rise_mm
        (x0, y0), (x1, y1) = polygon.min(axis=0) - 60, polygon.max(axis=0) + 60
        hull = cv2.convexHull(np.vstack([polygon, polygon + shift]).astype(np.float32))[:, 0]
        for points, sigma, field, depth in (
            (hull if len(polygon) == 4 else polygon + shift,
             max(0.3, 0.35 * self.light.softness * rise_mm), self.lamp, 1.0),
            (polygon, 0.9 * rise_mm, self.sky, 0.6),
        ):  # fmt: skip
            mask = coverage([points], (x0, y0, x1, y1), 1.5)
            soft = cv2.GaussianBlur(mask.pixels, (0, 0), sigma * 1.5)
            sheet = Sheet(pixels=soft, origin_mm=mask.origin_mm, scale_px_per_mm=1.5)
            shade = sheet.at(x, y, cv2.BORDER_CONSTANT).astype(np.float32) / 255
            field[window] *= 1 - np.float32(depth) * shade

    def _blend(self, window: Window, alpha: Field, color: ArrayLike) -> None:
        """Put a colour over a part of the picture."""
        part = self.albedo[window]
        part += alpha[..., None] * (np.asarray(color, np.float32) - part)

    def _surface(self, window: Window, alpha: Field, color: ArrayLike, level: int,
                 gloss: float) -> None:  # fmt: skip
        """A horizontal surface: its colour, level, gloss, and light that nothing dims yet."""
        self._blend(window, alpha, color)
        self.level[window][alpha > 0.5] = level
        for field, value in ((self.gloss, gloss), (self.lamp, 1.0), (self.sky, 1.0)):
            field[window] += alpha * (np.float32(value) - field[window])

    def _polygon(self, points_px: NDArray[np.float64]) -> tuple[Window, Field] | None:
        """Coverage of a polygon of the image within its window."""
        window = window_of(points_px, self.size)
        if window is None:
            return None
        rows, columns = window
        mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
        fixed = np.round((points_px - [columns.start, rows.start]) * 64).astype(np.int32)
        cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, 6)
        return window, mask.astype(np.float32) / 255

    def paper(self, paper: Paper) -> None:
        """A sheet on the table."""
        dense = _dense(paper.corners_mm)
        found = self._polygon(
            self.camera.project(np.c_[dense, np.full(len(dense), paper.height_mm)])
        )
        if found is None:
            return
        window, alpha = found
        x, y = meet(self.camera, window, paper.height_mm)
        dx, dy = x - paper.corners_mm[0, 0], y - paper.corners_mm[0, 1]
        u = dx * paper.axes[0, 0] + dy * paper.axes[0, 1]
        v = dx * paper.axes[1, 0] + dy * paper.axes[1, 1]
        pixels = paper.sheet.at(u.astype(np.float32), v.astype(np.float32), cv2.BORDER_REPLICATE)
        self._blend(window, alpha, linear(pixels))
        self.gloss[window] *= 1 - 0.5 * alpha

    def walls(self, polygon: ArrayLike, low_mm: float, high_mm: float, bgr: ArrayLike) -> None:
        """The sides of a slab that the camera sees, each lit by how it faces the lamp."""
        points = _dense(polygon, 12.0)
        eye = self.camera.position_mm
        paint = linear(np.asarray(bgr, np.uint8).reshape(1, 1, 3)).reshape(3)
        area = 0.5 * np.sum(
            points[:, 0] * np.roll(points[:, 1], -1) - points[:, 1] * np.roll(points[:, 0], -1)
        )
        for a, b in zip(points, np.roll(points, -1, axis=0), strict=True):
            out = np.array([b[1] - a[1], a[0] - b[0]]) * np.sign(area)
            if np.dot(out, eye[:2] - a) <= 0:
                continue
            toward = self.light.toward(np.append(a, high_mm))
            facing = max(0.0, float(np.dot(toward[:2], out) / (np.linalg.norm(out) + 1e-9)))
            quad = np.array([[*a, high_mm], [*b, high_mm], [*b, low_mm], [*a, low_mm]])
            found = self._polygon(self.camera.project(quad))
            if found is None:
                continue
            window, alpha = found
            self._blend(window, alpha, paint)
            for field, value in ((self.lamp, facing), (self.sky, 0.55)):
                field[window] += alpha * (np.float32(value) - field[window])

    def board_face(self) -> None:
        """The printed field."""
        x, y = meet(self.camera, self.field, 0.0)
        eye = self.camera.position_mm
        scale = float(np.ceil(1.25 * self.camera.lens.focal_px / np.linalg.norm(eye) * 4) / 4)
        face = printed_face(self.board, self.look, max(1.0, scale))
        alpha = self._slab_alpha([self.board["outline"]], x, y)
        color = linear(face.at(x, y, cv2.BORDER_REPLICATE))
        self._surface(self.field, alpha, color, FACE, self.look.gloss)

    def _slab_alpha(self, polygons: list[ArrayLike], x: Field, y: Field) -> Field:
        """Coverage of polygons at points of their plane."""
        low, high = np.array(self.board["outline"], float).min(0), np.max(
            np.array(self.board["outline"], float), axis=0)  # fmt: skip
        scale = 1.25 * self.camera.lens.focal_px / np.linalg.norm(self.camera.position_mm)
        mask = coverage(polygons, (low[0] - 4, low[1] - 4, high[0] + 4, high[1] + 4),
                        max(1.0, float(scale)))  # fmt: skip
        return mask.at(x, y, cv2.BORDER_CONSTANT).astype(np.float32) / 255

    def hole(self) -> None:
        """The hole: its rim at the field's height, floor and wall seen through it."""
        hole = self.board["hole"]
        center, radius, depth = hole["center"], hole["radius"], hole["depth"]
        angles = np.linspace(0, 2 * np.pi, 48)
        rim = np.c_[center[0] + radius * np.cos(angles), center[1] + radius * np.sin(angles)]
        window = window_of(self.camera.project(np.c_[rim, np.zeros(48)]), self.size)
        if window is None:
            return
        x, y = meet(self.camera, window, 0.0)
        per_px = np.abs(np.gradient(x, axis=1)).mean() + np.abs(np.gradient(y, axis=1)).mean()
        inside = np.clip(0.5 + (radius - np.hypot(x - center[0], y - center[1])) / per_px, 0, 1)
        fx, fy = meet(self.camera, window, -depth)
        floor = np.clip(0.5 + (radius - np.hypot(fx - center[0], fy - center[1])) / per_px, 0, 1)
        paint = linear(np.asarray(self.look.hole_bgr, np.uint8).reshape(1, 1, 3)).reshape(3)
        color = paint * (0.45 + 0.55 * floor)[..., None]
        self._surface(window, inside.astype(np.float32), color, FLOOR, 0.1)
        toward = self.light.toward(np.array([*center, 0.0]))
        slope = toward[:2] / toward[2] * depth
        open_d = radius - np.hypot(fx + slope[0] - center[0], fy + slope[1] - center[1])
        lit = np.clip(0.5 + open_d / max(0.4, self.light.softness * depth), 0, 1)
        self.lamp[window] *= 1 - inside * (1 - lit)
        near = np.exp(-np.maximum(radius - np.hypot(fx - center[0], fy - center[1]), 0) / depth)
        self.sky[window] *= 1 - inside * (0.15 + 0.45 * near)

    def corners(self) -> None:
        """Raised launch corners, their shadows first."""
        x, y = meet(self.camera, self.field, 0.0)
        for corner in self.board["launch_corners"]:
            self._cast(x, y, np.array(corner["points"], float), corner["height"], self.field)
        for corner in self.board["launch_corners"]:
            bgr = tuple(int(c * 0.5) for c in self.look.corner_bgr)
            self.walls(corner["points"], 0.0, corner["height"], bgr)
        height = self.board["launch_corners"][0]["height"]
        x, y = meet(self.camera, self.field, height)
        polygons = [c["points"] for c in self.board["launch_corners"]]
        alpha = self._slab_alpha(polygons, x, y)
        paint = linear(np.asarray(self.look.corner_bgr, np.uint8).reshape(1, 1, 3)).reshape(3)
        self._surface(self.field, alpha, paint, RAISED, 1.3 * self.look.gloss)

    def smooth_light(self) -> tuple[Field, Field]:
        """Lamp strength and mirrored lamp (H, W), computed on every eighth pixel."""
        coarse = (slice(0, self.size[1], 8), slice(0, self.size[0], 8))
        x, y = meet(self.camera, coarse, 0.0)
        fields = (
            self.light.strength(x, y, 0.0),
            self.light.mirror(x, y, self.camera.position_mm),
        )
        h, w = x.shape
        # Sample k of the coarse field is pixel 8 k; cv2.resize would put it at 8 k + 3.5.
        u = np.tile(np.arange(self.size[0], dtype=np.float32) / 8, (self.size[1], 1))
        v = np.tile(np.arange(self.size[1], dtype=np.float32)[:, None] / 8, (1, self.size[0]))
        strength, mirror = (
            cv2.remap(f.astype(np.float32), u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for f in fields
        )
        assert (h, w) == x.shape
        return strength, mirror


def draw_backdrop(
    board: Board, look: Look, camera: Camera, light: Light, papers: list[Paper] | None = None
) -> Backdrop:
    """Table, paper and board as this camera sees them in this light."""
    painter = _Painter(board, look, camera, light)
    for paper in papers or []:
        painter.paper(paper)
    painter.walls(board["outline"], -look.thickness_mm, 0.0, look.side_bgr)
    painter.board_face()
    if board["hole"]:
        painter.hole()
    if board["launch_corners"]:
        painter.corners()
    strength, mirror = painter.smooth_light()
    lamp = painter.albedo * (strength * painter.lamp)[..., None]
    lamp += (mirror * painter.gloss * painter.lamp)[..., None]
    sky = painter.albedo * (np.float32(light.ambient) * painter.sky)[..., None]
    sky += np.float32(0.015 * light.ambient)  # every surface mirrors a little of the room
    raised = board["launch_corners"][0]["height"] if board["launch_corners"] else 0.0
    depth = board["hole"]["depth"] if board["hole"] else 0.0
    return Backdrop(
        camera=camera, sky_bgr=sky, lamp_bgr=lamp, level=painter.level,
        heights_mm=(-look.thickness_mm, 0.0, -depth, raised),
    )  # fmt: skip
