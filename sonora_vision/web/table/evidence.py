"""A disc's evidence: its close-up with the deciding boundary drawn in, and the gap in words."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, replace
from typing import Literal

from flask import url_for

from sonora_vision.calibrate.board_spec import BoardSpec
from sonora_vision.detect.annotate import Rectified, draw_evidence
from sonora_vision.detect.annotate.captions import is_choice
from sonora_vision.detect.annotate.regions import deciding_boundary
from sonora_vision.observation import Disc, Reading
from sonora_vision.reading_file import disc_to_json
from sonora_vision.table.game import Game, Round
from sonora_vision.table.pictures import NoPictureError
from sonora_vision.web.drawn import Drawn
from sonora_vision.web.params import WebParams
from sonora_vision.web.photos.pictures import jpeg
from sonora_vision.web.server import server
from sonora_vision.web.wording import gaps, terms, words
from sonora_vision.web.wording.language import gettext

SIGMAS = 2.0
"""What is given for a gap as plus or minus: 19 of 20 discs lie within."""


@dataclass(frozen=True, kw_only=True)
class DiscEvidence:
    """What a page shows and says of one disc of a game."""

    index: int
    """Its place in the round's reading, additions included."""
    name: str
    chip: words.Chip
    headline: str
    gap: str
    """How far it is from what decides; empty where nothing does."""
    doubts: tuple[str, ...]
    kind: Literal["doubt", "choice", "settled"]
    by_hand: bool
    """Whether a person put it where it is."""
    src: str | None
    """The close-up's address; None where no picture shows the disc, or it is kept no more."""
    alt: str


def disc_evidence(
    game_id: str, game: Game, index: int, round_: Round | None = None
) -> DiscEvidence:
    """Return the evidence of one disc.

    Parameters
    ----------
    game_id, game
        The game.
    index : int
        The disc's place.
    round_ : Round, optional
        A round of before; the present one if not given.

    Raises
    ------
    RuleError
        If there is no such disc.
    """
    shown = game.now if round_ is None else round_
    if shown.table is None:
        raise ValueError("a round that is not read has no discs")
    board, disc = server().board, shown.table.place(index).disc
    gap = gap_words(board, disc)
    name = disc_words(board, disc)
    number = None if round_ is None else shown.number
    src = None
    if _pictured(shown, disc):
        src = url_for(
            "repair.disc_picture", game_id=game_id, index=index, round=number, v=mark(shown, index)
        )
    alt = gettext("Close-up of %(disc)s", disc=name)
    return DiscEvidence(
        index=index,
        name=name,
        chip=words.chip(disc.color, disc.number, unknown=disc.number is None),
        headline=terms.headline(disc),
        gap=gap,
        doubts=tuple(terms.doubt(reason) for reason in disc.doubts),
        kind="doubt" if disc.doubts else "choice" if is_choice(disc) else "settled",
        by_hand=disc.sigma_mm == 0,
        src=src,
        alt=f"{alt}: {gap}" if gap else alt,
    )


def disc_words(board: BoardSpec, disc: Disc) -> str:
    """Return a disc's name; a question mark for a number that is not known."""
    return terms.disc(disc.color, disc.number, unknown=bool(board.discs.numbers))


def gap_words(board: BoardSpec, disc: Disc) -> str:
    """Say how far a disc is from what decides about it, and how surely; nothing off the board."""
    boundary = deciding_boundary(board, disc)
    if boundary is None:
        return ""
    said = gaps.boundary_words(boundary)
    if disc.sigma_mm == 0:
        return gettext("%(gap)s, placed by hand", gap=said)
    about = math.ceil(SIGMAS * disc.sigma_mm * 10 - 1e-6) / 10
    return gettext("%(gap)s, ± %(about)s mm", gap=said, about=f"{about:.1f}")


def shown_reading(round_: Round) -> tuple[Reading, dict[int, int]]:
    """Return a round's reading as it is put right now, and where in it each disc's place went."""
    if round_.reading is None or round_.table is None:
        raise ValueError("a round that is not read has no reading")
    there = [(index, place) for index, place in enumerate(round_.table.places) if place is not None]
    reading = replace(
        round_.reading,
        discs=tuple(place.disc for _, place in there),
        missing=round_.table.missing,
    )
    return reading, {index: position for position, (index, _) in enumerate(there)}


def mark(round_: Round, index: int) -> str:
    """Return a mark that is another one as soon as a disc's close-up is."""
    reading, at = shown_reading(round_)
    # Every face is laid where its disc stands, so that all discs' places matter.
    told = [round_.picture, at.get(index), [disc_to_json(disc) for disc in reading.discs]]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def close_up(round_: Round, index: int, drawn: Drawn, params: WebParams) -> bytes:
    """Return a disc's close-up, JPEG.

    Raises
    ------
    RuleError
        If there is no such disc.
    NoPictureError
        If the photograph is not kept any more, or does not show the place.
    """
    if round_.table is None:
        raise NoPictureError("the board of this round is not read yet")
    board, disc = server().board, round_.table.place(index).disc
    if not _pictured(round_, disc):
        raise NoPictureError("there is no picture of this disc")

    def draw() -> bytes:
        reading, at = shown_reading(round_)
        boundary = deciding_boundary(board, disc)
        caption = "" if boundary is None else f"{abs(boundary.gap_mm):.1f} mm"
        pixels = draw_evidence(rectified(round_), board, reading, at[index], caption=caption)
        return jpeg(pixels, params.close_up_quality)

    return drawn.get(("disc", mark(round_, index)), draw)


def rectified(round_: Round) -> Rectified:
    """Return the rectified board of a round's photograph; raises `NoPictureError`."""
    if round_.picture is None:
        raise NoPictureError("this round was recorded without a picture")
    return server().pictures.rectified(round_.picture)


def _pictured(round_: Round, disc: Disc) -> bool:
    try:
        seen = rectified(round_)
    except NoPictureError:
        return False
    height, width = seen.bgr.shape[:2]
    x = (disc.center_mm[0] - seen.origin_mm[0]) * seen.px_per_mm
    y = (disc.center_mm[1] - seen.origin_mm[1]) * seen.px_per_mm
    return bool(0 <= x < width and 0 <= y < height)
