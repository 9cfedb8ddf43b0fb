"""What the repair page draws: the picture, the printed lines, and every disc over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flask import url_for

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate import Rectified
from sonora_vision.detect.annotate.captions import is_choice
from sonora_vision.detect.annotate.palette import section_colors
from sonora_vision.detect.annotate.rectified import face_height_mm
from sonora_vision.detect.annotate.regions import deciding_boundary
from sonora_vision.geometry import CircleShape, PolygonShape
from sonora_vision.observation import STATES, Disc, State
from sonora_vision.table.discs import Place
from sonora_vision.table.events import HOST, Logged
from sonora_vision.table.game import Game
from sonora_vision.table.pictures import NoPictureError
from sonora_vision.web.door.access import Who
from sonora_vision.web.server import server
from sonora_vision.web.table.evidence import disc_words, gap_words, rectified
from sonora_vision.web.table.repairs import repairs, twins
from sonora_vision.web.wording import terms
from sonora_vision.web.wording.words import chip

_MARGIN_RADII = 2.2
"""Table shown around the board and its discs, in radii of a disc."""
_OF_THE_PLACE = {"zone", "multiplier", "hidden"}


@dataclass(frozen=True, kw_only=True)
class Outline:
    """A printed line as the picture's overlay draws it, board mm."""

    kind: str
    """A class for its style."""
    points: str = ""
    """Of a polygon, as SVG writes them; empty for a circle."""
    center_mm: tuple[float, float] = (0.0, 0.0)
    radius_mm: float = 0.0
    color: str = "#ffffff"


def state(game_id: str, game: Game, log: list[Logged], who: Who) -> dict[str, Any]:
    """Return all that the page's script draws, as JSON."""
    board = server().board
    places = () if game.now.table is None else game.now.table.places
    return {
        "seq": game.seq,
        "of": game.now.recorded or 0,
        "phase": game.phase,
        "view": view(game_id, game),
        "discs": sorted(
            (
                disc_values(board, place.disc)
                | {
                    "index": index,
                    "mine": may_touch(who, place),
                    "swapped": place.photo_number is not None,
                    "repaired": place.repaired,
                }
                for index, place in enumerate(places)
                if place is not None
            ),
            key=lambda disc: (disc["kind"] != "doubt", disc["color"], disc["number"] or 0),
        ),
        "missing": [
            {"color": each.color, "number": each.number}
            for each in (() if game.now.table is None else game.now.table.missing)
        ],
        "repairs": [
            {"seq": each.seq, "words": each.words, "who": each.who, "mine": each.mine}
            for each in repairs(game, log, who.actor)
        ],
        "twins": twins(game),
    }


def disc_values(board: BoardSpec, disc: Disc) -> dict[str, Any]:
    """Return a disc as the script draws it and the page words it."""
    boundary = deciding_boundary(board, disc)
    drawn = chip(disc.color, disc.number, unknown=disc.number is None)
    return {
        "color": disc.color,
        "number": disc.number,
        "x": disc.center_mm[0],
        "y": disc.center_mm[1],
        "state": disc.state,
        "name": disc_words(board, disc),
        "fill": drawn.fill,
        "ink": drawn.ink,
        "headline": terms.headline(disc),
        "lies": terms.lies(disc),
        "gap": gap_words(board, disc),
        "near": None if boundary is None else boundary.near_mm,
        "far": None if boundary is None else boundary.far_mm,
        "kind": "doubt" if disc.doubts else "choice" if is_choice(disc) else "settled",
        "doubts": [terms.doubt(reason) for reason in disc.doubts],
        "placed": not _OF_THE_PLACE & set(disc.doubts),
    }


def view(game_id: str, game: Game) -> dict[str, Any] | None:
    """Return where the picture lies on the board; None where there is none to repair on."""
    try:
        seen = rectified(game.now)
    except NoPictureError:
        return None
    board = server().board
    return {
        "image": url_for("repair.board_picture", game_id=game_id, v=game.now.picture),
        "box": shown_mm(seen, game, board),
        "camera": seen.camera_mm,
        "height": seen.height_mm,
        "radius": board.discs.radius_mm,
        "faces": {name: _face_height(board, name) for name in STATES},
    }


