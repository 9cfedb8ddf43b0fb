"""Whether a picture is fit to calibrate with: sharp, well exposed, the whole board in view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from sonora_vision.calibrate.lens import Lens
from sonora_vision.calibrate.photo import Pixels, is_gray
from sonora_vision.calibrate.propose.outline import propose_outline

Light = Literal["good", "fair", "bad"]

MIN_WIDTH_PX = 1000
"""Narrower pictures show a disc's number on fewer than fifteen pixels."""
DARK_LEVEL, BRIGHT_LEVEL = 45.0, 215.0
CLIPPED = 0.01
SHARP, SOFT = 0.32, 0.25
"""Part of an edge's contrast that one pixel takes, at a width of 820 pixels: the steepest edges."""
RIM = 0.01
"""A board that comes nearer to the picture's rim than this part of its width is cut off."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    light: Light
    words: str


@dataclass(frozen=True, kw_only=True)
class Readiness:
    """All that was looked at, and the worst of it."""

    light: Light
    checks: tuple[Check, ...]


def judge_picture(pixels_bgr: Pixels, lens: Lens) -> Readiness:
    """Judge a picture of the board.

    Parameters
    ----------
    pixels_bgr
        Any size, shape (height, width, 3).
    lens
        Intrinsics at its size, rough ones suffice.
    """
    checks = (
        _size(pixels_bgr),
        *judge_light(pixels_bgr),
        _clipped(pixels_bgr),
        check_colors(pixels_bgr),
        _in_view(pixels_bgr, lens),
    )
    order: tuple[Light, ...] = ("good", "fair", "bad")
    worst = max((check.light for check in checks), key=order.index)
    return Readiness(light=worst, checks=checks)


def judge_light(pixels_bgr: Pixels) -> tuple[Check, Check]:
    """Judge only how sharp and how well exposed a picture is."""
    return _sharp(pixels_bgr), _exposed(pixels_bgr)


def _size(pixels: Pixels) -> Check:
    height, width = pixels.shape[:2]
    words = f"{width} x {height} pixels"
    if max(width, height) < MIN_WIDTH_PX:
        return Check(
            name="size", light="bad", words=f"{words}: expected {MIN_WIDTH_PX} or more across"
        )
    return Check(name="size", light="good", words=words)


def _sharp(pixels: Pixels) -> Check:
    shrink = 820 / pixels.shape[1]
    small = cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    around = np.ones((9, 9), np.uint8)
    contrast = cv2.subtract(cv2.dilate(gray, around), cv2.erode(gray, around))
    across, down = (
        cv2.absdiff(gray[:-1, 1:], gray[:-1, :-1]),
        cv2.absdiff(gray[1:, :-1], gray[:-1, :-1]),
    )
    steps = cv2.max(across, down).ravel()
    steepest = np.argpartition(steps, steps.size - max(1, steps.size // 200))[
        -max(1, steps.size // 200) :
    ]
    ratio = steps[steepest] / np.maximum(contrast[:-1, :-1].ravel()[steepest], 1)
    found = float(np.median(ratio)) if float(steps[steepest].mean()) > 3 else 0.0
    light: Light = "good" if found >= SHARP else "fair" if found >= SOFT else "bad"
    words = {
        "good": "sharp",
        "fair": "a little soft: check the focus",
        "bad": "blurred: focus, and hold still",
    }
    return Check(name="sharpness", light=light, words=words[light])


def _exposed(pixels: Pixels) -> Check:
    level = float(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).mean())
    if level < DARK_LEVEL:
        light: Light = "bad" if level < DARK_LEVEL / 2 else "fair"
        return Check(name="exposure", light=light, words="dark: more light, or a longer exposure")
    if level > BRIGHT_LEVEL:
        return Check(
            name="exposure", light="bad", words="too bright: less light, or a shorter exposure"
        )
    return Check(name="exposure", light="good", words="well exposed")


def _clipped(pixels: Pixels) -> Check:
    share = float((pixels.min(axis=2) >= 252).mean())
    if share > CLIPPED:
        light: Light = "bad" if share > 5 * CLIPPED else "fair"
        return Check(
            name="glare",
            light=light,
            words=f"{100 * share:.0f} % is pure white: move the lamp, or expose less",
        )
    return Check(name="glare", light="good", words="nothing is overexposed")


def check_colors(pixels_bgr: Pixels) -> Check:
    """Look whether a picture has colors, by which discs are told apart."""
    if is_gray(pixels_bgr):
        words = "grey-scale: switch the camera's night mode or black-and-white effect off"
        return Check(name="color", light="bad", words=words)
    return Check(name="color", light="good", words="in color")


def _in_view(pixels: Pixels, lens: Lens) -> Check:
    corners = propose_outline(pixels, lens)
    if corners is None:
        return Check(
            name="board",
            light="fair",
            words="no board stands out from the table: is it wholly in view?",
        )
    width = pixels.shape[1]
    size = np.array([pixels.shape[1], pixels.shape[0]])
    slack = float(np.minimum(corners, size - 1 - corners).min()) / width
    if slack < RIM:
        return Check(
            name="board", light="bad", words="the board is cut off: raise the camera, or move it"
        )
    area = cv2.contourArea(corners.astype(np.float32)) / float(size.prod())
    if area < 0.15:
        return Check(
            name="board", light="fair", words="the board is small in the picture: come nearer"
        )
    return Check(name="board", light="good", words="the whole board is in view")
