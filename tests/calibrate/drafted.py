"""A board of known size under a known camera, and the draft that a perfect owner would make."""

from __future__ import annotations

import numpy as np

from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.wizard.draft import (
    AreaLabel,
    BoardDraft,
    DiscsDraft,
    Draft,
    DraftCircle,
    DraftDisc,
    Point,
)

WIDTH_MM, HEIGHT_MM, CORNER_MM, RAISED_MM = 400.0, 300.0, 80.0, 4.0
LENS = Lens(
    matrix=np.array([[1400.0, 0, 820.0], [0, 1400.0, 610.0], [0, 0, 1]]),
    distortion=np.array([-0.09, 0.04, 0.001, -0.001, 0.0]),
    size_px=(1640, 1232),
    rms_px=0.2,
    focal_sigma_px=1.0,
    center_sigma_px=1.0,
)
POSE = BoardPose(
    lens=LENS,
    rotation=np.array([0.12, -0.08, 0.15]),
    translation=np.array([-190.0, -150.0, 640.0]),
)


def px(x_mm: float, y_mm: float, height_mm: float = 0.0) -> Point:
    """Where a point of the board is in the picture."""
    found = POSE.project(np.array([[x_mm, y_mm]]), height_mm)[0]
    return float(found[0]), float(found[1])


def line(start: Point, end: Point, height_mm: float = 0.0) -> tuple[Point, ...]:
    """A straight printed line, bent in the picture as the lens bends it."""
    at = np.linspace(start, end, 25)
    return tuple(px(float(x), float(y), height_mm) for x, y in at)


def perfect_board() -> BoardDraft:
    """Two zones beside each other, a raised corner, a hole, and one circle."""
    return BoardDraft(
        name="drawn",
        corners_px=(
            px(0, 0),
            px(WIDTH_MM, 0),
            px(WIDTH_MM, HEIGHT_MM),
            px(0, HEIGHT_MM),
        ),
        first_side_mm=WIDTH_MM,
        circles=(
            DraftCircle(center_px=px(200, 150), rim_px=px(216, 150), role="hole"),
            DraftCircle(
                center_px=px(100, 200), rim_px=px(100, 214), section="canyon", animal="fox"
            ),
        ),
        borders=(
            line((200, -8), (200, HEIGHT_MM + 8)),
            line((-8, CORNER_MM + 8), (CORNER_MM + 8, -8), RAISED_MM),
        ),
        labels=(
            AreaLabel(at_px=px(100, 250), section="canyon"),
            AreaLabel(at_px=px(300, 150), section="ruins"),
            AreaLabel(at_px=px(20, 20), role="launch", height_mm=RAISED_MM),
        ),
    )


def perfect_draft() -> Draft:
    """The board and four discs."""
    discs = tuple(
        DraftDisc(px=px(60 * n + (5 if color == "red" else 35), 100), color=color, number=n)
        for color in ("red", "blue")
        for n in (1, 2)
    )
    return Draft(
        lens_skipped=True,
        empty_picture="empty.jpg",
        discs_picture="discs.jpg",
        board=perfect_board(),
        discs=DiscsDraft(height_mm=6.0, diameter_mm=24.0, numbers=(1, 2), discs=discs),
    )
