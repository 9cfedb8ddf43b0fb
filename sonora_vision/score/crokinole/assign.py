"""From one measured contact to what a disc counts."""

from __future__ import annotations

from sonora_vision.errors import RuleError
from sonora_vision.observation import Assignment, Contact
from sonora_vision.score.border import zones_that_count
from sonora_vision.score.crokinole.rules import rules

_NOT_SCORED = Assignment(via="none", sections=())


def assign(contact: Contact, board_rule: str = "lowest") -> Assignment:
    """Rule on one contact: wholly in the hole 20; else the lowest ring that it touches.

    Parameters
    ----------
    contact
        What the footprint touches.
    board_rule
        The board description's ``rule``, ``"lowest"`` for crokinole.

    Returns
    -------
    Assignment
        Never a choice of several sections: a line belongs to the lower ring. Not scored: beside
        the board, in the ditch (no zone), and on the outermost line (a zone of no points).

    Raises
    ------
    RuleError
        If the board has a section that the rules do not know.
    """
    if contact.state == "in_hole":
        return Assignment(via="hole", sections=(rules().hole,))
    if contact.state in ("off_board", "launch_corner"):
        return _NOT_SCORED
    sections = zones_that_count(contact.zones, board_rule)
    if not any(points_of(section) for section in sections):
        return _NOT_SCORED
    return Assignment(via="zone", sections=sections)


def points_of(section: str) -> int:
    """Return what a disc in a section counts; raises `RuleError` for a section of another game."""
    points = rules().points
    if section not in points:
        raise RuleError(
            f"Scoring: section: expected one of {', '.join(points)}, got {section!r}; is this a "
            "crokinole board?"
        )
    return points[section]
