"""What keeps a draft from making a profile, in the owner's words."""

from __future__ import annotations

from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.wizard.assemble import board_of
from sonora_vision.calibrate.wizard.disc_edits import check_discs
from sonora_vision.calibrate.wizard.draft import Draft, Step
from sonora_vision.errors import SonoraError


def missing_answers(
    draft: Draft, lens: Lens | None, *, lens_settled: bool
) -> list[tuple[Step, str]]:
    """Say what is still to be answered: the step, and what to do there.

    Parameters
    ----------
    draft
        All answers.
    lens
        Intrinsics at the size of the picture of the empty board; None before there is one.
    lens_settled
        Whether there is a lens, or the owner does without.
    """
    found: list[tuple[Step, str]] = []
    if not lens_settled:
        found.append(("lens", "lens: show the target, or choose to do without"))
    if lens is None:
        found.append(("board", "board: send the picture of the empty board first"))
    elif problem := board_problem(draft, lens):
        found.append(("board", problem))
    discs = check_discs(draft.discs)
    return found + ([("discs", f"discs: {'; '.join(discs)}")] if discs else [])


def board_problem(draft: Draft, lens: Lens) -> str:
    """Say what the board still lacks; the discs have a step of their own."""
    try:
        board_of(draft, lens)
    except SonoraError as error:
        return "" if str(error).startswith("discs:") else str(error)
    return ""
