"""Small documents and values for tests, each a valid one to be changed."""

from __future__ import annotations

from typing import Any

from sonora_vision.observation import Disc, Pose, Reading


def board_json(**changes: Any) -> dict[str, Any]:
    """Return a square board of 100 mm: two halves, a fox, a hole, one launch corner."""
    values: dict[str, Any] = {
        "kind": "sonora-vision/board",
        "schema": 1,
        "name": "tiny",
        "unit": "mm",
        "rule": "majority",
        "outline": [[0, 0], [100, 0], [100, 100], [0, 100]],
        "zones": [
            {
                "section": "ruins",
                "shape": "polygon",
                "points": [[0, 0], [50, 0], [50, 100], [0, 100]],
            },
            {
                "section": "creek",
                "shape": "polygon",
                "points": [[50, 0], [100, 0], [100, 100], [50, 100]],
            },
        ],
        "multipliers": [{"section": "canyon", "animal": "fox", "center": [25, 50], "radius": 8}],
        "hole": {"center": [50, 50], "radius": 9, "depth": 3},
        "launch_corners": [{"points": [[0, 0], [20, 0], [0, 20]], "height": 4}],
        "discs": {"radius": 6, "height": 5, "colors": ["red", "blue"], "numbers": [1, 2]},
    }
    return values | changes


def disc(**changes: Any) -> Disc:
    """Return a red 1 that lies in the Ruins without a doubt."""
    values: dict[str, Any] = {
        "color": "red",
        "number": 1,
        "center_mm": (30.0, 70.0),
        "sigma_mm": 0.2,
        "top_px": (300.0, 700.0),
        "state": "flat",
        "via": "zone",
        "sections": ("ruins",),
        "margin_mm": 5.0,
        "p": 0.99,
    }
    return Disc(**values | changes)


def reading(*discs: Disc, **changes: Any) -> Reading:
    """Return a reading of the tiny board with these discs."""
    values: dict[str, Any] = {
        "image": "shot.jpg",
        "board": "tiny",
        "pose": Pose(
            corners_px=((0.0, 0.0), (1000.0, 0.0), (1000.0, 1000.0), (0.0, 1000.0)),
            turn_deg=0.0,
            fit_px=0.4,
        ),
        "discs": discs,
    }
    return Reading(**values | changes)
