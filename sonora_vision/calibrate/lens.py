"""The lens: intrinsics from pictures of a ChArUco board, fixed for a camera at one focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.file_format import read_json
from sonora_vision.calibrate.photo import load_photo
from sonora_vision.document import Mistakes, Record, is_integer
from sonora_vision.errors import CalibrationError, UnreadableError

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Lens:
    """Intrinsics of one camera at one picture size.

    References
    ----------
    The model is OpenCV's pinhole with Brown-Conrady distortion (k1, k2, p1, p2, k3).
    """

    matrix: FloatArray
    """Camera matrix, shape (3, 3), pixels."""
    distortion: FloatArray
    """Distortion coefficients, shape (5,)."""
    size_px: tuple[int, int]
    """Width and height of the pictures that the matrix belongs to."""
    rms_px: float
    """Reprojection error of the calibration, root mean square over its corners."""
    focal_sigma_px: float
    """One-sigma uncertainty of the focal length."""
    center_sigma_px: float
    """One-sigma uncertainty of the principal point."""

    def scaled_to(self, size_px: tuple[int, int]) -> Lens:
        """Return the same lens for pictures of another size with the same aspect.

        Raises
        ------
        UnreadableError
            Where the aspect differs by more than one in a hundred: then the picture was cropped
            or turned, and the principal point is unknown.
        """
        if size_px == self.size_px:
            return self
        if not same_aspect(size_px, self.size_px):
            raise UnreadableError(
                f"the picture is {size_px[0]} x {size_px[1]}, but the camera was calibrated at "
                f"{self.size_px[0]} x {self.size_px[1]}: the aspect differs, so it was cropped or "
                "turned; take pictures the same way as then"
            )
        sx, sy = size_px[0] / self.size_px[0], size_px[1] / self.size_px[1]
        matrix = self.matrix.copy()
        # Pixel (0, 0) is the centre of the first pixel, so the principal point scales about -0.5.
        matrix[0] *= sx
        matrix[1] *= sy
        matrix[0, 2] += 0.5 * (sx - 1.0)
        matrix[1, 2] += 0.5 * (sy - 1.0)
        return Lens(
            matrix=matrix,
            distortion=self.distortion,
            size_px=size_px,
            rms_px=self.rms_px * sx,
            focal_sigma_px=self.focal_sigma_px * sx,
            center_sigma_px=self.center_sigma_px * sx,
        )


def same_aspect(size_px: tuple[int, int], other_px: tuple[int, int]) -> bool:
    """Say whether neither of two pictures was cropped or turned: one ratio, to one in a hundred."""
    return abs(size_px[0] * other_px[1] / (size_px[1] * other_px[0]) - 1.0) <= 0.01


@dataclass(frozen=True, kw_only=True)
class CharucoTarget:
    """The printed ChArUco board that the lens pictures show."""

    squares: tuple[int, int]
    square_mm: float
    marker_mm: float
    dictionary: str

    def board(self) -> cv2.aruco.CharucoBoard:
        """Return OpenCV's description of the target."""
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, self.dictionary))
        return cv2.aruco.CharucoBoard(self.squares, self.square_mm, self.marker_mm, dictionary)


def load_target(path: Path) -> CharucoTarget:
    """Read ``charuco.json``.

    Raises
    ------
    FileFormatError
        Where a key is missing, unknown or has a wrong value.
    """
    record = Record(read_json(path), Mistakes(str(path)))
    target = CharucoTarget(
        squares=_squares(record),
        square_mm=record.number("square_mm", above=0),
        marker_mm=record.number("marker_mm", above=0),
        dictionary=_dictionary(record),
    )
    record.close()
    record.mistakes.raise_any()
    if target.marker_mm >= target.square_mm:
        record.wrong("marker_mm", f"less than square_mm, {target.square_mm:g}", target.marker_mm)
    columns, rows = target.squares
    markers = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, target.dictionary)).bytesList
    if columns * rows // 2 > len(markers):
        expected = (
            f"at most {2 * len(markers) + 1}, for {target.dictionary} has {len(markers)} markers"
        )
        record.wrong("squares", expected, list(target.squares))
    record.mistakes.raise_any()
    return target


def _squares(record: Record) -> tuple[int, int]:
    expected = f"two whole numbers of {LEAST_SQUARES} or more"
    values = record.items("squares", expected)
    if len(values) == 2 and all(is_integer(each) and each >= LEAST_SQUARES for each in values):
        return values[0], values[1]
    if record.has("squares"):
        record.wrong("squares", expected, values)
    return LEAST_SQUARES, LEAST_SQUARES


