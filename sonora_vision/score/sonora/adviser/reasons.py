"""Why a mark is good, in words, and what kept bonuses are worth."""

from __future__ import annotations

from sonora_vision.score.sonora.adviser.worth import Worth
from sonora_vision.score.sonora.final import score_sheet
from sonora_vision.score.sonora.marks import CrossHexes, Discover, Mark
from sonora_vision.score.sonora.sheet import ANIMALS
from sonora_vision.score.sonora.state import ICONS, Setting, SheetState, Writing


def reason(setting: Setting, before: Writing, after: Writing, mark: Mark) -> str:
    """Say what a mark gains: points by section, bonuses by name."""
    old = score_sheet(setting, "", before.state)
    new = score_sheet(setting, "", after.state)
    parts = [
        f"{row.value - was.value:+d} points in {row.label}"
        for was, row in zip(old.rows, new.rows, strict=True)
        if row.value != was.value
    ]
    for bonus in ICONS[:2]:
        if after.state.kept(bonus) > before.state.kept(bonus):
            parts.append(f"earns a {bonus.capitalize()} Bonus")
    parts += [
        f"earns {'an' if animal == 'owl' else 'a'} {animal.capitalize()} Bonus"
        for animal in ANIMALS
        if after.due.animal(animal) > before.due.animal(animal)
    ]
    if after.due.discoveries > before.due.discoveries:
        parts.append("earns a Discovery Bonus")
    return ", ".join(parts) or _on_the_way(setting, after.state, mark)


def _on_the_way(setting: Setting, state: SheetState, mark: Mark) -> str:
    """Say what a mark without a gain of its own is for."""
    match mark:
        case CrossHexes(building, _) if building < len(setting.sheet.ruins.buildings):
            left = setting.sheet.ruins.buildings[building].size - state.hexes[building]
            return f"{left} hexes from completing it"
        case CrossHexes():
            return "the rival's hexes come first"
        case Discover():
            return "saved, or used where it gains most"
        case _:
            return "on the way to what comes next"


def kept_worth(worth: Worth, state: SheetState) -> int:
    """Return what the bonuses kept on a sheet count as."""
    flicks = sum(state.kept(bonus) * worth.of(bonus) for bonus in ICONS[:2])
    return flicks + sum(state.kept(animal) * worth.kept(animal) for animal in ANIMALS)
