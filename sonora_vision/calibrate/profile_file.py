"""The zip that a profile is saved as: its three members, and the arrays in one of them."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.file_format import json_object
from sonora_vision.errors import FileFormatError

Arrays = Mapping[str, NDArray[Any]]

MEMBERS = ("profile.json", "empty.png", "faces.npz")
MOST_BYTES = 300_000_000
"""What a member may unpack to: above the largest picture that is decoded, below a memory bomb."""
_WRITTEN = (1980, 1, 1, 0, 0, 0)
"""The time that every member bears, so that the same content makes the same bytes."""


@dataclass(frozen=True, kw_only=True)
class Members:
    """What the zip holds, unpacked but not yet judged."""

    about: dict[str, Any]
    empty_png: bytes
    arrays: Arrays


def packed(members: Mapping[str, bytes]) -> bytes:
    """Return a zip of these members, the same bytes for the same content."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, _WRITTEN), content)
    return whole.getvalue()


def packed_arrays(arrays: Arrays) -> bytes:
    """Return a compressed npz of these arrays; numpy's own bears the time, too."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy", _WRITTEN)
            archive.writestr(member, content.getvalue(), zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def unpacked(raw: bytes, where: str) -> Members:
    """Open a profile's bytes; ``where`` names the file in messages.

    Raises
    ------
    FileFormatError
        Where it is no zip, a member is damaged, missing or unknown, or ``profile.json`` is no JSON
        object.
    """
    try:
        members = _members(raw)
        if set(members) != set(MEMBERS):
            got = ", ".join(sorted(members)) or "nothing"
            raise ValueError(f"expected {', '.join(MEMBERS)} in it, got {got}")
        text = members["profile.json"].decode("utf-8")
        arrays = {
            name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(content))
            for name, content in _members(members["faces.npz"]).items()
        }
    except _DAMAGED as error:
        raise FileFormatError(
            f"{where}: not a whole profile ({type(error).__name__}: {error}); calibrate again, or "
            "restore the file from a copy"
        ) from None
    return Members(
        about=json_object(text, f"{where}: profile.json"),
        empty_png=members["empty.png"],
        arrays=arrays,
    )


_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    ValueError,
    IndexError,
    TypeError,
    AttributeError,
    EOFError,
    OSError,
    MemoryError,
    RuntimeError,  # an encrypted member, a compression that zipfile does not know
)


def _members(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for member in archive.infolist():
            if member.file_size > MOST_BYTES:
                raise ValueError(f"{member.filename} unpacks to {member.file_size} bytes")
        return {name: archive.read(name) for name in archive.namelist()}
