"""A bundle to send to someone who helps: findings and the service's log, without who and where."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from sonora_vision.calibrate.file_format import json_text, write_bytes_atomically
from sonora_vision.doctor.finding import Finding, report_to_json
from sonora_vision.doctor.machine import Machine

LOG_LINES = "500"

_PATTERNS = (
    (re.compile(r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b"), "<mac>"),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "<address>"),
    (re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){3,7}[0-9A-Fa-f:]{0,4}(?![\w:])"), "<address>"),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), "<mail>"),
    (re.compile(r"(?i)\b(serial\s*[:=]\s*)\S+"), r"\1<serial>"),
    (re.compile(r"(?i)\b((?:password|passwd|psk|token|key|ssid)\s*[:=]\s*)\S+"), r"\1<secret>"),
    (re.compile(r"/(?:home|Users)/[^/\s\"']+"), "/home/<user>"),
)


def redact(text: str, *, names: tuple[str, ...] = ()) -> str:
    """Take out of a text who and where: names, addresses, serial numbers, secrets.

    Parameters
    ----------
    text : str
    names : tuple of str
        The machine's and its users' names.
    """
    for pattern, instead in _PATTERNS:
        text = pattern.sub(instead, text)
    for name in sorted(names, key=len, reverse=True):
        if len(name) > 2:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "<name>", text)
    return text


def write_bundle(path: Path, findings: list[Finding], machine: Machine) -> None:
    """Write the bundle, whole or not at all; it holds no picture.

    Raises
    ------
    FileFormatError
        Where the place cannot be written.
    """
    names = _names(machine)
    texts = {
        "findings.json": json_text(report_to_json(findings)),
        "system.txt": machine.read("/etc/os-release") or "",
        "packages.txt": machine.run("pip", "list", "--format=freeze") or "",
        "log.txt": machine.run(
            "journalctl", "--unit=sonora-vision", "--no-pager", "--output=short-iso",
            "--no-hostname", f"--lines={LOG_LINES}",
        ) or "",
    }  # fmt: skip
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, redact(text, names=names))
    write_bytes_atomically(path, packed.getvalue())


def _names(machine: Machine) -> tuple[str, ...]:
    """Give the machine's name and those of the people on it."""
    host = machine.read("/etc/hostname") or ""
    rows = [row.split(":") for row in (machine.read("/etc/passwd") or "").splitlines()]
    people = [row for row in rows if len(row) > 4 and row[2].isdecimal() and int(row[2]) >= 1000]
    users = [row[0] for row in people if row[0] != "nobody"]
    full = [row[4].partition(",")[0] for row in people if row[0] != "nobody"]
    return tuple(name for name in (host, *users, *full) if name)
