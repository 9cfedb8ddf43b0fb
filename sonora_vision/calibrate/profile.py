"""A profile: all that calibration saves about one camera and one board, in one file.

The file is a zip of ``profile.json`` (kind, schema, board, lens, figures), ``empty.png`` (the
taught board, rectified) and ``faces.npz`` (paints and faces of the discs). What is loaded could
have been written: :mod:`sonora_vision.calibrate.profile_checks` judges every number of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json, board_to_json
from sonora_vision.calibrate.file_format import write_bytes_atomically
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.migrate import Document, Migration, migrated
from sonora_vision.calibrate.photo import Pixels, decode_photo
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.profile_checks import (
    FACE_SHAPE,
    check_arrays,
    lens_of,
    pose_of,
    report_of,
)
from sonora_vision.calibrate.profile_file import Arrays, packed, packed_arrays, unpacked
from sonora_vision.calibrate.taught import TaughtBoard, taught_board, taught_view
from sonora_vision.document import Mistakes, Record
from sonora_vision.errors import FileFormatError, UnreadableError

KIND = "sonora-vision/profile"
SCHEMA = 1
MIGRATIONS: Mapping[int, Migration] = {}
"""Steps from older schemas of ``profile.json``; there is none older than the first."""


@dataclass(frozen=True, kw_only=True)
class TaughtDiscs:
    """What was taught of the discs; plain arrays, so that this room knows nothing of detection."""

    colors: tuple[str, ...]
    means: FloatArray
    """Log colors, shape (k, 3)."""
    spreads: FloatArray
    """Their covariances, shape (k, 3, 3)."""
    faces: Mapping[tuple[str, int], Pixels]
    """Pictures of the faces, each (64, 64, 3); empty for plain discs."""


@dataclass(frozen=True, eq=False)
class Profile:
    """One calibrated rig."""

    board: BoardSpec
    lens: Lens
    taught: TaughtBoard
    pose: BoardPose
    """Where the board lay in the teaching picture."""
    discs: TaughtDiscs
    anchor_mm: float
    """One-sigma uncertainty of the taught board's place against its description."""
    report: Mapping[str, Any]
    """Figures of the calibration, for people."""

    def save(self, path: Path) -> None:
        """Write the profile; the old one stays until the new one is whole.

        Raises
        ------
        FileFormatError
            Where it could not be loaded again, or the place cannot be written.
        """
        raw = _packed(self)
        _unpacked(raw, str(path))
        write_bytes_atomically(path, raw)


def load_profile(path: Path) -> Profile:
    """Read a profile.

    Raises
    ------
    FileFormatError
        Where the file is missing, damaged, of another kind, of a newer schema, or says what no
        calibration can have found.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileFormatError(
            f"{path}: the profile cannot be opened ({error.strerror}); make one with "
            "sonora-vision calibrate"
        ) from None
    return _unpacked(raw, str(path))


def _packed(profile: Profile) -> bytes:
    lens, pose = profile.lens, profile.pose
    about = {
        "kind": KIND,
        "schema": SCHEMA,
        "board": board_to_json(profile.board),
        "lens": {
            "matrix": lens.matrix.tolist(),
            "distortion": lens.distortion.tolist(),
            "size_px": list(lens.size_px),
            "rms_px": lens.rms_px,
            "focal_sigma_px": lens.focal_sigma_px,
            "center_sigma_px": lens.center_sigma_px,
        },
        "pose": {"rotation": pose.rotation.tolist(), "translation": pose.translation.tolist()},
        "anchor_mm": profile.anchor_mm,
        "report": dict(profile.report),
    }
    discs = profile.discs
    who = sorted(discs.faces)
    arrays = {
        "colors": np.array(discs.colors, np.str_),
        "means": discs.means,
        "spreads": discs.spreads,
        "face_color": np.array([color for color, _ in who], np.str_),
        "face_number": np.array([number for _, number in who], np.int64),
        "faces": np.array([discs.faces[each] for each in who], np.uint8).reshape(-1, *FACE_SHAPE),
    }
    _, empty = cv2.imencode(".png", profile.taught.bgr)
    return packed(
        {
            "profile.json": json.dumps(about, indent=1).encode(),
            "empty.png": empty.tobytes(),
            "faces.npz": packed_arrays(arrays),
        }
    )


def _unpacked(raw: bytes, where: str) -> Profile:
    members = unpacked(raw, where)
    about = _newest(members.about, where)
    mistakes = Mistakes(where, "calibrate again, or restore the file from a copy")
    document = Record(about, mistakes)
    document.one_of("kind", [KIND])
    document.integer("schema")
    document.record("board")
    stored = {name: document.record(name) for name in ("lens", "pose", "report")}
    anchor_mm = document.number("anchor_mm", at_least=0)
    document.close()
    mistakes.raise_any()
    board = board_from_json(about["board"], f"{where}: board")
    lens = lens_of(stored["lens"])
    mistakes.raise_any()
    pose = pose_of(stored["pose"], lens, board)
    report = report_of(stored["report"])
    if anchor_mm > board.discs.radius_mm:
        document.wrong(
            "anchor_mm", f"less than a disc's radius, {board.discs.radius_mm:g}", anchor_mm
        )
    check_arrays(members.arrays, board.discs, mistakes)
    mistakes.raise_any()
    return Profile(
        board=board,
        lens=lens,
        pose=pose,
        taught=taught_board(_empty(members.empty_png, board, where), board),
        discs=_discs(members.arrays),
        anchor_mm=anchor_mm,
        report=report,
    )


def _newest(about: Document, where: str) -> Document:
    kind = about.get("kind")
    if kind != KIND:
        raise FileFormatError(f"{where}: kind: expected {KIND}, got {kind!r}; is this a profile?")
    return migrated(about, where, schema=SCHEMA, migrations=MIGRATIONS)


def _empty(png: bytes, board: BoardSpec, where: str) -> Pixels:
    """Decode the taught picture, which must have the size that the board's description gives it."""
    wanted = taught_view(board).size_px
    if (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) != wanted:
        what, wrong = "empty.png", f"expected a picture of {wanted[0]} x {wanted[1]}"
        raise FileFormatError(
            f"{where}: not a whole profile ({what}: {wrong}); calibrate again, or restore the file "
            "from a copy"
        )
    try:
        return decode_photo(png, f"{where}: empty.png")
    except UnreadableError as error:
        raise FileFormatError(str(error)) from None


def _discs(arrays: Arrays) -> TaughtDiscs:
    who = zip(arrays["face_color"].tolist(), arrays["face_number"].tolist(), strict=True)
    return TaughtDiscs(
        colors=tuple(arrays["colors"].tolist()),
        means=arrays["means"].astype(np.float64),
        spreads=arrays["spreads"].astype(np.float64),
        faces=dict(zip(who, arrays["faces"].astype(np.uint8), strict=True)),
    )
