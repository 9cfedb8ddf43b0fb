"""Edits of the board's draft: each takes a draft and returns a new one, or says what is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from sonora_vision.calibrate.wizard.draft import (
    AreaLabel,
    AreaRole,
    BoardDraft,
    CircleRole,
    DraftCircle,
    Point,
)
from sonora_vision.errors import UsageError

MAX_SIDE_MM = 3000.0
MAX_NAME = 40
MAX_THINGS = 200
"""Circles, borders or labels that a board may have: far more than any has."""

Trace = Callable[[Sequence[Point]], tuple[Point, ...]]
"""Follows the printed line through roughly given points."""


def edit_board(draft: BoardDraft, edit: Mapping[str, Any], trace: Trace) -> BoardDraft:
    """Apply one edit.

    Parameters
    ----------
    draft
        The board so far.
    edit
        ``do`` names the edit; the other keys are its values.
    trace
        Follows printed lines, for new borders.

    Raises
    ------
    UsageError
        Where the edit is unknown or a value is wrong; the draft stays as it was.
    """
    name = edit.get("do")
    function = _EDITS.get(name) if isinstance(name, str) else None
    if function is None:
        raise UsageError(f"do: expected one of {', '.join(_EDITS)}; got {str(name)[:40]!r}")
    if name == "add_border":
        return _add_border(draft, edit, trace)
    return function(draft, edit)


def _move_corner(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    index = _index(edit, draft.corners_px)
    return replace(draft, corners_px=_with(draft.corners_px, index, _point(edit, "to")))


def _set_corners(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    corners = _points(edit, "points", least=3)
    return replace(draft, corners_px=corners)


def _turn_corners(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    if len(draft.corners_px) < 3:
        raise UsageError("corners: there are none to turn; draw the outline first")
    return replace(
        draft, corners_px=draft.corners_px[1:] + draft.corners_px[:1], first_side_mm=None
    )


def _set_length(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    return replace(
        draft, first_side_mm=length(edit, "mm", "the board's first side", 50, MAX_SIDE_MM)
    )


def _add_circle(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    if len(draft.circles) >= MAX_THINGS:
        raise UsageError(f"circles: a board may have {MAX_THINGS}; delete some first")
    center, rim = _point(edit, "center"), _point(edit, "rim")
    if math.dist(center, rim) < 3.0:
        raise UsageError("circle: its rim lies on its middle; drag the rim outwards")
    return replace(draft, circles=(*draft.circles, DraftCircle(center_px=center, rim_px=rim)))


def _move_circle(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    index = _index(edit, draft.circles)
    circle, to = draft.circles[index], _point(edit, "to")
    if edit.get("part") == "rim":
        if math.dist(circle.center_px, to) < 3.0:
            raise UsageError("circle: its rim lies on its middle; drag the rim outwards")
        moved = replace(circle, rim_px=to)
    else:
        dx, dy = to[0] - circle.center_px[0], to[1] - circle.center_px[1]
        rim = (circle.rim_px[0] + dx, circle.rim_px[1] + dy)
        moved = replace(circle, center_px=to, rim_px=rim)
    return replace(draft, circles=_with(draft.circles, index, moved))


def _label_circle(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    index = _index(edit, draft.circles)
    role = edit.get("role", draft.circles[index].role)
    if role not in get_args(CircleRole):
        raise UsageError(f"role: expected one of {', '.join(get_args(CircleRole))}; got {role!r}")
    labelled = replace(
        draft.circles[index],
        role=role,
        section=_word(edit, "section"),
        animal=_word(edit, "animal"),
        value=_value(edit),
    )
    circles = _with(draft.circles, index, labelled)
    if role == "hole":  # there is one hole; another one that was it is a circle again
        circles = tuple(
            replace(c, role="none") if c.role == "hole" and i != index else c
            for i, c in enumerate(circles)
        )
    return replace(draft, circles=circles)


def _delete_circle(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    index = _index(edit, draft.circles)
    require_same(edit, draft.circles[index].center_px)
    return replace(draft, circles=_without(draft.circles, index))


def _add_border(draft: BoardDraft, edit: Mapping[str, Any], trace: Trace) -> BoardDraft:
    if len(draft.borders) >= MAX_THINGS:
        raise UsageError(f"borders: a board may have {MAX_THINGS}; delete some first")
    points = _points(edit, "points", least=2)
    border = trace(points) if edit.get("snap", True) else points
    return replace(draft, borders=(*draft.borders, border))


def _move_border(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    index = _index(edit, draft.borders)
    border = draft.borders[index]
    point = _index(edit, border, "point")
    to = _point(edit, "to")
    return replace(draft, borders=_with(draft.borders, index, _with(border, point, to)))


def _delete_border(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    index = _index(edit, draft.borders)
    require_same(edit, draft.borders[index][0])
    return replace(draft, borders=_without(draft.borders, index))


def _label_area(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    """Label the area around a point; ``instead`` says which label it takes the place of."""
    role = edit.get("role", "zone")
    if role not in get_args(AreaRole):
        raise UsageError(f"role: expected one of {', '.join(get_args(AreaRole))}; got {role!r}")
    section = _word(edit, "section")
    if role == "zone" and not section:
        raise UsageError("section: expected the name of the section that the area counts for")
    height = length(edit, "height", "a launch corner", 0.2, 50) if role == "launch" else 4.0
    label = AreaLabel(
        at_px=_point(edit, "at"), role=role, section=section, value=_value(edit), height_mm=height
    )
    labels = draft.labels
    if edit.get("instead") is not None:
        # In its place: a second edit that was made before the first was told means the same label.
        return replace(draft, labels=_with(labels, _index(edit, labels, "instead"), label))
    if len(labels) >= MAX_THINGS:
        raise UsageError(f"areas: a board may have {MAX_THINGS}")
    return replace(draft, labels=(*labels, label))


def _set_rule(draft: BoardDraft, edit: Mapping[str, Any]) -> BoardDraft:
    rule = edit.get("rule", draft.rule)
    if rule not in ("majority", "lowest"):
        raise UsageError(f"rule: expected majority or lowest; got {rule!r}")
    depth = draft.hole_depth_mm
    if "depth" in edit:
        depth = length(edit, "depth", "the hole's depth", 0.1, 100)
    return replace(
        draft, name=name_text(edit, "name") or draft.name, rule=rule, hole_depth_mm=depth
    )


_EDITS: dict[str, Callable[[BoardDraft, Mapping[str, Any]], BoardDraft]] = {
    "move_corner": _move_corner,
    "set_corners": _set_corners,
    "turn_corners": _turn_corners,
    "set_length": _set_length,
    "add_circle": _add_circle,
    "move_circle": _move_circle,
    "label_circle": _label_circle,
    "delete_circle": _delete_circle,
    "add_border": lambda draft, _edit: draft,  # needs the picture; see edit_board
    "move_border": _move_border,
    "delete_border": _delete_border,
    "label_area": _label_area,
    "set_rule": _set_rule,
}


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _without(values: tuple[Any, ...], index: int) -> tuple[Any, ...]:
    return (*values[:index], *values[index + 1 :])


def _index(edit: Mapping[str, Any], values: Sequence[Any], key: str = "index") -> int:
    index = edit.get(key)
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(values):
        raise UsageError(f"{key}: expected 0 to {len(values) - 1}; got {str(index)[:20]}")
    return index


def is_number(value: Any) -> bool:
    """Say whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def as_point(value: Any, name: str) -> Point:
    """Return two numbers as a point; raises UsageError where they are none."""
    if isinstance(value, list | tuple) and len(value) == 2 and all(map(is_number, value)):
        x, y = (float(v) for v in value)
        if max(abs(x), abs(y)) < 1e5:
            return x, y
    raise UsageError(f"{name}: expected two numbers [x, y] in pixels; got {str(value)[:40]}")


