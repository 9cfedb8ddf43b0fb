"""The rig: whether the camera gives good pictures, and the board can be read from them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np

from sonora_vision.camera.bracket import clipped_share
from sonora_vision.camera.source import CameraError, Frame, FrameSource, Pixels, Still
from sonora_vision.doctor.finding import Finding, bad, ok, skipped, warning
from sonora_vision.errors import SonoraError
from sonora_vision.watch.stills import Reader

FRAMES = 20
SLOW_HZ = 5.0
DARK_LEVEL, BRIGHT_LEVEL = 50.0, 200.0
"""Mean brightness of a still outside of which digits are poor, levels."""
CLIPPED_SHARE = 0.01
SOFT_EDGE_LEVELS = 12.0
"""Steepest percent of a still's edges at half size; printed lines in focus have 25 and more."""
FLICKER_SHARE = 0.02
OLD_PROFILE_DAYS = 180.0
POOR_FIT_PX = 2.0
SLOW_READING_S = 1.5


def check_camera(open_camera: Callable[[], FrameSource]) -> Iterator[Finding | Still]:
    """Check a camera; yields findings, and the still that a test reading is made of."""
    try:
        with closing(open_camera()) as source:
            began_s = time.monotonic()
            frames = list(itertools.islice(source.frames(), FRAMES))
            lasted_s = time.monotonic() - began_s
            still = source.still()
            notes = list(getattr(source, "notes", ()))
    except CameraError as error:
        yield bad("camera", str(error), "see the message; then run this again")
        return
    height, width = still.pixels_bgr.shape[:2]
    found = f"{source.name}, {width} x {height}"
    if source.live and len(frames) / max(lasted_s, 1e-3) < SLOW_HZ:
        rate = f"{found}, {len(frames) / lasted_s:.1f} frames a second"
        yield warning("camera", rate, "choose a smaller still size, or a faster machine")
    else:
        yield ok("camera", found)
    for note in notes:
        yield warning("camera", note, "see what it says; the program works around it")
    yield _light(still.pixels_bgr)
    yield _flicker(frames, live=source.live)
    yield _sharpness(still.pixels_bgr)
    yield still


def check_profile(path: Path, now_s: float) -> Finding:
    """Check that a profile is there, and not too old; what is in it, its loader judges."""
    try:
        age_days = (now_s - path.stat().st_mtime) / 86_400.0
    except OSError as error:
        todo = "make it with `sonora-vision calibrate`, or give the right path"
        return bad("profile", f"{path}: {error.strerror}", todo)
    found = f"{path}, {max(age_days, 0.0):.0f} days old"
    if age_days > OLD_PROFILE_DAYS:
        return warning("profile", found, "calibrate again: rigs and lenses shift with time")
    return ok("profile", found)


def check_reading(reader: Reader, still: Still) -> Iterator[Finding]:
    """Make a test reading."""
    began_s = time.monotonic()
    try:
        reading = reader(still.pixels_bgr, still.name)
    except SonoraError as error:
        yield bad("reading", str(error), "clear the view of the board; is it this rig's profile?")
        return
    lasted_s = time.monotonic() - began_s
    fit_px = reading.pose.fit_px
    if fit_px > POOR_FIT_PX:
        todo = "calibrate the lens again, with the focus as it is now"
        yield warning("pose", f"fits to {fit_px:.2f} px", todo)
    else:
        yield ok("pose", f"fits to {fit_px:.2f} px")
    doubted = sum(bool(disc.doubts) for disc in reading.discs)
    found = f"{len(reading.discs)} discs, {doubted} in doubt, {lasted_s:.1f} s"
    if reading.discs and doubted > len(reading.discs) / 3:
        yield warning("reading", found, "better light, or teach the discs again")
    elif lasted_s > SLOW_READING_S:
        yield warning("reading", found, "slow: a smaller still size, or a faster machine")
    else:
        yield ok("reading", found)
    for text in reading.warnings:
        yield warning("reading", text, "see the page with the picture")


def check_rig(
    open_camera: Callable[[], FrameSource] | None,
    profile_path: Path | None,
    make_reader: Callable[[Path], Reader],
    now_s: float,
) -> Iterator[Finding]:
    """Check camera, profile and a reading, as far as they are given."""
    still: Still | None = None
    if open_camera is None:
        yield skipped("camera", "no CAMERA was given")
    else:
        for each in check_camera(open_camera):
            if isinstance(each, Finding):
                yield each
            else:
                still = each
    if profile_path is None:
        yield skipped("profile", "no --profile was given")
        return
    profile = check_profile(profile_path, now_s)
    reader: Reader | None = None
    if profile.verdict != "bad":
        try:
            reader = make_reader(profile_path)
        except SonoraError as error:
            profile = bad("profile", str(error), "calibrate again, or give the right path")
    yield profile
    if still is None or reader is None:
        yield skipped("reading", "needs a camera and a profile")
        return
    yield from check_reading(reader, still)


def _light(pixels_bgr: Pixels) -> Finding:
    level, share = float(pixels_bgr.mean()), clipped_share(pixels_bgr)
    found = f"mean {level:.0f} of 255, {share:.1%} clipped"
    if share > CLIPPED_SHARE:
        return warning("light", found, "move the lamp until no white spot is on the print")
    if level < DARK_LEVEL:
        return warning("light", found, "more light: a wide lamp on each side of the board")
    if level > BRIGHT_LEVEL:
        return warning("light", found, "less light, or a shorter exposure")
    return ok("light", found)


def _flicker(frames: list[Frame], *, live: bool) -> Finding:
    """Compare the brightness of frames: lamps on the mains make it swing."""
    if not live or len(frames) < 8:
        return skipped("flicker", "not a live camera")
    levels = np.array([frame.pixels_bgr.mean() for frame in frames[-12:]])
    swing = float(levels.std() / max(levels.mean(), 1.0))
    found = f"brightness swings by {swing:.1%}"
    if swing > FLICKER_SHARE:
        return warning("flicker", found, "set flicker_hz in the camera's preset to your mains")
    return ok("flicker", found)


def _sharpness(pixels_bgr: Pixels) -> Finding:
    gray = cv2.cvtColor(pixels_bgr, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    steps = np.abs(np.diff(half.astype(np.int16), axis=1))
    edge = float(np.percentile(steps, 99))
    found = f"edges of {edge:.0f} levels a pixel"
    if edge < SOFT_EDGE_LEVELS:
        return warning("sharpness", found, "clean the lens; focus; does the arm shake?")
    return ok("sharpness", found)
