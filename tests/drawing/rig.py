"""A whole rig folder: board, lens pictures, teaching, photographs and their truth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.drawing.boards import random_board
from tests.drawing.camera import Camera, Lens, normalized_rays, overhead_camera, random_lens
from tests.drawing.light import KINDS, Light, random_light
from tests.drawing.looks import Look, Pixels, random_look
from tests.drawing.placement import PlacedDisc, random_position, taught_rows
from tests.drawing.print_board import Sheet
from tests.drawing.scene import set_stage
from tests.drawing.sensor import develop, jpeg, linear
from tests.drawing.solids import Solid
from tests.drawing.things import hand, random_mug, random_paper, random_pencil
from tests.drawing.truth import Board, Record, size_mm

_CLICK_PX = 1.2  # deviation of a careful click, on each axis
CHARUCO: dict[str, Any] = {
    "squares": [9, 7],
    "square_mm": 25.0,
    "marker_mm": 18.0,
    "dictionary": "DICT_5X5_250",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Rig:
    """A camera on its mount over a table, and the board that is played on it."""

    seed: int
    style: str
    board: Board
    look: Look
    camera: Camera
    """Over the board as it was taught."""

    def photo(self, index: int) -> tuple[Pixels, Record, int]:
        """Photograph ``index`` of play, its truth and its JPEG quality; always the same."""
        rng = np.random.default_rng([self.seed, 1, index])
        hard = self.style == "hard"
        camera = self._pushed(rng)
        kind = str(rng.choice(KINDS, p=[0.4, 0.2, 0.2, 0.2])) if hard else "diffuse"
        light = random_light(rng, self.board, camera, kind)
        papers = [random_paper(rng, self.board, self.look) for _ in range(rng.integers(3))]
        clutter: list[Solid] = []
        for make, most in ((random_pencil, 3), (random_mug, 2 if rng.random() < 0.3 else 1)):
            for _ in range(int(rng.integers(most))):
                clutter += make(rng, self.board, self.look)
        hands = self._hand(rng) if hard and rng.random() < 0.35 else []
        discs = random_position(self.board, rng, style=self.style)
        blur = float(rng.choice([0.0, rng.uniform(0.3, 1.2)], p=[0.7, 0.3])) if hard else 0.0
        width_px = self.camera.lens.size_px[0]
        stage = set_stage(self.board, self.look, camera, light, papers=papers, clutter=clutter)
        pixels, truth = stage.draw(discs, rng, hands=hands, extra_blur_px=blur * width_px / 1640)
        return pixels, truth, int(rng.integers(82, 96))

    def taught(self, discs: list[PlacedDisc], index: int) -> tuple[Pixels, Record]:
        """A teaching picture in even light."""
        rng = np.random.default_rng([self.seed, 2, index])
        w, h = size_mm(self.board)
        camera = self.camera.moved(float(rng.normal(0, 2)), (w / 2, h / 2), rng.normal(0, 4, 2))
        light = random_light(rng, self.board, camera, "diffuse")
        return set_stage(self.board, self.look, camera, light).draw(discs, rng)

    def _pushed(self, rng: np.random.Generator) -> Camera:
        """The camera over the board turned by quarters and pushed about."""
        w, h = size_mm(self.board)
        turn = 90 * int(rng.integers(4)) + float(rng.normal(0, 4))
        return self.camera.moved(turn, (w / 2, h / 2), rng.normal(0, 7, 2))

    def _hand(self, rng: np.random.Generator) -> list[Solid]:
        """A hand from any side that reaches a little over the board."""
        w, h = size_mm(self.board)
        angle = float(rng.uniform(0, 360))
        out = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        tip = np.array([w / 2, h / 2]) + out * min(w, h) * float(rng.uniform(0.15, 0.45))
        return hand(tip, angle + float(rng.normal(0, 15)), rng,
                    lift_mm=float(rng.uniform(6, 30)))  # fmt: skip


def random_rig(
    seed: int, *, style: str = "hard", size_px: tuple[int, int] = (1640, 1232),
    board: Board | None = None,
) -> Rig:  # fmt: skip
    """The rig of a seed; ``board`` puts another board under its camera."""
    rng = np.random.default_rng([seed, 0])
    drawn = random_board(rng, name=f"drawn-{seed}", style=style)
    board = board or drawn
    look = random_look(rng, board, style=style)
    lens = random_lens(rng).resized(size_px[0])
    lens = Lens(**{**vars(lens), "size_px": size_px})
    w, h = size_mm(board)
    diagonal = max(w, h) * float(rng.uniform(1.2, 1.34))
    camera = overhead_camera(
        lens, looks_at_mm=(w / 2 + rng.normal(0, 6), h / 2 + rng.normal(0, 6)),
        distance_mm=lens.focal_px * diagonal / size_px[1],
        tilt_deg=(float(rng.uniform(-9, 9)), float(rng.uniform(-7, 7))),
        turn_deg=float(rng.normal(0, 3)),
    )  # fmt: skip
    return Rig(seed=seed, style=style, board=board, look=look, camera=camera)


def charuco_photo(lens: Lens, index: int, rng: np.random.Generator) -> Pixels:
    """A printed ChArUco board held before the camera, in one place of a 4 x 3 grid or tilted."""
    columns, rows = CHARUCO["squares"]
    cell, marker = float(CHARUCO["square_mm"]), float(CHARUCO["marker_mm"])
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, CHARUCO["dictionary"]))
    target = cv2.aruco.CharucoBoard((columns, rows), cell, marker, family)
    width, height = lens.size_px
    share = float(rng.uniform(0.34, 0.6))
    distance = lens.focal_px * columns * cell / (share * width)
    # Printed about as finely as the picture shows it, so that no edge is stepped; the divisors
    # of 12 leave whole pixels.
    fine, rim = 12, 9
    shrink = max(n for n in (1, 2, 3, 4) if n == 1 or fine / n >= lens.focal_px / distance)
    scale = fine / shrink
    large = target.generateImage((round(columns * cell * fine), round(rows * cell * fine)))
    large = cv2.copyMakeBorder(
        large, rim * fine, rim * fine, rim * fine, rim * fine, cv2.BORDER_CONSTANT, value=255
    )
    paper = cv2.resize(large, (large.shape[1] // shrink, large.shape[0] // shrink),
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    paper = (20 + paper.astype(np.float32) * 0.86).astype(np.uint8)
    sheet = Sheet(pixels=paper, origin_mm=(-rim, -rim), scale_px_per_mm=scale)
    spot = np.array([(0.5 + index % 4) / 4, (0.5 + index // 4 % 3) / 3]) + rng.normal(0, 0.05, 2)
    at_px = spot * [width, height] * 0.86 + 0.07 * np.array([width, height])
    u, v = normalized_rays(lens)[int(np.clip(at_px[1], 0, height - 1)),
                                 int(np.clip(at_px[0], 0, width - 1))]  # fmt: skip
    lean, _ = cv2.Rodrigues(rng.uniform(-0.6, 0.6, 3) * [1, 1, 0.5])
    middle = np.array([columns * cell / 2, rows * cell / 2, 0.0])
    camera = Camera(
        lens=lens, rotation=np.asarray(lean, float),
        translation_mm=distance * np.array([u, v, 1.0]) - lean @ middle,
    )  # fmt: skip
    rays, eye = camera.rays, camera.position_mm.astype(np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(rays[..., 2] < -1e-3, -eye[2] / rays[..., 2], np.float32(1e7))
    x, y = eye[0] + t * rays[..., 0], eye[1] + t * rays[..., 1]
    w_mm, h_mm = columns * cell + 9, rows * cell + 9
    mm_px = distance / lens.focal_px
    edge = np.minimum.reduce([x + 9, w_mm - x, y + 9, h_mm - y]) / np.float32(mm_px)
    alpha = np.clip(0.5 + edge, 0, 1)[..., None]
    grey = sheet.at(x, y, cv2.BORDER_REPLICATE)
    color = linear(cv2.merge([grey, grey, grey]))
    image = 0.09 + alpha * (color - 0.09)
    light = Light(kind="diffuse", lamp_mm=(0, 0, 1000), direct=0, ambient=1, softness=1, glare=0,
                  glare_power=1, exposure=float(rng.uniform(0.6, 0.9)))  # fmt: skip
    return develop(image.astype(np.float32), lens, light, rng)


def _clicked(rng: np.random.Generator, point_px: Any) -> list[float]:
    """A point as a person clicks it."""
    return [round(float(v), 1) for v in np.asarray(point_px) + rng.normal(0, _CLICK_PX, 2)]


def write_rig(rig: Rig, folder: Path, photos: int) -> None:
    """Write a whole rig folder in the format that ``calibrate`` and ``evaluate`` read."""
    for name in ("lens", "teach", "photos", "truth"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([rig.seed, 3])
    _write_json(folder / "board.json", rig.board)
    _write_json(folder / "lens" / "charuco.json", CHARUCO)
    for index in range(14):
        pixels = charuco_photo(rig.camera.lens, index, rng)
        (folder / "lens" / f"{index:02d}.jpg").write_bytes(jpeg(pixels, 92))
    empty, empty_truth = rig.taught([], 0)
    laid = taught_rows(rig.board, rng)
    full, full_truth = rig.taught(laid, 1)
    (folder / "teach" / "empty.jpg").write_bytes(jpeg(empty, 92))
    (folder / "teach" / "discs.jpg").write_bytes(jpeg(full, 92))
    hole = empty_truth["hole_px"]
    answers = {
        "empty": {
            "image": "empty.jpg",
            "corners_px": [_clicked(rng, p) for p in empty_truth["corners_px"]],
            "order": "the outline's, in the reference orientation",
            "hole_px": None if hole is None else _clicked(rng, hole),
        },
        "discs": {
            "image": "discs.jpg",
            "discs": [
                {"color": d["color"], "number": d["number"], "px": _clicked(rng, d["top_px"])}
                for d in full_truth["discs"]
            ],
        },
    }
    _write_json(folder / "teach" / "answers.json", answers)
    for index in range(photos):
        pixels, truth, quality = rig.photo(index)
        (folder / "photos" / f"{index:03d}.jpg").write_bytes(jpeg(pixels, quality))
        _write_json(folder / "truth" / f"{index:03d}.json", {**truth, "image": f"{index:03d}.jpg"})


def _write_json(path: Path, content: Any) -> None:
    """Write one file."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
