"""Who the discs of a picture are, and how surely they are discs at all.

All are identified in one inventory, in the light that those among them tell whose color is beyond
question. A disc that does not show its number may have the only one that is left; that is as sure
as it is that the others of its color are discs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.find_discs import Findings, Sighting
from sonora_vision.detect.ink import ink_log
from sonora_vision.detect.inlaid import edge_logs, numbers_alike
from sonora_vision.detect.inventory import Identity, identify, identify_plain
from sonora_vision.detect.look import SURE_LIKENESS, Look, identity_log
from sonora_vision.detect.picture_light import LIT, light_of_discs
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import Scene

FloatArray = NDArray[np.float64]

HIDDEN_P = 0.75
"""Probability that a crescent under another disc, or what shows no face, is a disc."""
STANDING_P = 0.97
"""The same of a band of a taught paint, where faces were taught and no arm reaches in: fingers, and
slivers of discs between them, are like bands."""
SURE_UNPAINTED = 0.97
"""The same of a face of no taught paint that is hidden by half: a printed fox reached 0.91."""
SURE_IN_PART = 0.95
"""The same where what is strange was left out: over 50 boards one such face in four that is less
like is another number, a finger or a ring on paper, and one in thirty that is more like."""
LEAST_SHOWN = 0.30
"""Share of a face that must be visible for its likeness to prove a disc."""
LEAST_PLAIN = 0.5
"""The same of a disc without a taught face."""


BARE_SUPPORT = 0.985
"""Share of the rim at which edges are found, on discs that no face confirms: discs on edge over a
printed circle, the circles themselves and shadows mostly stay below, one disc in fifty too."""
BARE_PAINT = 3.1
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
    # What shows in part, and has no taught paint, may be print that looks much like a number.
    print_like = look.paint < 0.0 and look.visible_share < LEAST_PLAIN
    least = SURE_IN_PART if look.in_part else SURE_LIKENESS
    least = SURE_UNPAINTED if print_like else least
    alike = look.match is not None and look.match.likeness >= least
    if look.shows_face and alike and look.visible_share >= LEAST_SHOWN:
        return 1.0
    return HIDDEN_P


def p_stands(findings: Findings, references: References) -> float:
    """Return the probability that a band is a disc on edge."""
    return STANDING_P if references.faces and not findings.reached else HIDDEN_P


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
    flat = -float(np.log(len(board.discs.numbers)))
    on_edge = [
        {(c, n): float(disc.color_log[colors.index(c)]) + flat for c, n in inventory}
        for disc in findings.standing
    ]

    edges = edge_logs(scene, references, findings.sightings)
    faces = [look.evidence if edges is None else numbers_alike(look.evidence) for look in looks]

    p_disc = [p_is_disc(look, references) for look in looks]
    p_disc += [p_stands(findings, references)] * len(on_edge)

    def identified(color_logs: Sequence[FloatArray]) -> list[Identity]:
        tables = [
            identity_log(references, color_log, face)
            for color_log, face in zip(color_logs, faces, strict=True)
        ]
        return identify([*tables, *on_edge], inventory, once, p_disc)

    if edges is not None:
        return identified(edges)
    return _in_this_light(scene, findings.sightings, references, identified)


def _in_this_light(
    scene: Scene,
    sightings: Sequence[Sighting],
    references: References,
    identified: Callable[[Sequence[FloatArray]], list[Identity]],
) -> list[Identity]:
    """Identify discs by paint, by the light that the surest of them tell, and by ink."""
    looks = [sighting.look for sighting in sightings]
    by_ink = [np.zeros(len(references.colors.names)) for _ in looks]
    shifts: FloatArray | None = None
    for step in range(LIGHT_STEPS):
        relit = _relit(looks, references, shifts)
        color_logs = [log + ink for log, ink in zip(relit, by_ink, strict=True)]
        identities = identified(color_logs)
        asked = [
            i
            for i, sighting in enumerate(sightings)
            if step == 1 and identities[i].p_color < ASK_INK and not sighting.above
        ]
        for i in asked:
            told = ink_log(scene, references, looks[i], shifts)
            by_ink[i] = by_ink[i] if told is None else told
        if asked:
            identities = identified(
                [log + ink for log, ink in zip(color_logs, by_ink, strict=True)]
            )
        if step == LIGHT_STEPS - 1 or min((each.p_color for each in identities), default=1) > SURE:
            break
        shifts = light_of_discs(looks, identities[: len(looks)], references.colors)
    return identities


LIGHT_STEPS = 3
"""By paint alone; by paint and ink in the light that was found; the same in the light that is told
by those of which the ink has made sure."""
SURE = 0.999
"""Colors surer than this need no further step."""
ASK_INK = 0.9999
"""The ink is asked where the paint leaves more doubt than this."""


def _relit(
    looks: Sequence[Look], references: References, shifts: FloatArray | None
) -> list[FloatArray]:
    """Log likelihood of the colors of each disc in this picture's light."""
    logs = [look.color_log for look in looks]
    lit = [i for i, look in enumerate(looks) if look.color is not None and look.trouble <= LIT]
    if shifts is not None and lit:
        colors = np.array([looks[i].color for i in lit], np.float64)
        trouble, veil = np.array([(looks[i].trouble, looks[i].veil) for i in lit]).T
        relit = references.colors.face_log_likelihood(colors, trouble, veil, shifts)
        for i, each in zip(lit, relit, strict=True):
            logs[i] = each
    return logs
