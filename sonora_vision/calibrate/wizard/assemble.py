"""From a draft to what calibration reads: a board description and the answers, in mm and pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import shapely

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json, board_to_json
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.propose.plane import board_plane
from sonora_vision.calibrate.wizard.areas import Area, areas
from sonora_vision.calibrate.wizard.draft import BoardDraft, Draft, DraftCircle, Point, rounded
from sonora_vision.errors import UsageError

NOMINAL_SIDE_MM = 400.0
"""Length of the first side until the owner has told it: shapes come out true, sizes do not yet."""
_SAME_MIDDLE_MM = 3.0
"""Circular zones whose middles lie this near are rings about one middle."""
_CORNERS_APART_PX = 3.0
"""Corners that lie nearer to each other are one corner."""


def place_draft(draft: BoardDraft, lens: Lens) -> tuple[BoardPose, FloatArray]:
    """Find the board's pose in the picture and its outline in mm.

    Raises
    ------
    UsageError
        Where there is no outline yet, or none that a board seen from above can have.
    """
    if len(draft.corners_px) < 3:
        raise UsageError(
            "outline: expected three corners or more; tap the board's corners in order"
        )
    corners = np.array(draft.corners_px)
    _require_outline(corners)
    try:
        pose, outline = board_plane(lens, corners, draft.first_side_mm or NOMINAL_SIDE_MM)
    except (ValueError, cv2.error):  # corners that lie anywhere leave nothing to solve
        raise UsageError(_NO_BOARD) from None
    outline = np.round(outline, 2) + 0.0
    numbers = np.concatenate([outline.ravel(), pose.rotation, pose.translation])
    if not np.isfinite(numbers).all() or not shapely.Polygon(outline).is_valid:
        raise UsageError(_NO_BOARD)
    return pose, outline


_NO_BOARD = (
    "outline: no board seen from above has such corners; drag each onto a corner of the board"
)


def _require_outline(corners: FloatArray) -> None:
    """Refuse corners that enclose no board."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if sides.min() < _CORNERS_APART_PX:
        raise UsageError("outline: two corners lie on each other; drag them apart")
    if not shapely.Polygon(corners).is_valid:
        raise UsageError("outline: its sides cross each other; tap the corners in their order")
    x, y = corners.T
    if float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) < 0:
        raise UsageError(
            "outline: its corners go anticlockwise; tap them clockwise from the top left"
        )


def circle_mm(circle: DraftCircle, pose: BoardPose) -> tuple[Point, float]:
    """Return a circle's middle and radius in mm."""
    center, rim = pose.to_board(np.array([circle.center_px, circle.rim_px]))
    return rounded(center), round(float(np.linalg.norm(rim - center)), 2)


def scale_at_middle(board: BoardDraft, lens: Lens, height_mm: float = 0.0) -> float:
    """Return the pixels of a millimetre above the board's middle, in its picture."""
    pose, outline = place_draft(board, lens)
    return pose.px_per_mm(outline.mean(axis=0), height_mm)


def disc_diameter_mm(draft: Draft, lens: Lens) -> float | None:
    """Return a disc's diameter: as typed, else as seen by the board's length, None if neither.

    Raises
    ------
    UsageError
        Where the board has no place yet.
    """
    discs = draft.discs
    if discs.diameter_mm is not None or discs.seen_px is None:
        return discs.diameter_mm
    return round(discs.seen_px / scale_at_middle(draft.board, lens, discs.height_mm or 0.0), 1)


