"""The first draft of a board, proposed from one picture: what a person then corrects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.propose.borders import propose_borders, trace_border
from sonora_vision.calibrate.propose.circles import FoundCircle
from sonora_vision.calibrate.propose.outline import propose_outline
from sonora_vision.calibrate.propose.printed_circles import propose_circles
from sonora_vision.calibrate.rectify import View, rectify, view_around
from sonora_vision.calibrate.wizard.assemble import place_draft
from sonora_vision.calibrate.wizard.draft import BoardDraft, DraftCircle, Point
from sonora_vision.calibrate.wizard.refine_outline import refine_outline

PROPOSAL_PX = 1000
"""Longer side of the rectified picture that proposals are made in: a pixel is about 0.4 mm."""
BORDER_STEP_MM = 3.0


def propose_board(pixels_bgr: Pixels, lens: Lens, draft: BoardDraft) -> BoardDraft:
    """Propose all that is printed on a board.

    Parameters
    ----------
    pixels_bgr
        Picture of the empty board.
    lens
        Intrinsics at its size.
    draft
        What was answered before; its outline and names are kept where there are any.

    Returns
    -------
    BoardDraft
        Without an outline where none was found: then the owner draws it, and asks again.
    """
    if len(draft.corners_px) < 3:
        corners = propose_outline(pixels_bgr, lens)
        if corners is None:
            return draft
        corners = refine_outline(pixels_bgr, lens, corners)
        draft = replace(draft, corners_px=tuple(_px(c) for c in corners))
    pose, view = proposal_view(draft, lens)
    flat = rectify(pixels_bgr, pose, view)
    circles, hole = propose_circles(flat)
    over = [*circles, *([hole] if hole is not None else [])]
    borders = propose_borders(flat, [_xyr(circle) for circle in over])
    drafted = [_drafted(circle, pose, view, "multiplier") for circle in circles]
    if hole is not None:
        drafted.append(_drafted(hole, pose, view, "hole"))
    return replace(
        draft,
        circles=tuple(drafted),
        borders=tuple(_to_photo(line, pose, view) for line in borders),
        labels=(),
    )


def trace_in_photo(
    pixels_bgr: Pixels, lens: Lens, draft: BoardDraft, points_px: Sequence[Point]
) -> tuple[Point, ...]:
    """Follow the printed line through roughly given points of the picture.

    Points near the board's edge are carried on over it, so that the line divides the board.
    """
    pose, view = proposal_view(draft, lens)
    flat = rectify(pixels_bgr, pose, view)
    circles = []
    for circle in draft.circles:
        center, rim = view.to_px(pose.to_board(np.array([circle.center_px, circle.rim_px])))
        circles.append(np.array([*center, np.linalg.norm(rim - center)]))
    rough = view.to_px(pose.to_board(np.array(points_px)))
    size = np.array([flat.shape[1], flat.shape[0]]) - 1.0
    line = trace_border(flat, np.clip(rough, 0.0, size), circles)
    return _to_photo(_over_the_edge(line, size), pose, view)


def proposal_view(draft: BoardDraft, lens: Lens) -> tuple[BoardPose, View]:
    """Return the board's pose, and the frame that proposals are made in."""
    pose, outline = place_draft(draft, lens)
    scale = PROPOSAL_PX / float(np.ptp(outline, axis=0).max())
    return pose, view_around(outline, 0.0, scale)


def _over_the_edge(line: FloatArray, size: FloatArray) -> FloatArray:
    for end, inner in ((0, min(4, len(line) - 1)), (-1, max(-5, -len(line)))):
        to_edge = np.concatenate([line[end], size - line[end]]).min()
        along = line[end] - line[inner]
        if to_edge < 0.04 * size.max() and np.linalg.norm(along) > 0:
            beyond = line[end] + along / np.linalg.norm(along) * (to_edge + 0.02 * size.max())
            line = np.vstack([beyond, line]) if end == 0 else np.vstack([line, beyond])
    return line


def _xyr(circle: FoundCircle) -> FloatArray:
    return np.array([*circle.center_px, circle.radius_px])


def _drafted(circle: FoundCircle, pose: BoardPose, view: View, role: str) -> DraftCircle:
    rim = circle.center_px + np.array([circle.radius_px, 0.0])
    center_px, rim_px = pose.project(view.to_mm(np.array([circle.center_px, rim])))
    return DraftCircle(
        center_px=_px(center_px),
        rim_px=_px(rim_px),
        role="hole" if role == "hole" else "multiplier",
    )


def _to_photo(line: FloatArray, pose: BoardPose, view: View) -> tuple[Point, ...]:
    """Return a line in the photograph's pixels, with points enough to follow the lens."""
    points = view.to_mm(line)
    dense = [points[:1]]
    for start, end in pairwise(points):
        count = max(1, round(float(np.linalg.norm(end - start)) / (5 * BORDER_STEP_MM)))
        share = np.arange(1, count + 1)[:, None] / count
        dense.append(start + share * (end - start))
    return tuple(_px(p) for p in pose.project(np.vstack(dense)))


def _px(point: FloatArray) -> Point:
    return round(float(point[0]), 2), round(float(point[1]), 2)
