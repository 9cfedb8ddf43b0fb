"""From a rig's folder to a profile: board, lens, the empty board, the discs. No questions asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from sonora_vision.calibrate.answers import Answers, load_answers
from sonora_vision.calibrate.board_spec import BoardSpec, load_board
from sonora_vision.calibrate.find_board import MIN_INLIERS, find_board
from sonora_vision.calibrate.lens import Lens, calibrate_lens
from sonora_vision.calibrate.lines_found import lines_found
from sonora_vision.calibrate.photo import Pixels, load_photo
from sonora_vision.calibrate.pose import BoardPose, pose_from_points
from sonora_vision.calibrate.printed import fit_to_print
from sonora_vision.calibrate.profile import Profile
from sonora_vision.calibrate.propose.straighten import straighten
from sonora_vision.calibrate.taught import photo_scale, teach_board
from sonora_vision.calibrate.usual_lens import fit_usual_lens, lens_was_skipped, usual_lens
from sonora_vision.calibrate.wizard.readiness import check_colors, judge_light
from sonora_vision.detect.check_answers import check_answers
from sonora_vision.detect.scene import set_scene
from sonora_vision.detect.teach_discs import teach_discs
from sonora_vision.errors import CalibrationError, UnreadableError

OnStep = Callable[[str, float], None]

MAX_MISS_MM = 0.6
"""Printed lines that miss the description by more belong to another board, or to wrong clicks."""
LINES_AGREE = 0.8
"""What of a printed line's miss is left in the board's place, which many lines decide together, but
neighbouring ones miss alike: so far ten drawn boards were off, root mean square."""
LEAST_FOUND = 0.6
"""Part of each kind of printed line that must be where it should: 0.91 or more on fourteen boards,
0.45 or less of the multipliers or the hole where the corners were clicked a quarter turn off."""


def calibrate_rig(rig: Path, on_step: OnStep = lambda _text, _part: None) -> Profile:
    """Make a profile of a rig's folder.

    Parameters
    ----------
    rig
        Holds ``board.json``, ``lens/`` and ``teach/``.
    on_step
        Called with what is being done and the part that is done, 0 to 1.

    Raises
    ------
    FileFormatError
        Where a file's content is wrong.
    CalibrationError
        Where pictures and answers do not make a profile.
    """
    if not rig.is_dir():
        raise CalibrationError(
            f"{rig}: not a folder; give a rig's folder with board.json, lens/ and teach/"
        )
    board = load_board(rig / "board.json")
    answers = load_answers(rig / "teach" / "answers.json", board)
    lens = None
    if not lens_was_skipped(rig / "lens"):
        lens = calibrate_lens(rig / "lens", lambda text, part: on_step(text, 0.6 * part))
    on_step("the empty board", 0.6)
    try:
        return _teach(board, lens, answers, on_step)
    except UnreadableError as error:
        raise CalibrationError(str(error)) from None


def _teach(board: BoardSpec, lens: Lens | None, answers: Answers, on_step: OnStep) -> Profile:
    empty = _clear_photo(answers.empty.image)
    size_px = (empty.shape[1], empty.shape[0])
    known = straighten(empty, usual_lens(size_px)) if lens is None else lens.scaled_to(size_px)
    start = _clicked_pose(board, known, answers)
    if lens is None:
        pose, miss_mm, unknown_mm = fit_usual_lens(empty, start, board)
    else:
        (pose, miss_mm), unknown_mm = fit_to_print(empty, start, board), 0.0
    lens = pose.lens
    if not miss_mm < MAX_MISS_MM:
        raise CalibrationError(
            f"{answers.empty.image}: the printed lines miss the board description by "
            f"{miss_mm:.2f} mm (expected under {MAX_MISS_MM}); check the clicked corners, the "
            "sizes in board.json, and that this is the board"
        )
    for name, part in lines_found(empty, pose, board).items():
        if part < LEAST_FOUND:
            raise CalibrationError(
                f"{answers.empty.image}: of the {name} only {part:.0%} is where the clicked "
                f"corners put it (expected {LEAST_FOUND:.0%} or more): click the corners as "
                "board.json names them, from the board's own top left, however it lies"
            )
    taught = teach_board(empty, pose, board)
    details = len(taught.features.quick.points_mm)
    if details < MIN_INLIERS:
        raise CalibrationError(
            f"{answers.empty.image}: only {details} printed details are large enough to find "
            f"the board by, next to its discs (expected {MIN_INLIERS} or more); check the "
            "board's length and the discs' size in mm"
        )
    on_step("the discs", 0.7)
    picture = _clear_photo(answers.discs_image)
    try:
        found, fit_px = find_board(picture, lens, taught.features, photo_scale(pose, taught))
        scene = set_scene(picture, found, taught, board.discs.height_mm)
        check_answers(scene, answers.discs)
        discs = teach_discs(scene, answers.discs)
    except (UnreadableError, CalibrationError) as error:
        raise CalibrationError(f"{answers.discs_image}: {error}") from None
    on_step("done", 1.0)
    return Profile(
        board=board,
        lens=lens,
        taught=taught,
        pose=pose,
        discs=discs,
        anchor_mm=LINES_AGREE * float(np.hypot(miss_mm, unknown_mm)),
        report={
            "board": board.name,
            "lens_reprojection_px": lens.rms_px,
            "focal_length_px": float(lens.matrix[0, 0]),
            "printed_lines_mm": miss_mm,
            "discs_picture_fit_px": fit_px,
            "millimetres_per_pixel": float(1 / (photo_scale(pose, taught) * taught.view.px_per_mm)),
            "camera_height_mm": float(pose.camera_mm[2]),
            "discs_taught": len(answers.discs),
        },
    )


def _clear_photo(path: Path) -> Pixels:
    """Load a teaching picture; what is blurred, dark or grey in it would be so in every reading."""
    pixels = load_photo(path)
    checks = (*judge_light(pixels), check_colors(pixels))
    bad = [check.words for check in checks if check.light == "bad"]
    if bad:
        raise UnreadableError(f"{path}: {'; '.join(bad)}; take it again")
    return pixels


def _clicked_pose(board: BoardSpec, lens: Lens, answers: Answers) -> BoardPose:
    points_mm, points_px = list(board.outline_mm), list(answers.empty.corners_px)
    if board.hole is not None and answers.empty.hole_px is not None:
        points_mm.append(board.hole.center_mm)
        points_px.append(answers.empty.hole_px)
    pose = pose_from_points(lens, np.array(points_mm), np.array(points_px))
    worst = np.inf
    if pose is not None:
        apart = pose.project(np.array(points_mm)) - np.array(points_px)
        worst = float(np.linalg.norm(apart, axis=1).max())
    if pose is None or worst > MAX_CLICK_PX * lens.size_px[0] / 1640:
        raise CalibrationError(
            f"{answers.empty.image}: the clicked corners do not fit the board's outline (off by "
            f"{worst:.0f} px); click them in the order of the outline, clockwise from its top left"
        )
    return pose


MAX_CLICK_PX = 12.0
"""How far a click may miss, at 1640 pixels of width: a hasty finger, not another corner."""
