"""Bonuses: earned at once, kept by circling an icon or used in the same Write phase."""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.errors import RuleError
from sonora_vision.score.sonora.marks import Discover, Source
from sonora_vision.score.sonora.sheet import ANIMALS, Animal, Bonus
from sonora_vision.score.sonora.state import Due, Setting, SheetState, Writing


def earn(setting: Setting, writing: Writing, bonus: Bonus) -> Writing:
    """Give a bonus to a player.

    A Flick Bonus circles its icon; where every icon is circled, it is lost and that is said. An
    Animal Bonus waits for this Write phase, a Discovery Bonus for its animal to be chosen.

    References
    ----------
    English rulebook: Flick Bonuses, Animal Bonuses, Discovery Bonuses.
    """
    due = writing.due
    if bonus == "fox":
        return writing._replace(due=due._replace(fox=due.fox + 1))
    if bonus == "owl":
        return writing._replace(due=due._replace(owl=due.owl + 1))
    if bonus == "rabbit":
        return writing._replace(due=due._replace(rabbit=due.rabbit + 1))
    if bonus == "discovery":
        return writing._replace(due=due._replace(discoveries=due.discoveries + 1))
    if not setting.room(writing.state, bonus):
        note = f"{bonus.capitalize()} Bonus lost: every icon in the bonus area is circled"
        return writing._replace(notes=(*writing.notes, note))
    return writing._replace(state=writing.state.circle(bonus))


def spend(writing: Writing, animal: Animal, source: Source) -> Writing:
    """Take one Animal Bonus from what is due, or cross one off that was saved.

    Raises
    ------
    RuleError
        If there is none.
    """
    if source == "saved":
        if writing.state.kept(animal) < 1:
            raise RuleError(f"Discovery Bonuses: no {animal} is circled and still unused")
        return writing._replace(state=writing.state.cross(animal))
    if writing.due.animal(animal) < 1:
        raise RuleError(f"Animal Bonuses: no {animal.capitalize()} Bonus was earned to be used now")
    due = writing.due
    if animal == "fox":
        due = due._replace(fox=due.fox - 1)
    elif animal == "owl":
        due = due._replace(owl=due.owl - 1)
    else:
        due = due._replace(rabbit=due.rabbit - 1)
    return writing._replace(due=due)


def sources(state: SheetState, due: Due, animal: Animal) -> Iterator[Source]:
    """Yield the ways in which an Animal Bonus could be paid now."""
    if due.animal(animal):
        yield "bonus"
    if state.kept(animal):
        yield "saved"


def legal_discoveries(setting: Setting, writing: Writing) -> Iterator[Discover]:
    """Yield the animals that a Discovery Bonus can still choose."""
    if writing.due.discoveries:
        for animal in ANIMALS:
            if setting.room(writing.state, animal):
                yield Discover(animal)


def discover(setting: Setting, writing: Writing, mark: Discover) -> Writing:
    """Circle the chosen animal in the Discovery area; it may be used now or in a later round.

    Raises
    ------
    RuleError
        If no Discovery Bonus is due, or every icon of that animal is circled.
    """
    if not writing.due.discoveries:
        raise RuleError("Discovery Bonuses: none was earned, so no animal is chosen")
    if not setting.room(writing.state, mark.animal):
        raise RuleError(
            f"Discovery Bonuses: every {mark.animal} icon is circled; choose another animal"
        )
    due = writing.due._replace(discoveries=writing.due.discoveries - 1)
    return writing._replace(state=writing.state.circle(mark.animal), due=due)