def require_same(edit: Mapping[str, Any], at_px: Point) -> None:
    """Refuse to delete another thing than the one that ``was`` shown; raises UsageError."""
    if "was" in edit and as_point(edit["was"], "was") != at_px:
        raise UsageError("delete: that is gone already, or has moved; look again")


def _point(edit: Mapping[str, Any], key: str) -> Point:
    return as_point(edit.get(key), key)


def _points(edit: Mapping[str, Any], key: str, *, least: int) -> tuple[Point, ...]:
    values = edit.get(key)
    if not isinstance(values, list) or not least <= len(values) <= MAX_THINGS:
        raise UsageError(f"{key}: expected {least} to {MAX_THINGS} points")
    return tuple(as_point(value, f"{key}[{i}]") for i, value in enumerate(values))


def length(edit: Mapping[str, Any], key: str, what: str, low: float, high: float) -> float:
    """Return a length in mm; raises UsageError where it cannot be one."""
    value = edit.get(key)
    if isinstance(value, str):
        try:
            value = float(value.replace(",", "."))
        except ValueError:
            value = None
    if value is None or not is_number(value) or not low <= value <= high:
        raise UsageError(
            f"{what}: expected {low:g} to {high:g} mm, measured with a ruler; got {edit.get(key)!r}"
        )
    return float(value)


def name_text(edit: Mapping[str, Any], key: str) -> str:
    """Return a short printable text; raises UsageError where it is none."""
    value = edit.get(key, "")
    if not isinstance(value, str) or len(value) > MAX_NAME or not value.isprintable():
        raise UsageError(f"{key}: expected a name of at most {MAX_NAME} letters")
    return value.strip()


def _word(edit: Mapping[str, Any], key: str) -> str:
    """Return a section's or an animal's name as games know it: in small letters."""
    return name_text(edit, key).lower()


def _value(edit: Mapping[str, Any]) -> int | None:
    value = edit.get("value")
    if value in (None, ""):
        return None
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 1000:
        raise UsageError(
            f"value: expected a whole number of 0 to 1000, or nothing; got {str(value)[:20]}"
        )
    return value
