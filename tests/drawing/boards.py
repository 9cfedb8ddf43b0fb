"""Random board descriptions: other sizes, zones, circles, corners, holes and disc sets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.drawing.truth import Board, size_mm

SECTIONS = ("ruins", "canyon", "creek", "mudcracks")
ANIMAL_OF = {"ruins": "lizard", "canyon": "fox", "creek": "owl", "mudcracks": "rabbit"}
COLOR_SETS_EASY = (
    ("black", "blue", "red", "yellow"),
    ("orange", "purple", "teal", "white"),
    ("blue", "green", "red", "white"),
    ("black", "green", "pink", "yellow"),
    ("black", "orange", "purple", "white"),
    ("blue", "pink", "white", "yellow"),
)
COLOR_SETS_HARD = (
    ("brown", "orange", "red", "yellow"),
    ("black", "blue", "gray", "purple"),
    ("cream", "green", "teal", "white"),
    ("brown", "cream", "natural", "orange"),
    ("orange", "pink", "purple", "red"),
    ("blue", "green", "natural", "teal"),
)


def random_board(rng: np.random.Generator, *, name: str, style: str = "hard") -> Board:
    """A board description that no other seed has, in the board file's format."""
    width = float(rng.integers(68, 90) * 5)
    height = width if rng.random() < 0.6 else float(round(width * rng.uniform(0.74, 0.92) / 5) * 5)
    radius = float(rng.integers(17, 29)) / 2
    hole = None
    center = (width / 2, height / 2)
    if rng.random() < 0.85:
        hole = {
            "center": [round(c + float(rng.normal(0, 1.5)), 1) for c in center],
            "radius": round(radius + float(rng.uniform(2.5, 7.0)), 1),
            "depth": round(float(rng.uniform(2.0, 5.0)), 1),
        }
    launch = _launch_corners(rng, width, height)
    sets = COLOR_SETS_EASY if style == "easy" or rng.random() < 0.5 else COLOR_SETS_HARD
    board: Board = {
        "kind": "sonora-vision/board",
        "schema": 1,
        "name": name,
        "unit": "mm",
        "rule": "majority",
        "outline": [[0, 0], [width, 0], [width, height], [0, height]],
        "zones": _zones(rng, width, height),
        "multipliers": [],
        "hole": hole,
        "launch_corners": launch,
        "discs": {
            "radius": radius,
            "height": round(float(rng.uniform(4.5, 8.5)), 1),
            "colors": list(sets[rng.integers(len(sets))]),
            "numbers": [1, 2, 3, 4, 5],
        },
    }
    board["multipliers"] = _multipliers(rng, board)
    return board


def _launch_corners(rng: np.random.Generator, width: float, height: float) -> list[dict[str, Any]]:
    """Raised corners: none, triangles, quarter discs or squares; the same at all four."""
    kind = str(rng.choice(["none", "triangle", "quarter", "square"], p=[0.12, 0.4, 0.33, 0.15]))
    if kind == "none":
        return []
    size = float(round(min(width, height) * rng.uniform(0.17, 0.24)))
    rise = round(float(rng.uniform(2.0, 6.0)), 1)
    local = {
        "triangle": [(0.0, 0.0), (size, 0.0), (0.0, size)],
        "square": [(0.0, 0.0), (0.8 * size, 0.0), (0.8 * size, 0.8 * size), (0.0, 0.8 * size)],
        "quarter": [(0.0, 0.0)]
        + [(size * math.cos(a), size * math.sin(a)) for a in np.linspace(0, math.pi / 2, 24)],
    }[kind]
    corners = []
    for x0, y0, sx, sy in ((0, 0, 1, 1), (1, 0, -1, 1), (1, 1, -1, -1), (0, 1, 1, -1)):
        points = [[round(x0 * width + sx * x, 2), round(y0 * height + sy * y, 2)] for x, y in local]
        corners.append({"points": points, "height": rise})
    return corners


