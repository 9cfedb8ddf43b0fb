"""A lens that nobody calibrated: what cameras usually have, and what the printed lines say of it.

Leaving the lens out is the owner's word, written in the rig's folder; a folder that merely lacks
lens pictures is a mistake and stays one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.file_format import read_json
from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.one_photo import (
    DISTORTION_SIGMA,
    USUAL_FOCAL,
    USUAL_SIGMA,
    plain_lens,
)
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.printed import LensPrior, fit_lens_to_print
from sonora_vision.document import open_document
from sonora_vision.errors import FileFormatError

KIND = "sonora-vision/lens-skipped"
SCHEMA = 1
SKIPPED_FILE = "skipped.json"
LENS_SIGMA_MM = 0.15
"""What printed lines leave open of a lens that was not calibrated, root mean square."""
REACH_MM = 5.0


def lens_was_skipped(folder: Path) -> bool:
    """Say whether the owner chose to do without lens pictures.

    Raises
    ------
    FileFormatError
        Where the file that says so is damaged.
    """
    path = folder / SKIPPED_FILE
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise FileFormatError(
            f"{folder}: cannot be looked into ({error.strerror}); check who may read it"
        ) from None
    document = open_document(read_json(path), str(path), kind=KIND, schema=SCHEMA)
    document.close()
    document.mistakes.raise_any()
    return True


def skipped_document() -> dict[str, object]:
    """Return the content of the file by which an owner does without lens pictures."""
    return {"kind": KIND, "schema": SCHEMA}


def usual_lens(size_px: tuple[int, int]) -> Lens:
    """Return the lens that cameras usually have, for pictures of this size."""
    return plain_lens(USUAL_FOCAL * max(size_px), 0.0, size_px)


def fit_usual_lens(
    pixels_bgr: Pixels, start: BoardPose, board: BoardSpec
) -> tuple[BoardPose, float, float]:
    """Refine pose and lens by the printed lines of the empty board.

    Returns
    -------
    pose : BoardPose
        With the lens that was found.
    miss_mm : float
        How far the lines miss, root mean square.
    unknown_mm : float
        What they leave open: the distortion, and how far a disc's thickness shifts it if the focal
        length is another.
    """
    size = max(start.lens.size_px)
    prior = LensPrior(
        focal_px=USUAL_FOCAL * size, focal_sigma=USUAL_SIGMA, distortion_sigma=DISTORTION_SIGMA
    )
    pose, miss_mm, focal_sigma = fit_lens_to_print(pixels_bgr, start, board, REACH_MM, prior)
    outline = np.array(board.outline_mm)
    far_mm = float(np.linalg.norm(outline - pose.camera_mm[:2], axis=1).mean())
    shift_mm = board.discs.height_mm * far_mm / float(pose.camera_mm[2]) * focal_sigma
    return pose, miss_mm, float(np.hypot(LENS_SIGMA_MM, shift_mm))
