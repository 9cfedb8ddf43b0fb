"""How every file of the program is opened and saved.

What a file holds is checked by :mod:`sonora_vision.document`. Saving writes beside the
target and renames, so that a file is either the old one or the new one, whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sonora_vision.document import shown
from sonora_vision.errors import FileFormatError


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises
    ------
    FileFormatError
        If the file is missing, cannot be read, is not UTF-8, not JSON, or not an object.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileFormatError(f"{path}: no such file; check the path") from None
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{path}: expected UTF-8 text, got byte 0x{error.object[error.start]:02x} "
            f"at offset {error.start}"
        ) from None
    return json_object(text, str(path))


def json_object(text: str, where: str) -> dict[str, Any]:
    """Parse a JSON object; ``where`` names it in messages.

    Raises
    ------
    FileFormatError
        If the text is not JSON, not an object, or holds half a character.
    """
    try:
        values = json.loads(text, object_pairs_hook=_object_of_pairs)
    except json.JSONDecodeError as error:
        raise FileFormatError(
            f"{where}: not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise FileFormatError(f"{where}: not JSON: objects or lists nested too deep") from None
    except ValueError as error:  # a key given twice, a number of thousands of digits
        raise FileFormatError(f"{where}: {error}") from None
    if not isinstance(values, dict):
        raise FileFormatError(f"{where}: expected a JSON object, got {shown(values)}")
    if "\\u" in text and not _is_text(values):
        raise FileFormatError(
            f"{where}: expected texts of whole characters, got half of one (\\ud800 to \\udfff "
            "without its other half); write the character itself"
        )
    return values


def fingerprint_of(*paths: Path) -> str:
    """Return what tells the content of these files from any other: a SHA-256, in hexadecimal.

    Raises
    ------
    OSError
        Where one cannot be read.
    """
    parts = [hashlib.sha256(path.read_bytes()).digest() for path in paths]
    return (parts[0] if len(parts) == 1 else hashlib.sha256(b"".join(parts)).digest()).hex()


def json_text(values: Mapping[str, Any]) -> str:
    """Return the text that the program's JSON files hold."""
    return json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_text_atomically(path: Path, text: str) -> None:
    """Save a text as UTF-8: the file is the old one or the new one, never a part.

    Raises
    ------
    FileFormatError
        If the place cannot be written.
    """
    write_bytes_atomically(path, text.encode("utf-8"))


def write_bytes_atomically(path: Path, content: bytes) -> None:
    """Save bytes: the file is the old one or the new one, never a part.

    Raises
    ------
    FileFormatError
        If the place cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as beside:
            try:
                beside.write(content)
                beside.flush()
                os.fsync(beside.fileno())
                os.chmod(beside.name, 0o666 & ~_umask())
                os.replace(beside.name, path)
            except BaseException:
                Path(beside.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be written: {error.strerror}") from None


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, refusing a key given twice, of which JSON would drop one."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice}: expected each key once in an object, got it twice")
    return values


def _is_text(values: Mapping[str, Any]) -> bool:
    """Whether all of it can be written as UTF-8, which halves of surrogate pairs cannot."""
    try:
        json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
