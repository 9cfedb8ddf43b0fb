"""Pictures of what was read, to argue over at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate.board_picture import draw_board, draw_reading
from sonora_vision.detect.annotate.evidence import draw_evidence
from sonora_vision.detect.annotate.rectified import Rectified

if TYPE_CHECKING:
    from sonora_vision.pipeline import Sight

__all__ = ["Rectified", "draw_board", "draw_evidence", "draw_reading", "draw_sight", "rectified_of"]


def draw_sight(sight: Sight, board: BoardSpec) -> Pixels:
    """Draw all that was seen in one photograph; see :func:`draw_reading`."""
    return draw_reading(rectified_of(sight), board, sight.reading)


def rectified_of(sight: Sight) -> Rectified:
    """Return the picture of a sight, which is rectified at the height of the discs' faces."""
    x, y, height = (float(value) for value in sight.scene.pose.camera_mm)
    return Rectified(
        bgr=sight.rectified_bgr,
        px_per_mm=sight.px_per_mm,
        origin_mm=sight.origin_mm,
        camera_mm=(x, y, height),
        height_mm=sight.scene.height_mm,
    )
