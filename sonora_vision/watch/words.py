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
