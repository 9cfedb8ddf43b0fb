"""Measured discs and what the rules made of them, put together as a reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.pose import BoardPose
from sonora_vision.detect.measure import MeasuredDisc, missing_discs
from sonora_vision.observation import Disc, DoubtReason, Point, Pose, Reading
from sonora_vision.ruling import Ruling

SURE_CALL = 0.985
"""Section calls less probable than this are asked, not told."""


def report_reading(
    image_name: str,
    board: BoardSpec,
    pose: BoardPose,
    turn_deg: float,
    fit_px: float,
    discs: Sequence[MeasuredDisc],
    rulings: Sequence[Ruling],
    warnings: Sequence[str] = (),
) -> Reading:
    """Put a reading together.

    Parameters
    ----------
    image_name
        The photograph's file name.
    board, pose
        The board, and where it lies in the photograph.
    turn_deg
        How far it is turned from where it was taught, clockwise.
    fit_px
        Root mean square residual of the pose, photograph pixels.
    discs, rulings
        What was measured and what the rules made of it, in the same order.
    warnings
        What the picture as a whole should not be trusted with.
    """
    corners = pose.project(np.array(board.outline_mm))
    return Reading(
        image=image_name,
        board=board.name,
        pose=Pose(
            corners_px=tuple((float(x), float(y)) for x, y in corners),
            turn_deg=turn_deg,
            fit_px=fit_px,
        ),
        discs=tuple(_disc(disc, ruling) for disc, ruling in zip(discs, rulings, strict=True)),
        missing=missing_discs(list(discs), board),
        warnings=tuple(warnings),
    )


def enlarged(reading: Reading, times: int) -> Reading:
    """Return the reading of a picture in the pixels of one that is so many times larger."""
    if times == 1:
        return reading

    def place(point_px: Point) -> Point:
        # Pixel (0, 0) is the centre of the first pixel, so that places scale about -0.5.
        x, y = ((each + 0.5) * times - 0.5 for each in point_px)
        return x, y

    pose = replace(
        reading.pose,
        corners_px=tuple(place(corner) for corner in reading.pose.corners_px),
        fit_px=reading.pose.fit_px * times,
    )
    discs = tuple(replace(disc, top_px=place(disc.top_px)) for disc in reading.discs)
    return replace(reading, pose=pose, discs=discs)


def _disc(disc: MeasuredDisc, ruling: Ruling) -> Disc:
    doubts: list[DoubtReason] = list(disc.doubts)
    via, sections = ruling.assignment.via, ruling.assignment.sections
    if ruling.p < SURE_CALL and ruling.others:
        circles = [each for each in (ruling.assignment, *ruling.others) if each.via == "multiplier"]
        doubts.append("multiplier" if circles else "zone")
        sections = _all_sections(ruling)
    return Disc(
        color=disc.color,
        number=disc.number,
        center_mm=(float(disc.center_mm[0]), float(disc.center_mm[1])),
        sigma_mm=disc.sigma_mm,
        top_px=disc.top_px,
        state=disc.state,
        via=via,
        sections=sections,
        margin_mm=ruling.margin_mm,
        p=disc.p_identity * disc.p_state * ruling.p,
        doubts=tuple(dict.fromkeys(doubts)),
        contact=ruling.contact,
    )


def _all_sections(ruling: Ruling) -> tuple[str, ...]:
    """Name the call's sections, then those that it may be instead."""
    found = list(ruling.assignment.sections)
    for other in ruling.others:
        found += [section for section in other.sections if section not in found]
    return tuple(found)
