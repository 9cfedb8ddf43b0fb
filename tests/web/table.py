"""A drawn table for the pages: a small board, a few discs of every kind, and what reads them."""

from __future__ import annotations

import struct
import threading
import zlib

import cv2
import numpy as np

from sonora_vision.calibrate.board_spec import BoardSpec, board_from_json
from sonora_vision.calibrate.photo import Pixels
from sonora_vision.detect.annotate import Rectified
from sonora_vision.errors import UnreadableError
from sonora_vision.observation import (
    Contact,
    Missing,
    MultiplierGap,
    Reading,
    ZoneShare,
)
from sonora_vision.web import Seen
from tests.builders import board_json, disc, reading

PX_PER_MM = 3.0
ORIGIN_MM = (-12.0, -12.0)


def drawn_board() -> BoardSpec:
    """The tiny board with the four sections of the game."""
    quarters = {"ruins": (0, 0), "canyon": (50, 0), "mudcracks": (50, 50), "creek": (0, 50)}
    zones = [
        {
            "section": section,
            "shape": "polygon",
            "points": [[x, y], [x + 50, y], [x + 50, y + 50], [x, y + 50]],
        }
        for section, (x, y) in quarters.items()
    ]
    discs = board_json()["discs"] | {"colors": ["red", "blue", "white"]}
    return board_from_json(board_json(zones=zones, discs=discs), "drawn.json")


def drawn_reading(name: str) -> Reading:
    """Red: a sum and a doubt; blue: a bullseye and a fox; white: one off the board, one missing."""
    fox = MultiplierGap(section="canyon", animal="fox", gap_mm=-2.0)
    halves = (ZoneShare(section="creek", share=0.51), ZoneShare(section="mudcracks", share=0.49))
    return reading(
        disc(number=2, center_mm=(35.0, 20.0), p=0.999),
        disc(
            number=1,
            center_mm=(49.8, 80.0),
            sections=("creek", "mudcracks"),
            doubts=("zone",),
            p=0.6,
            contact=Contact(state="flat", zones=halves, multipliers=()),
        ),
        disc(
            color="blue",
            number=2,
            center_mm=(50.0, 50.0),
            state="in_hole",
            via="hole",
            sections=("canyon", "creek", "mudcracks", "ruins"),
        ),
        disc(
            color="blue",
            number=1,
            center_mm=(25.0, 62.0),
            via="multiplier",
            sections=("canyon",),
            contact=Contact(state="flat", zones=(), multipliers=(fox,)),
        ),
        disc(
            color="white",
            number=2,
            center_mm=(-80.0, 10.0),
            state="off_board",
            via="none",
            sections=(),
            margin_mm=None,
        ),
        image=name,
        missing=(Missing(color="white", number=1),),
        warnings=("a hand is in the picture",),
    )


class DrawnReader:
    """Reads every photograph as the same table, when it is let; refuses black ones."""

    def __init__(self) -> None:
        self.board = drawn_board()
        self.may_read = threading.Event()
        self.may_read.set()
        self.refuses_black = True

    def read(self, pixels_bgr: Pixels, image_name: str) -> Seen:
        """Wait for leave, then read."""
        assert self.may_read.wait(20)
        if self.refuses_black and not pixels_bgr.any():
            raise UnreadableError(f"{image_name}: no board found; photograph the whole board")
        rectified = np.full((372, 372, 3), (70, 110, 160), np.uint8)
        for each in drawn_reading(image_name).discs:
            x, y = (round((v + 12) * PX_PER_MM) for v in each.center_mm)
            cv2.circle(rectified, (x, y), 18, (60, 60, 200), -1, cv2.LINE_AA)
        return Seen(
            reading=drawn_reading(image_name),
            rectified=Rectified(bgr=rectified, px_per_mm=PX_PER_MM, origin_mm=ORIGIN_MM),
        )


def photo_bytes(
    *, level: int = 120, size: tuple[int, int] = (40, 60), ending: str = ".jpg"
) -> bytes:
    """A photograph of nothing."""
    _, encoded = cv2.imencode(".jpg", np.full((*size, 3), level, np.uint8))
    return encoded.tobytes()


def rough_png(*, rows: int, columns: int = 400) -> bytes:
    """A photograph of noise, which no format makes small: over 2 bytes a pixel."""
    rough = np.random.default_rng(2).integers(0, 255, (rows, columns, 3), np.uint8)
    return cv2.imencode(".png", rough)[1].tobytes()


def png_that_claims(width: int, height: int) -> bytes:
    """A PNG file whose header promises that size and whose content is next to nothing."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )
