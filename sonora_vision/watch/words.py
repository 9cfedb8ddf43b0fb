"""What the watcher saw, in words for people."""

from __future__ import annotations

from sonora_vision.watch.flicks import FlickReport, Happening
from sonora_vision.watch.states import Status


def status_line(status: Status) -> str:
    """Say a status in one line."""
    reason = f" ({status.reason})" if status.reason and status.reason != status.state else ""
    return f"{status.state}{reason}" + (f": {status.detail}" if status.detail else "")


def report_lines(report: FlickReport) -> list[str]:
    """Say what happened since the last reading, a line for each thing."""
    lines = [report.board] if report.board else []
    if report.cleared:
        lines.append("board cleared")
    return lines + [_happening_line(h) for h in report.happenings]


def _happening_line(happening: Happening) -> str:
    number = "?" if happening.number is None else happening.number
    disc = f"{happening.color} {number}"
    moved = "" if happening.by_mm is None else f" by {happening.by_mm:.0f} mm"
    what = {
        "flicked": f"{disc} flicked",
        "moved": f"{disc} moved{moved}",
        "in_hole": f"{disc} dropped in the hole",
        "left": f"{disc} left the board",
        "corner": f"{disc} lies on a launch corner",
        "taken": f"{disc} taken off",
        "found": f"{disc} seen again where it lay",
        "unclear": f"{disc} unclear",
    }[happening.kind]
    return f"{what}; {happening.ask}" if happening.ask else what


_WAITING = {
    "hand": "something reaches in over the board: take it away",
    "motion": "something moves on the board: wait until it lies still",
    "light changed": "the light changes: wait until it is steady",
    "camera moved": "the camera moves: let it come to rest",
    "board moved": "the board moves: let it lie",
    "board turned": "the board is being turned: let it lie",
    "blur": "the picture is not sharp: clean the lens, or focus it again",
    "clipping": "the picture is too bright: dim the lamp or shorten the exposure",
    "camera stopped": "the camera gives no picture: check its cable",
    "not read": "the board could not be read",
    "": "the camera has not given enough pictures yet",
}


def why_not_read(status: Status) -> str:
    """Say why there is no reading yet, and what to do."""
    detail = status.detail if status.state == "unreadable" else ""
    return detail or _WAITING[status.reason]
