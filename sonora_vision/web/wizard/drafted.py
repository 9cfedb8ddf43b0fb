"""What the pages of the board and of the discs draw of the session, in the visitor's language."""

from __future__ import annotations

from typing import Any

from sonora_vision.errors import SonoraError
from sonora_vision.web.door.refusals import told
from sonora_vision.web.wizard import names
from sonora_vision.web.wizard.current import session
from sonora_vision.web.wizard.missing import board_problem
from sonora_vision.web.wizard.shown import board_shown, discs_shown, scale_of


def board_values() -> dict[str, Any]:
    """Return the session's board as its page draws it."""
    now = session()
    shown = board_shown(now.draft.board, now.empty_lens())
    return names.board_said(shown) | {
        "undo": now.can_undo,
        "todo": shown["problem"] or told(board_problem(now.draft, now.empty_lens())),
    }


def discs_values() -> dict[str, Any]:
    """Return the session's discs as their page draws them."""
    now = session()
    pixels = now.picture("discs")
    size = (1, 1) if pixels is None else (pixels.shape[1], pixels.shape[0])
    try:
        scale = scale_of(now.draft.board, now.empty_lens()) * size[0] / now.empty_pixels().shape[1]
    except SonoraError:  # the board's page tells what is wrong with its outline
        scale = 0.0
    shown = names.discs_said(discs_shown(now.draft.discs, size, scale))
    return shown | {"undo": now.can_undo}
