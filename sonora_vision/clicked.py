"""From one photograph and clicks on it to a profile: a rig of which nothing else is known.

The empty board is made of the photograph itself, the discs' paints of clicked discs, the lens of
the printed lines; then the photograph is read as any other. What a rig's pictures would have told
is uncertain instead, and says so by a wider sigma and more doubts.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import cv2
import numpy as np

from sonora_vision.calibrate.answers import DiscAnswer
from sonora_vision.calibrate.bare_board import bare_board
from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.clicks import Clicks
from sonora_vision.calibrate.one_photo import Placed, exif_focal, place_board
from sonora_vision.calibrate.photo import Pixels, decode_photo, is_gray
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.profile import Profile, TaughtDiscs
from sonora_vision.calibrate.rectify import rectify
from sonora_vision.calibrate.taught import DISC_PX, taught_board, taught_view
from sonora_vision.detect.find_discs import Findings, FindParams, Sighting, find_discs
from sonora_vision.detect.look import silhouette_mask
from sonora_vision.detect.scene import MARGIN_DISCS, Mask, Scene, set_scene
from sonora_vision.detect.teach_discs import references_of, teach_discs
from sonora_vision.detect.worth import WorthParams
from sonora_vision.errors import CalibrationError, UnreadableError

GENEROUS = FindParams(
    worth=WorthParams(least_foreign=0.08),
    bare_support=0.88,
    bare_foreign=0.15,
    bare_paint=-4.0,
    plain_foreign=0.15,
    plain_paint=-4.0,
)
"""What may be a disc is painted over: better a printed circle too many than a disc left in."""
PASSES = ((GENEROUS, 4), (FindParams(), 2))
"""The second pass gives back what the first painted over though no disc lies there. The numbers
say how far beyond a disc's outline is painted, pixels at the coarse scale: while the outline is not
exact, what is left of a disc would be taken for print."""
PRINT_SHARE = 0.3
"""Circles whose centre is nearer to a multiplier's, in disc radii, are the multiplier."""
TIGHT = 1.25
"""A hole of less than so many disc radii shows no rim of its own around a disc in it."""
LENS_SIGMA_MM = 0.15
"""What printed lines leave open of a lens that was not calibrated, root mean square."""


