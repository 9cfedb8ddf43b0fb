"""The best Write phase for a sheet and what is due on it.

The marks are planned in stages. A stage plans what is due now: the most points plus bonuses
earned, each bonus at its stated worth. Within a stage the sections do not touch each other, so the
best of each is the best of all. What a stage earns is due in the next one. The Mudcracks come last,
when every Rabbit Bonus of the other sections is there to be added to their value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from sonora_vision.score.sonora.adviser.canyon import CanyonPlanner
from sonora_vision.score.sonora.adviser.creek import CreekPlanner
from sonora_vision.score.sonora.adviser.mudcracks import MudcracksPlanner
from sonora_vision.score.sonora.adviser.reasons import kept_worth, reason
from sonora_vision.score.sonora.adviser.ruins import plan_ruins
from sonora_vision.score.sonora.adviser.search import Plan
from sonora_vision.score.sonora.adviser.worth import Worth
from sonora_vision.score.sonora.bonuses import legal_discoveries
from sonora_vision.score.sonora.canyon import legal_shapes
from sonora_vision.score.sonora.creek import legal_paths
from sonora_vision.score.sonora.final import points_now
from sonora_vision.score.sonora.marks import Discover, FillBoxes, Mark, Source, mark_text
from sonora_vision.score.sonora.sheet import ANIMALS, Animal
from sonora_vision.score.sonora.state import Due, Setting, SheetState, Writing
from sonora_vision.score.sonora.write import apply

LIMIT = 20_000
"""Nodes that a section's search looks at before it stops with a gap: a quarter of a second."""
_MUDCRACKS_PART = 4
"""The Mudcracks look at this part of them: their bound takes longer."""

