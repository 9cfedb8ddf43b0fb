"""The watcher: frames in, a status out; it touches no camera, no clock and no file.

It compares each frame with the one before (is anything moving?) and with the picture of the last
reading (has anything changed, does anything reach in?). What it decides depends on the frames
and on the answers it is given alone, so a recorded session plays back to the same result.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sonora_vision.camera.source import Frame, Pixels
from sonora_vision.watch.crossing import Crossing
from sonora_vision.watch.look import (
    Change,
    Region,
    board_region,
    compare,
    whole_frame,
    working_frame,
)
from sonora_vision.watch.quality import clipped, crossed_stretch, sharpness, table_moved
from sonora_vision.watch.states import Reason, Status, Want, WatchParams, WatchState

_NOWHERE = Change(gain=1.0, board_share=0.0, reach_share=0.0, outside_share=0.0)
_TOO_WIDE = 0.4
"""A hand with its arm never covers so much of what lies outside the board."""


class Watcher:
    """Says of each frame what is going on, and when the board is to be read.

    Call :meth:`see` with every frame. Where its status wants a reading, answer with
    :meth:`accept` or :meth:`refuse` before the next frame.

    Parameters
    ----------
    params : WatchParams, optional
        Thresholds.
    """

    def __init__(self, params: WatchParams | None = None) -> None:
        self._params = WatchParams() if params is None else params
        self._work: Pixels | None = None
        self._region: Region | None = None
        self._reference: Pixels | None = None
        self._reference_at_s = 0.0
        self._status = Status(state="unreadable", reason="not read", at_s=0.0)
        self._quiet_since_s = 0.0
        self._tried_at_s = -math.inf
        self._read_at_s = 0.0
        self._stills = 0
        self._looked_at_table = False
        self._unread_change = True
        self._confirmed = False
        self._suspicious = True  # nothing is known yet that a hand could be told from
        self._usual_crossed: float | None = None
        self._crossing = Crossing()
        self._best_sharpness = 0.0

    @property
    def status(self) -> Status:
        """The newest status."""
        return self._status

    @property
    def suspicious(self) -> bool:
        """True where the next reading is one to find out whether a hand is in view."""
        return self._suspicious

    def see(self, frame: Frame) -> Status:
        """Take one frame.

        Parameters
        ----------
        frame : Frame
            Frames come in the order of their times; some may be missing.

        Returns
        -------
        Status
        """
        work = working_frame(frame.pixels_bgr, self._params.work_width_px)
        before, self._work = self._work, work
        if before is None or before.shape != work.shape or self._region is None:
            self._start_over(work, frame.at_s)
            return self._say("unreadable", "not read", frame.at_s)
        step = compare(work, before, self._region, self._params)
        since = _NOWHERE
        if self._reference is not None:
            since = compare(work, self._reference, self._region, self._params)
        moving = self._moving(step)
        if moving:
            self._quiet_since_s, self._looked_at_table = frame.at_s, False
        upheaval = since.board_share >= self._params.upheaval_share
        if not moving and (upheaval or self._hand(step, since)) and self._camera_moved(before):
            return self._say("moving", "camera moved", frame.at_s, detail="settling")
        if self._hand(step, since):
            return self._under_hand(frame.at_s)
        if moving:
            self._stills, self._unread_change, self._tried_at_s = 0, True, -math.inf
            return self._say(*moving, frame.at_s)
        return self._quiet(since, frame.at_s)

    def demand(self) -> None:
        """Ask for a reading of what lies there, changed or not, as soon as no hand is in view."""
        self._unread_change, self._tried_at_s = True, -math.inf

    def accept(self, corners_share: NDArray[np.float64], *, discs: int) -> Status:
        """Take the answer that the board was read.

        Parameters
        ----------
        corners_share : ndarray, shape (N, 2)
            The outline's corners as shares of the still's width and height.
        discs : int
            How many discs lie on the board.

        Returns
        -------
        Status
            `still` or `empty`; `hand` where something reaches over the outline, and the reading
            is not to be used.
        """
        work = self._work
        if work is None:
            raise ValueError("accept: expected a frame before the first reading, got none")
        at_s, params = self._status.at_s, self._params
        height, width = work.shape[:2]
        corners_px = corners_share * [width, height] - 0.5
        crossed = crossed_stretch(work, corners_px)
        detail = ""
        if self._suspicious:
            allowed = max(params.crossed_share, 1.3 * (self._usual_crossed or 0.0))
            if crossed > allowed and not self._lies_there(crossed, at_s):
                return self.refuse("hand", "something reaches over the board's edge; take it away")
            if crossed > allowed:
                detail = "something lies over the board's edge: make sure that it is no hand"
        if self._usual_crossed is None or self._suspicious:
            self._usual_crossed = crossed
        self._region = board_region(corners_px, (height, width), margin=params.board_margin)
        self._best_sharpness = max(self._best_sharpness, sharpness(work, self._region))
        self._reference, self._reference_at_s = work, at_s
        if self._unread_change:
            self._read_at_s, self._confirmed = at_s, False
        else:
            self._confirmed = True
        self._unread_change = self._suspicious = False
        self._stills = 0
        return self._say("still" if discs else "empty", "", at_s, detail=detail)

    def refuse(self, reason: Reason, detail: str) -> Status:
        """Take the answer that the board could not be read; it is tried again later."""
        at_s = self._status.at_s
        self._stills, self._tried_at_s = 0, at_s
        if self._status.state == "hand":
            return self._say("hand", "hand", at_s, detail=detail)
        if not self._unread_change:
            # a confirmation that fails takes nothing back
            self._confirmed = True
            return self._say(self._status.state, "", at_s, detail=detail)
        return self._say("unreadable", reason, at_s, detail=detail)

    def _start_over(self, work: Pixels, at_s: float) -> None:
        """Forget all that was measured: a first frame, or one of another size."""
        height, width = work.shape[:2]
        self._region = whole_frame((height, width))
        self._reference = self._usual_crossed = None
        self._unread_change = self._suspicious = True
        self._quiet_since_s, self._stills, self._best_sharpness = at_s, 0, 0.0

    def _lies_there(self, crossed: float, at_s: float) -> bool:
        """Say whether what crosses the outline is part of the table."""
        if self._status.state == "hand":
            return False
        since_s, long_s = self._quiet_since_s, self._params.stuck_s
        return self._crossing.lies_there(crossed, at_s, rest_since_s=since_s, long_s=long_s)

    def _moving(self, step: Change) -> tuple[WatchState, Reason] | None:
        """Say what moves between two frames; None where nothing does."""
        if abs(math.log(step.gain)) > self._params.light_gain:
            return "moving", "light changed"
        if step.board_share >= self._params.upheaval_share:
            return "moving", "camera moved" if step.outside_share > 0.03 else "board moved"
        return ("flicking", "motion") if step.board_share > 0.0 else None

    def _hand(self, step: Change, since: Change) -> bool:
        """Say whether something reaches in over the board, at rest or not."""
        reach = step if self._reference is None else since
        return reach.reach_share >= self._params.hand_share and reach.outside_share < _TOO_WIDE

    def _camera_moved(self, before: Pixels) -> bool:
        """Say, once after each motion, whether the last reading's picture is of no use any more.

        Then it is forgotten, and the next reading has to show that no hand is in view.
        """
        if self._reference is None or self._work is None or self._region is None:
            return False
        if self._looked_at_table:
            return False
        self._looked_at_table = True
        if not table_moved(self._work, before, self._reference, self._region):
            return False
        self._reference, self._suspicious, self._unread_change = None, True, True
        return True

    def _under_hand(self, at_s: float) -> Status:
        """Wait for the hand to go; one that never moves is looked into."""
        self._unread_change = True
        quiet_s = min(self._quiet_for(at_s), at_s - self._tried_at_s)
        if quiet_s < self._params.stuck_s:
            self._stills = 0
            return self._say("hand", "hand", at_s)
        self._suspicious = True
        return self._take_stills("hand", "hand", at_s, "reading", detail="has not moved for long")

    def _quiet(self, since: Change, at_s: float) -> Status:
        """Decide what to do with a picture in which nothing moves."""
        params, last = self._params, self._status
        upheaval = since.board_share >= params.upheaval_share
        if since.board_share > 0.0:
            self._unread_change = True
        if upheaval:
            self._suspicious = True
        if not self._unread_change:
            drifted = abs(math.log(since.gain)) > params.light_gain / 2
            return self._unchanged(at_s, drifted=drifted)
        waiting = self._quiet_for(at_s) < params.settle_s / 2
        if waiting or at_s - self._tried_at_s < params.retry_s:
            if last.state in ("still", "empty", "hand"):
                return self._say("moving", self._cause(since), at_s, detail="settling")
            return self._say(last.state, last.reason, at_s, detail=last.detail)
        poor = self._poor_picture(at_s)
        if poor is not None:
            self._stills = 0
            return self._say("unreadable", *poor)
        if last.state in ("flicking", "moving", "unreadable"):
            return self._take_stills(last.state, last.reason, at_s, "reading", detail="being read")
        cause = self._cause(since)
        return self._take_stills("moving", cause, at_s, "reading", detail="being read")

    def _unchanged(self, at_s: float, *, drifted: bool) -> Status:
        """Stay; renew what changes are measured against, and confirm the reading once."""
        state, params = self._status.state, self._params
        if drifted or at_s - self._reference_at_s >= params.refresh_s:
            self._reference, self._reference_at_s = self._work, at_s
        if self._confirmed or at_s - self._read_at_s < params.confirm_s:
            return self._say(state, "", at_s, detail=self._status.detail)
        return self._take_stills(state, "", at_s, "confirmation", detail=self._status.detail)

    def _poor_picture(self, at_s: float) -> tuple[Reason, float, Want, str] | None:
        """Say why this picture is not worth reading; after a while it is tried all the same."""
        work, region = self._work, self._region
        if work is None or region is None or self._quiet_for(at_s) >= self._params.stuck_s:
            self._best_sharpness = 0.0
            return None
        if clipped(work, region) > self._params.clipped_share:
            return "clipping", at_s, "nothing", "too bright: dim the lamp or shorten the exposure"
        if sharpness(work, region) < self._params.blur_ratio * self._best_sharpness:
            return "blur", at_s, "nothing", "not sharp: clean the lens, or focus it again"
        return None

    def _take_stills(
        self, state: WatchState, reason: Reason, at_s: float, purpose: Want, *, detail: str
    ) -> Status:
        """Ask for one still more; when all is settled and there are enough, for the reading too.

        The first ones are taken while it settles: what moves after all throws them away.
        """
        self._stills += 1
        want: Want = "still"
        if self._stills >= self._params.stills and self._quiet_for(at_s) >= self._params.settle_s:
            self._stills, want = 0, purpose
        return self._say(state, reason, at_s, want, detail)

    def _cause(self, since: Change) -> Reason:
        """Name what changed since the last reading."""
        if since.board_share >= self._params.upheaval_share:
            return "board moved"
        if abs(math.log(since.gain)) > self._params.light_gain:
            return "light changed"
        return "motion"

    def _quiet_for(self, at_s: float) -> float:
        return at_s - self._quiet_since_s

    def _say(
        self,
        state: WatchState,
        reason: Reason,
        at_s: float,
        want: Want = "nothing",
        detail: str = "",
    ) -> Status:
        self._status = Status(state=state, reason=reason, at_s=at_s, want=want, detail=detail)
        return self._status
