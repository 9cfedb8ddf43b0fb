"""Pictures of what was read, to argue over at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate.board_picture import draw_board, draw_reading
from sonora_vision.detect.annotate.evidence import draw_evidence

if TYPE_CHECKING:
    from sonora_vision.pipeline import Sight

__all__ = ["draw_board", "draw_evidence", "draw_reading", "draw_sight"]


def draw_sight(sight: Sight, board: BoardSpec) -> Pixels:
    """Draw all that was seen in one photograph; see :func:`draw_reading`."""
    return draw_reading(sight.rectified_bgr, sight.px_per_mm, sight.origin_mm, board, sight.reading)
