"""Whether what a profile says can be: nothing passes that no calibration could have written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.board_spec import BoardSpec, DiscSet
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import MAX_PIXELS
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.document import Mistakes, Record, is_integer, is_number

FOCAL_SIDES = (0.1, 50.0)
"""Focal lengths in parts of the picture's longer side: from a fish's eye to a telescope's."""
MOST_DISTORTION = 1e4
"""Coefficients of a poorly determined fit run to hundreds; beyond this nothing is a picture."""
FARTHEST_BOARDS = 100.0
"""How many times its size a board may be away: even a telescope does not show it from there."""
MOST_LOG = 30.0
"""Log colors of eight bits, and of what light makes of them, are within a few units of zero."""
FACE_SHAPE = (64, 64, 3)


def lens_of(record: Record) -> Lens:
    """Read the lens; mistakes are noted in the record."""
    size_px = _size(record)
    matrix = _matrix(record, size_px)
    lens = Lens(
        matrix=matrix,
        distortion=_floats(record, "distortion", (5,), most=MOST_DISTORTION),
        size_px=size_px,
        rms_px=record.number("rms_px", at_least=0),
        focal_sigma_px=record.number("focal_sigma_px", at_least=0),
        center_sigma_px=record.number("center_sigma_px", at_least=0),
    )
    record.close()
    return lens


def pose_of(record: Record, lens: Lens, board: BoardSpec) -> BoardPose:
    """Read where the board lay; mistakes are noted in the record."""
    before = len(record.mistakes)
    pose = BoardPose(
        lens=lens,
        rotation=_floats(record, "rotation", (3,), most=10.0),
        translation=_floats(record, "translation", (3,)),
    )
    record.close()
    if len(record.mistakes) > before:
        return pose
    outline = np.array(board.outline_mm)
    depth_mm = outline @ pose.matrix[2, :2] + pose.translation[2]
    far_mm = FARTHEST_BOARDS * float(np.ptp(outline, axis=0).max())
    if not (depth_mm.min() > 0 and board.discs.height_mm < pose.camera_mm[2] < far_mm):
        record.wrong(
            "translation",
            f"a camera above the board, its discs under it, and within {far_mm:g} mm",
            pose.translation.tolist(),
        )
    return pose


def report_of(record: Record) -> Mapping[str, Any]:
    """Read the figures for people: names with a text or a number each."""
    values = record.everything()
    for name, value in values.items():
        if not isinstance(value, str) and not is_number(value):
            record.wrong(name, "a text or a number", value)
    return values


def check_arrays(arrays: Mapping[str, NDArray[Any]], discs: DiscSet, mistakes: Mistakes) -> None:
    """Note what is wrong with the paints and faces, for the discs that the board says there are."""
    count, faces = len(discs.colors), len(arrays.get("face_number", ()))
    wanted = {
        "colors": ((count,), "U"),
        "means": ((count, 3), "f"),
        "spreads": ((count, 3, 3), "f"),
        "face_color": ((faces,), "U"),
        "face_number": ((faces,), "i"),
        "faces": ((faces, *FACE_SHAPE), "u"),
    }
    if set(arrays) != set(wanted):
        mistakes.say(
            "faces.npz", f"expected {', '.join(wanted)}, got {', '.join(sorted(arrays)) or 'none'}"
        )
        return
    for name, (shape, kind) in wanted.items():
        array = arrays[name]
        if array.shape != shape or array.dtype.kind != kind:
            expected = f"shape {shape} of kind {kind!r}"
            got = f"{array.shape} of kind {array.dtype.kind!r}"
            mistakes.say(f"faces.npz: {name}", f"expected {expected}, got {got}")
    if len(mistakes):
        return
    _check_paints(arrays, discs, mistakes)
    _check_faces(arrays, discs, mistakes)


