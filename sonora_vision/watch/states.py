"""What the watcher says about each frame, and the thresholds that it decides by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

WatchState = Literal["empty", "flicking", "hand", "moving", "still", "unreadable"]
Reason = Literal[
    "",
    "hand",
    "motion",
    "blur",
    "clipping",
    "light changed",
    "camera moved",
    "board moved",
    "board turned",
    "not read",
    "camera stopped",
]
Want = Literal["nothing", "still", "reading", "confirmation"]

WATCH_STATES: tuple[WatchState, ...] = get_args(WatchState)


@dataclass(frozen=True, kw_only=True)
class Status:
    """What one frame showed.

    Attributes
    ----------
    state : str
        `empty` and `still` were read and have not changed since; `flicking` is a disc on its way,
        `hand` something that reaches in over the board, `moving` a change of the whole picture;
        `unreadable` stands still and cannot be read.
    reason : str
        Why it is not `still` or `empty`; empty there.
    at_s : float
        The frame's time, seconds on the source's clock.
    want : str
        What is to be done now: take a full-size still with this frame; or take one, and read
        the average of those taken: for a new reading, or to confirm the last one.
    detail : str
        More for people, e.g. what to do about it.
    """

    state: WatchState
    reason: Reason
    at_s: float
    want: Want = "nothing"
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class WatchParams:
    """Thresholds. Areas are shares of the board's area, so that they hold at any camera height."""

    work_width_px: int = 320
    """Frames are halved to this: it averages noise away, and a disc still covers 80 pixels."""
    change_levels: int = 14
    """Difference of a channel that counts as a change; noise at this width is 1 to 3 levels."""
    noise_factor: float = 4.0
    """In poor light: times the median difference, some 5 sigma of the noise."""
    blob_share: float = 4e-4
    """Least connected change: a fifth of a disc, or its rim after a slide of some 2 mm."""
    hand_share: float = 0.003
    """Least part of the board under what reaches in from outside: as much as one disc covers."""
    upheaval_share: float = 0.25
    """So much of the board changed is no disc: board, camera or light."""
    light_gain: float = 0.06
    """Change of brightness over the picture that counts as another light."""
    board_margin: float = 0.05
    """Widening of the board's outline: discs and hands stand above it."""
    settle_s: float = 0.35
    """Quiet time before a reading: a disc that turns on its edge moves in every frame."""
    stills: int = 3
    """Stills that are averaged."""
    confirm_s: float = 1.5
    """Quiet time after a reading before the same board is read again to confirm it."""
    retry_s: float = 3.0
    """Quiet time before what could not be read is tried again."""
    stuck_s: float = 12.0
    """A hand trembles: what reaches in and has not moved for so long is looked into."""
    clipped_share: float = 0.25
    """So much of the board at full white cannot be read."""
    blur_ratio: float = 0.4
    """Sharpness, against the best of this session, that is too poor to read."""
    crossed_share: float = 0.014
    """A stretch of the outline that something crosses: 22 mm on a board of 400 mm."""
    refresh_s: float = 20.0
    """Age at which the picture that changes are measured against is renewed: daylight drifts."""
