"""The Canyon: shapes drawn side by side, cacti and bonuses inside them."""

from __future__ import annotations

from collections.abc import Iterator

from sonora_vision.errors import RuleError
from sonora_vision.score.game import ScoreRow
from sonora_vision.score.sonora.bonuses import earn, sources, spend
from sonora_vision.score.sonora.marks import DrawShape, Source
from sonora_vision.score.sonora.sheet import Placement
from sonora_vision.score.sonora.state import Setting, SheetState, Writing


def placements(setting: Setting, state: SheetState, limit: int) -> list[Placement]:
    """Return every shape of value ``limit`` or lower that can be drawn now."""
    drawn = state.canyon
    taken = drawn | state.rival_canyon
    return [
        placement
        for mask, border, value, placement in setting.sheet.canyon.masks
        if not mask & taken and border & drawn and value <= limit
    ]


def legal_shapes(setting: Setting, writing: Writing) -> Iterator[DrawShape]:
    """Yield every shape that a disc or a bonus can draw now."""
    payers: list[tuple[Source, int]] = [(n, n) for n in sorted(set(writing.due.canyon))]
    size = setting.rules.fox_shape
    payers += [(source, size) for source in sources(writing.state, writing.due, "fox")]
    if payers:
        top = max(limit for _, limit in payers)
        for placement in placements(setting, writing.state, top):
            for source, limit in payers:
                if placement.value <= limit:
                    yield DrawShape(source, placement.mask)


def draw_shape(setting: Setting, writing: Writing, mark: DrawShape) -> Writing:
    """Draw a shape of the disc's number or lower next to what is drawn; its icons are earned.

    Raises
    ------
    RuleError
        If the squares are no shape, too high a one, taken, or touch no drawn shape's side.

    References
    ----------
    English rulebook: Canyon, Shape Rules, Fox Bonus; Solo Write Phase.
    """
    canyon, state = setting.sheet.canyon, writing.state
    placement = canyon.by_mask.get(mark.mask)
    if placement is None:
        raise RuleError("Shape Rules: these squares are not one of the shapes, inside the canyon")
    limit = mark.source if isinstance(mark.source, int) else setting.rules.fox_shape
    if placement.value > limit:
        raise RuleError(f"Canyon: a shape of {placement.value} is higher than {limit}")
    if placement.mask & state.canyon:
        raise RuleError("Shape Rules: the shape overlaps one that is drawn")
    if placement.mask & state.rival_canyon:
        raise RuleError("Solo Write Phase: the shape overlaps one of the rival's")
    if not placement.border & state.canyon:
        raise RuleError("Canyon: the shape shares no side with a drawn shape")
    paid = _pay(writing, mark.source)
    drawn = paid._replace(
        state=paid.state._replace(
            shapes=(*state.shapes, placement.mask),
            canyon=state.canyon | placement.mask,
        ),
    )
    for bonus in placement.bonuses:
        drawn = earn(setting, drawn, bonus)
    return drawn


def _pay(writing: Writing, source: Source) -> Writing:
    """Take away the disc or the bonus that draws the shape."""
    if not isinstance(source, int):
        return spend(writing, "fox", source)
    if source not in writing.due.canyon:
        raise RuleError(f"Canyon: no disc of {source} is left to be recorded here")
    left = list(writing.due.canyon)
    left.remove(source)
    return writing._replace(due=writing.due._replace(canyon=tuple(left)))


def cactus_points(setting: Setting, kind: int, count: int) -> int:
    """Return the points for ``count`` cacti of one kind, beyond a full column too."""
    points = setting.sheet.canyon.table[kind].points
    if not count:
        return 0
    beyond = max(0, count - len(points))
    return points[min(count, len(points)) - 1] + beyond * setting.rules.beyond_full_column


def canyon_points(setting: Setting, state: SheetState) -> ScoreRow:
    """Score each kind of cactus by how many are inside drawn shapes."""
    canyon = setting.sheet.canyon
    why = []
    for kind, column in enumerate(canyon.table):
        if count := (state.canyon & canyon.kinds[kind]).bit_count():
            why.append(f"{count} {column.name}: {cactus_points(setting, kind, count)}")
    return ScoreRow(label="canyon", value=canyon_total(setting, state.canyon), why=tuple(why))


def canyon_total(setting: Setting, drawn: int) -> int:
    """Return the points of all cacti inside the drawn squares."""
    return sum(
        cactus_points(setting, kind, (drawn & squares).bit_count())
        for kind, squares in enumerate(setting.sheet.canyon.kinds)
    )