def shown_mm(seen: Rectified, game: Game, board: BoardSpec) -> list[float]:
    """Return left, top, width and height of what is shown: the board and all discs as read, mm."""
    left, top, right, bottom = _shown_px(seen, game, board)
    step = 1 / seen.px_per_mm  # the first pixel's centre is the origin, not its corner
    x, y = (value - step / 2 for value in seen.origin_mm)
    return [x + left * step, y + top * step, (right - left) * step, (bottom - top) * step]


def shown_bgr(seen: Rectified, game: Game, board: BoardSpec) -> Pixels:
    """Return the part of a rectified picture that is shown."""
    left, top, right, bottom = _shown_px(seen, game, board)
    return seen.bgr[top:bottom, left:right]


def ground(seen: Rectified) -> str:
    """Return the transform that lays what is printed on the board onto its rectified picture.

    The picture shows the plane of the discs' faces as it is; the board lies deeper and is smaller.
    """
    if seen.camera_mm is None:
        return "translate(0 0)"
    x, y, top = seen.camera_mm
    scale = (top - seen.height_mm) / top
    return f"translate({x * (1 - scale):.3f} {y * (1 - scale):.3f}) scale({scale:.6f})"


def outlines(board: BoardSpec) -> list[Outline]:
    """Return every printed line of a board."""
    fills = {
        section: "#{:02x}{:02x}{:02x}".format(*rgb)
        for section, rgb in section_colors(board).items()
    }
    found = []
    for zone in board.zones:
        color, shape = fills.get(zone.section, "#ffffff"), zone.shape
        if isinstance(shape, PolygonShape):
            found.append(Outline(kind="zone", points=_points(shape.points_mm), color=color))
            continue
        radii = (
            (shape.radius_mm,)
            if isinstance(shape, CircleShape)
            else (shape.inner_mm, shape.outer_mm)
        )
        found += [
            Outline(kind="zone", center_mm=shape.center_mm, radius_mm=radius, color=color)
            for radius in radii
        ]
    found += [
        Outline(kind="circle", center_mm=m.center_mm, radius_mm=m.radius_mm, color=fills[m.section])
        for m in board.multipliers
    ]
    if board.hole is not None:
        hole = board.hole
        found.append(Outline(kind="hole", center_mm=hole.center_mm, radius_mm=hole.radius_mm))
    found += [Outline(kind="corner", points=_points(c.points_mm)) for c in board.launch_corners]
    return [*found, Outline(kind="edge", points=_points(board.outline_mm))]


def may_touch(who: Who, place: Place) -> bool:
    """Whether a disc is for who is asking to repair; the host repairs all, nobody a swapped one."""
    if place.photo_number is not None:
        return False  # the picture shows it elsewhere
    disc = place.disc
    return who.actor == HOST or disc.color == who.actor or "color" in disc.doubts


def _shown_px(seen: Rectified, game: Game, board: BoardSpec) -> tuple[int, int, int, int]:
    discs = () if game.now.reading is None else game.now.reading.discs
    places = np.array([*board.outline_mm, *(disc.center_mm for disc in discs)])
    margin_mm = _MARGIN_RADII * board.discs.radius_mm
    origin, size = np.array(seen.origin_mm), np.array(seen.bgr.shape[1::-1])
    low = (places.min(axis=0) - margin_mm - origin) * seen.px_per_mm
    high = (places.max(axis=0) + margin_mm - origin) * seen.px_per_mm
    left, top = (int(value) for value in np.clip(np.floor(low), 0, size - 1))
    right, bottom = (int(value) for value in np.clip(np.ceil(high), 1, size))
    return left, top, right, bottom


def _points(points_mm: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points_mm)


def _face_height(board: BoardSpec, name: State) -> float:
    disc = Disc(
        color="", number=None, center_mm=(0, 0), sigma_mm=0, top_px=(0, 0), state=name,
        via="none", sections=(), margin_mm=None, p=1,
    )  # fmt: skip
    return face_height_mm(board, disc) or 0.0
