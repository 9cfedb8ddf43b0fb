"""The Write phase of one player: every legal mark, applying one, and finishing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from sonora_vision.errors import RuleError
from sonora_vision.score.allocation import PlayerAllocation
from sonora_vision.score.sonora.bonuses import discover, legal_discoveries
from sonora_vision.score.sonora.canyon import draw_shape, legal_shapes, placements
from sonora_vision.score.sonora.creek import legal_paths, make_path, open_paths
from sonora_vision.score.sonora.marks import (
    AddCircles,
    CrossHexes,
    Discover,
    DrawShape,
    FillBoxes,
    MakePath,
    Mark,
    MarkNode,
    UseRabbit,
)
from sonora_vision.score.sonora.mudcracks import (
    fill_boxes,
    legal_boxes,
    legal_nodes,
    legal_rabbits,
    mark_node,
    use_rabbit,
)
from sonora_vision.score.sonora.ruins import cross_hexes, legal_hexes
from sonora_vision.score.sonora.state import Due, Setting, Writing


def due_of(allocation: PlayerAllocation) -> Due:
    """Return what an allocation lets its player mark; open choices and doubts are not in it."""
    return Due(
        ruins=allocation.ruins.total,
        canyon=tuple(disc.number for disc in allocation.canyon for _ in range(disc.shapes)),
        creek=tuple(disc.number for disc in allocation.creek for _ in range(disc.paths)),
        mudcracks=allocation.mudcracks.total,
    )


def legal_marks(setting: Setting, writing: Writing) -> Iterator[Mark]:
    """Yield every legal mark; while Ruins value is due, no disc of another section is recorded."""
    return chain.from_iterable(legal_kinds(setting, writing))


def legal_kinds(setting: Setting, writing: Writing) -> tuple[Iterator[Mark], ...]:
    """Return the legal marks, an iterator a kind of mark."""
    free = writing
    if ruins_open(setting, writing):
        due = writing.due
        free = writing._replace(due=Due(fox=due.fox, owl=due.owl, rabbit=due.rabbit))
    return (
        legal_discoveries(setting, writing),
        legal_hexes(setting, writing),
        legal_shapes(setting, free),
        legal_paths(setting, free),
        legal_rabbits(setting, free),
        legal_nodes(setting, free),
        legal_boxes(setting, free),
    )


def apply(setting: Setting, writing: Writing, mark: Mark) -> Writing:
    """Make one mark, with all that it earns.

    Raises
    ------
    RuleError
        If the mark is not legal; the text begins with the rulebook's heading.
    """
    _ruins_first(setting, writing, mark)
    match mark:
        case CrossHexes():
            return cross_hexes(setting, writing, mark)
        case DrawShape():
            return draw_shape(setting, writing, mark)
        case MakePath():
            return make_path(setting, writing, mark)
        case UseRabbit():
            return use_rabbit(setting, writing, mark)
        case MarkNode():
            return mark_node(setting, writing, mark)
        case FillBoxes():
            return fill_boxes(setting, writing, mark)
        case Discover():
            return discover(setting, writing, mark)
        case AddCircles():
            raise RuleError("Solo Write Phase: only the rival fills in small circles")


def ruins_open(setting: Setting, writing: Writing) -> bool:
    """Whether Ruins value is due that some hex can still take."""
    return next(legal_hexes(setting, writing), None) is not None


def must_still(setting: Setting, writing: Writing) -> str | None:
    """Return what the player has to mark before finishing, or nothing.

    Ruins value, discs and Animal Bonuses are used wherever the sheet has room for them, and the
    animal of a Discovery Bonus is chosen. Mudcracks value may stay unused.
    """
    due, state = writing.due, writing.state
    if ruins_open(setting, writing):
        return f"Cliff-Dweller Ruins: {due.ruins} hexes are still to be crossed off"
    if next(legal_discoveries(setting, writing), None):
        return "Discovery Bonuses: choose the animal"
    for number in due.canyon:
        if placements(setting, state, number):
            return f"Canyon: the disc of {number} still draws a shape"
    for number in due.creek:
        if next(open_paths(setting, state, frozenset({number})), None):
            return f"Creek Bed: the disc of {number} still makes a path"
    if due.fox and placements(setting, state, setting.rules.fox_shape):
        return "Animal Bonuses: the Fox Bonus is still to be used"
    shortest, longest = setting.rules.owl_path
    lengths = frozenset(range(shortest, longest + 1))
    if due.owl and next(open_paths(setting, state, lengths), None):
        return "Animal Bonuses: the Owl Bonus is still to be used"
    if due.rabbit:
        return "Animal Bonuses: the Rabbit Bonus is still to be used"
    return None


def finish(setting: Setting, writing: Writing) -> Writing:
    """End the player's Write phase; what could not be used is said in the notes.

    Raises
    ------
    RuleError
        If something has to be marked still.
    """
    if open_mark := must_still(setting, writing):
        raise RuleError(open_mark)
    return writing._replace(due=Due(), notes=(*writing.notes, *unused(writing.due)))


def unused(due: Due) -> tuple[str, ...]:
    """Say what is left of what was due."""
    value = due.mudcracks + due.leftover
    lines = [
        (due.ruins, f"{due.ruins} Ruins value unused: no hex is left"),
        (due.discoveries, f"{due.discoveries} Discovery Bonus lost: every animal is circled"),
        (len(due.canyon), f"Canyon discs {_numbers(due.canyon)} unused: no shape fits"),
        (len(due.creek), f"Creek discs {_numbers(due.creek)} disqualified: no path is that long"),
        (due.fox, f"{due.fox} Fox Bonus lost: no shape fits"),
        (due.owl, f"{due.owl} Owl Bonus lost: no path is left"),
        (value, f"{value} Mudcracks value unused"),
    ]
    return tuple(text for count, text in lines if count)


def _numbers(numbers: tuple[int, ...]) -> str:
    """List disc numbers."""
    return ", ".join(str(number) for number in numbers)


def _ruins_first(setting: Setting, writing: Writing, mark: Mark) -> None:
    """Refuse to record another section's disc while Ruins discs are open; bonuses may be used."""
    match mark:
        case DrawShape(source, _) | MakePath(source, _):
            disc = isinstance(source, int)
        case MarkNode() | FillBoxes():
            disc = True
        case _:
            disc = False
    if disc and ruins_open(setting, writing):
        raise RuleError("Marking Sections: Ruins discs are recorded before all other discs")