def _zones(rng: np.random.Generator, width: float, height: float) -> list[dict[str, Any]]:
    """Four sections as quadrants, wavy quadrants, a cross, bands or rings."""
    names = [str(s) for s in rng.permutation(SECTIONS)]
    kind = str(
        rng.choice(
            ["straight", "wavy", "slanted", "cross", "bands", "rings"],
            p=[0.2, 0.34, 0.18, 0.1, 0.08, 0.1],
        )
    )
    w, h, middle = width, height, np.array([width / 2, height / 2])
    if kind == "rings":
        return _rings(names, rng, w, h)
    wave = 0.0 if kind in ("straight", "slanted") else float(rng.uniform(0.012, 0.035)) * w
    count = float(rng.choice([1, 1.5, 2, 3]))
    if kind == "bands":
        cuts = [np.array([[0.0, h * k / 4], [w, h * k / 4]]) for k in range(5)]
        lines = [cuts[0], *(_wavy(c[0], c[1], wave, 2 * count) for c in cuts[1:4]), cuts[4]]
        return [
            _polygon(n, np.vstack([a, b[::-1]]))
            for n, a, b in zip(names, lines, lines[1:], strict=False)
        ]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
    if kind == "cross":
        ends, between = corners, [np.empty((0, 2))] * 4
    else:
        slant = rng.uniform(-0.14, 0.14, 4) if kind == "slanted" else np.zeros(4)
        ends = np.array([
            [w * (0.5 + slant[0]), 0], [w, h * (0.5 + slant[1])],
            [w * (0.5 + slant[2]), h], [0, h * (0.5 + slant[3])],
        ])  # fmt: skip
        between = [corners[(k + 1) % 4 : (k + 1) % 4 + 1] for k in range(4)]
    arms = [_wavy(middle, end, wave, count) for end in ends]
    return [
        _polygon(names[k], np.vstack([arms[k], between[k], arms[(k + 1) % 4][::-1]]))
        for k in range(4)
    ]


def _rings(names: list[str], rng: np.random.Generator, w: float, h: float) -> list[dict[str, Any]]:
    """A circle in a ring, and the rest of the board in halves."""
    center = [w / 2, h / 2]
    outer = round(min(w, h) * float(rng.uniform(0.3, 0.42)), 1)
    inner = round(outer * float(rng.uniform(0.45, 0.65)), 1)
    a = np.linspace(-np.pi / 2, np.pi / 2, 61)
    arc = np.array(center) + outer * np.stack([np.cos(a), np.sin(a)], axis=-1)
    right = np.vstack([[w / 2, 0], arc, [w / 2, h], [w, h], [w, 0]])
    left = np.array([w, 0]) + right * [-1, 1]
    return [
        _zone(names[0], "circle", center=center, radius=inner),
        _zone(names[1], "ring", center=center, inner=inner, outer=outer),
        _polygon(names[2], right),
        _polygon(names[3], left),
    ]


def _wavy(
    start: np.ndarray[Any, Any], end: np.ndarray[Any, Any], swing: float, count: float
) -> np.ndarray[Any, Any]:
    """A line from start to end that swings to both sides, its ends held."""
    t = np.linspace(0, 1, 41 if swing else 9)[:, None]
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    held = np.minimum(1.0, 4 * np.minimum(t, 1 - t))
    points = start + t * (end - start) + swing * held * np.sin(2 * np.pi * count * t) * across
    return np.asarray(points)


def _zone(section: str, shape: str, **keys: Any) -> dict[str, Any]:
    """One zone of the board file."""
    return {"section": section, "shape": shape, **keys}


def _polygon(section: str, points: np.ndarray[Any, Any]) -> dict[str, Any]:
    """A polygon zone with coordinates to a hundredth of a millimetre."""
    return _zone(section, "polygon", points=np.round(points, 2).tolist())


def _multipliers(rng: np.random.Generator, board: Board) -> list[dict[str, Any]]:
    """Two circles a section at places free of corners, hole and each other."""
    (w, h), radius = size_mm(board), round(float(rng.uniform(11, 17)), 1)
    if rng.random() < 0.03:
        return []
    wanted = [s for s in SECTIONS for _ in range(2)]
    placed: list[dict[str, Any]] = []
    corner = max((abs(p[0] - c["points"][0][0]) for c in board["launch_corners"]
                  for p in c["points"]), default=0.0)  # fmt: skip
    for section in wanted:
        for _ in range(200):
            x, y = rng.uniform(radius + 8, w - radius - 8), rng.uniform(radius + 8, h - radius - 8)
            clear = all(math.dist((x, y), m["center"]) > 2.6 * radius for m in placed)
            clear &= min(x, w - x) + min(y, h - y) > 1.5 * corner + 1.5 * radius
            clear &= not (min(x, w - x) < corner + radius and min(y, h - y) < corner + radius)
            if board["hole"]:
                away = math.dist((x, y), board["hole"]["center"])
                clear &= away > board["hole"]["radius"] + radius + 6
            if clear:
                center = [round(float(x), 1), round(float(y), 1)]
                placed.append({"section": section, "animal": ANIMAL_OF[section],
                               "center": center, "radius": radius})  # fmt: skip
                break
    return placed
