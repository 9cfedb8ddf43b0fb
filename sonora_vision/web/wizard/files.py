"""Files of a session of the wizard, laid out as a rig's folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from sonora_vision.calibrate.file_format import (
    json_text,
    write_bytes_atomically,
    write_text_atomically,
)
from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.profile import load_profile
from sonora_vision.calibrate.target_pdf import TARGET
from sonora_vision.calibrate.usual_lens import SKIPPED_FILE, skipped_document
from sonora_vision.calibrate.wizard.assemble import rig_documents
from sonora_vision.calibrate.wizard.draft import Draft
from sonora_vision.errors import FileFormatError, SonoraError, UsageError


def save_picture(folder: Path, stem: str, raw: bytes) -> str:
    """Write an uploaded picture in place of an older one; return its name."""
    for old in folder.glob(f"{stem}.*"):
        old.unlink()
    name = f"{stem}.{ending(raw)}"
    write_bytes_atomically(folder / name, raw)
    return name


def write_answers(folder: Path, draft: Draft, lens: Lens) -> None:
    """Write a draft's answers beside its pictures, as a rig's folder has them.

    Parameters
    ----------
    folder
        Holds ``lens/`` and ``teach/``.
    draft
        All answers.
    lens
        Intrinsics at the size of the picture of the empty board.

    Raises
    ------
    UsageError, FileFormatError
        Where answers are missing, or do not make a board.
    """
    board, answers = rig_documents(draft, lens)
    write_text_atomically(folder / "board.json", json_text(board))
    write_text_atomically(folder / "teach" / "answers.json", json_text(answers))
    skipped, target = folder / "lens" / SKIPPED_FILE, folder / "lens" / "charuco.json"
    if draft.lens_skipped:
        write_text_atomically(skipped, json_text(skipped_document()))
        target.unlink(missing_ok=True)
    else:
        skipped.unlink(missing_ok=True)
        write_text_atomically(target, json_text(_target_document()))


def save_from_elsewhere(raw: bytes, name: str, folder: Path, path: Path) -> None:
    """Save a profile that was made elsewhere; raises FileFormatError where it is not whole."""
    came = folder / "came.profile"
    write_bytes_atomically(came, raw)
    try:
        load_profile(came)
    except SonoraError as error:
        raise FileFormatError(str(error).replace(str(came), name)) from None
    finally:
        came.unlink()
    write_bytes_atomically(path, raw)


def copy_rig(folder: Path, path: Path) -> None:
    """Copy a rig's folder; raises UsageError where it cannot be written."""
    try:
        shutil.copytree(folder, path, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        raise UsageError(f"{path}: the rig's folder cannot be written: {error}") from None


def _target_document() -> dict[str, Any]:
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
