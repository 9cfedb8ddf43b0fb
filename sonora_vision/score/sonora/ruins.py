"""The Cliff-Dweller Ruins: a value to be spread over hexes, rewards for complete buildings."""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.errors import RuleError
from sonora_vision.score.game import ScoreRow
from sonora_vision.score.sonora.bonuses import earn
from sonora_vision.score.sonora.marks import CrossHexes
from sonora_vision.score.sonora.sheet import bits
from sonora_vision.score.sonora.state import Setting, SheetState, Writing


def legal_hexes(setting: Setting, writing: Writing) -> Iterator[CrossHexes]:
    """Yield every way to cross off hexes of one building with the value that is due."""
    value, state = writing.due.ruins, writing.state
    if not value:
        return
    buildings = setting.sheet.ruins.buildings
    rival_left = state.rival_hexes - state.rival_hexes_crossed
    if rival_left:
        for count in range(1, min(value, rival_left) + 1):
            yield CrossHexes(len(buildings), count)
        return
    for i, building in enumerate(buildings):
        for count in range(1, min(value, building.size - state.hexes[i]) + 1):
            yield CrossHexes(i, count)


def cross_hexes(setting: Setting, writing: Writing, mark: CrossHexes) -> Writing:
    """Cross off hexes; completing a building circles its top reward, or its bottom one.

    The top reward and its bonus are for the first player to complete the building: whoever keeps
    the round crosses it out on every other sheet (``top_out``).

    Raises
    ------
    RuleError
        If there is less value, or fewer hexes, or the rival's hexes come first.

    References
    ----------
    English rulebook: Ruins Rules, Bonuses and Scoring; Solo Write Phase.
    """
    state, value = writing.state, writing.due.ruins
    buildings = setting.sheet.ruins.buildings
    if not 1 <= mark.count <= value:
        raise RuleError(f"Cliff-Dweller Ruins: {mark.count} hexes, but the value left is {value}")
    paid = writing.due._replace(ruins=value - mark.count)
    rival_left = state.rival_hexes - state.rival_hexes_crossed
    if mark.building == len(buildings):
        if mark.count > rival_left:
            raise RuleError(f"Solo Write Phase: only {rival_left} circled hexes are left to cross")
        crossed = state.rival_hexes_crossed + mark.count
        return writing._replace(state=state._replace(rival_hexes_crossed=crossed), due=paid)
    if rival_left:
        raise RuleError(f"Solo Write Phase: cross the rival's {rival_left} circled hexes first")
    i, building = mark.building, buildings[mark.building]
    crossed = state.hexes[i] + mark.count
    if crossed > building.size:
        left = building.size - state.hexes[i]
        raise RuleError(f"Cliff-Dweller Ruins: building {building.name} has {left} hexes left")
    state = state._replace(hexes=(*state.hexes[:i], crossed, *state.hexes[i + 1 :]))
    if crossed < building.size:
        return writing._replace(state=state, due=paid)
    first = not state.top_out >> i & 1
    if first:
        state = state._replace(top=state.top | 1 << i)
    else:
        state = state._replace(bottom=state.bottom | 1 << i)
    done = writing._replace(state=state, due=paid)
    reward = building.top if first else building.bottom
    if reward.bonus and (first or setting.rules.bottom_reward_bonus):
        return earn(setting, done, reward.bonus)
    return done


def ruins_points(setting: Setting, state: SheetState) -> ScoreRow:
    """Add up the circled rewards; an incomplete building is worth nothing."""
    buildings = setting.sheet.ruins.buildings
    return ScoreRow(
        label="ruins",
        value=ruins_total(setting, state),
        why=(
            *(
                f"building {buildings[i].name}, top reward: {buildings[i].top.points}"
                for i in bits(state.top)
            ),
            *(
                f"building {buildings[i].name}, bottom reward: {buildings[i].bottom.points}"
                for i in bits(state.bottom)
            ),
        ),
    )


def ruins_total(setting: Setting, state: SheetState) -> int:
    """Return the points of all circled rewards."""
    buildings = setting.sheet.ruins.buildings
    top = sum(buildings[i].top.points for i in bits(state.top))
    return top + sum(buildings[i].bottom.points for i in bits(state.bottom))
