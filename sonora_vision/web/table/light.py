"""The readiness light: what the camera says, in words for the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sonora_vision.watch.states import Status, WatchState
from sonora_vision.watch.words import why_not_read
from sonora_vision.web.door.refusals import told
from sonora_vision.web.live.camera import Live
from sonora_vision.web.wording.language import gettext, lazy_gettext


@dataclass(frozen=True, kw_only=True)
class Light:
    """The light and its reason."""

    color: Literal["green", "amber", "red"]
    words: str
    reason: str
    """Why it is not green, and what to do."""


_STATES: dict[WatchState, tuple[Literal["green", "amber", "red"], object]] = {
    "empty": ("green", lazy_gettext("Ready: the board is empty")),
    "still": ("green", lazy_gettext("Ready: the discs lie still")),
    "flicking": ("amber", lazy_gettext("A disc is on its way")),
    "hand": ("amber", lazy_gettext("Something reaches over the board")),
    "moving": ("amber", lazy_gettext("The picture moves")),
    "unreadable": ("red", lazy_gettext("The board cannot be read")),
}


def light(live: Live | None) -> Light | None:
    """Return what the camera says; None where there is no camera."""
    if live is None:
        return None
    if live.fault is not None:
        return Light(
            color="red",
            words=gettext("The camera gives no picture"),
            reason=gettext("Look after its cable; it is tried again by itself."),
        )
    return of_status(live.status)


def of_status(status: Status) -> Light:
    """Say a watcher's status."""
    color, words = _STATES[status.state]
    reason = "" if color == "green" else told(why_not_read(status))
    return Light(color=color, words=str(words), reason=reason)
