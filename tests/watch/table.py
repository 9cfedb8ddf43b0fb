"""A table drawn with a few strokes: fast frames with discs, hands and lamps, and their truth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from sonora_vision.camera.source import Frame, Pixels, Still
from sonora_vision.observation import Disc, Missing, Point, Pose, Reading, State

RATE_HZ = 15.0
SIZE_PX = (640, 480)
BOARD_MM = 400.0
RADIUS_MM = 12.0
COLORS = {"red": (40, 40, 200), "blue": (190, 90, 30), "white": (225, 228, 230)}
INVENTORY = [(color, number) for color in COLORS for number in range(1, 6)]


def disc(
    color: str,
    number: int | None,
    center_mm: Point,
    *,
    state: State = "flat",
    sections: tuple[str, ...] = ("canyon",),
) -> Disc:
    via = "hole" if state == "in_hole" else "none" if state == "launch_corner" else "zone"
    return Disc(
        color=color,
        number=number,
        center_mm=center_mm,
        sigma_mm=0.3,
        top_px=(0.0, 0.0),
        state=state,
        via=via,  # type: ignore[arg-type]  # one of the words that it may be
        sections=() if via == "none" else sections,
        margin_mm=5.0,
        p=0.99,
    )


def reading(*discs: Disc, pose: Pose | None = None) -> Reading:
    seen = {(d.color, d.number) for d in discs}
    missing = tuple(Missing(color=c, number=n) for c, n in INVENTORY if (c, n) not in seen)
    pose = pose or Table().pose()
    return Reading(image="test", board="drawn", pose=pose, discs=discs, missing=missing)


@dataclass(frozen=True, kw_only=True)
class Table:
    """What lies where at one moment."""

    discs: Mapping[tuple[str, int], Point] = field(default_factory=dict)
    hand_mm: Point | None = None
    """Tip of a hand that reaches in from the lower edge of the picture."""
    light: float = 1.0
    lamp: float = 0.0
    """A lamp on the left, that lights one side more."""
    board_px: Point = (320.0, 240.0)
    board_deg: float = 0.0
    px_per_mm: float = 1.0
    blur_px: float = 0.0
    camera_shift_px: Point = (0.0, 0.0)

    def to_px(self, point_mm: Point) -> Point:
        angle = math.radians(self.board_deg)
        x, y = (v - BOARD_MM / 2 for v in point_mm)
        return (
            self.board_px[0] + self.px_per_mm * (x * math.cos(angle) - y * math.sin(angle)),
            self.board_px[1] + self.px_per_mm * (x * math.sin(angle) + y * math.cos(angle)),
        )

    def corners(self) -> tuple[Point, ...]:
        mm = ((0.0, 0.0), (BOARD_MM, 0.0), (BOARD_MM, BOARD_MM), (0.0, BOARD_MM))
        shift = self.camera_shift_px
        return tuple((x + shift[0], y + shift[1]) for x, y in map(self.to_px, mm))

    def pose(self) -> Pose:
        return Pose(corners_px=self.corners(), turn_deg=self.board_deg % 360.0, fit_px=0.2)

    def read(self) -> Reading:
        """The truth as a reading."""
        discs = [disc(color, number, at) for (color, number), at in self.discs.items()]
        return reading(*discs, pose=self.pose())

    def draw(self, rng: np.random.Generator | None = None) -> Pixels:
        picture = _table_top().copy()
        board = np.array([[0, 0], [BOARD_MM, 0], [BOARD_MM, BOARD_MM], [0, BOARD_MM]])
        for polygon, bgr in (
            (board, (150, 185, 205)),
            (board * [0.5, 0.5], (110, 140, 190)),
            (board * [0.5, 0.5] + BOARD_MM / 2, (160, 165, 120)),
        ):
            points = np.array([self.to_px(tuple(p)) for p in polygon])
            cv2.fillPoly(picture, [np.round(points * 16).astype(np.int32)], bgr, cv2.LINE_AA, 4)
        for (color, number), at_mm in self.discs.items():
            at_px = self.to_px(at_mm)
            radius = round(RADIUS_MM * self.px_per_mm * 16)
            where = tuple(round(16 * v) for v in at_px)
            cv2.circle(picture, where, radius, COLORS[color], -1, cv2.LINE_AA, 4)
            text_at = (round(at_px[0] - 5), round(at_px[1] + 5))
            cv2.putText(picture, str(number), text_at, 0, 0.5, (20, 20, 20), 2, cv2.LINE_AA)
        if self.hand_mm is not None:
            tip = np.array(self.to_px(self.hand_mm))
            x, y = tip
            arm = [(x - 14, y), (x + 14, y), (x + 34, y + 70), (x + 40, 490), (x - 40, 490)]
            arm.append((x - 34, y + 70))
            cv2.fillPoly(picture, [np.round(arm).astype(np.int32)], (120, 150, 205), cv2.LINE_AA)
        if any(self.camera_shift_px):
            move = np.float32([[1, 0, self.camera_shift_px[0]], [0, 1, self.camera_shift_px[1]]])
            picture = cv2.warpAffine(picture, move, SIZE_PX, borderMode=cv2.BORDER_REFLECT)
        ramp = np.linspace(1.0 + self.lamp, 1.0 + 0.4 * self.lamp, SIZE_PX[0], dtype=np.float32)
        picture = picture * self.light * ramp[None, :, None]
        if self.blur_px:
            picture = cv2.GaussianBlur(picture, (0, 0), self.blur_px)
        if rng is not None:
            picture = picture + rng.normal(0.0, 2.0, picture.shape).astype(np.float32)
        return np.clip(picture, 0, 255).astype(np.uint8)


_TOPS: list[Pixels] = []


def _table_top() -> Pixels:
    if not _TOPS:
        rng = np.random.default_rng(3)
        grain = cv2.GaussianBlur(rng.normal(0, 40, (480, 640)).astype(np.float32), (0, 0), 2.5)
        wood = np.dstack([60 + grain, 85 + grain, 110 + grain])
        _TOPS.append(np.clip(wood, 0, 255).astype(np.uint8))
    return _TOPS[0]


class Film:
    """Tables one after the other as a camera, with a reader that knows the truth."""

    name = "film"
    live = False

    def __init__(
        self, scenes: Iterable[tuple[Table, float]], *, seed: int = 1, noise: float = 2.0
    ) -> None:
        """Each scene is a table and the seconds that it lasts."""
        self._scenes = list(scenes)
        self._rng, self._noise = np.random.default_rng(seed), noise
        self.now: Table | None = None
        self.at_s = 0.0
        self.read_tables: list[Table] = []
        self.read_at_s: list[float] = []

    def frames(self) -> Iterator[Frame]:
        number = 0
        noise = [
            self._rng.normal(0.0, self._noise, (480, 640, 3)).astype(np.float32) for _ in range(3)
        ]
        for table, seconds in self._scenes:
            self.now = table
            count = max(1, round(seconds * RATE_HZ))
            clean = table.draw()
            pictures = [cv2.add(clean, grain, dtype=cv2.CV_8U) for grain in noise[:count]]
            for k in range(count):
                self.at_s = number / RATE_HZ
                pixels = np.asarray(pictures[k % len(pictures)], np.uint8)
                yield Frame(pixels_bgr=pixels, at_s=self.at_s, number=number)
                number += 1

    def still(self) -> Still:
        assert self.now is not None
        return Still(pixels_bgr=np.zeros((480, 640, 3), np.uint8), at_s=self.at_s, name="still")

    def close(self) -> None: ...

    def read(self, _pixels: Pixels, name: str) -> Reading:
        assert self.now is not None
        self.read_tables.append(self.now)
        self.read_at_s.append(self.at_s)
        return replace(self.now.read(), image=name)


def hand_in_and_out(table: Table, tip_mm: Point) -> list[tuple[Table, float]]:
    """A hand that comes, stays a moment and goes, 0.8 s in all."""
    x, y = tip_mm
    ys = [y + 300, y + 150, y, y + 5, y + 150, y + 300]
    return [(replace(table, hand_mm=(x, v)), 2 / RATE_HZ) for v in ys]


def slide(
    table: Table, who: tuple[str, int], start_mm: Point, end_mm: Point, *, steps: int = 8
) -> list[tuple[Table, float]]:
    """A disc that slides to a stop, a step a frame."""
    scenes = []
    for share in 1.0 - np.linspace(1.0, 0.0, steps) ** 2:
        at = (
            float(start_mm[0] + share * (end_mm[0] - start_mm[0])),
            float(start_mm[1] + share * (end_mm[1] - start_mm[1])),
        )
        scenes.append((replace(table, discs={**table.discs, who: at}), 1 / RATE_HZ))
    return scenes