def profile_of_photo(path: Path, board: BoardSpec, clicks: Clicks) -> Profile:
    """Make a profile for one photograph.

    Parameters
    ----------
    path
        The photograph, EXIF and all.
    board, clicks
        The board, and clicks that were checked against it.

    Raises
    ------
    UnreadableError
        Where the photograph cannot be opened, or the clicks do not fit it.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UnreadableError(
            f"{path}: cannot be opened ({error.strerror}); check the name"
        ) from None
    pixels = decode_photo(raw, str(path))
    try:
        return profile_of_pixels(pixels, board, clicks, exif_focal(raw))
    except (UnreadableError, CalibrationError) as error:
        raise UnreadableError(f"{path}: {error}") from None


def profile_of_pixels(
    pixels_bgr: Pixels, board: BoardSpec, clicks: Clicks, focal: float | None = None
) -> Profile:
    """Make a profile for a picture that is in memory; see :func:`profile_of_photo`.

    Parameters
    ----------
    focal
        Focal length in parts of the picture's diagonal, where it is known.
    """
    _require_color(pixels_bgr)
    placed = place_board(pixels_bgr, clicks, board, focal)
    pose, height_mm = placed.pose, board.discs.height_mm
    _check_discs(pose, clicks, board)
    bare = bare_board(rectify(pixels_bgr, pose, taught_view(board)), board)
    taught = taught_board(bare.flat_bgr, board)
    for params, grow_px in PASSES:
        scene = set_scene(pixels_bgr, pose, taught, height_mm)
        discs = _taught_discs(scene, clicks)
        findings = find_discs(
            scene, references_of(discs, board.discs.numbers), board.discs.radius_mm, params
        )
        hidden = _hidden(scene, board, discs, findings, grow_px)
        taught = taught_board(bare.painted_over(hidden, board), board)
    _check_seen(scene, findings, clicks)
    discs = _taught_discs(set_scene(pixels_bgr, pose, taught, height_mm), clicks)
    return Profile(
        board=board,
        lens=pose.lens,
        taught=taught,
        pose=pose,
        discs=discs,
        anchor_mm=_pose_sigma_mm(placed, board),
        report={
            "printed_lines_mm": placed.line_sigma_mm,
            "focal_length_px": float(pose.lens.matrix[0, 0]),
            "focal_length_sigma": placed.focal_sigma,
        },
    )


def _taught_discs(scene: Scene, clicks: Clicks) -> TaughtDiscs:
    answers = [DiscAnswer(color=each.color, number=None, px=each.px) for each in clicks.colors]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # means of nothing, judged below
        discs = teach_discs(scene, answers)
    for color, mean, spread in zip(discs.colors, discs.means, discs.spreads, strict=True):
        if not (np.isfinite(mean).all() and np.isfinite(spread).all()):
            raise UnreadableError(
                f"where {color} was clicked no disc of one color is seen; click the middle of the "
                "top face of one that lies in plain view"
            )
    return discs


def _require_color(pixels_bgr: Pixels) -> None:
    """Refuse a picture in which colors, as they were clicked, are shades of grey."""
    if is_gray(pixels_bgr):
        raise UnreadableError(
            "the picture is grey-scale, but discs are told apart by their color; switch the "
            "camera's night mode or black-and-white effect off"
        )


def _check_discs(pose: BoardPose, clicks: Clicks, board: BoardSpec) -> None:
    """Refuse colors that were clicked far from the board, or two of them on one disc."""
    radius_mm, outline = board.discs.radius_mm, np.array(board.outline_mm)
    at_mm = pose.to_board(np.array([each.px for each in clicks.colors]), board.discs.height_mm)
    reach_mm = (MARGIN_DISCS - 1) * radius_mm
    low, high = outline.min(axis=0) - reach_mm, outline.max(axis=0) + reach_mm
    for index, (each, place) in enumerate(zip(clicks.colors, at_mm, strict=True)):
        if not ((place >= low) & (place <= high)).all():
            raise UnreadableError(
                f"{_named(index, clicks)} is too far from the board; click a disc of this color "
                "that lies on it"
            )
        for other in range(index):
            apart_mm = float(np.hypot(*(place - at_mm[other])))
            if clicks.colors[other].color != each.color and apart_mm < radius_mm:
                raise UnreadableError(
                    f"{_named(index, clicks)} and {_named(other, clicks)} are one disc; click a "
                    "disc of each color"
                )


def _check_seen(scene: Scene, findings: Findings, clicks: Clicks) -> None:
    """Refuse colors that were clicked where no disc is found."""
    centers = np.array([each.look.center_px for each in findings.sightings]).reshape(-1, 2)
    on_top = scene.pose.to_board(np.array([each.px for each in clicks.colors]), scene.height_mm)
    for index, at_px in enumerate(scene.view.to_px(on_top)):
        if not (np.hypot(*(centers - at_px).T) < DISC_PX).any():
            raise UnreadableError(
                f"{_named(index, clicks)}: no disc was found there; click the middle of the top "
                "face of one that lies in plain view"
            )


def _named(index: int, clicks: Clicks) -> str:
    each = clicks.colors[index]
    return f"colors[{index}] ({each.color}, clicked at pixel {each.px[0]:g}, {each.px[1]:g})"


def _hidden(
    scene: Scene, board: BoardSpec, discs: TaughtDiscs, findings: Findings, grow_px: int
) -> Mask:
    """Where discs hide the board, shape of the taught picture."""
    references = references_of(discs, board.discs.numbers)
    covered = np.zeros(scene.in_photo.shape, np.bool_)
    for sighting in findings.sightings:
        if not _is_print(scene, sighting, board) and not _is_hole(scene, sighting, board, discs):
            covered |= silhouette_mask(scene, sighting.look, references)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * grow_px + 1, 2 * grow_px + 1))
    grown = cv2.dilate(covered.astype(np.uint8), kernel)
    camera, view = scene.pose.camera_mm, taught_view(board)
    shrink = (camera[2] - scene.height_mm) / camera[2]
    # The line of sight to a point of the board pierces the discs' plane nearer to the camera.
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    seen = scene.coarse.to_px(camera[:2] + (view.to_mm(corners) - camera[:2]) * shrink)
    affine = np.column_stack([seen[1] - seen[0], seen[2] - seen[0], seen[0]])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(grown, affine, view.size_px, flags=flags) > 0, np.bool_)


def _is_print(scene: Scene, sighting: Sighting, board: BoardSpec) -> bool:
    """Whether a circle lies where one is printed, or looks out there from under discs."""
    on_top = scene.view.to_mm(sighting.look.center_px[None])[0]
    for each in board.multipliers:
        distance = float(np.hypot(*(on_top - np.array(each.center_mm))))
        reach = each.radius_mm if sighting.above else PRINT_SHARE * board.discs.radius_mm
        if distance < reach:
            return True
    return False


def _is_hole(scene: Scene, sighting: Sighting, board: BoardSpec, discs: TaughtDiscs) -> bool:
    """Whether a dark circle is the hole itself, which hardly differs from a dark disc in it."""
    hole, radius_mm = board.hole, board.discs.radius_mm
    if hole is None or hole.radius_mm > TIGHT * radius_mm:
        return False
    on_top = scene.view.to_mm(sighting.look.center_px[None])[0]
    if np.hypot(*(on_top - np.array(hole.center_mm))) > PRINT_SHARE * radius_mm:
        return False
    return int(sighting.look.color_log.argmax()) == int(discs.means.mean(axis=1).argmin())


def _pose_sigma_mm(placed: Placed, board: BoardSpec) -> float:
    """Uncertainty of a disc's place that is common to all: the fit's, and thickness seen askew."""
    outline = np.array(board.outline_mm)
    reach = float(np.sqrt(((outline - placed.pose.camera_mm[:2]) ** 2).sum(axis=1).mean())) / 2
    slope = reach / float(placed.pose.camera_mm[2])
    askew = board.discs.height_mm * slope * placed.focal_sigma
    return float(np.sqrt(placed.line_sigma_mm**2 + LENS_SIGMA_MM**2 + askew**2))
