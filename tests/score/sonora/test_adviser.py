"""The adviser against brute force, and what it says of the rulebook's examples."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from sonora_vision.score.sonora.adviser import Adviser, Worth, advise_swaps
from sonora_vision.score.sonora.adviser.search import best_first
from sonora_vision.score.sonora.final import points_now
from sonora_vision.score.sonora.game_state import new_game
from sonora_vision.score.sonora.marks import (
    CrossHexes,
    Discover,
    DrawShape,
    MakePath,
    Mark,
    UseRabbit,
)
from sonora_vision.score.sonora.playout import greedy_player, play
from sonora_vision.score.sonora.position import parse_position
from sonora_vision.score.sonora.sheet_file import house_sheet
from sonora_vision.score.sonora.state import Due, Setting, SheetState, Writing, new_sheet
from sonora_vision.score.sonora.state_text import parse_state
from sonora_vision.score.sonora.write import apply, finish, legal_marks

SETTING = Setting(sheet=house_sheet())
POSITIONS = 500


@pytest.fixture(scope="module")
def sheets() -> list[SheetState]:
    """Sheets as they stand after each round of a few greedy games."""
    found: list[SheetState] = []
    for seed in range(12):
        last = 1
        for _, state in play(new_game(house_sheet(), ("red",)), Random(seed), greedy_player):
            if state.round != last:
                last = state.round
                found.append(state.sheets["red"])
    return found


SMALL: dict[str, tuple[object, ...]] = {
    "ruins": (1, 2, 3, 4),
    "canyon": ((1,), (2,), (3,), (4,), (5,), (1, 1)),
    "creek": ((1,), (3,), (5,), (1, 2), (4, 2)),
    "mudcracks": (1, 2, 3, 4, 5, 6, 7),
    "fox": (1,),
    "owl": (1,),
    "rabbit": (1,),
}
TINY: dict[str, tuple[object, ...]] = {
    "ruins": (1, 2),
    "canyon": ((1,),),
    "creek": ((1,), (2,)),
    "mudcracks": (2, 3),
}


def small_position(rng: Random, sheets: list[SheetState]) -> Writing:
    """Return a sheet with what a disc or two give; now and then an animal saved for later."""
    state = rng.choice(sheets)
    if rng.random() < 0.3:
        due = {name: rng.choice(TINY[name]) for name in rng.sample(list(TINY), 2)}
    else:
        name = rng.choice(list(SMALL))
        due = {name: rng.choice(SMALL[name])}
    circled, spent = list(state.bonuses), [*state.spent[:2], *state.bonuses[2:]]
    if due in ({"canyon": (1,)}, {"creek": (1,)}, {"ruins": 1}):  # small enough for one more
        circled[2], spent[2] = 1, 0
    return Writing(
        state=state._replace(bonuses=tuple(circled), spent=tuple(spent)),
        due=Due()._replace(**due),
    )


def brute_force(writing: Writing, worth: Worth) -> int:
    """Return the most that any marks gain with what is due, trying every sequence of them."""
    best = 0
    seen = {writing: 0}
    todo = [writing]
    while todo:
        now = todo.pop()
        for mark in legal_marks(SETTING, now):
            if isinstance(mark, Discover):
                continue
            gain, after = _without_new(now, mark, worth)
            total = seen[now] + gain
            if after not in seen or seen[after] < total:
                seen[after] = total
                todo.append(after)
                best = max(best, total)
    return best


def _without_new(now: Writing, mark: Mark, worth: Worth) -> tuple[int, Writing]:
    """Make a mark; what it earns is counted, not used."""
    after = apply(SETTING, now, mark)
    gain = points_now(SETTING, after.state) - points_now(SETTING, now.state)
    left = {"fox": now.due.fox, "owl": now.due.owl, "rabbit": now.due.rabbit}
    kinds = {DrawShape: "fox", MakePath: "owl", UseRabbit: "rabbit"}
    animal = kinds.get(type(mark))  # type: ignore[call-overload]
    if animal and mark.source == "bonus":  # type: ignore[union-attr]
        left[animal] -= 1
    for name, count in left.items():
        gain += (after.due.animal(name) - count) * worth.of(name)  # type: ignore[arg-type]
        kept = now.state.kept(name) - after.state.kept(name)  # type: ignore[arg-type]
        gain -= kept * worth.kept(name)  # type: ignore[arg-type]
    gain += after.due.discoveries * worth.discovery
    for name in ("reflick", "swap"):
        gain += (after.state.kept(name) - now.state.kept(name)) * worth.of(name)  # type: ignore[arg-type]
    return gain, after._replace(due=after.due._replace(**left, discoveries=0), notes=())


@pytest.mark.parametrize("fifty", range(POSITIONS // 50))
def test_equals_brute_force(sheets: list[SheetState], fifty: int) -> None:
    for seed in range(50 * fifty, 50 * fifty + 50):
        rng = Random(seed)
        writing = small_position(rng, sheets)
        worth = Worth(fox=rng.randint(1, 8), rabbit=rng.randint(1, 8), later=rng.random() < 0.7)
        plan = Adviser(SETTING, worth).stage(writing)
        assert plan.value == plan.bound, f"seed {seed}: not exact on a small position"
        assert plan.value == brute_force(writing, worth), f"seed {seed}: {writing.due}"
        assert plan.value == _made(writing, plan.marks, worth), f"seed {seed}: {plan.marks}"


def _made(writing: Writing, marks: tuple[Mark, ...], worth: Worth) -> int:
    """Return what the plan's marks gain when they are really made."""
    total = 0
    for mark in marks:
        gain, writing = _without_new(writing, mark, worth)
        total += gain
    return total


