"""The one flow: a photograph to a reading. Each arrow of ARCHITECTURE.md is one call here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from sonora_vision.calibrate.find_board import find_board
from sonora_vision.calibrate.photo import Pixels, load_reduced
from sonora_vision.calibrate.profile import Profile
from sonora_vision.calibrate.taught import photo_scale
from sonora_vision.detect.ageing import ageing_warnings
from sonora_vision.detect.find_discs import Findings, FindParams, find_discs
from sonora_vision.detect.measure import MeasureParams, measure_discs
from sonora_vision.detect.references import References
from sonora_vision.detect.scene import Scene, set_scene
from sonora_vision.detect.teach_discs import references_of
from sonora_vision.detect.trust import require_color, weigh_trust
from sonora_vision.errors import UnreadableError
from sonora_vision.observation import Assignment, Contact, Reading
from sonora_vision.report import enlarged, report_reading
from sonora_vision.ruling import rule_on
from sonora_vision.score.sonora.assign import assign as sonora_assign

Assign = Callable[[Contact, str], Assignment]


@dataclass(frozen=True, kw_only=True)
class Sight:
    """A reading, and the picture that it was made from."""

    reading: Reading
    px_per_mm: float
    origin_mm: tuple[float, float]
    """Board point at the centre of the picture's first pixel."""
    scene: Scene
    findings: Findings

    @property
    def rectified_bgr(self) -> Pixels:
        """The board from straight above, shape (h, w, 3); made when first asked for."""
        return self.scene.top_bgr


def read_photo(path: Path, profile: Profile, assign: Assign = sonora_assign) -> Sight:
    """Read one photograph.

    Raises
    ------
    UnreadableError
        Where it cannot be read; the text names the file and the reason.
    """
    enough_px = max(profile.lens.size_px) / _scale(profile)
    pixels, times = load_reduced(path, enough_px)
    try:
        sight = read_pixels(pixels, profile, path.name, assign)
    except UnreadableError as error:
        raise UnreadableError(f"{path}: {error}") from None
    return replace(sight, reading=enlarged(sight.reading, times))


def read_pixels(
    pixels_bgr: Pixels, profile: Profile, image_name: str, assign: Assign = sonora_assign
) -> Sight:
    """Read a picture that is in memory; see :func:`read_photo`."""
    board, taught = profile.board, profile.taught
    references = _references(profile)
    height, width = pixels_bgr.shape[:2]
    lens = profile.lens.scaled_to((width, height))
    scale = _scale(profile) * width / profile.lens.size_px[0]
    pose, fit_px = find_board(pixels_bgr, lens, taught.features, scale)
    scene = set_scene(pixels_bgr, pose, taught, board.discs.height_mm)
    require_color(scene, taught)
    findings = find_discs(scene, references, board.discs.radius_mm, FindParams())
    pose_sigma_mm = float(np.hypot(profile.anchor_mm, 0.05))
    discs = measure_discs(scene, findings, references, board, pose_sigma_mm, MeasureParams())
    discs, warnings = weigh_trust(scene, findings, discs, taught, board, fit_px)
    aged = ageing_warnings(profile, pose, fit_px, scene, findings)
    rulings = rule_on(
        np.array([disc.center_mm for disc in discs]).reshape(-1, 2),
        [disc.sigma_mm for disc in discs],
        [disc.state for disc in discs],
        board,
        assign,
    )
    reading = report_reading(
        image_name,
        board,
        pose,
        pose.turned_from(profile.pose),
        fit_px,
        discs,
        rulings,
        (*warnings, *aged),
    )
    return Sight(
        reading=reading,
        px_per_mm=scene.view.px_per_mm,
        origin_mm=scene.view.origin_mm,
        scene=scene,
        findings=findings,
    )


@lru_cache(maxsize=4)
def _references(profile: Profile) -> References:
    return references_of(profile.discs, profile.board.discs.numbers)


@lru_cache(maxsize=4)
def _scale(profile: Profile) -> float:
    """Pixels of the lens's pictures per pixel of the taught one."""
    return photo_scale(profile.pose, profile.taught)
