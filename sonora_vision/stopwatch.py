"""How long each arrow of the pipeline takes, against the least that any reader must do.

The pipeline is not told: for as long as it is timed, its arrows are wrapped where they are looked
up, so that there is no second copy of it to grow stale. All is timed on one core, as each worker
reads on one when there are many photographs: else the floor, which is all OpenCV's, would be
measured on more of them than the reading.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sonora_vision.calibrate.photo import load_photo
from sonora_vision.calibrate.profile import Profile
from sonora_vision.calibrate.rectify import rectify_map
from sonora_vision.one_core import on_one_core
from sonora_vision.pipeline import read_photo

ARROWS = (
    ("decode", "sonora_vision.pipeline", "load_reduced"),
    ("find the board", "sonora_vision.pipeline", "find_board"),
    ("rectify, and take out the light", "sonora_vision.pipeline", "set_scene"),
    ("suggest circles", "sonora_vision.detect.find_discs", "weigh_paints"),
    ("suggest circles", "sonora_vision.detect.find_discs", "suggest_circles"),
    ("fit rims", "sonora_vision.detect.find_discs", "find_rims"),
    ("look at faces", "sonora_vision.detect.find_discs", "look_at"),
    ("measure and identify", "sonora_vision.pipeline", "measure_discs"),
    ("weigh the trust", "sonora_vision.pipeline", "weigh_trust"),
    ("weigh the trust", "sonora_vision.pipeline", "ageing_warnings"),
    ("rule", "sonora_vision.pipeline", "rule_on"),
)
"""A name for people, and the module and name where the function is looked up; a stage may hold
several."""
STAGES = tuple(dict.fromkeys(stage for stage, _, _ in ARROWS))
REST, WHOLE, FLOOR = "between them", "whole", "floor"


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Seconds of one stage over several runs."""

    stage: str
    least_s: float
    median_s: float


@dataclass(frozen=True, kw_only=True)
class Timings:
    """What reading one photograph costs."""

    stages: tuple[Timing, ...]
    """In their order, then what is between them."""
    whole: Timing
    floor: Timing
    """Decoding all of the file and resampling it once to the rectified size, in the same run."""
    peak_mb: float | None
    """The most memory that the process held for it; None where the system does not count."""


def time_reading(photo: Path, profile: Profile, runs: int) -> Timings:
    """Time the stages of reading a photograph.

    Parameters
    ----------
    photo
        The photograph.
    profile
        What it is read with.
    runs
        How often, after one run that warms up.

    Raises
    ------
    UnreadableError
        Where it cannot be read.
    """
    scene = read_photo(photo, profile).scene
    peak_mb = _peak_mb()
    pixels = load_photo(photo)
    lens = profile.lens.scaled_to((pixels.shape[1], pixels.shape[0]))
    where = rectify_map(replace(scene.pose, lens=lens), scene.view, scene.height_mm)
    del scene, pixels
    found: dict[str, list[float]] = defaultdict(list)
    with on_one_core():
        for _ in range(runs):
            with _watched() as spent, _clocked(found[WHOLE]):
                read_photo(photo, profile)
            for stage in STAGES:
                found[stage].append(spent[stage])
            found[REST].append(found[WHOLE][-1] - sum(spent.values()))
            with _clocked(found[FLOOR]):
                _decode_and_resample(photo, where)
    timed = {
        stage: Timing(stage=stage, least_s=min(times), median_s=statistics.median(times))
        for stage, times in found.items()
    }
    return Timings(
        stages=tuple(timed[stage] for stage in (*STAGES, REST)),
        whole=timed[WHOLE],
        floor=timed[FLOOR],
        peak_mb=peak_mb,
    )


def _decode_and_resample(photo: Path, where: NDArray[np.float32]) -> None:
    """Do the least that any reading must; no check of the file is in it."""
    pixels = cv2.imread(str(photo), cv2.IMREAD_COLOR)
    assert pixels is not None  # it was read before
    cv2.remap(pixels, where, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]  # OpenCV's stubs know no None here


def _peak_mb() -> float | None:
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


@contextmanager
def _clocked(seconds: list[float]) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds.append(time.perf_counter() - start)


@contextmanager
def _watched() -> Iterator[dict[str, float]]:
    """Wrap all arrows; what is yielded fills with the seconds of each stage."""
    spent: dict[str, float] = defaultdict(float)
    places = [(stage, sys.modules[room], name) for stage, room, name in ARROWS]
    arrows = [getattr(room, name) for _, room, name in places]
    try:
        for (stage, room, name), arrow in zip(places, arrows, strict=True):
            setattr(room, name, _timed(arrow, stage, spent))
        yield spent
    finally:
        for (_, room, name), arrow in zip(places, arrows, strict=True):
            setattr(room, name, arrow)


def _timed(arrow: Callable[..., Any], stage: str, spent: dict[str, float]) -> Callable[..., Any]:
    def timed(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            return arrow(*args, **kwargs)
        finally:
            spent[stage] += time.perf_counter() - start

    return timed
