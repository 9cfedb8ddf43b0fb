"""Edits of the discs' draft: each takes a draft and returns a new one, or says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sonora_vision.calibrate.wizard.board_edits import as_point, length, name_text, require_same
from sonora_vision.calibrate.wizard.draft import DiscsDraft, DraftDisc
from sonora_vision.errors import UsageError

MAX_DISCS = 100
DIAMETER_MM = (8.0, 80.0)
HEIGHT_MM = (1.0, 40.0)


def edit_discs(draft: DiscsDraft, edit: Mapping[str, Any]) -> DiscsDraft:
    """Apply one edit; ``do`` names it.

    Raises
    ------
    UsageError
        Where the edit is unknown or a value is wrong; the draft stays as it was.
    """
    name = edit.get("do")
    function = _EDITS.get(name) if isinstance(name, str) else None
    if function is None:
        raise UsageError(f"do: expected one of {', '.join(_EDITS)}; got {str(name)[:40]!r}")
    return function(draft, edit)


def check_discs(draft: DiscsDraft) -> list[str]:
    """Say what is still missing, in the owner's words; nothing where all is there."""
    missing = []
    if draft.height_mm is None:
        missing.append("type how high a disc is")
    if draft.diameter_mm is None and draft.seen_px is None:
        missing.append("type a disc's diameter")
    if not draft.discs:
        missing.append("send the picture of all discs")
    given = [(disc.color, disc.number) for disc in draft.discs]
    if draft.numbers and draft.each_once:
        for color in sorted({color for color, _ in given}):
            absent = [str(n) for n in draft.numbers if (color, n) not in given]
            twice = sorted({str(n) for c, n in given if c == color and given.count((c, n)) > 1})
            if absent:
                missing.append(f"{color}: no {', '.join(absent)} yet; tap it on the picture")
            if twice:
                missing.append(f"{color}: {', '.join(twice)} is there twice; correct its number")
    return missing


def _set_sizes(draft: DiscsDraft, edit: Mapping[str, Any]) -> DiscsDraft:
    """Take what was typed; a diameter that was not stays the picture's."""
    height_mm = length(edit, "height", "a disc's height", *HEIGHT_MM)
    if "diameter" not in edit:
        return replace(draft, height_mm=height_mm)
    diameter_mm = length(edit, "diameter", "a disc's diameter", *DIAMETER_MM)
    return replace(draft, height_mm=height_mm, diameter_mm=diameter_mm)


def _rename_color(draft: DiscsDraft, edit: Mapping[str, Any]) -> DiscsDraft:
    old, new = edit.get("from"), _color(edit, "to")
    discs = tuple(replace(d, color=new) if d.color == old else d for d in draft.discs)
    return replace(draft, discs=discs)


def _set_disc(draft: DiscsDraft, edit: Mapping[str, Any]) -> DiscsDraft:
    index = _index(draft, edit)
    disc = replace(draft.discs[index], color=_color(edit, "color"), number=_number(draft, edit))
    return replace(draft, discs=(*draft.discs[:index], disc, *draft.discs[index + 1 :]))


def _move_disc(draft: DiscsDraft, edit: Mapping[str, Any]) -> DiscsDraft:
    index = _index(draft, edit)
    disc = replace(draft.discs[index], px=as_point(edit.get("to"), "to"))
    return replace(draft, discs=(*draft.discs[:index], disc, *draft.discs[index + 1 :]))


def _add_disc(draft: DiscsDraft, edit: Mapping[str, Any]) -> DiscsDraft:
    if len(draft.discs) >= MAX_DISCS:
        raise UsageError(f"discs: a set may have {MAX_DISCS}; delete some first")
    disc = DraftDisc(
        px=as_point(edit.get("to"), "to"), color=_color(edit, "color"), number=_number(draft, edit)
    )
    return replace(draft, discs=(*draft.discs, disc))


def _delete_disc(draft: DiscsDraft, edit: Mapping[str, Any]) -> DiscsDraft:
    index = _index(draft, edit)
    require_same(edit, draft.discs[index].px)
    return replace(draft, discs=(*draft.discs[:index], *draft.discs[index + 1 :]))


_EDITS: dict[str, Callable[[DiscsDraft, Mapping[str, Any]], DiscsDraft]] = {
    "set_sizes": _set_sizes,
    "rename_color": _rename_color,
    "set_disc": _set_disc,
    "move_disc": _move_disc,
    "add_disc": _add_disc,
    "delete_disc": _delete_disc,
}


def _index(draft: DiscsDraft, edit: Mapping[str, Any]) -> int:
    index = edit.get("index")
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(draft.discs):
        raise UsageError(f"index: expected 0 to {len(draft.discs) - 1}; got {str(index)[:20]}")
    return index


def _color(edit: Mapping[str, Any], key: str) -> str:
    color = name_text(edit, key).lower()
    if not color or "," in color:
        raise UsageError(f"{key}: expected a color's name, such as red, without commas")
    return color


def _number(draft: DiscsDraft, edit: Mapping[str, Any]) -> int | None:
    if not draft.numbers:
        return None
    number = edit.get("number")
    if isinstance(number, str) and number.isdecimal():
        number = int(number)
    if number not in draft.numbers or isinstance(number, bool):
        raise UsageError(f"number: expected one of {list(draft.numbers)}; got {str(number)[:20]}")
    return int(number)
