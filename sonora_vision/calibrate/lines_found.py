"""Whether a board's printed lines are where its pose puts them: else it is another, or turned."""

from __future__ import annotations

import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.printed import line_offsets
from sonora_vision.calibrate.printed_points import printed_points

KIND_NAMES = {1: "zones' borders", 2: "multipliers", 3: "hole"}
FOUND_MM, FOUND_PX = 0.4, 0.9
"""A line this near to where it should be is found, by what is more: pixels of large boards are
coarse."""
FOUND_REACH = 3.75
"""Searched is so many times as far to each side, so that a quarter of what is not there is found by
chance."""


def lines_found(pixels_bgr: Pixels, pose: BoardPose, board: BoardSpec) -> dict[str, float]:
    """Part of each kind of printed line that is found where the pose says it is.

    A board that is turned by a quarter fits its own edge and straight borders, but not its
    multipliers; another board fits none. The edge has no say: its frame and shadow differ.

    Returns
    -------
    dict of str to float
        0 to 1, by a name of ``KIND_NAMES``, for the kinds that the board has.
    """
    printed = printed_points(board)
    near_mm = max(FOUND_MM, FOUND_PX / pose.px_per_mm(np.mean(board.outline_mm, axis=0)))
    offsets, weights = line_offsets(pixels_bgr, pose, board, printed, FOUND_REACH * near_mm)
    found = {}
    for kind, name in KIND_NAMES.items():
        rows = printed.kinds == kind
        seen = rows & (weights > 0)
        if seen.any():
            # A circle's border has a width: its edges are off alike.
            common = 0.0 if kind == 1 else float(np.median(offsets[seen]))
            near = (np.abs(offsets - common) < near_mm) & seen
            found[name] = float(near.sum() / rows.sum())
    return found
