"""What the pages of the board and of the discs draw of the session, in the visitor's language."""

from __future__ import annotations

from typing import Any

from sonora_vision.calibrate.wizard.assemble import disc_diameter_mm, scale_at_middle
from sonora_vision.errors import SonoraError
from sonora_vision.web.door.refusals import told
from sonora_vision.web.wizard import names
from sonora_vision.web.wizard.current import session
from sonora_vision.web.wizard.missing import board_problem
from sonora_vision.web.wizard.shown import board_shown, discs_shown


def board_values() -> dict[str, Any]:
    """Return the session's board as its page draws it."""
    now = session()
    shown = board_shown(now.draft.board, now.empty_lens())
    return names.board_said(shown) | {
        "undo": now.can_undo,
        "picture": _stamp("empty"),
        "todo": shown["problem"] or told(board_problem(now.draft, now.empty_lens())),
    }


def discs_values() -> dict[str, Any]:
    """Return the session's discs as their page draws them."""
    now = session()
    draft, picture = now.draft, now.picture("discs")
    size = (1, 1) if picture is None else picture.size_px
    lens, diameter_mm, scale = now.empty_lens(), None, 0.0
    try:
        diameter_mm = disc_diameter_mm(draft, lens)
        scale = scale_at_middle(draft.board, lens, draft.discs.height_mm or 0.0)
    except SonoraError:  # the board's page tells what is wrong with its outline
        pass
    shown = discs_shown(draft.discs, size, diameter_mm, scale * size[0] / lens.size_px[0])
    return names.discs_said(shown) | {"undo": now.can_undo, "picture": _stamp("discs")}


def _stamp(which: str) -> str:
    """Return what is another one once another picture is shown."""
    picture = session().picture(which)
    return "" if picture is None else picture.stamp
