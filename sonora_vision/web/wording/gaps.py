"""How far a disc is from what decides about it, and how surely it was read, in words."""

from __future__ import annotations

from sonora_vision.detect.annotate.regions import Boundary
from sonora_vision.observation import Disc
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.language import gettext

NEARLY_CERTAIN = 0.995
"""Rounded to whole per cent it would read as certainty, which no camera has."""


def sure_words(disc: Disc) -> str:
    """Say how sure a disc is."""
    if disc.p >= NEARLY_CERTAIN:
        return gettext("over %(share)s sure", share="99%")
    return gettext("%(share)s sure", share=f"{disc.p:.0%}")


def boundary_words(boundary: Boundary) -> str:
    """Say how far a disc is from what decides about it."""
    gap = f"{abs(boundary.gap_mm):.1f}"
    inside = boundary.gap_mm <= 0
    match boundary.kind:
        case "hole":
            if boundary.gap_mm < 0:
                return gettext("%(gap)s mm over the edge of the hole", gap=gap)
            return gettext("%(gap)s mm within the hole", gap=gap)
        case "circle":
            animal = terms.animal(boundary.name)
            if inside:
                return gettext("%(gap)s mm onto the %(animal)s", gap=gap, animal=animal)
            return gettext("%(gap)s mm short of the %(animal)s", gap=gap, animal=animal)
        case "corner":
            if inside:
                return gettext("center %(gap)s mm onto a launch corner", gap=gap)
            return gettext("center %(gap)s mm off a launch corner", gap=gap)
        case "border":
            section = terms.section(boundary.name)
            return gettext("center %(gap)s mm from %(section)s", gap=gap, section=section)
        case "line":
            section = terms.section(boundary.name)
            if inside:
                return gettext("%(gap)s mm over the %(section)s line", gap=gap, section=section)
            return gettext("%(gap)s mm short of the %(section)s line", gap=gap, section=section)


def details(disc: Disc) -> list[str]:
    """Say why a disc counts as it does: the multiplier, how it lies, the share of its area."""
    found = [_touched(disc)] if disc.via == "multiplier" else []
    found += [terms.lies(disc)] if terms.lies(disc) else []
    if disc.via == "zone" and disc.contact and len(disc.contact.zones) > 1:
        if all(zone.value is not None for zone in disc.contact.zones):
            return [*found, gettext("on a line")]  # a touch decides, however little of its area
        share = max(zone.share for zone in disc.contact.zones)
        if share < NEARLY_CERTAIN:
            digits = 1 if 0.49 < share < 0.51 else 0  # no rounding makes a near half a half
            found.append(gettext("%(share)s of its area", share=f"{share:.{digits}%}"))
    return found


def _touched(disc: Disc) -> str:
    """Name the multipliers touched, as far as they were measured."""
    circles = sorted(
        (
            c
            for c in (disc.contact.multipliers if disc.contact else ())
            if c.section in disc.sections
        ),
        key=lambda circle: circle.gap_mm,
    )
    animals = [c.animal for c in circles if c.gap_mm <= 0] or [c.animal for c in circles[:1]]
    named = [terms.animal(animal) for animal in dict.fromkeys(animals)]
    return gettext(" and ").join(named) or gettext("multiplier")
