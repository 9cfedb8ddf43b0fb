"""Clicks as a careful person makes them, from what is known to lie in a photograph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

CLICK_PX = 2.0


def clicks_by_truth(board: dict[str, Any], truth: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return the content of a file of clicks: corners, hole, one flat disc a color."""
    rng = np.random.default_rng(seed)

    def clicked(point: list[float]) -> list[float]:
        return [round(float(v), 1) for v in np.array(point) + rng.normal(0, CLICK_PX, 2)]

    places = list(zip(board["outline"], truth["corners_px"], strict=True))
    if board["hole"]:
        places.append((board["hole"]["center"], truth["hole_px"]))
    discs = {
        disc["color"]: disc
        for disc in truth["discs"]
        if disc["state"] in ("flat", "in_hole") and disc["visible"] > 0.95
    }
    return {
        "landmarks": [{"mm": mm, "px": clicked(px)} for mm, px in places],
        "colors": [{"color": c, "px": clicked(d["top_px"])} for c, d in discs.items()],
    }


def sample_clicks(photo: str) -> dict[str, Any]:
    """Return clicks on one of the sample photographs."""
    rig = Path(__file__).parent.parent / "sample_images" / "mesa"
    board = json.loads((rig / "board.json").read_text(encoding="utf-8"))
    truth = json.loads((rig / "truth" / f"{photo}.json").read_text(encoding="utf-8"))
    return clicks_by_truth(board, truth, int(photo))
