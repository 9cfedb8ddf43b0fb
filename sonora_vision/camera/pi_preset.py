"""Presets of Raspberry Pi cameras: what to ask the camera for."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, fields
from importlib import resources
from pathlib import Path
from typing import Any

from sonora_vision.errors import FileFormatError, UsageError

KIND = "sonora-vision/camera-presets"
SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class PiPreset:
    """What is asked of one model of camera.

    Attributes
    ----------
    title : str
        For people.
    sensor : str
        The model as libcamera names it, by which the camera is chosen.
    still_px, watch_px : tuple of int
        Width and height of stills and of the small frames for watching.
    rate_hz : float
        Frames a second.
    buffers : int
        Each holds one still and one small frame.
    flicker_hz : int
        Mains frequency, 50 or 60: lamps flicker at twice that.
    field_deg : tuple of float
        Field of view, across and down, degrees.
    nearest_mm : float
        Nearest distance that can be focused.
    """

    title: str
    sensor: str
    still_px: tuple[int, int]
    watch_px: tuple[int, int]
    rate_hz: float
    buffers: int
    flicker_hz: int
    field_deg: tuple[float, float]
    nearest_mm: float

    def field_mm(self, distance_mm: float) -> tuple[float, float]:
        """Width and height of the plane that is seen straight on from a distance, mm."""
        across, down = (2.0 * distance_mm * math.tan(math.radians(a) / 2.0) for a in self.field_deg)
        return across, down

    def mm_per_px(self, distance_mm: float) -> float:
        """Size of a still's pixel on a plane at that distance, mm."""
        return self.field_mm(distance_mm)[0] / self.still_px[0]

    def distance_for(self, width_mm: float, height_mm: float) -> float:
        """Least distance from which a field of that size is seen whole, mm."""
        needs = zip((width_mm, height_mm), self.field_deg, strict=True)
        return max(size / (2.0 * math.tan(math.radians(a) / 2.0)) for size, a in needs)


def load_presets(path: Path | None = None) -> dict[str, PiPreset]:
    """Load camera presets by their names.

    Parameters
    ----------
    path : Path, optional
        A file of one's own; else the ones that come with the program.

    Raises
    ------
    FileFormatError
        Where the file is not a file of presets; names the place.
    """
    where = str(path) if path else "presets.toml"
    try:
        text = path.read_text("utf-8") if path else _own_text()
        document = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FileFormatError(f"{where}: cannot be read as TOML: {error}") from error
    if document.pop("kind", None) != KIND or document.pop("schema", None) != SCHEMA:
        raise FileFormatError(f'{where}: expected kind = "{KIND}" and schema = {SCHEMA}')
    return {name: _preset(entry, f"{where} [{name}]") for name, entry in document.items()}


def find_preset(name: str) -> PiPreset:
    """Find a preset by its name, or the one preset of a file by the file's path.

    Raises
    ------
    UsageError
        Where there is none of that name.
    """
    if name.endswith(".toml"):
        presets = load_presets(Path(name))
        if len(presets) != 1:
            raise UsageError(f"{name}: expected one preset in it, got {len(presets)}")
        return next(iter(presets.values()))
    presets = load_presets()
    if name not in presets:
        raise UsageError(
            f"camera preset {name!r}: expected {', '.join(presets)} or the path of a .toml file"
        )
    return presets[name]


def _own_text() -> str:
    return resources.files(__package__).joinpath("presets.toml").read_text("utf-8")


def _preset(entry: Any, where: str) -> PiPreset:
    wanted = {field.name: field for field in fields(PiPreset)}
    if not isinstance(entry, dict) or set(entry) != set(wanted):
        got = sorted(entry) if isinstance(entry, dict) else entry
        raise FileFormatError(f"{where}: expected the keys {sorted(wanted)}, got {got}")
    try:
        preset = PiPreset(
            title=str(entry["title"]),
            sensor=str(entry["sensor"]),
            still_px=_pair_of_int(entry["still_px"]),
            watch_px=_pair_of_int(entry["watch_px"]),
            rate_hz=float(entry["rate_hz"]),
            buffers=int(entry["buffers"]),
            flicker_hz=int(entry["flicker_hz"]),
            field_deg=(float(entry["field_deg"][0]), float(entry["field_deg"][1])),
            nearest_mm=float(entry["nearest_mm"]),
        )
    except (TypeError, ValueError, IndexError) as error:
        raise FileFormatError(f"{where}: a value has the wrong type: {error}") from error
    _check(preset, where)
    return preset


def _pair_of_int(value: Any) -> tuple[int, int]:
    width, height = value
    return int(width), int(height)


def _check(preset: PiPreset, where: str) -> None:
    problems = []
    if min(*preset.still_px, *preset.watch_px) < 16:
        problems.append(f"sizes of 16 px and more, got {preset.still_px} and {preset.watch_px}")
    if any(side % 2 for side in preset.watch_px):
        problems.append(f"even sides in watch_px, got {preset.watch_px}")
    if not 1 <= preset.buffers <= 8:
        problems.append(f"buffers from 1 to 8, got {preset.buffers}")
    if preset.flicker_hz not in (50, 60):
        problems.append(f"flicker_hz 50 or 60, got {preset.flicker_hz}")
    if not 0.5 <= preset.rate_hz <= 120.0:
        problems.append(f"rate_hz from 0.5 to 120, got {preset.rate_hz}")
    if not all(1.0 <= a < 170.0 for a in preset.field_deg):
        problems.append(f"field_deg from 1 to 170, got {preset.field_deg}")
    if problems:
        raise FileFormatError(f"{where}: expected {'; '.join(problems)}")
