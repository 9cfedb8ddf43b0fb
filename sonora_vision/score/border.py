"""Which zone a disc on a border counts for: the two rules that a board description can name."""

from __future__ import annotations

from collections.abc import Sequence

from sonora_vision.errors import RuleError
from sonora_vision.observation import ZoneShare

SHARE_ROUNDING = 1e-6
"""Shares of area nearer than this are equal. It only absorbs float rounding: on a 24 mm disc it is
a move of 0.00002 mm, far under anything a camera or a player can tell."""


def zones_that_count(shares: Sequence[ZoneShare], board_rule: str) -> tuple[str, ...]:
    """Return the section that the zones give, several (sorted) where the owner chooses.

    Parameters
    ----------
    shares
        Parts of the footprint's area in each zone of the field; raised corners are no zone.
    board_rule
        ``"majority"``: the largest share decides. ``"lowest"``: of the zones touched, the one of
        the lowest value decides.

    Raises
    ------
    RuleError
        If the rule is unknown, or a zone has no value where values decide.
    """
    touched = [zone for zone in shares if zone.share > SHARE_ROUNDING]
    if board_rule == "lowest":
        touched = _lowest(touched)
    elif board_rule != "majority":
        raise RuleError(f"board rule: expected majority or lowest, got {board_rule!r}")
    by_section: dict[str, float] = {}
    for zone in touched:
        by_section[zone.section] = by_section.get(zone.section, 0.0) + zone.share
    if not by_section:
        return ()
    most = max(by_section.values())
    return tuple(sorted(s for s, share in by_section.items() if most - share <= SHARE_ROUNDING))


def _lowest(touched: Sequence[ZoneShare]) -> list[ZoneShare]:
    """Keep the zones of the lowest value."""
    values = []
    for zone in touched:
        if zone.value is None:
            raise RuleError(
                f"board rule lowest: zone {zone.section!r} has no value; give each zone a value"
            )
        values.append(zone.value)
    return [zone for zone, value in zip(touched, values, strict=True) if value == min(values)]
