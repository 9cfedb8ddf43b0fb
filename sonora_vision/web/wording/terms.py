"""The words of the game in the visitor's language, as the rulebooks of the two languages have them.

What is not known here (a section of another game, a color of the owner's own) is said as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.observation import Disc, DoubtReason
from sonora_vision.score.allocation import ChoiceWhy, UnscoredWhy
from sonora_vision.web.wording.language import gettext, lazy_gettext

_SECTIONS = {
    "ruins": lazy_gettext("Ruins"),
    "canyon": lazy_gettext("Canyon"),
    "creek": lazy_gettext("Creek"),
    "mudcracks": lazy_gettext("Mudcracks"),
}
_ANIMALS = {
    "lizard": lazy_gettext("lizard"),
    "fox": lazy_gettext("fox"),
    "owl": lazy_gettext("owl"),
    "rabbit": lazy_gettext("rabbit"),
}
_COLORS = {
    "black": lazy_gettext("black"),
    "blue": lazy_gettext("blue"),
    "brown": lazy_gettext("brown"),
    "cream": lazy_gettext("cream"),
    "gray": lazy_gettext("gray"),
    "green": lazy_gettext("green"),
    "natural": lazy_gettext("natural"),
    "orange": lazy_gettext("orange"),
    "pink": lazy_gettext("pink"),
    "purple": lazy_gettext("purple"),
    "red": lazy_gettext("red"),
    "teal": lazy_gettext("teal"),
    "white": lazy_gettext("white"),
    "yellow": lazy_gettext("yellow"),
}
_DOUBTS: dict[DoubtReason, object] = {
    "color": lazy_gettext("color not certain"),
    "number": lazy_gettext("number not certain"),
    "zone": lazy_gettext("too close to the border to call"),
    "multiplier": lazy_gettext("too close to the multiplier to call"),
    "state": lazy_gettext("how it lies is not certain"),
    "hidden": lazy_gettext("partly hidden"),
}
_CHOICES: dict[ChoiceWhy, object] = {
    "half": lazy_gettext("equally in several zones"),
    "hole": lazy_gettext("bullseye"),
    "two_multipliers": lazy_gettext("on two multipliers"),
}
_UNSCORED: dict[UnscoredWhy, object] = {
    "off_board": lazy_gettext("off the board"),
    "launch_corner": lazy_gettext("on a launch corner"),
    "missing": lazy_gettext("not seen"),
}
_STATES = {
    "standing": lazy_gettext("on edge"),
    "stacked": lazy_gettext("on another disc"),
    "in_hole": lazy_gettext("in the hole"),
    "launch_corner": lazy_gettext("on a launch corner"),
    "off_board": lazy_gettext("off the board"),
}


def section(name: str) -> str:
    """Return a section's name, as a title."""
    return str(_SECTIONS.get(name, name.capitalize()))


def sections(names: Sequence[str]) -> str:
    """Return the sections that a disc may count for."""
    return gettext(" or ").join(section(name) for name in names) or gettext("not scored")


def animal(name: str) -> str:
    """Return the animal of a multiplier circle."""
    return str(_ANIMALS.get(name, name))


def color(name: str) -> str:
    """Return a color's name."""
    return str(_COLORS.get(name, name))


def colors() -> tuple[str, ...]:
    """Return the colors that have a name in every language."""
    return tuple(_COLORS)


def picture_names(board: BoardSpec) -> dict[str, str]:
    """Return what a board's picture says, in the visitor's language."""
    found = {zone.section: section(zone.section) for zone in board.zones}
    found |= {circle.section: section(circle.section) for circle in board.multipliers}
    found |= {circle.animal: animal(circle.animal) for circle in board.multipliers}
    return found | {"launch": gettext("launch"), "choose": gettext("choose")}


def disc(color_name: str, number: int | None, *, unknown: bool = False) -> str:
    """Return a disc's name: its color and number, a question mark for one that is not known."""
    words = color(color_name)
    if number is None:
        return f"{words} ?" if unknown else words
    return f"{words} {number}"


def doubt(reason: DoubtReason) -> str:
    """Say why the camera could not tell."""
    return str(_DOUBTS[reason])


def choice(why: ChoiceWhy) -> str:
    """Say why the rules leave a disc to its owner."""
    return str(_CHOICES[why])


def unscored(why: UnscoredWhy) -> str:
    """Say why a disc counts for nothing."""
    return str(_UNSCORED[why])


def headline(found: Disc) -> str:
    """Return what a disc counts for, or may count for."""
    if not found.sections:
        return gettext("Not scored")
    if found.via == "hole" and len(found.sections) > 1:
        return gettext("Bullseye")
    return sections(found.sections)


def lies(found: Disc) -> str:
    """Say how a disc lies; nothing for one that lies flat."""
    return str(_STATES.get(found.state, ""))
