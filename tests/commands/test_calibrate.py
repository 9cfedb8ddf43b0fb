"""What a rig's folder becomes."""

from __future__ import annotations

import zipfile
from pathlib import Path

from click.testing import CliRunner

from sonora_vision.cli import main


def test_the_same_folder_gives_the_same_profile(
    sample_rig: Path, sample_profile: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.profile"
    done = CliRunner().invoke(main, ["calibrate", str(sample_rig), "--out", str(again)])
    assert done.exit_code == 0
    with zipfile.ZipFile(sample_profile) as one, zipfile.ZipFile(again) as other:
        assert one.namelist() == other.namelist()
        assert all(one.read(name) == other.read(name) for name in one.namelist())
