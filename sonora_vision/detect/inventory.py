"""Who is who: the discs seen against the closed inventory of colors and numbers.

Every color and number exists once, so twenty discs are one assignment problem (Kuhn 1955, by
scipy's ``linear_sum_assignment``). How sure each answer is follows from forcing every other
answer in turn and seeing how much worse the whole table becomes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

FloatArray = NDArray[np.float64]
Who = tuple[str, int]

IGNORED_NATS = 18.0
"""Answers so much worse than the best of a disc, in log units, are not tried: under one in a
million."""
STRANGER_NATS = -25.0
"""Log likelihood of a disc that is none of the inventory: worse than any face in bad light."""


LONELY_NATS = 12.0
"""How much less likely still, against its best answer: bad light alone makes no stranger."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """What one disc is."""

    color: str
    number: int | None
    """The likeliest; None for plain discs."""
    p_color: float
    p_number: float
    """Probability of the number, the color given; next to 0 for a disc that none of the inventory
    explains."""


def identify(
    logs: Sequence[Mapping[Who, float]],
    inventory: Sequence[Who],
    each_once: bool,
    p_disc: Sequence[float] | None = None,
) -> list[Identity]:
    """Identify all discs of a table together.

    Parameters
    ----------
    logs
        For every disc the log likelihood of each color and number.
    inventory
        All colors and numbers that exist.
    each_once
        Whether each exists once.
    p_disc
        Probability that each is a disc at all, 1 if not given: what may be none gives way to a disc
        that can be nobody else, and what follows from it is no surer than it is.

    Returns
    -------
    list of Identity
        In the order of ``logs``; probabilities are of discs, so without ``p_disc`` itself.
    """
    if not logs:
        return []
    table = np.array([[each.get(who, STRANGER_NATS) for who in inventory] for each in logs])
    if not each_once:
        posterior = _alone(table)
    else:
        p = np.ones(len(table)) if p_disc is None else np.asarray(p_disc, np.float64)
        posterior = _given_discs(_jointly(table, _nobody(table, p)), p)
    return [_identity(row[:-1], float(row[-1]), inventory) for row in posterior]


def identify_plain(color_logs: Sequence[FloatArray], colors: Sequence[str]) -> list[Identity]:
    """Identify discs without numbers, each by its own color.

    Parameters
    ----------
    color_logs
        For every disc the log likelihood of each color, shape (k,).
    colors
        Their names.

    Returns
    -------
    list of Identity
        In the order of ``color_logs``; numbers are None.
    """
    found = []
    for each in color_logs:
        share = np.exp(each - each.max())
        share /= share.sum()
        best = int(share.argmax())
        found.append(
            Identity(color=colors[best], number=None, p_color=float(share[best]), p_number=1.0)
        )
    return found


def _alone(table: FloatArray) -> FloatArray:
    table = np.hstack([table, _stranger(table)[:, None]])
    share = np.exp(table - table.max(axis=1, keepdims=True))
    return np.asarray(share / share.sum(axis=1, keepdims=True), np.float64)


def _nobody(table: FloatArray, p_disc: FloatArray) -> FloatArray:
    """Log likelihood of every place if it is none of the inventory, or no disc, shape (n,)."""
    with np.errstate(divide="ignore"):
        no_disc = np.log(1 - p_disc) - np.log(p_disc)
    return np.asarray(np.maximum(_stranger(table), table.max(axis=1) + no_disc), np.float64)


def _given_discs(posterior: FloatArray, p_disc: FloatArray) -> FloatArray:
    """Take out of the shares what was known of each place before: how likely it is a disc."""
    shares = np.minimum(posterior[:, :-1] / p_disc[:, None], 1.0)
    return np.column_stack([shares, np.maximum(1 - shares.sum(axis=1), 0.0)])


def _jointly(table: FloatArray, nobody: FloatArray) -> FloatArray:
    """Share of each answer per disc, nobody last, by the best table that holds it.

    Against the best table, a disc that is made to be another loses so much; the one who was that
    must be somebody else, and so on until one is nobody's rival, and who the first one was is free
    for others. All such chains are told by their best parts (Ahuja, Magnanti and Orlin 1993, 12.4).
    """
    rows, columns = table.shape
    # Nobody's column for every disc: a twenty-first disc must not push out a true one.
    padded = np.hstack([table, np.repeat(nobody[:, None], rows, axis=1)])
    _, mine = linear_sum_assignment(padded, maximize=True)
    held = padded[np.arange(rows), mine]
    chains = _best_chains(padded[:, mine] - held[:, None])
    unheld = np.delete(padded, mine, axis=1) - held[:, None]
    displaced = (chains + unheld.max(axis=1)).max(axis=1)
    freed = chains.max(axis=0)
    holder = np.full(padded.shape[1], -1)
    holder[mine] = np.arange(rows)
    others = np.broadcast_to(freed[:, None], table.shape).copy()
    taken = np.flatnonzero(holder[:columns] >= 0)
    of = holder[taken]
    others[:, taken] = np.maximum(chains[of].T, displaced[of] + freed[:, None])
    share = np.exp(np.column_stack([table + others, nobody + freed]) - held[:, None])
    share[:, :-1][table <= table.max(axis=1, keepdims=True) - IGNORED_NATS] = 0.0
    none = share[:, :-1].sum(axis=1) < 1e-9
    share[none, table[none].argmax(axis=1)] = 1e-9
    return np.asarray(share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300), np.float64)


def _best_chains(gain: FloatArray) -> FloatArray:
    """Greatest gains along chains of rows, each taking the next one's place (Floyd 1962)."""
    best = gain.copy()
    for middle in range(len(best)):
        best = np.maximum(best, best[:, middle, None] + best[middle])
    return best


def _stranger(table: FloatArray) -> FloatArray:
    """Log likelihood of every disc if it is none of the inventory, shape (n,).

    The more clearly it shows one face, the less: of two oranges too many, one whose number is
    not in view is the odd one.
    """
    best = np.sort(table, axis=1)[:, ::-1]
    clearly = np.minimum(best[:, 0] - best[:, min(1, table.shape[1] - 1)], LONELY_NATS)
    return np.asarray(np.minimum(best[:, 0] - LONELY_NATS, STRANGER_NATS) - clearly, np.float64)


def _identity(share: FloatArray, stranger: float, inventory: Sequence[Who]) -> Identity:
    """Put an answer together; a stranger has the color that it looks like, and no number."""
    color, number = inventory[int(share.argmax())]
    of_color = sum(float(s) for s, who in zip(share, inventory, strict=True) if who[0] == color)
    of_color += stranger
    return Identity(
        color=color,
        number=number,
        p_color=of_color,
        p_number=float(share.max()) / max(of_color, 1e-12),
    )
