"""What the wizard's pages show of a draft, as plain values for templates and scripts."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.wizard.areas import areas
from sonora_vision.calibrate.wizard.assemble import circle_mm, place_draft
from sonora_vision.calibrate.wizard.disc_edits import check_discs
from sonora_vision.calibrate.wizard.draft import BoardDraft, DiscsDraft
from sonora_vision.detect.annotate.palette import disc_color, readable_on
from sonora_vision.errors import SonoraError
from sonora_vision.web.door.refusals import told

_AROUND = np.arange(48) * 2 * np.pi / 48
_EDGE_STEP_MM = 15.0


def board_shown(draft: BoardDraft, lens: Lens) -> dict[str, Any]:
    """Return the board's draft as the page draws it, in pixels of the picture."""
    shown: dict[str, Any] = {
        "size": list(lens.size_px),
        "name": draft.name,
        "rule": draft.rule,
        "first_side_mm": draft.first_side_mm,
        "hole_depth_mm": draft.hole_depth_mm,
        "corners": [list(c) for c in draft.corners_px],
        "outline": [],
        "sides_mm": [],
        "circles": [],
        "borders": [[list(p) for p in border] for border in draft.borders],
        "areas": [],
        "problem": None,
    }
    try:
        pose, outline = place_draft(draft, lens)
    except SonoraError as error:
        shown["problem"] = told(error)
        return shown
    shown["outline"] = _dense(outline, pose)
    if draft.first_side_mm is not None:
        sides = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
        shown["sides_mm"] = [round(float(s), 1) for s in sides]
    shown["circles"] = [_circle(draft, i, pose) for i in range(len(draft.circles))]
    try:
        shown["areas"] = _areas(draft, pose, outline)
    except SonoraError as error:
        shown["problem"] = told(error)
    return shown


def _areas(draft: BoardDraft, pose: BoardPose, outline: FloatArray) -> list[dict[str, Any]]:
    rounds = [
        shapely.Point(c).buffer(1.3 * r) for c, r in (circle_mm(c, pose) for c in draft.circles)
    ]
    shown = []
    for area in areas(draft, pose, outline):
        polygon = shapely.Polygon(area.points_mm)
        free = polygon.difference(shapely.unary_union(rounds))
        inside = shapely.maximum_inscribed_circle(free if free.area > 0 else polygon).coords[0]
        label = None if area.label is None else draft.labels[area.label]
        shown.append(
            {
                "points": _px(pose.project(np.array(area.points_mm))),
                "at": _px(pose.project(np.array([inside])))[0],
                "label": area.label,
                "role": None if label is None else label.role,
                "section": "" if label is None else label.section,
                "value": None if label is None else label.value,
                "height": 4.0 if label is None else label.height_mm,
            }
        )
    return shown


def discs_shown(
    draft: DiscsDraft, size_px: tuple[int, int], diameter_mm: float | None, px_per_mm: float
) -> dict[str, Any]:
    """Return the discs' draft as the page draws it."""
    colors = sorted({disc.color for disc in draft.discs})
    return {
        "size": list(size_px),
        "diameter_mm": diameter_mm,
        "radius_px": round(px_per_mm * (diameter_mm or 0) / 2, 1),
        "height_mm": draft.height_mm,
        "numbers": list(draft.numbers),
        "colors": [{"name": name, "fill": _hex(disc_color(name))} for name in colors],
        "discs": [
            {
                "px": list(disc.px),
                "color": disc.color,
                "number": disc.number,
                "fill": _hex(disc_color(disc.color)),
                "ink": _hex(readable_on(disc_color(disc.color))),
            }
            for disc in draft.discs
        ],
        "missing": [told(each) for each in check_discs(draft)],
    }


def _circle(draft: BoardDraft, index: int, pose: BoardPose) -> dict[str, Any]:
    circle = draft.circles[index]
    center_mm, radius_mm = circle_mm(circle, pose)
    ring = np.array(center_mm) + radius_mm * np.column_stack([np.cos(_AROUND), np.sin(_AROUND)])
    return {
        "center": list(circle.center_px),
        "rim": list(circle.rim_px),
        "ring": _px(pose.project(ring)),
        "role": circle.role,
        "section": circle.section,
        "animal": circle.animal,
        "value": circle.value,
        "radius_mm": radius_mm if draft.first_side_mm is not None else None,
    }


def _dense(outline: FloatArray, pose: BoardPose) -> list[list[float]]:
    """Return the outline with points enough to follow the lens's bend."""
    ring = shapely.LinearRing(outline).segmentize(_EDGE_STEP_MM)
    return _px(pose.project(np.asarray(ring.coords)[:-1]))


def _px(points: FloatArray) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]


def _hex(color: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
