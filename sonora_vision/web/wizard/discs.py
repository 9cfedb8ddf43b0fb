"""The discs of a draft, proposed: the draft's board as far as it is known, and one picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec, DiscSet, Hole, Zone
from sonora_vision.calibrate.find_board import find_board
from sonora_vision.calibrate.lens import FloatArray, Lens
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.calibrate.taught import photo_scale, teach_board
from sonora_vision.calibrate.wizard.assemble import circle_mm, place_draft, scale_at_middle
from sonora_vision.calibrate.wizard.draft import DiscsDraft, Draft, DraftDisc
from sonora_vision.calibrate.wizard.readiness import check_colors
from sonora_vision.detect.disc_radius import measure_radius
from sonora_vision.detect.general_digits import NumberReader
from sonora_vision.detect.propose_discs import propose_discs
from sonora_vision.detect.scene import Scene, set_scene
from sonora_vision.errors import UnreadableError, UsageError
from sonora_vision.geometry import PolygonShape

_USUAL_RADIUS = 0.03
"""A disc's radius in parts of the board's longer side, until it is measured."""


def propose_draft_discs(empty: Pixels, picture: Pixels, draft: Draft, lens: Lens) -> DiscsDraft:
    """Propose the discs on a picture.

    Parameters
    ----------
    empty
        Picture of the empty board.
    picture
        Picture of all discs on it, the board anywhere in view.
    draft
        The board's answers, and the discs' height and numbers.
    lens
        Intrinsics at the size of ``empty``.

    Raises
    ------
    UnreadableError
        Where the board or its discs are not found, or no colors.
    UsageError
        Where answers are missing that are needed first.
    """
    height_mm = draft.discs.height_mm
    if height_mm is None:
        raise UsageError("discs: type how high a disc is, in mm")
    if draft.board.first_side_mm is None:
        raise UsageError("length: type the real length of the board's first side first")
    colors = check_colors(picture)
    if colors.light == "bad":
        raise UnreadableError(colors.words)
    scene = _scene(empty, picture, draft, lens, None)
    proposed = propose_discs(scene, draft.discs.numbers, NumberReader.load())
    if proposed is None:
        raise UnreadableError("no disc was found on the board; lay all of them on it, face up")
    closer = _scene(empty, picture, draft, lens, proposed.radius_mm)
    centers_mm = closer.pose.to_board(np.array([disc.px for disc in proposed.discs]), height_mm)
    radius_mm = measure_radius(closer, closer.view.to_px(centers_mm), proposed.radius_mm)
    return replace(
        draft.discs,
        diameter_mm=None,
        seen_px=2 * radius_mm * scale_at_middle(draft.board, lens, height_mm),
        discs=tuple(
            DraftDisc(px=disc.px, color=disc.color, number=disc.number) for disc in proposed.discs
        ),
    )


def _scene(
    empty: Pixels, picture: Pixels, draft: Draft, lens: Lens, radius_mm: float | None
) -> Scene:
    """Lay the empty board under the picture, at a scale for discs of about that radius."""
    pose, outline = place_draft(draft.board, lens)
    board = _rough_board(draft, outline, pose, radius_mm)
    taught = teach_board(empty, pose, board)
    size = (picture.shape[1], picture.shape[0])
    scale = photo_scale(pose, taught) * size[0] / empty.shape[1]
    found, _ = find_board(picture, lens.scaled_to(size), taught.features, scale)
    return set_scene(picture, found, taught, board.discs.height_mm)


def _rough_board(
    draft: Draft, outline_mm: FloatArray, pose: BoardPose, radius_mm: float | None
) -> BoardSpec:
    points = tuple((float(x), float(y)) for x, y in outline_mm)
    holes = [circle_mm(c, pose) for c in draft.board.circles if c.role == "hole"]
    return BoardSpec(
        name=draft.board.name,
        rule=draft.board.rule,
        outline_mm=points,
        zones=(Zone(section="board", shape=PolygonShape(points_mm=points)),),
        hole=Hole(center_mm=holes[0][0], radius_mm=holes[0][1], depth_mm=draft.board.hole_depth_mm)
        if holes
        else None,
        discs=DiscSet(
            radius_mm=radius_mm or _USUAL_RADIUS * float(np.ptp(outline_mm, axis=0).max()),
            height_mm=draft.discs.height_mm or 0.0,
            colors=("disc",),
            numbers=draft.discs.numbers,
        ),
    )
