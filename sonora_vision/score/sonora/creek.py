"""The Creek Bed: paths of exact length from visited spaces."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from sonora_vision.errors import RuleError
from sonora_vision.score.game import ScoreRow
from sonora_vision.score.sonora.bonuses import earn, sources, spend
from sonora_vision.score.sonora.marks import MakePath, Source
from sonora_vision.score.sonora.sheet import Creek, bits
from sonora_vision.score.sonora.state import Setting, SheetState, Writing


def paths(
    creek: Creek, starts: int, blocked: int, lengths: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the paths of these lengths that begin in ``starts`` and keep out of ``blocked``.

    The Creek's paths begin *next to* a visited space, so ``starts`` is the border of what is
    visited.
    """
    longest = max(lengths)
    stack: list[tuple[tuple[int, ...], int]] = [
        ((first,), blocked | 1 << first) for first in bits(starts & ~blocked)
    ]
    while stack:
        path, closed = stack.pop()
        if len(path) in lengths:
            yield path
        if len(path) < longest:
            for space in bits(creek.neighbors[path[-1]] & ~closed):
                stack.append(((*path, space), closed | 1 << space))


def next_to(creek: Creek, mask: int) -> int:
    """Return the spaces next to a mask's spaces."""
    near = 0
    for space in bits(mask):
        near |= creek.neighbors[space]
    return near & ~mask


def open_paths(
    setting: Setting, state: SheetState, lengths: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    """Yield every path of these lengths that can be made now."""
    creek = setting.sheet.creek
    blocked = state.visited | state.rival_creek
    return paths(creek, next_to(creek, state.visited), blocked, lengths)


def legal_paths(setting: Setting, writing: Writing) -> Iterator[MakePath]:
    """Yield every path that a disc or a bonus can make now."""
    shortest, longest = setting.rules.owl_path
    payers: dict[Source, range] = {n: range(n, n + 1) for n in set(writing.due.creek)}
    payers |= {s: range(shortest, longest + 1) for s in sources(writing.state, writing.due, "owl")}
    if payers:
        lengths = frozenset(length for each in payers.values() for length in each)
        for path in open_paths(setting, writing.state, lengths):
            for source, allowed in payers.items():
                if len(path) in allowed:
                    yield MakePath(source, path)


def make_path(setting: Setting, writing: Writing, mark: MakePath) -> Writing:
    """Make a path: its spaces are crossed off, the last is circled and earned.

    Raises
    ------
    RuleError
        If its length is not the disc's number, it does not start next to a visited space, is
        not joined up, or runs through a visited space or one of the rival's.

    References
    ----------
    English rulebook: Creek Bed, Path Rules, Owl Bonus; Solo Write Phase.
    """
    creek, state, spaces = setting.sheet.creek, writing.state, mark.spaces
    _check_length(setting, mark)
    mask = sum(1 << space for space in spaces)
    if mask & state.visited:
        raise RuleError("Path Rules: the path runs through a space that is visited already")
    if mask & state.rival_creek:
        raise RuleError("Solo Write Phase: the path runs through a space of the rival's")
    if not creek.neighbors[spaces[0]] & state.visited:
        raise RuleError("Creek Bed: the path does not start next to a visited space")
    if any(not creek.neighbors[a] >> b & 1 for a, b in itertools.pairwise(spaces)):
        raise RuleError("Path Rules: the spaces of the path do not follow on each other")
    paid = _pay(writing, mark.source)
    last = 1 << spaces[-1]
    crossed, circled = state.crossed | mask & ~last, state.circled | last
    made = paid._replace(state=paid.state._replace(crossed=crossed, circled=circled))
    bonus = creek.spaces[spaces[-1]].bonus
    return earn(setting, made, bonus) if bonus else made


def _check_length(setting: Setting, mark: MakePath) -> None:
    """Refuse a path of another length than its disc or bonus gives."""
    length = len(mark.spaces)
    if isinstance(mark.source, int):
        if length != mark.source:
            raise RuleError(f"Path Rules: a disc of {mark.source} travels its full distance, "
                            f"not {length}")  # fmt: skip
    else:
        shortest, longest = setting.rules.owl_path
        if not shortest <= length <= longest:
            raise RuleError(f"Owl Bonus: a path of {shortest} to {longest} spaces, not {length}")


def _pay(writing: Writing, source: Source) -> Writing:
    """Take away the disc or the bonus that makes the path."""
    if not isinstance(source, int):
        return spend(writing, "owl", source)
    if source not in writing.due.creek:
        raise RuleError(f"Creek Bed: no disc of {source} is left to be recorded here")
    left = list(writing.due.creek)
    left.remove(source)
    return writing._replace(due=writing.due._replace(creek=tuple(left)))


def creek_points(setting: Setting, state: SheetState) -> ScoreRow:
    """Add up the numbers of the circled spaces."""
    ends = [setting.sheet.creek.spaces[space] for space in bits(state.circled)]
    return ScoreRow(
        label="creek",
        value=creek_total(setting, state.circled),
        why=tuple(f"path to {space.name}: {space.points}" for space in ends if space.points),
    )


def creek_total(setting: Setting, circled: int) -> int:
    """Return the numbers of the circled spaces, added up."""
    spaces = setting.sheet.creek.spaces
    return sum(spaces[space].points for space in bits(circled))
