"""What a check found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Verdict = Literal["ok", "warning", "bad", "skipped"]

KIND = "sonora-vision/doctor"
SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One line of the doctor's report.

    Attributes
    ----------
    check : str
        What was looked at.
    verdict : str
        `ok`, `warning` (works, but not well), `bad` (does not work), `skipped` (not there).
    found : str
        What was found.
    todo : str
        What to do; empty for ok and skipped.
    """

    check: str
    verdict: Verdict
    found: str
    todo: str = ""


def ok(check: str, found: str) -> Finding:
    """Say that a check found nothing wrong."""
    return Finding(check=check, verdict="ok", found=found)


def warning(check: str, found: str, todo: str) -> Finding:
    """Say that something works, but not well."""
    return Finding(check=check, verdict="warning", found=found, todo=todo)


def bad(check: str, found: str, todo: str) -> Finding:
    """Say that something does not work."""
    return Finding(check=check, verdict="bad", found=found, todo=todo)


def skipped(check: str, why: str) -> Finding:
    """Say that there was nothing to check."""
    return Finding(check=check, verdict="skipped", found=why)


def report_to_json(findings: list[Finding]) -> dict[str, Any]:
    """Give the report as a JSON object."""
    return {"kind": KIND, "schema": SCHEMA, "findings": [asdict(f) for f in findings]}