def _dictionary(record: Record) -> str:
    name = record.text("dictionary")
    if record.has("dictionary") and not (name.startswith("DICT_") and hasattr(cv2.aruco, name)):
        expected = "the name of an OpenCV marker dictionary, as DICT_5X5_250"
        record.wrong("dictionary", expected, name)
    return name


LEAST_SQUARES = 3
"""Along a side of the target; below, it has too few corners within."""


def calibrate_lens(
    folder: Path, on_step: Callable[[str, float], None] = lambda _text, _part: None
) -> Lens:
    """Calibrate the lens from a folder of pictures of a ChArUco board.

    Parameters
    ----------
    folder
        Holds ``charuco.json`` and the pictures (``*.jpg`` or ``*.png``), all of one size.
    on_step
        Called with a text and the part done, 0 to 1.

    Raises
    ------
    CalibrationError
        Where fewer than five different views of the target are there, or sizes differ.
    """
    target = load_target(folder / "charuco.json")
    pictures = sorted(each for each in folder.iterdir() if each.suffix.lower() in ENDINGS)
    if not pictures:
        raise CalibrationError(f"{folder}: no pictures of the ChArUco board; expected *.jpg")
    board, object_points, image_points = target.board(), [], []
    views: list[TargetCorners] = []
    detector, size_px = cv2.aruco.CharucoDetector(board), None
    for index, path in enumerate(pictures):
        on_step(f"lens picture {path.name}", index / len(pictures))
        gray = cv2.cvtColor(load_photo(path), cv2.COLOR_BGR2GRAY)
        if size_px is not None and gray.shape[::-1] != size_px:
            raise CalibrationError(
                f"{path}: is {gray.shape[1]} x {gray.shape[0]}, the pictures before it are "
                f"{size_px[0]} x {size_px[1]}; take all lens pictures in one size"
            )
        size_px = (gray.shape[1], gray.shape[0])
        corners, ids, _, _ = detector.detectBoard(gray)
        if ids is None or len(ids) < MIN_CORNERS:
            continue
        view = np.asarray(ids).ravel().astype(int), np.asarray(corners, np.float32).reshape(-1, 2)
        if any(is_repeat(view, other, size_px[0]) for other in views):
            continue
        views.append(view)
        on_target, in_image = board.matchImagePoints(list(corners), ids)
        object_points.append(np.asarray(on_target, np.float32))
        image_points.append(np.asarray(in_image, np.float32))
    if size_px is None or len(object_points) < MIN_VIEWS:
        raise CalibrationError(
            f"{folder}: {len(pictures)} pictures show {len(object_points)} different views of the "
            f"ChArUco board; expected at least {MIN_VIEWS}: take more, sharp and from several sides"
        )
    return fit_lens(object_points, image_points, size_px)


TargetCorners = tuple[NDArray[np.int_], NDArray[np.float32]]
"""Which of the target's corners a picture shows, shape (n,), and where, pixels, shape (n, 2)."""
MIN_MOVE = 0.03
"""How far corners must have moved since every other view, in parts of the picture's width."""


def is_repeat(view: TargetCorners, other: TargetCorners, width_px: int) -> bool:
    """Say whether two pictures show the target at one place.

    The second one tells nothing new: its errors are the first one's.
    """
    shared, mine, theirs = np.intersect1d(view[0], other[0], return_indices=True)
    if len(shared) < MIN_CORNERS:
        return False
    moved = np.linalg.norm(view[1][mine] - other[1][theirs], axis=1)
    return float(moved.mean()) < MIN_MOVE * width_px


ENDINGS = (".jpg", ".jpeg", ".png")
MIN_CORNERS = 8
"""Corners that a view must show to count; a homography needs four, twice that leaves a check."""
MIN_VIEWS = 5
"""Views needed; fewer leave focal length and distance undetermined (Zhang 2000, section 3)."""


def fit_lens(
    object_points: Sequence[NDArray[np.float32]],
    image_points: Sequence[NDArray[np.float32]],
    size_px: tuple[int, int],
) -> Lens:
    """Calibrate from corners of the target and where pictures show them.

    Parameters
    ----------
    object_points, image_points
        For every view, shapes (n, 1, 3) in mm and (n, 1, 2) in pixels.
    size_px
        Width and height of the pictures.
    """
    rms, matrix, distortion, _, _, sigmas, _, _ = cv2.calibrateCameraExtended(
        list(object_points),
        list(image_points),
        size_px,
        np.eye(3),
        np.zeros(5),
    )
    sigma = sigmas.ravel()
    return Lens(
        matrix=np.asarray(matrix, np.float64),
        distortion=np.asarray(distortion, np.float64).ravel()[:5],
        size_px=size_px,
        rms_px=float(rms),
        focal_sigma_px=float(max(sigma[0], sigma[1])),
        center_sigma_px=float(max(sigma[2], sigma[3])),
    )