def _check_paints(arrays: Mapping[str, NDArray[Any]], discs: DiscSet, mistakes: Mistakes) -> None:
    colors = arrays["colors"].tolist()
    if sorted(colors) != sorted(discs.colors):
        mistakes.add("faces.npz: colors", f"the board's, {', '.join(discs.colors)}", colors)
    means, spreads = arrays["means"], arrays["spreads"]
    for index, color in enumerate(colors):
        mean, spread = means[index], spreads[index]
        if not np.abs(mean).max() <= MOST_LOG:
            mistakes.add(f"faces.npz: means of {color}", "log colors", mean.tolist())
        elif not np.abs(spread).max() <= MOST_LOG**2 or not _is_covariance(spread):
            mistakes.add(f"faces.npz: spreads of {color}", "a covariance", spread.tolist())


def _is_covariance(spread: FloatArray) -> bool:
    scale = float(np.abs(spread).max())
    return bool(
        np.allclose(spread, spread.T, atol=1e-6 * scale)
        and np.linalg.eigvalsh(spread).min() >= -1e-6 * scale
    )


def _check_faces(arrays: Mapping[str, NDArray[Any]], discs: DiscSet, mistakes: Mistakes) -> None:
    pairs = zip(arrays["face_color"].tolist(), arrays["face_number"].tolist(), strict=True)
    found = list(pairs)
    there = {(color, number) for color in discs.colors for number in discs.numbers}
    foreign = sorted(set(found) - there)
    if foreign:
        mistakes.say("faces.npz: faces", f"{foreign[0]} is no disc of the board's")
    if len(set(found)) < len(found):
        mistakes.say("faces.npz: faces", "expected each face once")
    if discs.each_once and there - set(found):
        lacking = sorted(there - set(found))
        mistakes.say("faces.npz: faces", f"expected one of every disc, got none of {lacking[0]}")


def _size(record: Record) -> tuple[int, int]:
    values = record.items("size_px", "width and height")
    whole = len(values) == 2 and all(is_integer(each) and each > 0 for each in values)
    if whole and values[0] * values[1] <= MAX_PIXELS:
        return values[0], values[1]
    if record.has("size_px"):
        record.wrong("size_px", f"width and height, at most {MAX_PIXELS} pixels", values)
    return 1, 1


def _matrix(record: Record, size_px: tuple[int, int]) -> FloatArray:
    matrix = _floats(record, "matrix", (3, 3))
    side = max(size_px)
    low, high = (part * side for part in FOCAL_SIDES)
    focal, center = matrix[[0, 1], [0, 1]], matrix[:2, 2]
    rest = matrix - np.diag([*focal, 0.0])
    rest[:2, 2] = 0.0
    plausible = (
        (focal >= low).all()
        and (focal <= high).all()
        and (np.abs(center) <= 2 * side).all()
        and (rest == np.diag([0.0, 0.0, 1.0])).all()
    )
    if len(record.mistakes) == 0 and not plausible:
        expected = f"[[fx, 0, cx], [0, fy, cy], [0, 0, 1]], fx and fy from {low:g} to {high:g}"
        record.wrong("matrix", expected, matrix.tolist())
    return matrix


def _floats(record: Record, name: str, shape: tuple[int, ...], most: float = np.inf) -> FloatArray:
    """Return an array of finite numbers; zeros where it is wrong."""
    values = record.items(name, f"numbers, {' x '.join(map(str, shape))}")
    rows = values if len(shape) > 1 else [values]
    width = shape[-1]
    good = (len(shape) == 1 or len(rows) == shape[0]) and all(
        isinstance(row, list)
        and len(row) == width
        and all(is_number(each) and abs(each) <= most for each in row)
        for row in rows
    )
    if good:
        return np.array(values, np.float64)
    if record.has(name):
        bound = "" if np.isinf(most) else f" from {-most:g} to {most:g}"
        record.wrong(name, f"{' x '.join(map(str, shape))} numbers{bound}", values)
    return np.zeros(shape)
