"""What is said of a disc, in words: the same on a picture and on a page."""

from __future__ import annotations

from sonora_vision.observation import Disc

_STATES = {
    "standing": "on edge",
    "stacked": "on another disc",
    "in_hole": "in the hole",
    "launch_corner": "on a launch corner",
    "off_board": "off the board",
}

_WHOLE = 0.995
"""A larger share of a disc's area would be written as all of it."""


def disc_name(disc: Disc) -> str:
    """Return a disc's color and number, with a question mark for a number that is not known."""
    if disc.number is None:
        return f"{disc.color} ?" if "number" in disc.doubts else disc.color
    return f"{disc.color} {disc.number}"


def headline(disc: Disc) -> str:
    """Return the section that a disc counts for, or the ones it may."""
    if not disc.sections:
        return "Not scored"
    if disc.via == "hole" and len(disc.sections) > 1:
        return "Bullseye"
    return " or ".join(section.capitalize() for section in disc.sections)


def details(disc: Disc) -> list[str]:
    """Return why a disc counts as it does: the multiplier, its state, the share of its area."""
    words = []
    if disc.via == "multiplier":
        words.append(_touched(disc))
    if disc.state in _STATES:
        words.append(_STATES[disc.state])
    if disc.via == "zone" and disc.contact and len(disc.contact.zones) > 1:
        if all(zone.value is not None for zone in disc.contact.zones):
            return [*words, "on a line"]  # a touch decides, however little of its area
        shares = sorted((zone.share for zone in disc.contact.zones), reverse=True)
        if shares[0] < _WHOLE:
            words.append(f"{_percent(shares[0])} of its area")
    return words


def is_choice(disc: Disc) -> bool:
    """Return whether the rules leave this disc's section to its owner."""
    return len(disc.sections) > 1 and not disc.doubts


def _touched(disc: Disc) -> str:
    """Name the multipliers touched, as far as they were measured."""
    if not disc.contact:
        return "multiplier"
    touched = sorted(
        (circle for circle in disc.contact.multipliers if circle.section in disc.sections),
        key=lambda circle: circle.gap_mm,
    )
    animals = [c.animal for c in touched if c.gap_mm <= 0] or [c.animal for c in touched[:1]]
    return " and ".join(dict.fromkeys(animals)) or "multiplier"


def _percent(share: float) -> str:
    """Write a share so that no rounding makes a near half a half."""
    return f"{share:.0%}" if not 0.49 < share < 0.51 else f"{share:.1%}"
