"""Best use of a Ruins value: which buildings to complete."""

from __future__ import annotations

from sonora_vision.score.sonora.adviser.search import Plan
from sonora_vision.score.sonora.adviser.worth import Worth
from sonora_vision.score.sonora.marks import CrossHexes
from sonora_vision.score.sonora.sheet import bits
from sonora_vision.score.sonora.state import Setting, SheetState


def plan_ruins(setting: Setting, state: SheetState, value: int, worth: Worth) -> Plan:
    """Complete the buildings that give most; put the rest where a building is nearest completion.

    Every set of buildings is tried, so the plan is the best there is.
    """
    marks: list[CrossHexes] = []
    buildings = setting.sheet.ruins.buildings
    rival = min(value, state.rival_hexes - state.rival_hexes_crossed)
    if rival:
        marks.append(CrossHexes(len(buildings), rival))
        value -= rival
    left = {
        i: building.size - state.hexes[i]
        for i, building in enumerate(buildings)
        if state.hexes[i] < building.size
    }
    gain, _, chosen = max(
        _worth_of(setting, state, chosen, worth) for chosen in _sets(list(left.items()), value)
    )
    for i in bits(chosen):
        marks.append(CrossHexes(i, left[i]))
        value -= left.pop(i)
    for i in sorted(left, key=lambda i: left[i]):
        if value:
            count = min(value, left[i])
            marks.append(CrossHexes(i, count))
            value -= count
    return Plan(marks=tuple(marks), value=gain, bound=gain)


def _sets(left: list[tuple[int, int]], value: int) -> list[int]:
    """Return the sets of buildings (masks) whose hexes the value can pay."""
    sets = [(0, value)]
    for i, hexes in left:
        sets += [(mask | 1 << i, rest - hexes) for mask, rest in sets if rest >= hexes]
    return [mask for mask, _ in sets]


def _worth_of(
    setting: Setting, state: SheetState, chosen: int, worth: Worth
) -> tuple[int, int, int]:
    """Return what completing buildings gains, how many they are, and the buildings."""
    gain = 0
    for i in bits(chosen):
        first = not state.top_out >> i & 1
        building = setting.sheet.ruins.buildings[i]
        reward = building.top if first else building.bottom
        gain += reward.points
        if reward.bonus and (first or setting.rules.bottom_reward_bonus):
            gain += worth.of(reward.bonus)
    return gain, chosen.bit_count(), chosen
