"""Names of sections, animals and colors: as the visitor's language has them, and as files do.

A profile made on a Spanish page is read on English ones, and by the rules: what is known there is
kept under its one name, whatever the page called it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sonora_vision.calibrate.wizard.draft import BoardDraft, DiscsDraft
from sonora_vision.score.sonora.rules import rules
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext

_UNNAMED = BoardDraft().name


def sections() -> list[str]:
    """Return the game's sections, to be suggested."""
    return [_section(name) for name in rules().sections]


def animals() -> dict[str, str]:
    """Return the section of every animal of the game."""
    return {terms.animal(animal): _section(section) for animal, section in rules().animals.items()}


def board_said(shown: dict[str, Any]) -> dict[str, Any]:
    """Return a board as it is shown, its names in the visitor's language."""
    areas = [area | {"section": _section(area["section"])} for area in shown["areas"]]
    circles = [
        circle | {"section": _section(circle["section"]), "animal": terms.animal(circle["animal"])}
        for circle in shown["circles"]
    ]
    name = gettext("board") if shown["name"] == _UNNAMED else shown["name"]
    return shown | {"areas": areas, "circles": circles, "name": name}


def discs_said(shown: dict[str, Any]) -> dict[str, Any]:
    """Return discs as they are shown, their colors in the visitor's language."""
    return shown | {
        key: [each | {name: terms.color(each[name])} for each in shown[key]]
        for key, name in (("colors", "name"), ("discs", "color"))
    }


def board_meant(edit: dict[str, Any], draft: BoardDraft) -> dict[str, Any]:
    """Return an edit of the board with the names that files have."""
    meant = dict(edit)
    if "section" in edit:
        drawn = [c.section for c in draft.circles] + [each.section for each in draft.labels]
        meant["section"] = _meant(edit["section"], [*drawn, *rules().sections], _section)
    if "animal" in edit:
        drawn = [each.animal for each in draft.circles]
        meant["animal"] = _meant(edit["animal"], [*drawn, *rules().animals], terms.animal)
    if edit.get("do") == "set_rule" and edit.get("name") == gettext("board"):
        meant["name"] = _UNNAMED
    return meant


def discs_meant(edit: dict[str, Any], draft: DiscsDraft) -> dict[str, Any]:
    """Return an edit of the discs with the colors that files have."""
    names = [*(disc.color for disc in draft.discs), *terms.colors()]
    keys = ("from", "to") if edit.get("do") == "rename_color" else ("color",)
    return edit | {key: _meant(edit[key], names, terms.color) for key in keys if key in edit}


def _section(name: str) -> str:
    return terms.section(name).lower()


def _meant(word: object, names: Iterable[str], say: Callable[[str], str]) -> object:
    """Return the name that is said so; what is no known word stays as it is."""
    if not isinstance(word, str):
        return word
    said = word.strip().lower()
    return next((name for name in names if name and said == say(name).lower()), word)
