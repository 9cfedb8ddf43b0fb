"""Camera controls of a Raspberry Pi: their types, their limits, and what to lock.

A value of the wrong type (a float exposure time) ends picamera2's event loop, and every later
call hangs; so each value is brought to its control's type here. A control that a camera does not
have raises there, so those are left out here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

ControlValue: TypeAlias = int | float | bool | tuple[int, ...] | tuple[float, ...]
Ranges: TypeAlias = Mapping[str, tuple[Any, Any, Any]]
"""What a camera advertises: least, greatest and usual value of each control."""

AF_MANUAL, AF_AUTO = 0, 1
FLICKER_MANUAL = 1


def _ints(value: Any) -> tuple[int, ...]:
    return tuple(round(float(v)) for v in value)


def _floats(value: Any) -> tuple[float, ...]:
    return tuple(float(v) for v in value)


_TYPES: dict[str, Callable[[Any], ControlValue]] = {
    "AeEnable": bool,
    "AeFlickerMode": int,
    "AeFlickerPeriod": lambda v: round(float(v)),
    "AfMode": int,
    "AnalogueGain": float,
    "AwbEnable": bool,
    "ColourGains": _floats,
    "ExposureTime": lambda v: round(float(v)),
    "FrameDurationLimits": _ints,
    "LensPosition": float,
}
"""Every control that this program sets, and the type that libcamera takes for it."""


def controls_for(wanted: Mapping[str, Any], ranges: Ranges) -> dict[str, ControlValue]:
    """Bring controls to their types and limits; leave out those that the camera lacks.

    Parameters
    ----------
    wanted : mapping
        Values by control name, of any numeric type.
    ranges : mapping
        picamera2's `camera_controls`.

    Returns
    -------
    dict
        Plain Python values that are safe to give to picamera2.

    Raises
    ------
    KeyError
        For a control whose type this module does not know: a mistake in the program.
    """
    return {
        name: _limited(_TYPES[name](value), ranges[name])
        for name, value in wanted.items()
        if name in ranges
    }


def running_controls(rate_hz: float, flicker_hz: int) -> dict[str, Any]:
    """Give the controls for finding the exposure: frame rate and the lamps' flicker.

    Parameters
    ----------
    rate_hz : float
        Frames a second.
    flicker_hz : int
        Mains frequency; light flickers at twice that, and the period is in microseconds.
    """
    duration_us = 1e6 / rate_hz
    return {
        "FrameDurationLimits": (duration_us, duration_us),
        "AeEnable": True,
        "AwbEnable": True,
        "AeFlickerMode": FLICKER_MANUAL,
        "AeFlickerPeriod": 1e6 / (2 * flicker_hz),
    }


def locked_controls(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Give the controls that hold exposure, gain, white balance and focus where a frame had them.

    Parameters
    ----------
    metadata : mapping
        A frame's metadata; what it does not tell is not locked.
    """
    locked: dict[str, Any] = {}
    for name in ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"):
        if metadata.get(name) is not None:
            locked[name] = metadata[name]
    if "ExposureTime" in locked:
        locked["AeEnable"] = False
    if "ColourGains" in locked:
        locked["AwbEnable"] = False
    if "LensPosition" in locked:
        locked["AfMode"] = AF_MANUAL
    return locked


def _limited(value: ControlValue, limits: tuple[Any, Any, Any]) -> ControlValue:
    """Clip a number to what the camera advertises; tuples and switches stay."""
    if isinstance(value, (bool, tuple)):
        return value
    least, greatest = limits[0], limits[1]
    if not all(isinstance(b, (int, float)) for b in (least, greatest)) or least >= greatest:
        return value
    return type(value)(min(max(value, least), greatest))
