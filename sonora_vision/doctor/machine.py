"""The machine: packages and their conflicts, power, disk and clock."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from sonora_vision.doctor.finding import Finding, bad, ok, skipped, warning

GB = 1e9
LEAST_FREE_GB, GOOD_FREE_GB = 0.3, 2.0
"""A recording takes about 0.7 GB an hour."""
HOT_C = 80.0
OLDEST_CLOCK_S = 1_735_689_600.0
"""2025-01-01: a Pi has no clock of its own and starts in the past until the network tells it."""

_POWER_NOW = {0: "under-voltage", 1: "slowed down", 2: "throttled", 3: "too hot"}
_POWER_BEFORE = {bit + 16: text for bit, text in _POWER_NOW.items()}

_BUILT_FOR_NUMPY_2 = {"simplejpeg": (1, 9), "scikit-image": (0, 25)}
"""Older ones, as apt brings them on Bookworm, fail beside numpy 2: "dtype size changed"."""
_WANTED = ("numpy", "opencv-python-headless", "scikit-image", "scipy", "shapely", "simplejpeg")


class Machine:
    """What the checks ask the machine; tests give another."""

    def version(self, package: str) -> str | None:
        """Give an installed package's version; None where it is not there."""
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return None

    def run(self, *command: str) -> str | None:
        """Run a program for its output; None where it is not there or fails."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    def read(self, path: str) -> str | None:
        """Read a file of the system; None where that cannot be done."""
        try:
            return Path(path).read_text("utf-8", "replace").strip("\0\n ")
        except OSError:
            return None

    def free_bytes(self, path: Path) -> int:
        """Give the free space of the disk that a path is on."""
        while not path.exists():
            path = path.parent
        return shutil.disk_usage(path).free

    def now(self) -> float:
        """Give the time, seconds since 1970."""
        return time.time()

    def bits(self) -> int:
        """Give the width of a pointer: 32-bit systems run on 64-bit machines too."""
        return 8 * struct.calcsize("P")


def check_machine(machine: Machine, place: Path) -> Iterator[Finding]:
    """Check all that needs no camera.

    Parameters
    ----------
    machine : Machine
    place : Path
        Where recordings and readings go.
    """
    yield _system(machine)
    yield from _packages(machine)
    yield _pi_camera_stack(machine)
    yield _power(machine)
    yield _heat(machine)
    yield _disk(machine, place)
    yield _clock(machine)


def _system(machine: Machine) -> Finding:
    found = f"Python {platform.python_version()}, {platform.machine()}, {machine.bits()} bit"
    if machine.bits() != 64:
        return bad("system", found, "install the 64-bit system: 32-bit ones cannot be used")
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        return warning("system", found, "tested with Python 3.11 to 3.13: use one of them")
    return ok("system", found)


def _packages(machine: Machine) -> Iterator[Finding]:
    versions = {name: machine.version(name) for name in _WANTED}
    missing = [n for n, v in versions.items() if v is None]
    if missing:
        yield bad("packages", f"missing: {', '.join(missing)}", "install the program again")
    else:
        found = ", ".join(f"{n} {v}" for n, v in versions.items() if v)
        yield ok("packages", found)
    numpy = _numbers(versions["numpy"])
    for name, least in _BUILT_FOR_NUMPY_2.items():
        version = versions[name]
        if version and numpy >= (2,) and _numbers(version) < least:
            wanted = ".".join(map(str, least))
            todo = f"pip install '{name}>={wanted}' in the program's environment"
            yield bad("packages", f"{name} {version} is built for numpy 1, not {numpy[0]}", todo)
    opencv = versions["opencv-python-headless"]
    if opencv and _numbers(opencv) >= (4, 12) and numpy and numpy < (2,):
        todo = "pip install 'numpy>=2' in the program's environment"
        yield bad("packages", f"opencv {opencv} needs numpy 2, got {versions['numpy']}", todo)
    for name, why in (
        ("kms", "an unrelated package that picamera2 imports by mistake"),
        ("rpi-libcamera", "it does not fit the system's libcamera"),
        ("opencv-python", "it overwrites opencv-python-headless and wants a screen"),
    ):
        if machine.version(name):
            yield warning("packages", f"{name} is installed: {why}", f"pip uninstall {name}")


def _pi_camera_stack(machine: Machine) -> Finding:
    check, model = "pi camera", machine.read("/proc/device-tree/model")
    version = machine.version("picamera2")
    if model is None or "Raspberry" not in model:
        return skipped(check, "not a Raspberry Pi")
    if version is None:
        todo = "sudo apt install --no-install-recommends python3-picamera2, and make the program's"
        return bad(check, f"{model}, no picamera2", f"{todo} venv with --system-site-packages")
    if machine.run(sys.executable, "-c", "import picamera2") is None:
        todo = f"run `{sys.executable} -c 'import picamera2'` and read its last line"
        return bad(check, f"picamera2 {version} cannot be imported", todo)
    return ok(check, f"{model}, picamera2 {version}")


def _power(machine: Machine) -> Finding:
    said = machine.run("vcgencmd", "get_throttled")
    if said is None or "=" not in said:
        return skipped("power", "no vcgencmd: not a Raspberry Pi")
    bits = int(said.partition("=")[2], 16)
    now = [text for bit, text in _POWER_NOW.items() if bits >> bit & 1]
    before = [text for bit, text in _POWER_BEFORE.items() if bits >> bit & 1]
    todo = "use the Pi's own power supply and a short cable; give the case air"
    if now:
        return bad("power", f"{', '.join(now)} now", todo)
    if before:
        return warning("power", f"{', '.join(before)} since it was switched on", todo)
    return ok("power", "no under-voltage, no throttling")


def _heat(machine: Machine) -> Finding:
    said = machine.read("/sys/class/thermal/thermal_zone0/temp")
    if said is None or not said.lstrip("-").isdecimal():
        return skipped("heat", "no thermometer")
    degrees = int(said) / 1000.0
    if degrees >= HOT_C:
        return warning("heat", f"{degrees:.0f} C", "give it air, or a fan: it slows down from 80 C")
    return ok("heat", f"{degrees:.0f} C")


def _disk(machine: Machine, place: Path) -> Finding:
    free_gb = machine.free_bytes(place.absolute()) / GB
    found = f"{free_gb:.1f} GB free"
    if free_gb < LEAST_FREE_GB:
        return bad("disk", found, "delete recordings; readings cannot be saved soon")
    if free_gb < GOOD_FREE_GB:
        return warning("disk", found, "delete recordings: they take about 0.7 GB an hour")
    return ok("disk", found)


def _clock(machine: Machine) -> Finding:
    now_s = machine.now()
    found = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now_s))
    if now_s < OLDEST_CLOCK_S:
        return bad("clock", found, "connect it to the network, and wait until the time is set")
    synchronized = machine.run("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if synchronized == "no":
        todo = "timedatectl set-ntp true; without a network the time may be wrong"
        return warning("clock", f"{found}, not set by the network", todo)
    return ok("clock", found)


def _numbers(version: str | None) -> tuple[int, ...]:
    """Give the leading numbers of a version; () where there is none."""
    numbers = []
    for part in (version or "").split(".")[:3]:
        digits = "".join(c for c in part if c.isdecimal())
        if not digits:
            break
        numbers.append(int(digits))
    return tuple(numbers)
