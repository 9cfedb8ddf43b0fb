"""From one measured contact to the sections it counts for."""

from __future__ import annotations

from sonora_vision.observation import Assignment, Contact
from sonora_vision.score.border import zones_that_count
from sonora_vision.score.sonora.rules import rules

GAP_ROUNDING_MM = 1e-6
"""A gap smaller than this is a touch. It only absorbs float rounding of edges that just meet."""

LAUNCH_SHARE = 0.5
"""More of a disc than this on a raised launch corner, and the disc is not scored."""

_NOT_SCORED = Assignment(via="none", sections=())


def assign(contact: Contact, board_rule: str = "majority") -> Assignment:
    """Rule on one contact: a multiplier beats a zone; else the border rule of the board decides.

    Parameters
    ----------
    contact
        What the footprint touches. Shares are of the footprint on the field: what lies on a
        raised launch corner is in ``launch_share`` alone.
    board_rule
        ``"majority"`` or ``"lowest"``, from the board description.

    Returns
    -------
    Assignment
        Several sections, sorted, where the owner chooses: a bullseye (all of them), an exact half,
        circles of two sections.

    References
    ----------
    English rulebook: Bullseye!, Board Zones, Multiplier Circles.
    """
    if contact.state == "in_hole":
        return Assignment(via="hole", sections=rules().sections)
    if contact.state in ("off_board", "launch_corner") or contact.launch_share > LAUNCH_SHARE:
        return _NOT_SCORED
    circles = {m.section for m in contact.multipliers if m.gap_mm <= GAP_ROUNDING_MM}
    if circles:
        return Assignment(via="multiplier", sections=tuple(sorted(circles)))
    sections = zones_that_count(contact.zones, board_rule)
    return Assignment(via="zone", sections=sections) if sections else _NOT_SCORED
