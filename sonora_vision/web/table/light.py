"""The readiness light: what the camera says, in words for the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sonora_vision.watch.states import Reason, Status, WatchState
from sonora_vision.web.language import gettext, lazy_gettext
from sonora_vision.web.live import Live
from sonora_vision.web.refusals import told


@dataclass(frozen=True, kw_only=True)
class Light:
    """The light and its reason."""

    color: Literal["green", "amber", "red"]
    words: str
    reason: str
    detail: str
    """More, as the camera's program says it."""


_STATES: dict[WatchState, tuple[Literal["green", "amber", "red"], object]] = {
    "empty": ("green", lazy_gettext("Ready: the board is empty")),
    "still": ("green", lazy_gettext("Ready: the discs lie still")),
    "flicking": ("amber", lazy_gettext("A disc is on its way")),
    "hand": ("amber", lazy_gettext("Something reaches over the board")),
    "moving": ("amber", lazy_gettext("The picture moves")),
    "unreadable": ("red", lazy_gettext("The board cannot be read")),
}
_REASONS: dict[Reason, object] = {
    "motion": lazy_gettext("something moves"),
    "blur": lazy_gettext("the picture is blurred: focus the camera, let it hold still"),
    "clipping": lazy_gettext("parts are too bright: turn a lamp away or dim it"),
    "light changed": lazy_gettext("the light changed"),
    "camera moved": lazy_gettext("the camera moved"),
    "board moved": lazy_gettext("the board moved"),
    "board turned": lazy_gettext("the board was turned"),
    "not read": lazy_gettext("no board was found: it must be in view as a whole"),
    "camera stopped": lazy_gettext("the camera gives no picture: look after its cable"),
}
_DETAILED = ("not read", "camera stopped")
"""Reasons whose detail says better what is wrong."""


def light(live: Live | None) -> Light | None:
    """Return what the camera says; None where there is no camera."""
    if live is None:
        return None
    if live.fault is not None:
        return Light(
            color="red",
            words=gettext("The camera gives no picture"),
            reason=gettext("Look after its cable; it is tried again by itself."),
            detail=live.fault,
        )
    return of_status(live.status)


def of_status(status: Status) -> Light:
    """Say a watcher's status."""
    color, words = _STATES[status.state]
    reason = _REASONS.get(status.reason)
    if status.reason in _DETAILED and status.detail:
        reason = told(status.detail)
    return Light(
        color=color,
        words=str(words),
        reason="" if reason is None else str(reason),
        detail="" if color == "green" or status.reason in _DETAILED else status.detail,
    )
