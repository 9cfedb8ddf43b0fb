"""The recorded signatures are the real package's, wherever it can be had.

`make real-picamera2` installs it for Debian 12; there is no camera in it, and none is needed.
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.camera import picamera2_signatures as recorded

PROJECT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("SONORA_REAL_PICAMERA2", PROJECT / ".venv" / "picamera2"))


@pytest.fixture(scope="module")
def real() -> dict[str, Any]:
    if not (FOLDER / "complete").exists():
        pytest.skip("the real picamera2 is not here: run `make real-picamera2` (Debian 12)")
    libraries = FOLDER / "root/usr/lib/x86_64-linux-gnu"
    bindings = [*libraries.glob("python3.11/site-packages"), *libraries.glob("../python3/*")]
    paths = [PROJECT, *bindings, FOLDER / "site"]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "LD_LIBRARY_PATH": str(libraries),
    }
    asked = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("ask_real_picamera2.py"))],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
    answer: dict[str, Any] = json.loads(asked.stdout.strip().splitlines()[-1])
    return answer


def recorded_parameters(name: str) -> list[list[Any]]:
    class_name, method = name.split(".")
    function = getattr(getattr(recorded, class_name), method)
    required = inspect.Parameter.empty
    return [
        [p.name, p.kind.name, "required" if p.default is required else p.default]
        for p in inspect.signature(function).parameters.values()
    ]


@pytest.mark.parametrize(
    "name", [f"{name}.{method}" for name, methods in recorded.USED.items() for method in methods]
)
def test_every_recorded_signature_is_the_real_one(real: dict[str, Any], name: str) -> None:
    signature = real["signatures"][name]
    ours = recorded_parameters(name)
    assert [p[:2] for p in ours] == [p[:2] for p in signature]
    assert [p[2] for p in ours] == [p[2] for p in signature]


def test_real_arrays_come_out_as_they_were_laid_in(real: dict[str, Any]) -> None:
    """Padded rows and packed ones, through picamera2's own array code."""
    assert max(real["errors"].values()) <= 3, real["errors"]


def test_without_a_camera_the_real_list_is_empty(real: dict[str, Any]) -> None:
    assert real["cameras"] == []
