"""Files of a session of the wizard: uploaded pictures, and the lens target's description."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sonora_vision.calibrate.file_format import write_bytes_atomically
from sonora_vision.calibrate.target_pdf import TARGET


def save_picture(folder: Path, stem: str, raw: bytes) -> str:
    """Write an uploaded picture in place of an older one; return its name."""
    for old in folder.glob(f"{stem}.*"):
        old.unlink()
    name = f"{stem}.{ending(raw)}"
    write_bytes_atomically(folder / name, raw)
    return name


def target_document() -> dict[str, Any]:
    """Return the printed target's description, as ``charuco.json`` has it."""
    return {
        "squares": list(TARGET.squares),
        "square_mm": TARGET.square_mm,
        "marker_mm": TARGET.marker_mm,
        "dictionary": TARGET.dictionary,
    }


def ending(raw: bytes) -> str:
    """Return a picture's file ending, from its content."""
    return "png" if raw[:4] == b"\x89PNG" else "jpg"
