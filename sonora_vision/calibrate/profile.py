"""A profile: all that calibration saves about one camera and one board, in one file.

The file is a zip of ``profile.json`` (kind, schema, board, lens, figures), ``empty.png`` (the
taught board, rectified) and ``faces.npz`` (paints and faces of the discs).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json, board_to_json
from sonora_vision.calibrate.file_format import write_bytes_atomically
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.migrate import Document, Migration, migrated
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.taught import TaughtBoard, taught_board, taught_view
from sonora_vision.errors import FileFormatError

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
        """Write the profile; the old one stays until the new one is whole."""
        write_bytes_atomically(path, _packed(self))


def load_profile(path: Path) -> Profile:
    """Read a profile.

    Raises
    ------
    FileFormatError
        Where the file is missing, damaged, of another kind, or of a newer schema.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileFormatError(
            f"{path}: the profile cannot be opened ({error.strerror}); make one with "
            "sonora-vision calibrate"
        ) from None
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            about = json.loads(archive.read("profile.json"))
            about = _newest(about, path)
            empty = cv2.imdecode(
                np.frombuffer(archive.read("empty.png"), np.uint8), cv2.IMREAD_COLOR
            )
            with np.load(io.BytesIO(archive.read("faces.npz")), allow_pickle=False) as stored:
                arrays = {key: stored[key] for key in stored.files}
        return _unpacked(about, np.asarray(empty, np.uint8), arrays, str(path))
    except (
        zipfile.BadZipFile,
        KeyError,
        ValueError,
        IndexError,
        TypeError,
        EOFError,
        OSError,
    ) as error:
        raise FileFormatError(
            f"{path}: not a whole profile ({type(error).__name__}: {error}); calibrate again, or "
            "restore the file from a copy"
        ) from None


def _newest(about: Any, path: Path) -> Document:
    kind = about.get("kind") if isinstance(about, dict) else None
    if kind != KIND:
        raise FileFormatError(f"{path}: kind: expected {KIND}, got {kind!r}; is this a profile?")
    return migrated(about, str(path), schema=SCHEMA, migrations=MIGRATIONS)


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
    arrays = io.BytesIO()
    np.savez_compressed(
        arrays,
        colors=np.array(discs.colors, np.str_),
        means=discs.means,
        spreads=discs.spreads,
        face_color=np.array([color for color, _ in who], np.str_),
        face_number=np.array([number for _, number in who], np.int64),
        faces=np.array([discs.faces[each] for each in who], np.uint8).reshape(-1, 64, 64, 3),
    )
    _, empty = cv2.imencode(".png", profile.taught.bgr)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("profile.json", json.dumps(about, indent=1))
        archive.writestr("empty.png", empty.tobytes())
        archive.writestr("faces.npz", arrays.getvalue())
    return packed.getvalue()


def _unpacked(
    about: Mapping[str, Any], empty: Pixels, arrays: Mapping[str, NDArray[Any]], where: str
) -> Profile:
    board = board_from_json(about["board"], f"{where}: board")
    stored = about["lens"]
    lens = Lens(
        matrix=np.array(stored["matrix"], np.float64).reshape(3, 3),
        distortion=np.array(stored["distortion"], np.float64).reshape(5),
        size_px=(int(stored["size_px"][0]), int(stored["size_px"][1])),
        rms_px=float(stored["rms_px"]),
        focal_sigma_px=float(stored["focal_sigma_px"]),
        center_sigma_px=float(stored["center_sigma_px"]),
    )
    pose = BoardPose(
        lens=lens,
        rotation=np.array(about["pose"]["rotation"], np.float64).reshape(3),
        translation=np.array(about["pose"]["translation"], np.float64).reshape(3),
    )
    view = taught_view(board)
    if empty.shape != (view.size_px[1], view.size_px[0], 3):
        raise ValueError(f"empty.png is {empty.shape}, the board needs {view.size_px}")
    faces = arrays["faces"].astype(np.uint8)
    return Profile(
        board=board,
        lens=lens,
        pose=pose,
        taught=taught_board(empty, board),
        discs=TaughtDiscs(
            colors=tuple(arrays["colors"].tolist()),
            means=arrays["means"].astype(np.float64),
            spreads=arrays["spreads"].astype(np.float64),
            faces={
                (str(c), int(n)): faces[i]
                for i, (c, n) in enumerate(
                    zip(arrays["face_color"].tolist(), arrays["face_number"].tolist(), strict=True)
                )
            },
        ),
        anchor_mm=float(about["anchor_mm"]),
        report=about["report"],
    )
