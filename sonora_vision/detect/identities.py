"""Who the discs of a picture are, and how surely they are discs at all.

All are identified in one inventory, in the light that those among them tell whose color is beyond
question. A disc that does not show its number may have the only one that is left; that is as sure
as it is that the others of its color are discs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.find_discs import Findings
from sonora_vision.detect.ink import ink_log
from sonora_vision.detect.inlaid import edge_logs
from sonora_vision.detect.inspect import Look, identity_log
from sonora_vision.detect.inventory import Identity, identify, identify_plain
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import Scene

FloatArray = NDArray[np.float64]

HIDDEN_P = 0.75
"""Probability that a crescent under another disc, or what shows no face, is a disc."""
SURE_LIKENESS = 0.9
"""Faces in plain view are at least so like the taught ones; fingers and print come near it."""
LEAST_SHOWN = 0.35
"""Share of a face that must be visible for its likeness to prove a disc."""
LEAST_PLAIN = 0.5
"""The same of a disc without a taught face."""


BARE_SUPPORT = 0.985
"""Share of the rim at which edges are found, on discs that no face confirms: discs on edge over a
printed circle, the circles themselves and shadows mostly stay below, one disc in fifty too."""
BARE_PAINT = 3.0
"""How much more their face must look like a taught paint than like the board, in log units: a disc
on edge fills half of it, and one plain disc in ten in shadow and shine is asked about too."""


def p_is_disc(look: Look, references: References) -> float:
    """Return the probability that a place with a disc's outline is a disc.

    Parameters
    ----------
    look
        What was seen there.
    references
        Where no faces were taught, a number that is read, or a sharp outline full of paint.
    """
    if not references.faces:
        sharp = look.rim.support >= BARE_SUPPORT and look.paint >= BARE_PAINT
        told = look.likely is not None or sharp  # a number that is read confirms a disc, too
        return 1.0 if told and look.visible_share >= LEAST_PLAIN else HIDDEN_P
    alike = look.match is not None and look.match.likeness >= SURE_LIKENESS
    if look.shows_face and alike and look.visible_share >= LEAST_SHOWN:
        return 1.0
    return HIDDEN_P


def identify_discs(
    scene: Scene, findings: Findings, references: References, board: BoardSpec
) -> list[Identity]:
    """Identify lying discs, then those on edge.

    Parameters
    ----------
    scene, findings
        The picture, and what was found in it.
    references
        What discs are compared with.
    board
        Says what discs there are.

    Returns
    -------
    list of Identity
        In the order of ``findings.sightings``, then of ``findings.standing``.
    """
    looks = [sighting.look for sighting in findings.sightings]
    colors = references.colors.names
    if not board.discs.numbers:
        logs = [look.color_log for look in looks] + [d.color_log for d in findings.standing]
        return identify_plain(logs, colors)
    inventory = [(c, n) for c in board.discs.colors for n in board.discs.numbers]
    once = board.discs.each_once
    edges = edge_logs(scene, references, findings.sightings)
    color_logs = edges or [look.color_log for look in looks]
    tables = _tables(looks, color_logs, references)
    shifts = None
    if edges is None:
        shifts = _light_of_discs(looks, identify(tables, inventory, once), references)
    if shifts is not None:
        color_logs = [_relit(look, references, shifts) for look in looks]
        tables = _tables(looks, color_logs, references)
    flat = -float(np.log(len(board.discs.numbers)))
    for disc in findings.standing:
        tables.append({(c, n): float(disc.color_log[colors.index(c)]) + flat for c, n in inventory})
    identities = identify(tables, inventory, once)
    asked = [
        i
        for i, sighting in enumerate(findings.sightings)
        if edges is None and identities[i].p_color < ASK_INK and not sighting.above
    ]
    for i in asked:
        by_ink = ink_log(scene, references, looks[i], shifts)
        if by_ink is not None:
            tables[i] = identity_log(references, color_logs[i] + by_ink, looks[i].evidence)
    if asked:
        identities = identify(tables, inventory, once)
    return _by_elimination(identities, looks, references) if once else identities


ASK_INK = 0.9999
"""The ink is asked where the paint leaves more doubt than this."""


def _tables(
    looks: Sequence[Look], color_logs: Sequence[FloatArray], references: References
) -> list[dict[tuple[str, int], float]]:
    return [
        identity_log(references, color_log, look.evidence)
        for color_log, look in zip(color_logs, looks, strict=True)
    ]


def _by_elimination(
    identities: Sequence[Identity], looks: Sequence[Look], references: References
) -> list[Identity]:
    """Lower the probability of numbers that are not seen, but left over by the others."""
    discs = [p_is_disc(look, references) for look in looks]
    discs += [1.0] * (len(identities) - len(looks))
    found = []
    for i, identity in enumerate(identities):
        if i >= len(looks) or not looks[i].shows_face:
            others = [
                p
                for j, (each, p) in enumerate(zip(identities, discs, strict=True))
                if j != i and each.color == identity.color
            ]
            identity = replace(identity, p_number=identity.p_number * float(np.prod(others)))
        found.append(identity)
    return found


def _light_of_discs(
    looks: Sequence[Look], identities: Sequence[Identity], references: References
) -> FloatArray | None:
    """How far this picture's discs of each color lie from the taught ones, shape (k, 3).

    Learned from discs whose color is beyond question: those of a color tell most about it, all
    together about the rest. What is common to them is light, and must not be held against one.
    """
    names, means = references.colors.names, references.colors.means
    apart: dict[str, list[FloatArray]] = {name: [] for name in names}
    for look, identity in zip(looks, identities, strict=True):
        if look.color is None or look.trouble > LIT or identity.p_color < BEYOND_QUESTION:
            continue
        apart[identity.color].append(look.color - means[names.index(identity.color)])
    everything = [each for of_color in apart.values() for each in of_color]
    if len(everything) < LEAST_LIT:
        return None
    common = np.median(everything, axis=0)
    shifts = [
        (common + np.sum(each or [common * 0], axis=0)) / (1 + len(each)) for each in apart.values()
    ]
    return np.array(shifts, np.float64)


def _relit(look: Look, references: References, shifts: FloatArray) -> FloatArray:
    """Log likelihood of the colors in this picture's light."""
    if look.color is None or look.trouble > LIT:
        return look.color_log
    return references.colors.face_log_likelihood(look.color, look.trouble, look.veil, shifts)


LIT = 0.2
"""Faces with more trouble than this tell nothing of the light, and are not judged by it."""
BEYOND_QUESTION = 0.98
LEAST_LIT = 4
"""Discs from which the light is learned; fewer could all be wrong together."""
