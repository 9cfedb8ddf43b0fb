"""What is built is what was tested: the wheel holds every module and every file they read."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

PROJECT = Path(__file__).parent.parent


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", str(tmp_path)],
        cwd=PROJECT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    files = {
        str(path.relative_to(PROJECT))
        for path in (PROJECT / "sonora_vision").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "sonora_vision/py.typed" in packed
    assert files - packed == set()


def test_opencv_comes_without_desktop_libraries() -> None:
    import cv2

    build = cv2.getBuildInformation()
    gui = next(line for line in build.splitlines() if line.strip().startswith("GUI:"))
    assert "NONE" in gui