def test_a_whole_advice_is_legal_and_leaves_nothing_to_be_marked(sheets: list[SheetState]) -> None:
    adviser = Adviser(SETTING, limit=3000)
    for seed in range(10):
        rng = Random(seed)
        numbers = tuple(rng.sample((1, 2, 3, 4, 5), 2))
        due = Due(ruins=rng.randint(0, 9), canyon=numbers, creek=(rng.randint(1, 5),),
                  mudcracks=rng.randint(0, 12))  # fmt: skip
        start = writing = Writing(state=rng.choice(sheets), due=due)
        advice = adviser.advise(writing)
        for step in advice.steps:
            assert step.why
            writing = apply(SETTING, writing, step.mark)
        assert writing == advice.after
        finish(SETTING, writing)
        gained = points_now(SETTING, writing.state) - points_now(SETTING, start.state)
        assert advice.points == gained


def test_molly_can_complete_building_b_first() -> None:
    """The 13 of the example are all used, and for more than the 11 points and the Swap of B."""
    plan = Adviser(SETTING).stage(Writing(state=new_sheet(SETTING), due=Due(ruins=13)))
    assert sum(mark.count for mark in plan.marks if isinstance(mark, CrossHexes)) == 13
    assert plan.value >= 11 + Worth().swap


def test_reasons_name_points_and_bonuses() -> None:
    state = parse_state(SETTING, "ruins: B8 | creek: a1 a2 b1")
    advice = Adviser(SETTING).advise(Writing(state=state, due=Due(ruins=1, creek=(1,))))
    why = {step.text: step.why for step in advice.steps}
    assert why["ruins B 1"] == "+11 points in ruins, earns a Swap Bonus"


def test_swap_that_helps_most() -> None:
    """A 1 on a Fox circle and a 5 in the Creek: with the 5 on the circle, two big shapes."""
    position = parse_position("red: 1@fox 5@creek 2@creek")
    plain, swaps = advise_swaps(Adviser(SETTING), position, ["red"], "red", new_sheet(SETTING))
    assert {swaps[0].disc, swaps[0].other} == {1, 5}
    assert swaps[0].gain > 0
    assert swaps[0].advice.outlook > plain.outlook
    assert [s.gain for s in swaps] == sorted((s.gain for s in swaps), reverse=True)


def test_swap_within_one_zone_changes_nothing_and_is_not_listed() -> None:
    position = parse_position("red: 1@creek 5@creek 3@hole>ruins 4@off")
    assert advise_swaps(Adviser(SETTING), position, ["red"], "red", new_sheet(SETTING))[1] == ()


def test_stopped_search_is_honest_about_its_gap() -> None:
    """Stopped after few nodes, the bound is still above what the full search finds."""
    writing = Writing(state=new_sheet(SETTING), due=Due(canyon=(5, 4, 2)))
    full = Adviser(SETTING).stage(writing)
    short = Adviser(SETTING, limit=50).stage(writing)
    assert short.value <= full.value <= short.bound


def test_search_prefers_the_higher_sum_over_the_higher_step() -> None:
    gains = {(0, 1): 5, (0, 2): 1, (2, 3): 9, (1, 3): 0}

    def expand(node: int) -> Iterator[tuple[int, Mark, int]]:
        for (a, b), gain in gains.items():
            if a == node:
                yield gain, Discover("fox"), b if b != 3 else 10 * a + b

    plan = best_first(0, expand, lambda node: 10, 100)
    assert (plan.value, plan.bound, len(plan.marks)) == (10, 10, 2)


def test_last_round_gives_nothing_for_flick_bonuses() -> None:
    worth = Worth(later=False)
    assert (worth.of("swap"), worth.of("reflick"), worth.kept("fox")) == (0, 0, 0)
    assert worth.of("fox") > 0