def board_of(draft: Draft, lens: Lens) -> BoardSpec:
    """Make the board description that a draft says.

    Raises
    ------
    UsageError
        Naming the first thing that is still to be answered.
    FileFormatError
        Where the answers do not make a board; every mistake is named.
    """
    board = draft.board
    if board.first_side_mm is None:
        raise UsageError("length: type the real length of the board's first side in mm")
    pose, outline = place_draft(board, lens)
    parts = areas(board, pose, outline)
    values: dict[str, Any] = {
        "kind": "sonora-vision/board",
        "schema": 1,
        "name": board.name,
        "unit": "mm",
        "rule": board.rule,
        "outline": outline.tolist(),
        "zones": _zones(board, pose, parts),
        "multipliers": [],
        "hole": None,
        "launch_corners": [],
    }
    for circle in board.circles:
        center, radius = circle_mm(circle, pose)
        if circle.role == "hole":
            values["hole"] = {
                "center": list(center),
                "radius": radius,
                "depth": board.hole_depth_mm,
            }
        elif circle.role == "multiplier":
            if not circle.section or not circle.animal:
                raise UsageError(
                    "circles: a circle has no section or no animal yet; name it, or delete it if "
                    "discs do not count for it"
                )
            values["multipliers"].append(
                {
                    "section": circle.section,
                    "animal": circle.animal,
                    "center": list(center),
                    "radius": radius,
                }
            )
    for i, label in enumerate(board.labels):
        if label.role == "launch":
            # Its edge is seen nearer to the camera than the board: as it stands, it ends there.
            for area in areas(board, pose, outline, label.height_mm):
                if area.label == i:
                    corner = {"points": [list(p) for p in area.points_mm]}
                    values["launch_corners"].append(corner | {"height": label.height_mm})
    if not values["zones"]:
        raise UsageError("areas: none is labelled as a zone yet; tap an area and name its section")
    values["discs"] = _disc_set(draft, lens)
    return board_from_json(values, "the board that was drawn")


def _disc_set(draft: Draft, lens: Lens) -> dict[str, Any]:
    discs = draft.discs
    diameter_mm = disc_diameter_mm(draft, lens)
    if discs.height_mm is None or diameter_mm is None:
        raise UsageError("discs: type their height and check their diameter, in mm")
    colors = sorted({disc.color for disc in discs.discs})
    if not colors:
        raise UsageError("discs: none is marked yet; send the picture of all discs, or tap them")
    return {
        "radius": round(diameter_mm / 2, 2),
        "height": discs.height_mm,
        "colors": colors,
        "numbers": list(discs.numbers),
        "each_once": discs.each_once,
    }


def _zones(board: BoardDraft, pose: BoardPose, parts: Sequence[Area]) -> list[dict[str, Any]]:
    zones: list[dict[str, Any]] = []
    for area in parts:
        label = None if area.label is None else board.labels[area.label]
        if label is not None and label.role == "zone":
            zone: dict[str, Any] = {"section": label.section, "shape": "polygon"}
            zone["points"] = [list(point) for point in area.points_mm]
            zones.append(_valued(zone, label.value))
    rounds = [(c, *circle_mm(c, pose)) for c in board.circles if c.role == "zone"]
    for circle, center, radius in rounds:
        if not circle.section:
            raise UsageError("circles: a circle that is a zone has no section yet; name it")
        within = [
            r
            for _, c, r in rounds
            if r < radius and np.hypot(c[0] - center[0], c[1] - center[1]) < _SAME_MIDDLE_MM
        ]
        zone = {"section": circle.section, "center": list(center)}
        zone |= (
            {"shape": "ring", "inner": max(within), "outer": radius}
            if within
            else {"shape": "circle", "radius": radius}
        )
        zones.append(_valued(zone, circle.value))
    return zones


def _valued(zone: dict[str, Any], value: int | None) -> dict[str, Any]:
    return zone if value is None else zone | {"value": value}


def rig_documents(draft: Draft, lens: Lens) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return ``board.json`` and ``teach/answers.json`` of the rig that a draft describes.

    Raises
    ------
    UsageError, FileFormatError
        As :func:`board_of`.
    """
    if draft.empty_picture is None or draft.discs_picture is None:
        raise UsageError("pictures: expected one of the empty board and one of all discs")
    board = board_of(draft, lens)
    pose, _ = place_draft(draft.board, lens)
    hole = None
    if board.hole is not None:
        hole = [round(float(v), 1) for v in pose.project(np.array([board.hole.center_mm]))[0]]
    answers = {
        "empty": {
            "image": draft.empty_picture,
            "corners_px": [[round(x, 1), round(y, 1)] for x, y in draft.board.corners_px],
            "hole_px": hole,
        },
        "discs": {
            "image": draft.discs_picture,
            "discs": [
                {
                    "color": disc.color,
                    "number": disc.number,
                    "px": [round(disc.px[0], 1), round(disc.px[1], 1)],
                }
                for disc in draft.discs.discs
            ],
        },
    }
    return board_to_json(board), answers