_BONUS: tuple[Source, ...] = ("bonus",)
_SAVED: tuple[Source, ...] = ("saved",)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One mark of the advice, and why."""

    text: str
    """The mark, as it is written."""
    why: str
    mark: Mark


@dataclass(frozen=True, kw_only=True)
class Advice:
    """A whole Write phase."""

    steps: tuple[Step, ...]
    points: int
    """Points that all steps gain on the sheet."""
    outlook: int
    """Points, and the worth of the bonuses kept at the end."""
    gap: int
    """How much better the stages could be at most, all together; 0 where each is proven best."""
    after: Writing = field(repr=False)


class Adviser:
    """Advice for one table's paper and rules; a section's plan is worked out once.

    Parameters
    ----------
    setting
        Paper and rules.
    worth
        What a bonus counts as.
    limit
        Nodes that each search looks at, at most.
    """

    def __init__(self, setting: Setting, worth: Worth | None = None, limit: int = LIMIT) -> None:
        self._setting = setting
        self.worth = Worth() if worth is None else worth
        self._limit = limit
        self._known: dict[Hashable, Plan] = {}

    def advise(self, writing: Writing) -> Advice:
        """Plan a whole Write phase, chained bonuses included."""
        start, gap = writing.state, 0
        steps: list[Step] = []
        while True:
            plan = self._next(writing)
            if not plan.marks:
                break
            gap += plan.bound - plan.value
            for mark in plan.marks:
                after = apply(self._setting, writing, mark)
                steps.append(
                    Step(
                        text=mark_text(self._setting.sheet, mark),
                        why=reason(self._setting, writing, after, mark),
                        mark=mark,
                    )
                )
                writing = after
        points = points_now(self._setting, writing.state) - points_now(self._setting, start)
        kept = kept_worth(self.worth, writing.state) - kept_worth(self.worth, start)
        return Advice(
            steps=tuple(steps), points=points, outlook=points + kept, gap=gap, after=writing
        )

    def stage(self, writing: Writing) -> Plan:
        """Plan what is due now in every section; what that earns counts at its worth."""
        plans = [self._ruins(writing), *self._others(writing), self._mudcracks(writing)]
        return Plan(
            marks=tuple(mark for plan in plans for mark in plan.marks),
            value=sum(plan.value for plan in plans),
            bound=sum(plan.bound for plan in plans),
        )

    def _next(self, writing: Writing) -> Plan:
        """Return the next marks: a section's plan, else what has to be marked in any case."""
        for plan in (self._ruins(writing), *self._others(writing)):
            if plan.marks:
                return plan
        for choose in (self._discovery, self._forced):
            mark = choose(writing)
            if mark is not None:
                return Plan(marks=(mark,))
        plan = self._mudcracks(writing)
        nodes = tuple(mark for mark in plan.marks if not isinstance(mark, FillBoxes))
        return replace(plan, marks=nodes) if nodes else plan  # boxes only once nodes are done

    def _ruins(self, writing: Writing) -> Plan:
        """Plan the Ruins."""
        state, value = writing.state, writing.due.ruins
        if not value:
            return Plan()
        return plan_ruins(self._setting, state, value, self._worth_here(state))

    def _others(self, writing: Writing) -> tuple[Plan, Plan]:
        """Plan the Canyon and the Creek."""
        state, due = writing.state, writing.due
        worth = self._worth_here(state)
        shapes: tuple[Source, ...] = (*sorted(due.canyon), *_animals(state, due, "fox"))
        paths: tuple[Source, ...] = (*sorted(due.creek), *_animals(state, due, "owl"))
        canyon = self._once(
            ("canyon", state.canyon, state.rival_canyon, shapes, worth),
            lambda: CanyonPlanner(self._setting, state, shapes, worth).plan(self._limit),
        )
        creek = self._once(
            ("creek", state.visited, state.rival_creek, paths, worth),
            lambda: CreekPlanner(self._setting, state, paths, worth).plan(self._limit),
        )
        return canyon, creek

    def _mudcracks(self, writing: Writing) -> Plan:
        """Plan the Mudcracks."""
        state, due = writing.state, writing.due
        worth = self._worth_here(state)
        saved = state.kept("rabbit")
        if not (due.mudcracks or due.leftover or due.rabbit or saved):
            return Plan()
        key = (state.nodes, state.boxes, state.circles, due.mudcracks, due.leftover, due.rabbit)
        rabbits: tuple[Source, ...] = _BONUS * due.rabbit
        return self._once(
            ("mudcracks", *key, saved, worth),
            lambda: MudcracksPlanner(self._setting, state, worth).plan(
                due.mudcracks, due.leftover, rabbits, saved, self._limit // _MUDCRACKS_PART
            ),
        )

    def _discovery(self, writing: Writing) -> Mark | None:
        """Choose the animal of a Discovery Bonus: the one that gains most now, or is worth most."""
        options = list(legal_discoveries(self._setting, writing))
        return max(options, key=lambda mark: self._discovered(writing, mark), default=None)

    def _discovered(self, writing: Writing, mark: Discover) -> int:
        """Return what an animal gains if it is chosen: used now, or kept."""
        chosen = apply(self._setting, writing, mark)
        return self.stage(chosen).value + self.worth.kept(mark.animal)

    def _forced(self, writing: Writing) -> Mark | None:
        """Return a mark that has to be made, though none of its kind gains anything now.

        Shapes go where most icons lie beside them, paths over the fewest things worth ending on.
        """
        canyon, creek = self._setting.sheet.canyon, self._setting.sheet.creek
        icons = sum(1 << square for square in (*canyon.icons, *canyon.cacti))
        shapes = [mark for mark in legal_shapes(self._setting, writing) if mark.source != "saved"]
        if shapes:
            return max(shapes, key=lambda mark: (canyon.border(mark.mask) & icons).bit_count())
        paths = [mark for mark in legal_paths(self._setting, writing) if mark.source != "saved"]
        return min(
            paths,
            key=lambda mark: sum(creek.spaces[space].points for space in mark.spaces[:-1]),
            default=None,
        )

    def _worth_here(self, state: SheetState) -> Worth:
        """Return the worth of bonuses on this sheet: nothing, where no icon is left to circle."""
        room = self._setting.room
        worth = self.worth
        if not room(state, "reflick"):
            worth = replace(worth, reflick=0)
        if not room(state, "swap"):
            worth = replace(worth, swap=0)
        if not any(room(state, animal) for animal in ANIMALS):
            worth = replace(worth, discovery=0)
        return worth

    def _once(self, key: Hashable, plan: Callable[[], Plan]) -> Plan:
        """Return a plan, made at most once."""
        if key not in self._known:
            self._known[key] = plan()
        return self._known[key]


def _animals(state: SheetState, due: Due, animal: Animal) -> tuple[Source, ...]:
    """Return the ways to pay with an Animal Bonus, those that are due first."""
    return _BONUS * due.animal(animal) + _SAVED * state.kept(animal)
